import { screen } from '../screening/screen.ts'
import type { MemoryRecord } from './record.ts'

/** Characters of a text that is sent; what follows is left out. */
export const EMBEDDED_CHARS_MAX = 8_000
/** Read beyond that, so that a secret which the end cuts in two is seen whole. */
const BEYOND_CHARS = 1_000

/**
 * What of a memory is sent to a provider of embeddings, if it may be: title, text and summary. No id, no name, no place,
 * no payload. Empty when it says nothing.
 */
export function embeddedText({ content }: MemoryRecord): string {
  const { title, titleIsCallers, text, summary } = content
  const parts = [titleIsCallers ? title : null, text, summary === text ? null : summary]
  return parts.filter((part) => part !== null && part !== '').join('\n')
}

/**
 * The beginning of a text as it may be sent, at most 8000 characters; null when it holds a secret. Texts of runs too are
 * read for secrets here, which screening of memory leaves out.
 */
export function sendableText(text: string): string | null {
  const read = text.slice(0, EMBEDDED_CHARS_MAX + BEYOND_CHARS)
  const findings = screen(read, { domain: 'general', declaredType: null, queryText: null })
  // A half of a surrogate pair at the end becomes a mark of its own.
  return findings.some(({ kind }) => kind === 'secret')
    ? null
    : read.slice(0, EMBEDDED_CHARS_MAX).toWellFormed()
}
