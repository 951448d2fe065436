import fc from 'fast-check'
import { type FileSnapshotStore, openSnapshotStore } from '../../src/adapters/snapshot/store.ts'
import type { StateImage } from '../../src/core/model/image.ts'
import type { Files } from '../../src/ports/files.ts'
import type { Log } from '../../src/ports/system.ts'
import { anyJson, anyText } from './codec-events.ts'

export const GRANT = { shard: 0, epoch: 1 }
export const NOW_MS = 1_790_000_000_000

export interface LoggedLine {
  readonly level: keyof Log
  readonly message: string
  readonly fields: object
}

/** A log that keeps its lines. */
export function memoryLog(): Log & { readonly lines: LoggedLine[] } {
  const lines: LoggedLine[] = []
  const at = (level: keyof Log) => (fields: object, message: string) => {
    lines.push({ level, message, fields })
  }
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

export function openStore(files: Files, log: Log = memoryLog(), dir = '/data'): Promise<FileSnapshotStore> {
  return openSnapshotStore({ dir, files, log, clock: { nowMs: () => NOW_MS } })
}

/** An image that says by every row which actor and sequence it belongs to. */
export function imageOf(actorKey: string, seq: number, rows = 2): StateImage {
  const [tenantId = '', scope = ''] = actorKey.split('/')
  return {
    schema: 1,
    tenantId,
    scope,
    seq,
    stateHash: `${actorKey}@${seq}`,
    sections: [
      {
        name: 'memories',
        rows: Array.from({ length: rows }, (_, slot) => ({ actorKey, seq, slot, note: null })),
      },
      { name: 'relations', rows: [] },
      { name: 'operations', rows: [[seq, Buffer.from([seq % 256])]] },
    ],
  }
}

const anyRow = fc.oneof(
  anyJson,
  fc.record({
    memoryId: fc.uuid(),
    text: anyText,
    bytes: fc.uint8Array().map((b) => Buffer.from(b)),
    seq: fc.nat(),
  }),
)

export const anyImage: fc.Arbitrary<StateImage> = fc.record({
  schema: fc.nat(),
  tenantId: anyText,
  scope: anyText,
  seq: fc.maxSafeNat(),
  stateHash: anyText,
  sections: fc.array(fc.record({ name: anyText, rows: fc.array(anyRow, { maxLength: 30 }) }), {
    maxLength: 4,
  }),
})
