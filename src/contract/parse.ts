import { z } from 'zod'
import {
  DomainError,
  type ErrorCode,
  invalidRequest,
  isErrorCode,
  type RequestIssue,
} from '../core/base/errors.ts'
import { sentenceOf } from './sentences.ts'

/** Levels of arrays and objects that a body may nest, itself included. */
export const NESTING_MAX = 32
/** Issues and warnings named one by one; the rest is counted. */
const NAMED_MAX = 20
const NAME_CHARS_MAX = 80

export interface ParsedRequest<Request> {
  readonly request: Request
  /** Sentences about what was ignored; empty when there is nothing to say. */
  readonly warnings: readonly string[]
}

/**
 * Reads a decoded JSON body. Unknown top-level fields are ignored and named in the warnings.
 * @throws DomainError `invalid_request` with `details.issues`, or the code that a rule of the operation names.
 */
export function parseRequest<Request>(
  operation: { readonly request: z.ZodObject & z.ZodType<Request> },
  body: unknown,
): ParsedRequest<Request> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest([{ path: '', message: 'Send one JSON object as the body.' }])
  }
  if (isDeeperThan(body, NESTING_MAX)) {
    throw invalidRequest([{ path: '', message: `Send a body of at most ${NESTING_MAX} nested levels.` }])
  }
  const parsed = fastestOf(operation.request).safeParse(body, PARSE_OPTIONS)
  if (!parsed.success) throw refusalOf(parsed.error.issues)
  return { request: parsed.data, warnings: unknownFields(operation.request, body) }
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

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeperThan(item, levels - 1)) return true
    return false
  }
  for (const key in value) {
    if (isDeeperThan(Reflect.get(value, key), levels - 1)) return true
  }
  return false
}

function unknownFields(schema: z.ZodObject, body: object): readonly string[] {
  const unknown = Object.keys(body).filter((key) => !Object.hasOwn(schema.shape, key))
  const named = unknown
    .slice(0, NAMED_MAX)
    .map((key) => `field ${shortened(key)} is not known and was ignored`)
  return unknown.length > NAMED_MAX
    ? [...named, `${unknown.length - NAMED_MAX} further fields are not known and were ignored`]
    : named
}

function refusalOf(found: readonly z.core.$ZodIssue[]): DomainError {
  const issues = found.flatMap(requestIssues)
  const named = issues.slice(0, NAMED_MAX)
  if (issues.length > NAMED_MAX) {
    named.push({ path: '', message: `There are ${issues.length - NAMED_MAX} further issues.` })
  }
  const code = found.map(ruleCode).find((each) => each !== null)
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

function shortened(key: string): string {
  return key.length > NAME_CHARS_MAX ? `${key.slice(0, NAME_CHARS_MAX)}…` : key
}
