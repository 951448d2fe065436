// Reading of answers: a service of another version may leave anything out, and a report is printed as far as it goes.

import { isObject, type JsonObject } from '../json/json.ts'
import { shown } from './terminal-text.ts'

export type Answer = JsonObject

/** The object in a field, or an empty one. */
export function partOf(value: Answer, name: string): Answer {
  const found = value[name]
  return isObject(found) ? found : {}
}

/** The objects of a list. */
export function rowsOf(value: Answer, name: string): readonly Answer[] {
  const found = value[name]
  return Array.isArray(found) ? found.filter(isObject) : []
}

/** The texts of a list. */
export function wordsOf(value: Answer, name: string): readonly string[] {
  const found = value[name]
  return Array.isArray(found) ? found.filter((item): item is string => typeof item === 'string') : []
}

export function textOf(value: Answer, name: string): string | null {
  const found = value[name]
  return typeof found === 'string' ? found : null
}

/** The text as a terminal shows it; a dash when there is none. */
export function shownOf(value: Answer, name: string): string {
  return shown(textOf(value, name))
}

export function numberOf(value: Answer, name: string): number {
  const found = value[name]
  return typeof found === 'number' ? found : 0
}

export function isTrue(value: Answer, name: string): boolean {
  return value[name] === true
}

/** `tenant/scope` of the answer; null when it names none. */
export function placeOf(value: Answer): string | null {
  const [tenantId, scope] = [textOf(value, 'tenant_id'), textOf(value, 'scope')]
  return tenantId === null || scope === null ? null : `${tenantId}/${scope}`
}
