import { resolve } from 'node:path'
import { systemClock } from '../../adapters/system/clock.ts'
import { visible } from '../../edges/cli/terminal-text.ts'
import { BackupRefused, runBackup } from '../backup/run-backup.ts'
import { packageVersion } from '../config/version.ts'
import { errorsOnly, limitsOf, type OfflineRun } from './offline-run.ts'

/** `memgov backup`: 0 when the copy is there and verified, 1 when it was refused. */
export async function backupCommand(run: OfflineRun): Promise<number> {
  const { dir, invocation, progress, out } = run
  const say = (line: string): void => out(`${visible(line)}\n`)
  const to = resolve(invocation.target)
  const report = await runBackup(dir, {
    to,
    exposureRetentionMs: limitsOf(run).exposureRetentionMs,
    nowMs: () => systemClock().nowMs(),
    packageVersion: packageVersion(),
    log: errorsOnly(invocation.isJson ? () => undefined : say),
    onFile: (path) => progress.file(path),
  }).catch((error: unknown) => {
    if (error instanceof BackupRefused) return error
    throw error
  })
  progress.end()
  if (report instanceof BackupRefused) {
    const { message, problems } = report
    if (invocation.isJson) out(`${JSON.stringify({ refused: message, problems })}\n`)
    else say(`refused: ${message}`)
    return 1
  }
  const { storeId, startedMs, attempts, marked, verification } = report
  const actors = verification.store.actors.size
  const startedAt = new Date(startedMs).toISOString()
  if (invocation.isJson) {
    const facts = { backup_dir: to, store_id: storeId, started_at: startedAt, actors, attempts }
    out(`${JSON.stringify({ ...facts, erasures_to_finish: marked })}\n`)
    return 0
  }
  say(`wrote ${to}: ${actors} actors, every write acknowledged before ${startedAt}; verified deeply`)
  if (attempts > 1) say(`the store changed faster than it was copied: attempt ${attempts} was whole`)
  for (const key of marked)
    say(`an erasure of ${key} may have run meanwhile: a start on the copy finishes it`)
  return 0
}
