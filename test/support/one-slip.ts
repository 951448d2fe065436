/** Whether two words are one letter more, less or other, or two neighbours swapped, apart: by trying all of them. */
export function isOneSlip(word: string, other: string): boolean {
  if (word === other) return false
  const [shorter, longer] = word.length < other.length ? [word, other] : [other, word]
  const without = (text: string, at: number) => text.slice(0, at) + text.slice(at + 1)
  const places = Array.from(longer, (_, at) => at)
  if (longer.length === shorter.length + 1) return places.some((at) => without(longer, at) === shorter)
  if (longer.length !== shorter.length) return false
  const swapped = (text: string, at: number) =>
    text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2)
  return places.some(
    (at) => without(longer, at) === without(shorter, at) || (at > 0 && swapped(longer, at - 1) === shorter),
  )
}
