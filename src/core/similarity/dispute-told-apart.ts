import type { Clause, Token } from './dispute-clause.ts'
import { CONCEPT_HEADS, isThing } from './dispute-concepts.ts'
import { infoOf, M } from './dispute-lexicon.ts'
import { isDate, type Pair } from './dispute-pair.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Of two statements in two languages, whether what only one of them has says something else, or may be the same in other words.

/** Tokens that only one of two statements has, by what is known of them. */
interface Known {
  readonly hasUnknown: boolean
  readonly hasWord: boolean
  readonly names: readonly Token[]
}

function knownOf(clause: Clause, rest: readonly Token[]): Known {
  const words = rest.filter((token) => token.kind === 'word' && !isDate(token))
  const isKnown = ({ text, marks, classes, hasCapital }: Token): boolean =>
    CONCEPT_HEADS.has(text) ||
    CONCEPT_HEADS.has(infoOf(text).key) ||
    (!hasCapital && (marks & (M.rival | M.side)) !== 0) ||
    (classes & W.qualifier) !== 0
  const unknown = words.filter((token) => !isKnown(token))
  const names = unknown.filter((token) => token.hasCapital && isNameIn(clause, token))
  return { hasUnknown: unknown.length > names.length, hasWord: words.length > 0, names }
}

/** Of two languages: whether what the two statements have alone cannot be the same in other words. */
export function isToldApart({ earlier, later, earlierRest, laterRest, shared, texts }: Pair): boolean {
  if (!texts.areOfTwoLanguages) return true
  // A date or a number alone is no subject.
  const subject = shared.filter((key) => isSubject(earlier.tokens[earlier.content.get(key) ?? -1]))
  if (subject.length === 0) return false
  if (earlierRest.length === 1 && laterRest.length === 1 && shared.some((key) => LITERALS.has(key)))
    return true
  const [one, other] = [knownOf(earlier, earlierRest), knownOf(later, laterRest)]
  if ((one.hasUnknown || other.hasUnknown) && subject.length < 2) return false
  if ((one.hasUnknown && other.hasWord) || (other.hasUnknown && one.hasWord)) return false
  if ((one.names.length === 0) !== (other.names.length === 0) && one.hasWord && other.hasWord) return false
  if (one.names.some((name) => other.names.some((each) => mayBeOneName(name.text, each.text)))) return false
  return (
    !areOneTime(earlierRest, laterRest) &&
    areOfOneCount(earlierRest, laterRest) &&
    !areOtherEnds(earlier, later)
  )
}

/** Whatever the language, the name of a branch and a password are spelled as they are. */
const LITERALS = wordSet(
  'password branch pin domain host hostname channel repository username user account queue topic bucket',
)

/** A capital at the beginning is a name only of who does something: `Flyers are handled by …` has none. */
function isNameIn({ tokens, classes, marks }: Clause, token: Token): boolean {
  if (tokens[0] !== token) return true
  const next = tokens[1]?.text ?? ''
  return (
    (classes & W.by) === 0 && (marks & M.possible) === 0 && !token.text.endsWith('s') && !PLURALS.has(next)
  )
}

const PLURALS = wordSet('are were werden wurden sont son están sono são worden zijn')

function isSubject(token: Token | undefined): boolean {
  return token !== undefined && token.kind !== 'number' && !isDate(token)
}

/** A day does not speak against an hour. */
function areOfOneCount(earlierRest: readonly Token[], laterRest: readonly Token[]): boolean {
  const [one, other] = [earlierRest, laterRest].map((rest) => rest.filter(isDate))
  return (
    one === undefined ||
    other === undefined ||
    one.length === 0 ||
    other.length === 0 ||
    one.every(isClock) === other.every(isClock)
  )
}

function isClock({ dimension }: Token): boolean {
  return dimension === 'clock'
}

/** `until 10:00` and `starts at 8:00` */
function areOtherEnds(earlier: Clause, later: Clause): boolean {
  return isUntil(earlier) !== isUntil(later)
}

function isUntil({ tokens }: Clause): boolean {
  return tokens.some(
    ({ text }, at) => text === 'until' && tokens[at + 1] !== undefined && isDate(tokens[at + 1] as Token),
  )
}

/** `2:00` and `14:00` may be one time, and a bare hour any of both. */
function areOneTime(earlierRest: readonly Token[], laterRest: readonly Token[]): boolean {
  const hoursOf = (rest: readonly Token[]) =>
    rest.filter(({ kind, dimension }) => kind === 'number' && (dimension === 'clock' || dimension === ''))
  return hoursOf(earlierRest).some(({ text }) =>
    hoursOf(laterRest).some(
      (other) =>
        (text.includes(':') || other.text.includes(':')) && halfDayOf(text) === halfDayOf(other.text),
    ),
  )
}

function halfDayOf(time: string): string {
  const [hour = '', minutes] = time.split(':')
  return `${Number(hour) % 12}:${minutes ?? '00'}`
}

/** `Köln` and `Cologne`, `Moskau` and `Moscow`: a name may be spelled in another way. */
function mayBeOneName(one: string, other: string): boolean {
  const [a, b] = [spokenOf(one), spokenOf(other)]
  return a.slice(0, NAME_CHARS) === b.slice(0, NAME_CHARS)
}

const NAME_CHARS = 3

/** Latin letters by their sound, roughly. */
function spokenOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[а-яё]/g, (letter) => CYRILLIC.get(letter) ?? letter)
    .replace(/ph/g, 'f')
    .replace(/[cq]h?/g, 'k')
    .replace(/h/g, 'g')
    .replace(/w/g, 'v')
    .replace(/[yj]/g, 'i')
    .replace(/z/g, 's')
    .replace(/(.)\1/g, '$1')
}

const CYRILLIC: ReadonlyMap<string, string> = new Map(
  'аa бb вv гg дd еe жj зz иi йi кk лl мm нn оo пp рr сs тt уu фf хh цc чch шsh щsh ыi эe юu яa ёe'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
)

/** Of two languages: what the table knows in the one is what it knows in the other, wherever it stands. */
export function isSameSaying(
  earlier: Clause,
  earlierRest: readonly Token[],
  later: Clause,
  laterRest: readonly Token[],
): boolean {
  const saying = ({ tokens }: Clause, rest: readonly Token[]): string =>
    tokens
      .filter((token) => token.kind === 'word' && !rest.includes(token) && isThing(token.text))
      .map(({ key }) => key)
      .sort((a, b) => (a < b ? -1 : 1))
      .join(' ')
  return saying(earlier, earlierRest) === saying(later, laterRest)
}
