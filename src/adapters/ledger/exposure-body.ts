import type { ExposureRecord } from '../../core/model/exposure.ts'
import { isDictionary, type Packer } from '../binary/msgpack.ts'
import { LedgerDamage } from './format.ts'

/** The record in a body that was found under its guide trace. Throws LedgerDamage when it is of another one. */
export function decodeExposure(packer: Packer, body: Uint8Array, guideTraceId: string): ExposureRecord {
  const record = packer.unpack(body)
  if (!isDictionary(record) || record['guideTraceId'] !== guideTraceId) {
    throw new LedgerDamage('record: not the one its index names')
  }
  // The checksum vouches for the writer, which takes exposure records only; the oldest know nothing of hold-outs.
  return { heldOut: false, ...record } as unknown as ExposureRecord
}
