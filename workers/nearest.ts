import { type NearestResult, nearest } from '../src/domain/recall/nearest.ts'
import type { VectorJob } from '../src/domain/recall/vectors.ts'

/** Compares vectors in a thread; the pages are shared. */
export default function nearestTask(job: VectorJob): NearestResult {
  return nearest(job)
}
