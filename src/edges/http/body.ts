import { Buffer, isAscii, isUtf8, transcode } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { NESTING_MAX } from '../../contract/parse.ts'
import { DomainError, invalidRequest } from '../../core/base/errors.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * The JSON value of a request body; an empty body is `{}`, so that validation says what is missing. Throws
 * invalid_json for what is not JSON in UTF-8, invalid_request for nesting above 32 or a key `__proto__`.
 */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  const text = textOf(bytes)
  // Before parsing: a few MiB of brackets would become a hundred MiB of arrays.
  if (opensMoreThan(NESTING_MAX, text) && nestingOf(bytes) > NESTING_MAX) {
    throw refusedShape(`Send a body of at most ${NESTING_MAX} nested levels.`)
  }
  const value = parseText(text.startsWith('\uFEFF') ? text.slice(1) : text)
  // Each of its letters can also be written as an escape. Only a key counts: a memory may well talk about it.
  const mayHaveProtoKey = text.includes('__proto__') || text.includes('\\u00')
  if (mayHaveProtoKey && hasProtoKey(value)) throw refusedShape('Send a body without a key named __proto__.')
  return value
}

/** Of 5 MiB beyond ASCII the decoder of `toString` takes 15 ms, `transcode` 1 ms; it must be given valid UTF-8. */
function textOf(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1')
  // A replacement character in a stored memory would be a silent change of what the caller said.
  if (!isUtf8(bytes)) throw new DomainError('invalid_json', { reason: 'not UTF-8' })
  return transcode(bytes, 'utf8', 'utf16le').toString('utf16le')
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // V8's message quotes the body, which may be memory text.
    throw new DomainError('invalid_json', { reason: 'not JSON' })
  }
}

function refusedShape(message: string): DomainError {
  return invalidRequest([{ path: '', message }])
}

/** A quick no for nearly every body: with few opening brackets there can be no deep nesting. */
function opensMoreThan(max: number, text: string): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0 && count <= max; at = text.indexOf(bracket, at + 1))
      count += 1
  }
  return count > max
}

/** Depth of brackets outside strings. In UTF-8 no byte of a longer character equals one of these. */
function nestingOf(bytes: Buffer): number {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1)
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1
      if (depth > deepest) deepest = depth
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1
    }
  }
  return deepest
}

/** Where the string ends whose first byte is at `from`. Most have no escaped quote, and the search for one is native. */
function endOfString(bytes: Buffer, from: number): number {
  const quote = bytes.indexOf(QUOTE, from)
  if (quote === -1) return bytes.length
  let before = quote
  while (bytes[before - 1] === BACKSLASH) before -= 1
  if ((quote - before) % 2 === 0) return quote
  for (let at = quote + 1; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === BACKSLASH) at += 1
    else if (byte === QUOTE) return at
  }
  return bytes.length
}

function hasProtoKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Object.hasOwn(value, '__proto__')) return true
  return Object.values(value).some(hasProtoKey)
}

/** Fastify leaves the body undefined when there is none. */
export function bodyBytes(request: Pick<FastifyRequest, 'body'>): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
}
