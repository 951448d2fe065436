import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { systemClock } from '../../adapters/system/clock.ts'
import { partsOfActorKey } from '../../core/base/ids.ts'
import { visible } from '../../edges/cli/terminal-text.ts'
import { ArchiveError } from '../archive/archive-error.ts'
import { ImportRefused, type ImportReport, importArchive } from '../archive/import-archive.ts'
import { errorsOnly, type OfflineRun } from './offline-run.ts'

/** `memgov import`: 0 when every actor of the archive is there, 1 when one or all of them were refused. */
export async function importCommand({ dir, invocation, progress, out }: OfflineRun): Promise<number> {
  const say = (line: string): void => out(`${visible(line)}\n`)
  const file = resolve(invocation.target)
  if (!existsSync(file)) throw new Error(`there is no file ${file}; name the archive by --in FILE`)
  const report = await importArchive(dir, file, {
    clock: systemClock(),
    log: errorsOnly(invocation.isJson ? () => undefined : say),
    onActor: (actorKey) => progress.file(actorKey),
  }).catch((error: unknown) => {
    if (error instanceof ArchiveError || error instanceof ImportRefused) return error
    throw error
  })
  progress.end()
  if (report instanceof Error) {
    if (invocation.isJson) out(`${JSON.stringify({ refused: report.message })}\n`)
    else say(`refused, nothing was changed: ${report.message}`)
    return 1
  }
  if (invocation.isJson) out(`${JSON.stringify(jsonOf(dir, report))}\n`)
  else for (const line of linesOf(dir, report)) say(line)
  return report.refused.length === 0 ? 0 : 1
}

function jsonOf(dir: string, { sourceStoreId, written, skipped, refused, manifest }: ImportReport): object {
  const named = (key: string): object => {
    const { tenantId, scope } = partsOfActorKey(key)
    return { tenant_id: tenantId, scope }
  }
  return {
    data_dir: dir,
    source_store_id: sourceStoreId,
    written: written.map(named),
    skipped: skipped.map(named),
    refused: refused.map(({ key, reason }) => ({ ...named(key), reason })),
    left_out: manifest.left_out,
  }
}

function linesOf(dir: string, { written, skipped, refused, manifest }: ImportReport): readonly string[] {
  return [
    ...manifest.left_out.map(
      ({ tenant_id, scope, reason }) => `not in the archive: ${tenant_id}/${scope}: ${reason}`,
    ),
    ...refused.map(
      ({ key, reason }) =>
        `refused: ${key}: ${reason}; import into another folder, or export it from here first`,
    ),
    `wrote ${written.length} actors into ${dir}; ${skipped.length} were there already, ${refused.length} were refused`,
  ]
}
