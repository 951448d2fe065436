import { type Clause, contentOf, type Token } from './dispute-clause.ts'
import { isDayIn } from './dispute-dates.ts'
import { isOnePiece } from './dispute-fields.ts'
import { isIndefiniteAt } from './dispute-kinds.ts'
import { M } from './dispute-lexicon.ts'
import { isDate, isName, isNumber, type Pair } from './dispute-pair.ts'
import { isNarrowed } from './dispute-which.ts'
import { W } from './dispute-words.ts'

// Two statements about the same that are put in other words, and differ in a value that tells its kind by itself.

/** Of the words that say something about what is measured or dated, both have this share. */
const SHARE_MIN = 0.6
const SHARED_MIN = 2

/** `Rent for the shop is 900 a month` and `The shop costs 950 rent every month`: one number of one unit each. */
export function isNumberReworded(pair: Pair): boolean {
  const { earlier, later } = pair
  if (earlier.isNegated !== later.isNegated || !isOfSame(pair)) return false
  const [one, ...more] = numbersIn(earlier)
  const [other, ...others] = numbersIn(later)
  if (one === undefined || other === undefined || more.length + others.length > 0 || one.key === other.key)
    return false
  const unit = unitOf(earlier, one)
  return unit !== '' && unit === unitOf(later, other)
}

/** `Paulo waters the plants` and `The plants are watered by Ines`: who does it is the only difference. */
export function isDoerReworded({ earlier, later, earlierRest, laterRest, shared }: Pair): boolean {
  if (earlier.isNegated || later.isNegated || shared.length < SHARED_MIN) return false
  if (!isOneName(earlier, earlierRest) || !isOneName(later, laterRest)) return false
  const [one, other] = [isDoneBy(earlier, earlierRest), isDoneBy(later, laterRest)]
  if (one !== other) return isDoer(one ? later : earlier, one ? laterRest : earlierRest)
  // Of what one is responsible, whatever stands first.
  return isResponsible(earlier, earlierRest) && isResponsible(later, laterRest)
}

/** Who does it stands before what is done. */
function isDoer({ tokens }: Clause, [first]: readonly Token[]): boolean {
  const at = first === undefined ? -1 : tokens.indexOf(first)
  return at >= 0 && tokens.slice(0, at).every(({ isContent }) => !isContent)
}

/** `The host of the show is Rosa`: in a role that is not one of several, and no place. */
function isResponsible(clause: Clause, [name]: readonly Token[]): boolean {
  const { tokens, classes } = clause
  const lead = name === undefined ? undefined : tokens[tokens.indexOf(name) - 1]
  if ((classes & W.role) === 0 || (lead !== undefined && (lead.classes & (W.placing | W.means)) !== 0))
    return false
  return !tokens.some((token, at) => (token.classes & W.role) !== 0 && isIndefiniteAt(clause, at))
}

function isOneName({ tokens }: Clause, name: readonly Token[]): boolean {
  if (name.length === 0 || name.length > NAME_WORDS_MAX) return false
  return name.every(({ kind, hasCapital }) => kind === 'word' && hasCapital) && isOnePiece(tokens, name)
}

const NAME_WORDS_MAX = 2

/** `is done by Ines` */
function isDoneBy({ tokens, classes, marks }: Clause, [first]: readonly Token[]): boolean {
  const at = first === undefined ? -1 : tokens.indexOf(first)
  const lead = [tokens[at - 1], tokens[at - 2]].some(
    (token) => token !== undefined && (token.classes & W.by) !== 0,
  )
  return lead && (classes & W.copula) !== 0 && (marks & M.present) !== 0
}

/** Says what is measured in other words, and names nothing that the other does not name. */
function isOfSame({ earlier, later, shared }: Pair): boolean {
  const said = shared.filter((key) => !key.startsWith('=')).length
  const one = wordsOf(earlier)
  const other = wordsOf(later)
  if (said < SHARED_MIN || said < SHARE_MIN * Math.max(one.length, other.length)) return false
  const alone = one.filter(({ key }) => !later.content.has(key))
  const others = other.filter(({ key }) => !earlier.content.has(key))
  // `bread rests` and `cake rests`: each names a thing of its own.
  if (alone.length > 0 && others.length > 0) return false
  return [...alone, ...others].every(isPlain) && !isNarrowed(earlier, alone) && !isNarrowed(later, others)
}

function wordsOf(clause: Clause): readonly Token[] {
  return contentOf(clause).filter(({ kind }) => kind !== 'number')
}

function isPlain(token: Token): boolean {
  return (
    !isName(token) &&
    !isDate(token) &&
    !token.hasCapital &&
    (token.classes & W.qualifier) === 0 &&
    (token.marks & (M.rival | M.side)) === 0
  )
}

function numbersIn(clause: Clause): readonly Token[] {
  return contentOf(clause).filter((token) => isNumber(token) && !isDayIn(clause, token))
}

/** Of a bare number the word behind it. */
function unitOf({ tokens }: Clause, number: Token): string {
  if (number.dimension !== '' && number.dimension !== 'version') return number.dimension
  const next = tokens[tokens.indexOf(number) + 1]
  return next?.isContent === true && next.kind === 'word' ? next.key : ''
}
