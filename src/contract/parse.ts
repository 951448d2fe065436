import { z } from 'zod'
import {
  DomainError,
  type ErrorCode,
  invalidRequest,
  isErrorCode,
  type RequestIssue,
} from '../core/base/errors.ts'
import { MEMORY_KEYS } from './memory-input.ts'
import { boundaryMeantBy, boundaryMeantInside, nearName, sentenceOf, shortened } from './unknown-fields.ts'

/** Levels of arrays and objects that a body may nest, itself included. */
export const NESTING_MAX = 32
/** Texts, numbers, lists and objects in a body: millions of tiny ones would fit into its bytes, and each is an object. */
export const VALUES_MAX = 20_000
/** Issues named one by one; the rest is counted. */
const NAMED_MAX = 20

export interface ParsedRequest<Request> {
  readonly request: Request
  /** Sentences about what was ignored; empty when there is nothing to say. */
  readonly warnings: readonly string[]
  /** What else was sent at the top level: every refusal of the request names it. */
  readonly unknown: readonly UnknownField[]
}

/**
 * Reads a decoded JSON body. Unknown top-level fields are ignored and named in the warnings, but for those that resemble
 * a boundary.
 * @throws DomainError `invalid_request` with `details.issues`, or the code that a rule of the operation names.
 */
export function parseRequest<Request>(
  operation: { readonly request: z.ZodObject & z.ZodType<Request> },
  body: unknown,
): ParsedRequest<Request> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest([{ path: '', message: 'Send one JSON object as the body.' }])
  }
  const left = roomLeft(body, NESTING_MAX, VALUES_MAX)
  if (left < 0) throw refusedShape(left === TOO_DEEP)
  const { shape } = operation.request
  const sent = sentFields(operation.request, body)
  const whole = sent === null ? operation.request.safeParse(body, PARSE_OPTIONS) : null
  const data = sent ?? whole?.data
  const names = unknownNames(shape, body)
  const unknown = unknownFields(shape, names)
  const guessed = boundaryIssues(shape, names, body)
  if (data === undefined || guessed.length > 0) {
    throw namingUnknown(refusalOf(whole?.error?.issues ?? [], guessed), unknown, body)
  }
  return { request: data, warnings: ignoredWarnings(unknown), unknown }
}

const PARSE_OPTIONS = { error: sentenceOf } as const

interface RequestField {
  readonly name: string
  readonly schema: z.core.$ZodType
  /** Left out, it has no value. */
  readonly mayBeAbsent: boolean
}

/** By schema, once it was asked for. Null: it has rules for several fields at once. */
const fieldsOf = new WeakMap<z.ZodObject, readonly RequestField[] | null>()

/**
 * What the schema makes of a body, from the fields that were sent: they are a few of dozens, and the schema looks at those that
 * are absent as well, one by one. Null: it refuses something, or only the whole schema knows.
 */
function sentFields<Request>(request: z.ZodObject & z.ZodType<Request>, body: object): Request | null {
  const known = fieldsOf.get(request)
  const fields = known === undefined ? fieldsIn(request) : known
  if (known === undefined) fieldsOf.set(request, fields)
  if (fields === null) return null
  const read: Partial<Request> = {}
  for (const { name, schema, mayBeAbsent } of fields) {
    if (mayBeAbsent && !(name in body)) continue
    const { success, data } = z.safeParse(schema, Reflect.get(body, name))
    if (!success) return null
    Reflect.set(read, name, data)
  }
  return isWhole(read, fields) ? read : null
}

function fieldsIn({ def, shape }: z.ZodObject): readonly RequestField[] | null {
  if (def.catchall !== undefined || (def.checks ?? []).length > 0) return null
  return Object.entries(shape).map(([name, schema]) => {
    const { success, data } = z.safeParse(schema, undefined)
    return { name, schema, mayBeAbsent: success && data === undefined }
  })
}

function isWhole<Request>(
  read: Partial<Request>,
  fields: readonly RequestField[],
): read is Request & Partial<Request> {
  return fields.every(({ name, mayBeAbsent }) => mayBeAbsent || Object.hasOwn(read, name))
}

/** What is said of a body with too many levels, or with too many values. */
export function refusedShape(isDeep: boolean): DomainError {
  const [most, what] = isDeep ? [NESTING_MAX, 'nested levels'] : [VALUES_MAX, 'values']
  return invalidRequest([{ path: '', message: `Send a body of at most ${most} ${what}.` }])
}

const TOO_DEEP = -1
const TOO_MANY = -2

/** Of so many values, how many are left behind this one; below 0: it has more of them, or of levels. */
function roomLeft(value: unknown, levels: number, values: number): number {
  if (values === 0) return TOO_MANY
  let left = values - 1
  if (typeof value !== 'object' || value === null) return left
  if (levels === 0) return TOO_DEEP
  if (Array.isArray(value)) {
    for (const item of value) {
      left = roomLeft(item, levels - 1, left)
      if (left < 0) return left
    }
    return left
  }
  for (const key in value) {
    left = roomLeft(Reflect.get(value, key), levels - 1, left)
    if (left < 0) return left
  }
  return left
}

function refusalOf(found: readonly z.core.$ZodIssue[], guessed: readonly RequestIssue[]): DomainError {
  const issues = [...guessed, ...found.flatMap(requestIssues)]
  const named = issues.slice(0, NAMED_MAX)
  if (issues.length > NAMED_MAX) {
    named.push({ path: '', message: `There are ${issues.length - NAMED_MAX} further issues.` })
  }
  const broken = guessed.length > 0 ? undefined : found.find((issue) => ruleCode(issue) !== null)
  const code = broken === undefined ? null : ruleCode(broken)
  // The rule says what this operation takes; the table of codes speaks for all operations.
  return code === null ? invalidRequest(named) : new DomainError(code, { issues: named }, broken?.message)
}

/** The code that a rule carries in its `params`, when it is not a plain validation error. */
function ruleCode(issue: z.core.$ZodIssue): ErrorCode | null {
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined
  return typeof code === 'string' && isErrorCode(code) ? code : null
}

function requestIssues(issue: z.core.$ZodIssue): readonly RequestIssue[] {
  const path = issue.path.map(String).join('.')
  if (issue.code !== 'unrecognized_keys') return [{ path, message: placed(path, issue.message) }]
  return issue.keys.map((key) => {
    const name = path === '' ? shortened(key) : `${path}.${shortened(key)}`
    return { path: name, message: `${name} is not known here. ${issue.message}` }
  })
}

// Some clients show nothing but the message, so that it has to name the field.
function placed(path: string, sentence: string): string {
  return path === '' ? sentence : `${path}: ${sentence}`
}

/** A top-level field that the operation does not have. */
export interface UnknownField {
  /** As it was sent, cut when it is long. */
  readonly name: string
  /** The known field that it most likely means. */
  readonly near: string | null
}

/** Fields named one by one in warnings and details; the rest is counted. */
export const UNKNOWN_NAMED_MAX = 20
/** Fields named in the message of a refusal. */
const TOLD_MAX = 3

/** Names at the top level that the operation does not have. */
export function unknownNames(shape: object, body: object): readonly string[] {
  const unknown: string[] = []
  for (const name in body) {
    // A field without a value is not sent: JSON has none.
    if (Object.hasOwn(shape, name) || Reflect.get(body, name) === undefined) continue
    unknown.push(name)
  }
  return unknown
}

/** Those that resemble no boundary, and the field that each may mean, as far as they are named. */
export function unknownFields(shape: object, names: readonly string[]): readonly UnknownField[] {
  if (names.length === 0) return []
  const known = Object.keys(shape)
  return names
    .filter((name) => boundaryMeantBy(name) === null)
    .map((name, at) => ({
      name: shortened(name),
      near: at < UNKNOWN_NAMED_MAX ? (nearName(name, known) ?? insideMemory(shape, name)) : null,
    }))
}

/** What stands at the top level may belong into the memory that the body has a place for. */
function insideMemory(shape: object, name: string): string | null {
  if (!Object.hasOwn(shape, 'memory')) return null
  const near = MEMORY_KEYS.has(name) ? name : nearName(name, [...MEMORY_KEYS])
  return near === null ? null : `memory.${near}`
}

/** Refusals of fields, at the top level and in `memory`, that only resemble a boundary. */
export function boundaryIssues(
  shape: object,
  names: readonly string[],
  body: object,
): readonly RequestIssue[] {
  const issues: RequestIssue[] = []
  for (const name of names) {
    const meant = boundaryMeantBy(name)
    if (meant !== null) issues.push(issueOf(shortened(name), meant))
  }
  const memory: unknown = Object.hasOwn(shape, 'memory') ? Reflect.get(body, 'memory') : null
  if (typeof memory !== 'object' || memory === null) return issues
  for (const name in memory) {
    const meant = MEMORY_KEYS.has(name) ? null : boundaryMeantInside(name)
    if (meant === null || Reflect.get(memory, name) === undefined) continue
    const place = MEMORY_KEYS.has(meant) ? `memory.${meant}` : `${meant} at the top level`
    issues.push(issueOf(`memory.${shortened(name)}`, place))
  }
  return issues
}

function issueOf(path: string, meant: string): RequestIssue {
  return {
    path,
    message: `${path} is not known: send ${meant}. What decides whose memory it is, is not guessed.`,
  }
}

/** What an answer says of them. */
export function ignoredWarnings(unknown: readonly UnknownField[]): readonly string[] {
  const named = unknown
    .slice(0, UNKNOWN_NAMED_MAX)
    .map(({ name, near }) => `field ${name} is not known and was ignored${meaning(near)}`)
  const more = unknown.length - UNKNOWN_NAMED_MAX
  return more > 0 ? [...named, `${more} further fields are not known and were ignored`] : named
}

/** A refusal that also names them: a field that was not understood is often why something else is missing. */
export function namingUnknown(
  error: DomainError,
  unknown: readonly UnknownField[],
  body: unknown,
): DomainError {
  if (unknown.length === 0) {
    return isEmpty(body) ? new DomainError(error.code, error.details, `${error.message} ${EMPTY}`) : error
  }
  const told = unknown
    .slice(0, TOLD_MAX)
    .map(({ name, near }) => `Field ${name} is not known${meaning(near) || '.'}`)
  const more = unknown.length - TOLD_MAX
  const message = [error.message, ...told, ...(more > 0 ? [`${more} further fields are not known.`] : [])]
  const unknown_fields = unknown
    .slice(0, UNKNOWN_NAMED_MAX)
    .map(({ name, near }) => ({ field: name, did_you_mean: near }))
  return new DomainError(error.code, { ...error.details, unknown_fields }, message.join(' '))
}

const EMPTY = 'Nothing was sent: send the fields as one JSON object, with GET as query parameters.'

function isEmpty(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).length === 0
}

/** The end of a sentence about an unknown field. */
export function meaning(near: string | null): string {
  return near === null ? '' : `; did you mean ${near}?`
}
