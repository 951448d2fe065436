/// <reference lib="es2024.string" />
import { Packr, Unpackr } from 'msgpackr'
import { assert } from '../../core/base/assert.ts'
import { setField, TableCursor, UnreadTable } from './table-cursor.ts'

/** Packs plain data so that it comes back exactly as it was. Every result can be read on its own. */
export interface Packer {
  /**
   * Takes null, booleans, finite numbers, strings, byte arrays, arrays and plain objects of these, of any size.
   * Throws an InvariantError on anything else (undefined, NaN, a date …). Minus zero comes back as zero.
   */
  pack(value: unknown): Uint8Array
  /** Byte arrays come back as Buffers with memory of their own. Throws on bytes that are not one whole value. */
  unpack(bytes: Uint8Array): unknown
  /** The same, with rests on the way. The bytes have to stay as they are. */
  unpackSteps(bytes: Buffer): Generator<void, unknown>
}

// Callers' payloads are any JSON. The packing library looks at some keys (it would rename `__proto__`, call `toJSON`,
// compare `constructor`, keep a list of its own under `__keys__`), and UTF-8 has no lone surrogates. A value that
// holds one of these is stored escaped, with a mark in front of every key and string:
//
//   0        1
//   +--------+-----------------------------+
//   | 0xc1   | msgpack of the marked value |      0xc1 begins no msgpack value
//   +--------+-----------------------------+
//
//   '.' + text          well-formed text
//   '!' + JSON of text  text with a lone surrogate
const ESCAPED = 0xc1
const HAZARDOUS_KEYS: ReadonlySet<string> = new Set(['__proto__', 'toJSON', 'constructor', '__keys__'])

/** `isTabular` for lists of equally shaped objects: their keys are then written once a list. */
export function createPacker(options: { readonly isTabular: boolean }): Packer {
  // Never `structures`: a table outside the bytes, once lost, would make all of them unreadable.
  const settings = { useRecords: options.isTabular, variableMapSize: true, copyBuffers: true }
  const packr = new Packr(settings)
  const unpackr = new Unpackr(settings)
  const unpack = (bytes: Uint8Array): unknown => {
    if (bytes[0] !== ESCAPED) return unpackr.unpack(bytes)
    const value: unknown = unpackr.unpack(bytes.subarray(1))
    return withTexts(value, unescapedText)
  }
  return {
    pack: (value) =>
      isPlain(value)
        ? packr.pack(value)
        : Buffer.concat([Buffer.of(ESCAPED), packr.pack(withTexts(value, escapedText))]),
    unpack,
    *unpackSteps(bytes) {
      const isEscaped = bytes[0] === ESCAPED
      // Others may be read while this one rests.
      const cursor = new TableCursor(options.isTabular)
      try {
        cursor.begin(isEscaped ? bytes.subarray(1) : bytes)
        const value = yield* cursor.valueSteps(isEscaped ? unescapedText : (text) => text)
        if (cursor.isAtEnd) return value
      } catch (error) {
        if (!(error instanceof UnreadTable)) throw error
      }
      return unpack(bytes)
    },
  }
}

/** True for an object without a class: what an object of JSON becomes. */
export function isDictionary(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'number') {
    assert(Number.isFinite(value), 'only finite numbers are stored')
    return true
  }
  // No early return: the rest must be looked at too.
  let plain = true
  if (Array.isArray(value)) {
    // Without an iterator, which of numbers and of texts alike would make an object for each, as would handing a number on.
    for (let at = 0; at < value.length; at += 1) {
      if (!Number.isFinite(value[at])) plain = isPlain(value[at]) && plain
    }
    return plain
  }
  if (value instanceof Uint8Array) return true
  if (!isDictionary(value)) assert(false, `a value of type ${typeof value} and no plain class is not stored`)
  for (const key in value) {
    if (HAZARDOUS_KEYS.has(key) || !key.isWellFormed()) plain = false
    plain = isPlain(value[key]) && plain
  }
  return plain
}

/** The same value with other texts, keys included. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item: unknown) => withTexts(item, change))
  if (!isDictionary(value)) return value
  const changed: Record<string, unknown> = {}
  for (const key in value) {
    setField(changed, change(key), withTexts(value[key], change))
  }
  return changed
}

function escapedText(text: string): string {
  return text.isWellFormed() ? `.${text}` : `!${JSON.stringify(text)}`
}

function unescapedText(text: string): string {
  const rest = text.slice(1)
  if (text.startsWith('.')) return rest
  assert(text.startsWith('!'), 'escaped text starts with its mark')
  return String(JSON.parse(rest))
}
