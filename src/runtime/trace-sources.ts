import type { Actor } from '../actor/actor.ts'
import { DomainError } from '../core/base/errors.ts'
import { eyesOf } from '../core/guide/story.ts'
import {
  fieldOf,
  flagOf,
  isObject,
  partOf,
  textOf,
  textsOf,
  type WireObject,
} from '../core/measure/wire-object.ts'
import type { ExposureRecord } from '../core/model/exposure.ts'
import type { Consumer } from '../core/model/record.ts'
import { consumerKey } from '../core/model/visibility.ts'
import type { SuppliedAnswer } from '../core/report/decision-trace-artifacts.ts'
import { namedGuides } from '../core/report/decision-trace-facts.ts'
import {
  type FeedbackReport,
  type ReportHistory,
  reportsOfTurn,
} from '../core/report/decision-trace-feedback.ts'
import { asksForHistory, type NamedGuide, type TraceSources } from '../core/report/decision-trace-input.ts'
import { isoOf } from './iso-time.ts'
import type { TraceAsk } from './normalise/decision-trace.ts'
import { exposureOf, type RuntimeParts } from './parts.ts'
import { storyOf } from './story.ts'

/** Turns read for reports about a guide. */
const TURNS_READ_MAX = 10_000
/** Guides looked up to tell whose outcomes are. */
const GUIDES_LOOKED_UP_MAX = 256

type Records = Pick<RuntimeParts, 'ledger' | 'history' | 'codec'>

/**
 * Reads what a decision trace needs beside the state: records of the named guides, whose guides outcomes belong to, and
 * reports that the memories do not confirm. A guide that is not found, or was made for another consumer than the one
 * who asks, is not held.
 * @param hashOf the hash that the records use for prompt texts
 */
export async function traceSourcesOf(
  parts: Records,
  actor: Actor,
  ask: TraceAsk,
  hashOf = (text: string): string => parts.codec.sha256(text),
): Promise<TraceSources> {
  const trace = ask.productTrace ?? {}
  const answers = answersIn(trace)
  const after = await namedGuide(parts, actor, ask.guideTraceId, fieldOf(trace, 'after_guide'), ask.consumer)
  const consumer = after.story === null ? ask.consumer : eyesOf(after.story)
  const before = await namedGuide(parts, actor, null, fieldOf(trace, 'before_guide'), consumer)
  const ids = after.story?.exposure.memoryIds ?? []
  const needsHistory = after.story !== null && asksForHistory(actor.state, after.story, answers)
  return {
    after,
    before,
    answers,
    eyes: { consumer, ownGuideIds: await ownGuides(parts, actor, ids, consumer) },
    history:
      needsHistory && after.story !== null ? await reportsAbout(parts, actor, after.story.exposure) : null,
    claims: {
      sufficientEvidence: flagOf(trace, 'sufficient_evidence'),
      evidenceIdCount: textsOf(trace, 'evidence_ids').length,
    },
    hashOf,
    isoTime: isoOf,
  }
}

/** Guides made for a consumer, among those that the latest outcomes on these memories name; none for an operator. */
export async function ownGuides(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  memoryIds: readonly string[],
  consumer: Consumer | null,
  runsMax?: number,
): Promise<ReadonlySet<string>> {
  const own = new Set<string>()
  if (consumer === null) return own
  const named = new Set<string>()
  for (const id of memoryIds) {
    const record = actor.state.memories.get(id)
    if (record !== undefined) for (const guide of namedGuides(record, runsMax)) named.add(guide)
  }
  for (const guideTraceId of [...named].slice(0, GUIDES_LOOKED_UP_MAX)) {
    const exposure = await exposureOrNull(parts, actor, guideTraceId)
    if (exposure !== null && isFor(exposure, consumer)) own.add(guideTraceId)
  }
  return own
}

function answersIn(trace: WireObject): readonly SuppliedAnswer[] {
  return ['feedback_result', 'forget_result'].flatMap((name) => {
    const value = fieldOf(trace, name)
    return isObject(value) ? [{ name, value }] : []
  })
}

async function namedGuide(
  parts: Records,
  actor: Actor,
  guideTraceId: string | null,
  supplied: unknown,
  consumer: Consumer | null,
): Promise<NamedGuide> {
  const artifact = isObject(supplied) ? supplied : null
  const named = guideTraceId ?? (artifact === null ? null : guideNamedIn(artifact))
  const absent: NamedGuide = {
    holding: artifact === null ? 'not_supplied' : 'not_held',
    story: null,
    artifact,
  }
  if (named === null) return absent
  try {
    const story = await storyOf(parts, actor, named)
    if (consumer !== null && !isFor(story.exposure, consumer)) return { ...absent, holding: 'not_held' }
    return { holding: 'held', story, artifact }
  } catch (error) {
    if (!isUnknown(error)) throw error
    return { ...absent, holding: error.details['expired'] === true ? 'expired' : 'not_held' }
  }
}

function guideNamedIn(artifact: WireObject): string | null {
  return (
    textOf(artifact, 'guide_trace_id') ??
    textOf(partOf(artifact, 'memory_use_receipt'), 'guide_trace_id') ??
    textOf(partOf(artifact, 'agent_context'), 'guide_trace_id')
  )
}

/** Reports since the guide, as far as history goes. */
async function reportsAbout(parts: Records, actor: Actor, exposure: ExposureRecord): Promise<ReportHistory> {
  const first = exposure.seq + 1
  const last = Math.min(actor.state.seq, exposure.seq + TURNS_READ_MAX)
  const reports: FeedbackReport[] = []
  let expected = first
  let isGapless = true
  if (first > last) return { isComplete: true, reports }
  for await (const record of parts.history.read(actor.key, first, last)) {
    if (record.actorSeq > last) break
    if (record.actorSeq !== expected) isGapless = false
    expected = record.actorSeq + 1
    reports.push(...reportsOfTurn(parts.codec.decodeTurn(record.payload), exposure))
  }
  return { isComplete: isGapless && expected > actor.state.seq, reports }
}

async function exposureOrNull(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  guideTraceId: string,
): Promise<ExposureRecord | null> {
  try {
    return await exposureOf(parts, actor, guideTraceId)
  } catch (error) {
    if (isUnknown(error)) return null
    throw error
  }
}

function isUnknown(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === 'guide_trace_not_found'
}

function isFor({ consumerAgentId, consumerTeamId }: ExposureRecord, consumer: Consumer): boolean {
  return consumerKey({ agentId: consumerAgentId, teamId: consumerTeamId }) === consumerKey(consumer)
}
