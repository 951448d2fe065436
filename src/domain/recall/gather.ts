import { assert } from '../assert.ts'
import { Bag } from './bag.ts'
import { CAPITAL, classAt, GAP, isWordClass } from './characters.ts'
import type { Dictionary } from './dictionary.ts'
import { ENGLISH, LanguageVotes } from './languages.ts'
import {
  FORM,
  MASK,
  MET_NUMBERS,
  NO_TERM,
  OWNER,
  PLAIN_CHARS_MAX,
  SPAN_NUMBERS,
  TERM,
  UNASKED,
} from './plain-words.ts'
import { eachToken, type FoldedText, foldedText, type TokenSink, tokensFrom, WORD } from './tokens.ts'
import type { WordForms } from './word-forms.ts'

/** A text and how many times it counts: an integer from 1 to 15. */
export interface IndexedField {
  readonly text: string
  readonly weight: number
}

/** Longer texts are read as texts of any script are. Characters. */
const PLAIN_TEXT_CHARS_MAX = 65_536
/** What the key of a last word reads behind a text. */
const PADDING_BYTES = PLAIN_CHARS_MAX
const MET_NUMBERS_MAX = 4 * PLAIN_TEXT_CHARS_MAX
const NO_ENTRY = -1

// Kinds of bytes; those of words come first.
const SMALL_BYTE = 1
const CAPITAL_BYTE = 2
const GAP_BYTE = 4
/** May join what is before it with what is behind it. */
const MARK_BYTE = 8
const KINDS = byteKinds()

// Scratch for the document at hand, that of all indexes: what is gathered is used up before anything else can happen.
const bag = new Bag()
const votes = new LanguageVotes()
const encoder = new TextEncoder()
let bytes = new Uint8Array(4_096)
let view = new DataView(bytes.buffer)
let met = new Int32Array(1_024)
let metSize = 0
let spans = new Int32Array(1_024)
let spansSize = 0

/**
 * The terms of a document with their counts, new ones where they are new. The bag is used again for the next document. All
 * words are read first, because they tell the language; as if it were English, because it mostly is.
 */
export function gatherTerms(fields: readonly IndexedField[], forms: WordForms, dictionary: Dictionary): Bag {
  forms.tidy()
  readFields(fields, forms, dictionary, true)
  const language = votes.winner() ?? ENGLISH
  if (language !== ENGLISH) readFields(fields, forms, dictionary, false)
  takeWords(language, forms, dictionary)
  // Scratch of a very long text is given back.
  if (met.length > MET_NUMBERS_MAX) met = new Int32Array(1_024)
  return bag
}

/** Puts identifiers into the bag and lists words, English stop words among them unless the document `isEnglish`. */
function readFields(
  fields: readonly IndexedField[],
  forms: WordForms,
  dictionary: Dictionary,
  isEnglish: boolean,
): void {
  bag.clear()
  votes.clear()
  metSize = 0
  for (const { text, weight } of fields) {
    assert(Number.isInteger(weight) && weight > 0, 'a field weight must be a positive integer')
    const sink = sinkOf(weight, forms, dictionary)
    if (isEnglish && readPlain(text, weight, forms, dictionary.number, sink)) continue
    spansSize = 0
    eachToken(text, sink)
    meetSpans(text, weight, forms, dictionary.number)
  }
}

/** Reads a text of ASCII alone: words without making strings of them, the rest as everywhere. False: it is another text. */
function readPlain(text: string, weight: number, forms: WordForms, owner: number, sink: TokenSink): boolean {
  const size = text.length
  if (size > PLAIN_TEXT_CHARS_MAX) return false
  if (size + PADDING_BYTES > bytes.length) widenBytes(size + PADDING_BYTES)
  if (encoder.encodeInto(text, bytes).written !== size) return false
  bytes[size] = 0
  bytes[size + 1] = 0
  spansSize = 0
  listSpans(text, size, sink)
  meetSpans(text, weight, forms, owner)
  return true
}

function listSpans(text: string, size: number, sink: TokenSink): void {
  const source = bytes
  const kinds = KINDS
  let folded: FoldedText | null = null
  for (let start = 0; start < size; ) {
    let kind = kinds[source[start] ?? 0] ?? 0
    if (kind >= GAP_BYTE) {
      start += 1
      continue
    }
    let end = start + 1
    let inner = 0
    for (kind = kinds[source[end] ?? 0] ?? 0; kind < GAP_BYTE; kind = kinds[source[end] ?? 0] ?? 0) {
      inner |= kind
      end += 1
    }
    const isPlain = (inner & CAPITAL_BYTE) === 0 && end - start <= PLAIN_CHARS_MAX
    if (!isPlain || (kind === MARK_BYTE && kinds[source[end + 1] ?? 0] !== GAP_BYTE)) {
      folded ??= foldedText(text)
      start = tokensFrom(folded, start, sink)
      continue
    }
    addSpan(start, end - start)
    start = end
  }
}

function addSpan(start: number, length: number): void {
  if (spansSize === spans.length) spans = widened(spans)
  spans[spansSize] = start
  spans[spansSize + 1] = length
  spansSize += SPAN_NUMBERS
}

function meetSpans(text: string, weight: number, forms: WordForms, owner: number): void {
  const { plain } = forms
  const from = spans
  const size = spansSize
  while (metSize + size * 2 > met.length) met = widened(met)
  const to = met
  let count = metSize
  let entries = plain.entries
  for (let at = 0; at < size; at += SPAN_NUMBERS) {
    const start = from[at] ?? 0
    const length = from[at + 1] ?? 0
    if (length === 0) {
      votes.add(forms.maskOf(start))
      to[count] = UNASKED
      to[count + 1] = start
      to[count + 2] = NO_ENTRY
      to[count + 3] = weight
      count += MET_NUMBERS
      continue
    }
    let entry = plain.find(view, start, length)
    if (entry < 0) {
      entry = enter(text, start, start + length, forms)
      entries = plain.entries
    }
    votes.add(entries[entry + MASK] ?? 0)
    const term = entries[entry + OWNER] === owner ? (entries[entry + TERM] ?? UNASKED) : UNASKED
    to[count] = term
    to[count + 1] = entries[entry + FORM] ?? 0
    to[count + 2] = entry
    to[count + 3] = weight
    // Without a branch, for which words are stop words cannot be guessed.
    const other = term - NO_TERM
    count += MET_NUMBERS * ((other | -other) >>> 31)
  }
  metSize = count
}

/** A word that has no entry. */
function enter(text: string, start: number, end: number, forms: WordForms): number {
  const word = text.slice(start, end).toLowerCase()
  const form = forms.formOf(word, word, 0, word.length)
  return forms.plain.put(view, start, end - start, form, forms.maskOf(form))
}

function sinkOf(weight: number, forms: WordForms, dictionary: Dictionary): TokenSink {
  return (text, start, end, kind) => {
    if (kind !== WORD) {
      bag.add(dictionary.addSpan(text.lower, start, end), weight)
      return
    }
    addSpan(forms.formOf(text.spoken, text.lower, start, end), 0)
  }
}

/** Puts the terms of all words that were met into the bag. */
function takeWords(language: number, forms: WordForms, dictionary: Dictionary): void {
  let weight = 0
  const take = (term: number): void => bag.add(term, weight)
  for (let at = 0; at < metSize; at += MET_NUMBERS) {
    const term = met[at] ?? UNASKED
    const form = met[at + 1] ?? 0
    const entry = met[at + 2] ?? NO_ENTRY
    weight = met[at + 3] ?? 0
    if (term >= 0) bag.add(term, weight)
    else if (entry === NO_ENTRY) dictionary.eachTerm(form, language, take)
    else takeUnasked(form, entry, weight, forms, dictionary)
  }
}

/** The term of a plain word in an English text; it has one at most. */
function takeUnasked(
  form: number,
  entry: number,
  weight: number,
  forms: WordForms,
  dictionary: Dictionary,
): void {
  const known = forms.terms.termOf(form, dictionary.number)
  const found = known === UNASKED ? askTerm(form, entry, forms, dictionary) : known
  if (found !== NO_TERM) bag.add(found, weight)
}

function askTerm(form: number, entry: number, forms: WordForms, dictionary: Dictionary): number {
  let found = NO_TERM
  dictionary.eachTerm(form, ENGLISH, (term) => {
    found = term
  })
  forms.plain.setTerm(entry, form, dictionary.number, found)
  forms.terms.put(form, dictionary.number, found)
  return found
}

/** Blanks the text that was read last: of a document that was removed, it is what was removed. */
export function forgetText(): void {
  bytes.fill(0)
}

function widenBytes(least: number): void {
  bytes = new Uint8Array(Math.max(least, bytes.length * 2))
  view = new DataView(bytes.buffer)
}

function widened(from: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const to = new Int32Array(from.length * 2)
  to.set(from)
  return to
}

function byteKinds(): Uint8Array {
  const kinds = new Uint8Array(256)
  for (let byte = 0; byte < 128; byte += 1) {
    const characterClass = classAt(String.fromCharCode(byte), 0)
    if (characterClass === CAPITAL) kinds[byte] = CAPITAL_BYTE
    else if (isWordClass(characterClass)) kinds[byte] = SMALL_BYTE
    else kinds[byte] = characterClass === GAP ? GAP_BYTE : MARK_BYTE
  }
  for (const mark of "'\\:") kinds[mark.charCodeAt(0)] = MARK_BYTE
  return kinds
}
