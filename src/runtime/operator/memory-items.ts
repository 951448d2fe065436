import type { AnswerOf } from '../../contract/operations.ts'
import { LISTED_TEXT_CHARS } from '../../contract/operator-memories.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { Content, FacetChange, FeedbackMark, Revision } from '../../core/model/record.ts'
import { citingKnown } from '../../core/model/references.ts'
import { exposureTotalsOf } from '../../core/model/state.ts'
import type { ListedMemory } from '../../core/report/memory-list.ts'
import { type ReportView, seenRecord } from '../../core/report/viewer.ts'
import { maskSecrets, withoutSecrets } from '../../core/screening/secrets.ts'
import { clip } from '../../core/text/escape.ts'
import { isoOf } from '../iso-time.ts'
import { countersView, disputesView, lifecycleView, shownSources, wholeText } from '../memory-view.ts'

export type MemoryItem = AnswerOf<'listMemories'>['items'][number]
type MemoryDetail = NonNullable<MemoryItem['detail']>

/** Characters of a text in which secrets are looked for before it is cut: none is cut in two and shown. */
const MASKED_CHARS = LISTED_TEXT_CHARS + 600

/** A memory as lists show it. */
export function memoryItem(view: ReportView, listed: ListedMemory): MemoryItem {
  const { state, viewer, nowMs } = view
  const { record, admission, lifecycleState } = listed
  const { content, audience } = record
  const erasure = state.erasures.get(record.memoryId) ?? null
  return {
    memory_id: record.memoryId,
    client_id: record.clientId,
    claim_id: record.claim?.claimId ?? null,
    handoff_id: record.handoff?.handoffId ?? null,
    domain: record.domain,
    memory_type: record.memoryType,
    kind: record.kind,
    source: record.source,
    lifecycle_state: lifecycleState,
    surface: admission.surface,
    rule_id: admission.ruleId,
    reason_codes: [admission.reasonCode, ...admission.notes],
    reason: admission.reason,
    origin: record.origin,
    memory_lane: audience.lane,
    owner_agent_id: audience.ownerAgentId,
    owner_team_id: audience.ownerTeamId,
    producer_agent_id: record.producerAgentId,
    actor: record.actorName,
    run_id: record.runId,
    task_signature: record.taskSignature,
    workflow_signature: record.workflowSignature,
    outcome: content.outcome,
    target_files: content.targetFiles,
    confidence: content.confidence,
    title: content.title === null ? null : maskSecrets(content.title),
    text: erasure === null ? listedText(content) : null,
    text_chars: content.fullTextChars ?? content.text.length,
    findings: record.findings,
    counters: countersView(record),
    shown: exposureTotalsOf(state, record),
    disputes: disputesView(state, record, viewer, nowMs),
    created_at: isoOf(record.createdAtMs),
    observed_at: isoOf(record.observedAtMs),
    updated_at: isoOf(record.updatedAtMs),
    revision: record.revision,
    erased: erasure === null ? null : { at: isoOf(erasure.atMs), reason: erasure.reason, by: erasure.by },
  }
}

/** The text, cut; a run that has none says its summary. */
export function listedText({ text, summary }: Content): string {
  const said = text === '' ? (summary ?? '') : text
  return clip(maskSecrets(said.slice(0, MASKED_CHARS)), LISTED_TEXT_CHARS)
}

/** Guides that showed a memory, as far as they were looked at. */
export interface ShowingGuides {
  readonly guides: readonly ExposureRecord[]
  readonly isCut: boolean
}

/** A memory whole. */
export function wholeMemoryItem(view: ReportView, listed: ListedMemory, showing: ShowingGuides): MemoryItem {
  const item = memoryItem(view, listed)
  const { content } = listed.record
  const text = item.erased === null ? maskSecrets(wholeText(content)) : null
  return { ...item, text, detail: detailOf(view, listed, showing) }
}

function detailOf(view: ReportView, { record }: ListedMemory, showing: ShowingGuides): MemoryDetail {
  const { state, viewer, nowMs } = view
  const { lifecycle_state: _state, ...facets } = lifecycleView(record, nowMs)
  const { content, marks, changes, revisions } = citingKnown(state, record, viewer)
  return {
    ...withoutSecrets({
      summary: content.summary,
      acceptance_checks: content.acceptanceChecks,
      workflow_steps: content.workflowSteps,
      tools: content.tools,
      next_action: content.nextAction,
      revisions: revisions.map(revisionRow),
    }),
    evidence_refs: content.evidenceRefs,
    facets,
    derived_from: shownSources(state, record, viewer),
    changes: changes.map((change) => changeRow(view, change)),
    outcomes: marks.map((mark) => outcomeRow(mark, viewer === null ? null : showing)),
    guides: showing.guides.map((guide) => guideRow(guide, record.memoryId)),
    guides_cut: showing.isCut,
  }
}

function revisionRow({ revision, content, atMs }: Revision): MemoryDetail['revisions'][number] {
  const { title, summary } = content
  return { revision, at: isoOf(atMs), title, text: wholeText(content), summary }
}

function changeRow(view: ReportView, change: FacetChange): MemoryDetail['changes'][number] {
  const { byMemoryId } = change
  const isKnown = byMemoryId !== null && seenRecord(view, byMemoryId) !== null
  return facetChangeRow(change, isKnown ? byMemoryId : null)
}

/** @param byMemoryId the memory that did it, if the reader may know */
export function facetChangeRow(
  { facet, from, to, cause, reason, atMs }: FacetChange,
  byMemoryId: string | null,
): MemoryDetail['changes'][number] {
  return { at: isoOf(atMs), facet, from, to, cause, reason, by_memory_id: byMemoryId }
}

/** @param own the guides that the reader may be told of; null: all */
export function outcomeRow(mark: FeedbackMark, own: ShowingGuides | null): MemoryDetail['outcomes'][number] {
  const isOwn = own === null || own.guides.some(({ guideTraceId }) => guideTraceId === mark.guideTraceId)
  return {
    at: isoOf(mark.atMs),
    run_id: mark.runId,
    outcome: mark.outcome,
    used_surface: mark.usedSurface,
    verifier_status: mark.verifierStatus,
    strong: mark.strong,
    direct: mark.direct,
    guide_trace_id: isOwn ? mark.guideTraceId : null,
    reason: mark.reason,
  }
}

function guideRow(guide: ExposureRecord, memoryId: string): MemoryDetail['guides'][number] {
  return {
    guide_trace_id: guide.guideTraceId,
    at: isoOf(guide.atMs),
    surface: guide.surfaces[guide.memoryIds.indexOf(memoryId)] ?? 'do_not_use',
    consumer_agent_id: guide.consumerAgentId,
    consumer_team_id: guide.consumerTeamId,
    run_id: guide.runId,
  }
}
