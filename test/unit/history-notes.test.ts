import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LOCAL_GRANT as GRANT } from '../../src/adapters/files/store-parts.ts'
import { type FileHistory, openHistory } from '../../src/adapters/history/history.ts'
import type { Files } from '../../src/ports/files.ts'
import type { History } from '../../src/ports/store.ts'
import { until } from '../crash/history-life.ts'
import { MemoryDisk } from '../crash/snapshot-disk.ts'
import { type LogLine, manualClock, memoryLog, RETENTION, START_MS } from '../harness/system.ts'

const MIB = 1024 * 1024

interface Opened {
  readonly past: FileHistory
  readonly history: History
  readonly lines: readonly LogLine[]
}

async function opened(files: Files, startMs?: number): Promise<Opened> {
  const { log, lines } = memoryLog()
  const clock = manualClock(startMs)
  const past = await openHistory({
    dir: '/data',
    files,
    log,
    clock,
    ...RETENTION,
    schedule: () => () => undefined,
  })
  const nothing = {
    heldSeqs: () => [],
    read: () => {
      throw new Error('the journal holds nothing')
    },
  }
  return { past, history: past.over(nothing), lines }
}

/** A note so many milliseconds after the start. */
const noteOf = (ms: number, text = '') => ({
  atMs: START_MS + ms,
  runId: ms % 2 === 0 ? null : `run ${ms}`,
  body: { kind: 'test', text },
})
const timesOf = async ({ history }: Opened, max = 1000, key = 'a/x') =>
  (await history.notes(key, max)).map(({ atMs }) => atMs - START_MS)
const noteFiles = (disk: MemoryDisk) => disk.paths().filter((path) => path.startsWith('/data/hist/notes-'))

describe('audit notes', () => {
  test('come back newest first, by actor and number, from the queue, from disk and after a restart', async () => {
    const told = fc.array(fc.record({ key: fc.constantFrom('a/x', 'b/ä'), pauses: fc.boolean() }), {
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(told, fc.nat(12), async (notes, max) => {
        const disk = new MemoryDisk('/data')
        let life = await opened(disk.files)
        const agrees = async () => {
          for (const key of ['a/x', 'b/ä', 'c/none']) {
            const all = notes.flatMap((note, i) => (note.key === key ? [noteOf(i, key)] : [])).toReversed()
            expect(await life.history.notes(key, max)).toEqual(all.slice(0, max))
          }
        }
        for (const [i, { key, pauses }] of notes.entries()) {
          life.history.note(GRANT, key, noteOf(i, key))
          if (pauses) await new Promise((resolve) => setImmediate(resolve))
        }
        await agrees()
        await life.past.close()
        await agrees()
        life = await opened(disk.files, START_MS + 1000)
        await agrees()
        expect(life.lines).toEqual([])
        expect(disk.openFiles).toBe(0)
      }),
      { numRuns: 60 },
    )
  })

  test('are there at once, before anything was written', async () => {
    const disk = new MemoryDisk('/data')
    const life = await opened(disk.files)
    const calls = disk.calls
    life.history.note(GRANT, 'a/x', noteOf(1))
    expect(disk.calls).toBe(calls)
    expect(await timesOf(life)).toEqual([1])
  })

  test('survive a file cut off at any byte as far as they are whole, and none is appended behind the torn one', async () => {
    const disk = new MemoryDisk('/data')
    const first = await opened(disk.files)
    for (const atMs of [1, 2, 3]) first.history.note(GRANT, 'a/x', noteOf(atMs))
    await first.past.close()
    const [path = ''] = noteFiles(disk)
    const content = Buffer.from(disk.bytesAt(path))
    for (let length = 0; length < content.length; length += 1) {
      disk.damage(path, content.subarray(0, length))
      const life = await opened(disk.files, START_MS + 1000)
      const times = await timesOf(life)
      expect(times).toEqual([3, 2, 1].slice(3 - times.length))
      expect(life.lines.length).toBeLessThan(2)
      life.history.note(GRANT, 'a/x', noteOf(4))
      await life.past.close()
      expect(await timesOf(life)).toEqual([4, ...times])
      expect(disk.bytesAt(path)).toHaveLength(length)
      for (const other of noteFiles(disk)) if (other !== path) await disk.files.unlink(other)
    }
    disk.damage(path, content)
    expect(await timesOf(await opened(disk.files))).toEqual([3, 2, 1])
  })

  test('above the bound of the queue are dropped with one line in the log, and come again later', async () => {
    const disk = new MemoryDisk('/data')
    let release = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    let writing = 0
    let writingMax = 0
    const pwrite: Files['pwrite'] = async (...args) => {
      writing += 1
      writingMax = Math.max(writingMax, writing)
      await gate
      writing -= 1
      return disk.files.pwrite(...args)
    }
    const life = await opened({ ...disk.files, pwrite })
    for (let atMs = 1; atMs <= 20; atMs += 1)
      life.history.note(GRANT, 'a/x', noteOf(atMs, 'x'.repeat(MIB / 2)))
    const kept = await timesOf(life)
    expect(kept).toEqual(Array.from({ length: 15 }, (_, i) => 15 - i))
    expect(life.lines).toHaveLength(1)
    release()
    await until(() => life.lines.length === 2)
    expect(life.lines.map(({ level, fields }) => [level, fields])).toEqual([
      ['warn', {}],
      ['warn', { notes: 5 }],
    ])
    life.history.note(GRANT, 'a/x', noteOf(30))
    await life.past.close()
    expect(await timesOf(life)).toEqual([30, ...kept])
    expect(writingMax).toBe(1)
  })

  test('fill files of about 8 MiB', async () => {
    const disk = new MemoryDisk('/data')
    const life = await opened(disk.files)
    for (let atMs = 1; atMs <= 36; atMs += 1) {
      life.history.note(GRANT, 'a/x', noteOf(atMs, 'x'.repeat(MIB / 2)))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await life.past.close()
    const sizes = noteFiles(disk).map((path) => disk.bytesAt(path).length)
    expect(sizes.length).toBeGreaterThan(1)
    for (const bytes of sizes) expect(bytes).toBeLessThan(9.5 * MIB)
    expect(await timesOf(life)).toEqual(Array.from({ length: 36 }, (_, i) => 36 - i))
  })

  test('that cannot be written are told in the log and lost, the next go to a new file', async () => {
    const disk = new MemoryDisk('/data')
    let isBroken = false
    const pwrite: Files['pwrite'] = (fd, bytes, position) =>
      isBroken ? Promise.resolve(1) : disk.files.pwrite(fd, bytes, position)
    const life = await opened({ ...disk.files, pwrite })
    life.history.note(GRANT, 'a/x', noteOf(1))
    await until(() => disk.openFiles === 1)
    await new Promise((resolve) => setImmediate(resolve))
    isBroken = true
    life.history.note(GRANT, 'a/x', noteOf(2))
    await until(() => life.lines.length === 1)
    isBroken = false
    life.history.note(GRANT, 'a/x', noteOf(3))
    await life.past.close()
    expect(life.lines).toMatchObject([{ level: 'error', fields: { notes: 1 } }])
    expect(noteFiles(disk)).toHaveLength(2)
    expect(await timesOf(life)).toEqual([3, 1])
  })

  test('that are no plain data are told in the log, and the caller goes on', async () => {
    const life = await opened(new MemoryDisk('/data').files)
    life.history.note(GRANT, 'a/x', { atMs: 1, runId: null, body: { kind: 'bad', value: undefined } })
    expect(life.lines).toMatchObject([{ level: 'error' }])
    expect(await timesOf(life)).toEqual([])
  })

  test('after the close are not taken any more', async () => {
    const disk = new MemoryDisk('/data')
    const life = await opened(disk.files)
    await life.past.close()
    life.history.note(GRANT, 'a/x', noteOf(1))
    expect(await timesOf(life)).toEqual([])
    expect(disk.paths()).toEqual([])
  })
})
