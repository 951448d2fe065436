import { type ComparisonJob, compareTexts } from '../src/core/similarity/near-duplicate.ts'

export default function compareTask(job: ComparisonJob): readonly boolean[] {
  return compareTexts(job)
}
