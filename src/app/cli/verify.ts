import { systemClock } from '../../adapters/system/clock-and-entropy.ts'
import { visible } from '../../edges/cli/terminal-text.ts'
import { placeOfActorKey } from '../archive/place-of.ts'
import { isNeeded, planRepair, type RepairPlan } from '../store/plan-repair.ts'
import type { ConcernedActor, Problem } from '../store/read-store.ts'
import { runRepair } from '../store/run-repair.ts'
import { type ChainReport, type Verification, verifyStore } from '../store/verify-store.ts'
import { limitsOf, type OfflineRun } from './offline-run.ts'

/** `memgov verify`: 0 when nothing is wrong, 1 when something is. */
export async function verifyCommand(run: OfflineRun): Promise<number> {
  const { dir, invocation, progress, out, sayJson } = run
  const verification = await verifyStore(dir, {
    isDeep: invocation.isDeep,
    ...(invocation.isChain ? { chain: { pinnedHead: invocation.head } } : {}),
    ...limitsOf(run),
    onFile: (path) => progress.file(path),
  })
  progress.end()
  if (invocation.isJson) sayJson(jsonOf(verification))
  else out(textOf(verification, invocation.isDeep))
  return verification.problems.length === 0 ? 0 : 1
}

function jsonOf({ store, problems, notes, chain }: Verification): object {
  return {
    data_dir: store.dir,
    store_id: store.storeId,
    clean: problems.length === 0,
    checked: countsOf(store),
    problems: problems.map(({ actors, ...problem }) => ({ ...problem, actors: actors.map(actorOf) })),
    notes,
    ...(chain === null
      ? {}
      : {
          chain: {
            head: chain.head,
            from_segment: chain.fromSegment,
            batches: chain.batches,
            batches_since_pinned: chain.batchesSincePinned,
          },
        }),
  }
}

function chainLines(chain: ChainReport | null): readonly string[] {
  if (chain === null) return []
  const { head, fromSegment, batches, batchesSincePinned } = chain
  if (head === null) return ['chain: none; the option journalChain (MEMGOV_JOURNAL_CHAIN=sha256) begins one']
  return [
    `chain: head ${head}, ${batches} batches from segment ${fromSegment} on`,
    ...(batchesSincePinned === null
      ? []
      : [`chain: the pinned head is in it, ${batchesSincePinned} batches ago`]),
  ]
}

function actorOf({ key, turns }: ConcernedActor): object {
  const range = turns === null ? {} : { from_turn: turns.fromSeq, to_turn: turns.toSeq }
  return { ...placeOfActorKey(key), ...range }
}

function countsOf(store: Verification['store']): Readonly<Record<string, number>> {
  const { journal, snapshots, ledger, history, actors } = store
  return {
    segments: journal.segments.length,
    turns: journal.segments.reduce((sum, { records }) => sum + records, 0),
    actors: actors.size,
    snapshots: snapshots.snapshots.length,
    ledger_files: ledger.found.length,
    history_files: history.files.length,
    note_files: history.notes.length,
  }
}

function textOf({ store, problems, notes, chain }: Verification, isDeep: boolean): string {
  const counts = Object.entries(countsOf(store)).map(([name, count]) => `${count} ${name.replace('_', ' ')}`)
  return [
    `store ${store.storeId ?? 'unknown'} in ${store.dir}`,
    `read ${counts.join(', ')}${isDeep ? '; every actor rebuilt' : ''}`,
    ...chainLines(chain),
    ...notes.map((note) => visible(`note: ${note}`)),
    ...problems.flatMap(problemLines),
    verdictOn(problems),
    '',
  ].join('\n')
}

/** The last line of a check. */
export function verdictOn({ length }: readonly unknown[]): string {
  return length === 0 ? 'clean' : `${length} ${length === 1 ? 'problem' : 'problems'}`
}

function problemLines({ file, offset, what, actors, action }: Problem, at: number): readonly string[] {
  const place = offset === null ? file : `${file} at byte ${offset}`
  const concerned = actors.map(({ key, turns }) => `${key}${turns === null ? '' : ` ${turnsText(turns)}`}`)
  return [
    visible(`problem ${at + 1}: ${place}: ${what}`),
    `  concerns: ${concerned.length === 0 ? 'not known which actors' : visible(concerned.join(', '))}`,
    `  to do: ${action}`,
  ]
}

function turnsText({ fromSeq, toSeq }: { readonly fromSeq: number; readonly toSeq: number }): string {
  return fromSeq === toSeq ? `(turn ${fromSeq})` : `(turns ${fromSeq} to ${toSeq})`
}

/**
 * `memgov repair`: 0 when the store is clean afterwards, or would be; 1 when nothing was done because the operator has
 * to agree or something stands in the way, or when something is left.
 */
export async function repairCommand(run: OfflineRun): Promise<number> {
  const { invocation, say } = run
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
  await runRepair(before.store, plan, { clock: systemClock(), onDone: say })
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
    ...plan.packs,
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
    ...[...plan.actors.values()].flatMap(({ key, fromHistory }) =>
      fromHistory === null ? [] : [`write a snapshot of ${key} at turn ${fromHistory.seq} from history`],
    ),
    ...asides.map((path) => `move ${inside(path)} to quarantine`),
    ...plan.historyTrimmed.map(({ path }) => `write ${inside(path)} again without the lost turns`),
    ...plan.exposures.map(
      ({ key, records }) => `write ${records.length} exposure sets of ${key} from the journal`,
    ),
  ]
}
