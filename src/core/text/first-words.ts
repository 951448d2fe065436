import { classAt, isWordClass } from './unicode.ts'

/** Of a question and of a text what stands first: that says what it is about. */
export const FIRST_WORDS_MAX = 64
const CHARS_MAX = 600
/** Words are told apart by so many first characters: a rough stem in any language. */
const STEM_CHARS = 6

/** By unit of ASCII, 1: it is of a word. Faster than the classes of all units, which lie in more memory. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, unit) =>
  isWordClass(classAt(String.fromCharCode(unit), 0)) ? 1 : 0,
)

/**
 * Visits the first words of a text in their order with a number from 1 to 255, the same for words that begin alike, and with
 * their length. Two others have the same number now and then; that they stand in the same order too is rare.
 */
export function eachFirstWord(raw: string, visit: (word: number, chars: number) => void): void {
  const text = (raw.length > CHARS_MAX ? raw.slice(0, CHARS_MAX) : raw).toLowerCase()
  const end = text.length
  let words = 0
  for (let at = 0; at < end && words < FIRST_WORDS_MAX; at += 1) {
    let unit = text.charCodeAt(at)
    if (!isOfWord(unit, text, at)) continue
    const start = at
    let hash = 0
    do {
      if (at - start < STEM_CHARS) hash = Math.imul(hash ^ unit, 0x9e37_79b1)
      at += 1
      unit = at < end ? text.charCodeAt(at) : 0
    } while (at < end && isOfWord(unit, text, at))
    // The high bits of a product depend on all of it.
    visit(Math.max(1, hash >>> 24), at - start)
    words += 1
  }
}

function isOfWord(unit: number, text: string, at: number): boolean {
  return unit < 128 ? PLAIN[unit] === 1 : isWordClass(classAt(text, at))
}
