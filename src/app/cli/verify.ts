import { partsOfActorKey } from '../../core/base/ids.ts'
import { visible } from '../../edges/cli/terminal-text.ts'
import type { ChainReport } from '../store/journal-chain.ts'
import type { ConcernedActor, Problem } from '../store/problem.ts'
import { type Verification, verifyStore } from '../store/verify-store.ts'
import { limitsOf, type OfflineRun } from './offline-run.ts'

/** `memgov verify`: 0 when nothing is wrong, 1 when something is. */
export async function verifyCommand(run: OfflineRun): Promise<number> {
  const { dir, invocation, progress, out } = run
  const verification = await verifyStore(dir, {
    isDeep: invocation.isDeep,
    ...(invocation.isChain ? { chain: { pinnedHead: invocation.head } } : {}),
    ...limitsOf(run),
    onFile: (path) => progress.file(path),
  })
  progress.end()
  out(
    invocation.isJson ? `${JSON.stringify(jsonOf(verification))}\n` : textOf(verification, invocation.isDeep),
  )
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
  const { tenantId, scope } = partsOfActorKey(key)
  const range = turns === null ? {} : { from_turn: turns.fromSeq, to_turn: turns.toSeq }
  return { tenant_id: tenantId, scope, ...range }
}

function countsOf(store: Verification['store']): Readonly<Record<string, number>> {
  const { journal, snapshots, ledger, history, actors } = store
  return {
    segments: journal.segments.length,
    turns: journal.segments.reduce((sum, { records }) => sum + records, 0),
    actors: actors.size,
    snapshots: snapshots.snapshots.length,
    ledger_files: ledger.files.length,
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
    problems.length === 0 ? 'clean' : `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`,
    '',
  ].join('\n')
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
