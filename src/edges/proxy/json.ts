import { isObject } from '../json/json.ts'

// Reading JSON that others wrote, within bounds.

/** Undefined: the bytes are no JSON in UTF-8, or it is nested deeper than `DEPTH_MAX`. */
export function jsonIn(bytes: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isShallow(value, DEPTH_MAX) ? value : undefined
  } catch {
    return undefined
  }
}

const DEPTH_MAX = 32

function isShallow(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return left > 0 && Object.values(value).every((inner) => isShallow(inner, left - 1))
}

const ID = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32,128})$/i
const TIME = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/
const WORD = /^[\p{L}\p{N}_.:@+-]{0,24}$/u

/** An id, a time, or one short word: nothing that could tell a reader to do something. */
export function isPlain(text: string): boolean {
  return WORD.test(text) || ID.test(text) || TIME.test(text)
}

/**
 * A copy in which every text that could say something is what `change` makes of it. Names of members are read too, as
 * `change` sees them; words of one list are seen as one text, and a list that is changed becomes that text.
 */
export function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return isPlain(value) ? value : change(value)
  if (Array.isArray(value)) {
    if (!isOfWords(value)) return value.map((each: unknown) => withTexts(each, change))
    const joined = value.join(' ')
    const changed = isPlain(joined) ? joined : change(joined)
    return changed === joined ? value : [changed]
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      isPlain(name) ? name : change(name),
      withTexts(inner, change),
    ]),
  )
}

/** Words that are a sentence together, but for ids and times. */
function isOfWords(list: readonly unknown[]): boolean {
  if (list.length < 2 || !list.every((each) => typeof each === 'string' && !/\s/.test(each))) return false
  return !list.every((each) => typeof each === 'string' && (ID.test(each) || TIME.test(each)))
}

/** Every text of a value that could say something, each once. */
export function textsIn(value: unknown): readonly string[] {
  const texts = new Set<string>()
  withTexts(value, (text) => {
    texts.add(text)
    return text
  })
  return [...texts]
}
