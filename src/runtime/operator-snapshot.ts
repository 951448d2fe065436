import type { Actor } from '../actor/actor.ts'
import type { OperatorSnapshotRequest } from '../contract/operator-snapshot.ts'
import { DomainError } from '../core/base/errors.ts'
import { eyesOf, type GuideStory } from '../core/guide/story.ts'
import type { ExposureRecord } from '../core/model/exposure.ts'
import type { Consumer } from '../core/model/record.ts'
import { readArtifact } from '../core/report/artifact.ts'
import { operatorSnapshot as snapshotOf } from '../core/report/operator-snapshot.ts'
import { type SuppliedObject, suppliedGuideIn } from '../core/report/operator-snapshot-artifacts.ts'
import { snapshotMarkdown } from '../core/report/snapshot-markdown.ts'
import { isoOf } from './iso-time.ts'
import { type SnapshotQuery, snapshotQuery } from './normalise/operator-snapshot.ts'
import { envelopeOf, type RuntimeParts, sourceMap } from './parts.ts'
import { guidesNewestFirst, storyOf, withDecision } from './story.ts'

/** Guides looked through for the latest one of a run or task. */
const GUIDES_SCANNED_MAX = 10_000

/** The state of an actor for an operator. Reads; changes nothing. @throws guide_trace_not_found */
export async function operatorSnapshot(
  parts: RuntimeParts,
  request: OperatorSnapshotRequest,
): Promise<object> {
  const query = snapshotQuery(request)
  const supplied = query.supplied.map(({ name, value }) => ({
    value,
    artifact: readArtifact(name, value, (text) => parts.codec.sha256(text)),
  }))
  return parts.registry.use(query.tenantId, query.scope, async (actor) => {
    const focus = await focusOf(parts, actor, query, supplied)
    return actor.turn((state, nowMs) => {
      const { story, eyes } = focus
      const view = { state, eyes, nowMs, isoTime: isoOf }
      const { task, guideTraceId } = query
      return { events: [], reply: replyOf(query, snapshotOf({ view, task, guideTraceId, story, supplied })) }
    })
  })
}

function replyOf(query: SnapshotQuery, snapshot: ReturnType<typeof snapshotOf>): object {
  const used = ['memory_lookup', 'exposure_ledger', 'guide_history']
  return {
    ...envelopeOf('svc_operator_snapshot_result_v1', query),
    operator_snapshot: snapshot,
    ...(query.includeMarkdown ? { markdown: snapshotMarkdown(snapshot) } : {}),
    source_map: sourceMap('/v1/operator/snapshot', used, ['agent_prompt_text', 'raw_payloads']),
  }
}

interface Focus {
  /** Null: this actor holds no such guide, and the supplied objects have to do. */
  readonly story: GuideStory | null
  readonly eyes: Consumer | null
}

/** The guide that a snapshot is about. Whoever names one acts as the consumer that it was made for. */
async function focusOf(
  parts: RuntimeParts,
  actor: Actor,
  { consumer, task, guideTraceId }: SnapshotQuery,
  supplied: readonly SuppliedObject[],
): Promise<Focus> {
  const artifact = suppliedGuideIn(supplied, guideTraceId)
  const named = guideTraceId ?? artifact?.guideTraceId ?? null
  if (named !== null) {
    const story = await heldStory(parts, actor, named, consumer)
    if (!(story instanceof DomainError)) return { story, eyes: eyesOf(story) }
    if (artifact === null || artifact.guideTraceId !== named) throw story
    return { story: null, eyes: consumer }
  }
  const runId = task.runId ?? artifact?.runId ?? null
  // Objects that name neither guide nor run could be of any guide: they are shown as they are.
  const isLoose = artifact !== null && runId === null && task.taskSignature === null
  const exposure = isLoose ? null : await latestGuide(parts, actor, consumer, runId, task.taskSignature)
  return {
    story: exposure === null ? null : await withDecision(parts, actor, exposure),
    eyes: consumer,
  }
}

/** A guide of somebody else is as unknown as one that never was. */
async function heldStory(
  parts: RuntimeParts,
  actor: Actor,
  guideTraceId: string,
  consumer: Consumer | null,
): Promise<GuideStory | DomainError> {
  try {
    const story = await storyOf(parts, actor, guideTraceId)
    if (consumer === null || isFor(story.exposure, consumer)) return story
    return new DomainError('guide_trace_not_found', { guide_trace_id: guideTraceId })
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

async function latestGuide(
  parts: RuntimeParts,
  actor: Actor,
  consumer: Consumer | null,
  runId: string | null,
  taskSignature: string | null,
): Promise<ExposureRecord | null> {
  let scanned = 0
  for await (const exposure of guidesNewestFirst(parts, actor)) {
    const isOfTask = taskSignature === null || exposure.taskSignature === taskSignature
    const isMeant = runId === null ? isOfTask : exposure.runId === runId
    if (isMeant && (consumer === null || isFor(exposure, consumer))) return exposure
    scanned += 1
    if (scanned === GUIDES_SCANNED_MAX) return null
  }
  return null
}

function isFor(exposure: ExposureRecord, consumer: Consumer): boolean {
  return exposure.consumerAgentId === consumer.agentId && exposure.consumerTeamId === consumer.teamId
}
