import { CLASS_PAGE_DOCS } from './documents.ts'
import { PAGE_WORDS } from './postings.ts'
import type { IndexImage } from './search-index.ts'

/**
 * Raised when a text is indexed under other words than before, or when a section changes its meaning: an image of
 * another schema is not read.
 */
export const RECALL_SCHEMA = 5

/** What a recall view knows besides the memories themselves. */
export interface RecallImage {
  readonly index: IndexImage
  /** By document: slot of its memory + 1, 0 for none. */
  readonly docSlots: Int32Array
}

/** In the order in which they are stored. */
export const RECALL_SECTIONS = [
  'counts',
  'term_slots',
  'term_hashes',
  'term_starts',
  'term_chars',
  'posting_heads',
  'posting_tails',
  'posting_counts',
  'term_docs',
  'class_totals',
  'doc_marks',
  'doc_slots',
  'postings',
] as const
export type RecallSectionName = (typeof RECALL_SECTIONS)[number]

/** Bytes that stand one piece behind the other. */
export interface RecallSection {
  readonly name: RecallSectionName
  readonly pieces: readonly Uint8Array[]
}

/** The image as bytes: views of its arrays, nothing is copied. Numbers are in the byte order of the machine. */
export function sectionsOf({ index, docSlots }: RecallImage): readonly RecallSection[] {
  const { terms, postings, documents } = index
  const arrays: Readonly<Record<RecallSectionName, readonly ArrayBufferView[]>> = {
    counts: [Float64Array.of(index.removed)],
    term_slots: [terms.slots],
    term_hashes: [terms.hashes],
    term_starts: [terms.starts],
    term_chars: [terms.chars],
    posting_heads: [postings.heads],
    posting_tails: [postings.tails],
    posting_counts: [postings.counts],
    term_docs: [index.docsOfTerm],
    class_totals: [documents.totals],
    doc_marks: documents.pages,
    doc_slots: [docSlots],
    postings: postings.pages,
  }
  return RECALL_SECTIONS.map((name) => ({ name, pieces: arrays[name].map(bytesOf) }))
}

/**
 * The image in stored sections, as views of their bytes; each section begins at a multiple of eight in its buffer. Null
 * when one is missing or they do not belong together.
 */
export function recallImageFrom(sections: ReadonlyMap<string, Uint8Array>): RecallImage | null {
  const section = (name: RecallSectionName): Uint8Array => sections.get(name) ?? new Uint8Array(0)
  const words = (name: RecallSectionName) => wordsIn(section(name))
  const [removed = -1] = doublesIn(section('counts'))
  const terms = {
    slots: words('term_slots'),
    hashes: words('term_hashes'),
    starts: words('term_starts'),
    chars: halvesIn(section('term_chars')),
  }
  const postings = {
    pages: pagesOf(words('postings'), PAGE_WORDS),
    heads: words('posting_heads'),
    tails: words('posting_tails'),
    counts: words('posting_counts'),
  }
  const documents = {
    pages: pagesOf(halvesIn(section('doc_marks')), CLASS_PAGE_DOCS),
    totals: doublesIn(section('class_totals')),
  }
  const index: IndexImage = { terms, postings, documents, docsOfTerm: words('term_docs'), removed }
  const image: RecallImage = { index, docSlots: words('doc_slots') }
  return RECALL_SECTIONS.every((name) => sections.has(name)) && isWhole(image) ? image : null
}

/** Whether lengths agree: a safeguard behind the checksums, against a writer's mistake. */
function isWhole({ index, docSlots }: RecallImage): boolean {
  const { terms, postings, documents, removed } = index
  const size = terms.hashes.length
  const slots = terms.slots.length
  const docs = documents.pages.reduce((sum, page) => sum + page.length, 0)
  const isPowerOfTwo = slots > 0 && (slots & (slots - 1)) === 0
  return (
    removed >= 0 &&
    isPowerOfTwo &&
    size <= (slots * 3) / 4 &&
    terms.starts.length === size + 1 &&
    terms.starts[size] === terms.chars.length &&
    postings.heads.length === postings.counts.length &&
    postings.tails.length === postings.counts.length &&
    postings.counts.length <= size &&
    index.docsOfTerm.length <= size &&
    docSlots.length === docs
  )
}

/** Consecutive pages; at least one, which may be empty. */
function pagesOf<T extends Int32Array | Uint16Array>(whole: T, pageLength: number): T[]
function pagesOf(whole: Int32Array | Uint16Array, pageLength: number): (Int32Array | Uint16Array)[] {
  const pages = [whole.subarray(0, pageLength)]
  for (let from = pageLength; from < whole.length; from += pageLength) {
    pages.push(whole.subarray(from, from + pageLength))
  }
  return pages
}

function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

function wordsIn({ buffer, byteOffset, byteLength }: Uint8Array): Int32Array {
  return new Int32Array(buffer, byteOffset, Math.floor(byteLength / 4))
}

function halvesIn({ buffer, byteOffset, byteLength }: Uint8Array): Uint16Array {
  return new Uint16Array(buffer, byteOffset, Math.floor(byteLength / 2))
}

function doublesIn({ buffer, byteOffset, byteLength }: Uint8Array): Float64Array {
  return new Float64Array(buffer, byteOffset, Math.floor(byteLength / 8))
}
