import {
  exceptionsOf,
  isBoundOther,
  isOtherAct,
  isOtherCase,
  isTypical,
  isWithinBound,
} from './dispute-cases.ts'
import { type Clause, isDate, type Token } from './dispute-clause.ts'
import type { DisputeReading } from './dispute-reading.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

/** Two statements that share words, and what only one of them says. */
export interface Pair {
  readonly earlier: Clause
  readonly later: Clause
  readonly earlierText: DisputeReading
  readonly laterText: DisputeReading
  /** Keys of content words of both. */
  readonly shared: readonly string[]
  readonly earlierRest: readonly Token[]
  readonly laterRest: readonly Token[]
  /** The later says that something is otherwise now. */
  readonly hasCue: boolean
}

export function pairOf(
  earlier: Clause,
  later: Clause,
  earlierText: DisputeReading,
  laterText: DisputeReading,
): Pair | null {
  const shared: string[] = []
  for (const key of earlier.content.keys()) if (later.content.has(key)) shared.push(key)
  if (shared.length === 0) return null
  const hasCue = later.changeAt >= 0 || later.goneAt >= 0 || later.hasNow || laterText.isCorrection
  const laterRest = restOf(later, earlier)
  return {
    earlier,
    later,
    earlierText,
    laterText,
    shared,
    earlierRest: restOf(earlier, later),
    laterRest: hasCue
      ? laterRest.filter(
          ({ classes, text }) => (classes & W.when) === 0 && text !== 'last' && text !== 'this',
        )
      : laterRest,
    hasCue,
  }
}

function restOf(clause: Clause, other: Clause): readonly Token[] {
  const rest: Token[] = []
  for (const [key, at] of clause.content) {
    const token = clause.tokens[at]
    if (token !== undefined && !other.content.has(key)) rest.push(token)
  }
  return rest
}

export type Guard = (pair: Pair) => boolean

/** What must hold besides. Each is a law of what never disputes. */
export const GUARDS = {
  /** A condition, a promise or a hope asserts nothing. */
  asserted: ({ earlier, later }) =>
    !earlier.isConditional && !later.isConditional && !earlier.isPromise && !later.isPromise,
  /** Of `it` and `his` nobody knows what they name, and what one person says to another is between them. */
  named: ({ earlier, later, earlierText, laterText }) => {
    if (earlier.isAnaphoric || later.isAnaphoric) return false
    return !(earlier.isPersonal || later.isPersonal) || (isShort(earlierText) && isShort(laterText))
  },
  /** A common line does not make texts about other things speak about the same. */
  sameContext: (pair) =>
    (isOneSentence(pair.earlierText.clauses) && isOneSentence(pair.laterText.clauses)) || sharesContext(pair),
  /** The same, of short texts: what only one of them says besides may be about something else. */
  nearContext: (pair) => {
    const { earlierText, laterText } = pair
    if (!isBrief(earlierText) || !isBrief(laterText)) return false
    return isOneSentence(earlierText.clauses) || isOneSentence(laterText.clauses) || sharesContext(pair)
  },
  /** The past and the present can both hold; what was changed was so before. */
  sameTense: ({ earlier, later, hasCue }) => !earlier.isPast && (!later.isPast || hasCue),
  /** Each thing that happens is another one. */
  noEvent: ({ earlier, later }) => !earlier.isEvent && !later.isEvent,
  noReading: ({ earlier, later }) => ((earlier.classes | later.classes) & W.reading) === 0,
  /** Members of a list hold beside each other. */
  noList: ({ earlier, later }) =>
    !earlier.isList && !later.isList && ((earlier.classes | later.classes) & W.plural) === 0,
  /** Of a list, what is denied is one of its members. */
  noMembers: ({ earlier, later }) => !earlier.isList && !later.isList,
  /** `also` and `too` add to what was said. */
  noAddition: ({ later, laterText }) => {
    if (isBrief(laterText) && laterText.spelling.some((word, at) => isAddedIn(laterText.spelling, word, at)))
      return false
    return !later.tokens.some(
      ({ text, isQuoted }) =>
        !isQuoted && (ADDITIONS.has(text) || ADDITIONS_HERE.has(text)) && text !== 'too',
    )
  },
  /** `staging`, `upload`, `last` part one thing from another. */
  sameQualifiers: ({ earlierRest, laterRest }) =>
    ![...earlierRest, ...laterRest].some(({ classes }) => (classes & W.qualifier) !== 0),
  /** No statement of the one day against one of the other. */
  sameTimes: ({ earlierRest, laterRest, hasCue }) =>
    !earlierRest.some(isDate) && (hasCue || !laterRest.some(isDate)),
  /** What begins with `in the office` or `for guests` holds of that only. */
  sameScope: ({ earlier, later, earlierText, laterText }) =>
    isWithin(earlier, laterText) && isWithin(later, earlierText),
  /** `above 30` and `below 30` are two cases, and so are `with a key` and `without a key`. */
  sameBounds: ({ earlier, later, earlierRest, laterRest, hasCue }) => {
    if (isBoundOther(earlier, later) || isOtherCase(earlier, later)) return false
    if (!hasCue && isWithinBound(earlier, later, earlierRest, laterRest)) return false
    return isTypical(earlier) === isTypical(later) && exceptionsOf(earlier) === exceptionsOf(later)
  },
  /** When it begins is not when it ends. */
  sameAct: ({ earlier, later }) => !isOtherAct(earlier, later),
  /** What one names by an id or a path, the other names too. */
  sameNames: ({ earlier, later, earlierRest, laterRest }) =>
    ![...earlierRest, ...laterRest].some(isName) &&
    !(hasNamed(earlier, earlierRest) && hasNamed(later, laterRest)),
} as const satisfies Readonly<Record<string, Guard>>

/** One clause, or two parts of a sentence: `moved to Bonn, third floor`. */
export function isOneSentence(clauses: readonly Clause[]): boolean {
  return clauses.length === 1 || (clauses.length === 2 && clauses.every(({ isPart }) => isPart))
}

/** Share of the content words of the text with fewer. */
export const CONTEXT_SHARE_MIN = 0.4

const ADDITIONS_HERE = wordSet(
  'another moreover extra further additional autre otro otra outro outra altro altra',
)
const ADDITIONS = wordSet(
  'also too additionally besides furthermore auch weitere weiterer weiteres ulteriore eveneens tevens ponadto dodatkowo kolejny ещё еще дополнительно 另外 还 さらに 他にも auch ausserdem zudem inoltre pure incluso además ebenfalls zusätzlich aussi également también además também anche inoltre ook также тоже też również 也 还 も',
)

/** Two sentences of a few parts at most: more tell a story. */
export function isBrief({ sentences, clauses, words }: DisputeReading): boolean {
  return sentences <= SENTENCES_MAX && clauses.length <= PARTS_MAX && words.size <= BRIEF_WORDS_MAX
}

const SENTENCES_MAX = 2
const PARTS_MAX = 4
/** Different words with content. */
const BRIEF_WORDS_MAX = 20

function sharesContext({ earlierText, laterText }: Pair): boolean {
  const [small, large] =
    earlierText.words.size < laterText.words.size
      ? [earlierText.words, laterText.words]
      : [laterText.words, earlierText.words]
  let shared = 0
  for (const word of small) if (large.has(word)) shared += 1
  return shared >= CONTEXT_SHARE_MIN * small.size
}

/** The other speaks of the case too that this is put in, and this is not the case alone. */
function isWithin({ frame, content }: Clause, { words }: DisputeReading): boolean {
  if (frame === null) return true
  return frame !== content && [...frame.keys()].every((key) => words.has(key))
}

/** `too`, `as well`, `a second`, `in addition`. */
function isAddedIn(words: readonly string[], word: string, at: number): boolean {
  if (word === 'too') return !DEGREES.has(words[at + 1] ?? '')
  if (ADDITIONS.has(word)) return true
  const before = words[at - 1]
  if (before === 'a') return word === 'second' || word === 'third'
  return (before === 'as' && word === 'well') || (before === 'in' && word === 'addition')
}

/** `too much` adds nothing. */
const DEGREES = wordSet(
  'much many long slow big small late early high low often expensive hard few little strict broad noisy short heavy large far',
)

function isShort({ clauses }: DisputeReading): boolean {
  return clauses.length <= 2
}

export type GuardId = keyof typeof GUARDS

/** A word with a capital that does not begin the statement. */
function hasNamed({ tokens }: Clause, rest: readonly Token[]): boolean {
  return rest.some(
    (token) => token.hasCapital && token.kind === 'word' && !isDate(token) && token !== tokens[0],
  )
}

function isName(token: Token): boolean {
  return token.kind === 'id' || token.kind === 'name'
}
