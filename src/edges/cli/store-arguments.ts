import type { OfflineCommand } from './command-names.ts'
import { KEY_ACTIONS, SCOPES_ACTIONS, STORE_ACTIONS, TARGET_FLAGS } from './commands.ts'
import {
  type Flags,
  filledTextOf,
  listOf,
  onlyArgument,
  refuseArguments,
  refuseOtherFlags,
  spanMs,
  storeOf,
  textOf,
  UsageError,
} from './flags.ts'

// What is asked of commands over a data folder or a database. Null: not named on the command line.

export type OfflineInvocation = ReturnType<typeof parseOffline>
export type KeysInvocation = ReturnType<typeof parseKeys>
export type StoreInvocation = ReturnType<typeof parseStore>
export type MigrateInvocation = ReturnType<typeof parseMigrate>

const HEAD = /^[0-9a-f]{64}$/

/** @throws UsageError */
export function parseOffline(command: OfflineCommand, rest: readonly string[], flags: Flags) {
  const [first, ...others] = rest
  const action = command === 'scopes' ? scopesAction(first) : null
  refuseArguments(command, action === null ? rest : others, '; name the folder by --data-dir')
  const dataDir = filledTextOf(flags, 'data-dir')
  const store = storeOf(flags)
  if (dataDir !== null && store !== null) throw new UsageError('Name a folder or a database, not both.')
  const head = textOf(flags, 'head')?.toLowerCase() ?? null
  if (head !== null && !HEAD.test(head)) throw new UsageError('--head is not 64 hex digits.')
  const targetFlag = TARGET_FLAGS[command]
  const target = targetFlag === undefined ? '' : (textOf(flags, targetFlag) ?? '')
  if (targetFlag !== undefined && target === '') throw new UsageError(`${command} needs --${targetFlag}.`)
  return {
    kind: 'offline' as const,
    command,
    dataDir,
    /** A database instead of a folder. */
    store,
    isDeep: flags['deep'] === true,
    isChain: flags['chain'] === true || head !== null,
    /** 64 hex digits, lower case. */
    head,
    isDryRun: flags['dry-run'] === true,
    isAgreed: flags['yes'] === true,
    isJson: flags['json'] === true,
    isSkippingDamaged: flags['skip-damaged'] === true,
    /** With `backup` only. */
    isWithoutKeys: flags['without-keys'] === true,
    tenantId: textOf(flags, 'tenant'),
    scope: textOf(flags, 'scope'),
    /** What `export` writes, `import` reads or `backup` makes; empty with other commands. */
    target,
    /** Milliseconds; with `scopes prune` only. */
    unusedForMs: unusedForMs(action, flags),
  }
}

/** Flags that say nothing of a key that is there. */
const CREATE_ONLY = ['name', 'scope', 'scope-prefix', 'agent', 'team', 'origin', 'expires-in']
const CREATE_SWITCHES = ['read-only', 'operator', 'metrics']

/** @throws UsageError */
export function parseKeys(rest: readonly string[], flags: Flags) {
  const [word, ...others] = rest
  const action = KEY_ACTIONS.find((each) => each === word)
  if (action === undefined) throw new UsageError(`keys needs one of ${KEY_ACTIONS.join(', ')}.`)
  const isOfOne = action === 'rotate' || action === 'revoke'
  if (!isOfOne) refuseArguments(`keys ${action}`, others, '')
  if (action !== 'create') {
    const own = ['data-dir', 'json', ...(action === 'list' ? ['tenant'] : [])]
    const foreign = [...CREATE_ONLY, ...CREATE_SWITCHES, 'tenant'].filter((name) => !own.includes(name))
    const other = foreign.find((name) => flags[name] !== undefined)
    if (other !== undefined) throw new UsageError(`keys ${action} has no flag --${other}.`)
  }
  const keyId = isOfOne ? onlyArgument(`keys ${action}`, 'KEY_ID', others) : null
  return {
    kind: 'keys' as const,
    action,
    /** The key that is meant; null: with `create` and `list`. */
    keyId,
    dataDir: filledTextOf(flags, 'data-dir'),
    isJson: flags['json'] === true,
    name: filledTextOf(flags, 'name'),
    tenantId: filledTextOf(flags, 'tenant'),
    scopes: listOf(flags, 'scope'),
    scopePrefixes: listOf(flags, 'scope-prefix'),
    agentId: filledTextOf(flags, 'agent'),
    teamId: filledTextOf(flags, 'team'),
    origins: listOf(flags, 'origin'),
    isReadOnly: flags['read-only'] === true,
    isOperator: flags['operator'] === true,
    readsMetrics: flags['metrics'] === true,
    expiresInMs: spanMs('keys create needs --expires-in', textOf(flags, 'expires-in')),
  }
}

function scopesAction(word: string | undefined): (typeof SCOPES_ACTIONS)[number] {
  const action = SCOPES_ACTIONS.find((each) => each === word)
  if (action === undefined) throw new UsageError(`scopes needs one of ${SCOPES_ACTIONS.join(', ')}.`)
  return action
}

function unusedForMs(action: (typeof SCOPES_ACTIONS)[number] | null, flags: Flags): number | null {
  const text = textOf(flags, 'unused-for')
  if (action === 'list') refuseOtherFlags('scopes list', flags, ['data-dir', 'json', 'tenant'])
  if (action !== 'prune') return null
  if (flags['yes'] === true && flags['dry-run'] === true) {
    throw new UsageError('scopes prune takes one of --dry-run and --yes.')
  }
  return spanMs('scopes prune needs --unused-for', text ?? '')
}

/** @throws UsageError */
export function parseStore([word, ...others]: readonly string[], flags: Flags) {
  const action = STORE_ACTIONS.find((each) => each === word)
  if (action === undefined) throw new UsageError(`store needs one of ${STORE_ACTIONS.join(', ')}.`)
  refuseArguments(`store ${action}`, others, '; name the database by MEMGOV_STORE')
  // The role by which nodes serve; null: that of the URL.
  return { kind: 'store' as const, action, role: filledTextOf(flags, 'role') }
}

/** Null for an end: the database of the configuration. @throws UsageError */
export function parseMigrate(rest: readonly string[], flags: Flags) {
  refuseArguments('migrate', rest, '; name the ends by --from and --to')
  return {
    kind: 'migrate' as const,
    from: filledTextOf(flags, 'from'),
    to: filledTextOf(flags, 'to'),
    storeFile: filledTextOf(flags, 'store-file'),
    isDryRun: flags['dry-run'] === true,
    isJson: flags['json'] === true,
  }
}
