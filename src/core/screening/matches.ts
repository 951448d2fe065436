/**
 * What a global pattern finds in a text, from left to right; it must not match nothing. Other than `matchAll`, which
 * compiles a copy of the pattern for every text that it is asked about once a collection of garbage has forgotten it.
 */
export function* matchesIn(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) yield match
}
