import { join } from 'node:path'
import type { Segment } from './actor-index.ts'

const NAME = /^([0-9a-f]{16})\.wal$/

export function createSegment(folder: string, seq: number, flushedEnd: number): Segment {
  return { seq, path: segmentPath(folder, seq), runs: [], freeRuns: 0, flushedEnd }
}

/** Files are named by their sequence, 16 hex digits, so that a folder listing is in order and shows a hole. */
export function segmentPath(folder: string, seq: number): string {
  return join(folder, `${seq.toString(16).padStart(16, '0')}.wal`)
}

/** The sequence in a file name, null when it is no segment. */
export function segmentSeqOf(name: string): number | null {
  const digits = NAME.exec(name)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 16)
}
