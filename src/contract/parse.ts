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
  const parsed = operation.request.safeParse(body, PARSE_OPTIONS)
  const { shape } = operation.request
  const names = unknownNames(shape, body)
  const unknown = unknownFields(shape, names)
  const guessed = boundaryIssues(shape, names, body)
  if (!parsed.success || guessed.length > 0) {
    throw namingUnknown(refusalOf(parsed.error?.issues ?? [], guessed), unknown, body)
  }
  return { request: parsed.data, warnings: ignoredWarnings(unknown), unknown }
}

const PARSE_OPTIONS = { error: sentenceOf } as const

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
  const code = guessed.length > 0 ? undefined : found.map(ruleCode).find((each) => each !== null)
  return code === undefined ? invalidRequest(named) : new DomainError(code, { issues: named })
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
const UNKNOWN_NAMED_MAX = 20
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

/** Those that resemble no boundary, each with the field that it may mean. */
export function unknownFields(shape: object, names: readonly string[]): readonly UnknownField[] {
  const known = Object.keys(shape)
  return names
    .filter((name) => boundaryMeantBy(name) === null)
    .map((name) => ({ name: shortened(name), near: nearName(name, known) ?? insideMemory(shape, name) }))
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
    if (meant !== null) issues.push(issueOf(name, meant))
  }
  const memory: unknown = Object.hasOwn(shape, 'memory') ? Reflect.get(body, 'memory') : null
  if (typeof memory !== 'object' || memory === null) return issues
  for (const name in memory) {
    const meant = MEMORY_KEYS.has(name) ? null : boundaryMeantInside(name)
    if (meant === null || Reflect.get(memory, name) === undefined) continue
    const place = MEMORY_KEYS.has(meant) ? `memory.${meant}` : `${meant} at the top level`
    issues.push(issueOf(`memory.${name}`, place))
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

const EMPTY = 'The body is empty: send the fields as one JSON object.'

function isEmpty(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).length === 0
}

/** The end of a sentence about an unknown field. */
export function meaning(near: string | null): string {
  return near === null ? '' : `; did you mean ${near}?`
}
