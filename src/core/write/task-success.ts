import type { Surface } from '../base/closed-sets.ts'
import type { ActorEvent } from '../model/events.ts'
import { withEvidence } from '../model/evidence.ts'
import type { ExposureRecord } from '../model/exposure.ts'
import type { Consumer, Evidence, MemoryRecord } from '../model/record.ts'
import { type ActorState, ledgerOf, liveRecord } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import { isVerifiedSuccess } from './confirm.ts'
import type { Decision, Seen } from './decision.ts'
import { standingMove } from './feedback.ts'

/** A run that succeeded and was verified. */
export interface TaskSuccess {
  readonly runId: string
  /** Null: it counts for memory without a task signature only. */
  readonly taskSignature: string | null
  /** Slots of the memory that it names. */
  readonly named: readonly number[]
  readonly reason: string
}

type Shown = ReadonlyMap<string, Surface>

/** What a run was shown: by the guides that named it, and by the guide that its feedback names. */
export function shownTo(state: ActorState, runId: string, exposure: ExposureRecord | null): Shown {
  const ofRun = state.exposedByRun.get(runId)
  if (exposure === null) return ofRun ?? new Map()
  const named = exposure.memoryIds.map((id, rank) => [id, exposure.surfaces[rank] ?? 'do_not_use'] as const)
  return new Map([...(ofRun ?? []), ...named])
}

/**
 * What a success says for demoted memory that its run was shown: so a memory that no host names any more can come back.
 * It counts once for each run, for memory of its task, or of no task, that may be used or inspected.
 */
export function taskSuccesses(
  state: ActorState,
  success: TaskSuccess,
  shown: Shown,
  eyes: Consumer,
): readonly { readonly memoryId: string; readonly events: readonly ActorEvent[] }[] {
  const { runId, reason } = success
  const lifted: { memoryId: string; events: readonly ActorEvent[] }[] = []
  for (const [memoryId, surface] of shown) {
    if (surface !== 'use_now' && surface !== 'inspect_before_use') continue
    const record = liveRecord(state, memoryId)
    if (record?.facets.standing !== 'demoted' || !isOfTask(record, success)) continue
    if (!isVisibleTo(record.audience, eyes)) continue
    const ledger = ledgerOf(state, record)
    if (ledger.entries.some((entry) => entry.runId === runId) || hasMark(record, runId)) continue
    if (ledger.entries.some((entry) => sharesBlame(entry, success.named))) continue
    const entry = { runId, kind: 'task', named: [], seq: state.seq + 1 } as const
    const move = standingMove(record, withEvidence(ledger, entry, record), {
      runId,
      isNegative: false,
      reason,
    })
    lifted.push({
      memoryId,
      events: [{ type: 'task_succeeded', memoryId, runId }, ...(move === null ? [] : [move])],
    })
  }
  return lifted
}

/** A recorded run that succeeded and was verified says so of what it was shown. */
export function noteTaskSuccess(decision: Decision, run: Seen, runId: string, eyes: Consumer): void {
  const { state } = decision
  const shown = state.exposedByRun.get(runId)
  if (shown === undefined || !isVerifiedSuccess(decision, run)) return
  const reason = `the run ${run.memoryId} succeeded and was verified`
  const success = { runId, taskSignature: run.taskSignature, named: [], reason }
  for (const { memoryId, events } of taskSuccesses(state, success, shown, eyes)) {
    // One request is one voice, and what it did to the memory itself counts for more.
    if (decision.seen(memoryId) !== state.memories.get(memoryId)) continue
    const isNoted = decision.events.some(
      (event) =>
        (event.type === 'task_succeeded' || event.type === 'feedback_recorded') &&
        event.memoryId === memoryId,
    )
    if (!isNoted) decision.events.push(...events)
  }
}

function isOfTask({ taskSignature }: MemoryRecord, success: TaskSuccess): boolean {
  return taskSignature === null || taskSignature === success.taskSignature
}

/** A success with those that a memory shares its blame with, and without the memory, says nothing for it. */
function sharesBlame({ kind, named }: Evidence, others: readonly number[]): boolean {
  if (kind !== 'failure' && kind !== 'complaint' && kind !== 'proved') return false
  return named.some((slot) => others.includes(slot))
}

/** A negative of the run named it, also one that is settled. */
function hasMark({ marks }: MemoryRecord, runId: string): boolean {
  return marks.some((mark) => mark.runId === runId && mark.outcome === 'negative')
}
