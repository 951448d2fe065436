import { type IncomingHttpHeaders } from 'node:http'
import { bodyOf, listening, stopListening } from '../harness/listener.ts'

// Stores that keep rows in memory and answer in the shapes that mem0, Graphiti and Zep document. What they are told to do
// wrong they do at the next request.

export type Row = Readonly<Record<string, unknown>>

/** What a store saw of a request. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

type Asked = Seen & { readonly url: URL }
type Answering = (asked: Asked, rows: Map<string, Row>) => Answer

export interface FakeStore {
  readonly url: string
  readonly rows: Map<string, Row>
  readonly seen: Seen[]
  /** What it answers once instead; bytes go out as they are, null: nothing ever comes. */
  next: Answer | null | undefined
  close(): Promise<void>
}

async function startStore(answering: Answering): Promise<FakeStore> {
  const rows = new Map<string, Row>()
  const seen: Seen[] = []
  const url = await listening(async (request, response) => {
    const text = await bodyOf(request)
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const asked = new URL(request.url ?? '', 'http://store')
    const about = { method: request.method ?? '', path: asked.pathname, headers: request.headers, body }
    seen.push(about)
    const planned = store.next
    store.next = undefined
    if (planned === null) return
    const { status = 200, headers, body: told } = planned ?? answering({ ...about, url: asked }, rows)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(Buffer.isBuffer(told) ? told : JSON.stringify(told))
  })
  const store: FakeStore = { url, rows, seen, next: undefined, close: () => stopListening(url) }
  return store
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const NOT_FOUND: Answer = { status: 404, body: { detail: 'Not found.' } }

/** mem0: the server that one runs oneself, and the routes of the platform that its client asks. */
export function startMem0(): Promise<FakeStore> {
  return startStore(({ method, path, body, url }, rows) => {
    const parts = path
      .replace(/^\/v\d/, '')
      .split('/')
      .filter((part) => part !== '')
    const [first, id = '', last] = parts
    const user =
      fieldOf(fieldOf(body, 'filters'), 'user_id') ??
      fieldOf(body, 'user_id') ??
      url.searchParams.get('user_id')
    const of = [...rows.values()].filter(
      (row) => user === null || user === undefined || row['user_id'] === user,
    )
    if (first === 'ping') return { body: { status: 'ok', org_id: 'o', project_id: 'p', user_email: null } }
    if (first === 'search' || id === 'search') return { body: { results: of } }
    if (first !== 'memories') return NOT_FOUND
    if (last === 'history') {
      const now = rows.get(id)
      const entry = {
        id: `${id}-h1`,
        memory_id: id,
        old_memory: null,
        new_memory: now?.['memory'],
        event: 'ADD',
      }
      return { body: [entry] }
    }
    if (method === 'GET' && id !== '') return rows.has(id) ? { body: rows.get(id) } : NOT_FOUND
    const isAdded = method === 'POST' && (id === 'add' || path === '/memories')
    if (method === 'GET' || (method === 'POST' && !isAdded)) {
      return { body: { count: of.length, next: null, previous: null, results: of } }
    }
    if (method === 'PUT') {
      rows.set(id, { ...rows.get(id), memory: fieldOf(body, 'text') })
      return { body: rows.get(id) }
    }
    if (method === 'DELETE') rows.delete(id)
    if (method === 'DELETE') return { body: { message: 'Memory deleted successfully!' } }
    const made = `m${rows.size + 1}`
    const [message] = [fieldOf(body, 'messages')].flat()
    rows.set(made, mem0Row(made, wordOf(user), wordOf(fieldOf(message, 'content'))))
    return { body: { results: [{ id: made, event: 'ADD', memory: rows.get(made)?.['memory'] }] } }
  })
}

export function mem0Row(id: string, user: string, memory: string, more: Row = {}): Row {
  const times = { created_at: '2026-01-05T10:00:00Z', updated_at: '2026-01-05T10:00:00Z' }
  return {
    id,
    memory,
    hash: 'd41d8cd98f00b204e9800998ecf8427e',
    user_id: user,
    metadata: null,
    ...times,
    ...more,
  }
}

/** Graphiti: the REST service of its repository. */
export function startGraphiti(): Promise<FakeStore> {
  return startStore(({ method, path, body }, rows) => {
    const facts = [...rows.values()]
    const groups = [fieldOf(body, 'group_ids') ?? fieldOf(body, 'group_id')].flat()
    const found = facts.filter((row) => groups.includes(row['of'])).map(({ of: _of, ...fact }) => fact)
    if (path === '/search' || path === '/get-memory') return { body: { facts: found } }
    if (path === '/healthcheck') return { body: { status: 'healthy' } }
    const id = path.split('/').at(-1) ?? ''
    if (path.startsWith('/episodes/')) return { body: facts.filter((row) => row['group_id'] === id) }
    if (path.startsWith('/entity-edge/') && method === 'GET') {
      const { of: _of, ...fact } = rows.get(id) ?? {}
      return { body: fact }
    }
    return { status: 202, body: { message: 'done', success: true } }
  })
}

export function graphitiFact(uuid: string, group: string, fact: string, more: Row = {}): Row {
  const times = { valid_at: '2026-01-05T10:00:00Z', created_at: '2026-01-05T10:00:00Z' }
  return { uuid, name: 'DEPLOYS_BY', fact, invalid_at: null, expired_at: null, ...times, ...more, of: group }
}

/** Zep: the routes below `/api/v2` that its client asks. */
export function startZep(): Promise<FakeStore> {
  return startStore(({ path, body }, rows) => {
    const edges = [...rows.values()]
    const context = edges.map((edge) => `- ${wordOf(edge['fact'])}`).join('\n')
    const whole = `# Facts\n<FACTS>\n${context}\n</FACTS>`
    if (path === '/api/v2/graph/search')
      return { body: { context: whole, edges, response: { server_latency_ms: 3 } } }
    if (/\/threads\/[^/]+\/context$/.test(path)) return { body: { context: whole } }
    if (/\/threads\/[^/]+\/messages$/.test(path)) {
      const asked = fieldOf(body, 'return_context') === true
      return {
        body: {
          message_uuids: ['0d1c0e3e-6a35-4b0c-9a3f-000000000001'],
          ...(asked ? { context: whole } : {}),
        },
      }
    }
    return NOT_FOUND
  })
}

export function zepEdge(uuid: string, fact: string, more: Row = {}): Row {
  const ends = { source_node_uuid: 'a', target_node_uuid: 'b', episodes: [] }
  return { uuid, name: 'USES', fact, created_at: '2026-01-05T10:00:00Z', ...ends, ...more }
}
