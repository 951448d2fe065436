// Reading of artifacts that a caller hands back: anything may be missing or of another shape, nothing throws.

import { isObject, isSameList } from '../base/collections.ts'

export type WireObject = Readonly<Record<string, unknown>>

/** The object, or an empty one. */
export function objectOf(value: unknown): WireObject {
  return isObject(value) ? value : {}
}

/** An own field; what an object inherits is not part of an artifact. */
export function fieldOf(value: WireObject, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

/** The object in a field, or an empty one. */
export function partOf(value: WireObject, name: string): WireObject {
  return objectOf(fieldOf(value, name))
}

export function textOf(value: WireObject, name: string): string | null {
  const found = fieldOf(value, name)
  return typeof found === 'string' && found !== '' ? found : null
}

/** A number from 0 on, or null. */
export function amountOf(value: WireObject, name: string): number | null {
  const found = fieldOf(value, name)
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : null
}

export function flagOf(value: WireObject, name: string): boolean | null {
  const found = fieldOf(value, name)
  return typeof found === 'boolean' ? found : null
}

export function isTrue(value: WireObject, name: string): boolean {
  return fieldOf(value, name) === true
}

/** The texts of a list, each once, in order. */
export function textsOf(value: WireObject, name: string): readonly string[] {
  const texts = listOf(value, name).filter((item): item is string => typeof item === 'string' && item !== '')
  return [...new Set(texts)]
}

/** The objects of a list. */
export function objectsOf(value: WireObject, name: string): readonly WireObject[] {
  return listOf(value, name).filter(isObject)
}

function listOf(value: WireObject, name: string): readonly unknown[] {
  const found = fieldOf(value, name)
  return Array.isArray(found) ? found : []
}

/** The word of a closed set that was said. */
export function wordOf<Word extends string>(words: readonly Word[], said: string | null): Word | null {
  return words.find((word) => word === said) ?? null
}

/** What the first source gives that gives anything. */
export function firstOf<Source, Value>(
  sources: readonly Source[],
  read: (source: Source) => Value | null,
): Value | null {
  for (const source of sources) {
    const found = read(source)
    if (found !== null) return found
  }
  return null
}

export function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  // What comes back is mostly what went out, in its order.
  if (isSameList(one, other)) return true
  const ids = new Set(one)
  return ids.size === new Set(other).size && other.every((id) => ids.has(id))
}
