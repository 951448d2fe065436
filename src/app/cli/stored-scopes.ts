import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { LogTarget } from '../../adapters/system/log.ts'
import { DEFAULT_SCOPE, DEFAULT_TENANT } from '../../contract/shared-request.ts'
import { messageOf } from '../../core/base/errors.ts'
import { partsOfActorKey } from '../../core/base/ids.ts'
import type { Anywhere } from '../../edges/cli/arguments.ts'
import { ClientError, type Place } from '../../edges/cli/query.ts'
import { ConfigError, readConfig } from '../config/config.ts'
import { readStore } from '../store/read-store.ts'
import { Progress } from './offline-run.ts'

/**
 * The scopes of a data folder, which a service may be using: a scope that is begun meanwhile may be missing. Without the one
 * that is asked first.
 * @throws ClientError when the folder cannot be read
 */
export async function storedScopes(
  { dataDir, tenantId }: Anywhere,
  command: string,
  stderr: LogTarget,
): Promise<readonly Place[]> {
  const dir = resolve(folderOf(dataDir))
  if (!existsSync(dir)) {
    throw new ClientError(
      `The scope ${DEFAULT_SCOPE} does not have it, and there is no folder ${dir} to look for its scope in: name it by --scope, or the folder by --data-dir.`,
    )
  }
  const progress = new Progress(stderr, command)
  try {
    const store = await readStore(dir, { onFile: (path) => progress.file(path) })
    return otherPlaces([...store.actors.keys()], tenantId)
  } catch (error) {
    throw new ClientError(`The scope is to be named by --scope: ${dir} cannot be read (${messageOf(error)}).`)
  } finally {
    progress.end()
  }
}

/** The scopes of a tenant, or of all of them, but for the one that is asked first. */
export function otherPlaces(actorKeys: readonly string[], tenantId: string | null): readonly Place[] {
  return actorKeys
    .map(partsOfActorKey)
    .filter(({ tenantId: tenant, scope }) => {
      const isAsked = tenant === (tenantId ?? DEFAULT_TENANT) && scope === DEFAULT_SCOPE
      return !isAsked && tenant === (tenantId ?? tenant)
    })
    .map((place) => ({ tenant_id: place.tenantId, scope: place.scope }))
}

function folderOf(dataDir: string | null): string {
  try {
    return readConfig(dataDir === null ? {} : { dataDir }).config.dataDir
  } catch (error) {
    if (error instanceof ConfigError) throw new ClientError(error.message)
    throw error
  }
}
