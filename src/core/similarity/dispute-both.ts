import { type Clause, contentOf, type Token } from './dispute-clause.ts'
import { ENGLISH_DONE } from './dispute-events.ts'
import { M } from './dispute-lexicon.ts'
import type { Pair } from './dispute-pair.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Statements of one form that hold beside each other, though each says something of its own.

/** `Run the linter first` and `Run the tests first`: both can be done. */
export function areOrders({ earlier, later, earlierRest, laterRest }: Pair): boolean {
  const [one, other] = [earlier.tokens[0], later.tokens[0]]
  if (one?.isContent !== true || one.text !== other?.text) return false
  return isObject(earlier, earlierRest) && isObject(later, laterRest)
}

/** `The library is licensed under MIT` and `The licence of the library is MIT` end in the same. */
export function areOfOneValue({ earlier, earlierRest, later }: Pair): boolean {
  // `before the call` and `after the call`
  if (earlierRest.some(({ marks }) => (marks & (M.side | M.rival)) !== 0)) return false
  const [one, other] = [contentOf(earlier).at(-1), contentOf(later).at(-1)]
  // `out of service` and `returned to service`
  return one !== undefined && one.key === other?.key && !later.tokens.some(({ text }) => RETURNS.has(text))
}

const RETURNS = wordSet(
  'back returned zurück retour revenu revenue volvió vuelve voltou tornato tornata terug',
)

/** `Logs are encrypted` and `Logs are deleted after a month` */
export function areTwoDeeds({ earlier, earlierRest, later, laterRest }: Pair): boolean {
  const isOwnDeed = ({ tokens }: Clause, rest: readonly Token[]): boolean =>
    rest.some(
      (token) =>
        ENGLISH_DONE.test(token.text) && ((tokens[tokens.indexOf(token) - 1]?.classes ?? 0) & W.copula) !== 0,
    )
  return isOwnDeed(earlier, earlierRest) && isOwnDeed(later, laterRest)
}

/** Whether what only one of the two says comes right behind its first word. */
function isObject({ tokens }: Clause, rest: readonly Token[]): boolean {
  const next = tokens.find(
    ({ classes, text }, at) => at > 0 && (classes & W.article) === 0 && !SOME.has(text),
  )
  return next !== undefined && rest.includes(next)
}

/** `acheter du fil` */
const SOME = wordSet('du de des del della dello dei delle')

/** `Ada plans to …`, `this Friday only`: it is not so yet, or so once. */
export function isUnsettled({ earlier, later, texts }: Pair): boolean {
  return texts.areOfTwoOccasions || isPlan(earlier, later) || isPlan(later, earlier) || texts.areOpen
}

function isPlan({ tokens }: Clause, { classes }: Clause): boolean {
  return tokens.some(({ text }, at) => {
    const next = tokens[at + 1]?.text ?? ''
    if (PLANS.has(text)) return next === 'to'
    if (PROPOSES.has(text)) return next === 'that'
    if (WANTS.has(text) && (classes & W.prefers) === 0)
      return next === 'to' && TRIES.has(tokens[at + 2]?.text ?? '')
    if (PLANNING.has(text)) return ((tokens[at - 1]?.classes ?? 0) & W.copula) !== 0
    if ((classes & W.prefers) !== 0) return false
    return DREAMS.has(text) || (text === 'would' && LIKES.has(next) && tokens[at + 2]?.text === 'to')
  })
}

const PLANS = wordSet('plan plans hope hopes hoping planning')
const PROPOSES = wordSet('propose proposes proposed suggest suggests suggested request requests requested')
const WANTS = wordSet('want wants')
const TRIES = wordSet('try test compare evaluate explore discuss propose move switch replace')
const PLANNING = wordSet('preparing considering weighing contemplating')
const LIKES = wordSet('love like prefer')
const DREAMS = wordSet(
  'songe songent envisage envisagent erwägt erwägen aimerait aimeraient souhaiterait souhaiteraient wünscht wünschen quisiera quisieran vorrebbe vorrebbero gostaria gostariam',
)

/** `now has a lift`, `now sells milk`: what it had before, it has still. */
export function isGain({ tokens }: Clause, at: number): boolean {
  return [tokens[at + 1], tokens[at - 1]].some(
    (token) => token !== undefined && (HAS.has(token.text) || OFFERS.has(token.text)),
  )
}

/** What is sold or listed, something else may be beside it. */
export const SELLS = wordSet(
  'sell sells support supports list lists stock stocks verkauft vend vende verkoopt продаёт',
)
const OFFERS = new Set([
  ...SELLS,
  ...wordSet(`
    offer offers show shows include includes carry carries bietet zeigt unterstützt propose affiche ofrece muestra oferece mostra offre biedt toont показывает`),
])

export const HAS = wordSet('has have hat haben ont tiene tienen ha hanno tem têm heeft hebben имеет имеют')
