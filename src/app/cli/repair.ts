import type { OfflineRun } from './offline.ts'
export async function repairCommand(_run: OfflineRun): Promise<number> {
  return 1
}
