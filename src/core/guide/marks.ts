import { dayOf } from '../text/day.ts'
import type { GuideEntry } from './entry.ts'

/** Confidence below this is told. */
export const CONFIDENCE_TOLD_BELOW = 0.75

/**
 * What a line for use or inspection says of its memory before the text, for the reader to weigh: when it was seen, who
 * said it unless an agent did, and how sure that was when it was not sure. Every mark of such a line is made here; none
 * may depend on the time of the guide.
 */
export function marksOf({ record }: Pick<GuideEntry, 'record'>): readonly string[] {
  const marks = [dayOf(record.observedAtMs)]
  if (record.origin !== 'agent') marks.push(record.origin)
  const { confidence } = record.content
  if (confidence < CONFIDENCE_TOLD_BELOW) marks.push(`confidence ${Number(confidence.toFixed(3))}`)
  return marks
}
