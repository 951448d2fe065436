import { describe, expect, test } from 'vitest'
import { scaled } from '../harness/scale.ts'
import { GRANT, imageOf, memoryLog, openStore } from '../unit/snapshot-fixtures.ts'
import { MemoryDisk, PowerLoss, seededCoin } from './snapshot-disk.ts'

const seeds = scaled(25)

const A = 'a/scope'
const B = 'b/scope'
/** Small and large ones, so that some have several chunks and sectors. */
const PUTS = [
  { key: A, seq: 1, rows: 3 },
  { key: A, seq: 2, rows: 120 },
  { key: B, seq: 7, rows: 40 },
  { key: A, seq: 3, rows: 60 },
  { key: A, seq: 4, rows: 1 },
]

type Put = (typeof PUTS)[number]

/** Puts until the power fails at the given call; what was acknowledged and what was tried. */
async function putUntil(disk: MemoryDisk, lastCall: number): Promise<{ acked: Put[]; tried: Put[] }> {
  disk.intercept = () => {
    if (disk.calls > lastCall) throw new PowerLoss()
  }
  const acked: Put[] = []
  const tried: Put[] = []
  try {
    const store = await openStore(disk.files)
    for (const put of PUTS) {
      tried.push(put)
      await store.put(GRANT, put.key, imageOf(put.key, put.seq, put.rows))
      acked.push(put)
    }
  } catch (error) {
    expect(error).toBeInstanceOf(PowerLoss)
  }
  return { acked, tried }
}

const newestSeq = (puts: readonly Put[], key: string): number =>
  Math.max(0, ...puts.filter((put) => put.key === key).map((put) => put.seq))

/** What a start finds is at least what was acknowledged, at most what was tried, and each image is the one put. */
async function expectRecovered(
  disk: MemoryDisk,
  acked: readonly Put[],
  tried: readonly Put[],
): Promise<void> {
  const log = memoryLog()
  const store = await openStore(disk.files, log)
  for (const key of [A, B]) {
    const found = await store.get(key)
    const seq = found?.seq ?? 0
    expect(seq).toBeGreaterThanOrEqual(newestSeq(acked, key))
    expect(seq).toBeLessThanOrEqual(newestSeq(tried, key))
    expect(store.coveredSeqOf(key)).toBe(seq)
    const put = PUTS.find((candidate) => candidate.key === key && candidate.seq === seq)
    expect(found?.image).toEqual(put === undefined ? undefined : imageOf(key, seq, put.rows))
  }
  // A cut never damages a file that has its name: it was flushed before.
  expect(log.lines).toEqual([])
  expect(disk.paths().filter((path) => path.endsWith('.tmp'))).toEqual([])
}

async function callsOfWorkload(): Promise<number> {
  const disk = new MemoryDisk('/data')
  await putUntil(disk, Number.POSITIVE_INFINITY)
  return disk.calls
}

describe('after a power cut at any call', () => {
  test('an acknowledged snapshot is found, an unacknowledged one is whole or leaves the older one', async () => {
    const total = await callsOfWorkload()
    let unacknowledged = 0
    for (let lastCall = 0; lastCall <= total; lastCall++) {
      for (let seed = 1; seed <= seeds; seed++) {
        const disk = new MemoryDisk('/data')
        const { acked, tried } = await putUntil(disk, lastCall)
        disk.cutPower(seededCoin(seed * 7919 + lastCall))
        await expectRecovered(disk, acked, tried)
        if (acked.length < tried.length) unacknowledged++
      }
    }
    expect(unacknowledged).toBeGreaterThan(total)
  })

  test('what a start has found, it keeps: a second cut right after takes nothing away', async () => {
    const total = await callsOfWorkload()
    for (let lastCall = 0; lastCall <= total; lastCall++) {
      const disk = new MemoryDisk('/data')
      const { tried } = await putUntil(disk, lastCall)
      disk.restart()
      const found = await openStore(disk.files)
      const known = PUTS.filter((put) => put.seq === found.coveredSeqOf(put.key))
      disk.cutPower(() => false)
      await expectRecovered(disk, known, tried)
    }
  })

  test('the store goes on, whether the machine or only the process had ended: the next put is found', async () => {
    const total = await callsOfWorkload()
    const ends = [
      (disk: MemoryDisk) => disk.restart(),
      (disk: MemoryDisk) => disk.cutPower(() => false),
      (disk: MemoryDisk) => disk.cutPower(seededCoin(5)),
    ]
    for (let lastCall = 0; lastCall <= total; lastCall++) {
      for (const end of ends) {
        const disk = new MemoryDisk('/data')
        await putUntil(disk, lastCall)
        end(disk)
        const store = await openStore(disk.files)
        await store.put(GRANT, A, imageOf(A, 9, 80))
        disk.cutPower(() => false)
        expect((await (await openStore(disk.files)).get(A))?.image).toEqual(imageOf(A, 9, 80))
      }
    }
  })
})
