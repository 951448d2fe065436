import { resolve } from 'node:path'
import { systemClock } from '../../adapters/system/clock.ts'
import { visible } from '../../edges/cli/terminal-text.ts'
import { ExportRefused, type ExportReport, exportStore } from '../archive/export-store.ts'
import { packageVersion } from '../config/version.ts'
import { readStore } from '../store/read-store.ts'
import type { OfflineRun } from './offline-run.ts'

/** `memgov export`: 0 when the archive is there, 1 when the store is damaged or the file is there already. */
export async function exportCommand({ dir, invocation, progress, out }: OfflineRun): Promise<number> {
  const { tenantId, scope, isSkippingDamaged, target } = invocation
  const file = resolve(target)
  const store = await readStore(dir, { onFile: (path) => progress.file(path) })
  const report = await exportStore(store, {
    out: file,
    tenantId,
    scope,
    isSkippingDamaged,
    nowMs: systemClock().nowMs(),
    packageVersion: packageVersion(),
    onActor: (actorKey) => progress.file(actorKey),
  }).catch((error: unknown) => {
    if (error instanceof ExportRefused) return error
    throw error
  })
  progress.end()
  if (report instanceof ExportRefused) {
    out(
      invocation.isJson
        ? `${JSON.stringify({ refused: report.message })}\n`
        : visibleLine(`refused: ${report.message}`),
    )
    return 1
  }
  out(invocation.isJson ? `${JSON.stringify(jsonOf(file, store.storeId, report))}\n` : textOf(file, report))
  return 0
}

function jsonOf(file: string, storeId: string | null, report: ExportReport): object {
  const { actors, rows, exposures, kept, leftOut, sha256 } = report
  return { file, store_id: storeId, actors, kept_actors: kept, rows, exposures, left_out: leftOut, sha256 }
}

function textOf(file: string, { actors, rows, exposures, kept, leftOut, sha256 }: ExportReport): string {
  return [
    ...leftOut.map(({ tenant_id, scope, reason }) =>
      visibleLine(`left out: ${tenant_id}/${scope}: ${reason}`),
    ),
    visibleLine(`wrote ${file}: ${actors} actors, ${rows} rows, ${exposures} exposure sets`),
    ...(kept === 0 ? [] : [`${kept} of the actors were there from before\n`]),
    `sha256 ${sha256}\n`,
  ].join('')
}

function visibleLine(text: string): string {
  return `${visible(text)}\n`
}
