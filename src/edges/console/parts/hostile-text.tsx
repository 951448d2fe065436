import { useState } from 'preact/hooks'
import { numeral } from './words.ts'

// What agents wrote is shown as text nodes, never as markup or links. Characters that are not seen, or that turn the
// direction of what follows, stand as marks with their code points.

/** Characters shown before a text is folded. */
const FOLD_CHARS = 700

const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]|[\u{1d173}-\u{1d17a}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu

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
  let from = 0
  for (const found of text.matchAll(HIDDEN)) {
    if (found.index > from) pieces.push({ text: text.slice(from, found.index), hidden: null })
    const [character] = found
    const point = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    pieces.push({ text: point, hidden: NAMES[character] ?? 'a character that is not seen' })
    from = found.index + character.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from), hidden: null })
  return pieces
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
