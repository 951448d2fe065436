import type { Actor } from '../actor/actor.ts'
import type { RequestOf } from '../contract/operations.ts'
import { type StoredGuide, viewerOf } from '../core/guide/decision.ts'
import { readMeasureInput } from '../core/measure/job.ts'
import { EFFECT_DELTA_MIN, GUIDED_SCORE_MIN } from '../core/measure/kernel-report.ts'
import { measure as measured } from '../core/measure/measure.ts'
import {
  GUIDES_MAX,
  type GuideArms,
  GuideArmsSum,
  recordedGuide,
  runtimeRecords,
} from '../core/measure/records.ts'
import type { ExposureRecord } from '../core/model/events.ts'
import type { Principal } from '../core/model/principal.ts'
import type { TaskRef } from '../core/model/record.ts'
import { traceInputOf } from '../core/report/trace-input.ts'
import { identityOf, ownTask, sentConsumerOf, taskOf, viewerIn } from './normalise/identity.ts'
import { envelopeOf, type Handler, type RuntimeParts, sourceMap, warningsOf } from './parts.ts'
import { inPool } from './pooled.ts'
import { decisionReport } from './reports/decision-report-rows.ts'
import { traceSourcesOf } from './reports/decision-trace.ts'
import { decisionTrace } from './reports/decision-trace-rows.ts'
import { guideCount, guidesNewestFirst } from './reports/guide-records.ts'

interface SeenGuides {
  readonly sum: GuideArmsSum
  /** Every kept guide up to this sequence is in the sum. */
  newestSeq: number
  /** Guides that the actor had made by then. */
  known: number
  /** The last erasure of guides that it knows of. */
  readonly erasedSeq: number
}

// A guide never changes, so each is looked at once for as long as its actor stays in memory and none is erased.
const seenByActor = new WeakMap<Actor, SeenGuides>()

/** Which runs had memory. A guide that is made meanwhile leaves its run out. */
export async function guideArms(parts: Pick<RuntimeParts, 'ledger'>, actor: Actor): Promise<GuideArms> {
  if (actor.state.runLines.size === 0) return new GuideArmsSum().arms(0)
  const known = guideCount(actor)
  const erasedSeq = [...actor.state.erasedGuides.values()].at(-1)?.seq ?? 0
  if (seenByActor.get(actor)?.erasedSeq !== erasedSeq) seenByActor.delete(actor)
  const before = seenByActor.get(actor)
  const added = known - (before?.known ?? 0)
  let found = await guidesSince(parts, actor, before?.newestSeq ?? 0)
  // After a clock that was set back new guides may lie behind those that were seen: it is begun anew, as where more than
  // are looked at leave a gap.
  const isHidden = before !== undefined && found.length < Math.min(added, GUIDES_MAX)
  if (isHidden) found = await guidesSince(parts, actor, 0)
  const earlier = isHidden || found.length >= GUIDES_MAX ? undefined : seenByActor.get(actor)
  const seen: SeenGuides = earlier ?? { sum: new GuideArmsSum(), newestSeq: 0, known, erasedSeq }
  // Another measurement may have added some of them while this one was reading.
  const { newestSeq } = seen
  for (const guide of found) {
    if (guide.seq <= newestSeq) continue
    seen.sum.add(guide)
    seen.newestSeq = Math.max(seen.newestSeq, guide.seq)
  }
  seen.known = Math.max(seen.known, known)
  // What has grown too much is let go; the next measurement looks again.
  if (seen.sum.count > 2 * GUIDES_MAX) seenByActor.delete(actor)
  else seenByActor.set(actor, seen)
  return seen.sum.arms(known)
}

async function guidesSince(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  sinceSeq: number,
): Promise<readonly ExposureRecord[]> {
  const found: ExposureRecord[] = []
  for await (const guide of guidesNewestFirst(parts, actor, Number.MAX_SAFE_INTEGER, sinceSeq)) {
    if (guide.seq <= sinceSeq || found.length >= GUIDES_MAX) break
    found.push(guide)
  }
  return found
}

const SURFACES_USED = ['exposure_ledger', 'guide_decisions', 'feedback_marks', 'run_records']

/** Reports what memory changed, as far as the records of this actor support it. Changes nothing. */
export const measure: Handler<'measure'> = async (parts, { request, principal }) => {
  const hashOf = eachOnce((text) => parts.codec.sha256(text))
  const command = measureCommand(request, hashOf, principal)
  const { job, trace, warnings } = await parts.registry.use(command.tenantId, command.scope, (actor) =>
    measureTask(parts, actor, command, hashOf),
  )
  // Scoring needs nothing of the actor: nobody waits there for it.
  const measurement = await inPool(
    () => parts.compute.score(job),
    () => measured(job),
    parts.log,
  )
  const { neighborhood_drift_summary: drift, confidence_decay_summary: decay } = measurement.effect_report
  const memory_decision_trace = trace === null ? null : decisionTrace(trace, drift, decay)
  return {
    ...envelopeOf('svc_measure_result_v1', command),
    ...measurement,
    ...(memory_decision_trace === null
      ? {}
      : { memory_decision_trace, memory_decision_audit: decisionReport(memory_decision_trace) }),
    source_map: sourceMap('/v1/measure', SURFACES_USED),
    ...warningsOf(warnings),
  }
}

/** The job with everything that the actor holds about it, and the guide after, to be told; null: a manual pair has none. */
async function measureTask(
  parts: RuntimeParts,
  actor: Actor,
  { job, productTrace, eyes, sent, warnings }: MeasureCommand,
  hashOf: (promptText: string) => string,
) {
  const ask = { guideTraceId: null, productTrace, viewer: eyes, sent }
  const sources = productTrace === null ? null : await traceSourcesOf(parts, actor, ask, hashOf)
  const stored = [sources?.before.stored, sources?.after.stored].flatMap((guide) => guide ?? [])
  const last = stored.at(-1)
  const arms = await guideArms(parts, actor)
  return actor.read((state, nowMs) => {
    const trace = sources === null ? null : traceInputOf(state, sources, nowMs)
    const query = {
      task: last === undefined ? job.task : completed(job.task, last),
      guides: stored.map(recordedGuide),
      arms,
      memories: trace?.driftFacts ?? [],
      eyes: eyes ?? (last === undefined ? null : viewerOf(last)),
    }
    const found = runtimeRecords(state, query, nowMs)
    const complete = { ...job, task: query.task, records: found.records }
    return { job: complete, trace, warnings: [...warnings, ...found.warnings] }
  })
}

/** A prompt is asked for in several places, and is long. */
function eachOnce(hashOf: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const hash = known.get(text) ?? hashOf(text)
    known.set(text, hash)
    return hash
  }
}

/** What the request does not say of the work, the guide was asked with. The run stays what the request says. */
function completed(task: TaskRef, { exposure, decision }: StoredGuide): TaskRef {
  const ask = decision?.ask
  return {
    runId: task.runId,
    taskSignature: task.taskSignature ?? exposure.taskSignature,
    workflowSignature: task.workflowSignature ?? ask?.workflowSignature ?? null,
    taskId: task.taskId ?? ask?.taskId ?? null,
    taskFamily: task.taskFamily ?? ask?.taskFamily ?? null,
  }
}

/** One seed for all: the same records give the same interval, before and after a restart. */
const SEED = 1

export type MeasureCommand = ReturnType<typeof measureCommand>

/**
 * What a measure request asks for, without what the runtime itself knows.
 * @param hashOf the hash that the records use for prompt texts
 */
export function measureCommand(
  request: RequestOf<'measure'>,
  hashOf: (promptText: string) => string,
  principal: Principal | null = null,
) {
  const { tenantId, scope } = identityOf(request)
  const { input, sufficientEvidence, evidenceIds, warnings } = readMeasureInput(request, hashOf)
  const { comparison } = request
  return {
    tenantId,
    scope,
    /** Null: an operator, unless a guide of the trace names its consumer. */
    eyes: viewerIn(request),
    sent: sentConsumerOf(request, principal),
    job: {
      task: ownTask(request.task ?? {}, taskOf(request)),
      thresholds: {
        minEffectDelta: request.minEffectDelta ?? EFFECT_DELTA_MIN,
        minGuidedScore: request.minGuidedScore ?? GUIDED_SCORE_MIN,
      },
      comparison: {
        mode: comparison?.mode ?? null,
        baselineRunId: comparison?.baseline_run_id ?? null,
        guidedRunId: comparison?.guided_run_id ?? null,
        sufficientEvidence,
      },
      input,
      evidenceIds,
      seed: SEED,
    },
    /** As the caller sent it; null: a manual pair. */
    productTrace: request.product_trace ?? null,
    warnings,
  }
}
