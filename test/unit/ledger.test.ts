import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { LOCAL_GRANT as GRANT } from '../../src/adapters/files/store-parts.ts'
import { InvariantError } from '../../src/core/base/assert.ts'
import type { ExposureRecord } from '../../src/core/model/events.ts'
import { DiskError, MemoryDisk } from '../crash/snapshot-disk.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { provingAsync } from '../support/prove.ts'
import { anyText, eventsByType } from './codec-events.ts'
import { DAY_MS, exposure, exposures, handClock, openLedger, traceId } from './ledger-fixtures.ts'
import { memoryLog, NOW_MS } from './snapshot-fixtures.ts'

const prove = provingAsync(60)
const KEY = 'tenant/scope'

function ledgerPaths(disk: MemoryDisk): readonly string[] {
  return disk.paths().filter((path) => path.endsWith('.led'))
}

const anyExposure: fc.Arbitrary<ExposureRecord> = fc
  .tuple(eventsByType.exposed, fc.nat(), fc.nat())
  .map(([event, atMs, seq]) => {
    const { type: _, ...set } = event
    return { ...set, atMs, seq }
  })

describe('the ledger', () => {
  test('finds every record again as it was appended, also after a restart', async () => {
    await prove(
      fc.array(fc.array(anyExposure, { maxLength: 5 }), { maxLength: 14 }),
      fc.array(anyText, { maxLength: 3 }),
      async (batches, strangers) => {
        const disk = new MemoryDisk('/data')
        const clock = handClock(0)
        const ledger = await openLedger(disk.files, { clock })
        const known = new Map<string, ExposureRecord>()
        for (const [index, records] of batches.entries()) {
          await ledger.append(GRANT, KEY, index, index + 1, records)
          for (const record of records) known.set(record.guideTraceId, record)
        }
        for (const each of [ledger, await openLedger(disk.files, { clock })]) {
          for (const [id, record] of known) expect(await each.find(KEY, id)).toEqual(record)
          for (const id of strangers) expect(await each.find(KEY, id)).toBeNull()
        }
        expect(disk.openFiles).toBe(0)
      },
    )
  })

  test.each([1, 63, 64, 65, 128, 129, 1000])(
    'finds each of %i records of a file, and none beside them',
    async (count) => {
      const ledger = await openLedger(new MemoryDisk('/data').files)
      // Every second serial of one instant, so that ids between two records exist.
      const records = Array.from({ length: count }, (_, index) => ({
        ...exposure(index, NOW_MS),
        guideTraceId: traceId(NOW_MS, index * 2),
      }))
      await ledger.append(GRANT, KEY, 0, count, records.toReversed())
      for (const record of records) expect(await ledger.find(KEY, record.guideTraceId)).toEqual(record)
      for (const index of records.keys())
        expect(await ledger.find(KEY, traceId(NOW_MS, index * 2 + 1))).toBeNull()
    },
  )

  test('reads a few small pieces for a find, not the file', async () => {
    const disk = new MemoryDisk('/data')
    let readBytes = 0
    const pread: typeof disk.files.pread = (fd, into, position) => {
      readBytes += into.length
      return disk.files.pread(fd, into, position)
    }
    const ledger = await openLedger({ ...disk.files, pread })
    await ledger.append(GRANT, KEY, 0, 3000, exposures(0, 3000))
    const [path = ''] = ledgerPaths(disk)
    readBytes = 0
    expect(await ledger.find(KEY, exposure(1234).guideTraceId)).toEqual(exposure(1234))
    expect(readBytes).toBeLessThan(3000)
    expect(disk.bytesAt(path).length).toBeGreaterThan(300_000)
  })

  test('opens only files whose time fits', async () => {
    const disk = new MemoryDisk('/data')
    const ledger = await openLedger(disk.files)
    for (const from of [0, 10, 20])
      await ledger.append(GRANT, KEY, from, from + 10, exposures(from, from + 10))
    let opened = 0
    disk.intercept = (call) => {
      if (call === 'open') opened++
    }
    expect(await ledger.find(KEY, exposure(15).guideTraceId)).toEqual(exposure(15))
    expect(opened).toBe(1)
    expect(await ledger.find(KEY, exposure(40).guideTraceId)).toBeNull()
    expect(opened).toBe(1)
  })

  test('keeps actors apart', async () => {
    const ledger = await openLedger(new MemoryDisk('/data').files)
    await ledger.append(GRANT, KEY, 0, 1, [exposure(1)])
    expect(await ledger.find('tenant/other', exposure(1).guideTraceId)).toBeNull()
  })

  test('takes a repetition of a range, and ranges that overlap', async () => {
    const disk = new MemoryDisk('/data')
    const ledger = await openLedger(disk.files)
    await ledger.append(GRANT, KEY, 0, 10, exposures(0, 10))
    await ledger.append(GRANT, KEY, 0, 10, exposures(0, 10))
    expect(ledgerPaths(disk)).toHaveLength(1)
    await ledger.append(GRANT, KEY, 0, 15, exposures(0, 15))
    await ledger.append(GRANT, KEY, 5, 20, exposures(5, 20))
    const reopened = await openLedger(disk.files)
    for (const seq of [1, 7, 10, 12, 20]) {
      expect(await reopened.find(KEY, exposure(seq).guideTraceId)).toEqual(exposure(seq))
    }
  })

  test('writes no file for no records, and refuses ids that are no guide trace', async () => {
    const disk = new MemoryDisk('/data')
    const ledger = await openLedger(disk.files)
    await ledger.append(GRANT, KEY, 0, 4, [])
    expect(ledgerPaths(disk)).toEqual([])
    const foreign = { ...exposure(1), guideTraceId: 'guide_trace:7' }
    await expect(ledger.append(GRANT, KEY, 0, 1, [foreign])).rejects.toThrow(InvariantError)
    await expect(ledger.append(GRANT, KEY, 3, 1, [exposure(1)])).rejects.toThrow(InvariantError)
    expect(disk.paths()).toEqual([])
  })

  test('works in the file system of this machine', async () => {
    const dir = dataFolder()
    const ledger = await openLedger(nodeFiles, { dir })
    for (let from = 0; from < 100; from += 10)
      await ledger.append(GRANT, KEY, from, from + 10, exposures(from, from + 10))
    const reopened = await openLedger(nodeFiles, { dir })
    for (const record of exposures(0, 100)) {
      expect(await reopened.find(KEY, record.guideTraceId)).toEqual(record)
    }
  })
})

describe('merging', () => {
  test('keeps an actor at no more than eight small files and loses nothing', async () => {
    const disk = new MemoryDisk('/data')
    const ledger = await openLedger(disk.files)
    for (let from = 0; from < 300; from += 10) {
      await ledger.append(GRANT, KEY, from, from + 10, exposures(from, from + 10))
      expect(ledgerPaths(disk).length).toBeLessThanOrEqual(8)
    }
    for (const each of [ledger, await openLedger(disk.files)]) {
      for (const record of exposures(0, 300))
        expect(await each.find(KEY, record.guideTraceId)).toEqual(record)
    }
  })

  test('leaves large files as they are', async () => {
    const disk = new MemoryDisk('/data')
    const ledger = await openLedger(disk.files)
    await ledger.append(GRANT, KEY, 0, 5000, exposures(0, 5000))
    const [large = ''] = ledgerPaths(disk)
    expect(disk.bytesAt(large).length).toBeGreaterThan(1024 ** 2)
    const after = NOW_MS + 10_000
    for (let seq = 5001; seq < 5012; seq++)
      await ledger.append(GRANT, KEY, seq - 1, seq, [exposure(seq, after)])
    expect(ledgerPaths(disk)).toContain(large)
    expect(await ledger.find(KEY, exposure(77).guideTraceId)).toEqual(exposure(77))
    expect(await ledger.find(KEY, exposure(5001, after).guideTraceId)).toEqual(exposure(5001, after))
  })

  test('of repetitions of one range keeps the records once', async () => {
    const disk = new MemoryDisk('/data')
    const ledger = await openLedger(disk.files)
    for (let toSeq = 10; toSeq < 20; toSeq++) await ledger.append(GRANT, KEY, 0, toSeq, exposures(0, toSeq))
    expect(ledgerPaths(disk).length).toBeLessThan(4)
    for (const record of exposures(0, 19)) expect(await ledger.find(KEY, record.guideTraceId)).toEqual(record)
  })

  test('into a name that one of the merged files has does not remove the result', async () => {
    const disk = new MemoryDisk('/data')
    const ledger = await openLedger(disk.files)
    // The whole range first, then parts of it: merged, they are the first file again.
    await ledger.append(GRANT, KEY, 0, 20, exposures(0, 20))
    for (let from = 0; from < 16; from += 2)
      await ledger.append(GRANT, KEY, from, from + 2, exposures(from, from + 2))
    expect(ledgerPaths(disk)).toHaveLength(1)
    for (const record of exposures(0, 20)) expect(await ledger.find(KEY, record.guideTraceId)).toEqual(record)
  })

  test('drops what is beyond retention', async () => {
    const disk = new MemoryDisk('/data')
    const clock = handClock()
    const ledger = await openLedger(disk.files, { clock })
    // One file holds an old and a young record, so that it is not removed as a whole.
    await ledger.append(GRANT, KEY, 0, 2, [exposure(1, NOW_MS), exposure(2, NOW_MS + 20 * DAY_MS)])
    clock.atMs = NOW_MS + 31 * DAY_MS
    for (let seq = 3; seq < 12; seq++)
      await ledger.append(GRANT, KEY, seq - 1, seq, [exposure(seq, clock.atMs)])
    expect(await ledger.find(KEY, exposure(1, NOW_MS).guideTraceId)).toBeNull()
    expect(ledger.isBeyondRetention(KEY, exposure(1, NOW_MS).guideTraceId)).toBe(true)
    const young = exposure(2, NOW_MS + 20 * DAY_MS)
    expect(await ledger.find(KEY, young.guideTraceId)).toEqual(young)
  })

  test('that fails is told of and leaves every record where it was', async () => {
    const disk = new MemoryDisk('/data')
    const log = memoryLog()
    const ledger = await openLedger(disk.files, { log })
    for (let seq = 1; seq < 9; seq++) await ledger.append(GRANT, KEY, seq - 1, seq, [exposure(seq)])
    disk.intercept = (call) => {
      if (call === 'pread') throw new DiskError('EIO')
    }
    await ledger.append(GRANT, KEY, 8, 9, [exposure(9)])
    disk.intercept = () => undefined
    expect(log.lines.map(({ message }) => message)).toEqual(['a merge of ledger files failed'])
    for (const record of exposures(0, 9)) expect(await ledger.find(KEY, record.guideTraceId)).toEqual(record)
  })
})

describe('retention', () => {
  test('removes files whose newest guide is older than 30 days, on a sweep and at start', async () => {
    const disk = new MemoryDisk('/data')
    const clock = handClock()
    const ledger = await openLedger(disk.files, { clock })
    await ledger.append(GRANT, KEY, 0, 5, exposures(0, 5, NOW_MS))
    await ledger.append(GRANT, KEY, 5, 10, exposures(5, 10, NOW_MS + DAY_MS))
    clock.atMs = NOW_MS + 30 * DAY_MS
    await ledger.sweep()
    expect(ledgerPaths(disk)).toHaveLength(2)
    clock.atMs += 1
    expect(ledger.isBeyondRetention(KEY, traceId(NOW_MS, 1))).toBe(true)
    expect(ledger.isBeyondRetention(KEY, traceId(NOW_MS + 1, 1))).toBe(false)
    await ledger.sweep()
    expect(ledgerPaths(disk)).toHaveLength(1)
    expect(await ledger.find(KEY, exposure(3, NOW_MS).guideTraceId)).toBeNull()
    const kept = exposure(7, NOW_MS + DAY_MS)
    expect(await ledger.find(KEY, kept.guideTraceId)).toEqual(kept)
    clock.atMs += DAY_MS
    await openLedger(disk.files, { clock })
    expect(ledgerPaths(disk)).toEqual([])
  })

  test('goes on when a clock that was a year ahead at the start is set back', async () => {
    const disk = new MemoryDisk('/data')
    const clock = handClock(NOW_MS + 365 * DAY_MS)
    const ledger = await openLedger(disk.files, { clock })
    for (const day of [0, 31]) {
      clock.atMs = NOW_MS + day * DAY_MS
      await ledger.append(GRANT, KEY, day, day + 1, exposures(day, day + 1, clock.atMs))
    }
    expect(ledgerPaths(disk)).toHaveLength(1)
  })

  test('over the budget of the node removes the oldest files of any actor, and remembers how far', async () => {
    const disk = new MemoryDisk('/data')
    const settings = { budgetBytes: 20_000, log: memoryLog() }
    const ledger = await openLedger(disk.files, settings)
    const keys = ['a/s', 'b/s', 'c/s']
    for (let round = 0; round < 20; round++) {
      const key = keys[round % 3] ?? KEY
      await ledger.append(
        GRANT,
        key,
        round,
        round + 1,
        exposures(round * 10, round * 10 + 10, NOW_MS + round),
      )
    }
    const bytes = ledgerPaths(disk).reduce((sum, path) => sum + disk.bytesAt(path).length, 0)
    expect(bytes).toBeLessThanOrEqual(20_000)
    expect(bytes).toBeGreaterThan(10_000)
    for (const each of [ledger, await openLedger(disk.files, settings)]) {
      let removed = 0
      for (let round = 0; round < 20; round++) {
        const key = keys[round % 3] ?? KEY
        const record = exposure(round * 10 + 3, NOW_MS + round)
        const found = await each.find(key, record.guideTraceId)
        expect(each.isBeyondRetention(key, record.guideTraceId)).toBe(found === null)
        // The oldest go first: after the first that is kept, all are.
        if (found === null) expect(removed++).toBe(round)
        else expect(found).toEqual(record)
      }
      expect(removed).toBeGreaterThan(0)
    }
    const marks = disk.paths().filter((path) => path.includes('removed-until'))
    expect(marks).toHaveLength(1)
  })

  test('says nothing of ids that are no guide trace', async () => {
    const ledger = await openLedger(new MemoryDisk('/data').files)
    for (const id of [
      '',
      'guide_trace:',
      traceId(0, 1).toUpperCase(),
      traceId(0, 1).slice(12),
      `${traceId(0, 1)}0`,
    ]) {
      expect(ledger.isBeyondRetention(KEY, id)).toBe(false)
    }
    expect(ledger.isBeyondRetention(KEY, traceId(0, 1))).toBe(true)
  })

  test('that cannot remove a file is told of, and an append is not refused for it', async () => {
    const disk = new MemoryDisk('/data')
    const log = memoryLog()
    const ledger = await openLedger(disk.files, { log, budgetBytes: 1 })
    disk.intercept = (call) => {
      if (call === 'unlink') throw new DiskError('EROFS')
    }
    await ledger.append(GRANT, KEY, 0, 1, [exposure(1)])
    expect(log.lines.map(({ message }) => message)).toEqual(['retention of the ledger failed'])
    disk.intercept = () => undefined
    await ledger.sweep()
    expect(ledgerPaths(disk)).toEqual([])
  })
})

/** A ledger of one file with four records, and the bytes of the file. */
async function fourRecords(): Promise<{ disk: MemoryDisk; path: string; whole: Buffer }> {
  const disk = new MemoryDisk('/data')
  const ledger = await openLedger(disk.files)
  await ledger.append(GRANT, KEY, 0, 4, exposures(0, 4))
  const [path = ''] = ledgerPaths(disk)
  return { disk, path, whole: Buffer.from(disk.bytesAt(path)) }
}

/** How many records are found; each is the one appended, and a missing one was told of. */
async function expectRightOrTold(disk: MemoryDisk): Promise<number> {
  const log = memoryLog()
  const ledger = await openLedger(disk.files, { log })
  let found = 0
  for (const record of exposures(0, 4)) {
    const told = log.lines.length
    const back = await ledger.find(KEY, record.guideTraceId)
    if (back === null) expect(log.lines.length).toBeGreaterThan(told)
    else expect(back).toEqual(record)
    if (back !== null) found++
  }
  return found
}

describe('a damaged file', () => {
  test('never gives a wrong record, whichever byte changed, and loses only what the byte belongs to', async () => {
    const { disk, path, whole } = await fourRecords()
    let survivors = 0
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8))
      disk.damage(path, damaged)
      const found = await expectRightOrTold(disk)
      expect(found).toBeLessThan(4)
      survivors += found
    }
    expect(survivors).toBeGreaterThan(whole.length / 2)
  })

  test('is saved from as far as it is whole when it is merged, and goes to quarantine', async () => {
    const { disk, path, whole } = await fourRecords()
    const at = whole.indexOf('agent 1')
    whole[at] = (whole[at] ?? 0) ^ 1
    disk.damage(path, whole)
    const ledger = await openLedger(disk.files)
    for (let seq = 5; seq < 14; seq++) await ledger.append(GRANT, KEY, seq - 1, seq, [exposure(seq)])
    expect(await ledger.find(KEY, exposure(1).guideTraceId)).toBeNull()
    for (const record of exposures(1, 13)) expect(await ledger.find(KEY, record.guideTraceId)).toEqual(record)
    expect(disk.paths()).toContain(path.replace(/.*\//, '/data/quarantine/'))
  })

  test('hides no record that another file has, too', async () => {
    const { disk, path } = await fourRecords()
    disk.damage(path, Buffer.alloc(5))
    const ledger = await openLedger(disk.files)
    await ledger.append(GRANT, KEY, 1, 3, exposures(1, 3))
    expect(await ledger.find(KEY, exposure(2).guideTraceId)).toEqual(exposure(2))
  })

  test('is not the same as one that cannot be read: find rejects', async () => {
    const { disk } = await fourRecords()
    const ledger = await openLedger(disk.files)
    disk.intercept = (call) => {
      if (call === 'pread') throw new DiskError('EIO')
    }
    await expect(ledger.find(KEY, exposure(2).guideTraceId)).rejects.toThrow('EIO')
  })
})
