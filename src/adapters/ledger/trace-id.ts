import { GUIDE_TRACE_PREFIX } from '../../core/base/ids.ts'

/** A guide trace as the ledger sorts it: the 16 bytes of its UUID. */
export type TraceUuid = Uint8Array

export const TRACE_UUID_BYTES = 16

const TRACE_ID = /^guide_trace:([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})$/
const TIME_BYTES = 6

/** Null for anything but `guide_trace:` and a lower-case UUID of version 7. */
export function parseTraceId(guideTraceId: string): TraceUuid | null {
  const [, uuid] = TRACE_ID.exec(guideTraceId) ?? []
  return uuid === undefined ? null : Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

/** The id that `parseTraceId` reads. */
export function traceIdOf(uuid: TraceUuid): string {
  const hex = Buffer.from(uuid).toString('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
  return `${GUIDE_TRACE_PREFIX}${parts.join('-')}`
}

/** When the guide was given, milliseconds since the epoch: the first 48 bits of a UUID of version 7. */
export function atMsOf(uuid: TraceUuid): number {
  return Buffer.from(uuid.buffer, uuid.byteOffset, TIME_BYTES).readUIntBE(0, TIME_BYTES)
}
