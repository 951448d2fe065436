import { classAt, fold, isWordClass } from '../text/unicode.ts'

/** Shorter names stand in too many words. */
const NAME_CHARS_MIN = 2

/** Those of the names that stand in the text as whole words, whatever their case and accents. */
export function namesAsked(text: string, names: Iterable<string>): ReadonlySet<string> {
  const folded = fold(text).toLowerCase()
  const found = new Set<string>()
  for (const name of names) {
    const wanted = fold(name).toLowerCase().trim()
    if (wanted.length >= NAME_CHARS_MIN && standsIn(folded, wanted)) found.add(name)
  }
  return found
}

function standsIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length
    const isOpenBefore = at === 0 || !isWordClass(classAt(text, at - 1))
    const isOpenAfter = end === text.length || !isWordClass(classAt(text, end))
    if (isOpenBefore && isOpenAfter) return true
  }
  return false
}
