import type { Surface } from '../base/closed-sets.ts'
import type { FeedbackCommand } from '../model/commands.ts'
import type { ActorEvent, ExposureRecord } from '../model/events.ts'
import { type EvidenceLedger, type Grade, runsIn, withEvidence } from '../model/evidence.ts'
import { type ExternalMemory, namesIn, USABILITY } from '../model/external-memory.ts'
import type { Cause } from '../model/lifecycle.ts'
import type {
  Audience,
  Consumer,
  CounterChange,
  Counters,
  Evidence,
  ExternalName,
  FeedbackMark,
  MemoryRecord,
  NewMark,
} from '../model/record.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import type { Decision, Seen } from './decision.ts'
import { isVerifiedSuccess } from './similar.ts'
import { externalSubject, memorySubject, type Subject } from './subject.ts'

export type OutcomeEvidence = Pick<
  FeedbackCommand,
  'outcome' | 'verifierStatus' | 'toolStatus' | 'runtimeSignalRefs'
>

/** A negative outcome with failure evidence. Naming one memory it is strong; naming several it blames none of them for sure. */
export function isVerifiedNegative(evidence: OutcomeEvidence): boolean {
  if (evidence.outcome !== 'negative') return false
  return (
    evidence.verifierStatus === 'failed' ||
    evidence.toolStatus === 'failed' ||
    evidence.runtimeSignalRefs.length > 0
  )
}

/**
 * Whether a positive outcome counts for a memory: it was shown for direct use, or to be inspected and the host asserts
 * that it used it, or a verifier passed what came of it. No positive lifts a do_not_use or rehydrate exposure.
 */
export function isDirectPositive(
  { outcome, usedSurface, verifierStatus }: Pick<FeedbackMark, 'outcome' | 'usedSurface' | 'verifierStatus'>,
  exposedOn: Surface,
): boolean {
  if (outcome !== 'positive') return false
  if (usedSurface === 'explicit_host_assertion')
    return exposedOn === 'use_now' || exposedOn === 'inspect_before_use'
  if (usedSurface !== 'use_now') return false
  return exposedOn === 'use_now' || (exposedOn === 'inspect_before_use' && verifierStatus === 'passed')
}

/** What a host sends instead, so that a positive counts; null: it does. */
export function positiveAdvice(
  sent: Pick<FeedbackMark, 'outcome' | 'usedSurface' | 'verifierStatus'>,
  exposedOn: Surface | null,
): string | null {
  if (sent.outcome !== 'positive' || (exposedOn !== null && isDirectPositive(sent, exposedOn))) return null
  switch (exposedOn) {
    case null:
      return 'no guide exposed it: name the guide_trace_id of a guide that shows it on use_now or inspect_before_use'
    case 'use_now':
      return 'it was exposed on use_now: send used_surface use_now'
    case 'inspect_before_use':
      return 'it was exposed on inspect_before_use: send used_surface explicit_host_assertion, or verifier_status passed when a verifier said so'
    case 'rehydrate':
    case 'do_not_use':
      return `it was exposed on ${exposedOn}, which no positive lifts: use it from a guide that shows it on use_now or inspect_before_use`
  }
}

/** How much a mark alone says, the weakest first. */
const RANKS = ['neutral', 'observed', 'direct', 'weak', 'verified', 'strong'] as const
type Rank = (typeof RANKS)[number]

const COUNTER_OF: Readonly<Record<Rank, keyof Counters>> = {
  neutral: 'neutral',
  observed: 'observedPositive',
  direct: 'positive',
  weak: 'negativeWeak',
  verified: 'positive',
  strong: 'negativeStrong',
}

function rankOf(mark: Pick<FeedbackMark, 'outcome' | 'strong' | 'direct' | 'verifierStatus'>): Rank {
  if (mark.outcome === 'neutral') return 'neutral'
  if (mark.outcome === 'negative') return mark.strong ? 'strong' : 'weak'
  if (!mark.direct) return 'observed'
  return mark.verifierStatus === 'passed' ? 'verified' : 'direct'
}

/** What a report about one memory comes to: nothing new (null), or what is recorded. */
export interface Weighed {
  readonly counts: CounterChange
  readonly evidence: Omit<Evidence, 'runId' | 'seq'> | null
  /** The ledger with it. */
  readonly ledger: EvidenceLedger
}

/**
 * Weighs a report against what its run and the other runs have said of the memory. Evidence of one run is the strongest
 * seen, never the sum; a report that says nothing new is none.
 */
export function weighedReport(
  subject: Pick<Subject, 'slot' | 'domain' | 'marks' | 'ledger'>,
  mark: NewMark,
  said: Omit<Evidence, 'runId' | 'seq'> | null,
  seq: number,
): Weighed | null {
  const { marks, ledger } = subject
  const { runId } = mark
  const rank = rankOf(mark)
  const before = marks.filter((past) => past.runId === runId).map(rankOf)
  const listed = ledger.entries.filter((entry) => entry.runId === runId)
  const isKnown =
    said !== null && listed.length > 0 ? listed.some((entry) => covers(entry, said)) : before.includes(rank)
  if (isKnown) return null
  const best = strongest(before)
  const isStronger = best === null || RANKS.indexOf(rank) > RANKS.indexOf(best)
  // What a run said before the standing was settled stays settled: only something stronger is heard again.
  if (said === null || (listed.length === 0 && !isStronger)) {
    return { counts: isStronger ? change(best, rank) : {}, evidence: null, ledger }
  }
  const entry = { ...said, runId, seq }
  const next = withEvidence(ledger, entry, subject)
  const isCounted = listed.some(({ kind }) => kind !== 'task')
  const earlier = { runId, rank: isCounted ? null : best }
  const counts = countsBetween(ledger.entries, [...ledger.entries, entry], subject.slot, earlier)
  return { counts, evidence: said, ledger: next }
}

/** Whether a run has said this, naming no others than now. */
function covers(entry: Evidence, said: Omit<Evidence, 'runId' | 'seq'>): boolean {
  return entry.kind === said.kind && entry.named.every((slot) => said.named.includes(slot))
}

function strongest(ranks: readonly Rank[]): Rank | null {
  return RANKS.findLast((rank) => ranks.includes(rank)) ?? null
}

function change(from: Rank | null, to: Rank): CounterChange {
  const [taken, given] = [from === null ? null : COUNTER_OF[from], COUNTER_OF[to]]
  if (taken === given) return {}
  return taken === null ? { [given]: 1 } : { [given]: 1, [taken]: -1 }
}

const RANK_OF: Readonly<Record<Grade, Rank | null>> = {
  strong: 'strong',
  verified: 'verified',
  weak: 'weak',
  direct: 'direct',
  task: null,
}

/** A report may also take away, or prove, what other runs have said. */
function countsBetween(
  before: readonly Evidence[],
  after: readonly Evidence[],
  slot: number,
  earlier: { readonly runId: string; readonly rank: Rank | null },
): CounterChange {
  const counts: Partial<Record<keyof Counters, number>> = {}
  const count = (rank: Rank | null, by: number): void => {
    if (rank !== null) counts[COUNTER_OF[rank]] = (counts[COUNTER_OF[rank]] ?? 0) + by
  }
  count(earlier.rank, -1)
  for (const { grade } of runsIn(before, slot)) count(RANK_OF[grade], -1)
  for (const { grade } of runsIn(after, slot)) count(RANK_OF[grade], 1)
  return Object.fromEntries(Object.entries(counts).filter(([, by]) => by !== 0))
}

/**
 * The event that moves a standing to where evidence has it, or null when it stays. Failed is left by no evidence; a
 * report against a memory never raises it, and one for it never lowers it.
 */
export function standingMove(
  subject: Pick<Subject, 'standing' | 'moved'>,
  { now }: EvidenceLedger,
  report: { readonly runId: string; readonly isNegative: boolean; readonly reason: string },
): ActorEvent | null {
  const { standing: from } = subject
  const to = now.standing
  if (from === to || from === 'failed') return null
  if (report.isNegative === USABILITY.indexOf(to) > USABILITY.indexOf(from)) return null
  const own = now.byRunId === report.runId ? now.cause : null
  for (const cause of [own, 'evidence_withdrawn' as const, now.cause]) {
    if (cause === null) continue
    const reason = `${SAID[cause] ?? 'evidence speaks'} (run ${report.runId}): ${report.reason}`
    const event = subject.moved({ to, cause, reason })
    if (event !== null) return event
  }
  return null
}

const SAID: Readonly<Partial<Record<Cause, string>>> = {
  weak_negative: 'a run reported against it',
  repeated_weak_negative: 'another run reported against it',
  strong_negative: 'a run failed with it',
  repeated_strong_negative: 'a second run failed with it',
  direct_positive: 'a run succeeded with it',
  verified_positives: 'two verified runs succeeded with it',
  task_successes: 'five verified runs of its task succeeded where it was shown',
  evidence_withdrawn: 'what spoke against it counts no longer',
}

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
