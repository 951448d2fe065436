import { describe, expect, test } from 'vitest'
import { RecallView } from '../../src/actor/recall-view.ts'
import { actorKeyHashOf } from '../../src/adapters/files/actor-folders.ts'
import { openRecallImages } from '../../src/adapters/recall/store.ts'
import { sectionsOf } from '../../src/core/search/index-image.ts'
import type { RecallImages, StoredRecallImage } from '../../src/ports/store.ts'
import type { Log } from '../../src/ports/system.ts'
import { stride } from '../harness/scale.ts'
import { memoryLog } from '../harness/system.ts'
import { memoryOf } from '../support/commands.ts'
import { search } from '../support/search.ts'
import { World } from '../support/world.ts'
import type { FaultKind } from './disk-faults.ts'
import { DIR, GRANT, silentLog, unlessDead } from './journal-life.ts'
import { type Process, type ProcessOptions, SimulatedDisk, seededRandom } from './simulated-disk.ts'

const KEY = 'a/x'
const HASH = actorKeyHashOf(KEY)
const FOLDER = `${DIR}/idx/${HASH.slice(0, 2)}`
const MAKER = { builtBy: 'test', byteOrder: 'LE' }
/** Every so manieth byte is damaged; 1 tries all of them. */
const STRIDE = stride(8)

const openOn = (process: Process, log: Log = silentLog, maker = MAKER): Promise<RecallImages> =>
  openRecallImages({ dir: DIR, files: process.files, log, maker })

/** Images of an actor that grows, the oldest first. */
function images(count: number): readonly StoredRecallImage[] {
  const world = new World('a', 'x')
  const view = RecallView.empty(search)
  return Array.from({ length: count }, (_, round) => {
    for (let at = 0; at < 20; at += 1) {
      world.write(memoryOf({ text: `memory ${at} of round ${round} speaks of gateway${round}` }))
      view.apply(world.state, world.lastEvents())
    }
    const image = view.image()
    if (image === null) throw new Error('no image')
    return { seq: world.state.seq, stateHash: `state ${round}`, image }
  })
}

const [FIRST, SECOND] = images(2)

/** Two images are the same when every byte is. */
const told = (stored: StoredRecallImage | null | undefined): unknown =>
  stored && [
    stored.seq,
    stored.stateHash,
    sectionsOf(stored.image).map(({ name, pieces }) => [name, Buffer.concat(pieces).toString('base64')]),
  ]

async function keepOn(process: Process, stored: StoredRecallImage | undefined): Promise<RecallImages> {
  const store = await openOn(process)
  if (stored !== undefined) store.keep(GRANT, KEY, stored)
  await store.settled()
  return store
}

/** What a start finds, and the names that it leaves. */
async function found(disk: SimulatedDisk, log: Log = silentLog, maker = MAKER) {
  const stored = await (await openOn(disk.start(), log, maker)).get(KEY)
  return { stored: told(stored), names: disk.namesIn(FOLDER) }
}

async function diskWith(stored: StoredRecallImage | undefined): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk()
  await keepOn(disk.start(), stored)
  return disk.copy()
}

const NAME = `${HASH}.${FIRST?.seq}.idx`

describe('stored indexes on a disk that forgets', () => {
  test('what was stored is found again, byte for byte, and alone', async () => {
    const disk = await diskWith(FIRST)
    disk.losePower(() => 1, 0)
    expect(await found(disk)).toEqual({ stored: told(FIRST), names: [NAME] })
    await keepOn(disk.start(), SECOND)
    expect(await found(disk)).toEqual({ stored: told(SECOND), names: [`${HASH}.${SECOND?.seq}.idx`] })
    expect(await (await openOn(disk.start())).get('a/other')).toBeNull()
  })

  test('killed in any call, then the power: the old one or the new one is found, or none', async () => {
    const base = await diskWith(FIRST)
    const whole = base.copy().start()
    await keepOn(whole, SECOND)
    const seen = new Set<string>()
    for (let dieAt = 1; dieAt <= whole.calls.length; dieAt += 1) {
      for (const keepShare of [0, 0.5, 1]) {
        const disk = base.copy()
        const process = disk.start({ dieAt })
        await unlessDead(process, keepOn(process, SECOND))
        process.kill()
        disk.losePower(seededRandom(dieAt), keepShare)
        const { stored, names } = await found(disk)
        seen.add(stored === null ? 'none' : JSON.stringify(stored))
        expect([null, told(FIRST), told(SECOND)]).toContainEqual(stored)
        expect(names.length, 'drafts and older files are gone').toBeLessThan(2)
      }
    }
    expect(seen.size).toBeGreaterThan(1)
  })

  test('a file with any byte changed, or cut off anywhere, is not read but removed', async () => {
    const base = await diskWith(FIRST)
    const path = `${FOLDER}/${NAME}`
    const whole = base.contentOf(path).slice()
    const expectGone = async (bytes: Uint8Array, what: string) => {
      const disk = base.copy()
      disk.put(path, bytes)
      const { log, lines } = memoryLog()
      expect(await found(disk, log), what).toEqual({ stored: null, names: [] })
      expect(
        lines.map(({ level }) => level),
        what,
      ).toEqual(['warn'])
    }
    for (let at = 0; at < whole.length; at += at < 64 || at > whole.length - 64 ? 1 : 5 * STRIDE + 1) {
      const changed = whole.slice()
      changed[at] = (changed[at] ?? 0) ^ 0x10
      await expectGone(changed, `byte ${at}`)
    }
    for (let size = 0; size < whole.length; size += 97 * STRIDE)
      await expectGone(whole.slice(0, size), `cut at ${size}`)
    await expectGone(Buffer.concat([whole, Buffer.alloc(8)]), 'longer')
    const other = base.copy()
    other.remove(path)
    other.put(`${FOLDER}/${HASH}.7.idx`, whole)
    expect(await found(other), 'another name').toEqual({ stored: null, names: [] })
  })

  test('a whole file of another program is not read and stays', async () => {
    const disk = await diskWith(FIRST)
    for (const maker of [
      { ...MAKER, builtBy: 'later' },
      { ...MAKER, byteOrder: 'BE' },
    ]) {
      const { log, lines } = memoryLog()
      expect(await found(disk, log, maker)).toEqual({ stored: null, names: [NAME] })
      expect(lines.map(({ level }) => level)).toEqual(['info'])
    }
    expect((await found(disk)).stored).toEqual(told(FIRST))
  })

  test.each<FaultKind>(['EIO', 'ENOSPC', 'short'])(
    'whichever call fails with %s: one of both is found, or none, and nobody is told a lie',
    async (kind) => {
      const base = await diskWith(FIRST)
      const whole = base.copy().start()
      await keepOn(whole, SECOND)
      for (let call = 1; call <= whole.calls.length; call += 1) {
        const disk = base.copy()
        await keepOn(disk.start({ failAt: { call, kind } }), SECOND).catch(() => null)
        disk.losePower(() => 1, 0)
        expect([null, told(FIRST), told(SECOND)]).toContainEqual((await found(disk)).stored)
      }
    },
  )
})

describe('what an erasure drops', () => {
  const seq = SECOND?.seq ?? 0

  async function drop(process: Process, isKept: boolean): Promise<true> {
    const store = await openOn(process)
    // Still on its way when the drop is asked for.
    if (isKept && FIRST !== undefined) store.keep(GRANT, KEY, FIRST)
    await store.dropBefore(GRANT, KEY, seq)
    return true
  }

  test('every file from before is gone for good, one on its way too; a later one stays', async () => {
    const disk = await diskWith(FIRST)
    await drop(disk.start(), true)
    disk.losePower(() => 1, 0)
    expect(disk.namesIn(FOLDER)).toEqual([])
    await keepOn(disk.start(), SECOND)
    await drop(disk.start(), false)
    expect((await found(disk)).stored).toEqual(told(SECOND))
    await drop(new SimulatedDisk().start(), false)
  })

  test('a file that no load could use is dropped too, whatever turn it names', async () => {
    const disk = await diskWith(SECOND)
    const store = await openOn(disk.start())
    disk.put(`${FOLDER}/${HASH}.999.idx`, Buffer.from('of turns that were cut off'))
    await store.dropBefore(GRANT, KEY, seq)
    disk.losePower(() => 1, 0)
    expect(disk.namesIn(FOLDER)).toEqual([`${HASH}.${seq}.idx`])
    const other = await openOn(disk.start(), silentLog, { ...MAKER, builtBy: 'later' })
    expect(await other.get(KEY)).toBeNull()
    await other.dropBefore(GRANT, KEY, 1)
    expect(disk.namesIn(FOLDER)).toEqual([])
  })

  test.each<ProcessOptions['failAt']>([
    { call: 0, kind: 'EIO' },
    { call: 0, kind: 'ENOSPC' },
  ])('whichever call fails with $kind: it says so, or nothing of before is left', async (fault) => {
    const base = await diskWith(FIRST)
    const whole = base.copy().start()
    await drop(whole, true)
    let refused = 0
    for (let call = 1; call <= whole.calls.length; call += 1) {
      const disk = base.copy()
      const failAt = { call, kind: fault?.kind ?? 'EIO' }
      const isDone = await drop(disk.start({ failAt }), true).catch(() => false)
      if (!isDone) refused += 1
      disk.losePower(() => 1, 0)
      if (isDone) expect(disk.namesIn(FOLDER), `call ${call}`).toEqual([])
      await drop(disk.start(), false)
      disk.losePower(() => 1, 0)
      expect(disk.namesIn(FOLDER), `call ${call}, repeated`).toEqual([])
    }
    expect(refused).toBeGreaterThan(0)
  })
})
