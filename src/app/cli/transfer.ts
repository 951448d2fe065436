import { resolve } from 'node:path'
import { packageVersion } from '../../adapters/files/package-file.ts'
import { systemClock } from '../../adapters/system/clock-and-entropy.ts'
import { ArchiveError } from '../archive/archive-lines.ts'
import { type ExportOptions, ExportRefused, type ExportReport, exportStore } from '../archive/export-store.ts'
import { ImportRefused, type ImportReport, importArchive } from '../archive/import-archive.ts'
import { placeOfActorKey } from '../archive/place-of.ts'
import { BackupRefused, runBackup } from '../backup/run-backup.ts'
import { readStore } from '../store/read-store.ts'
import { errorsOnly, limitsOf, type OfflineRun, refused } from './offline-run.ts'

/** `memgov backup`: 0 when the copy is there and verified, 1 when it was refused. */
export async function backupCommand(run: OfflineRun): Promise<number> {
  const { dir, invocation, progress, say, sayJson } = run
  const to = resolve(invocation.target)
  const report = await runBackup(dir, {
    withKeys: !invocation.isWithoutKeys,
    to,
    exposureRetentionMs: limitsOf(run).exposureRetentionMs,
    nowMs: () => systemClock().nowMs(),
    packageVersion: packageVersion(),
    log: errorsOnly(invocation.isJson ? () => undefined : say),
    onFile: (path) => progress.file(path),
  }).catch((error: unknown) => refusalOf(error, BackupRefused))
  progress.end()
  if (report instanceof BackupRefused) {
    return refused(run, report.message, { problems: report.problems })
  }
  const { storeId, startedMs, attempts, marked, verification } = report
  const actors = verification.store.actors.size
  const startedAt = new Date(startedMs).toISOString()
  if (invocation.isJson) {
    const facts = { backup_dir: to, store_id: storeId, started_at: startedAt, actors, attempts }
    sayJson({ ...facts, erasures_to_finish: marked })
    return 0
  }
  say(`wrote ${to}: ${actors} actors, every write acknowledged before ${startedAt}; verified deeply`)
  if (attempts > 1) say(`the store changed faster than it was copied: attempt ${attempts} was whole`)
  for (const key of marked)
    say(`an erasure of ${key} may have run meanwhile: a start on the copy finishes it`)
  return 0
}

/** `memgov export`: 0 when the archive is there, 1 when the store is damaged or the file is there already. */
export async function exportCommand(run: OfflineRun): Promise<number> {
  const { dir, progress } = run
  const store = await readStore(dir, { onFile: (path) => progress.file(path) })
  return toldExport(run, store.storeId, exportStore(store, exportOptionsOf(run)))
}

export function exportOptionsOf({ invocation, progress }: Telling): ExportOptions {
  const { tenantId, scope, isSkippingDamaged, target } = invocation
  return {
    out: resolve(target),
    tenantId,
    scope,
    isSkippingDamaged,
    nowMs: systemClock().nowMs(),
    packageVersion: packageVersion(),
    onActor: (actorKey) => progress.file(actorKey),
  }
}

type Telling = Pick<OfflineRun, 'invocation' | 'progress' | 'say' | 'sayJson'>

/** What became of an export, for people or programs, and its exit code. */
export async function toldExport(
  run: Telling,
  storeId: string | null,
  exporting: Promise<ExportReport>,
): Promise<number> {
  const { invocation, progress, say, sayJson } = run
  const file = resolve(invocation.target)
  const report = await exporting.catch((error: unknown) => refusalOf(error, ExportRefused))
  progress.end()
  if (report instanceof ExportRefused) return refused(run, report.message)
  const { actors, rows, exposures, kept, leftOut, sha256 } = report
  if (invocation.isJson) {
    const counts = { actors, kept_actors: kept, rows, exposures }
    sayJson({ file, store_id: storeId, ...counts, left_out: leftOut, sha256 })
    return 0
  }
  for (const { tenant_id, scope: name, reason } of leftOut) say(`left out: ${tenant_id}/${name}: ${reason}`)
  say(`wrote ${file}: ${actors} actors, ${rows} rows, ${exposures} exposure sets`)
  if (kept > 0) say(`${kept} of the actors were there from before`)
  say(`sha256 ${sha256}`)
  return 0
}

/** `memgov import`: 0 when every actor of the archive is there, 1 when one or all of them were refused. */
export async function importCommand(run: OfflineRun): Promise<number> {
  const { dir, invocation, progress, say } = run
  const file = resolve(invocation.target)
  const importing = importArchive(dir, file, {
    clock: systemClock(),
    log: errorsOnly(invocation.isJson ? () => undefined : say),
    onActor: (actorKey) => progress.file(actorKey),
  })
  return toldImport(run, { data_dir: dir }, importing)
}

/** The same of an import. `where`: the place, as programs are told of it. */
export async function toldImport(
  run: Telling,
  where: Readonly<Record<string, string>>,
  importing: Promise<ImportReport>,
): Promise<number> {
  const { invocation, progress, say, sayJson } = run
  const report = await importing.catch((error: unknown) =>
    refusalOf<ArchiveError | ImportRefused>(error, ArchiveError, ImportRefused),
  )
  progress.end()
  if (report instanceof Error)
    return refused(run, report.message, { sentence: `refused, nothing was changed: ${report.message}` })
  if (invocation.isJson) sayJson(importFacts(where, report))
  else for (const line of importLines(Object.values(where).join(), report)) say(line)
  return report.refused.length === 0 ? 0 : 1
}

/** An error that refuses the command, as the answer to report; any other error is thrown on. */
function refusalOf<Refusal extends Error>(
  error: unknown,
  ...refusals: readonly (new (
    ...given: never[]
  ) => Refusal)[]
): Refusal {
  for (const refusal of refusals) if (error instanceof refusal) return error
  throw error
}

function importFacts(
  where: Readonly<Record<string, string>>,
  { sourceStoreId, written, skipped, refused: others, manifest }: ImportReport,
): object {
  return {
    ...where,
    source_store_id: sourceStoreId,
    written: written.map(placeOfActorKey),
    skipped: skipped.map(placeOfActorKey),
    refused: others.map(({ key, reason }) => ({ ...placeOfActorKey(key), reason })),
    left_out: manifest.left_out,
  }
}

function importLines(
  dir: string,
  { written, skipped, refused: others, manifest }: ImportReport,
): readonly string[] {
  return [
    ...manifest.left_out.map(
      ({ tenant_id, scope, reason }) => `not in the archive: ${tenant_id}/${scope}: ${reason}`,
    ),
    ...others.map(({ key, reason }) => `refused: ${key}: ${reason}`),
    `wrote ${written.length} actors into ${dir}; ${skipped.length} were there already, ${others.length} were refused`,
  ]
}
