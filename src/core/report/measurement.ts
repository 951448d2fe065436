import type { MeasureJob } from '../measure/job.ts'
import { type Measurement, measure } from '../measure/measure.ts'
import { decisionAudit } from './decision-audit.ts'
import { type DecisionTrace, decisionTrace } from './decision-trace.ts'
import type { TraceInput } from './decision-trace-input.ts'

/** One measurement and the trace of its guide, as plain data for any thread. */
export interface MeasureTask {
  readonly job: MeasureJob
  /** Null: a manual pair, which has no guide. */
  readonly trace: TraceInput | null
}

export interface TracedMeasurement extends Measurement {
  readonly memory_decision_trace?: DecisionTrace
  readonly memory_decision_audit?: ReturnType<typeof decisionAudit>
}

/** Measures, and tells why the guide after showed what it showed. Pure: the same task gives the same answer. */
export function measured({ job, trace }: MeasureTask): TracedMeasurement {
  const measurement = measure(job)
  if (trace === null) return measurement
  const memory_decision_trace = decisionTrace(trace)
  return {
    ...measurement,
    memory_decision_trace,
    memory_decision_audit: decisionAudit(memory_decision_trace),
  }
}
