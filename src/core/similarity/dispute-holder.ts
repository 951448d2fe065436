import type { Clause, Token } from './dispute-clause.ts'
import { differsInValue, isFiller, isIndefiniteAt, isNamed, isSameForm, leadOf } from './dispute-kinds.ts'
import type { Pair } from './dispute-pair.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Who holds something, or is asked about it.

/** One person or firm in place of another, where only one can be. */
export function differsInHolder(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest, shared } = pair
  if (earlier.isNegated || later.isNegated) return false
  if (!isFiller(earlierRest) || !isFiller(laterRest)) return false
  if (![...earlierRest, ...laterRest].every(isNamed)) return false
  if (differsInValue(pair)) return hasRole(earlier) && hasRole(later)
  if (isTheOne(earlier, earlierRest) && isTheOne(later, laterRest) && isSameForm(pair)) return true
  if (isAddressed(earlier, earlierRest) && isAddressed(later, laterRest)) return shared.length > 1
  const isHolder = (clause: Clause, filler: readonly Token[]): boolean =>
    filler.every((token) => clause.tokens.indexOf(token) < firstOf(clause, shared)) &&
    hasOwnRole(clause, shared)
  return isHolder(earlier, earlierRest) && isHolder(later, laterRest)
}

const DEFINITE = wordSet('the der die das le la el o il de het')
const IS = wordSet('is ist est es é è')

/** `The courier for returns is DHL`: of what has an article there is one, and the name is what it is. */
function isTheOne({ tokens }: Clause, filler: readonly Token[]): boolean {
  const is = tokens.findIndex(({ text }) => IS.has(text))
  return (
    is > 1 &&
    DEFINITE.has(tokens[0]?.text ?? '') &&
    filler.length === tokens.length - is - 1 &&
    filler.every((token) => tokens.indexOf(token) > is)
  )
}

const ADDRESSES = wordSet(`
  ask contact call notify escalate send report assign route forward hand email ping tell go goes page consult frage kontaktiere melde schicke
  demander contacter envoyer preguntar contactar enviar avisar perguntar contatar chiedere contattare vraag bel спроси обращаться отправлять`)

/** Whether a statement may name who holds something, or whom to ask; `classes` are those of all its words. */
export function mayNameHolder({ tokens }: Clause, classes: number): boolean {
  if ((classes & W.role) !== 0 || DEFINITE.has(tokens[0]?.text ?? '')) return true
  return tokens.some(({ text }) => ADDRESSES.has(text))
}

/** One person is named as whom to ask, or to whom something goes. */
function isAddressed(clause: Clause, filler: readonly Token[]): boolean {
  const [first] = filler
  if (first === undefined || !clause.tokens.some(({ text }) => ADDRESSES.has(text))) return false
  const lead = leadOf(clause, clause.tokens.indexOf(first))
  return lead !== null && ((lead.classes & W.to) !== 0 || ADDRESSES.has(lead.text))
}

function firstOf(clause: Clause, shared: readonly string[]): number {
  return Math.min(...shared.map((key) => clause.content.get(key) ?? Number.POSITIVE_INFINITY))
}

function hasRole(clause: Clause): boolean {
  return (clause.classes & W.role) !== 0
}

/** A role that both statements name, and not as one of several. */
function hasOwnRole(clause: Clause, shared: readonly string[]): boolean {
  return clause.tokens.some(
    (token, at) =>
      (token.classes & W.role) !== 0 && shared.includes(token.key) && !isIndefiniteAt(clause, at),
  )
}
