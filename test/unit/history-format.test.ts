import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesOver, encodeRecord, recordBytes } from '../../src/adapters/binary/bytes.ts'
import { actorKeyHashOf } from '../../src/adapters/files/actor-folders.ts'
import { createDurably, NewerFileError } from '../../src/adapters/files/whole-file.ts'
import { historyNameOf, verifyHistory, writeHistory } from '../../src/adapters/history/format.ts'
import { openHistory } from '../../src/adapters/history/history.ts'
import { MemoryDisk } from '../crash/snapshot-disk.ts'
import { manualClock, memoryLog, RETENTION } from '../harness/system.ts'
import { provingAsync } from '../support/prove.ts'
import { ofNewerVersion } from './record-file-fixtures.ts'

const FOLDER = '/data/hist'
const NOTHING_RECENT = {
  heldSeqs: () => [],
  read: () => {
    throw new Error('the journal holds nothing')
  },
}

interface Written {
  readonly actorKey: string
  readonly firstSeq: number
  readonly payloads: readonly Uint8Array[]
}

/** A source as the journal has it, records of all actors mixed, and the history file made of it. */
async function written(disk: MemoryDisk, actors: readonly Written[], segmentSeq = 1): Promise<void> {
  const records = actors
    .flatMap(({ actorKey, firstSeq, payloads }) =>
      payloads.map((payload, i) => ({ actorKey, seq: firstSeq + i, payload, turn: i })),
    )
    .sort((a, b) => a.turn - b.turn)
  const source = new Uint8Array(
    records.reduce((sum, { actorKey, payload }) => sum + recordBytes(Buffer.from(actorKey), payload), 0),
  )
  const runs = actors.map(({ actorKey, firstSeq }) => ({
    actorKey,
    keyHash: actorKeyHashOf(actorKey),
    firstSeq,
    offsets: [] as number[],
    sizes: [] as number[],
  }))
  let at = 0
  for (const { actorKey, seq, payload } of records) {
    const end = encodeRecord(bytesOver(source), at, Buffer.from(actorKey), seq, payload)
    const run = runs.find((each) => each.actorKey === actorKey && each.firstSeq + each.offsets.length === seq)
    run?.offsets.push(at)
    run?.sizes.push(end - at)
    at = end
  }
  const name = historyNameOf(segmentSeq)
  await disk.files.mkdir(FOLDER)
  const head = { segmentSeq, salt: 77, archivedAtMs: 5 }
  await createDurably(disk.files, { folder: FOLDER, draftName: name, nameOf: () => name }, (file) =>
    writeHistory(file, head, runs, async (offset, bytes) => source.subarray(offset, offset + bytes)),
  )
}

async function opened(disk: MemoryDisk) {
  const { log, lines } = memoryLog()
  const clock = manualClock(10)
  const past = await openHistory({
    dir: '/data',
    files: disk.files,
    log,
    clock,
    ...RETENTION,
    schedule: () => () => undefined,
  })
  return { history: past.over(NOTHING_RECENT), lines }
}

const SAMPLE: readonly Written[] = [
  { actorKey: 't/a', firstSeq: 1, payloads: [Buffer.from('one'), Buffer.from('two'), Buffer.alloc(0)] },
  { actorKey: 't/ä', firstSeq: 41, payloads: [Buffer.from('other')] },
  { actorKey: 't/b', firstSeq: 7, payloads: [Buffer.alloc(90, 7), Buffer.alloc(3, 8)] },
]

const actors: fc.Arbitrary<readonly Written[]> = fc.uniqueArray(
  fc.record({
    actorKey: fc.string({ minLength: 1, maxLength: 8 }).map((scope) => `t/${scope}`),
    firstSeq: fc.integer({ min: 1, max: 2 ** 40 }),
    payloads: fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 12 }),
  }),
  // A lone surrogate is no UTF-8: two keys with one would be the same bytes.
  {
    selector: ({ actorKey }) => Buffer.from(actorKey).toString(),
    maxLength: 200,
    minLength: 1,
    size: 'medium',
  },
)

describe('a history file', () => {
  test('gives every record back by actor and sequence, and none beside them', async () => {
    await provingAsync(60)(actors, async (all) => {
      const disk = new MemoryDisk('/data')
      await written(disk, all)
      await expect(verifyHistory(disk.files, `${FOLDER}/${historyNameOf(1)}`)).resolves.toMatchObject({
        salt: 77,
      })
      const { history } = await opened(disk)
      for (const { actorKey, firstSeq, payloads } of all) {
        for (const [i, payload] of payloads.entries()) {
          const record = await history.recordAt(actorKey, firstSeq + i)
          expect(record).toMatchObject({ actorKey, actorSeq: firstSeq + i })
          expect(Buffer.from(record?.payload ?? []).equals(payload)).toBe(true)
        }
        expect(await history.recordAt(actorKey, firstSeq - 1)).toBeNull()
        expect(await history.recordAt(actorKey, firstSeq + payloads.length)).toBeNull()
      }
      expect(await history.recordAt('stranger/x', 1)).toBeNull()
      expect(disk.openFiles).toBe(0)
    })
  })

  test('with a gap between turns of an actor gives the turns of each side, and none of the gap', async () => {
    const disk = new MemoryDisk('/data')
    const side = (firstSeq: number, count: number) => ({
      actorKey: 't/a',
      firstSeq,
      payloads: Array.from({ length: count }, (_, i) => Buffer.from(`turn ${firstSeq + i}`)),
    })
    await written(disk, [side(1, 5), side(9, 1), side(20, 40), { ...side(1, 3), actorKey: 't/b' }])
    const { history } = await opened(disk)
    const read = async (from: number, to: number) => {
      const seqs: number[] = []
      for await (const { actorSeq } of history.read('t/a', from, to)) seqs.push(actorSeq)
      return seqs
    }
    const found = await Promise.all(
      Array.from({ length: 64 }, async (_, seq) =>
        (await history.recordAt('t/a', seq)) === null ? [] : [seq],
      ),
    )
    expect(found.flat()).toEqual([1, 2, 3, 4, 5, 9, ...Array.from({ length: 40 }, (_, i) => 20 + i)])
    // What is read is the last piece without a hole.
    expect(await read(1, 5)).toEqual([1, 2, 3, 4, 5])
    expect(await read(3, 9)).toEqual([9])
    expect(await read(22, 30)).toEqual([22, 23, 24, 25, 26, 27, 28, 29, 30])
  })

  test('with many actors finds each of them, over every page of the index', async () => {
    const disk = new MemoryDisk('/data')
    const all = Array.from({ length: 200 }, (_, i) => ({
      actorKey: `t/${i}`,
      firstSeq: i + 1,
      payloads: [Buffer.from(String(i))],
    }))
    await written(disk, all)
    const { history } = await opened(disk)
    for (const { actorKey, firstSeq } of all) {
      expect((await history.recordAt(actorKey, firstSeq))?.actorKey).toBe(actorKey)
    }
  })

  test('cut off at any byte is moved to quarantine when it is listed', async () => {
    const path = `${FOLDER}/${historyNameOf(1)}`
    const original = new MemoryDisk('/data')
    await written(original, SAMPLE)
    const content = original.bytesAt(path)
    for (let length = 0; length < content.length; length += 1) {
      const disk = new MemoryDisk('/data')
      await written(disk, SAMPLE)
      disk.damage(path, content.subarray(0, length))
      await opened(disk)
      expect(disk.paths()).toEqual([`/data/quarantine/${historyNameOf(1)}`])
    }
  })

  test('under the name of another segment is damaged', async () => {
    const disk = new MemoryDisk('/data')
    await written(disk, SAMPLE)
    await disk.files.rename(`${FOLDER}/${historyNameOf(1)}`, `${FOLDER}/${historyNameOf(2)}`)
    await opened(disk)
    expect(disk.paths()).toEqual([`/data/quarantine/${historyNameOf(2)}`])
  })

  test('of a newer program is left where it is and not read', async () => {
    const disk = new MemoryDisk('/data')
    await written(disk, SAMPLE)
    const path = `${FOLDER}/${historyNameOf(1)}`
    disk.damage(path, ofNewerVersion(disk.bytesAt(path)))
    const { history, lines } = await opened(disk)
    expect(disk.paths()).toEqual([path])
    expect(lines).toMatchObject([{ level: 'error', fields: { file: historyNameOf(1) } }])
    expect(await history.recordAt('t/a', 1)).toBeNull()
    await expect(verifyHistory(disk.files, path)).rejects.toThrow(NewerFileError)
  })
})
