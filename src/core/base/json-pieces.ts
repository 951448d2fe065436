import { unitsLeft } from './units.ts'

// JSON of a large value, piece by piece: whoever writes megabytes can rest between two pieces.

/** Units of text that a piece has, about: a millisecond or two. */
const PIECE_UNITS = 128 * 1024

/** Whether the JSON of a value is better written in pieces. Looks at no more of it than it has to. */
export function isLongJson(value: unknown): boolean {
  return unitsLeft(value, PIECE_UNITS) < 0
}

/** What `JSON.stringify` makes of a plain value, in pieces. */
export function jsonPieces(value: unknown): Generator<string, void> {
  return grouped(piecesOf(value, PLAIN))
}

/** JSON with the keys of every object in one order, whole and in pieces. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(sorted(value))
}

export function sortedJsonPieces(value: unknown): Generator<string, void> {
  return grouped(piecesOf(value, SORTED))
}

interface Form {
  readonly write: (value: unknown) => string
  readonly entriesOf: (value: object) => readonly [name: string, value: unknown][]
}

const PLAIN: Form = { write: (value) => JSON.stringify(value), entriesOf: Object.entries }
const SORTED: Form = { write: sortedJson, entriesOf: sortedEntries }

/** A copy first: of a large value a replacer takes three times as long. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.fromEntries(sortedEntries(value).map(([name, inner]) => [name, sorted(inner)]))
}

function sortedEntries(value: object): readonly [name: string, value: unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
}

function* grouped(pieces: Generator<string, void>): Generator<string, void> {
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < PIECE_UNITS) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

function* piecesOf(value: unknown, form: Form): Generator<string, void> {
  if (!isLongJson(value)) yield value === undefined ? 'null' : form.write(value)
  else if (typeof value === 'string') yield* piecesOfText(value)
  else if (Array.isArray(value)) {
    let before = '['
    for (const item of value) {
      yield before
      yield* piecesOf(item, form)
      before = ','
    }
    yield ']'
  } else if (typeof value === 'object' && value !== null) {
    let before = '{'
    for (const [name, inner] of form.entriesOf(value)) {
      if (inner === undefined) continue
      yield `${before}${JSON.stringify(name)}:`
      yield* piecesOf(inner, form)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}

function* piecesOfText(text: string): Generator<string, void> {
  yield '"'
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PIECE_UNITS, text.length)
    // A pair of surrogates stays together: alone each would be written as an escape.
    if ((text.codePointAt(to - 1) ?? 0) > 0xffff) to += 1
    yield JSON.stringify(text.slice(from, to)).slice(1, -1)
    from = to
  }
  yield '"'
}
