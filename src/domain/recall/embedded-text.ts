import type { MemoryRecord } from '../memory/record.ts'
import { screen } from '../screening/screen.ts'

/** Characters of a text that is sent; what follows is left out. */
export const EMBEDDED_CHARS_MAX = 8_000

/**
 * What of a memory is sent to a provider of embeddings: title, text and summary, at most 8000 characters. No id, no name,
 * no place, no payload. Empty when it says nothing.
 */
export function embeddedText({ content }: MemoryRecord): string {
  const { title, titleIsCallers, text, summary } = content
  const parts = [titleIsCallers ? title : null, text, summary === text ? null : summary]
  return cut(parts.filter((part) => part !== null && part !== '').join('\n'))
}

export function embeddedQuery(queryText: string): string {
  return cut(queryText.trim())
}

/** Whether a text must not be sent. Texts of runs too are read for secrets here, which screening of memory leaves out. */
export function holdsSecret(text: string): boolean {
  const findings = screen(text, { domain: 'general', declaredType: null, queryText: null })
  return findings.some(({ kind }) => kind === 'secret')
}

/** Never between the halves of a surrogate pair. */
function cut(text: string): string {
  const head = text.slice(0, EMBEDDED_CHARS_MAX)
  return head.isWellFormed() ? head : head.toWellFormed()
}
