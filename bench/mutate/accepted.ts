/** A survivor that is no gap: nothing that the rules promise tells it from the original. */
export interface Accepted {
  readonly file: string
  readonly original: string
  readonly mutated: string
  readonly reason: string
}

/** Named by text and not by line, so that an entry outlives edits elsewhere in its file. */
export const ACCEPTED: readonly Accepted[] = [
  {
    file: 'src/domain/governance/attribution.ts',
    original: "exposure.surfaces[rank] ?? 'do_not_use'",
    mutated: '(exposure.surfaces[rank])',
    reason: 'an exposure has one surface for each of its ids; the default is for the type only',
  },
  {
    file: 'src/domain/governance/attribution.ts',
    original: "'do_not_use'",
    mutated: "''",
    reason: 'an exposure has one surface for each of its ids; the default is for the type only',
  },
  {
    file: 'src/domain/governance/attribution.ts',
    original: 'surfaceOf.get(record.memoryId) ?? null',
    mutated: '(surfaceOf.get(record.memoryId))',
    reason: 'ids without a surface have been refused two lines before',
  },
  {
    file: 'src/domain/governance/feedback.ts',
    original: '0',
    mutated: '0 - 1',
    reason: 'entries count from 1, so 0 and -1 both lie before all of them',
  },
]
