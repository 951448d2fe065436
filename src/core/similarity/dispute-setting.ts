import { isLedHere } from './dispute-amounts.ts'
import { type Clause, contentOf, type Token } from './dispute-clause.ts'
import { takesAt } from './dispute-events.ts'
import { lostBy } from './dispute-gone.ts'
import { M } from './dispute-lexicon.ts'
import { isDate, isName, isNumber, type Pair, WITHOUT } from './dispute-pair.ts'
import { type DisputeReading } from './dispute-reading.ts'
import { isLeadWord } from './dispute-sentence.ts'
import { FOR_WHOM } from './dispute-which.ts'
import { W } from './dispute-words.ts'
import { sideOf, wordSet } from './fact-words.ts'

/** Of what something is said, as far as it is told outside the statement: no text names something that the other does not. */
export function isOfSameSetting({ earlier, later, texts, hasCue }: Pair): boolean {
  return (
    !areOtherCases(earlier, later) &&
    !isOfOthers(texts.later, later, texts.earlier) &&
    !isOfOthers(texts.earlier, earlier, texts.later) &&
    caseOf(texts.earlier, earlier) === caseOf(texts.later, later) &&
    (hasCue ||
      !isSetApart(texts.earlier, earlier, texts.later.words) ||
      !isSetApart(texts.later, later, texts.earlier.words))
  )
}

/** Whether a text names something outside a statement that the other text has not: a person, an id, a date, or a case. */
function isSetApart(
  { clauses }: DisputeReading,
  statement: Clause,
  otherWords: ReadonlySet<string>,
): boolean {
  return clauses.some((clause) => {
    if (clause === statement) return false
    // `In playtest 6, half of them left`: what stands before in the sentence says of what.
    const isCase = clause.sentence === statement.sentence && clause.start < statement.start
    return clause.tokens.some(
      (token) => token.isContent && (isCase || isNaming(token)) && !otherWords.has(token.key),
    )
  })
}

/** `For groups, the visit …`: what stands before says for whom, of whom the other text tells nothing. */
function isOfOthers({ clauses }: DisputeReading, statement: Clause, { words }: DisputeReading): boolean {
  return clauses.some(
    ({ tokens, sentence, start }) =>
      sentence === statement.sentence &&
      start < statement.start &&
      FOR_WHOM.has(tokens[0]?.text ?? '') &&
      tokens.some(({ isContent, key }) => isContent && !words.has(key)),
  )
}

/** `During takes the light is …` and `Between takes the light is …`: each begins with a case of its own. */
function areOtherCases({ tokens: [one] }: Clause, { tokens: [other] }: Clause): boolean {
  return one?.text !== other?.text && isLeadWord(one) && isLeadWord(other)
}

/** What `without` and `before` have. */
const CASE_MARKS = M.side | M.restriction

/** `Without a proxy, …` is another case than `with a proxy, …`, and `before the sale, …` than `after the sale, …`. */
function caseOf({ clauses }: DisputeReading, { sentence, start }: Clause): string {
  let signs = ''
  if (clauses.length === 1) return signs
  for (const clause of clauses) {
    if ((clause.marks & CASE_MARKS) === 0 || clause.sentence !== sentence || clause.start === start) continue
    for (const { text, marks } of clause.tokens) {
      if ((marks & CASE_MARKS) === 0) continue
      const side = (marks & M.side) === 0 ? null : sideOf(text)
      if (WITHOUT.has(text)) signs += '-'
      else if (side?.axis === 'order') signs += side.isPlus ? '<' : '>'
    }
  }
  return signs
}

function isNaming(token: Token): boolean {
  return isName(token) || isDate(token) || isNumber(token) || (token.kind === 'word' && token.hasCapital)
}

// A later statement that says in its own words what the earlier one said.

/** `moved from 9 to 10` and `is at 10 now`: nothing but what was said, or that what was left is left. */
export function isRepetition(pair: Pair): boolean {
  const { earlier, later, earlierRest, texts } = pair
  if (isLedHere(pair)) return true
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
