import type { Principal } from '../../ports/keys.ts'
import { type Place, placeIn } from '../place/place.ts'
import { checkoutOf, scopeOfFolder, workspaceScope } from '../workspace/workspace-scope.ts'
import type { Folders } from './step.ts'

/**
 * The place that headers say; what they leave out the key says, else the workspace and the host.
 * @throws invalid_request as `placeIn`
 */
export async function placeOf(
  rawHeaders: readonly string[],
  principal: Principal | null,
  host: string,
  workspace: () => Promise<string>,
): Promise<Place> {
  const said = placeIn(rawHeaders)
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
    return kept(this.#scopes, cwd, () => workspaceScope(cwd).catch(() => scopeOfFolder(cwd)))
  }

  foldersOf(cwd: string): Promise<Folders> {
    return kept(this.#folders, cwd, async () => ({ root: await checkoutOf(cwd), cwd }))
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
