import { z } from 'zod'
import {
  DomainError,
  type ErrorCode,
  invalidRequest,
  isErrorCode,
  type RequestIssue,
} from '../core/base/errors.ts'
import { sentenceOf, shortened } from './sentences.ts'
import {
  boundaryIssues,
  ignoredWarnings,
  namingUnknown,
  type UnknownField,
  unknownFields,
  unknownNames,
} from './unknown-fields.ts'

/** Levels of arrays and objects that a body may nest, itself included. */
export const NESTING_MAX = 32
/** Texts, numbers, lists and objects in a body: millions of tiny ones would fit into its bytes, and each is an object. */
export const VALUES_MAX = 50_000
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
  const parsed = fastestOf(operation.request).safeParse(body, PARSE_OPTIONS)
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

// Compiled, the fast path of a valid body costs about a microsecond; an invalid one takes the ordinary parser and gets
// the same issues. Compiling takes some milliseconds, so that a start does not wait for it.
const compiled = new WeakMap<z.ZodType, z.ZodType>()

/** Lets all later bodies of an operation take the fast path. Blocks for some milliseconds the first time. */
export function compileRequest(request: z.ZodObject): void {
  if (!compiled.has(request)) compiled.set(request, z.compile(request))
}

function fastestOf<Schema extends z.ZodType>(request: Schema): Schema {
  // What is compiled has the type of what it was compiled from.
  return (compiled.get(request) as Schema | undefined) ?? request
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
