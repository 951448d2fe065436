import { addressEnd } from './address.ts'
import { isMixedScript } from './confusables.ts'
import { type Gap, gapBetween } from './gap.ts'
import { isSkipped } from './hidden.ts'
import { classesOf, denseEntryAt, foldWord, phrasesFrom, segmentsOf } from './lexicon.ts'
import { ADDRESS, IDENTITY, PHRASE_HEAD } from './word-class.ts'

/** A text as words, one entry of each array a word. */
export interface Words {
  readonly starts: number[]
  readonly ends: number[]
  /** Folded; of an address as written. */
  readonly texts: string[]
  readonly masks: number[]
  /** What stands before the word. */
  readonly gaps: Gap[]
  /** Spans of words in mixed scripts. */
  readonly mixed: (readonly [number, number])[]
}

const NO_WORD = 0
const LETTER = 1
const NUMERAL = 2
const DENSE = 3
const SKIP = 4
/** `@` and `$`: letters only inside a word. */
const SIGN = 5
const LONG_WORD_CHARS = 12
const SPELLED_LETTERS_MIN = 4

const UNSEEN = 255
const classes = new Uint8Array(0x10000).fill(UNSEEN)

/** Reads the words of a text. Linear: every step moves forward, and looks ahead a bounded number of units. */
export function readWords(text: string): Words {
  const words: Words = { starts: [], ends: [], texts: [], masks: [], gaps: [], mixed: [] }
  let gapFrom = 0
  for (let at = 0; at < text.length; ) {
    const kind = classAt(text, at)
    if (kind === NO_WORD || kind === SKIP || (kind === SIGN && !isLetterAt(text, at + 1))) {
      at += 1
      continue
    }
    const end = kind === DENSE ? readDense(words, text, gapFrom, at) : readWord(words, text, gapFrom, at)
    if (end > at) gapFrom = end
    at = Math.max(end, at + 1)
  }
  joinSpelledWords(words)
  markPhrases(words)
  return words
}

function push(words: Words, text: string, span: readonly [number, number, number], mask: number): void {
  const [gapFrom, start, end] = span
  const gap = gapBetween(text, gapFrom, start, words.starts.length === 0)
  words.starts.push(start)
  words.ends.push(end)
  words.texts.push('')
  words.gaps.push(gap)
  words.masks.push(gap.opensName ? mask | IDENTITY : mask)
}

/** Only entries of the lexicon become words; what stands between them is passed over like a gap without a break. */
function readDense(words: Words, text: string, gapFrom: number, at: number): number {
  const entry = denseEntryAt(text, at)
  if (entry === null) return at
  push(words, text, [gapFrom, at, at + entry.length], entry.mask)
  return at + entry.length
}

function readWord(words: Words, text: string, gapFrom: number, start: number): number {
  const address = addressEnd(text, start)
  if (address !== -1) {
    push(words, text, [gapFrom, start, address], ADDRESS | IDENTITY)
    words.texts[words.texts.length - 1] = text.slice(start, address)
    return address
  }
  let end = start
  let digits = 0
  for (let at = start; at < text.length; at++) {
    const kind = classAt(text, at)
    if (kind === NO_WORD ? !isApostropheInside(text, at) : kind === DENSE) break
    if (kind === SIGN && !isLetterAt(text, at + 1)) break
    if (kind === NUMERAL) digits += 1
    if (kind !== SKIP) end = at + 1
  }
  const folded = foldWord(text.slice(start, end))
  const mask = classesOf(folded)
  const isName =
    digits > 2 || (digits > 0 && isOfName(text, start, words.texts.at(-1) ?? '')) || isTag(text, start)
  const isMixed = mayBeMixed(text, start, end) && isMixedScript(folded)
  if (isMixed) words.mixed.push([start, end])
  const parts = mask === 0 && digits === 0 && folded.length >= LONG_WORD_CHARS ? segmentsOf(folded) : []
  push(words, text, [gapFrom, start, end], isName ? mask | IDENTITY : mask)
  words.texts[words.texts.length - 1] = folded
  if (parts.length > 0) pushParts(words, parts)
  return end
}

/** Replaces the last word by the parts that it is made of, all with its span. */
function pushParts(words: Words, parts: readonly string[]): void {
  const start = words.starts.pop() ?? 0
  const end = words.ends.pop() ?? 0
  const gap = words.gaps.pop() ?? { level: 0, chars: 1, opensName: false }
  words.texts.pop()
  words.masks.pop()
  for (const [at, part] of parts.entries()) {
    words.starts.push(start)
    words.ends.push(end)
    words.texts.push(part)
    words.masks.push(classesOf(part))
    words.gaps.push(at === 0 ? gap : { level: 0, chars: 0, opensName: false })
  }
}

/** `i g n o r e` and `i-g-n-o-r-e`: single letters in a row are one word; a wider gap ends it. */
function joinSpelledWords(words: Words): void {
  const count = words.starts.length
  let isSpelled = false
  for (let at = 0, run = 0; at < count && !isSpelled; at++) {
    run = isSingle(words, at) ? run + 1 : 0
    isSpelled = run >= SPELLED_LETTERS_MIN
  }
  if (!isSpelled) return
  const { starts, ends, texts, masks, gaps } = words
  const old = { starts: [...starts], ends: [...ends], texts: [...texts], masks: [...masks], gaps: [...gaps] }
  for (const list of [starts, ends, texts, masks, gaps]) list.length = 0
  for (let at = 0; at < count; ) {
    let end = at + 1
    let narrowest = Number.POSITIVE_INFINITY
    if (isSingle(old, at)) {
      while (end < count && isSingle(old, end) && (old.gaps[end]?.level ?? 3) < 3) {
        narrowest = Math.min(narrowest, old.gaps[end]?.chars ?? 1)
        end += 1
      }
    }
    if (end - at < SPELLED_LETTERS_MIN) copyWords(words, old, at, end)
    else pushSpelled(words, old, [at, end, narrowest])
    at = end
  }
}

type WordColumns = Pick<Words, 'starts' | 'ends' | 'texts' | 'masks' | 'gaps'>

function isSingle(words: WordColumns, at: number): boolean {
  return words.texts[at]?.length === 1
}

function copyWords(words: Words, old: WordColumns, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    words.starts.push(old.starts[at] ?? 0)
    words.ends.push(old.ends[at] ?? 0)
    words.texts.push(old.texts[at] ?? '')
    words.masks.push(old.masks[at] ?? 0)
    words.gaps.push(old.gaps[at] ?? { level: 0, chars: 1, opensName: false })
  }
}

function pushSpelled(words: Words, old: WordColumns, run: readonly [number, number, number]): void {
  const [from, to, narrowest] = run
  for (let at = from; at < to; ) {
    let end = at + 1
    while (end < to && (old.gaps[end]?.chars ?? 1) <= narrowest) end += 1
    const word = old.texts.slice(at, end).join('')
    words.starts.push(old.starts[at] ?? 0)
    words.ends.push(old.ends[end - 1] ?? 0)
    words.texts.push(word)
    words.masks.push(classesOf(word))
    words.gaps.push(old.gaps[at] ?? { level: 0, chars: 1, opensName: false })
    const parts = classesOf(word) === 0 ? segmentsOf(word) : []
    if (parts.length > 0) pushParts(words, parts)
    at = end
  }
}

/** Gives the classes of an entry of several words to its first word. */
function markPhrases(words: Words): void {
  const { masks, texts } = words
  for (let at = 0; at < masks.length; at++) {
    if (((masks[at] ?? 0) & PHRASE_HEAD) === 0) continue
    for (const phrase of phrasesFrom(texts[at] ?? '')) {
      if (phrase.rest.every((word, offset) => texts[at + 1 + offset] === word)) {
        masks[at] = (masks[at] ?? 0) | phrase.mask
      }
    }
  }
}

function mayBeMixed(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) >= 0x370) return true
  return false
}

/** Whether what stands before digits makes them a name: `$5`, `room_5`, `ID 5`. */
function isOfName(text: string, start: number, before: string): boolean {
  const code = text.charCodeAt(start - 1)
  return code === 0x24 || code === 0x5f || code === 0x23 || before === 'id'
}

/** `#channel` after a space. */
function isTag(text: string, start: number): boolean {
  return text.charCodeAt(start - 1) === 0x23 && text.charCodeAt(start - 2) === 0x20
}

function isLetterAt(text: string, at: number): boolean {
  return at < text.length && classAt(text, at) === LETTER
}

function isApostropheInside(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (code === 0x27 || code === 0x2019) && isLetterAt(text, at - 1) && isLetterAt(text, at + 1)
}

/** What the unit at `at` is; both halves of a surrogate pair are what the pair is. */
function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const known = classes[code] ?? UNSEEN
  if (known !== UNSEEN) return known
  if (code >= 0xd800 && code <= 0xdfff) {
    return classify(text.codePointAt(code >= 0xdc00 && at > 0 ? at - 1 : at) ?? 0)
  }
  const found = classify(code)
  classes[code] = found
  return found
}

const IS_LETTER = /^[\p{L}\p{M}]$/u
const IS_NUMERAL = /^\p{N}$/u
const IS_DENSE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u

function classify(codePoint: number): number {
  if (codePoint === 0x40 || codePoint === 0x24) return SIGN
  if (codePoint >= 0x20 && isSkipped(codePoint)) return SKIP
  const character = String.fromCodePoint(codePoint)
  if (IS_DENSE.test(character)) return DENSE
  if (IS_NUMERAL.test(character)) return NUMERAL
  return IS_LETTER.test(character) ? LETTER : NO_WORD
}
