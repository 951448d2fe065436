import { type BySurface, idsBySurface } from '../base/by-surface.ts'
import { SURFACES } from '../base/closed-sets.ts'
import type { GuideDecision } from '../guide/decision.ts'
import type { GuideStory } from '../guide/story.ts'
import type { Artifact } from './artifact.ts'
import { type DecisionTrace, decisionTrace } from './decision-trace.ts'
import { type TraceSources, traceInputOf } from './decision-trace-input.ts'
import { erasedRow, erasedSince } from './erased-guide.ts'
import { type ReportView, ROWS_MAX } from './operator-snapshot-view.ts'
import type { MemoryOutcome } from './outcomes.ts'

/** The guide that a snapshot is about, with the outcomes that came after it. */
export interface FocusGuide {
  readonly story: GuideStory
  readonly outcomes: readonly MemoryOutcome[]
}

type IdLists = BySurface<readonly string[]>

const NO_IDS: IdLists = { use_now: [], inspect_before_use: [], rehydrate: [], do_not_use: [] }

/** Where the guide section of a snapshot comes from: the record, an object that the caller supplied, or nowhere. */
export type Provenance = 'runtime_record' | 'as_supplied' | 'none'

/** What one guide showed and what became of it, in wire names. Hashes and lengths stand for query and prompt. */
export interface GuideSection {
  readonly present: boolean
  readonly provenance: Provenance
  readonly guide_trace_id: string | null
  readonly consumer_agent_id: string | null
  readonly consumer_team_id: string | null
  readonly run_id: string | null
  readonly task_signature: string | null
  readonly at: string | null
  readonly held_out: boolean
  readonly query_hash: string | null
  readonly query_chars: number | null
  readonly prompt_hash: string | null
  readonly prompt_char_count: number | null
  readonly exposed_memory_ids: readonly string[]
  readonly use_now_memory_ids: readonly string[]
  readonly inspect_before_use_memory_ids: readonly string[]
  readonly do_not_use_memory_ids: readonly string[]
  readonly rehydrate_memory_ids: readonly string[]
  readonly erased_memories: readonly ReturnType<typeof erasedRow>[]
  readonly attributed_memory_ids: readonly string[]
  readonly unattributed_memory_ids: readonly string[]
  readonly feedback_attribution_present: boolean
  readonly feedback_outcome: string | null
  readonly reason: string
}

/** The guide of the record; without one, what the caller supplied of a guide. */
export function guideSection(
  view: ReportView,
  focus: FocusGuide | null,
  supplied: Artifact | null,
): GuideSection {
  if (focus !== null) return recordedGuide(view, focus)
  return supplied === null ? NO_GUIDE : suppliedGuide(supplied)
}

function recordedGuide(view: ReportView, { story, outcomes }: FocusGuide): GuideSection {
  const { exposure, decision } = story
  const named = outcomes.map(({ memoryId }) => memoryId)
  return {
    present: true,
    provenance: 'runtime_record',
    guide_trace_id: exposure.guideTraceId,
    consumer_agent_id: exposure.consumerAgentId,
    consumer_team_id: exposure.consumerTeamId,
    run_id: exposure.runId,
    task_signature: exposure.taskSignature,
    at: view.isoTime(exposure.atMs),
    held_out: exposure.heldOut,
    query_hash: decision?.queryHash ?? null,
    query_chars: decision?.ask.queryText.length || null,
    prompt_hash: decision?.promptHash ?? null,
    prompt_char_count: decision?.promptChars ?? null,
    ...shownIds(exposure.memoryIds, idsBySurface(exposure)),
    erased_memories: erasedSince(story, view.state).map((row) => erasedRow(row, view.isoTime)),
    ...attribution(exposure.memoryIds, named, outcomes.at(-1)?.mark.outcome ?? null),
    reason:
      decision === null
        ? 'Read from the record; its explanation is kept no longer.'
        : 'Read from the record of the guide.',
  }
}

function suppliedGuide({ guideTraceId, runId, exposed, outcome, usedMemoryIds }: Artifact): GuideSection {
  const lists = shortened(exposed ?? NO_IDS)
  const all = [...new Set(SURFACES.flatMap((surface) => lists[surface]))]
  return {
    ...NO_GUIDE,
    present: true,
    provenance: 'as_supplied',
    guide_trace_id: guideTraceId,
    run_id: runId,
    ...shownIds(all, lists),
    ...attribution(all, outcome === null ? [] : (usedMemoryIds ?? []).slice(0, ROWS_MAX), outcome),
    reason: 'No record of this guide is held here: shown as supplied, not verified.',
  }
}

/** A guide of ours shows 200 memories at most; an object of a caller may name any number. */
function shortened(lists: IdLists): IdLists {
  return {
    use_now: lists.use_now.slice(0, ROWS_MAX),
    inspect_before_use: lists.inspect_before_use.slice(0, ROWS_MAX),
    rehydrate: lists.rehydrate.slice(0, ROWS_MAX),
    do_not_use: lists.do_not_use.slice(0, ROWS_MAX),
  }
}

function shownIds(all: readonly string[], lists: IdLists) {
  return {
    exposed_memory_ids: all,
    use_now_memory_ids: lists.use_now,
    inspect_before_use_memory_ids: lists.inspect_before_use,
    do_not_use_memory_ids: lists.do_not_use,
    rehydrate_memory_ids: lists.rehydrate,
  }
}

function attribution(exposed: readonly string[], named: readonly string[], outcome: string | null) {
  const attributed = [...new Set(named)]
  return {
    attributed_memory_ids: attributed,
    unattributed_memory_ids: exposed.filter((id) => !attributed.includes(id)),
    feedback_attribution_present: attributed.length > 0,
    feedback_outcome: outcome,
  }
}

const NO_GUIDE: GuideSection = {
  present: false,
  provenance: 'none',
  guide_trace_id: null,
  consumer_agent_id: null,
  consumer_team_id: null,
  run_id: null,
  task_signature: null,
  at: null,
  held_out: false,
  query_hash: null,
  query_chars: null,
  prompt_hash: null,
  prompt_char_count: null,
  ...shownIds([], NO_IDS),
  erased_memories: [],
  ...attribution([], [], null),
  reason: 'No guide is recorded for what was asked.',
}

/** The decision trace of a recorded guide, from the record alone. */
export function traceOf({ state, eyes, nowMs, isoTime }: ReportView, { story }: FocusGuide): DecisionTrace {
  const sources: TraceSources = {
    after: { holding: 'held', story, artifact: null },
    before: { holding: 'not_supplied', story: null, artifact: null },
    answers: [],
    eyes: { consumer: eyes, ownGuideIds: new Set([story.exposure.guideTraceId]) },
    history: null,
    claims: { sufficientEvidence: null, evidenceIdCount: 0 },
    // Nothing was supplied to it, so that there is no text to hash.
    hashOf: (text) => text,
    isoTime,
  }
  return decisionTrace(traceInputOf(state, sources, nowMs))
}

/** Why memory was held back, each reason code once. */
export function riskCodes(decision: GuideDecision): readonly string[] {
  const held = decision.printed.filter(({ surface }) => surface !== 'use_now')
  return [...new Set(held.map(({ reasonCode }) => reasonCode))]
}
