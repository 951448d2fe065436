/** Survivors that are no gap: nothing that the rules promise tells them from the original. */
export interface Accepted {
  readonly file: string
  /** A part of the line where they stand. Lines are named by text, so that an entry outlives edits elsewhere. */
  readonly line: string
  /** Original and mutated. */
  readonly changes: readonly (readonly [string, string])[]
  readonly reason: string
}

const GOVERNANCE = 'src/domain/governance'

export const ACCEPTED: readonly Accepted[] = [
  {
    file: `${GOVERNANCE}/attribution.ts`,
    line: "exposure.surfaces[rank] ?? 'do_not_use'",
    changes: [
      ["exposure.surfaces[rank] ?? 'do_not_use'", '(exposure.surfaces[rank])'],
      ["'do_not_use'", "''"],
    ],
    reason: 'an exposure has one surface for each of its ids; the default is for the type only',
  },
  {
    file: `${GOVERNANCE}/attribution.ts`,
    line: 'surfaceOf.get(record.memoryId) ?? null',
    changes: [['surfaceOf.get(record.memoryId) ?? null', '(surfaceOf.get(record.memoryId))']],
    reason: 'ids without a surface have been refused two lines before',
  },
  {
    file: `${GOVERNANCE}/feedback.ts`,
    line: '?? 0',
    changes: [['0', '0 - 1']],
    reason: 'entries count from 1, so 0 and -1 both lie before all of them',
  },
]
