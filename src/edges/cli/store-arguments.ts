import { STORE_ACTIONS } from './commands.ts'
import { type Flags, filledTextOf, refuseArguments, UsageError } from './flags.ts'

/** What is to be done with the tables of a shared store. */
export interface StoreInvocation {
  readonly kind: 'store'
  readonly action: (typeof STORE_ACTIONS)[number]
  /** The role by which nodes serve; null: that of the URL. */
  readonly role: string | null
}

/** @throws UsageError */
export function parseStore([word, ...others]: readonly string[], flags: Flags): StoreInvocation {
  const action = STORE_ACTIONS.find((each) => each === word)
  if (action === undefined) throw new UsageError(`store needs one of ${STORE_ACTIONS.join(', ')}.`)
  refuseArguments(`store ${action}`, others, '; name the database by MEMGOV_STORE')
  return { kind: 'store', action, role: filledTextOf(flags, 'role') }
}

/** Which store is to be moved where; null: the database of the configuration. */
export interface MigrateInvocation {
  readonly kind: 'migrate'
  readonly from: string | null
  readonly to: string | null
  readonly storeFile: string | null
  readonly isDryRun: boolean
  readonly isJson: boolean
}

/** @throws UsageError */
export function parseMigrate(rest: readonly string[], flags: Flags): MigrateInvocation {
  refuseArguments('migrate', rest, '; name the ends by --from and --to')
  return {
    kind: 'migrate',
    from: filledTextOf(flags, 'from'),
    to: filledTextOf(flags, 'to'),
    storeFile: filledTextOf(flags, 'store-file'),
    isDryRun: flags['dry-run'] === true,
    isJson: flags['json'] === true,
  }
}
