import { DomainError, type RequestIssue } from '../core/base/errors.ts'
import { boundaryMeantBy, boundaryMeantInside } from './boundary-fields.ts'
import { MEMORY_KEYS } from './memory-input.ts'
import { nearName } from './near-name.ts'
import { shortened } from './sentences.ts'

/** A top-level field that the operation does not have. */
export interface UnknownField {
  /** As it was sent, cut when it is long. */
  readonly name: string
  /** The known field that it most likely means. */
  readonly near: string | null
}

/** Fields named one by one in warnings and details; the rest is counted. */
const NAMED_MAX = 20
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
    .slice(0, NAMED_MAX)
    .map(({ name, near }) => `field ${name} is not known and was ignored${meaning(near)}`)
  const more = unknown.length - NAMED_MAX
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
    .slice(0, NAMED_MAX)
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
