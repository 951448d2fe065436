import type { AnswerOf } from '../contract/operations.ts'
import { memoryUriOf } from '../contract/resolve.ts'
import type { Surface } from '../core/base/closed-sets.ts'
import { isMadeFor } from '../core/guide/decision.ts'
import { disputesOf } from '../core/model/dispute.ts'
import type { ExposureRecord } from '../core/model/events.ts'
import { lifecycleStateAt, validityAt } from '../core/model/lifecycle.ts'
import { wholeTextOf } from '../core/model/memory-fields.ts'
import type { Consumer, Content, MemoryRecord } from '../core/model/record.ts'
import { isKnownName } from '../core/model/references.ts'
import type { ActorState } from '../core/model/state.ts'
import { isoOf } from './parts.ts'

/** Linked decisions shown per memory, the latest. */
const LINKED_MAX = 50

/** Identity, lifecycle and provenance: what every rehydrate mode shows. Null eyes are an operator's. */
export function summaryView(state: ActorState, record: MemoryRecord, eyes: Consumer | null, nowMs: number) {
  return {
    memory_id: record.memoryId,
    client_id: record.clientId,
    uri: memoryUriOf({ tenantId: state.tenantId, scope: state.scope, type: 'memory', id: record.memoryId }),
    domain: record.domain,
    memory_type: record.memoryType,
    kind: record.kind,
    title: record.content.title,
    summary: record.content.summary,
    lifecycle: lifecycleView(record, nowMs),
    provenance: provenanceView(record, shownSources(state, record, eyes)),
    disputes: disputesView(state, record, eyes, nowMs),
  }
}

/** The disputes of a memory in force of which these eyes see both sides. */
export function disputesView(state: ActorState, record: MemoryRecord, eyes: Consumer | null, nowMs: number) {
  return disputesOf(state, record, nowMs, eyes).map(({ memoryId, kind, yields }) => ({
    memory_id: memoryId,
    kind,
    yields,
  }))
}

export function lifecycleView(record: MemoryRecord, nowMs: number) {
  const { facets } = record
  return {
    lifecycle_state: lifecycleStateAt(facets, nowMs),
    trust: facets.trust,
    standing: facets.standing,
    validity: validityAt(facets, nowMs),
    valid_until: isoOf(facets.validUntilMs),
    availability: facets.availability,
    suppression:
      facets.suppression === null
        ? null
        : {
            reason: facets.suppression.reason,
            by: facets.suppression.by,
            since: isoOf(facets.suppression.sinceMs),
            until: isoOf(facets.suppression.untilMs),
          },
  }
}

/**
 * The sources of a memory that these eyes may know of. What looks like an id of ours and is not a memory that they
 * see is left out, whether it exists or not; other names stay as they were given.
 */
export function shownSources(
  state: ActorState,
  record: MemoryRecord,
  eyes: Consumer | null,
): readonly string[] {
  if (eyes === null) return record.derivedFrom
  return record.derivedFrom.filter((name) => isKnownName(state, name, eyes))
}

function provenanceView(record: MemoryRecord, derivedFrom: readonly string[]) {
  return {
    source: record.source,
    origin: record.origin,
    actor: record.actorName,
    producer_agent_id: record.producerAgentId,
    producer_team_id: record.producerTeamId,
    memory_lane: record.audience.lane,
    owner_agent_id: record.audience.ownerAgentId,
    owner_team_id: record.audience.ownerTeamId,
    run_id: record.runId,
    task_id: record.taskId,
    task_family: record.taskFamily,
    task_signature: record.taskSignature,
    workflow_signature: record.workflowSignature,
    derived_from: derivedFrom,
    created_at: isoOf(record.createdAtMs),
    observed_at: isoOf(record.observedAtMs),
    updated_at: isoOf(record.updatedAtMs),
    revision: record.revision,
  }
}

export function evidenceView(content: Content) {
  return {
    outcome: content.outcome,
    outcome_raw: content.outcomeRaw,
    confidence: content.confidence,
    target_files: content.targetFiles,
    acceptance_checks: content.acceptanceChecks,
    workflow_steps: content.workflowSteps,
    tools: content.tools,
    verifier: content.verifier,
    evidence_refs: content.evidenceRefs,
    raw_ref: content.rawRef,
    next_action: content.nextAction,
  }
}

export function revisionsView(record: MemoryRecord) {
  return record.revisions.map(({ revision, content, atMs }) => ({
    revision,
    at: isoOf(atMs),
    title: content.title,
    text: wholeTextOf(content),
    summary: content.summary,
    payload: content.payload,
    evidence: evidenceView(content),
  }))
}

export function countersView(record: Pick<MemoryRecord, 'counters'>) {
  const { positive, negativeWeak, negativeStrong, neutral, observedPositive } = record.counters
  return {
    positive,
    negative_weak: negativeWeak,
    negative_strong: negativeStrong,
    neutral,
    observed_positive: observedPositive,
  }
}

type LinkedDecisionView = NonNullable<
  AnswerOf<'rehydrate'>['result']['memories'][number]['linked_decisions']
>[number]

interface LinkedDecision {
  readonly seq: number
  readonly view: LinkedDecisionView
}

/**
 * Guides among these that showed the memory, outcomes attributed to it and changes of its facets, oldest first. One is named
 * to its own consumer only, because whoever names it acts as that consumer; null eyes are an operator's.
 */
export function linkedDecisions(
  record: MemoryRecord,
  exposures: readonly ExposureRecord[],
  eyes: Consumer | null,
): readonly LinkedDecisionView[] {
  const guides = guideDecisions(record, exposures, eyes)
  const linked: LinkedDecision[] = [...guides]
  for (const mark of [...record.marks, ...record.assertions]) {
    const { runId, outcome, reason, atMs } = mark
    const isOwn = eyes === null || guides.some((guide) => guide.guideTraceId === mark.guideTraceId)
    const guideTraceId = isOwn ? mark.guideTraceId : null
    const view = {
      kind: 'feedback' as const,
      guide_trace_id: guideTraceId,
      run_id: runId,
      outcome,
      reason,
      at: isoOf(atMs),
    }
    linked.push({ seq: mark.seq, view })
  }
  for (const change of record.changes) {
    const { facet, from, to, cause, reason, atMs } = change
    linked.push({
      seq: change.seq,
      view: { kind: 'lifecycle', facet, from, to, cause, reason, at: isoOf(atMs) },
    })
  }
  return linked
    .sort((a, b) => a.seq - b.seq)
    .slice(-LINKED_MAX)
    .map(({ view }) => view)
}

interface GuideDecision extends LinkedDecision {
  readonly guideTraceId: string
}

function guideDecisions(
  record: MemoryRecord,
  exposures: readonly ExposureRecord[],
  eyes: Consumer | null,
): readonly GuideDecision[] {
  const found: GuideDecision[] = []
  for (const exposure of exposures) {
    const { guideTraceId, runId, atMs, seq } = exposure
    const surface: Surface | undefined = exposure.surfaces[exposure.memoryIds.indexOf(record.memoryId)]
    if (surface === undefined || !isMadeFor(exposure, eyes)) continue
    const view = {
      kind: 'guide' as const,
      guide_trace_id: guideTraceId,
      surface,
      run_id: runId,
      at: isoOf(atMs),
    }
    found.push({ seq, guideTraceId, view })
  }
  return found
}
