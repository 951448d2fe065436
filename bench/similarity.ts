import { contradictionsAmong } from '../src/core/similarity/contradiction.ts'
import { hasCorrectionCue } from '../src/core/similarity/correction.ts'
import { isNearDuplicate, similarityOf } from '../src/core/similarity/near-duplicate.ts'
import { NearIndex } from '../src/core/similarity/near-index.ts'
import { printOf, type TextPrint } from '../src/core/similarity/text-print.ts'
import { isMain } from './measure.ts'

export interface SimilarityOptions {
  /** Sizes of the indexes, in entries. */
  readonly sizes: readonly number[]
  readonly queries: number
  /** Lengths of the texts that are printed and read, in characters. */
  readonly chars: readonly number[]
}

export interface TextRow {
  readonly script: string
  readonly chars: number
  readonly printUs: number
  readonly printUsPerKb: number
  /** Time of `isNearDuplicate` on the text and the text with one more word; null for texts above 200 000 characters. */
  readonly nearDuplicateUs: number | null
  readonly cueUs: number | null
}

export interface IndexRow {
  readonly entries: number
  readonly bytesPerEntry: number
  readonly addP50Us: number
  readonly addMaxUs: number
  readonly nearP50Us: number
  readonly nearP99Us: number
  readonly exactP50Us: number
  readonly removeP50Us: number
  /** Share of the queries of similarity 0.8 and more whose text was found. */
  readonly recall: number
  readonly answersPerQuery: number
}

const DEFAULTS: SimilarityOptions = {
  sizes: [1_000, 10_000, 100_000],
  queries: 2_000,
  chars: [20, 200, 2_000, 200_000, 5_000_000],
}

/** Prints and readings of texts by length and script; the index on synthetic texts of 34 words, with edited copies. */
export function run(options: SimilarityOptions = DEFAULTS): {
  texts: TextRow[]
  indexes: IndexRow[]
  pairsMs: number
} {
  const texts = options.chars.flatMap((chars) => SCRIPTS.map((script) => measureText(script, chars)))
  return {
    texts,
    indexes: options.sizes.map((size) => measureIndex(size, options.queries)),
    pairsMs: measurePairs(),
  }
}

const READ_CHARS_MAX = 200_000
const SCRIPTS = ['latin', 'cyrillic', 'chinese'] as const

function measureText(script: (typeof SCRIPTS)[number], chars: number): TextRow {
  const text = inScript(sentence(mulberry32(chars), Math.ceil(chars / 5)).slice(0, chars), script)
  const longer = `${text} quite`
  const isRead = chars <= READ_CHARS_MAX
  const times = Math.max(3, Math.min(500, Math.ceil(2_000_000 / chars)))
  const printUs = medianUs(times, () => printOf(text))
  return {
    script,
    chars,
    printUs,
    printUsPerKb: Math.round((printUs * 10_000) / chars) / 10,
    nearDuplicateUs: isRead ? medianUs(times, () => isNearDuplicate(text, longer)) : null,
    cueUs: isRead ? medianUs(times, () => hasCorrectionCue(text)) : null,
  }
}

function measureIndex(size: number, queries: number): IndexRow {
  const random = mulberry32(size)
  const texts = Array.from({ length: size }, () => sentence(random, 34))
  const prints = texts.map(printOf)
  const index = new NearIndex()
  const adds = prints.map((print, id) => timeUs(() => index.add(id, print)))
  const bytesPerEntry = Math.round(index.bytes / size)
  const asked = Array.from({ length: queries }, () => edited(texts, prints, random))
  const nears = asked.map(({ print }) => timeUs(() => index.near(print, 0.8)))
  const exacts = asked.map(({ id }) => timeUs(() => index.exact(prints[id] ?? printOf(''))))
  const near = asked.filter(({ similarity }) => similarity >= 0.8)
  const found = near.filter(({ id, print }) => index.near(print, 0.8).some((hit) => hit.id === id))
  const answers = asked.reduce((sum, { print }) => sum + index.near(print, 0.8).length, 0)
  const removes = Array.from({ length: size }, (_, id) => timeUs(() => index.remove(id)))
  return {
    entries: size,
    bytesPerEntry,
    addP50Us: quantile(adds, 0.5),
    addMaxUs: quantile(adds, 1),
    nearP50Us: quantile(nears, 0.5),
    nearP99Us: quantile(nears, 0.99),
    exactP50Us: quantile(exacts, 0.5),
    removeP50Us: quantile(removes, 0.5),
    recall: Math.round((found.length * 10_000) / near.length) / 10_000,
    answersPerQuery: Math.round((answers * 100) / queries) / 100,
  }
}

/** 200 candidates of three sentences, two by two. */
function measurePairs(): number {
  const random = mulberry32(5)
  const texts = Array.from({ length: 200 }, () =>
    [12, 12, 12].map((words) => sentence(random, words)).join('. '),
  )
  return Math.round(medianUs(5, () => contradictionsAmong(texts)) / 100) / 10
}

interface Asked {
  readonly id: number
  readonly print: TextPrint
  readonly similarity: number
}

/** One of the texts with a word left out, put in or replaced. */
function edited(texts: readonly string[], prints: readonly TextPrint[], random: () => number): Asked {
  const id = Math.floor(random() * prints.length)
  const text = texts[id] ?? ''
  const words = text.split(' ')
  const kind = Math.floor(random() * 3)
  words.splice(Math.floor(random() * words.length), kind === 1 ? 0 : 1, ...(kind === 0 ? [] : ['other']))
  const other = words.join(' ')
  return { id, print: printOf(other), similarity: similarityOf(text, other) }
}

function inScript(text: string, script: (typeof SCRIPTS)[number]): string {
  if (script === 'latin') return text
  if (script === 'cyrillic')
    return text.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 97 + 0x430))
  return text.replace(/[a-z]{2} ?/g, (pair) =>
    String.fromCharCode(0x4e00 + ((pair.charCodeAt(0) * 331 + pair.charCodeAt(1) * 17) % 3_000)),
  )
}

const CONSONANTS = 'bdfgklmnprstvz'
const VOWELS = 'aeiou'

/** Invented words, the n-th about 1/n as frequent as the first. */
function sentence(random: () => number, words: number): string {
  return Array.from({ length: words }, () => inventedWord(Math.floor(50_000 ** random()))).join(' ')
}

function inventedWord(number: number): string {
  let word = ''
  for (let rest = number; rest > 0 || word.length < 4; ) {
    word += CONSONANTS.charAt(rest % CONSONANTS.length)
    rest = Math.floor(rest / CONSONANTS.length)
    word += VOWELS.charAt(rest % VOWELS.length)
    rest = Math.floor(rest / VOWELS.length)
  }
  return word
}

function medianUs(times: number, work: () => unknown): number {
  return quantile(
    Array.from({ length: times }, () => timeUs(work)),
    0.5,
  )
}

function timeUs(work: () => unknown): number {
  const startedAt = performance.now()
  work()
  return (performance.now() - startedAt) * 1_000
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10
}

function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const QUICK: SimilarityOptions = { sizes: [1_000, 5_000], queries: 300, chars: [200, 20_000] }

if (isMain(import.meta.url)) {
  const result = run(process.argv.includes('--quick') ? QUICK : DEFAULTS)
  if (process.argv.includes('--json')) console.log(JSON.stringify(result))
  else {
    console.table(result.texts)
    console.table(result.indexes)
    console.log(`contradictions among 200 texts: ${result.pairsMs} ms`)
  }
}
