import { systemClock } from '../../adapters/system/clock.ts'
import { visible } from '../../edges/cli/terminal-text.ts'
import { isNeeded, planRepair, type RepairPlan } from '../store/plan-repair.ts'
import { runRepair } from '../store/run-repair.ts'
import { type Verification, verifyStore } from '../store/verify-store.ts'
import { errorsOnly, limitsOf, type OfflineRun } from './offline-run.ts'

/**
 * `memgov repair`: 0 when the store is clean afterwards, or would be; 1 when nothing was done because the operator has
 * to agree or something stands in the way, or when something is left.
 */
export async function repairCommand(run: OfflineRun): Promise<number> {
  const { invocation } = run
  const say = (line: string): void => run.out(`${visible(line)}\n`)
  const before = await verified(run)
  const plan = await planRepair(before, limitsOf(run))
  run.progress.end()
  for (const { file, what, action } of plan.blockers) say(`stands in the way: ${file}: ${what}; ${action}`)
  if (plan.blockers.length > 0) return 1
  if (!isNeeded(plan)) {
    for (const { file, what } of before.problems) say(`cannot be mended here: ${file}: ${what}`)
    say(before.problems.length === 0 ? 'clean: nothing to repair' : 'nothing was changed')
    return before.problems.length === 0 ? 0 : 1
  }
  for (const { file, what } of before.problems) say(`problem: ${file}: ${what}`)
  for (const { what } of plan.losses) say(`lost: ${what}`)
  if (plan.losses.length === 0) say('lost: nothing')
  if (invocation.isDryRun) {
    for (const line of stepsOf(plan, before)) say(`would ${line}`)
    return 0
  }
  if (plan.losses.some(({ isTurns }) => isTurns) && !invocation.isAgreed) {
    say(
      'Turns that were answered are lost. Nothing was changed: look for a backup first, or repeat with --yes.',
    )
    return 1
  }
  await runRepair(before.store, plan, { clock: systemClock(), log: errorsOnly(say), onDone: say })
  const after = await verified(run)
  run.progress.end()
  for (const { file, what } of after.problems) say(`left: ${file}: ${what}`)
  say(
    after.problems.length === 0
      ? 'clean: the service can start'
      : `${after.problems.length} problems are left`,
  )
  return after.problems.length === 0 ? 0 : 1
}

function verified(run: OfflineRun): Promise<Verification> {
  const { dir, progress } = run
  return verifyStore(dir, { ...limitsOf(run), isDeep: true, onFile: (path) => progress.file(path) })
}

function stepsOf(plan: RepairPlan, { store }: Verification): readonly string[] {
  const inside = (path: string): string => path.slice(store.dir.length + 1)
  const asides = [
    ...plan.snapshots,
    ...plan.ledger.map(({ ledger }) => ledger.path),
    ...[...plan.historyAside, ...plan.notes].map(({ path }) => path),
  ]
  return [
    ...(plan.isFormatWritten ? ['write FORMAT.json again'] : []),
    ...(plan.isManifestWritten ? ['write MANIFEST.json again, of what is there'] : []),
    ...(plan.rewriteFrom === null
      ? []
      : [
          `write journal segments ${plan.rewriteFrom} to ${plan.rewriteTo} again, with the turns that are kept`,
        ]),
    ...[...plan.fates.values()].flatMap(({ key, fromHistory }) =>
      fromHistory === null ? [] : [`write a snapshot of ${key} at turn ${fromHistory.seq} from history`],
    ),
    ...asides.map((path) => `move ${inside(path)} to quarantine`),
    ...plan.historyTrimmed.map(({ path }) => `write ${inside(path)} again without the lost turns`),
    ...plan.exposures.map(
      ({ key, records }) => `write ${records.length} exposure sets of ${key} from the journal`,
    ),
  ]
}
