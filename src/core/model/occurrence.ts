import type { MemoryRecord } from './record.ts'

/** What tells two occurrences apart whose words are the same. */
export type Occurrence = Pick<MemoryRecord, 'memoryType' | 'observedAtMs'>

/**
 * Whether two equal texts say one thing. An event or a piece of evidence is told of one moment: the same words of another
 * moment, or as a fact, say something else.
 */
export function isSameOccurrence(a: Occurrence, b: Occurrence): boolean {
  if (!isOfOneMoment(a) && !isOfOneMoment(b)) return true
  return a.memoryType === b.memoryType && a.observedAtMs === b.observedAtMs
}

export function isOfOneMoment({ memoryType }: Pick<MemoryRecord, 'memoryType'>): boolean {
  return memoryType === 'event' || memoryType === 'evidence'
}
