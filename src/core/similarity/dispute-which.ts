import type { Clause, Token } from './dispute-clause.ts'
import { M } from './dispute-lexicon.ts'
import { isNumber, type Pair } from './dispute-pair.ts'
import { W } from './dispute-words.ts'
import { sideOf, wordSet } from './fact-words.ts'

// Of which of several something is said: of all, of some, of those below a bound.

/** What is said of all may be otherwise for some of them; what is said of all later holds for each of which it was said. */
export function isExcepted({ earlier, later }: Pair): boolean {
  return isOfAll(earlier) && !isOfAll(later) && !isOfEach(later)
}

function isOfAll({ tokens }: Clause): boolean {
  // `every 10 minutes` says how often.
  return tokens.some(({ text }, at) => ALL.has(text) && tokens[at + 1]?.kind !== 'number')
}

/** What was so of all is so of some of them only now. */
export function isNowOfSome({ earlier, later, shared, earlierRest, hasCue }: Pair): boolean {
  if (!hasCue || earlier.isNegated || later.isNegated || !isOfAll(earlier) || isOfAll(later)) return false
  if (shared.length < 2 || earlierRest.length > 1) return false
  return (
    (later.marks & ~earlier.marks & M.restriction) !== 0 && later.tokens.some(({ text }) => ONLY.has(text))
  )
}

const ONLY = wordSet('only nur seulement solo sólo só alleen tylko только 只 仅')

/** `per guest` says `each guest`. */
function isOfEach({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => text === 'per' || text === 'pro' || text === 'apiece')
}

const ALL = wordSet(`
  all every each everybody everyone anyone anybody jedermann alle allen jede jeder jedes jeden jedem tous toutes tout toute chaque todo toda todos todas cada tutti tutte ogni elke iedere
  все всех каждый каждая каждое wszystkie każdy każda 所有 每个 全部`)

/** A word that only one has says of which it is said: `draft reports` are some of the `reports`, `for guests`. */
export function isNarrowed({ tokens, content }: Clause, rest: readonly Token[]): boolean {
  return rest.some((token) => {
    if (FOR_WHOM.has(tokens[tokens.indexOf(token) - 1]?.text ?? '')) return true
    const next = tokens[tokens.indexOf(token) + 1]
    if (tokens[tokens.indexOf(token) - 1]?.text === 'who' || RUNS.has(token.text)) return false
    return !isNumber(token) && next?.kind === 'word' && content.has(next.key) && !rest.includes(next)
  })
}

/** `the lid of the box`, and not `the price of the box`: what only one of two names is a part of what both name. */
export function isOfPart({ tokens }: Clause, rest: readonly Token[]): boolean {
  return rest.some((token) => isPartAt(tokens, tokens.indexOf(token), rest))
}

function isPartAt(tokens: readonly Token[], at: number, rest: readonly Token[]): boolean {
  const token = tokens[at]
  if (token?.kind !== 'word' || (token.classes & (W.slot | W.measure | W.role | W.plan)) !== 0) return false
  if (!OF_WORDS.has(tokens[at + 1]?.text ?? '')) return false
  const whole = tokens.slice(at + 2, at + 4).find(({ classes }) => (classes & W.article) === 0)
  return whole?.isContent === true && whole.kind === 'word' && !rest.includes(whole)
}

export const OF_WORDS = wordSet('of des der du de del della dello dei delle do da dos das van von')

/** `The tills run version 5`: what runs is no kind of version. */
const RUNS = wordSet('run runs use uses')
export const FOR_WHOM = wordSet('for für pour para per voor для')

/** `below 100` may be 80. */
export function isWithin({ tokens }: Clause, number: Token): boolean {
  return sideOf(tokens[tokens.indexOf(number) - 1]?.text ?? '')?.axis === 'height'
}

/** `The red lamp is …`, `Public rooms are …`: says of which of several it is said; `Close the gate` does not. */
export function tellsWhich({ tokens }: Clause, word: Token): boolean {
  const at = tokens.indexOf(word)
  if (tokens[at + 1]?.isContent !== true) return false
  // `in the beta ring`, wherever it stands.
  if ((word.classes & W.qualifier) !== 0) return true
  if (tokens.slice(0, at).some(({ isContent }) => isContent)) return false
  const isNoun = at > 0 && ((tokens[at - 1]?.classes ?? 0) & W.article) !== 0
  return (
    isNoun ||
    tokens.slice(at).some(({ classes, marks }) => (classes & W.copula) !== 0 || (marks & M.present) !== 0)
  )
}

/** What is so for a reason, or for somebody: where both say for what, each is another case. */
export function withoutReasons(pair: Pair): readonly [readonly Token[], readonly Token[]] {
  const { earlier, later, earlierRest, laterRest, shared, hasCue } = pair
  const one = withoutReason(earlier, earlierRest)
  const other = withoutReason(later, laterRest)
  if (hasCue) return [one, laterRest]
  return shared.length > 1 && (one === earlierRest || other === laterRest)
    ? [one, other]
    : [earlierRest, laterRest]
}

/** `closed for repairs`: what was so for a reason is otherwise now. */
function withoutReason({ tokens }: Clause, rest: readonly Token[]): readonly Token[] {
  const [state, ...reason] = rest
  if (state === undefined || reason.length !== 1) return rest
  return FOR_REASON.has(tokens[tokens.indexOf(state) + 1]?.text ?? '') ? [state] : rest
}

const FOR_REASON = wordSet('for due because wegen pour por para per voor für из-за на vanwege')
