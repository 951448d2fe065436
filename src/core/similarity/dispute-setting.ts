import type { Clause, Token } from './dispute-clause.ts'
import { M } from './dispute-lexicon.ts'
import { isDate, isName, isNumber, type Pair, WITHOUT } from './dispute-pair.ts'
import { isLeadWord } from './dispute-parts.ts'
import type { DisputeReading } from './dispute-reading.ts'
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
      FOR.has(tokens[0]?.text ?? '') &&
      tokens.some(({ isContent, key }) => isContent && !words.has(key)),
  )
}

const FOR = wordSet('for für pour para per voor для')

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
