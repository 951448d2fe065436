import type { Clause, OpenClause, Token } from './dispute-clause.ts'
import { M } from './dispute-lexicon.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// The parts of one sentence, and what stands before them.

/**
 * Tells the parts of one sentence of each other: what leads in, a case that holds for all of them, a list.
 * @param isConditional a case stands before them
 */
export function joinParts(parts: readonly OpenClause[], isConditional: boolean, isList: boolean): void {
  const [first] = parts
  const leadIn = first !== undefined && isLeadIn(first) ? first : null
  // `No more tea by hand, it is brewed when you ask`: a case within a later part is that of this part alone.
  const isOfAll = (part: OpenClause, at: number): boolean =>
    part.isConditional && (at === 0 || ((part.tokens[0]?.classes ?? 0) & W.condition) !== 0)
  const isCase = isConditional || parts.some(isOfAll)
  for (const [at, part] of parts.entries()) {
    part.isConditional ||= isCase || (at === 0 && leadIn !== null)
    if (at > 0) part.leadIn = leadIn
    part.isPart = true
    if (isList) part.isList = true
  }
}

const LEAD_IN_WORDS_MAX = 3

/** `In test 6,`: says of what the rest of the sentence is said, and states nothing itself. */
function isLeadIn({ tokens, content, classes, marks, hasNow, noLongerAt }: Clause): boolean {
  const [first, second] = tokens
  if (hasNow || noLongerAt >= 0 || content.size > LEAD_IN_WORDS_MAX) return false
  if (first === undefined || (first.isContent && !LEAD_INS.has(first.text))) return false
  if ((classes & W.copula) !== 0 || (marks & M.present) !== 0) return false
  // `Do not use tabs,` forbids; the Portuguese `do` leads in.
  if (first.text === 'do' && ((second?.marks ?? 0) & M.negation) !== 0) return false
  if ((first.classes & W.article) !== 0 || (first.text === 'on' && isFrenchVerb(tokens[1]?.text ?? '')))
    return false
  return (first.classes & W.placing) !== 0 || LEAD_INS.has(first.text)
}

/** `On utilise …`: somebody uses; but `On the bus, …`. */
function isFrenchVerb(word: string): boolean {
  return word !== 'the' && (word.endsWith('e') || FRENCH_VERBS.has(word))
}

const FRENCH_VERBS = wordSet('a va est peut doit fait met prend sert sort vend voit veut')

/** Leads to the case of which something is said. */
export function isLeadWord(token: Token | undefined): boolean {
  return (
    token !== undefined &&
    (token.classes & W.article) === 0 &&
    ((token.classes & W.placing) !== 0 || LEAD_INS.has(token.text))
  )
}

const LEAD_INS = wordSet(
  'for during with after before entre zwischen tussen per für während nach vor bei pour pendant après avant durante después antes tras dopo prima depois voor tijdens na для после до при',
)
