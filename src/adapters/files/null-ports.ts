import type { RecallImages } from '../../ports/store.ts'
import type { Log } from '../../ports/system.ts'
import type { Telemetry } from '../../ports/telemetry.ts'

// Ports behind which there is nothing.

const nothing = (): void => undefined

export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** For a store that keeps no index: a load builds it again. */
export const NO_IMAGES: RecallImages = {
  keep: () => undefined,
  get: async () => null,
  dropBefore: async () => undefined,
  settled: async () => undefined,
}

/** Nobody listens: the clock is not even read. */
export const silentTelemetry: Telemetry = {
  now: () => 0,
  request: (_operation, _info, run) => run(),
  actor() {},
  phase() {},
  committed() {},
  refused() {},
  journalWrote() {},
  workerFailed() {},
  hookEnded() {},
}
