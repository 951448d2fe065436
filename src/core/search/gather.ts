import { assert } from '../base/assert.ts'
import { fold } from '../text/unicode.ts'
import { Bag } from './bag.ts'
import type { Dictionary } from './dictionary.ts'
import { ENGLISH, LanguageVotes } from './languages.ts'
import { APOSTROPHE, BYTE_KINDS, CAPITAL_BYTE, GAP_BYTE, MARK_BYTE, PlainText } from './plain-text.ts'
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

/** Numbers of words that are told of at most before the room for them is given back. */
const MET_NUMBERS_MAX = 262_144
const NO_ENTRY = -1
/** No dictionary has this number. */
const NOBODY = 0

// Scratch for the document at hand, that of all indexes: what is gathered is used up before anything else can happen.
const bag = new Bag()
const votes = new LanguageVotes()
const plainText = new PlainText()
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
    // How the index calls words in an English text is known of them.
    const owner = isEnglish ? dictionary.number : NOBODY
    spansSize = 0
    const asRead = plainText.read(text)
    if (asRead === null) eachToken(text, sink)
    else listSpans(asRead, sink)
    meetSpans(asRead ?? text, weight, forms, owner)
  }
}

/** Lists the words of a plain text without making strings of them, the rest as everywhere. */
function listSpans(text: string, sink: TokenSink): void {
  const source = plainText.bytes
  const size = text.length
  const kinds = BYTE_KINDS
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
    const isMarked = kind === MARK_BYTE && kinds[source[end + 1] ?? 0] !== GAP_BYTE
    if (isPlain && (!isMarked || source[end] === APOSTROPHE)) {
      start = isMarked ? addSpoken(source, start, end) : addSpan(start, end)
    } else {
      folded ??= foldedText(text)
      start = tokensFrom(folded, start, sink)
    }
  }
}

const SMALL_N = 0x6e
const SMALL_T = 0x74
const SMALL_BIT = 0x20

/** A plain word with an apostrophe behind it, as everywhere; answers where to go on. */
function addSpoken(source: Uint8Array, start: number, end: number): number {
  let next = end + 1
  while ((BYTE_KINDS[source[next] ?? 0] ?? 0) < GAP_BYTE) next += 1
  const isNot =
    next === end + 2 &&
    ((source[end + 1] ?? 0) | SMALL_BIT) === SMALL_T &&
    ((source[end - 1] ?? 0) | SMALL_BIT) === SMALL_N
  if (isNot) return next
  addSpan(start, end)
  return next - end > 3 ? end : next
}

/** Answers the end. */
function addSpan(start: number, end: number): number {
  putSpan(start, end - start)
  return end
}

function putSpan(start: number, length: number): void {
  if (spansSize === spans.length) spans = widened(spans)
  spans[spansSize] = start
  spans[spansSize + 1] = length
  spansSize += SPAN_NUMBERS
}

function meetSpans(text: string, weight: number, forms: WordForms, owner: number): void {
  const { plain } = forms
  const { view } = plainText
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
  const form = forms.formOf(word, fold(word), 0, word.length)
  return forms.plain.put(plainText.view, start, end - start, form, forms.maskOf(form))
}

function sinkOf(weight: number, forms: WordForms, dictionary: Dictionary): TokenSink {
  return (text, start, end, kind) => {
    if (kind !== WORD) {
      bag.add(dictionary.addSpan(text.lower, start, end), weight)
      return
    }
    putSpan(forms.formOf(text.spoken, text.lower, start, end), 0)
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
    else if (entry === NO_ENTRY || language !== ENGLISH) dictionary.eachTerm(form, language, take)
    else takeUnasked(form, entry, weight, forms, dictionary)
  }
}

/** The terms of a plain word in an English text: one at most, unless it has accents. */
function takeUnasked(
  form: number,
  entry: number,
  weight: number,
  forms: WordForms,
  dictionary: Dictionary,
): void {
  const known = forms.terms.termOf(form, dictionary.number)
  if (known !== UNASKED) {
    if (known !== NO_TERM) bag.add(known, weight)
    return
  }
  let found = NO_TERM
  let terms = 0
  dictionary.eachTerm(form, ENGLISH, (term) => {
    bag.add(term, weight)
    found = term
    terms += 1
  })
  if (terms > 1) return
  forms.plain.setTerm(entry, form, dictionary.number, found)
  forms.terms.put(form, dictionary.number, found)
}

/** Blanks the text that was read last: of a document that was removed, it is what was removed. */
export function forgetText(): void {
  plainText.forget()
}

function widened(from: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const to = new Int32Array(from.length * 2)
  to.set(from)
  return to
}
