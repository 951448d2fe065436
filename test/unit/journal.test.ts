import { describe, expect, test } from 'vitest'
import type { FileJournal } from '../../src/adapters/journal/file-journal.ts'
import { MAX_RECORD_BYTES } from '../../src/adapters/journal/format.ts'
import type { JournalIo } from '../../src/adapters/journal/journal-io.ts'
import { readPositions } from '../../src/adapters/journal/record-index.ts'
import type { Files } from '../../src/ports/files.ts'
import type { JournalRecord } from '../../src/ports/store.ts'
import { contentOf, GRANT, ManualTimers, openOn, recordsOf, silentLog, turns } from '../crash/journal-life.ts'
import { SimulatedDisk } from '../crash/simulated-disk.ts'
import { createInlineIo } from '../support/inline-io.ts'

const WAL = '/data/wal'

function append(journal: FileJournal, actorKey: string, actorSeq: number, bytes = 10): Promise<void> {
  return journal.append(GRANT, { actorKey, actorSeq, payload: new Uint8Array(bytes).fill(actorSeq) })
}

/** An io whose writes wait until the test lets them go. */
function createGatedIo(files: Files): JournalIo & { readonly writes: number[]; open(): void } {
  const inner = createInlineIo(files)
  const writes: number[] = []
  let release: (() => void) | null = null
  return {
    ...inner,
    writes,
    open() {
      release?.()
      release = null
    },
    async write(fd, position, bytes, flush) {
      writes.push(bytes)
      await new Promise<void>((resolve) => {
        release = resolve
      })
      await inner.write(fd, position, bytes, flush)
    },
  }
}

describe('journal', () => {
  test('what is appended while a flush is under way goes out together with the next one', async () => {
    const process = new SimulatedDisk().start()
    const io = createGatedIo(process.files)
    const journal = await openOn(process, new ManualTimers(), { io, padTo: 512 })
    const first = append(journal, 'a/x', 1)
    await turns(2)
    const rest = Promise.all([
      append(journal, 'a/x', 2),
      append(journal, 'b/y', 1),
      append(journal, 'a/x', 3),
    ])
    await turns(2)
    expect(io.writes).toEqual([512])
    expect((await recordsOf(journal, 'a/x')).map(({ actorSeq }) => actorSeq)).toEqual([1, 2, 3])
    expect(journal.positionsOf('a/x', 1)).toEqual([])
    io.open()
    await first
    await turns(2)
    expect(io.writes).toEqual([512, 512])
    io.open()
    await rest
    expect(io.writes).toHaveLength(2)
    expect(journal.positionsOf('a/x', 1)[0]?.offsets).toHaveLength(3)
    expect(journal.positionsOf('a/x', 2, 2)).toMatchObject([{ firstSeq: 2, offsets: { length: 1 } }])
    expect(journal.positionsOf('a/x', 4, 2)).toEqual([])
  })

  test('the record of a lone writer is on its way to the disk before append returns, and answered no sooner', async () => {
    const process = new SimulatedDisk().start()
    const io = createGatedIo(process.files)
    const journal = await openOn(process, new ManualTimers(), { io, padTo: 512 })
    const first = append(journal, 'a/x', 1)
    expect(io.writes).toEqual([])
    await turns(2)
    io.open()
    await first
    await turns(2)
    let isAnswered = false
    const second = append(journal, 'a/x', 2).then(() => {
      isAnswered = true
    })
    expect(io.writes).toEqual([512, 512])
    const others = Promise.all([append(journal, 'b/y', 1), append(journal, 'c/z', 1)])
    await turns(2)
    expect(isAnswered).toBe(false)
    io.open()
    await second
    await turns(2)
    io.open()
    await others
    // Several were about: the next one waits for others of its moment.
    const [third, fourth] = [append(journal, 'a/x', 3), append(journal, 'b/y', 2)]
    expect(io.writes).toHaveLength(3)
    await turns(2)
    expect(io.writes).toHaveLength(4)
    io.open()
    await Promise.all([third, fourth])
    expect(io.writes).toHaveLength(4)
  })

  test('records of one moment share a write up to 4096, then the next write follows', async () => {
    const process = new SimulatedDisk().start()
    const journal = await openOn(process, new ManualTimers(), { segmentBytes: 1024 * 1024 })
    const before = process.calls.filter(({ name }) => name === 'fdatasync').length
    await Promise.all(Array.from({ length: 5000 }, (_, i) => append(journal, 'a/x', i + 1)))
    expect(process.calls.filter(({ name }) => name === 'fdatasync').length - before).toBe(2)
    expect(journal.headOf('a/x')).toBe(5000)
  })

  test('of the segment that is being prepared no more than a mebibyte waits for the disk at a time', async () => {
    const process = new SimulatedDisk().start()
    let [waiting, most, all] = [0, 0, 0]
    const files: Files = {
      ...process.files,
      async pwrite(fd, bytes, position) {
        const written = await process.files.pwrite(fd, bytes, position)
        waiting += written
        most = Math.max(most, waiting)
        all += written
        return written
      },
      async fdatasync(fd) {
        await process.files.fdatasync(fd)
        waiting = 0
      },
      async fsync(fd) {
        await process.files.fsync(fd)
        waiting = 0
      },
    }
    const io = createInlineIo(process.files)
    const journal = await openOn({ ...process, files }, new ManualTimers(), {
      io,
      segmentBytes: 8 * 1024 ** 2,
    })
    await append(journal, 'a/x', 1)
    await turns(100)
    await journal.close()
    expect(all).toBeGreaterThan(8 * 1024 ** 2)
    expect(most).toBeLessThanOrEqual(1024 ** 2 + 4096)
  })

  test('a full queue refuses with overloaded, queues nothing, and takes records again afterwards', async () => {
    const process = new SimulatedDisk().start()
    const journal = await openOn(process, new ManualTimers())
    const megabyte = 1024 * 1024
    const waiting: Promise<void>[] = []
    while (!journal.isSaturated()) waiting.push(append(journal, 'a/x', waiting.length + 1, megabyte))
    expect(journal.health().queuedBytes).toBeLessThanOrEqual(32 * megabyte)
    expect(waiting.length).toBeGreaterThanOrEqual(24)
    const refused = append(journal, 'a/x', waiting.length + 1)
    await expect(refused).rejects.toMatchObject({ journalFailure: 'overloaded' })
    await Promise.all(waiting)
    expect(journal.isSaturated()).toBe(false)
    await append(journal, 'a/x', waiting.length + 1)
    expect(journal.health()).toMatchObject({ state: 'open', queuedBytes: 0 })
  })

  test('the largest record is written and read; one byte more is refused', async () => {
    const disk = new SimulatedDisk()
    const process = disk.start()
    const journal = await openOn(process, new ManualTimers())
    const largest = MAX_RECORD_BYTES - 22 - 'a/x'.length
    await append(journal, 'a/x', 1, largest)
    await expect(append(journal, 'a/x', 2, largest + 1)).rejects.toMatchObject({
      journalFailure: 'too_large',
    })
    await append(journal, 'a/x', 2)
    process.kill()
    const next = await openOn(disk.start(), new ManualTimers())
    const sizes = (await recordsOf(next, 'a/x')).map(({ payload }) => payload.length)
    expect(sizes).toEqual([largest, 10])
  })

  test('a sequence that does not follow is a conflict and leaves no trace', async () => {
    const journal = await openOn(new SimulatedDisk().start(), new ManualTimers())
    await expect(append(journal, 'a/x', 2)).rejects.toMatchObject({ journalFailure: 'conflict' })
    await append(journal, 'a/x', 1)
    await expect(append(journal, 'a/x', 1)).rejects.toMatchObject({ journalFailure: 'conflict' })
    expect(journal.headOf('a/x')).toBe(1)
    journal.covered(GRANT, 'b/y', 40)
    expect(journal.headOf('b/y')).toBe(0)
    await append(journal, 'b/y', 41)
    expect([...journal.actorKeys()]).toEqual(['a/x', 'b/y'])
  })

  test('a segment goes when the older of two snapshots of every actor in it covers its last record', async () => {
    const disk = new SimulatedDisk()
    const journal = await openOn(disk.start(), new ManualTimers())
    await append(journal, 'a/x', 1, 30_000)
    await append(journal, 'b/y', 1, 10)
    for (let seq = 2; seq <= 5; seq += 1) await append(journal, 'a/x', seq, 40_000)
    const first = `${(1).toString(16).padStart(16, '0')}.wal`
    journal.covered(GRANT, 'a/x', 4)
    journal.covered(GRANT, 'b/y', 1)
    await turns(3)
    expect(disk.namesIn(WAL)).toContain(first)
    journal.covered(GRANT, 'a/x', 5)
    await turns(3)
    expect(disk.namesIn(WAL)).toContain(first)
    journal.covered(GRANT, 'b/y', 1)
    await turns(3)
    expect(disk.namesIn(WAL)).not.toContain(first)
    expect((await recordsOf(journal, 'a/x', 5)).map(({ actorSeq }) => actorSeq)).toEqual([5])
    await expect(recordsOf(journal, 'a/x', 1)).rejects.toThrow(
      /^journal has no record 1 of a\/x: .*; memgov verify tells .* memgov repair --dry-run/,
    )
    expect(journal.headOf('b/y')).toBe(0)
    await append(journal, 'b/y', 2)
  })

  test('actors that pin the oldest segment are laggards once there are too many', async () => {
    const journal = await openOn(new SimulatedDisk().start(), new ManualTimers(), { maxSegments: 2 })
    await append(journal, 'lazy/one', 1)
    for (let seq = 1; seq <= 4; seq += 1) {
      await append(journal, 'a/x', seq, 50_000)
      await turns(2)
    }
    expect(journal.segmentCount()).toBeGreaterThan(2)
    expect(journal.laggards()).toEqual(['lazy/one', 'a/x'])
    for (const seq of [3, 4]) journal.covered(GRANT, 'a/x', seq)
    expect(journal.laggards()).toEqual(['lazy/one'])
    journal.covered(GRANT, 'lazy/one', 1)
    journal.covered(GRANT, 'lazy/one', 1)
    await turns(3)
    expect(journal.laggards()).not.toContain('lazy/one')
  })

  test('uncovered bytes count what lies above the newest mark, queued or written, also after a restart', async () => {
    const disk = new SimulatedDisk()
    const process = disk.start()
    const journal = await openOn(process, new ManualTimers())
    for (let seq = 1; seq <= 3; seq += 1) await append(journal, 'a/x', seq, 100)
    const each = 22 + 3 + 100
    expect(journal.uncoveredBytesOf('a/x')).toBe(3 * each)
    const queued = append(journal, 'a/x', 4, 100)
    journal.covered(GRANT, 'a/x', 2)
    expect(journal.uncoveredBytesOf('a/x')).toBe(2 * each)
    await queued
    expect(journal.uncoveredBytesOf('a/x')).toBe(2 * each)
    process.kill()
    const next = await openOn(disk.start(), new ManualTimers())
    expect(next.uncoveredBytesOf('a/x')).toBe(4 * each)
    next.covered(GRANT, 'a/x', 4)
    expect(next.uncoveredBytesOf('a/x')).toBe(0)
  })

  test('places of flushed records are enough to read them without the journal', async () => {
    const disk = new SimulatedDisk()
    const journal = await openOn(disk.start(), new ManualTimers())
    for (let seq = 1; seq <= 6; seq += 1) {
      await append(journal, 'b/y', seq, 20_000)
      await append(journal, 'a/x', seq, seq % 2 === 0 ? 20_000 : 5)
    }
    const positions = structuredClone(journal.positionsOf('a/x', 3))
    expect(new Set(positions.map(({ path }) => path)).size).toBeGreaterThan(1)
    const records: JournalRecord[] = []
    for await (const record of readPositions(disk.start().files, positions)) records.push(record)
    expect(records).toEqual(await recordsOf(journal, 'a/x', 3))
    expect(records.map(({ actorSeq }) => actorSeq)).toEqual([3, 4, 5, 6])
  })

  test('with interval and none a record is acknowledged before its flush; places name only flushed ones', async () => {
    for (const durability of ['interval', 'none'] as const) {
      const process = new SimulatedDisk().start()
      const timers = new ManualTimers()
      const journal = await openOn(process, timers, { durability })
      const flushes = (): number => process.calls.filter(({ name }) => name === 'fdatasync').length
      await append(journal, 'a/x', 1)
      await turns(3)
      expect(flushes()).toBe(0)
      expect(journal.positionsOf('a/x', 1)).toEqual([])
      expect(await recordsOf(journal, 'a/x')).toHaveLength(1)
      timers.fire()
      await turns(3)
      expect(flushes() > 0).toBe(durability === 'interval')
      await journal.close()
      expect(flushes()).toBeGreaterThan(0)
      expect(journal.positionsOf('a/x', 1)).toHaveLength(1)
    }
  })

  test('an idle journal is sealed once, and a closed one refuses appends', async () => {
    const process = new SimulatedDisk().start()
    const timers = new ManualTimers()
    const journal = await openOn(process, timers)
    const writes = (): number => process.calls.filter(({ name }) => name === 'fdatasync').length
    await append(journal, 'a/x', 1)
    await turns(1)
    timers.fire()
    await turns(3)
    expect(writes()).toBe(2)
    timers.fire()
    await turns(3)
    await journal.close()
    expect(writes()).toBe(2)
    await journal.close()
    await expect(append(journal, 'a/x', 2)).rejects.toMatchObject({ journalFailure: 'closed' })
    expect(journal.health().state).toBe('closed')
  })

  test('closing writes what is still queued', async () => {
    const disk = new SimulatedDisk()
    const process = disk.start()
    const journal = await openOn(process, new ManualTimers())
    const appends = [1, 2, 3].map((seq) => append(journal, 'a/x', seq))
    await journal.close()
    await Promise.all(appends)
    disk.losePower(() => 1, 0)
    const next = await openOn(disk.start(), new ManualTimers())
    expect(Object.keys(await contentOf(next))).toEqual(['a/x'])
    expect(next.headOf('a/x')).toBe(3)
    expect(next.storeId).toBe(journal.storeId)
  })

  test('starts without a record in between do not add segments', async () => {
    const disk = new SimulatedDisk()
    for (let start = 0; start < 5; start += 1) {
      const journal = await openOn(disk.start(), new ManualTimers())
      expect(journal.segmentCount()).toBe(1)
      if (start % 2 === 0) await journal.close()
    }
    expect(disk.namesIn(WAL)).toHaveLength(1)
  })

  test('the torn end of a killed write is kept in quarantine and reported', async () => {
    const disk = new SimulatedDisk()
    const process = disk.start()
    const journal = await openOn(process, new ManualTimers(), { padTo: 512 })
    await append(journal, 'a/x', 1)
    await append(journal, 'a/x', 2)
    process.kill()
    const path = `${WAL}/${disk.namesIn(WAL)[0]}`
    disk.contentOf(path).fill(0, 4096 + 512, 4096 + 540)
    const warnings: string[] = []
    const log = { ...silentLog, warn: (_fields: object, message: string) => void warnings.push(message) }
    const next = await openOn(disk.start(), new ManualTimers(), { log })
    expect(next.headOf('a/x')).toBe(1)
    expect(disk.namesIn('/data/quarantine')).toEqual(['0000000000000001.wal.4608.torn'])
    expect(warnings).toEqual(['torn end of the journal cut off'])
  })
})
