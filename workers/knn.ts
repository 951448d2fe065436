import { type KnnResult, knn, type VectorJob } from '../src/core/search/knn.ts'

export default function knnTask(job: VectorJob): KnnResult {
  return knn(job)
}
