import type { Actor } from '../actor/actor.ts'
import type { OperatorSnapshotRequest } from '../contract/operator-snapshot.ts'
import { readArtifact } from '../domain/audit/artifact.ts'
import { operatorSnapshot as snapshotOf } from '../domain/audit/operator-snapshot.ts'
import { type SuppliedObject, suppliedGuideIn } from '../domain/audit/operator-snapshot-artifacts.ts'
import { snapshotMarkdown } from '../domain/audit/snapshot-markdown.ts'
import { eyesOf, type GuideStory } from '../domain/audit/story.ts'
import { DomainError } from '../domain/errors.ts'
import type { ExposureRecord } from '../domain/governance/exposure.ts'
import type { Consumer } from '../domain/memory/record.ts'
import type { ActorState } from '../domain/memory/state.ts'
import { isoOf } from './iso-time.ts'
import { firstOf } from './normalise/absence.ts'
import { consumerOf, identityOf, isConsumerGiven } from './normalise/identity.ts'
import { taskOf } from './normalise/task.ts'
import { envelopeOf, type RuntimeParts, sourceMap } from './parts.ts'
import { guidesNewestFirst, storyOf, withDecision } from './story.ts'

/** Guides looked through for the latest one of a run or task. */
const GUIDES_SCANNED_MAX = 10_000

/** The state of an actor for an operator. Reads; changes nothing. @throws guide_trace_not_found */
export async function operatorSnapshot(
  parts: RuntimeParts,
  request: OperatorSnapshotRequest,
): Promise<object> {
  const { tenantId, scope } = identityOf(request)
  const supplied = suppliedObjects(parts, request)
  const asked = isConsumerGiven(request) ? consumerOf(request) : null
  return parts.registry.use(tenantId, scope, async (actor) => {
    const story = await focusStory(parts, actor, request, supplied, asked)
    const eyes = asked ?? (story !== null && story.isNamed ? eyesOf(story.story) : null)
    return actor.turn((state, nowMs) => ({
      events: [],
      reply: replyOf(request, state, { story: story?.story ?? null, eyes, supplied, nowMs }),
    }))
  })
}

interface Found {
  readonly story: GuideStory | null
  readonly eyes: Consumer | null
  readonly supplied: readonly SuppliedObject[]
  readonly nowMs: number
}

function replyOf(request: OperatorSnapshotRequest, state: ActorState, found: Found): object {
  const { story, eyes, supplied, nowMs } = found
  const snapshot = snapshotOf({
    view: { state, eyes, nowMs, isoTime: isoOf },
    task: { ...taskOf(request), agentRole: firstOf(request.agent_role, request.context?.agent_role) },
    story,
    supplied,
  })
  const used = ['memory_lookup', 'exposure_ledger', 'guide_history']
  return {
    ...envelopeOf('svc_operator_snapshot_result_v1', identityOf(request)),
    operator_snapshot: snapshot,
    ...(request.include_markdown === true ? { markdown: snapshotMarkdown(snapshot) } : {}),
    source_map: sourceMap('/v1/operator/snapshot', used, ['agent_prompt_text', 'raw_payloads']),
  }
}

const SUPPLIED = [
  'agent_context',
  'guide_packet',
  'memory_use_receipt',
  'memory_decision_trace',
  'memory_decision_audit',
  'effect_report',
  'claim_ledger_projection',
  'execution_context',
] as const

function suppliedObjects(parts: RuntimeParts, request: OperatorSnapshotRequest): readonly SuppliedObject[] {
  return SUPPLIED.flatMap((name) => {
    const value = request[name]
    if (value === undefined || value === null) return []
    return [{ value, artifact: readArtifact(name, value, (text) => parts.codec.sha256(text)) }]
  })
}

interface Focus {
  readonly story: GuideStory
  /** True: the caller named this guide, and acts with its consumer. */
  readonly isNamed: boolean
}

/** The guide that a snapshot is about; null when this actor holds none and the supplied objects have to do. */
async function focusStory(
  parts: RuntimeParts,
  actor: Actor,
  request: OperatorSnapshotRequest,
  supplied: readonly SuppliedObject[],
  asked: Consumer | null,
): Promise<Focus | null> {
  const artifact = suppliedGuideIn(supplied)
  const named = request.guide_trace_id ?? artifact?.guideTraceId ?? null
  if (named !== null) {
    const story = await heldStory(parts, actor, named, asked)
    if (!(story instanceof DomainError)) return { story, isNamed: true }
    if (artifact === null || (artifact.guideTraceId ?? named) !== named) throw story
    return null
  }
  const { runId, taskSignature } = taskOf(request)
  // Objects that name neither guide nor run could be of any guide: they are shown as they are.
  const ofRun = runId ?? artifact?.runId ?? null
  if (artifact !== null && ofRun === null && taskSignature === null) return null
  const exposure = await latestGuide(parts, actor, asked, ofRun, taskSignature)
  return exposure === null ? null : { story: await withDecision(parts, actor, exposure), isNamed: false }
}

/** A guide of somebody else is as unknown as one that never was. */
async function heldStory(
  parts: RuntimeParts,
  actor: Actor,
  guideTraceId: string,
  asked: Consumer | null,
): Promise<GuideStory | DomainError> {
  try {
    const story = await storyOf(parts, actor, guideTraceId)
    if (asked === null || isOf(story.exposure, asked)) return story
    return new DomainError('guide_trace_not_found', { guide_trace_id: guideTraceId })
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

async function latestGuide(
  parts: RuntimeParts,
  actor: Actor,
  asked: Consumer | null,
  runId: string | null,
  taskSignature: string | null,
): Promise<ExposureRecord | null> {
  let scanned = 0
  for await (const exposure of guidesNewestFirst(parts, actor)) {
    const isMeant =
      runId !== null
        ? exposure.runId === runId
        : taskSignature === null || exposure.taskSignature === taskSignature
    if (isMeant && (asked === null || isOf(exposure, asked))) return exposure
    scanned += 1
    if (scanned === GUIDES_SCANNED_MAX) return null
  }
  return null
}

function isOf(exposure: ExposureRecord, consumer: Consumer): boolean {
  return exposure.consumerAgentId === consumer.agentId && exposure.consumerTeamId === consumer.teamId
}
