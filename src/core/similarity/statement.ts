import { classAt, DENSE, isWordClass, JOINT } from '../text/unicode.ts'

/** What stands at [start, end) of a canonical text. */
type ScanKind = 'word' | 'dense' | 'end' | 'question' | 'equals'

/**
 * Cuts a text into words (compounds such as `src/a.ts`, `don't`, `1,000`, `10:30` whole), runs of scripts without
 * spaces, ends of statements, and the signs `=` and `:` that part a subject from its value. Linear.
 */
export function scanWords(text: string, sink: (kind: ScanKind, start: number, end: number) => void): void {
  for (let at = 0; at < text.length; ) {
    const here = classAt(text, at)
    if (isWordClass(here)) {
      const end = endOfCompound(text, at)
      sink('word', at, end)
      at = end
    } else if (here === DENSE) {
      let end = at + 1
      while (end < text.length && classAt(text, end) === DENSE) end += 1
      sink('dense', at, end)
      at = end
    } else {
      const mark = MARKS.get(text.charAt(at))
      if (mark !== undefined && isMarkAt(text, at)) sink(mark, at, at + 1)
      at += 1
    }
  }
}

const MARKS: ReadonlyMap<string, ScanKind> = new Map([
  ...['.', '!', ';', '\n', '。'].map((mark): [string, ScanKind] => [mark, 'end']),
  ['?', 'question'],
  ['=', 'equals'],
  [':', 'equals'],
])

/** A stop ends a statement when nothing is joined to it; `=` and a line break always count. */
function isMarkAt(text: string, at: number): boolean {
  const mark = text.charAt(at)
  if (mark === '\n' || mark === '=' || mark === '。') return true
  // `./run.sh` is one name.
  if (mark === '.' && text.charAt(at + 1) === '/') return false
  return at + 1 === text.length || !isWordClass(classAt(text, at + 1))
}

function endOfCompound(text: string, start: number): number {
  let end = start + 1
  for (; end < text.length; ) {
    if (isWordClass(classAt(text, end))) {
      end += 1
      continue
    }
    const joint = jointChars(text, end)
    if (joint === 0 || end + joint >= text.length || !isWordClass(classAt(text, end + joint))) break
    end += joint
  }
  return end
}

function jointChars(text: string, at: number): number {
  if (classAt(text, at) === JOINT) return 1
  const sign = text.charAt(at)
  if (sign === "'") return 1
  if (sign === ':' && text.charAt(at + 1) === ':') return 2
  const isBetweenDigits = isDigitAt(text, at - 1) && isDigitAt(text, at + 1)
  return isBetweenDigits && (sign === ',' || sign === ':') ? 1 : 0
}

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0x30 && code <= 0x39
}

/** `--`, `-`, `.`, `/` or `~/` in front of a word that is a flag, a hidden file or a rooted path. */
export function markBefore(text: string, start: number): string {
  let from = start
  while (from > 0 && start - from < 3 && '-./~'.includes(text.charAt(from - 1))) from -= 1
  if (from === start) return ''
  if (from > 0 && !' \n(\'"=:[<'.includes(text.charAt(from - 1))) return ''
  return text.slice(from, start)
}
