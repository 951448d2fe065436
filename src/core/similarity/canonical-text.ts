// Two spellings of one text. The canonical text keeps capitals and line breaks, because they tell names and statements;
// the normalised text keeps neither, because an echo seldom does.

/**
 * The text without control and invisible characters, in compatibility composition (NFKC), with one kind of quote and
 * dash. Line ends become `\n`. Linear in the length.
 */
export function canonicalText(text: string): string {
  if (!NOT_PLAIN.test(text)) return text
  const visible = text.replace(HIDDEN, '')
  if (!BEYOND_ASCII.test(visible)) return withLineFeeds(visible).replaceAll('`', "'")
  const unified = withUnifiedMarks(withLineFeeds(visible))
  const composed = unified.normalize('NFKC')
  if (composed === unified) return composed
  // A compatibility form may stand for a sign that is unified or hidden itself.
  return withUnifiedMarks(composed.replace(HIDDEN, '')).normalize('NFKC')
}

/**
 * One form for all spellings of a text that differ in capitals, white space, Unicode form, invisible characters, kinds
 * of quotes and dashes, and in punctuation at its two ends (a question mark stays: a question is no statement).
 * Normalising twice changes nothing more. Linear in the length, the whole text.
 */
export function normaliseText(text: string): string {
  return withoutEdges(foldCase(canonicalText(text)).replace(WIDE_SPACES, ' '))
}

/** Small letters, also where a capital stands for two of them. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase()
  if (!BEYOND_ASCII.test(lower)) return lower
  return lower.replaceAll('ß', 'ss').replaceAll('ς', 'σ').normalize('NFKC')
}

const BEYOND_ASCII = /[\u0080-\uffff]/
const NOT_PLAIN = /[^\n\x20-\x5f\x61-\x7e]/
const HIDDEN = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]+|[^\P{Cc}\s\x85]+/gu
const LINE_ENDS = /\r\n?|[\v\f\x85\u2028\u2029]/g
/** All white space but a single space. */
const WIDE_SPACES = /\s{2,}|[^\S ]/g
const SINGLE_QUOTES = /[\u2018-\u201b\u2032\u2035\u2039\u203a\u00b4\u02b9\u02bc`]/g
const MARKS = /[`´«»\u02b9\u02bc\u2010-\u203a\u2043\u2212\u300c-\u300f\ufe58\ufe63\uff0d]/
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u2036\u00ab\u00bb\u300c-\u300f]/g
const DASHES = /[\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]/g

function withLineFeeds(text: string): string {
  return text.replace(LINE_ENDS, '\n')
}

function withUnifiedMarks(text: string): string {
  if (!MARKS.test(text)) return text
  return text.replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"').replace(DASHES, '-')
}

const QUOTES = `"'`
const BULLETS = '-*+•·>|#'
const CLOSERS = ` ."',:;!。，、；：！`
const BRACKETS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Cuts bullets, quotes and closing punctuation from both ends, and a pair of brackets around all. */
function withoutEdges(text: string): string {
  let from = 0
  let to = text.length
  for (;;) {
    const size = to - from
    while (to > from && CLOSERS.includes(text.charAt(to - 1))) to -= 1
    while (from < to && (text.charAt(from) === ' ' || QUOTES.includes(text.charAt(from)))) from += 1
    from = afterBullet(text, from, to)
    if (to - from > 1 && BRACKETS[text.charAt(from)] === text.charAt(to - 1)) {
      from += 1
      to -= 1
    }
    if (to - from === size) return text.slice(from, to)
  }
}

/** A bullet is a sign with a space behind it: `- item`, not `-5`, `--force`, `#12`. */
function afterBullet(text: string, from: number, to: number): number {
  let at = from
  while (at < to && BULLETS.includes(text.charAt(at))) at += 1
  return at > from && at < to && text.charAt(at) === ' ' ? at + 1 : from
}
