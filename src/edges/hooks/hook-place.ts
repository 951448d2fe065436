import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { basename } from 'node:path'
import { invalidRequest } from '../../core/base/errors.ts'
import type { Principal } from '../../ports/keys.ts'
import { workspaceScope } from '../workspace/workspace-scope.ts'
import { repositoryRoot } from './repository-root.ts'
import type { Folders } from './step.ts'

/** Where the memory of a hook lies and who asks, in the fields of every operation. */
export interface HookPlace {
  readonly tenant_id?: string
  readonly scope?: string
  readonly consumer_agent_id?: string
  readonly consumer_team_id?: string
}

/** The headers by which a host can be told to say it. */
const HEADERS = {
  'x-memgov-tenant': 'tenant_id',
  'x-memgov-scope': 'scope',
  'x-memgov-agent': 'consumer_agent_id',
  'x-memgov-team': 'consumer_team_id',
} as const satisfies Readonly<Record<string, keyof HookPlace>>
const CLIENT_HEADER = 'x-memgov-client'
const HASH_CHARS = 8
const NAME_CHARS_MAX = 64

/** @throws invalid_request for a header of ours that is unknown or given twice: no place is guessed */
function placeIn(headers: IncomingHttpHeaders): HookPlace {
  const place: { -readonly [Field in keyof HookPlace]: HookPlace[Field] } = {}
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith('x-memgov-') || name === CLIENT_HEADER) continue
    if (!isPlaceHeader(name) || typeof value !== 'string' || value.includes(',')) {
      const message = `Send ${Object.keys(HEADERS).join(', ')} once each.`
      throw invalidRequest([{ path: name, message }])
    }
    place[HEADERS[name]] = value
  }
  return place
}

function isPlaceHeader(name: string): name is keyof typeof HEADERS {
  return Object.hasOwn(HEADERS, name)
}

/** The place that headers say; what they leave out the key says, else the workspace and the host. */
export async function placeOf(
  headers: IncomingHttpHeaders,
  principal: Principal | null,
  host: string,
  workspace: () => Promise<string>,
): Promise<HookPlace> {
  const said = placeIn(headers)
  const isKeyScope = principal?.scopes.length === 1 && principal.scopes[0]?.isPrefix === false
  const scope = said.scope !== undefined || isKeyScope ? {} : { scope: await workspace() }
  const isAgentSaid = said.consumer_agent_id !== undefined || typeof principal?.agentId === 'string'
  return { ...(isAgentSaid ? {} : { consumer_agent_id: host }), ...scope, ...said }
}

const FOLDERS_MAX = 256

/** What is known of folders that hooks run in. Bounded, the first ones go. */
export class Workspaces {
  readonly #scopes = new Map<string, Promise<string>>()
  readonly #folders = new Map<string, Promise<Folders>>()

  scopeOf(cwd: string): Promise<string> {
    // A hook may come from another machine.
    return kept(this.#scopes, cwd, () => workspaceScope(cwd).catch(() => scopeOfPath(cwd)))
  }

  foldersOf(cwd: string): Promise<Folders> {
    return kept(this.#folders, cwd, async () => ({ root: await repositoryRoot(cwd), cwd }))
  }
}

function kept<Value>(known: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>) {
  const made = known.get(key) ?? make()
  known.set(key, made)
  for (const first of known.keys()) {
    if (known.size <= FOLDERS_MAX) break
    known.delete(first)
  }
  return made
}

/** The same form for a folder that cannot be looked at. */
function scopeOfPath(cwd: string): string {
  const name = basename(cwd)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, NAME_CHARS_MAX)
  const hash = createHash('sha256').update(cwd).digest('hex').slice(0, HASH_CHARS)
  return `${name || 'workspace'}-${hash}`
}
