import type { Surface } from '../base/closed-sets.ts'
import { listAt } from '../base/collections.ts'
import type { StoredGuide } from '../guide/decision.ts'
import type { WireObject } from '../measure/wire-object.ts'
import type { FeedbackMark } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import { type Comparison, compareAnswer, compareGuide } from './comparison.ts'
import { isFeedback, type ReportHistory, saidIn, suppliedOutcomes } from './feedback-report.ts'
import {
  erasedSince,
  type GuideRecord,
  type MemoryOutcome,
  outcomesOf,
  recordedGuide,
  UNKNOWN_GUIDE,
  withoutErased,
} from './guide-record.ts'
import { suppliedGuide } from './supplied-guide.ts'
import type { Supplied } from './supplied-objects.ts'
import {
  driftFacts,
  type TracedView,
  type TraceViewer,
  tracedForgets,
  tracedRelations,
  tracedViews,
} from './traced-memory.ts'

/** What the outcomes of one guide say of one memory that it showed. */
export const JUDGMENTS = ['supported', 'contradicted', 'weak', 'unused', 'inconclusive'] as const
export type Judgment = (typeof JUDGMENTS)[number]

export const ADJUSTMENTS = ['keep', 'inspect_first', 'needs_more_evidence'] as const
export type Adjustment = (typeof ADJUSTMENTS)[number]

export const THRESHOLD_STATES = [
  'positive_attribution',
  'strong_signal_threshold_met',
  'repeated_weak_threshold_met',
  'weak_below_threshold',
  'no_signal',
] as const
export type ThresholdState = (typeof THRESHOLD_STATES)[number]

/** Weak negatives of so many runs count as much as one strong. */
const WEAK_RUNS_MIN = 2
const GROUPS_MAX = 64

type Mark = Pick<FeedbackMark, 'outcome' | 'direct' | 'strong' | 'seq'>

/**
 * How far an outcome weighs.
 * @param weakCount weak negatives of the memory up to this outcome, each of another run
 */
export function thresholdOf(mark: Mark, weakCount: number): ThresholdState {
  if (mark.outcome === 'negative') {
    if (mark.strong) return 'strong_signal_threshold_met'
    return weakCount >= WEAK_RUNS_MIN ? 'repeated_weak_threshold_met' : 'weak_below_threshold'
  }
  return mark.outcome === 'positive' && mark.direct ? 'positive_attribution' : 'no_signal'
}

export function isThresholdMet(state: ThresholdState): boolean {
  return state === 'strong_signal_threshold_met' || state === 'repeated_weak_threshold_met'
}

/**
 * Harm before help: a negative whose threshold is met outweighs a positive of the same guide. What was shown and not
 * named says nothing against a memory.
 * @param thresholds of the outcomes of this guide that name the memory
 * @param hasFeedback whether the guide has an outcome at all
 */
export function judgmentOf(thresholds: readonly ThresholdState[], hasFeedback: boolean): Judgment {
  if (thresholds.some(isThresholdMet)) return 'contradicted'
  if (thresholds.includes('weak_below_threshold')) return 'weak'
  if (thresholds.includes('positive_attribution')) return 'supported'
  return hasFeedback && thresholds.length === 0 ? 'unused' : 'inconclusive'
}

export interface JudgedMemory {
  readonly memoryId: string
  readonly judgment: Judgment
  /** Names of the groups that it belongs to, such as `surface:use_now`. */
  readonly groups: readonly string[]
}

/** Whether outcomes leave open what to think of a memory: one weak negative does, too. */
export function isInconclusive({ judgment }: Pick<JudgedMemory, 'judgment'>): boolean {
  return judgment === 'inconclusive' || judgment === 'weak'
}

/** Memories by the groups that they belong to, in order of first mention. */
export function judgedGroups(
  memories: readonly JudgedMemory[],
): readonly (readonly [string, readonly JudgedMemory[]])[] {
  const groups = new Map<string, JudgedMemory[]>()
  for (const memory of memories) {
    for (const name of memory.groups) listAt(groups, name).push(memory)
  }
  return [...groups].slice(0, GROUPS_MAX)
}

/** What the outcomes of a group recommend, and one sentence why. Nothing acts on that by itself. */
export function adjustmentOf(members: readonly JudgedMemory[]): readonly [Adjustment, string] {
  const countOf = (judgment: Judgment): number =>
    members.filter((memory) => memory.judgment === judgment).length
  const [supported, contradicted] = [countOf('supported'), countOf('contradicted')]
  if (contradicted > 0 && contradicted >= supported) {
    return ['inspect_first', 'Outcomes speak against it as often as for it.']
  }
  if (countOf('unused') > supported) {
    return ['needs_more_evidence', 'It was shown more often than it was used.']
  }
  return supported > contradicted
    ? ['keep', 'Outcomes speak for it.']
    : ['needs_more_evidence', 'No outcome decides.']
}

/** Differences that a trace lists. */
const MISMATCHES_MAX = 200

/** What the actor has of a guide that a request names. */
export type Holding = 'held' | 'not_held' | 'expired' | 'not_supplied'

export interface NamedGuide {
  readonly holding: Holding
  readonly stored: StoredGuide | null
  /** As the caller handed it back; null: it did not. */
  readonly artifact: WireObject | null
}

/** Everything that was read for a trace before its turn. */
export interface TraceSources {
  readonly after: NamedGuide
  readonly before: NamedGuide
  /** `feedback_result` and `forget_result`. */
  readonly answers: readonly Supplied[]
  readonly reader: TraceViewer
  /** Reports about the guide; null: nothing supplied asked for them. */
  readonly history: ReportHistory | null
  readonly claims: { readonly sufficientEvidence: boolean | null; readonly evidenceIdCount: number }
  /** The hash that the records use for prompt texts. */
  readonly hashOf: (text: string) => string
}

/** Everything that is known of one memory of a guide. */
export type TracedMemory = ReturnType<typeof tracedMemories>[number]

/** A trace to be told: the record where there is one, and what was supplied where there is none. */
export type TraceInput = ReturnType<typeof traceInputOf>

/** Reads from the state what a trace tells. Called in a turn; changes nothing. */
export function traceInputOf(state: ActorState, read: TraceSources, nowMs: number) {
  const sources = { ...read, after: unerased(read.after, state), before: unerased(read.before, state) }
  const { after, before, reader, hashOf } = sources
  const guide = recordOf(after, hashOf)
  const earlier = before.holding === 'not_supplied' ? null : recordOf(before, hashOf)
  // A candidate of another store is no memory of that id, which its consumer may not see.
  const own = after.stored?.exposure.external === undefined ? guide : UNKNOWN_GUIDE
  const views = tracedViews(state, own, reader, nowMs)
  const surfaces = new Map(own.shown.map(({ memoryId, surface }) => [memoryId, surface]))
  const outcomes =
    after.stored === null ? saidOutcomes(sources, guide, surfaces) : outcomesOf(state, after.stored.exposure)
  return {
    ...comparisonOf(state, sources, outcomes),
    answers: sources.answers,
    claims: sources.claims,
    guide,
    // Null: none was named.
    before: earlier,
    holdings: { after: after.holding, before: before.holding },
    artifacts: { after: after.artifact, before: before.artifact },
    shown: tracedMemories(guide, earlier, views, outcomes),
    // Also of the omitted.
    views,
    outcomes,
    relations: tracedRelations(state, surfaces.keys(), reader),
    forgets: tracedForgets(state, own),
    driftFacts: driftFacts(state, surfaces, reader.viewer, nowMs),
    // Of what the guide decided about: erased since.
    erased: after.stored === null ? [] : erasedSince(after.stored, state),
  }
}

function tracedMemories(
  guide: GuideRecord,
  before: GuideRecord | null,
  views: ReadonlyMap<string, TracedView>,
  outcomes: readonly MemoryOutcome[],
) {
  // Where the guide before had shown it.
  const earlier = new Map(before?.shown.map(({ memoryId, surface }) => [memoryId, surface]))
  return guide.shown.map((memory) => {
    // Null: it is not here, or not visible.
    const view = views.get(memory.memoryId) ?? null
    // Outcomes of this guide that name it, oldest first, with what each amounts to.
    const marks = outcomes.filter((one) => one.memoryId === memory.memoryId).map(({ mark }) => mark)
    const thresholds = marks.map((mark) => thresholdOf(mark, countUpTo(view?.weakSeqs, mark.seq)))
    const judgment = judgmentOf(thresholds, outcomes.length > 0)
    return { memory, view, marks, thresholds, judgment, before: earlier.get(memory.memoryId) ?? null }
  })
}

export function countUpTo(seqs: readonly number[] | undefined, seq: number): number {
  return seqs?.filter((each) => each <= seq).length ?? 0
}

/** Whether reports in history are needed to judge what was supplied: the memories themselves do not confirm it. */
export function asksForHistory(state: ActorState, guide: StoredGuide, answers: readonly Supplied[]): boolean {
  const outcomes = outcomesOf(state, guide.exposure)
  return answers.some((answer) => {
    const { mismatches, unverified } = compareAnswer(answer, guide, outcomes, null, state.memories)
    return mismatches.length > 0 || unverified.length > 0
  })
}

function unerased(named: NamedGuide, state: ActorState): NamedGuide {
  return named.stored === null ? named : { ...named, stored: withoutErased(named.stored, state) }
}

function recordOf({ stored, artifact }: NamedGuide, hashOf: TraceSources['hashOf']): GuideRecord {
  return stored === null ? suppliedGuide(artifact ?? {}, hashOf) : recordedGuide(stored)
}

/** For a guide that is not held the supplied report is all there is. */
function saidOutcomes(
  { answers }: TraceSources,
  guide: GuideRecord,
  surfaces: ReadonlyMap<string, Surface>,
): readonly MemoryOutcome[] {
  const report = answers.find(({ value }) => isFeedback(value))
  return report === undefined ? [] : suppliedOutcomes(saidIn(report.value), guide.guideTraceId, surfaces)
}

function comparisonOf(
  state: ActorState,
  { after, before, answers, history, hashOf }: TraceSources,
  outcomes: readonly MemoryOutcome[],
): Comparison {
  const named = [
    ['after_guide', after],
    ['before_guide', before],
  ] as const
  const compared = named.flatMap(([name, { stored, artifact }]) =>
    stored === null || artifact === null ? [] : [compareGuide(name, artifact, stored, state, hashOf)],
  )
  const { stored } = after
  if (stored !== null) {
    for (const answer of answers) {
      compared.push(compareAnswer(answer, stored, outcomes, history, state.memories))
    }
  }
  return {
    mismatches: compared.flatMap(({ mismatches }) => mismatches).slice(0, MISMATCHES_MAX),
    unverified: compared.flatMap(({ unverified }) => unverified).slice(0, MISMATCHES_MAX),
  }
}
