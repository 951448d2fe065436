import { OUTCOME_AXES, type Quantity, wordSet } from './fact-words.ts'
import { type Reading, readText, sharedShare, subjectOf } from './reading.ts'
import type { Statement } from './statement.ts'

/** What two statements disagree about, in the order in which it is reported. */
export const DISPUTES = ['negation', 'outcome', 'opposite', 'number', 'value'] as const
export type Dispute = (typeof DISPUTES)[number]

/** Two texts of a list, `first < second`, and what they disagree about. */
export interface Contradiction {
  readonly first: number
  readonly second: number
  readonly dispute: Dispute
}

/** Share of the subject words of two statements that must be equal. */
const SUBJECT_SHARE_MIN = 0.8
/** Share of the smaller text's content words that must be in the other: a common line does not make a common subject. */
const CONTEXT_SHARE_MIN = 0.5
/** "Definitely" and "definitely not" are no statements about anything. */
const NEGATED_SUBJECT_WORDS_MIN = 2
/** Pairs of statements compared in one call: a list of logs is alike everywhere and would never end. */
const COMPARISONS_MAX = 300_000

/** What two texts contradict each other in, null when in nothing. Symmetric; null for a text and itself. */
export function contradicts(a: string, b: string): Dispute | null {
  // A fixed order, so that the answer is symmetric even where the bound on comparisons is met.
  const pair = a < b ? [a, b] : [b, a]
  return contradictionsAmong(pair)[0]?.dispute ?? null
}

/**
 * The pairs of texts that contradict each other. Conservative: two statements must have the same subject (at least
 * 80 % of the content words, the same identifiers), stand in texts that share half of their words, and differ in exactly
 * one thing: a negation, the side of one opposition, one number of the same unit, or the value of a slot that has one
 * value (`default branch`). Questions assert nothing, and a statement that both texts make is not in dispute. At most
 * 300 000 pairs of statements are compared.
 */
export function contradictionsAmong(texts: readonly string[]): readonly Contradiction[] {
  const readings = texts.map(readText)
  const subjects = readings.map(subjectOf)
  const assertions = readings.flatMap(assertionsOf)
  const stated = statedBy(assertions)
  const found = new Map<string, Contradiction | null>()
  const keep = (a: Assertion, b: Assertion, dispute: Dispute | null): void => {
    if (dispute === null || stated.get(a.key)?.has(b.text) || stated.get(b.key)?.has(a.text)) return
    const [first, second] = a.text < b.text ? [a.text, b.text] : [b.text, a.text]
    const pair = `${first} ${second}`
    const known = found.get(pair)
    if (known === undefined) {
      const isRelated = isSameContext(subjects[first], subjects[second])
      found.set(pair, isRelated ? { first, second, dispute } : null)
    } else if (known !== null && DISPUTES.indexOf(dispute) < DISPUTES.indexOf(known.dispute)) {
      found.set(pair, { first, second, dispute })
    }
  }
  let left = COMPARISONS_MAX
  for (const [keys, disputeOf] of [
    [subjectPrefixes(assertions), disputeOfAssertions],
    [assertions.map(slotKeys), disputeOfValues],
  ] as const) {
    left = eachPair(assertions, keys, left, (a, b) => keep(a, b, disputeOf(a.statement, b.statement)))
  }
  return [...found.values()]
    .filter((contradiction) => contradiction !== null)
    .sort((a, b) => a.first - b.first || a.second - b.second)
}

interface Assertion {
  readonly text: number
  /** The words of the statement: equal for a statement that another text makes as well. */
  readonly key: string
  readonly statement: Statement
}

function assertionsOf(reading: Reading, text: number): readonly Assertion[] {
  const byKey = new Map<string, Assertion>()
  for (const statement of reading.statements) {
    if (statement.isQuestion || statement.content.size + statement.identifiers.length === 0) continue
    const key = statement.words.join(' ')
    byKey.set(key, { text, key, statement })
  }
  return [...byKey.values()]
}

function isSameContext(a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): boolean {
  return a !== undefined && b !== undefined && sharedShare(a, b) >= CONTEXT_SHARE_MIN
}

function statedBy(assertions: readonly Assertion[]): ReadonlyMap<string, ReadonlySet<number>> {
  const stated = new Map<string, Set<number>>()
  for (const { key, text } of assertions) {
    const texts = stated.get(key)
    if (texts === undefined) stated.set(key, new Set([text]))
    else texts.add(text)
  }
  return stated
}

/**
 * For each assertion the rarest of its subject words, as many as make sure that two assertions with the share of
 * `SUBJECT_SHARE_MIN` have one of them in common.
 */
function subjectPrefixes(assertions: readonly Assertion[]): readonly (readonly string[])[] {
  const frequency = new Map<string, number>()
  const subjects = assertions.map(({ statement }) => [
    ...statement.content,
    ...new Set(statement.identifiers),
  ])
  for (const subject of subjects)
    for (const word of subject) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  return subjects.map((subject) => {
    const size = subject.length - Math.ceil(SUBJECT_SHARE_MIN * subject.length) + 1
    return subject
      .sort((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || (a < b ? -1 : 1))
      .slice(0, size)
  })
}

/** Hands over the pairs of different texts that share a key, once each; answers how many more may follow. */
function eachPair(
  assertions: readonly Assertion[],
  keys: readonly (readonly string[])[],
  pairsMax: number,
  sink: (a: Assertion, b: Assertion) => void,
): number {
  const holders = new Map<string, number[]>()
  let left = pairsMax
  for (const [at, assertion] of assertions.entries()) {
    const met = new Set<number>()
    for (const key of keys[at] ?? []) {
      for (const other of holders.get(key) ?? []) {
        const earlier = assertions[other]
        // Holders come in the order of the texts: what follows is of the same text.
        if (earlier === undefined || earlier.text === assertion.text) break
        if (met.has(other)) continue
        if (left === 0) return 0
        left -= 1
        met.add(other)
        sink(earlier, assertion)
      }
      const known = holders.get(key)
      if (known === undefined) holders.set(key, [at])
      else known.push(at)
    }
  }
  return left
}

function disputeOfAssertions(a: Statement, b: Statement): Dispute | null {
  if (a.isPast !== b.isPast || !isSameList(a.identifiers, b.identifiers)) return null
  if (!isSameSubject(a.content, b.content)) return null
  const axis = flippedAxis(a, b)
  const number = compareNumbers(a, b)
  if (axis === 'unlike' || number === 'unlike') return null
  if (a.isNegated !== b.isNegated) {
    const isBare = Math.min(a.content.size, b.content.size) + a.identifiers.length < NEGATED_SUBJECT_WORDS_MIN
    return axis === null && number === 'same' && !isBare ? 'negation' : null
  }
  // Neither two denials nor two reports of the past exclude each other.
  if (a.isNegated || a.isPast) return null
  if (axis !== null) return number === 'same' ? (OUTCOME_AXES.has(axis) ? 'outcome' : 'opposite') : null
  return number === 'differs' ? 'number' : null
}

function isSameSubject(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  let shared = 0
  for (const word of a) if (b.has(word)) shared += 1
  return shared >= SUBJECT_SHARE_MIN * (a.size + b.size - shared)
}

/** The one axis on which two statements take different sides; `unlike` when they do not speak of the same axes. */
function flippedAxis(a: Statement, b: Statement): string | null {
  if (a.sides.size !== b.sides.size) return 'unlike'
  let flipped: string | null = null
  for (const [axis, side] of a.sides) {
    const other = b.sides.get(axis)
    if (side === null || other === undefined || other === null) return 'unlike'
    if (side === other) continue
    if (flipped !== null) return 'unlike'
    flipped = axis
  }
  return flipped
}

/** What was measured differs from time to time. */
const MEASURES = wordSet('took takes lasted cost found saw counted measured ran dauerte kostete')

function compareNumbers(a: Statement, b: Statement): 'same' | 'differs' | 'unlike' {
  const onlyA = without(a.quantities, b.quantities)
  const onlyB = without(b.quantities, a.quantities)
  if (onlyA.length + onlyB.length === 0) return 'same'
  const [left] = onlyA
  const [right] = onlyB
  if (left === undefined || right === undefined || onlyA.length + onlyB.length > 2) return 'unlike'
  if (left.dimension !== right.dimension) return 'unlike'
  // Two dates or codes exclude each other only as the value of something.
  if ((left.dimension === 'code' || a.isDated) && (a.subject === null || b.subject === null)) return 'unlike'
  return a.words.some((word) => MEASURES.has(word)) ? 'unlike' : 'differs'
}

function without(all: readonly Quantity[], taken: readonly Quantity[]): readonly Quantity[] {
  const left = new Map<string, number>()
  for (const { key } of taken) left.set(key, (left.get(key) ?? 0) + 1)
  return all.filter(({ key }) => {
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
}

const VALUE_WORDS_MAX = 2
/** Things that have one value at a time. */
const SLOTS =
  wordSet(`name branch port version host hostname url path timeout limit owner language database framework editor theme mode format
   colour color region timezone deadline email address compiler runtime licence license provider currency locale
   standardbranch sprache datenbank langue base idioma língua язык порт`)
const SINGULAR = wordSet(
  'default preferred primary favorite favourite main current standard défaut principal',
)

/** A key for a statement that gives a slot its value, none for any other. */
function slotKeys({ statement }: Assertion): readonly string[] {
  const { subject, value, isNegated, isPast } = statement
  if (subject === null || isNegated || isPast || value.length === 0 || value.length > VALUE_WORDS_MAX)
    return []
  if (!SLOTS.has(subject.at(-1) ?? '') && !subject.some((word) => SINGULAR.has(word))) return []
  return [subject.toSorted().join(' ')]
}

/** For two statements with the same slot. */
function disputeOfValues(a: Statement, b: Statement): Dispute | null {
  if (flippedAxis(a, b) !== null || compareNumbers(a, b) !== 'same') return null
  return a.value.some((word) => b.value.includes(word)) ? null : 'value'
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.toSorted().join(' ') === b.toSorted().join(' ')
}
