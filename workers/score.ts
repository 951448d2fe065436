import { type MeasureTask, measured, type TracedMeasurement } from '../src/domain/audit/measurement.ts'

/** Measures in a thread. Task and answer are plain data: what comes out is what `measured` gives inline. */
export default function scoreTask(task: MeasureTask): TracedMeasurement {
  return measured(task)
}
