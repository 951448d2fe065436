import type { Log } from '../../ports/log.ts'

function nothing(): void {
  return undefined
}

/** Tells nobody. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
