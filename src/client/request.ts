import { invalidRequest } from './client-error.ts'

/** A request as it goes out, however often. */
export interface Request {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** Null: it has none. */
  readonly body: string | null
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Puts the fields of a body where its route takes them: parts of the path, the query of a GET, else JSON.
 * @throws MemgovError invalid_request for what JSON would lose without a word
 */
export function requestFor(method: 'GET' | 'POST', base: string, path: string, body: object): Request {
  const fields: Fields = { ...body }
  const inPath = new Set<string>()
  const filled = path.replace(/:(\w+)/g, (_part, name: string) => {
    inPath.add(name)
    const value = fields[name]
    if (typeof value !== 'string' || value === '') throw invalidRequest(name, 'Send its text.')
    return encodeURIComponent(value)
  })
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !inPath.has(name)))
  const url = `${base}${filled}`
  if (method === 'POST') return { method, url, body: jsonOf(rest) }
  const query = queryOf(rest)
  return { method, url: query === '' ? url : `${url}?${query}`, body: null }
}

/** Text as it is, anything else as JSON; what is left out stays out. */
function queryOf(fields: Fields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue
    // Of a date there is only its text.
    const plain: unknown = JSON.parse(jsonOf({ value })).value
    query.set(name, typeof plain === 'string' ? plain : JSON.stringify(plain))
  }
  return query.toString()
}

function jsonOf(body: object): string {
  try {
    return JSON.stringify(body, function (this: Fields, name, value: unknown) {
      // A date arrives here as its text.
      const fault = faultOf(this[name])
      if (fault !== null) throw invalidRequest(name, fault)
      return value
    })
  } catch (error) {
    if (error instanceof TypeError) throw invalidRequest('', 'Send a value that does not hold itself.')
    throw error
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
