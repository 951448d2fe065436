import type { Clock, Entropy, Log } from '../../src/ports/system.ts'

/** 2026-01-31T12:00:00.000Z */
export const START_MS = 1_769_860_800_000

/** How long a service keeps what has been, unless it is told otherwise. */
export const RETENTION = { retentionMs: 30 * 24 * 3_600_000, budgetBytes: 1024 ** 3 }

/** A clock that moves when a test says so. */
export interface ManualClock extends Clock {
  advance(byMs: number): void
}

export function manualClock(startMs: number = START_MS): ManualClock {
  let nowMs = startMs
  return {
    nowMs: () => nowMs,
    advance(byMs) {
      nowMs += byMs
    },
  }
}

/** UUIDs of version 7 that count up: the same run makes the same ids. */
export function countingEntropy(): Entropy {
  let made = 0
  return {
    uuid(nowMs) {
      made += 1
      const time = nowMs.toString(16).padStart(12, '0')
      const count = made.toString(16).padStart(12, '0')
      return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${count}`
    },
  }
}

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly fields: object
  readonly message: string
}

/** A log that keeps what it is told. */
export function memoryLog(): { readonly log: Log; readonly lines: LogLine[] } {
  const lines: LogLine[] = []
  const at = (level: LogLine['level']) => (fields: object, message: string) => {
    lines.push({ level, fields, message })
  }
  return { lines, log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } }
}
