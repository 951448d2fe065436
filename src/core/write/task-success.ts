import type { Surface } from '../base/closed-sets.ts'
import type { ActorEvent } from '../model/events.ts'
import { withEvidence } from '../model/evidence.ts'
import type { ExposureRecord } from '../model/exposure.ts'
import { type ExternalMemory, namesIn } from '../model/external-memory.ts'
import type { Audience, Consumer, Evidence, ExternalName, MemoryRecord } from '../model/record.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import { isVerifiedSuccess } from './confirm.ts'
import type { Decision, Seen } from './decision.ts'
import { standingMove } from './feedback.ts'
import { externalSubject, memorySubject, type Subject } from './subject.ts'

/** A run that succeeded and was verified. */
export interface TaskSuccess {
  readonly runId: string
  /** Null: it counts for memory without a task signature only. */
  readonly taskSignature: string | null
  /** Slots of the memory that it names. */
  readonly named: readonly number[]
  readonly reason: string
}

/** What a run was shown, and on which surface last. */
export interface Shown {
  readonly memories: ReadonlyMap<string, Surface>
  /** Of other stores. */
  readonly external: readonly {
    readonly name: ExternalName
    readonly known: ExternalMemory | undefined
    readonly surface: Surface
  }[]
}

/** Who speaks of a success, and for whom. */
export interface SuccessVoice {
  /** What the voice does not see it says nothing of. */
  readonly eyes: Consumer
  /** Whose opinion of memory of other stores it is. */
  readonly audience: Audience
}

/** What a run was shown: by the guides and govern requests that named it, and by the one that its feedback names. */
export function shownTo(state: ActorState, runId: string, exposure: ExposureRecord | null): Shown {
  const ofRun = state.exposedByRun.get(runId)
  const named = (exposure?.memoryIds ?? []).map(
    (id, rank) => [id, exposure?.surfaces[rank] ?? 'do_not_use'] as const,
  )
  const external = new Map<string, Shown['external'][number]>()
  for (const { memory, surface } of state.external.shownTo(runId))
    external.set(memory.ref, { name: memory, known: memory, surface })
  for (const name of exposure?.external === undefined ? [] : namesIn(exposure.external)) {
    const known = state.external.get(name.sourceBackend, name.externalId)
    external.set(name.ref, { name, known, surface: name.surface })
  }
  const memories = exposure === null ? (ofRun ?? new Map()) : new Map([...(ofRun ?? []), ...named])
  return { memories, external: [...external.values()] }
}

/**
 * What a success says for demoted memory that its run was shown: so a memory that no host names any more can come back.
 * It counts once for each run, for memory of its task, or of no task, that may be used or inspected.
 */
export function taskSuccesses(
  state: ActorState,
  success: TaskSuccess,
  shown: Shown,
  voice: SuccessVoice,
): readonly { readonly subject: Subject; readonly events: readonly ActorEvent[] }[] {
  const { runId, reason } = success
  const lifted: { subject: Subject; events: readonly ActorEvent[] }[] = []
  for (const subject of demotedAmong(state, success, shown, voice)) {
    const { slot, domain, marks, ledger } = subject
    if (ledger.entries.some((entry) => entry.runId === runId) || hasMark(marks, runId)) continue
    if (ledger.entries.some((entry) => sharesBlame(entry, success.named))) continue
    const entry = { runId, kind: 'task', named: [], seq: state.seq + 1 } as const
    const move = standingMove(subject, withEvidence(ledger, entry, { slot, domain }), {
      runId,
      isNegative: false,
      reason,
    })
    lifted.push({ subject, events: [subject.succeeded(runId), ...(move === null ? [] : [move])] })
  }
  return lifted
}

function* demotedAmong(
  state: ActorState,
  success: TaskSuccess,
  { memories, external }: Shown,
  { eyes, audience }: SuccessVoice,
): Generator<Subject> {
  for (const [memoryId, surface] of memories) {
    const record = isUsable(surface) ? liveRecord(state, memoryId) : undefined
    if (record?.facets.standing !== 'demoted' || !isOfTask(record, success)) continue
    if (isVisibleTo(record.audience, eyes)) yield memorySubject(state, record)
  }
  for (const { name, known, surface } of external) {
    if (!isUsable(surface)) continue
    const subject = externalSubject(name, known, audience)
    if (subject.standing === 'demoted') yield subject
  }
}

function isUsable(surface: Surface): boolean {
  return surface === 'use_now' || surface === 'inspect_before_use'
}

/** A recorded run that succeeded and was verified says so of what it was shown. */
export function noteTaskSuccess(decision: Decision, run: Seen, runId: string, eyes: Consumer): void {
  const { state } = decision
  const shown = shownTo(state, runId, null)
  if (shown.memories.size + shown.external.length === 0 || !isVerifiedSuccess(decision, run)) return
  const reason = `the run ${run.memoryId} succeeded and was verified`
  const success = { runId, taskSignature: run.taskSignature, named: [], reason }
  for (const { subject, events } of taskSuccesses(state, success, shown, { eyes, audience: run.audience })) {
    // One request is one voice, and what it did to the memory itself counts for more.
    const isHeld = subject.external === null
    if (isHeld && decision.seen(subject.id) !== state.memories.get(subject.id)) continue
    if (!decision.events.some((event) => speaksOf(event, subject))) decision.events.push(...events)
  }
}

function speaksOf(event: ActorEvent, { id, external }: Subject): boolean {
  switch (event.type) {
    case 'task_succeeded':
    case 'feedback_recorded':
      return external === null && event.memoryId === id
    case 'external_task_succeeded':
    case 'external_feedback_recorded':
      return event.memory.ref === external?.ref
    default:
      return false
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
function hasMark(marks: MemoryRecord['marks'], runId: string): boolean {
  return marks.some((mark) => mark.runId === runId && mark.outcome === 'negative')
}
