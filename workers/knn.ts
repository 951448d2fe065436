import { type KnnResult, knn, type VectorJob } from '../src/core/search/knn.ts'

/** Compares vectors in a thread; the pages are shared. */
export default function knnTask(job: VectorJob): KnnResult {
  return knn(job)
}
