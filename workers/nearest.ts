import { type NearestResult, nearest } from '../src/core/search/nearest.ts'
import type { VectorJob } from '../src/core/search/vectors.ts'

/** Compares vectors in a thread; the pages are shared. */
export default function nearestTask(job: VectorJob): NearestResult {
  return nearest(job)
}
