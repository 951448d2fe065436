import { Buffer, isAscii, isUtf8, transcode } from 'node:buffer'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { OperationSpec } from '../../contract/operations.ts'
import { NESTING_MAX, refusedShape, VALUES_MAX } from '../../contract/parse.ts'
import { boundaryMeantBy, isBoundary, shortened } from '../../contract/unknown-fields.ts'
import { DomainError, invalidRequest, type RequestIssue } from '../../core/base/errors.ts'

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * The JSON value of a request body; an empty body is `{}`, so that validation says what is missing. Throws
 * invalid_json for what is not JSON in UTF-8, invalid_request for nesting above 32, too many values or a key `__proto__`.
 */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  const text = textOf(bytes)
  refuseShape(bytes, text)
  const value = parseText(text)
  refuseProtoKey(text, value)
  return value
}

/** A larger body takes more than some milliseconds. */
export const ONE_BREATH_BYTES_MAX = 512 * 1024

/** The same of a large body: others are served between the passes over it, and before anything is done with it. */
export async function parseLargeBody(bytes: Buffer): Promise<unknown> {
  const text = textOf(bytes)
  await turnOfTheLoop()
  refuseShape(bytes, text)
  await turnOfTheLoop()
  const value = parseText(text)
  await turnOfTheLoop()
  refuseProtoKey(text, value)
  await turnOfTheLoop()
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
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
  } catch {
    // V8's message quotes the body, which may be memory text.
    throw new DomainError('invalid_json', { reason: 'not JSON' })
  }
}

/** Before parsing: a few MiB of brackets would become a hundred MiB of arrays. */
function refuseShape(bytes: Buffer, text: string): void {
  if (bytes.length < BYTES_OF_VALUE * VALUES_MAX && !opensMoreThan(NESTING_MAX, text)) return
  const { levels, values } = shapeOf(bytes)
  if (levels > NESTING_MAX || values > VALUES_MAX) throw refusedShape(levels > NESTING_MAX)
}

/** The least that a value takes in a list: a digit and a comma. */
const BYTES_OF_VALUE = 2

/** Each of its letters can also be written as an escape. Only a key counts: a memory may well talk about it. */
function refuseProtoKey(text: string, value: unknown): void {
  if (!text.includes('__proto__') && !text.includes('\\u00')) return
  if (!hasProtoKey(value)) return
  throw invalidRequest([{ path: '', message: 'Send a body without a key named __proto__.' }])
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

/** Levels of brackets, and values, of a JSON text. In UTF-8 no byte of a longer character equals one of these. */
function shapeOf(bytes: Buffer): { readonly levels: number; readonly values: number } {
  let depth = 0
  let levels = 0
  let values = 1
  let isEmpty = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte <= SPACE) continue
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1
      if (depth > levels) levels = depth
      isEmpty = true
      continue
    }
    if (byte === QUOTE) at = endOfString(bytes, at + 1)
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1
      if (!isEmpty) values += 1
    } else if (byte === COMMA) values += 1
    isEmpty = false
  }
  return { levels, values }
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

/** Others are no compression, and some clients name the charset here. */
const COMPRESSED = /gzip|deflate|compress|\bbr\b|zstd/i

/** Fastify leaves the body undefined when there is none. @throws unsupported_media_type for a compressed one */
export function bodyBytes(request: Pick<FastifyRequest, 'body' | 'headers'>): Buffer {
  if (COMPRESSED.test(request.headers['content-encoding'] ?? ''))
    throw new DomainError(
      'unsupported_media_type',
      {},
      'Send the body uncompressed, without content-encoding.',
    )
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
}

const BEGINS_AS_JSON = /^(?:[{[]|true$|false$|null$|-?\d)/

/**
 * Refuses a parameter that is given twice: whichever counted, a proxy may have gone by the other. And a boundary in the
 * query of a request whose fields are in its body: it would be ignored. And what is not UTF-8: `%fc` would be read as
 * these three signs, which name another scope.
 * @throws invalid_request
 */
export function refuseUnclearQuery(query: object, url: string, isBodySent: boolean): void {
  if (!isDecodable(url))
    throw invalidRequest([{ path: '', message: 'Send the query percent-encoded in UTF-8.' }])
  let issues: RequestIssue[] | null = null
  for (const name in query) {
    const path = shortened(name)
    if (Array.isArray(Reflect.get(query, name))) {
      issues ??= []
      issues.push({ path, message: `${path}: Send this parameter once; send a list as JSON.` })
    } else if (isBodySent) {
      const meant = isBoundary(name) ? name : boundaryMeantBy(name)
      if (meant === null) continue
      issues ??= []
      issues.push({ path, message: `${path}: Send ${meant} in the body: the query of a POST is not read.` })
    }
  }
  if (issues !== null) throw invalidRequest(issues)
}

/** A path that cannot be decoded is taken literally: the router would refuse it before any hook, and so without asking for a key. */
export function withDecodablePath(url: string): string {
  if (!url.includes('%')) return url
  const [path = ''] = url.split('?', 1)
  return isDecodable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length)
}

function isDecodable(url: string): boolean {
  try {
    return decodeURIComponent(url) !== ''
  } catch {
    return false
  }
}

/**
 * The query of a GET as the body that a POST would have. A parameter of a text field is text; for any other field it is
 * JSON. What is neither stays as it is, so that validation says what to send instead.
 * @throws invalid_request as for a body
 */
export function bodyOfQuery(request: OperationSpec['request'], query: object): object {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]: [string, unknown]) => {
      const field = request !== null && Object.hasOwn(request.shape, name) ? request.shape[name] : undefined
      const isPlain = field === undefined || typeof value !== 'string' || takesText(field, value)
      return [name, isPlain ? value : valueOf(value)]
    }),
  )
}

/** Also when it is the wrong text. */
function takesText(field: z.ZodType, text: string): boolean {
  const { success, error } = field.safeParse(text)
  return success || error.issues.every(({ code }) => code !== 'invalid_type' && code !== 'invalid_union')
}

function valueOf(text: string): unknown {
  if (!BEGINS_AS_JSON.test(text)) return text
  try {
    return parseBody(Buffer.from(text))
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_json') return text
    throw error
  }
}
