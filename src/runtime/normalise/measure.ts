import type { RequestOf } from '../../contract/operations.ts'
import { EFFECT_DELTA_MIN, GUIDED_SCORE_MIN } from '../../core/measure/kernel-report.ts'
import { readMeasureInput } from '../../core/measure/request.ts'
import { identityOf, ownTask, sentConsumerOf, taskOf, viewerIn } from './identity.ts'

/** One seed for all: the same records give the same interval, before and after a restart. */
const SEED = 1

export type MeasureCommand = ReturnType<typeof measureCommand>

/**
 * What a measure request asks for, without what the runtime itself knows.
 * @param hashOf the hash that the records use for prompt texts
 */
export function measureCommand(request: RequestOf<'measure'>, hashOf: (promptText: string) => string) {
  const { tenantId, scope } = identityOf(request)
  const { input, sufficientEvidence, evidenceIds, warnings } = readMeasureInput(request, hashOf)
  const { comparison } = request
  return {
    tenantId,
    scope,
    /** Null: an operator, unless a guide of the trace names its consumer. */
    eyes: viewerIn(request),
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
    /** As the caller sent it; null: a manual pair. */
    productTrace: request.product_trace ?? null,
    warnings,
  }
}
