import type { Log } from '../../ports/system.ts'

function nothing(): void {
  return undefined
}

export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
