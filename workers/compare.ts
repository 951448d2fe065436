import { type ComparisonJob, compareTexts } from '../src/core/similarity/near-duplicate.ts'

/** Compares pairs of texts in a thread: one answer for each question, in order. */
export default function compareTask(job: ComparisonJob): readonly boolean[] {
  return compareTexts(job)
}
