import type { MeasureJob } from '../src/core/measure/job.ts'
import { measure } from '../src/core/measure/measure.ts'

/** Measures in a thread. The answer as JSON: read, it is what `measure` gives inline. */
export default function scoreTask(job: MeasureJob): string {
  return JSON.stringify(measure(job))
}
