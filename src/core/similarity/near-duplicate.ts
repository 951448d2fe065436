import { sideOf, wordSet } from './fact-words.ts'
import { type Reading, readText } from './reading.ts'
import { normaliseText } from './text-signature.ts'

/**
 * Shared share of the windows of two texts from which on they are worth comparing: three changed words of a text of forty
 * leave that much.
 */
export const NEAR_SEARCH_MIN = 0.6
/** Words of one text that may be other forms or misspellings of those of the other. */
const SLIPS_MAX = 3

/**
 * Whether two texts are the same but for words that say nothing, other endings and slips of the hand, and have the same
 * facts. Any other changed word makes another text. Symmetric; true for every text and itself, and for spellings of one.
 */
export function isNearDuplicate(a: string, b: string): boolean {
  const left = normaliseText(a)
  const right = normaliseText(b)
  if (left === right) return true
  return hasSameWords(left, right) && sharesFacts(a, b)
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Signs that say something; the others only part words or mark them up. */
const SIGN = /[<>=+/%&|^~$€£¥@#\\?]/g

function hasSameWords(left: string, right: string): boolean {
  const words = sayingWords(left)
  const others = sayingWords(right)
  if (words.length === 0 || words.length !== others.length) return false
  let slips = 0
  for (const [at, word] of words.entries()) {
    const other = others[at] ?? ''
    if (word === other) continue
    slips += 1
    if (slips > SLIPS_MAX || !isSameWordButForSlip(word, other)) return false
  }
  return (left.match(SIGN) ?? []).join('') === (right.match(SIGN) ?? []).join('')
}

function sayingWords(normalised: string): readonly string[] {
  return (normalised.match(WORD) ?? []).filter((word) => !EMPTY_WORDS.has(word))
}

/**
 * Whether two texts have the same numbers (with units), dates, versions, paths, symbols, addresses, names, negations,
 * outcomes and opposites, each as often. Capitals are evidence only: a word that either text writes as a name must be
 * as frequent in the other, in whatever letters.
 */
export function sharesFacts(a: string, b: string): boolean {
  const left = readText(a)
  const right = readText(b)
  const names = new Set([...left.names, ...right.names])
  return sameCounts(countsOf(left, names), countsOf(right, names))
}

function countsOf(reading: Reading, names: ReadonlySet<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const count = (key: string): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  for (const fact of reading.facts) count(`fact ${fact}`)
  for (const word of reading.words) if (names.has(word)) count(`name ${word}`)
  return counts
}

function sameCounts(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  if (a.size !== b.size) return false
  for (const [key, count] of a) if (b.get(key) !== count) return false
  return true
}

// Comparing two texts costs many times more than finding the texts worth comparing. So a look-up may be asked twice:
// first with a comparer that only notes the questions, then, when they have been answered elsewhere, with the answers.

/** Two questions about two texts. */
export interface TextComparer {
  /** `isNearDuplicate` */
  readonly isNearDuplicate: (a: string, b: string) => boolean
  /** Whether both normalise to the same. */
  readonly isSame: (a: string, b: string) => boolean
}

type Question = keyof TextComparer

/** Questions about pairs of texts, as plain data; each text is there once. */
export interface ComparisonJob {
  readonly texts: readonly string[]
  readonly questions: readonly {
    readonly question: Question
    readonly a: number
    readonly b: number
  }[]
}

/** Compares when it is asked. */
export const DIRECT: TextComparer = {
  isNearDuplicate,
  isSame: (a, b) => normaliseText(a) === normaliseText(b),
}

/** The answers to the questions of a job, in order. Pure. */
export function compareTexts({ texts, questions }: ComparisonJob): readonly boolean[] {
  return questions.map(({ question, a, b }) => DIRECT[question](texts[a] ?? '', texts[b] ?? ''))
}

/** Questions that were asked and wait for an answer. */
export class NotedComparisons {
  readonly #asked: { readonly question: Question; readonly a: string; readonly b: string }[] = []
  /** Characters of all texts asked about, a text each time it is asked about. */
  chars = 0

  /** Notes what it is asked and says no to everything. */
  readonly comparer: TextComparer = {
    isNearDuplicate: (a, b) => this.#note('isNearDuplicate', a, b),
    isSame: (a, b) => this.#note('isSame', a, b),
  }

  /** All questions, in jobs of about `charsMax` characters each. */
  jobs(charsMax: number): readonly ComparisonJob[] {
    const jobs: { texts: string[]; questions: { question: Question; a: number; b: number }[] }[] = []
    let places = new Map<string, number>()
    let chars = 0
    for (const { question, a, b } of this.#asked) {
      let job = jobs.at(-1)
      if (job === undefined || chars >= charsMax) {
        job = { texts: [], questions: [] }
        jobs.push(job)
        places = new Map()
        chars = 0
      }
      const { texts } = job
      const placeOf = (text: string): number => {
        const known = places.get(text)
        if (known !== undefined) return known
        chars += text.length
        places.set(text, texts.length)
        return texts.push(text) - 1
      }
      job.questions.push({ question, a: placeOf(a), b: placeOf(b) })
    }
    return jobs
  }

  /** A comparer that has the answers to `jobs()` ready, and compares where something else is asked. */
  answered(answers: readonly boolean[]): TextComparer {
    const known: Record<Question, Map<string, Map<string, boolean>>> = {
      isNearDuplicate: new Map(),
      isSame: new Map(),
    }
    for (const [at, { question, a, b }] of this.#asked.entries()) {
      const answer = answers[at]
      if (answer === undefined) continue
      const ofText = known[question].get(a) ?? new Map<string, boolean>()
      known[question].set(a, ofText.set(b, answer))
    }
    const answerTo = (question: Question, a: string, b: string): boolean =>
      known[question].get(a)?.get(b) ?? DIRECT[question](a, b)
    return {
      isNearDuplicate: (a, b) => answerTo('isNearDuplicate', a, b),
      isSame: (a, b) => answerTo('isSame', a, b),
    }
  }

  #note(question: Question, a: string, b: string): false {
    this.#asked.push({ question, a, b })
    this.chars += a.length + b.length
    return false
  }
}

// Words that may differ while a text stays the same: function words that say nothing by themselves, other endings of
// one word, and slips of the hand. The tables were written by hand from grammars and from the usual kinds of typing
// errors (swapped, doubled and missing letters; neighbours on the keyboard; one vowel for another), and then tried on
// pairs of real words that lie as near to each other: a form that joined two of those was left out.

/** Letters of a word that may be misspelled or inflected. */
const SLIP_LETTERS_MIN = 5
/** Letters from which on a vowel may be left out or be added, and a letter stand for its neighbour on the keyboard. */
const LOOSE_LETTERS_MIN = 6
/** Letters from which on a consonant may be left out or be added, one vowel stand for another, and two slips meet. */
const LONG_LETTERS_MIN = 8
/** Edits between two forms of one word. */
const EDITS_MAX = 2
/** Letters that two forms of one word have in common at their start. */
const STEM_LETTERS_MIN = 4

/**
 * In small letters what may be there or not without a change of what is said: articles, forms of `to be` in the present, and
 * fillers in English, German, French, Spanish, Portuguese, Italian, Dutch and Russian. Words of place, time, order, choice,
 * amount and duty are not here.
 */
const EMPTY_WORDS = wordSet(`
  a an the is are am be being of it that which please also very really actually basically simply here there so then
  der die das dem den des ein eine einem einen einer eines ist sind sei bitte auch sehr dass hier da
  le la les l un une des du de d est sont aussi très ici
  el los las unos unas una del es son está están muy también aquí
  o os um uma do dos das da é são está estão muito também aqui
  il lo i gli uno di della dello delle dei degli è sono anche molto qui
  het een van zijn ook heel hier
  это этот эта эти же вот очень также тоже есть здесь`)

/** Ways in which one word ends in its forms, by alphabet; of two forms each has one, or nothing, behind the stem. */
const ENDINGS: ReadonlySet<string> = new Set([
  '',
  ...wordSet(`
  s es d ed e y ies ied n en em te ten nt ent o os as an
  а я у ю ы и е о й ой ей ом ем ам ям ах ях ов ев ый ая ое ые ого ому ым ых ую л ла ло ли т ть ет ит
  ют ят ут ат`),
])
/** Who does a thing and to whom it is done are two: `payer` and `payee`, `planner` and `planned`. */
const ROLE_ENDING = /(?:er|or|ee)s?$/

const KEY_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'] as const
const VOWEL = /[aeiouyäöüáéíóúàèìòùâêîôûаеиоуыэюя]/
const LETTERS_ONLY = /^[\p{L}\p{M}]+$/u

/** Whether two words, in small letters, may be one: another ending, or a slip of the hand. Symmetric. */
export function isSameWordButForSlip(a: string, b: string): boolean {
  if (a === b) return true
  const letters = Math.min(a.length, b.length)
  if (letters < SLIP_LETTERS_MIN || Math.abs(a.length - b.length) > EDITS_MAX) return false
  // Whoever mistypes a word seldom mistypes its first letter, and prefixes turn words round: `export`, `inactive`.
  if (a.charAt(0) !== b.charAt(0) || !LETTERS_ONLY.test(a) || !LETTERS_ONLY.test(b)) return false
  if (sideOf(a)?.isPlus !== sideOf(b)?.isPlus) return false
  return isInflected(a, b) || isMistyped(a, b, letters)
}

function isInflected(a: string, b: string): boolean {
  const stem = sharedStart(a, b)
  if (stem < STEM_LETTERS_MIN || ROLE_ENDING.test(a) !== ROLE_ENDING.test(b)) return false
  // The ending may begin inside what both share: `tries` and `tried`.
  for (let from = stem; from >= Math.max(STEM_LETTERS_MIN, stem - 2); from -= 1) {
    const [left, right] = [a.slice(from), b.slice(from)]
    if (
      left.length <= EDITS_MAX + 1 &&
      right.length <= EDITS_MAX + 1 &&
      ENDINGS.has(left) &&
      ENDINGS.has(right)
    )
      return isWithinEdits(a.slice(stem), b.slice(stem))
  }
  return false
}

function isWithinEdits(left: string, right: string): boolean {
  return Math.max(left.length, right.length) <= EDITS_MAX
}

/** One slip behind the first letter, in long words two. */
function isMistyped(a: string, b: string, letters: number): boolean {
  const start = sharedStart(a, b)
  const end = sharedEnd(a, b, start)
  const left = a.slice(start, a.length - end)
  const right = b.slice(start, b.length - end)
  if (isSlip(a, b, start, end, left, right, letters)) return true
  if (letters < LONG_LETTERS_MIN || end === 0 || left.length !== right.length) return false
  // Two slips with sound letters between them: all but the two ends of what differs agrees.
  const isApart = left.length > 2 && left.slice(1, -1) === right.slice(1, -1)
  return (
    isApart && isLikeLetter(left, right, 0, letters) && isLikeLetter(left, right, left.length - 1, letters)
  )
}

function isSlip(
  a: string,
  b: string,
  start: number,
  end: number,
  left: string,
  right: string,
  letters: number,
): boolean {
  if (left.length === 2 && right.length === 2)
    return left.charAt(0) === right.charAt(1) && left.charAt(1) === right.charAt(0)
  if (left.length + right.length === 1) {
    const [longer, letter] = left.length === 1 ? [a, left] : [b, right]
    const isDoubled = longer.charAt(start - 1) === letter || longer.charAt(start + 1) === letter
    return isDoubled || (end > 0 && letters >= (VOWEL.test(letter) ? LOOSE_LETTERS_MIN : LONG_LETTERS_MIN))
  }
  return left.length === 1 && right.length === 1 && end > 0 && isLikeLetter(left, right, 0, letters)
}

function isLikeLetter(left: string, right: string, at: number, letters: number): boolean {
  const [one, other] = [left.charAt(at), right.charAt(at)]
  if (one === other) return true
  if (letters >= LONG_LETTERS_MIN && VOWEL.test(one) && VOWEL.test(other)) return true
  return letters >= LOOSE_LETTERS_MIN && areNeighbours(one, other)
}

function areNeighbours(one: string, other: string): boolean {
  return KEY_ROWS.some((row) => {
    const [at, to] = [row.indexOf(one), row.indexOf(other)]
    return at >= 0 && to >= 0 && Math.abs(at - to) === 1
  })
}

function sharedStart(a: string, b: string): number {
  let at = 0
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  return at
}

function sharedEnd(a: string, b: string, start: number): number {
  let count = 0
  const most = Math.min(a.length, b.length) - start
  while (count < most && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) count += 1
  return count
}
