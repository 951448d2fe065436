import { assert } from '../../core/base/assert.ts'

// JSON has no bytes. An object whose only key is `$b64` stands for them; an object of a caller that looks like this gets
// one more `$` in front of its key, and loses it again.
//
//   bytes                {"$b64":"AQID"}
//   {"$b64": value}      {"$$b64": value}
const BYTES_KEY = '$b64'
const LOOKS_TAGGED = /^\$+b64$/

/** A row or an exposure as JSON takes it. Throws an InvariantError on what the store would not take either. */
export function toJson(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    assert(Number.isFinite(value), 'only finite numbers are archived')
    return value
  }
  if (value instanceof Uint8Array) return { [BYTES_KEY]: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(toJson)
  assert(typeof value === 'object', `a value of type ${typeof value} is not archived`)
  const entries = Object.entries(value)
  const isTagged = entries.length === 1 && LOOKS_TAGGED.test(entries[0]?.[0] ?? '')
  // fromEntries defines its keys, so that `__proto__` is an ordinary one.
  return Object.fromEntries(entries.map(([key, item]) => [isTagged ? `$${key}` : key, toJson(item)]))
}

/** The value that `toJson` was given. Bytes come back as Buffers. */
export function fromJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJson)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [key, item]: readonly unknown[] = entries.length === 1 ? (entries[0] ?? []) : []
  if (key === BYTES_KEY && typeof item === 'string') return Buffer.from(item, 'base64')
  const isTagged = typeof key === 'string' && LOOKS_TAGGED.test(key)
  return Object.fromEntries(entries.map(([name, each]) => [isTagged ? name.slice(1) : name, fromJson(each)]))
}
