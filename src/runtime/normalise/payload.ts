/// <reference lib="es2024.string" />

import { nearName } from '../../contract/near-name.ts'
import { shortened } from '../../contract/sentences.ts'
import { meaning } from '../../contract/unknown-fields.ts'
import { isObject } from '../../core/base/collections.ts'
import type { Json, JsonObject } from '../../core/model/record.ts'

/**
 * A deep copy as plain JSON, so that state never shares an object with a caller. Half surrogate pairs become
 * U+FFFD, because they would not survive the journal; what is not JSON becomes null or is left out.
 */
export function jsonOf(value: unknown): Json {
  switch (typeof value) {
    case 'string':
      return value.toWellFormed()
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : null
    case 'object':
      if (value === null) return null
      return Array.isArray(value) ? value.map(jsonOf) : jsonObjectOf(value)
    default:
      return null
  }
}

function jsonObjectOf(value: object): JsonObject {
  const copy: { [key: string]: Json } = {}
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    // Not by assignment, so that it stays data.
    if (key === '__proto__') define(copy, key, jsonOf(member))
    else copy[key.toWellFormed()] = jsonOf(member)
  }
  return copy
}

function define(object: object, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

/**
 * The cold content of a memory: the caller's `payload` at the top, every other field that has no place in the
 * record beside it under its own name. Null when there is nothing.
 */
export function coldPayload(payload: unknown, others: Readonly<Record<string, unknown>>): JsonObject | null {
  const kept: [key: string, value: unknown][] = []
  for (const key of Object.keys(others)) {
    const value = others[key] ?? null
    if (value !== null) kept.push([key, value])
  }
  const isAlone = payload === undefined || payload === null
  if (isAlone && kept.length === 0) return null
  const rest = jsonObjectOf(Object.fromEntries(kept))
  if (isAlone) return rest
  const own = jsonOf(payload)
  const canMerge = isObject(own) && Object.keys(own).every((key) => !Object.hasOwn(rest, key))
  return canMerge ? { ...own, ...rest } : { ...rest, payload: own }
}

/** The fields of a free object that its schema does not name; each is worth a warning, because it may be a typo. */
export function unlistedFields(
  object: Readonly<Record<string, unknown>>,
  listed: ReadonlySet<string>,
  place: string,
  warnings: string[],
): Readonly<Record<string, unknown>> {
  const unlisted = Object.entries(object).filter(([key]) => !listed.has(key))
  for (const [key] of unlisted) {
    const hint = meaning(nearName(key, listed))
    warnings.push(`field ${place}.${shortened(key)} is not known and was kept as payload${hint}`)
  }
  return Object.fromEntries(unlisted)
}
