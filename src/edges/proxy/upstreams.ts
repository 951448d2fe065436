import type { StoreName } from '../../mappers/mappers.ts'

// The routes of the stores that the proxy stands before, one table each. A route that reads memory is governed, whatever it
// is for: search, list, get, history and export. The others are passed: a write says what the caller already knows.

/** The stores that the proxy knows; each is a store of the mappers too. */
export const BACKENDS = ['mem0', 'graphiti', 'zep'] as const satisfies readonly StoreName[]
export type Backend = (typeof BACKENDS)[number]

/** What a governed answer looks like. Members that are not named here are judged as texts. */
export type Shape =
  /** Rows below some members, or a list of rows. */
  | {
      readonly kind: 'rows'
      /** Members that hold rows. */
      readonly lists: readonly string[]
      /** One of `lists` has to be there, or the answer is a list. */
      readonly needsRows: boolean
    }
  /** One row. */
  | { readonly kind: 'row' }
  /** Anything: each text in it is judged, and what is held back is blanked. */
  | { readonly kind: 'texts' }

export interface UpstreamRoute {
  readonly method: string
  /** `:name` stands for one part; the name of an owner kind says whose memory is read. */
  readonly path: string
  /** Null: passed as it is, a write or control. */
  readonly shape: Shape | null
  /** True: it may write, so it is never sent twice. */
  readonly isWrite: boolean
}

export interface Upstream {
  readonly backend: Backend
  /** What a path may begin with besides nothing. */
  readonly prefixes: readonly string[]
  readonly routes: readonly UpstreamRoute[]
  /**
   * Fields by which a request or a row says whose memory it is, the one that names the scope first; and the same fields as
   * they name several.
   */
  readonly owners: readonly string[]
  readonly ownerLists: Readonly<Record<string, string>>
  /** Member of an answer that is text made of its rows, ready for a prompt; it is replaced. */
  readonly readyText: string | null
  /** Where a request says what is asked, the first that is there. */
  readonly queries: readonly string[]
}

type RouteRow = readonly [method: string, path: string, shape?: Shape, writes?: 'writes']

const TEXTS: Shape = { kind: 'texts' }
const ROW: Shape = { kind: 'row' }
const rows = (lists: readonly string[], needsRows = true): Shape => ({ kind: 'rows', lists, needsRows })

const MEMORIES = rows(['results', 'memories', 'relations'])

const MEM0: readonly RouteRow[] = [
  // The server that one runs oneself.
  ['POST', '/search', MEMORIES],
  ['GET', '/memories', MEMORIES],
  ['GET', '/memories/:id', ROW],
  ['GET', '/memories/:id/history', MEMORIES],
  ['POST', '/memories'],
  ['PUT', '/memories/:id'],
  ['DELETE', '/memories/:id'],
  ['DELETE', '/memories'],
  ['POST', '/reset'],
  ['POST', '/configure'],
  // The platform, as its clients ask it.
  ['POST', '/v1/memories/search', MEMORIES],
  ['POST', '/v2/memories/search', MEMORIES],
  ['POST', '/v3/memories/search', MEMORIES],
  ['GET', '/v1/memories', MEMORIES],
  ['POST', '/v2/memories', MEMORIES],
  ['POST', '/v3/memories', MEMORIES],
  ['GET', '/v1/memories/:id', ROW],
  ['GET', '/v1/memories/:id/history', MEMORIES],
  ['POST', '/v1/exports/get', TEXTS],
  ['GET', '/v1/exports', TEXTS],
  ['GET', '/v1/events', TEXTS],
  ['GET', '/v1/event/:id', TEXTS],
  ['GET', '/v1/entities', TEXTS],
  ['GET', '/v2/entities/user/:user_id/profile', TEXTS],
  ['GET', '/v2/profiles/jobs/:id', TEXTS],
  ['POST', '/v1/memories'],
  ['POST', '/v3/memories/add'],
  ['PUT', '/v1/memories/:id'],
  ['DELETE', '/v1/memories/:id'],
  ['DELETE', '/v1/memories'],
  ['PUT', '/v1/batch'],
  ['DELETE', '/v1/batch'],
  ['POST', '/v1/exports'],
  ['POST', '/v1/feedback'],
  ['DELETE', '/v1/entities/:type/:id'],
  ['DELETE', '/v2/entities/:type/:id'],
  ['GET', '/v1/ping'],
  ['GET', '/api/v1/orgs/organizations/:org/projects/:project'],
  ['PATCH', '/api/v1/orgs/organizations/:org/projects/:project'],
  ['GET', '/api/v1/webhooks/projects/:project'],
  ['POST', '/api/v1/webhooks/projects/:project'],
  ['PUT', '/api/v1/webhooks/:id'],
  ['DELETE', '/api/v1/webhooks/:id'],
]

const FACTS = rows(['facts'])

const GRAPHITI: readonly RouteRow[] = [
  ['POST', '/search', FACTS],
  ['POST', '/get-memory', FACTS],
  ['GET', '/entity-edge/:id', ROW],
  ['GET', '/episodes/:group_id', rows(['episodes'])],
  ['POST', '/messages'],
  ['POST', '/entity-node'],
  ['DELETE', '/entity-edge/:id'],
  ['DELETE', '/episode/:id'],
  ['DELETE', '/group/:group_id'],
  ['POST', '/clear'],
  ['GET', '/healthcheck'],
]

const FOUND = rows(['edges', 'nodes', 'episodes', 'observations', 'thread_summaries', 'messages'], false)

const ZEP: readonly RouteRow[] = [
  ['POST', '/graph/search', FOUND],
  ['POST', '/graph/subgraph', FOUND],
  ['POST', '/graph/patterns', TEXTS],
  ['GET', '/graph/list-all', TEXTS],
  ...['edge', 'node', 'observation', 'thread-summary', 'document-summary', 'episodes'].flatMap(
    (kind): readonly RouteRow[] => [
      ['POST', `/graph/${kind}/graph/:graph_id`, FOUND],
      ['POST', `/graph/${kind}/user/:user_id`, FOUND],
      ['GET', `/graph/${kind}/graph/:graph_id`, FOUND],
      ['GET', `/graph/${kind}/user/:user_id`, FOUND],
      ['GET', `/graph/${kind}/:id`, ROW],
      ['DELETE', `/graph/${kind}/:id`],
      ['PATCH', `/graph/${kind}/:id`],
    ],
  ),
  ['GET', '/graph/node/:id/entity-edges', FOUND],
  ['GET', '/graph/node/:id/episodes', FOUND],
  ['POST', '/graph/node/:id/neighbors', TEXTS],
  ['GET', '/graph/episodes/:id/mentions', FOUND],
  ['GET', '/graph/documents/:id/episodes', FOUND],
  ['GET', '/graph/:graph_id/warm'],
  ['GET', '/graph/:graph_id', TEXTS],
  ['PATCH', '/graph/:graph_id'],
  ['DELETE', '/graph/:graph_id'],
  ['POST', '/graph'],
  ['POST', '/graph-batch'],
  ['POST', '/graph/add-fact-triple'],
  ['POST', '/graph/nodes'],
  ['POST', '/graph/clone'],
  ['POST', '/graph/create'],
  ['GET', '/threads', TEXTS],
  ['POST', '/threads'],
  ['DELETE', '/threads/:thread_id'],
  ['GET', '/threads/:thread_id/context', FOUND],
  ['GET', '/threads/:thread_id/messages', FOUND],
  ['GET', '/threads/:thread_id/episodes', FOUND],
  ['GET', '/threads/:thread_id/summary', ROW],
  // Asked to, it answers a write with context.
  ['POST', '/threads/:thread_id/messages', FOUND, 'writes'],
  ['POST', '/threads/:thread_id/messages-batch', FOUND, 'writes'],
  ['PATCH', '/messages/:id'],
  ['GET', '/users-ordered', TEXTS],
  ['GET', '/users/:user_id', TEXTS],
  ['GET', '/users/:user_id/node', TEXTS],
  ['GET', '/users/:user_id/threads', TEXTS],
  ['GET', '/users/:user_id/warm'],
  ['POST', '/users'],
  ['PATCH', '/users/:user_id'],
  ['DELETE', '/users/:user_id'],
  ['GET', '/tasks/:id'],
  ['GET', '/projects/info'],
]

const routesOf = (table: readonly RouteRow[]): readonly UpstreamRoute[] =>
  table.map(([method, path, shape = null, writes]) => ({
    method,
    path,
    shape,
    isWrite: shape === null || writes === 'writes',
  }))

export const UPSTREAMS: Readonly<Record<Backend, Upstream>> = {
  mem0: {
    backend: 'mem0',
    prefixes: [],
    routes: routesOf(MEM0),
    owners: ['user_id', 'agent_id', 'app_id', 'run_id'],
    ownerLists: {},
    readyText: null,
    queries: ['query'],
  },
  graphiti: {
    backend: 'graphiti',
    prefixes: [],
    routes: routesOf(GRAPHITI),
    owners: ['group_id'],
    ownerLists: { group_ids: 'group_id' },
    readyText: null,
    queries: ['query', 'messages'],
  },
  zep: {
    backend: 'zep',
    prefixes: ['/api/v2'],
    routes: routesOf(ZEP),
    owners: ['user_id', 'graph_id', 'thread_id'],
    ownerLists: {},
    readyText: 'context',
    queries: ['query'],
  },
}
