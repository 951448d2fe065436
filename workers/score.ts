import { type MeasureTask, measured } from '../src/core/report/measurement.ts'

/** Measures in a thread. The answer as JSON: read, it is what `measured` gives inline. */
export default function scoreTask(task: MeasureTask): string {
  return JSON.stringify(measured(task))
}
