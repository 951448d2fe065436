/** One request to the service, as data: what is sent, and what `copy as curl` writes, are the same. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** The query of a GET, the body of a POST. Undefined and null are left out. */
  readonly fields: Fields
}

export type Field = string | number | boolean | null | undefined | readonly string[] | readonly Field[]
export type Fields = Readonly<Record<string, Field>>

export function get(path: string, fields: Fields = {}): Call {
  return { method: 'GET', path, fields: sent(fields) }
}

export function post(path: string, fields: Fields): Call {
  return { method: 'POST', path, fields: sent(fields) }
}

function sent(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
}

export function addressOf({ method, path, fields }: Call): string {
  if (method !== 'GET') return path
  const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]))
  return query.size === 0 ? path : `${path}?${query}`
}

/** The same request for a shell. The key is never in the page, so the shell has to have it. */
export function curlOf(call: Call, origin: string, isKeyed: boolean): string {
  const parts = ['curl -s', ...(isKeyed ? ['-H "authorization: Bearer $MEMGOV_KEY"'] : [])]
  if (call.method === 'POST') {
    parts.push("-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(call.fields))}`)
  }
  return [...parts, quoted(origin + addressOf(call))].join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
