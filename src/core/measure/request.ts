import { readGuideSnapshot, readLifecycleResult } from './guide-snapshot.ts'
import type { ManualPair, ProductTrace } from './job.ts'
import { readObservation } from './observation.ts'
import { fieldOf, flagOf, isObject, objectOf, partOf, textsOf, type WireObject } from './wire-object.ts'

export interface ReadMeasureInput {
  readonly input: ManualPair | ProductTrace
  /** What the caller claims: `comparison` counts before `product_trace`; null: nothing. */
  readonly sufficientEvidence: boolean | null
  readonly evidenceIds: readonly string[]
  /** Sentences about what was ignored. */
  readonly warnings: readonly string[]
}

/**
 * Reads a validated measure request. A product trace counts before a manual pair.
 * @param hashOf the hash that the records use for prompt texts
 */
export function readMeasureInput(
  request: WireObject,
  hashOf: (promptText: string) => string,
): ReadMeasureInput {
  const trace = fieldOf(request, 'product_trace')
  const claimed = flagOf(partOf(request, 'comparison'), 'sufficient_evidence')
  const ownIds = textsOf(request, 'evidence_ids')
  if (!isObject(trace)) {
    const baseline = readObservation(partOf(request, 'baseline'), 'baseline')
    const guided = readObservation(partOf(request, 'guided'), 'guided')
    return {
      input: {
        source: 'manual_observations',
        baseline: baseline.observation,
        guided: guided.observation,
      },
      sufficientEvidence: claimed,
      evidenceIds: ownIds,
      warnings: [...baseline.warnings, ...guided.warnings],
    }
  }
  const { input, warnings } = readTrace(trace, hashOf)
  const unread = ['baseline', 'guided'].filter((name) => isObject(fieldOf(request, name)))
  return {
    input,
    sufficientEvidence: claimed ?? flagOf(trace, 'sufficient_evidence'),
    evidenceIds: [...new Set([...ownIds, ...textsOf(trace, 'evidence_ids')])],
    warnings: [...warnings, ...unread.map((name) => `${name} was ignored: product_trace is measured`)],
  }
}

function readTrace(trace: WireObject, hashOf: (promptText: string) => string) {
  const said = fieldOf(trace, 'baseline')
  const baseline = isObject(said) ? readObservation(said, 'product_trace.baseline') : null
  const before = fieldOf(trace, 'before_guide')
  const input: ProductTrace = {
    source: 'product_trace',
    baseline: baseline?.observation ?? null,
    before: isObject(before) ? readGuideSnapshot(before, hashOf) : null,
    after: readGuideSnapshot(objectOf(fieldOf(trace, 'after_guide')), hashOf),
    lifecycle: ['feedback_result', 'forget_result'].flatMap((name) => {
      const result = fieldOf(trace, name)
      return isObject(result) ? [readLifecycleResult(result)] : []
    }),
  }
  return { input, warnings: baseline?.warnings ?? [] }
}
