import { expect, test } from 'vitest'
import { openPackedFiles } from '../../src/adapters/packs/packed-files.ts'
import { surveyPacks } from '../../src/adapters/packs/survey.ts'
import { scaled, stride } from '../harness/scale.ts'
import { GRANT, imageOf, memoryLog, openStore } from '../unit/snapshot-fixtures.ts'
import { MemoryDisk, PowerLoss, seededCoin } from './snapshot-disk.ts'

const DIR = '/data'
const KEYS = ['a/scope', 'b/scope', 'c/scope', 'd/scope']
const ERASER = 'a/scope'
/** The eraser says the word up to this turn, and has it erased then. */
const SECRET_UNTIL = 3
const LAST = 4
const secretOf = (seq: number): string => `${ERASER}@${seq}`
const seeds = scaled(2)

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

/** Snapshots, packs and an erasure until the power fails at the given call. */
async function workUntil(disk: MemoryDisk, lastCall: number): Promise<Done> {
  disk.intercept = () => {
    if (disk.calls > lastCall) throw new PowerLoss()
  }
  const done: Done = { acked: new Map(), tried: new Map(), isErased: false }
  let life: Awaited<ReturnType<typeof openAll>> | null = null
  try {
    life = await openAll(disk)
    const { files, store } = life
    for (let seq = 1; seq <= LAST; seq += 1) {
      for (const key of KEYS) {
        done.tried.set(key, seq)
        await store.put(GRANT, key, imageOf(key, seq))
        done.acked.set(key, seq)
      }
      if (seq % 2 === 0) await files.idle()
    }
    await store.dropBefore(ERASER, LAST)
    done.isErased = true
  } catch (error) {
    expect(error).toBeInstanceOf(PowerLoss)
  }
  // Whatever the life still had under way fails before the power comes back.
  await life?.files.stop()
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

test('after a power cut at any call every acknowledged snapshot is there, by itself or in a pack, and nothing erased', async () => {
  const whole = new MemoryDisk(DIR)
  const { isErased } = await workUntil(whole, Number.POSITIVE_INFINITY)
  expect(isErased).toBe(true)
  expect(whole.paths().some((path) => path.endsWith('.pack'))).toBe(true)
  for (let lastCall = 0; lastCall <= whole.calls; lastCall += stride(1)) {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const disk = new MemoryDisk(DIR)
      const done = await workUntil(disk, lastCall)
      disk.cutPower(seed === 1 ? () => false : seededCoin(seed * 7919 + lastCall))
      await expectRecovered(disk, done, `call ${lastCall}, seed ${seed}`)
    }
  }
})
