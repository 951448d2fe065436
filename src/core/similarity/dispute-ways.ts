import { type Clause, type Token } from './dispute-clause.ts'
import { M } from './dispute-lexicon.ts'
import { isOrder, meansAt } from './dispute-means.ts'
import { isName, isNumber, type Pair } from './dispute-pair.ts'
import { CALL_VERBS, PURPOSES } from './dispute-parts.ts'
import { sortOf } from './dispute-sorts.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// What is run or used for a purpose, said in any order.

/** What something is done for, and what is run or used for it. */
interface Way {
  readonly purpose: readonly string[]
  readonly how: readonly string[]
  /** What is run for a purpose is one thing; of what is used there may be several. */
  readonly isRun: boolean
  /** `is printed with planner`: something else may be, too, unless it is run. */
  readonly isTold: boolean
  /** `Worker logs: …`: what is done with them is not said. */
  readonly isField: boolean
}

/** Most statements name no way: looked at before any is read. */
export function hasWay({ tokens }: Clause): boolean {
  const first = tokens[0]?.text ?? ''
  if (PURPOSES.has(first) || CALL_VERBS.has(first)) return true
  return tokens.some(({ text }) => AS.has(text)) || tokens.some(isPath)
}

const HOW_WORDS_MAX = 6

/** `To print the plan, run planner -p`, `The plan is printed with planner -p`, `planner -p prints the plan`, `Plan: planner -p`. */
export function wayOf(clause: Clause): Way | null {
  const { tokens, isNegated } = clause
  const [first] = tokens
  if (first === undefined || isNegated) return null
  const size = tokens.length
  if (PURPOSES.has(first.text)) {
    const call = tokens.findIndex(({ text, kind }, at) => at > 1 && (kind === 'sign' || CALL_VERBS.has(text)))
    return call < 0
      ? null
      : way(clause, keysIn(tokens, 1, call), call + 1, size, tokens[call]?.kind === 'sign')
  }
  if (CALL_VERBS.has(first.text)) {
    const purpose = tokens.findIndex(({ text }, at) => at > 1 && PURPOSES.has(text))
    if (purpose > 0) return way(clause, keysIn(tokens, purpose + 1, size), 1, purpose)
  }
  const means = Math.max(meansAt(clause), asAt(clause))
  if (means > 0 && isOrder(clause)) return way(clause, keysIn(tokens, 0, means), means + 1, size)
  return (means > 0 ? passiveWay(clause, means) : null) ?? firstWay(clause) ?? fieldWay(clause)
}

function way(clause: Clause, purpose: readonly string[], from: number, to: number, isRun = false): Way {
  const { tokens } = clause
  return {
    purpose,
    how: keysIn(tokens, from, to),
    isRun: isRun || isRunIn(clause) || tokens.slice(from, to).some(isPath),
    isTold: false,
    isField: false,
  }
}

/** `The plan is printed with planner -p`, `se imprimen con …` */
function passiveWay(clause: Clause, means: number): Way | null {
  const { tokens } = clause
  const is = tokens.findIndex(
    ({ marks, text }, at) => at > 0 && ((marks & M.present) !== 0 || ITSELF.has(text)),
  )
  const done = tokens[means - 1]
  if (is < 0 || done === undefined || is > means - 2) return null
  const purpose = [...new Set([...keysIn(tokens, 0, is), done.key])]
  return { ...way(clause, purpose, means + 1, tokens.length), isTold: true }
}

const ITSELF = wordSet('se si')

/** `planner -p prints the plan` */
function firstWay(clause: Clause): Way | null {
  const { tokens } = clause
  const verb = tokens.findIndex(({ text }, at) => at > 0 && DOES.has(text))
  const done = tokens[verb]
  if (done === undefined || !tokens.slice(0, verb).some(isPath)) return null
  return way(clause, [done.key, ...keysIn(tokens, verb + 1, tokens.length)], 0, verb, true)
}

const DOES = wordSet('starts runs triggers builds rebuilds launches restarts seeds')

/** `Plan: planner -p` */
function fieldWay(clause: Clause): Way | null {
  const { tokens, fieldKeys } = clause
  const sign = tokens.findIndex(({ kind }) => kind === 'sign')
  const value = tokens.slice(sign + 1)
  // One path alone tells where it is.
  if (fieldKeys.length < FIELD_WORDS_MIN || value.length < 2 || !value.some(isPath)) return null
  return { ...way(clause, fieldKeys, sign + 1, tokens.length, true), isField: true }
}

const FIELD_WORDS_MIN = 2

/** A flag, a path, or a word with signs in it, as commands have. */
function isPath(token: Token): boolean {
  return isName(token) && !/^\d/.test(token.text)
}

/** `Send it as HTML`: in which form something is done. */
function asAt({ tokens }: Clause): number {
  return tokens.findIndex(({ text }, at) => at > 1 && AS.has(text))
}

const AS = wordSet('as als comme como come jako')

function keysIn(tokens: readonly Token[], from: number, to: number): readonly string[] {
  return tokens
    .slice(from, to)
    .filter(({ isContent }) => isContent)
    .map(({ key }) => key)
}

/** `run`, not `use`. */
export function isRunIn({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => RUNS.has(text))
}

const RUNS = wordSet(
  'run type execute invoke führe rufe exécute exécutez exécuter lance lancez lancer ejecuta ejecute ejecutar esegui eseguire execute draai запусти запустите выполни',
)

/** Has a name of its own: `Penpot`, `bin/seed`. */
function isProduct(token: Token): boolean {
  return token.kind !== 'word' || token.hasCapital
}

/** For one purpose another thing is run. */
export function differsInWay({ earlier, later, earlierRest, laterRest, shared }: Pair): boolean {
  // Each runs something of its own.
  if (earlierRest.length === 0 || laterRest.length === 0) return false
  // `first` and `last` part two steps from each other, and of tools for one work several may be used.
  if ([...earlierRest, ...laterRest].some(({ classes }) => (classes & W.qualifier) !== 0)) return false
  const one = wayOf(earlier)
  const other = one === null ? null : wayOf(later)
  if (one === null || other === null || one.purpose.length === 0 || (one.isField && other.isField))
    return false
  const isOneEach = one.isRun || other.isRun || (asAt(earlier) >= 0 && !one.isTold)
  if (!isOneEach && (one.isTold || other.isTold)) return false
  if (!isOneEach && !(earlierRest.every(isProduct) && laterRest.every(isProduct))) return false
  if (one.how.length > HOW_WORDS_MAX || other.how.length > HOW_WORDS_MAX) return false
  if (!isFor(one, other) || !isFor(other, one)) return false
  const isOwn = (way: Way, than: Way): boolean =>
    way.how.some((key) => !than.how.includes(key) && !shared.includes(key))
  return isOwn(one, other) && isOwn(other, one)
}

/** Whether the one serves what the other is for; of a field the verb is not said. */
function isFor(one: Way, { purpose, isField }: Way): boolean {
  const missing = purpose.filter((key) => !one.purpose.includes(key)).length
  return missing === 0 || (one.isField && !isField && missing === 1)
}

// From which value to which one something was brought: `3.1 -> 3.4`, `raised from 20 to 25`.

/** The later brings what the earlier gives to another value, and names both. */
export function isBrought({ earlier, later, earlierRest, laterRest, shared, texts }: Pair): boolean {
  if (earlier.isNegated || later.isNegated || earlier.changeAt >= 0 || !laterRest.some(isNumber)) return false
  const at = later.tokens.findIndex((_, place) => isStepAt(later.tokens, place))
  const [old, next] = [later.tokens[at], later.tokens[at + 2]]
  if (old === undefined || next === undefined) return false
  if (!isArrow(later.tokens[at + 1]) && !isRaised(later.tokens, at) && later.changeAt < 0) return false
  if (!earlier.content.has(old.key) || earlier.content.has(next.key) || earlierRest.some(isNumber))
    return false
  if (texts.earlier.clauses.length > 1 || !shared.some((key) => !key.startsWith('='))) return false
  // What only one names, is another thing, unless it is only a word more.
  const one = earlierRest.filter((token) => !isOfChange(token))
  const other = laterRest.filter((token) => token !== next && !isOfChange(token))
  if (one.some(isOwn) && other.some(isOwn)) return false
  return one.length === 0 || (other.length === 0 && !isArrow(later.tokens[at + 1]))
}

/** `It is not on 9 but on 23 May`: of what the earlier says the later denies one value, and gives another of that sort. */
export function isCorrectedTo({ earlier, later, earlierRest, laterRest }: Pair): boolean {
  if (!later.isNegated || earlier.isNegated || earlierRest.length > 0) return false
  const but = later.tokens.findIndex(({ text }, at) => at > 1 && BUT.has(text))
  if (but < 0) return false
  const values = laterRest.filter((token) => sortOf(later, token) !== '')
  const [value] = values
  if (value === undefined || values.length > 1 || later.tokens.indexOf(value) < but) return false
  const sort = sortOf(later, value)
  return earlier.tokens.some((token) => later.content.has(token.key) && sortOf(earlier, token) === sort)
}

const BUT = wordSet('but sondern mais sino mas ma maar а')

function isStepAt(tokens: readonly Token[], at: number): boolean {
  const [old, lead, next] = [tokens[at], tokens[at + 1], tokens[at + 2]]
  if (old?.kind !== 'number' || next?.kind !== 'number' || lead === undefined) return false
  if (!isNumber(old) || !isNumber(next) || (lead.classes & W.to) === 0) return false
  return isArrow(lead) || ((tokens[at - 1]?.classes ?? 0) & W.from) !== 0
}

function isArrow(token: Token | undefined): boolean {
  return token?.text === '->'
}

function isRaised(tokens: readonly Token[], at: number): boolean {
  return tokens.slice(0, at).some(({ text }) => RAISES.has(text)) || RAISES.has(tokens[at + 3]?.text ?? '')
}

function isOwn({ hasCapital, kind }: Token): boolean {
  return hasCapital || kind !== 'word'
}

/** Words of a note of what was changed, and of what has a version. */
function isOfChange(token: Token): boolean {
  return !isName(token) && (RAISES.has(token.text) || NOTES.has(token.text) || (token.classes & W.slot) !== 0)
}

const RAISES = wordSet(`
  bump bumps bumped raise raises raised lift lifts cut cuts drop drops dropped fell falls rose rises grew grows went goes up down upgrade upgrades upgraded downgrade increase increases
  erhöht gesenkt angehoben steigt sinkt gestiegen gesunken relevé relevée passe monte baisse sube baja subió bajó sale scende sobe desce verhoogd verlaagd`)
const NOTES = wordSet(
  'chore deps dependencies feat fix fixed build ci pinned pin set held kept running runs run',
)
