import type { MeasureRequest } from '../../contract/measure.ts'
import { type MeasureJob, readMeasureInput } from '../../core/measure/job.ts'
import { EFFECT_DELTA_MIN, GUIDED_SCORE_MIN } from '../../core/measure/kernel-report.ts'
import type { WireObject } from '../../core/measure/wire-object.ts'
import type { Viewer } from '../../core/model/visibility.ts'
import { consumerOf, identityOf, isConsumerGiven, type SentConsumer, sentConsumerOf } from './identity.ts'
import { ownTask, taskOf } from './task.ts'

/** One seed for all: the same records give the same interval, before and after a restart. */
const SEED = 1

/** What a measure request asks for, without what the runtime itself knows. */
export interface MeasureCommand {
  readonly tenantId: string
  readonly scope: string
  /** Null: an operator, unless a guide of the trace names its consumer. */
  readonly eyes: Viewer
  readonly sent: SentConsumer
  readonly job: Omit<MeasureJob, 'records'>
  /** As the caller sent it; null: a manual pair. */
  readonly productTrace: WireObject | null
  readonly warnings: readonly string[]
}

/** @param hashOf the hash that the records use for prompt texts */
export function measureCommand(
  request: MeasureRequest,
  hashOf: (promptText: string) => string,
): MeasureCommand {
  const { tenantId, scope } = identityOf(request)
  const { input, sufficientEvidence, evidenceIds, warnings } = readMeasureInput(request, hashOf)
  const { comparison } = request
  return {
    tenantId,
    scope,
    eyes: isConsumerGiven(request) ? consumerOf(request) : null,
    sent: sentConsumerOf(request),
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
    productTrace: request.product_trace ?? null,
    warnings,
  }
}
