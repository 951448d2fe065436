import { useState } from 'preact/hooks'
import { numeral } from './words.ts'

// The prompt is told apart by its grammar (docs/reference/prompt.md): `## ` opens a section, `[id] ` or `[m1] ` a line.
// Text of memory cannot forge either.

export interface PromptLine {
  readonly text: string
  readonly kind: 'heading' | 'memory' | 'plain'
  /** Of a memory what stands in the brackets. */
  readonly name: string | null
}

export function promptLines(prompt: string): readonly PromptLine[] {
  return prompt.split('\n').map((text) => {
    if (text.startsWith('## ')) return { text: text.slice(3), kind: 'heading', name: null }
    const name = /^\[([^\]\s]+)\] /.exec(text)?.[1] ?? null
    return {
      text: name === null ? text : text.slice(name.length + 3),
      kind: name === null ? 'plain' : 'memory',
      name,
    }
  })
}

// What agents wrote is shown as text nodes, never as markup or links. Characters that are not seen, or that turn the
// direction of what follows, stand as marks with their code points.

/** Characters shown before a text is folded. */
const FOLD_CHARS = 700

/** First and last code points: controls but tab and line feed, what has no width, what turns directions, tags, surrogates alone. */
const HIDDEN: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
]

function isHidden(point: number): boolean {
  return HIDDEN.some(([first, last]) => point >= first && point <= last)
}

const NAMES: Readonly<Record<string, string>> = {
  '\r': 'carriage return',
  '\u00ad': 'soft hyphen',
  '\u061c': 'Arabic letter mark',
  '\u200b': 'zero-width space',
  '\u200c': 'zero-width non-joiner',
  '\u200d': 'zero-width joiner',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u202a': 'left-to-right embedding',
  '\u202b': 'right-to-left embedding',
  '\u202c': 'end of a direction',
  '\u202d': 'left-to-right override',
  '\u202e': 'right-to-left override',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first strong isolate',
  '\u2069': 'end of an isolate',
  '\ufeff': 'byte order mark',
}

export interface Piece {
  readonly text: string
  /** Null: it is shown as it is. */
  readonly hidden: string | null
}

export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let seen = ''
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (!isHidden(point)) {
      seen += character
      continue
    }
    if (seen !== '') pieces.push({ text: seen, hidden: null })
    seen = ''
    const name = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
    pieces.push({ text: name, hidden: NAMES[character] ?? 'a character that is not seen' })
  }
  return seen === '' ? pieces : [...pieces, { text: seen, hidden: null }]
}

/** A text of somebody else where there is one; null where there is none. */
export function said(text: string | null | undefined) {
  return text == null ? null : <HostileText text={text} />
}

/** A text of somebody else, on one line or as a block that folds when it is long. */
export function HostileText({
  text,
  isBlock = false,
}: {
  readonly text: string
  readonly isBlock?: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const isLong = isBlock && text.length > FOLD_CHARS
  const shown = isLong && !isOpen ? text.slice(0, FOLD_CHARS) : text
  const pieces = piecesOf(shown).map(({ text: said, hidden }, at) =>
    hidden === null ? (
      said
    ) : (
      <span key={at} class="hidden-mark" title={`${said}: ${hidden}`}>
        {said}
      </span>
    ),
  )
  if (!isBlock) return <bdi class="said">{pieces}</bdi>
  return (
    <div class="said block" dir="auto">
      {pieces}
      {isLong && !isOpen && '…'}
      {isLong && (
        <button type="button" class="quiet fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fold' : `Show all ${numeral(text.length)} characters`}
        </button>
      )}
    </div>
  )
}
