import type { OfflineRun } from './offline-run.ts'
export async function backupCommand(_run: OfflineRun): Promise<number> {
  return 1
}
