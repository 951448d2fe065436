// A stamp tells when a text was written: a time of day or a whole date, in brackets at either end, or a date and time before it.

/** Longer brackets hold prose. */
const STAMP_CHARS_MAX = 64
const MOMENT = /\d[:.]\d\d(?!\d)|\b\d{1,2}\b.*\b\d{4}\b|\b\d{4}\b.*\b\d{1,2}\b/
const BEFORE = /^\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*\s*/
const OPENING = '(['
const CLOSING = ')]'

/** The text between its stamps. */
export function withoutStamp(text: string): string {
  const from = firstOf(text)
  return text.slice(from, endOf(text, from))
}

function firstOf(text: string): number {
  const plain = BEFORE.exec(text.slice(0, STAMP_CHARS_MAX))
  if (plain !== null) return plain[0].length
  const start = text.search(/\S/)
  if (start < 0 || !OPENING.includes(text.charAt(start))) return 0
  const head = text.slice(start, start + STAMP_CHARS_MAX)
  const close = head.search(/[)\]]/)
  return close > 0 && MOMENT.test(head.slice(1, close)) ? start + close + 1 : 0
}

function endOf(text: string, from: number): number {
  let end = text.length
  while (end > from && text.charCodeAt(end - 1) <= 0x20) end -= 1
  if (end === from || !CLOSING.includes(text.charAt(end - 1))) return text.length
  const tailFrom = Math.max(from, end - STAMP_CHARS_MAX)
  const tail = text.slice(tailFrom, end - 1)
  const open = Math.max(tail.lastIndexOf('('), tail.lastIndexOf('['))
  return open >= 0 && MOMENT.test(tail.slice(open + 1)) ? tailFrom + open : text.length
}
