import { types } from 'node:util'
import type { z } from 'zod'
import type { Frozen } from '../contract/envelope.ts'
import { NESTING_MAX } from '../contract/parse.ts'
import { invalidRequest, type RequestIssue } from '../core/base/errors.ts'

/** A body as a caller inside the process writes it: a time may be a Date, every optional field may be left out. */
export type DatedBody<Schema extends z.ZodType> = Dated<Frozen<z.input<Schema>>, z.output<Schema>>

/** Where text goes in and a number comes out there is a time; where what comes out has other members, there is none. */
type Dated<In, Out> = In extends string
  ? [NonNullable<Out>] extends [never]
    ? In
    : NonNullable<Out> extends number
      ? In | Date
      : In
  : In extends readonly (infer Item)[]
    ? readonly Dated<Item, ItemOf<Out>>[]
    : In extends object
      ? {
          [Key in keyof In]: Dated<
            In[Key],
            Key extends keyof NonNullable<Out> ? NonNullable<Out>[Key] : never
          >
        }
      : In

type ItemOf<List> = NonNullable<List> extends readonly (infer Item)[] ? Item : never

const ISSUES_MAX = 20

/**
 * The body as JSON would carry it: dates become ISO 8601 text, and what JSON cannot carry is refused, because it would be
 * lost without a word. The body itself is left as it was, and returned when it holds no date.
 * @throws DomainError `invalid_request` that names each path
 */
export function plainBody(body: unknown): unknown {
  const issues: RequestIssue[] = []
  const plain = plainOf(body, '', [], issues)
  if (issues.length > 0) throw invalidRequest(issues)
  return plain
}

/** @param around the objects that hold the value: one of them inside itself is a cycle */
function plainOf(value: unknown, path: string, around: object[], issues: RequestIssue[]): unknown {
  if (typeof value !== 'object' || value === null) {
    const fault = primitiveFault(value)
    if (fault !== null) refuse(issues, path, fault)
    return value
  }
  if (types.isDate(value)) {
    if (!Number.isNaN(value.getTime())) return value.toISOString()
    refuse(issues, path, 'Send a date that exists.')
    return value
  }
  if (around.includes(value)) {
    refuse(issues, path, 'Send a value that does not hold itself: JSON has no cycles.')
    return value
  }
  // What is deeper is refused as such by whoever reads the body.
  if (around.length > NESTING_MAX || issues.length >= ISSUES_MAX) return value
  const made = Array.isArray(value) ? null : classOf(value)
  if (made !== null) {
    refuse(issues, path, `Send plain JSON instead of a ${made}: only its values would arrive, or nothing.`)
    return value
  }
  around.push(value)
  const plain = Array.isArray(value)
    ? plainList(value, path, around, issues)
    : plainObject(value, path, around, issues)
  around.pop()
  return plain
}

function plainList(
  list: readonly unknown[],
  path: string,
  around: object[],
  issues: RequestIssue[],
): readonly unknown[] {
  let copy: unknown[] | null = null
  for (const [at, item] of list.entries()) {
    const plain = plainOf(item, `${path}.${at}`, around, issues)
    if (plain === item) continue
    copy ??= [...list]
    copy[at] = plain
  }
  return copy ?? list
}

function plainObject(object: object, path: string, around: object[], issues: RequestIssue[]): object {
  let changed: Map<string, unknown> | null = null
  for (const [key, member] of Object.entries(object)) {
    const plain = plainOf(member, path === '' ? key : `${path}.${key}`, around, issues)
    if (plain === member) continue
    changed ??= new Map()
    changed.set(key, plain)
  }
  if (changed === null) return object
  const entries = Object.entries(object).map(([key, member]) => [key, changed.get(key) ?? member] as const)
  return Object.fromEntries(entries)
}

function refuse(issues: RequestIssue[], path: string, sentence: string): void {
  if (issues.length < ISSUES_MAX) {
    issues.push({ path, message: path === '' ? sentence : `${path}: ${sentence}` })
  }
}

/** Undefined is fine: it is how a field is left out. */
function primitiveFault(value: unknown): string | null {
  switch (typeof value) {
    case 'bigint':
      return 'Send a number or text instead of a bigint.'
    case 'function':
      return 'Send a value instead of a function.'
    case 'symbol':
      return 'Send text instead of a symbol.'
    case 'number':
      return Number.isFinite(value) ? null : `Send a number that JSON has, not ${value}.`
    default:
      return null
  }
}

/** The name of the class of an object that is more than its fields; null of a plain one, also of another realm. */
function classOf(value: object): string | null {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (typeof prototype !== 'object' || prototype === null || Object.getPrototypeOf(prototype) === null) {
    return null
  }
  const { constructor } = value
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'class instance'
}
