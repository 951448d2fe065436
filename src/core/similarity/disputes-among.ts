import { type DisputeKind, disputeOf, isComparable, isRepeated, kindBetween } from './dispute.ts'
import type { Clause } from './dispute-clause.ts'
import { ComparedTexts } from './dispute-pair.ts'
import { type DisputeReading, readForDispute } from './dispute-reading.ts'
import {
  areOfTwoLanguages,
  inCommonWords,
  mayBeOfOneLanguage,
  mayTellMoreInCommonWords,
} from './dispute-translated.ts'
import { namesOf } from './record-text.ts'

/** Two texts of a list, `first < second`, what they disagree about, and the statements of both. */
export interface ListedDispute {
  readonly first: number
  readonly second: number
  readonly dispute: DisputeKind
  readonly firstStatement: string
  readonly secondStatement: string
}

/**
 * Pairs of clauses looked at in one call, each text an equal share: a list of logs is alike everywhere and would never end,
 * and long texts that are alike hide nothing from the others. About 200 ms.
 */
const LOOKS_MAX = 1_000_000
/** A look that compares takes as long as so many that do not. */
const COMPARISON_LOOKS = 20
/** A field name of more texts than this is a form that they share, and names no subject. */
const SCHEMA_TEXTS_MAX = 2

/** Of that, what texts are given to be compared in common words. */
const COMMON_LOOKS_MAX = LOOKS_MAX / 4

/** Which texts are compared, by their places in the list. */
type Choice = (one: number, other: number) => boolean

/** The pairs of texts that dispute each other, in either direction: which of two was first is not known here. */
export function disputesAmong(texts: readonly string[]): readonly ListedDispute[] {
  const readings = texts.map((text) => readForDispute(text))
  const chosenBy =
    (rule: (one: DisputeReading, other: DisputeReading) => boolean): Choice =>
    (first, second) => {
      const [one, other] = [readings[first], readings[second]]
      return one !== undefined && other !== undefined && rule(one, other)
    }
  const found = among(
    readings,
    chosenBy((one, other) => !areOfTwoLanguages(one, other) || mayBeOfOneLanguage(one, other)),
    LOOKS_MAX,
  )
  const common = readings.map(inCommonWords)
  if (common.every((reading, at) => reading === readings[at])) return found.sort(inOrder)
  const pairs = new Set(found.map(pairIn))
  const areOfTwo = chosenBy(areOfTwoLanguages)
  const more = among(common, chosenBy(mayTellMoreInCommonWords), COMMON_LOOKS_MAX, true).filter(
    (listed) =>
      !pairs.has(pairIn(listed)) && (listed.dispute !== 'likely' || areOfTwo(listed.first, listed.second)),
  )
  return [...found, ...more].sort(inOrder)
}

function inOrder(a: ListedDispute, b: ListedDispute): number {
  return a.first - b.first || a.second - b.second
}

function pairIn({ first, second }: ListedDispute): string {
  return `${first} ${second}`
}

/** Disputes of two texts each of those that are chosen. */
function among(
  readings: readonly DisputeReading[],
  areChosen: Choice,
  looks: number,
  areInCommonWords = false,
): ListedDispute[] {
  const schema = schemaOf(readings)
  const found: ListedDispute[] = []
  const holders = new Map<string, Place[]>()
  for (const [second, reading] of readings.entries()) {
    const disputed = new Set<number>()
    let left = looks / readings.length
    for (const place of placesOf(reading, second, schema)) {
      const met = new Set<Place>()
      for (const key of place.keys) {
        const known = holders.get(key) ?? []
        // The newest first, so that of very many alike the nearest in the list are still compared.
        for (let at = known.length - 1; at >= 0 && left > 0; at -= 1) {
          const other = known[at]
          if (other === undefined || other.text === second) continue
          left -= 1
          if (met.has(other) || disputed.has(other.text)) continue
          met.add(other)
          if (!areChosen(other.text, second)) continue
          left -= COMPARISON_LOOKS
          const dispute = disputeOfPlaces(readings, other, place, areInCommonWords)
          if (dispute === null) continue
          disputed.add(other.text)
          found.push(dispute)
        }
        known.push(place)
        holders.set(key, known)
      }
    }
  }
  return found
}

/** A clause of a text or, with null, the record that the text is. */
interface Place {
  readonly text: number
  readonly clause: Clause | null
  readonly keys: readonly string[]
}

function placesOf(reading: DisputeReading, text: number, schema: ReadonlySet<string>): readonly Place[] {
  if (reading.record !== null) return [{ text, clause: null, keys: namesOf(reading.record) }]
  return reading.clauses.map((clause) => ({
    text,
    clause,
    keys: [...clause.content.keys()].filter((key) => !schema.has(key)),
  }))
}

function disputeOfPlaces(
  readings: readonly DisputeReading[],
  a: Place,
  b: Place,
  areInCommonWords: boolean,
): ListedDispute | null {
  const [one, other] = [readings[a.text], readings[b.text]]
  if (one === undefined || other === undefined) return null
  const [first, second] = [a.text, b.text]
  if (a.clause === null || b.clause === null) {
    const dispute = disputeOf(one, other)
    if (dispute === null) return null
    const { kind, earlierStatement, laterStatement } = dispute
    return { first, second, dispute: kind, firstStatement: earlierStatement, secondStatement: laterStatement }
  }
  if (!isComparable(one, other) && !isComparable(other, one)) return null
  const kind =
    kindBetween(a.clause, b.clause, new ComparedTexts(one, other, areInCommonWords)) ??
    kindBetween(b.clause, a.clause, new ComparedTexts(other, one, areInCommonWords))
  if (kind === null || isRepeated(b.clause, one) || isRepeated(a.clause, other)) return null
  return {
    first,
    second,
    dispute: kind,
    firstStatement: one.text.slice(a.clause.start, a.clause.end),
    secondStatement: other.text.slice(b.clause.start, b.clause.end),
  }
}

/** Words that stand as the name of a field in more than two texts. */
function schemaOf(readings: readonly DisputeReading[]): ReadonlySet<string> {
  const texts = new Map<string, number>()
  for (const { clauses } of readings) {
    const fields = new Set(clauses.flatMap(({ fieldKeys }) => fieldKeys))
    for (const key of fields) texts.set(key, (texts.get(key) ?? 0) + 1)
  }
  return new Set([...texts].filter(([, count]) => count > SCHEMA_TEXTS_MAX).map(([key]) => key))
}
