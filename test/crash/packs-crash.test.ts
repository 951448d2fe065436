import { expect, test } from 'vitest'
import { surveyPacks } from '../../src/adapters/packs/format.ts'
import { openPackedFiles } from '../../src/adapters/packs/packed-files.ts'
import { SEED, stride } from '../harness/scale.ts'
import { GRANT, imageOf, memoryLog, openStore } from '../unit/snapshot-fixtures.ts'
import { DiskError, MemoryDisk, PowerLoss, seededCoin } from './snapshot-disk.ts'

const DIR = '/data'
const KEYS = ['a/scope', 'b/scope', 'c/scope', 'd/scope']
const ERASER = 'a/scope'
/** The eraser says the word up to this turn, and has it erased then. */
const SECRET_UNTIL = 3
const LAST = 4
const secretOf = (seq: number): string => `${ERASER}@${seq}`

/** Two files by themselves at most, and three in a pack. */
async function openAll(disk: MemoryDisk) {
  const log = memoryLog()
  const files = await openPackedFiles({ dir: DIR, files: disk.files, log, looseMax: 2, packBytes: 1500 })
  const store = await openStore(files, log)
  files.start()
  return { files, store, log }
}

interface Done {
  readonly acked: Map<string, number>
  readonly tried: Map<string, number>
  isErased: boolean
}

/** What fails: everything from a call on, or that call alone. */
type Fault = (calls: number) => Error | null

/** Snapshots, packs and an erasure until the power fails, or beside a call that does. */
async function work(disk: MemoryDisk, fault: Fault): Promise<Done> {
  disk.intercept = () => {
    const error = fault(disk.calls)
    if (error !== null) throw error
  }
  const done: Done = { acked: new Map(), tried: new Map(), isErased: false }
  const attempt = <T>(task: () => Promise<T>): Promise<T | null> =>
    task().catch((error: unknown) => {
      if (error instanceof DiskError) return null
      throw error
    })
  const lives: Awaited<ReturnType<typeof openAll>>[] = []
  try {
    const life = (await attempt(() => openAll(disk))) ?? (await openAll(disk))
    lives.push(life)
    const { files, store } = life
    for (let seq = 1; seq <= LAST; seq += 1) {
      for (const key of KEYS) {
        done.tried.set(key, seq)
        const put = await attempt(() => store.put(GRANT, key, imageOf(key, seq)))
        if (put !== null) done.acked.set(key, seq)
      }
      if (seq % 2 === 0) await files.idle()
    }
    if (done.acked.get(ERASER) === LAST)
      done.isErased = (await attempt(() => store.dropBefore(ERASER, LAST))) !== null
  } catch (error) {
    expect(error).toBeInstanceOf(PowerLoss)
  }
  // Whatever the life still has under way fails before the power comes back.
  for (const { files } of lives) await files.stop()
  return done
}

function secretsOn(disk: MemoryDisk): readonly string[] {
  return disk.paths().filter((path) => {
    for (let seq = 1; seq <= SECRET_UNTIL; seq += 1)
      if (disk.bytesAt(path).includes(secretOf(seq))) return true
    return false
  })
}

async function expectRecovered(disk: MemoryDisk, { acked, tried, isErased }: Done, what: string) {
  if (isErased) expect(secretsOn(disk), what).toEqual([])
  const { files, store, log } = await openAll(disk)
  for (const key of KEYS) {
    const found = await store.get(key)
    expect(found?.seq ?? 0, what).toBeGreaterThanOrEqual(acked.get(key) ?? 0)
    expect(found?.seq ?? 0, what).toBeLessThanOrEqual(tried.get(key) ?? 0)
    if (found !== null) expect(found.image, what).toEqual(imageOf(key, found.seq))
  }
  // The erasure that was cut off is repeated, as its mark has a start do.
  await store.put(GRANT, ERASER, imageOf(ERASER, LAST))
  await store.dropBefore(ERASER, LAST)
  disk.cutPower(() => false)
  expect(secretsOn(disk), what).toEqual([])
  await files.stop()
  expect(
    log.lines.filter(({ level }) => level === 'error'),
    what,
  ).toEqual([])
  expect((await surveyPacks(disk.files, DIR)).damages, what).toEqual([])
}

const never: Fault = () => null
const from =
  (call: number): Fault =>
  (calls) =>
    calls > call ? new PowerLoss() : null
const only =
  (call: number): Fault =>
  (calls) =>
    calls === call ? new DiskError('EIO') : null

async function callsOfAll(): Promise<number> {
  const disk = new MemoryDisk(DIR)
  const { isErased } = await work(disk, never)
  expect(isErased).toBe(true)
  expect(disk.paths().some((path) => path.endsWith('.pack'))).toBe(true)
  return disk.calls
}

test('after a power cut or a kill at any call every acknowledged snapshot is there, by itself or in a pack, and nothing erased', async () => {
  const ends = [
    (disk: MemoryDisk) => disk.restart(),
    (disk: MemoryDisk) => disk.cutPower(() => false),
    (disk: MemoryDisk, call: number) => disk.cutPower(seededCoin(SEED * 7919 + call)),
  ]
  const calls = await callsOfAll()
  for (let call = 0; call <= calls; call += stride(1)) {
    for (const [way, end] of ends.entries()) {
      const disk = new MemoryDisk(DIR)
      const done = await work(disk, from(call))
      end(disk, call)
      await expectRecovered(disk, done, `call ${call}, way ${way}`)
    }
  }
})

test('whichever call fails, what is acknowledged stays, and an erasure says so or has done all', async () => {
  const calls = await callsOfAll()
  for (let call = 1; call <= calls; call += stride(1)) {
    const disk = new MemoryDisk(DIR)
    const done = await work(disk, only(call))
    disk.cutPower(() => false)
    await expectRecovered(disk, done, `call ${call} failed`)
  }
})
