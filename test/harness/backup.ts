import { join } from 'node:path'
import { silentLog } from '../../src/adapters/files/null-ports.ts'
import { type BackupOptions, runBackup } from '../../src/app/backup/run-backup.ts'
import { dataFolder } from './data-folder.ts'

/** Copies a folder into a new one, keys included, in this process. */
export async function backedUp(dir: string, onFile: BackupOptions['onFile'] = () => undefined) {
  const to = join(dataFolder(), 'copy')
  const { verification } = await runBackup(dir, {
    to,
    withKeys: true,
    exposureRetentionMs: Number.POSITIVE_INFINITY,
    nowMs: Date.now,
    packageVersion: 'test',
    log: silentLog,
    onFile,
  })
  return { to, problems: verification.problems }
}
