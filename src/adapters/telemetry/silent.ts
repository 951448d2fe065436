import type { Telemetry } from '../../ports/telemetry.ts'

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
