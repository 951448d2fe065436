import { type Reading, readText } from './reading.ts'
import { normaliseText } from './text-signature.ts'
import { isEmptyWord, isSameWordButForSlip } from './word-slip.ts'

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
  return (normalised.match(WORD) ?? []).filter((word) => !isEmptyWord(word))
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
  for (const statement of reading.statements) {
    for (const fact of statement.facts) count(`fact ${fact}`)
    for (const word of statement.words) if (names.has(word)) count(`name ${word}`)
  }
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
