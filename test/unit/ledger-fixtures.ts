import { type FileLedger, openExposureLedger } from '../../src/adapters/ledger/ledger.ts'
import type { ExposureRecord } from '../../src/core/model/events.ts'
import type { Files } from '../../src/ports/files.ts'
import type { Log } from '../../src/ports/system.ts'
import { RETENTION } from '../harness/system.ts'
import { memoryLog, NOW_MS } from './snapshot-fixtures.ts'

export const DAY_MS = 24 * 3_600_000

/** A clock that stands until it is moved. */
export interface HandClock {
  atMs: number
  nowMs(): number
}

export function handClock(atMs: number = NOW_MS): HandClock {
  return {
    atMs,
    nowMs() {
      return this.atMs
    },
  }
}

export interface LedgerSettings {
  readonly log?: Log
  readonly clock?: HandClock
  readonly budgetBytes?: number
  readonly dir?: string
}

export function openLedger(files: Files, settings: LedgerSettings = {}): Promise<FileLedger> {
  const { log = memoryLog(), clock = handClock(), dir = '/data', ...limits } = settings
  return openExposureLedger({ dir, files, log, clock, ...RETENTION, ...limits })
}

/** A guide trace of the given instant; `serial` makes it one of its own and orders it within the instant. */
export function traceId(atMs: number, serial: number): string {
  const time = atMs.toString(16).padStart(12, '0')
  const end = serial.toString(16).padStart(12, '0')
  return `guide_trace:${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${end}`
}

export function exposure(seq: number, atMs: number = NOW_MS - 1000 + seq): ExposureRecord {
  return {
    guideTraceId: traceId(atMs, seq),
    memoryIds: [`m${seq}`, `n${seq}`],
    surfaces: ['use_now', 'do_not_use'],
    consumerAgentId: `agent ${seq}`,
    consumerTeamId: null,
    runId: seq % 2 === 0 ? null : `run ${seq}`,
    taskSignature: null,
    heldOut: false,
    atMs,
    seq,
  }
}

/** Exposures of the sequences in (fromSeq, toSeq]. */
export function exposures(fromSeq: number, toSeq: number, atMs?: number): readonly ExposureRecord[] {
  return Array.from({ length: toSeq - fromSeq }, (_, index) => exposure(fromSeq + 1 + index, atMs))
}
