import { assert } from '../base/assert.ts'
import { isSameList } from '../base/collections.ts'
import { type Clause, isSpelledAlike } from './dispute-clause.ts'
import { GUARDS } from './dispute-guards.ts'
import { tellsMoment } from './dispute-measured.ts'
import { ComparedTexts, pairOf } from './dispute-pair.ts'
import { type DisputeReading, readForDispute } from './dispute-reading.ts'
import type { DisputeKind } from './dispute-row.ts'
import { KINDS } from './dispute-rows.ts'
import {
  areOfTwoLanguages,
  inCommonWords,
  mayBeOfOneLanguage,
  mayTellMoreInCommonWords,
} from './dispute-translated.ts'
import { recordDispute } from './record-text.ts'

export { type DisputeReading, readForDispute } from './dispute-reading.ts'
export type { DisputeKind } from './dispute-row.ts'

/** Two statements, one of each text, that cannot both hold. */
export interface TextDispute {
  readonly kind: DisputeKind
  readonly earlierStatement: string
  readonly laterStatement: string
}

/**
 * What two texts disagree about, null when both can hold; `later` is the one said later. Whoever compares one text with
 * many reads it once with `readForDispute` and asks `disputeOf`: reading is linear in the text (its first 4 000
 * characters), and a comparison looks at 24 × 24 pairs of clauses at most, of which most share no word.
 */
export function disputeBetween(earlier: string, later: string): TextDispute | null {
  return disputeOf(readForDispute(earlier), readForDispute(later))
}

/** As `disputeBetween`, of texts that have been read. */
export function disputeOf(earlier: DisputeReading, later: DisputeReading): TextDispute | null {
  if (earlier.record !== null || later.record !== null) {
    if (earlier.record === null || later.record === null) return null
    const found = recordDispute(earlier.record, later.record)
    return found === null
      ? null
      : { kind: 'record', earlierStatement: found.earlier, laterStatement: found.later }
  }
  const found = disputeIn(comparedTexts(earlier, later))
  if (found !== null) return found
  // Of two languages that are much alike, or of one that is not known, a text may be in the other.
  if (mayBeOfOneLanguage(earlier, later)) return disputeIn(new ComparedTexts(earlier, later))
  if (areOfTwoLanguages(earlier, later)) return null
  return disputeInOtherWords(earlier, later)
}

/** `The lift is broken` and `Elevator's running again`: two texts of one language in common words, where they share no less. */
function disputeInOtherWords(earlier: DisputeReading, later: DisputeReading): TextDispute | null {
  if (!mayTellMoreInCommonWords(earlier, later)) return null
  const found = disputeIn(new ComparedTexts(inCommonWords(earlier), inCommonWords(later), true))
  return found?.kind === 'likely' ? null : found
}

/** Two readings to be compared: in common words where they are of two languages. */
export function comparedTexts(earlier: DisputeReading, later: DisputeReading): ComparedTexts {
  return areOfTwoLanguages(earlier, later)
    ? new ComparedTexts(inCommonWords(earlier), inCommonWords(later), true)
    : new ComparedTexts(earlier, later)
}

function disputeIn(texts: ComparedTexts): TextDispute | null {
  const { earlier, later } = texts
  if (!isComparable(earlier, later)) return null
  let likely: TextDispute | null = null
  const isInPassing = !isSameEntity(earlier, later)
  for (const b of later.clauses) {
    if (isInPassing && namesOne(b, later.ids)) continue
    for (const a of earlier.clauses) {
      const kind = kindBetween(a, b, texts)
      if (kind === null || isRepeated(a, later)) continue
      const found = disputeOfClauses(kind, earlier, a, later, b)
      // Of two other statements it may be certain.
      if (kind !== 'likely') return found
      likely ??= found
    }
  }
  return likely
}

/** True for a text that says nothing that another one could dispute: talk, or prose in which nothing is stated. */
export function isSilent({ record, isTalk, clauses }: DisputeReading): boolean {
  return record === null && (isTalk || clauses.length === 0)
}

/** Prose of both, not the same, about the same ids, no talk, no two items of one list, and no two moments. */
export function isComparable(earlier: DisputeReading, later: DisputeReading): boolean {
  if (earlier.record !== null || later.record !== null || earlier.isTalk || later.isTalk) return false
  if (earlier.item !== '' && later.item !== '' && earlier.item !== later.item) return false
  if (tellsMoment(earlier) && tellsMoment(later)) return false
  return (
    (isSameEntity(earlier, later) || mayNameInPassing(earlier, later)) &&
    !isSameList(earlier.spelling, later.spelling)
  )
}

/** `Fees stand in the portal; fees.ods went with MR 512`: what is said beside the id is said of no entity. */
function mayNameInPassing(earlier: DisputeReading, { ids, clauses }: DisputeReading): boolean {
  return earlier.ids.size === 0 && clauses.length > 1 && clauses.some((clause) => !namesOne(clause, ids))
}

/** A clause about what has an id, unless it says what has ended. */
function namesOne(clause: Clause, ids: ReadonlySet<string>): boolean {
  return clause.goneAt < 0 && clause.tokens.some(({ text, kind }) => kind === 'id' && ids.has(text))
}

/** Whether a text says a clause, too. */
export function isRepeated(clause: Clause, { clauses }: DisputeReading): boolean {
  return clauses.some((other) => isSpelledAlike(clause, other))
}

/** What two clauses disagree about, null when in nothing. */
export function kindBetween(a: Clause, b: Clause, texts: ComparedTexts): DisputeKind | null {
  const pair = pairOf(a, b, texts)
  if (pair === null) return null
  // Each guard is asked once, however many kinds have it.
  let held = 0
  let broken = 0
  for (const { id, guards, guardBits, holds } of GUARDED_KINDS) {
    if ((guardBits & broken) !== 0) continue
    for (const { bit, row } of guards) {
      if ((held & bit) !== 0) continue
      if (row.holds(pair)) held |= bit
      else {
        broken |= bit
        break
      }
    }
    if ((guardBits & ~held) === 0 && holds(pair)) return id
  }
  return null
}

const GUARD_IDS = Object.keys(GUARDS)
assert(GUARD_IDS.length < 32, 'each guard has a bit of its own')

/** The kinds in their order, with a bit for each guard. */
const GUARDED_KINDS = KINDS.map(({ id, guards, holds }) => {
  const asked = guards.map((guard) => ({ bit: 1 << GUARD_IDS.indexOf(guard), row: GUARDS[guard] }))
  return { id, holds, guards: asked, guardBits: asked.reduce((bits, { bit }) => bits | bit, 0) }
})

function disputeOfClauses(
  kind: DisputeKind,
  earlier: DisputeReading,
  a: Clause,
  later: DisputeReading,
  b: Clause,
): TextDispute {
  return {
    kind,
    earlierStatement: earlier.text.slice(a.start, a.end),
    laterStatement: later.text.slice(b.start, b.end),
  }
}

/** What the earlier text names the later one names, too; where it names none the later may name the place of something. */
export function isSameEntity(earlier: DisputeReading, later: DisputeReading): boolean {
  const [named, words] = earlier.ids.size > 0 ? [earlier.ids, later.words] : [later.ids, earlier.words]
  for (const id of named) if (!words.has(id)) return false
  return true
}

/**
 * By what a text is told to be about the same as another one: by nothing, as it is a record or talk; by its words alone; by
 * the things that it names, too.
 */
export type Subject = 'none' | 'open' | 'named'

export function subjectOf({ record, isTalk, ids }: DisputeReading): Subject {
  if (record !== null || isTalk) return 'none'
  return ids.size === 0 ? 'open' : 'named'
}
