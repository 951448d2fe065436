import { isAmount } from './dispute-amounts.ts'
import type { Clause, Token } from './dispute-clause.ts'
import { differsInDate, isDayIn } from './dispute-dates.ts'
import { isOnePiece } from './dispute-fields.ts'
import { isAsking, isHeldBy, isHolding } from './dispute-holders.ts'
import { isIndefiniteAt } from './dispute-kinds.ts'
import { M, VERSION_WORDS } from './dispute-lexicon.ts'
import { areOpposite, isField, isNumber, type Pair } from './dispute-pair.ts'
import { aloneIn, NUMBERED_REST_MAX, REWORDED_REST_MAX, SHARED_MIN, valuesOf } from './dispute-sameness.ts'
import { isExcepted, isOfPart, isWithin, OF_WORDS } from './dispute-which.ts'
import { W } from './dispute-words.ts'
import { sideOf, wordSet } from './fact-words.ts'

// Two statements about the same that are put in other words, and differ in a value that tells its kind by itself.

/** `Rent for the shop is 900 a month` and `The shop costs 950 rent every month`: one number of one unit each. */
export function isNumberReworded(pair: Pair): boolean {
  const { earlier, later } = pair
  if (!pair.earlierRest.some(isNumber) || !pair.laterRest.some(isNumber)) return false
  if (earlier.isNegated !== later.isNegated || areTwoBounds(earlier, later)) return false
  const values = valuesOf(pair, NUMBERED_REST_MAX)
  const [one, ...more] = values?.earlier ?? []
  const [other, ...others] = values?.later ?? []
  if (one === undefined || other === undefined || more.length + others.length > 0) return false
  if (!isNumber(one) || !isNumber(other) || isDayIn(earlier, one) || isDayIn(later, other)) return false
  if (
    isAmount(pair, one) ||
    (!pair.hasCue && (isOfPart(earlier, pair.earlierRest) || isOfPart(later, pair.laterRest)))
  )
    return false
  if (isWithin(earlier, one) !== isWithin(later, other)) return false
  if (isShareOf(earlier, one) !== isShareOf(later, other)) return false
  const unit = unitOf(earlier, one)
  // `Version 4 of the form asks …` and `version 5 asks only …`: of each something else may be said.
  return (
    unit !== '' &&
    unit === unitOf(later, other) &&
    !(unit.startsWith(OF) && values?.isMore === true && !isOnlyOfVersion(pair))
  )
}

/** `two floors of the house`: of more. */
export function isShareOf({ tokens }: Clause, number: Token): boolean {
  return OF_WORDS.has(tokens[tokens.indexOf(number) + 2]?.text ?? '')
}

/** `is the engine version`: what else is said is of what there is a version. */
function isOnlyOfVersion({ earlier, later, earlierRest, laterRest }: Pair): boolean {
  return [[earlier, earlierRest] as const, [later, laterRest] as const].every(([{ tokens }, rest]) =>
    rest.every(
      (token) =>
        isNumber(token) ||
        VERSION_WORDS.has(token.text) ||
        VERSION_WORDS.has(tokens[tokens.indexOf(token) + 1]?.text ?? ''),
    ),
  )
}

/** `A lobby needs four players`, at least, and it `holds sixteen`, at most. */
export function areTwoBounds(earlier: Clause, later: Clause): boolean {
  const says = ({ tokens }: Clause, words: ReadonlySet<string>) => tokens.some(({ text }) => words.has(text))
  return (says(earlier, LEAST) && says(later, MOST)) || (says(earlier, MOST) && says(later, LEAST))
}

const LEAST = wordSet('need needs require requires braucht brauchen faut necesita exige richiede nodig')
const MOST = wordSet(
  'hold holds fit fits fill fills admit admits seat seats sleep sleeps fasst passt cabe caben admite admiten cabem past',
)
const OF = 'of '
/** `2.10` */
const PRICE = /^\d+[.,]\d\d$/

/** `The fair starts on 3 May` and `Start of the fair: 10 May`: one date each of something that has one. */
export function isDateReworded(pair: Pair): boolean {
  const { earlier, later } = pair
  if ((earlier.classes & later.classes & W.date) === 0) return false
  if (earlier.isNegated !== later.isNegated || areOpposite(pair)) return false
  const values = valuesOf(pair)
  if (values === null || values.earlier.length === 0 || values.later.length === 0) return false
  return differsInDate({ ...pair, earlierRest: values.earlier, laterRest: values.later })
}

/** `Our soup contains milk` and `There is no milk in our soup`. */
export function isDenialReworded(pair: Pair): boolean {
  const { earlier, later } = pair
  if (earlier.isNegated === later.isNegated || ((earlier.marks | later.marks) & M.restriction) !== 0)
    return false
  const values = valuesOf(pair)
  if (values === null || values.isMore || isExcepted(pair) || earlier.isPart || later.isPart) return false
  return [...values.earlier, ...values.later].every(
    ({ text, marks }) => sideOf(text)?.axis === 'allow' || (marks & M.rule) !== 0,
  )
}

/** `Pupils may use calculators in the exam` and `No calculators in the exam`: the later denies it of whoever it was said. */
export function isDeniedWhole({ earlier, later, shared, earlierRest, laterRest, texts }: Pair): boolean {
  if (earlier.isNegated || !later.isNegated || laterRest.length > 0 || shared.length < SHARED_MIN)
    return false
  if (earlierRest.length > REWORDED_REST_MAX) return false
  if (((earlier.marks | later.marks) & (M.restriction | M.side)) !== 0 || later.isConditional) return false
  return (
    !earlier.tokens.some(({ text }) => DECLINES.has(text)) &&
    !texts.later.spelling.some((word) => UNTIL.has(word))
  )
}

const UNTIL = wordSet('until before bis avant hasta antes')
const DECLINES = wordSet(
  'avoid avoids decline declines refuse refuses skip skips ban bans deny denies reject rejects zero disabled',
)

/** `Paulo waters the plants` and `The plants are watered by Ines`: who does it is the only difference. */
export function isDoerReworded(pair: Pair): boolean {
  const { earlier, later, shared } = pair
  if (earlier.isNegated || later.isNegated) return false
  if (!pair.earlierRest.some(isCapital) || !pair.laterRest.some(isCapital)) return false
  if (isPostReworded(pair)) return true
  if (shared.length < SHARED_MIN) return isOneTask(pair)
  const values = valuesOf(pair)
  const [earlierRest, laterRest] =
    values === null ? [pair.earlierRest, pair.laterRest] : [values.earlier, values.later]
  if (!isOneName(earlier, earlierRest) || !isOneName(later, laterRest)) return false
  if (isFocused(earlier, earlierRest) && isFocused(later, laterRest)) return true
  const [one, other] = [isDoneBy(earlier, earlierRest), isDoneBy(later, laterRest)]
  if (one !== other) return isDoer(one ? later : earlier, one ? laterRest : earlierRest)
  if (isHeldOrHolding(earlier, earlierRest, later, laterRest)) return true
  // Of what one is responsible, whatever stands first.
  return isResponsible(earlier, earlierRest) && isResponsible(later, laterRest)
}

/** `Ines owns the rota` and `The owner of the rota is Bo`, `Bo leads …` and `The head of … is Ines`. */
function isPostReworded({ earlier, later, shared, earlierRest, laterRest }: Pair): boolean {
  if (shared.length < SHARED_MIN) return false
  return POSTS.some((post) => {
    if (![earlier, later].every(({ tokens }) => tokens.some(({ text }) => post.has(text)))) return false
    const [one, other] = [earlierRest, laterRest].map((rest) =>
      rest.filter(({ text }) => !post.has(text) && text !== 'team'),
    )
    return isOneName(earlier, one ?? []) && isOneName(later, other ?? [])
  })
}

const POSTS = [
  wordSet(
    'own owns owner owned ownership responsible belongs gehört verantwortlich zuständig responsable propriétaire dueño responsável responsabile',
  ),
  wordSet('lead leads head leader led leitet leiter leiterin chef dirige jefe jefa chefe capo'),
]

/** `Die Technik macht Ines` and `Für die Technik ist Bo zuständig`: one word names the task. */
function isOneTask({ earlier, later, shared }: Pair): boolean {
  const [one, other] = [aloneIn(earlier, later), aloneIn(later, earlier)]
  if (shared.length !== 1 || isAsking(earlier) || isAsking(later)) return false
  if (isField(earlier) || isField(later)) return false
  if (!isOneName(earlier, one) || !isOneName(later, other)) return false
  const task = earlier.tokens[earlier.content.get(shared[0] ?? '') ?? -1]
  return task?.kind === 'word' && isHeldOrHolding(earlier, one, later, other)
}

function isCapital({ hasCapital }: Token): boolean {
  return hasCapital
}

/** `Ines does the rota` and `the rota sits with Bo`: where one says whose it is, the other need not. */
function isHeldOrHolding(
  earlier: Clause,
  earlierRest: readonly Token[],
  later: Clause,
  laterRest: readonly Token[],
): boolean {
  const [one, other] = [isHeldBy(earlier, earlierRest), isHeldBy(later, laterRest)]
  if (!one && !other) return false
  // Two fields are no two ways to say it; `Ines: Yes` is what she says.
  if (isField(earlier) && isField(later) && !isAsking(earlier) && !isAsking(later)) return false
  return (one || isOneHolder(earlier, earlierRest)) && (other || isOneHolder(later, laterRest))
}

function isOneHolder(clause: Clause, name: readonly Token[]): boolean {
  return isHolding(clause, name) || isResponsible(clause, name)
}

/** `las revisa Clara`, `quien revisa las actas es Bruno`: who, and nobody else. */
function isFocused({ tokens }: Clause, [name]: readonly Token[]): boolean {
  const at = name === undefined ? -1 : tokens.indexOf(name)
  if (at < 1) return false
  if (
    at === tokens.length - 1 &&
    CLITICS.has(tokens[at - 2]?.text ?? '') &&
    tokens[at - 1]?.isContent === true
  )
    return true
  return tokens.some(({ text }) => WHO.has(text)) && ((tokens[at - 1]?.classes ?? 0) & W.copula) !== 0
}

/** Whether a statement may say who, and nobody else, does something. */
export function mayBeFocused({ tokens }: Clause): boolean {
  return CLITICS.has(tokens.at(-3)?.text ?? '') || tokens.some(({ text }) => WHO.has(text))
}

const CLITICS = wordSet('lo la los las le li gli os as')
const WHO = wordSet('who quien qui chi quem wer wie')

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

/** Of a bare number the word behind it. */
function unitOf({ tokens }: Clause, number: Token): string {
  if (number.dimension !== '' && number.dimension !== 'version') return number.dimension
  const at = tokens.indexOf(number)
  // `Java 11`, `release 5.2`: of what it is a version.
  const before = tokens[at - 1]
  if (before?.kind === 'word' && (VERSION_WORDS.has(before.text) || (before.isContent && before.hasCapital)))
    return OF + before.key
  const next = tokens[at + 1]
  if (next?.isContent === true && next.kind === 'word') return next.key
  return PRICE.test(number.text) ? 'price' : number.dimension
}
