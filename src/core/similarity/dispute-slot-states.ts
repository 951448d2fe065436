import { type Clause, isComparedAt, type Token } from './dispute-clause.ts'
import { M } from './dispute-lexicon.ts'
import type { Pair } from './dispute-pair.ts'
import { rivalry } from './dispute-rivals.ts'
import type { SlotKind } from './dispute-rows.ts'
import { STATES, type StateWord } from './dispute-slot-axes.ts'
import { DENIED_SHARED_MIN } from './dispute-slot-types.ts'
import { isSwitcher, OUT } from './dispute-slot-values.ts'
import { aloneOf, type Hole, holeOf, isCued, isSameSubject } from './dispute-subject.ts'
import { wordSet } from './fact-words.ts'

/** Opposite sides of one axis. */
export function stateKind(pair: Pair): SlotKind | null {
  const { earlier, later } = pair
  if (
    later.isPast &&
    !isCued(pair) &&
    !later.tokens.some((token) => isParticiple(token) || SWITCHED.has(token.text))
  )
    return null
  const left = statesIn(earlier)
  const right = statesIn(later)
  for (const [axis, one] of left) {
    const other = right.get(axis)
    if (other === undefined || other.isPlus === one.isPlus) continue
    if (axis !== 'allow' && (isAttribute(earlier, one.at, later) || isAttribute(later, other.at, earlier)))
      continue
    const hole = (clause: Clause, at: ReadonlySet<number>): Hole => ({ at, end: endBehind(clause, at) })
    if (isSameSubject(pair, hole(earlier, one.at), hole(later, other.at)))
      return axis === 'allow' || axis === 'must' ? policyOf(pair, one.at, other.at) : 'state'
  }
  return rivalStateKind(pair)
}

/** What is allowed is what is forbidden: at most one word is not of both. */
function policyOf(pair: Pair, a: ReadonlySet<number>, b: ReadonlySet<number>): SlotKind | null {
  const end = Number.POSITIVE_INFINITY
  return aloneOf(pair, { at: a, end }, { at: b, end }) <= 2 ? 'policy' : null
}

/** `was closed` tells how it is now, `was open` how it was. */
function isParticiple({ text }: Token): boolean {
  return (
    STATES.has(text) &&
    /(?:ed|ed off|[aeiu]d[oa]|iert|sen|ben|ssen|löst|é|ée|[aiu]t[oa]|н[ао]?|ny|na|ty|ta|zet|ten)$/.test(
      text,
    ) &&
    !/(?:activ|aktiv|open)/.test(text)
  )
}

const SWITCHED = wordSet('turned switched taken put brought paid shut sold built sent filled signed went')

/** Two words of one row of states, such as `pending` and `delivered`. */
function rivalStateKind(pair: Pair): SlotKind | null {
  const { earlier, later, earlierRest, laterRest } = pair
  if (earlier.isNegated || later.isNegated || earlier.isEvent) return null
  for (const one of earlierRest)
    for (const other of laterRest) {
      if (rivalry(one.text, other.text) !== 'state') continue
      const [a, b] = [earlier.tokens.indexOf(one), later.tokens.indexOf(other)]
      if (isAttribute(earlier, new Set([a]), later) || isAttribute(later, new Set([b]), earlier)) continue
      if (isSameSubject(pair, holeOf(earlier, [a]), holeOf(later, [b]))) return 'state'
    }
  return null
}

/** `free users`: it tells which ones. */
function isAttribute({ tokens }: Clause, at: ReadonlySet<number>, { content }: Clause): boolean {
  for (const place of at) {
    const next = tokens[place + 1]
    if (next?.isContent && content.has(next.key) && next.text.charCodeAt(0) < 0x2e7f) return true
  }
  return false
}

/** What follows `and` behind the word says something else. */
function endBehind({ tokens }: Clause, at: ReadonlySet<number>): number {
  const last = Math.max(...at)
  const and = tokens.findIndex(({ marks }, place) => place > last && (marks & M.and) !== 0)
  return and < 0 ? tokens.length : and
}

interface Sided {
  readonly isPlus: boolean
  readonly at: ReadonlySet<number>
}

function statesIn({ tokens }: Clause): ReadonlyMap<string, Sided> {
  const found = new Map<string, Sided>()
  const places = new Map<string, Set<number>>()
  const all = new Set<number>()
  let isMixed = false
  for (const [at, { text, isQuoted }] of tokens.entries()) {
    if (isQuoted) continue
    const states = outAt(tokens, at) ?? STATES.get(text) ?? switchAt(tokens, at)
    if (states === undefined) continue
    all.add(at)
    for (const { axis, isPlus } of states) {
      const known = found.get(axis)
      if (known !== undefined && known.isPlus !== isPlus) isMixed = true
      const set = places.get(axis) ?? new Set<number>()
      set.add(at)
      places.set(axis, set)
      found.set(axis, { isPlus, at: set })
    }
  }
  if (isMixed || found.size === 0) return NO_STATES
  const isDenied = isDeniedIn(tokens, all)
  const answer = new Map<string, Sided>()
  for (const [axis, { isPlus, at }] of found) {
    if (axis !== 'begin') answer.set(axis, { isPlus: isPlus !== isDenied, at })
    else if (isDenied) answer.set('finish', { isPlus: false, at })
  }
  return answer
}

/** By a word besides those at some places; `not less than 5` denies nothing. */
export function isDeniedIn(tokens: readonly Token[], besides: ReadonlySet<number>): boolean {
  let denials = 0
  let isConcord = false
  for (const [at, { marks, text }] of tokens.entries()) {
    if ((marks & (M.negation | M.concord)) === 0 || (besides.has(at) && STATES.has(text))) continue
    if (isComparedAt(tokens, at)) continue
    if ((marks & M.concord) !== 0) isConcord = true
    else denials += 1
  }
  return isConcord || denials % 2 === 1
}

export const NO_PLACES: ReadonlySet<number> = new Set()

const NO_STATES: ReadonlyMap<string, Sided> = new Map()

/** `out of order`, `out of stock`. */
function outAt(tokens: readonly Token[], at: number): readonly StateWord[] | undefined {
  if (OUT.get(tokens[at - 1]?.text ?? '') === tokens[at]?.text)
    return [
      { axis: 'health', isPlus: false },
      { axis: 'open', isPlus: false },
    ]
  if (tokens[at - 1]?.text !== 'of' || tokens[at - 2]?.text !== 'out') return undefined
  const text = tokens[at]?.text
  return text === 'stock' ? [{ axis: 'stock', isPlus: false }] : [{ axis: 'health', isPlus: false }]
}

const ON = [{ axis: 'switch', isPlus: true }]
const OFF = [{ axis: 'switch', isPlus: false }]

/** `is on`, `turned off`. */
function switchAt(tokens: readonly Token[], at: number): typeof ON | undefined {
  const text = tokens[at]?.text
  if (text !== 'on' && text !== 'off') return undefined
  const before = tokens[at - 1]
  if (before === undefined || !isSwitcher(before)) return undefined
  return text === 'on' ? ON : OFF
}

/** `needs a login` and `runs without a login`. */
export function withoutKind(pair: Pair): SlotKind | null {
  const { earlier, later, shared } = pair
  const [has, lacks] = withoutAt(later) > 0 ? [earlier, later] : [later, earlier]
  const without = withoutAt(lacks)
  if (without < 1 || withoutAt(has) > 0 || has.isNegated || shared.length < 2) return null
  const isDenied = lacks.tokens.some(
    ({ marks, text }) => (marks & (M.negation | M.concord)) !== 0 && !WITHOUT.has(text),
  )
  if (isDenied) return null
  const needs = has.tokens.findIndex(({ text }) => NEEDS.has(text))
  const what = lacks.tokens.slice(without + 1).filter(({ isContent }) => isContent)
  if (needs < 0 || what.length === 0 || what.some(({ key }) => (has.content.get(key) ?? -1) < needs))
    return null
  return aloneOf(pair, holeOf(earlier, []), holeOf(later, [])) <= 1 ? 'negation' : null
}

function withoutAt({ tokens }: Clause): number {
  return tokens.findIndex(({ text }) => WITHOUT.has(text))
}

const WITHOUT = wordSet('without ohne sans sin sem senza zonder bez без')
const NEEDS = wordSet(`
  with need needs require requires include includes contain contains has have use uses mit braucht brauchen benötigt verlangt enthält avec exige nécessite demande comprend inclut
  con necesita requiere incluye exige com precisa requer inclui exige richiede include comprende vereist bevat wymaga zawiera требует включает`)

/** One denies what the other says, in other words of the same kind. */
export function denialKind(pair: Pair): SlotKind | null {
  const { earlier, later } = pair
  if (earlier.isNegated === later.isNegated || earlier.isEvent || later.isEvent) return null
  if (((earlier.marks | later.marks) & M.restriction) !== 0 || isCued(pair) !== pair.hasCue) return null
  // `can be stacked three high` gives the number that is not denied.
  const numbers = (clause: Clause): readonly number[] =>
    clause.isNegated ? [] : [...clause.tokens.keys()].filter((at) => clause.tokens[at]?.kind === 'number')
  const [a, b] = [holeOf(earlier, numbers(earlier)), holeOf(later, numbers(later))]
  // `never open` says what `shut` says.
  const isState = ({ text }: Token): boolean =>
    STATES.get(text)?.some(({ axis }) => axis !== 'allow' && axis !== 'must') === true
  if ([...pair.earlierRest, ...pair.laterRest].some(isState)) return null
  if (pair.shared.length < DENIED_SHARED_MIN || aloneOf(pair, a, b) > 0) return null
  return isSameSubject(pair, a, b, 2) ? 'negation' : null
}
