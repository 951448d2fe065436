import type { MeasureJob } from '../src/domain/measure/job.ts'
import { type Measurement, measure } from '../src/domain/measure/measure.ts'

/** Measures in a thread. Job and measurement are plain data: what comes out is what `measure` gives inline. */
export default function scoreTask(job: MeasureJob): Measurement {
  return measure(job)
}
