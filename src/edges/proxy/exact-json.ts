import { randomUUID } from 'node:crypto'

// JSON that others wrote, read within bounds, and written again with the same numbers.

/**
 * A whole number that a double does not hold is a bigint. Undefined: the bytes are no JSON in UTF-8, or it is nested deeper
 * than `DEPTH_MAX`.
 */
export function jsonIn(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const value: unknown = LONG_NUMBER.test(text) ? withBigInts(text) : JSON.parse(text)
    return isShallow(value, DEPTH_MAX) ? value : undefined
  } catch {
    return undefined
  }
}

/** What `jsonIn` read, as it came. */
export function jsonTextOf(value: unknown): string {
  const text = JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'bigint' ? `${MARK}${inner}` : inner,
  )
  return text.replaceAll(MARKED, '$1')
}

/** Stands before the digits of a bigint in a text, for the time of a parse: nobody else knows it. */
const MARK = `${randomUUID()}:`
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g')
const LONG_NUMBER = /\d{16}/
/** Texts are passed over, so that no number in them is one of the JSON. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

function withBigInts(text: string): unknown {
  const marked = text.replace(TEXT_OR_NUMBER, (token) =>
    /^-?[1-9]\d{15,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${MARK}${token}"` : token,
  )
  return JSON.parse(marked, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  )
}

const DEPTH_MAX = 32

function isShallow(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return left > 0 && Object.values(value).every((inner) => isShallow(inner, left - 1))
}

/** False: readers of JSON take a number of it for different ones. */
export function isExact(value: unknown): boolean {
  if (typeof value === 'number') {
    return Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value))
  }
  if (typeof value === 'bigint') return false
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}
