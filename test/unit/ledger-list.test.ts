import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ExposureRecord } from '../../src/core/model/events.ts'
import { MemoryDisk } from '../crash/snapshot-disk.ts'
import { provingAsync } from '../support/prove.ts'
import { exposure, exposures, handClock, openLedger, traceId } from './ledger-fixtures.ts'
import { GRANT, NOW_MS } from './snapshot-fixtures.ts'

const prove = provingAsync(60)
const KEY = 'tenant/scope'

async function seqsOf(records: AsyncIterable<ExposureRecord>): Promise<readonly number[]> {
  const seqs: number[] = []
  for await (const { seq } of records) seqs.push(seq)
  return seqs
}

describe('a list of the newest guides', () => {
  test('holds every guide of the bound and before, the newest first, in whatever files they lie', async () => {
    const batches = fc.array(fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 14,
    })
    await prove(batches, fc.nat({ max: 22 }), async (made, bound) => {
      const ledger = await openLedger(new MemoryDisk('/data').files, { clock: handClock(NOW_MS) })
      const all: ExposureRecord[] = []
      for (const [index, batch] of made.entries()) {
        const records = batch.map((afterMs, place) => exposure(all.length + place + 1, NOW_MS + afterMs))
        all.push(...records)
        await ledger.append(GRANT, KEY, index, index + 1, records)
      }
      const kept = all.filter(({ atMs }) => atMs <= NOW_MS + bound)
      const newestFirst = kept.toSorted((a, b) => b.atMs - a.atMs || b.seq - a.seq).map(({ seq }) => seq)
      expect(await seqsOf(ledger.newestFirst(KEY, NOW_MS + bound))).toEqual(newestFirst)
    })
  })

  test('loses none when small files around a large one were merged', async () => {
    const ledger = await openLedger(new MemoryDisk('/data').files)
    for (let seq = 1; seq < 4; seq++) await ledger.append(GRANT, KEY, seq - 1, seq, [exposure(seq)])
    await ledger.append(GRANT, KEY, 3, 5000, exposures(3, 5000))
    for (let seq = 5001; seq < 5012; seq++) await ledger.append(GRANT, KEY, seq - 1, seq, [exposure(seq)])
    expect(await seqsOf(ledger.newestFirst(KEY))).toEqual(
      Array.from({ length: 5011 }, (_, index) => 5011 - index),
    )
  })
})

describe('retention of the ledger', () => {
  test('removes more files at once than a call takes arguments', async () => {
    const { files } = new MemoryDisk('/data')
    let removed = 0
    const unlink = async (): Promise<void> => void (removed += 1)
    const ledger = await openLedger({ ...files, unlink })
    const hashes = Array.from({ length: 150_000 }, (_, at) => at.toString(16).padStart(32, '0'))
    ledger.adopt(hashes.map((hash, at) => `${hash}.0-1.${at}-${at}.100.led`))
    await ledger.sweep()
    expect([removed, ledger.isUsed()]).toEqual([hashes.length, true])
    expect(ledger.isBeyondRetention(KEY, traceId(hashes.length, 0))).toBe(true)
  })
})
