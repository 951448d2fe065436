import type { Surface } from '../base/closed-sets.ts'
import type { GuideStory } from '../guide/story.ts'
import type { MemoryFacts } from '../measure/memory-drift.ts'
import { fieldOf, isObject, type WireObject } from '../measure/wire-object.ts'
import type { Relation } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import type { ArtifactMismatch } from './artifact.ts'
import {
  compareAnswer,
  compareGuide,
  MISMATCHES_MAX,
  type SuppliedAnswer,
  type UnverifiedArtifact,
} from './decision-trace-artifacts.ts'
import { driftFacts } from './decision-trace-drift.ts'
import {
  type TracedForget,
  type TracedView,
  type TraceEyes,
  tracedForgets,
  tracedRelations,
  tracedViews,
} from './decision-trace-facts.ts'
import { isFeedback, type ReportHistory, saidIn, suppliedOutcomes } from './decision-trace-feedback.ts'
import { type EarlierGuide, recordedGuide, suppliedGuide, type TracedGuide } from './decision-trace-guide.ts'
import { type ErasedRow, erasedRow, erasedSince, withoutErased } from './erased-guide.ts'
import { type MemoryOutcome, outcomesOf } from './outcomes.ts'

/** What the actor has of a guide that a request names. */
export type Holding = 'held' | 'not_held' | 'expired' | 'not_supplied'

export interface NamedGuide {
  readonly holding: Holding
  readonly story: GuideStory | null
  /** As the caller handed it back; null: it did not. */
  readonly artifact: WireObject | null
}

/** Everything that was read for a trace before its turn. */
export interface TraceSources {
  readonly after: NamedGuide
  readonly before: NamedGuide
  /** `feedback_result` and `forget_result`. */
  readonly answers: readonly SuppliedAnswer[]
  readonly eyes: TraceEyes
  /** Reports about the guide; null: nothing supplied asked for them. */
  readonly history: ReportHistory | null
  readonly claims: { readonly sufficientEvidence: boolean | null; readonly evidenceIdCount: number }
  /** The hash that the records use for prompt texts. */
  readonly hashOf: (text: string) => string
  readonly isoTime: (atMs: number) => string
}

/** Which artifacts came with the request. */
export interface SuppliedInput {
  readonly before_guide_present: boolean
  readonly after_guide_present: boolean
  readonly memory_packet_present: boolean
  readonly guide_packet_present: boolean
  readonly agent_context_present: boolean
  readonly feedback_result_present: boolean
  readonly forget_result_present: boolean
}

/** A trace to be told, as plain data: the record where there is one, and what was supplied where there is none. */
export interface TraceInput {
  readonly supplied: SuppliedInput
  readonly guide: TracedGuide
  readonly before: EarlierGuide | null
  readonly holdings: { readonly after: Holding; readonly before: Holding }
  readonly mismatches: readonly ArtifactMismatch[]
  readonly unverified: readonly UnverifiedArtifact[]
  readonly claims: TraceSources['claims']
  /** Also of the omitted. */
  readonly views: ReadonlyMap<string, TracedView>
  readonly outcomes: readonly MemoryOutcome[]
  readonly relations: readonly Relation[]
  readonly forgets: readonly TracedForget[]
  readonly driftFacts: readonly MemoryFacts[]
  /** Of what the guide decided about: erased since. */
  readonly erased: readonly ErasedRow[]
}

/** Reads from the state what a trace tells. Called in a turn; changes nothing. */
export function traceInputOf(state: ActorState, read: TraceSources, nowMs: number): TraceInput {
  const sources = { ...read, after: unerased(read.after, state), before: unerased(read.before, state) }
  const { after, eyes } = sources
  const guide = tracedGuide(after, sources.hashOf)
  const before = earlierGuide(sources)
  const views = tracedViews(state, guide, eyes, nowMs)
  const surfaces = new Map(guide.shown.map(({ memoryId, surface }) => [memoryId, surface]))
  const outcomes =
    after.story === null ? saidOutcomes(sources, guide, surfaces) : outcomesOf(state, after.story.exposure)
  const compared = comparisonOf(state, sources, outcomes)
  return {
    supplied: suppliedInput(sources),
    guide,
    before,
    holdings: { after: after.holding, before: sources.before.holding },
    ...compared,
    claims: sources.claims,
    views,
    outcomes,
    relations: tracedRelations(state, surfaces.keys(), eyes),
    forgets: tracedForgets(state, guide),
    erased:
      after.story === null
        ? []
        : erasedSince(after.story, state).map((one) => erasedRow(one, sources.isoTime)),
    driftFacts: driftFacts(state, surfaces, eyes.consumer, nowMs),
  }
}

/** Whether reports in history are needed to judge what was supplied: the memories themselves do not confirm it. */
export function asksForHistory(
  state: ActorState,
  story: GuideStory,
  answers: readonly SuppliedAnswer[],
): boolean {
  const outcomes = outcomesOf(state, story.exposure)
  return answers.some((answer) => {
    const { mismatches, unverified } = compareAnswer(answer, story, outcomes, null, state.memories)
    return mismatches.length > 0 || unverified.length > 0
  })
}

function unerased(named: NamedGuide, state: ActorState): NamedGuide {
  return named.story === null ? named : { ...named, story: withoutErased(named.story, state) }
}

function tracedGuide(named: NamedGuide, hashOf: TraceSources['hashOf']): TracedGuide {
  return named.story === null ? suppliedGuide(named.artifact ?? {}, hashOf) : recordedGuide(named.story)
}

function earlierGuide({ before, hashOf }: TraceSources): EarlierGuide | null {
  if (before.holding === 'not_supplied') return null
  const { guideTraceId, seq, shown } = tracedGuide(before, hashOf)
  return { guideTraceId, seq, shown: shown.map(({ memoryId, surface }) => ({ memoryId, surface })) }
}

/** For a guide that is not held the supplied report is all there is. */
function saidOutcomes(
  { answers }: TraceSources,
  guide: TracedGuide,
  surfaces: ReadonlyMap<string, Surface>,
): readonly MemoryOutcome[] {
  const report = answers.find(({ value }) => isFeedback(value))
  return report === undefined ? [] : suppliedOutcomes(saidIn(report.value), guide.guideTraceId, surfaces)
}

function comparisonOf(
  state: ActorState,
  sources: TraceSources,
  outcomes: readonly MemoryOutcome[],
): Pick<TraceInput, 'mismatches' | 'unverified'> {
  const { after, before, answers, history, hashOf } = sources
  const named = [
    ['after_guide', after],
    ['before_guide', before],
  ] as const
  const compared = named.flatMap(([name, { story, artifact }]) =>
    story === null || artifact === null ? [] : [compareGuide(name, artifact, story, state, hashOf)],
  )
  const { story } = after
  if (story !== null) {
    for (const answer of answers) {
      compared.push(compareAnswer(answer, story, outcomes, history, state.memories))
    }
  }
  return {
    mismatches: compared.flatMap(({ mismatches }) => mismatches).slice(0, MISMATCHES_MAX),
    unverified: compared.flatMap(({ unverified }) => unverified).slice(0, MISMATCHES_MAX),
  }
}

function suppliedInput({ after, before, answers }: TraceSources): SuppliedInput {
  const has = (name: string): boolean => after.artifact !== null && isObject(fieldOf(after.artifact, name))
  return {
    before_guide_present: before.artifact !== null,
    after_guide_present: after.artifact !== null,
    memory_packet_present: has('memory_packet'),
    guide_packet_present: has('guide_packet'),
    agent_context_present: has('agent_context'),
    feedback_result_present: answers.some(({ name }) => name === 'feedback_result'),
    forget_result_present: answers.some(({ name }) => name === 'forget_result'),
  }
}
