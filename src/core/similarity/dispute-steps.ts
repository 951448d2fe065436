import type { Token } from './dispute-clause.ts'
import { isName, isNumber, type Pair } from './dispute-pair.ts'
import { sortOf } from './dispute-sorts.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

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
