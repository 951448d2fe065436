import { invalidRequest } from './client-error.ts'

type Fields = Readonly<Record<string, unknown>>

/** @throws MemgovError invalid_request for what JSON would lose without a word */
export function jsonOf(body: object): string {
  try {
    return JSON.stringify(body, function (this: Fields, name, value: unknown) {
      // A date arrives here as its text.
      const fault = faultOf(this[name])
      if (fault !== null) throw invalidRequest(name, fault)
      return value
    })
  } catch (error) {
    const isEndless = error instanceof TypeError || error instanceof RangeError
    throw isEndless ? invalidRequest('', 'Send a value that does not hold itself.') : error
  }
}

/** What JSON cannot carry. */
function faultOf(value: unknown): string | null {
  switch (typeof value) {
    case 'bigint':
    case 'function':
    case 'symbol':
      return `Send text, a number or an object instead of a ${typeof value}.`
    case 'number':
      return Number.isFinite(value) ? null : `Send a number that JSON has, not ${value}.`
    case 'object':
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Send a date that exists.' : null
      return value instanceof Map || value instanceof Set ? 'Send a plain object or list.' : null
    default:
      return null
  }
}
