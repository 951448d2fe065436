import type { Audience, MemoryRecord } from '../model/record.ts'
import { type DisputeReading, readForDispute } from '../similarity/dispute.ts'
import type { TextSignature } from '../similarity/text-signature.ts'

/** What the asker has worked out before; without it the answer is the same, and later. */
export interface Prepared {
  /** Of the text as a memory would hold it. */
  readonly signature: TextSignature
  readonly isNearDuplicate: (text: string, other: string) => boolean
}

/** A memory that shares words with a text. */
export interface RelatedText {
  readonly memoryId: string
  /** Different words of the text that it holds … */
  readonly sharedWords: number
  /** … of so many. Neither counts words without content. */
  readonly words: number
}

/** What is known of texts that were written before the turn. Answers name memories; the newest content counts. */
export interface Similar {
  /** Memories whose text normalises to the same, the newest first. */
  exact(text: string, prepared?: Prepared): readonly string[]
  /**
   * Other memories that say the same in nearly the same words, the most similar first. Only those for which `holds` is
   * true are read; the work is bounded, so of very many or very long ones the least similar are left out.
   */
  nearDuplicates(text: string, holds: (memoryId: string) => boolean, prepared?: Prepared): readonly string[]
  /** Memories of the allowed audiences that share words with the text, the best match first. */
  related(text: string, allows: (audience: Audience) => boolean, limit: number): readonly RelatedText[]
  /** A text as disputes compare it: the nearest texts are mostly those that were read a moment ago. */
  reading(text: string): DisputeReading
  /** False: a text that is said at this time disputes none that was observed before. Whether any is known in time is not. */
  mayDispute(text: string, saidMs: number): boolean
}

/** Of an actor that is asked nothing about similar texts. */
export const NOTHING_SIMILAR: Similar = {
  exact: () => [],
  nearDuplicates: () => [],
  related: () => [],
  reading: readForDispute,
  mayDispute: () => true,
}

/** The text of a memory that others are compared with; empty when it has none. At most 32 000 characters. */
export function saidText({ content }: Pick<MemoryRecord, 'content'>): string {
  return content.text === '' ? (content.summary ?? '') : content.text
}

/** True when the whole text is in the record: of a longer one it holds a compact form, which proves nothing. */
export function isSaidWhole({ content }: Pick<MemoryRecord, 'content'>): boolean {
  return content.fullTextChars === null
}
