import { type Clause, contentOf, type Token } from './dispute-clause.ts'
import { lostBy } from './dispute-gone.ts'
import { takesAt } from './dispute-handover.ts'
import { M } from './dispute-lexicon.ts'
import { isDate, type Pair } from './dispute-pair.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// A later statement that says in its own words what the earlier one said.

/** `moved from 9 to 10` and `is at 10 now`: nothing but what was said, or that what was left is left. */
export function isRepetition({ earlier, later, earlierRest, texts }: Pair): boolean {
  if (((later.marks ^ earlier.marks) & M.restriction) !== 0 || endOf(later) !== undefined) return false
  const lost = lostBy(earlier)
  const isOfLost = lost.some(({ key }) => later.content.has(key))
  const isDenied =
    later.isContrast ||
    later.noLongerAt >= 0 ||
    later.isNegated !== earlier.isNegated ||
    (later.marks & M.instead) !== 0
  if (isDenied !== isOfLost || (!isDenied && texts.later.clauses.length > 1)) return false
  const said = contentOf(later).filter(
    (token) => !earlier.content.has(token.key) && token !== later.tokens[later.changeAt],
  )
  if (isDenied) return said.length === 0
  if (said.length === 0)
    return (
      lost.length > 0 ||
      Math.max(earlier.changeAt, later.changeAt) >= 0 ||
      (earlierRest.length === 0 && sayingOf(earlier) === sayingOf(later))
    )
  // `Greta took over the rota from Bo` and `Greta plans the rota now`: who holds it is said.
  const [does, ...more] = said
  return does !== undefined && more.length === 0 && takesAt(earlier.tokens) > 0 && !isValue(does)
}

/** Its words, but for those that say since when. */
function sayingOf({ tokens }: Clause): string {
  return tokens
    .filter(({ classes, text }) => (classes & W.now) === 0 && !STILL.has(text))
    .map(({ text }) => text)
    .join(' ')
}

const STILL = wordSet(
  'again still from on wieder noch weiterhin toujours encore siempre todavía ainda ancora nog снова всё',
)

function isValue(token: Token): boolean {
  return token.kind !== 'word' || token.hasCapital || isDate(token)
}

/** `was switched off` and `no longer runs`: what has ended is not there. */
export function isEnd({ earlier, later }: Pair): boolean {
  const [one, other] = [endOf(earlier), endOf(later)]
  if (one !== undefined && !earlier.isNegated && (later.isNegated || later.noLongerAt >= 0))
    return !later.tokens.some(({ text }) => text === one.text)
  if (other === undefined || later.isNegated || !earlier.isNegated) return false
  return !earlier.tokens.some(({ text }) => text === other.text)
}

/** The word that says that something is no more, or that somebody left. */
function endOf({ tokens, goneAt }: Clause): Token | undefined {
  return tokens[goneAt] ?? tokens.find(({ marks, text }) => (marks & M.left) !== 0 || text === 'off')
}
