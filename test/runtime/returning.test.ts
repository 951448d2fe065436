import { describe, expect, test } from 'vitest'
import { openFreeSpace, UNWATCHED } from '../../src/adapters/files/folder-watch.ts'
import { ReturningService } from '../../src/app/returning.ts'
import { HealthResponse } from '../../src/contract/health.ts'
import type { RequestedName } from '../../src/contract/operations.ts'
import type { VolumeStat } from '../../src/ports/files.ts'
import type { FaultKind } from '../crash/disk-faults.ts'
import { until } from '../crash/history-life.ts'
import { ManualTimers } from '../crash/journal-life.ts'
import { type ProcessOptions, SimulatedDisk } from '../crash/simulated-disk.ts'
import { type SimulatedService, startSimulated } from '../crash/simulated-service.ts'
import { answerOf, execute, refusalOf } from '../harness/reply.ts'
import { countingEntropy, manualClock, memoryLog } from '../harness/system.ts'

const place = { tenant_id: 'full', scope: 'one' }
const NEEDED_BYTES = 1000

/** The service on a simulated disk of which a test says how much is free. */
class World {
  readonly disk = new SimulatedDisk()
  readonly timers = new ManualTimers()
  readonly log = memoryLog()
  freeBytes = 0
  #starts = 0
  readonly #clock = manualClock()
  readonly #entropy = countingEntropy()

  /** `first`: what happens to the process of the first life; `second`: to that of the return. */
  start(first: ProcessOptions, second: ProcessOptions = {}): Promise<ReturningService<SimulatedService>> {
    return ReturningService.start({
      start: () => {
        this.#starts += 1
        const process = this.disk.start(this.#starts === 1 ? first : this.#starts === 2 ? second : {})
        return startSimulated(process, { clock: this.#clock, entropy: this.#entropy, fault: {} })
      },
      space: {
        freeBytes: () => this.freeBytes,
        hasRoom: (bytes) => this.freeBytes >= bytes,
        isShort: () => false,
        look: async () => undefined,
      },
      folder: UNWATCHED,
      release: async () => undefined,
      neededBytes: NEEDED_BYTES,
      schedule: this.timers.schedule,
      log: this.log.log,
    })
  }

  get starts(): number {
    return this.#starts
  }

  /** The timer fires, and what it began has ended: it is armed again. */
  async look(): Promise<void> {
    const before = this.timers.waiting
    this.timers.fire()
    await until(() => this.timers.waiting === before)
  }
}

const statusOf = (service: ReturningService<SimulatedService>) =>
  HealthResponse.parse(service.health()).status

const observe = (service: ReturningService<SimulatedService>, item: string) =>
  execute(service, 'observe', { ...place, memory: { client_id: item, text: `The ${item} is here.` } }, item)

/** Writes until a write is refused; what was acknowledged, and what was not. */
async function fill(service: ReturningService<SimulatedService>): Promise<{
  readonly kept: readonly string[]
  readonly refused: string
}> {
  const kept: string[] = []
  for (let count = 0; count < 200; count += 1) {
    const item = `item-${count}`
    const reply = await observe(service, item)
    if (reply.refusal === null) kept.push(item)
    else {
      expect(reply.refusal).toMatchObject({ error: 'storage_read_only', details: { outcome: 'unknown' } })
      return { kept, refused: item }
    }
  }
  throw new Error('no write was refused')
}

/** The number of the call in which the write after `writes` others is flushed. */
async function callOfFlush(writes: number): Promise<number> {
  const process = new SimulatedDisk().start()
  const service = await startSimulated(process, {
    clock: manualClock(),
    entropy: countingEntropy(),
    fault: {},
  })
  for (let count = 0; count <= writes; count += 1) {
    const memory = { client_id: `item-${count}`, text: `The item-${count} is here.` }
    await execute(service.runtime, 'observe', { ...place, memory }, `item-${count}`)
  }
  return process.calls.findLastIndex(({ name }) => name === 'fdatasync') + 1
}

const FULL: readonly FaultKind[] = ['ENOSPC', 'short']

describe('a service whose disk was full', () => {
  test.each(FULL)(
    'comes back by itself once there is room, with all that it acknowledged (%s)',
    async (kind) => {
      const flush = await callOfFlush(5)
      // The flush itself fails, or the write before it.
      for (const call of [flush - 1, flush]) {
        const world = new World()
        const service = await world.start({ failAt: { call, kind: call === flush ? 'ENOSPC' : kind } })
        const { kept, refused } = await fill(service)
        expect(kept.length).toBeGreaterThan(3)
        expect(statusOf(service)).toBe('read_only')
        world.freeBytes = NEEDED_BYTES - 1
        await world.look()
        expect(statusOf(service)).toBe('read_only')
        expect(world.starts).toBe(1)

        world.freeBytes = NEEDED_BYTES
        await world.look()
        expect(statusOf(service)).toBe('ready')
        expect(world.starts).toBe(2)
        // A repeat of the one that was left open is carried out once, now or before.
        expect((await observe(service, refused)).refusal).toBeNull()
        expect((await observe(service, 'item-last')).refusal).toBeNull()
        const told = [...kept, refused, 'item-last']
        expect(await service.life.list(place.tenant_id, place.scope)).toEqual(told)
        world.disk.losePower(() => 1, 0)
        const options = { clock: manualClock(), entropy: countingEntropy(), fault: {} }
        const next = await startSimulated(world.disk.start(), options)
        expect(await next.list(place.tenant_id, place.scope)).toEqual(told)
      }
    },
  )

  test('stays read-only after any other failure, however much is free', async () => {
    const world = new World()
    const service = await world.start({ failAt: { call: await callOfFlush(5), kind: 'EIO' } })
    const { kept } = await fill(service)
    world.freeBytes = 2 * NEEDED_BYTES
    for (let looks = 0; looks < 3; looks += 1) await world.look()
    expect(statusOf(service)).toBe('read_only')
    expect(world.starts).toBe(1)
    expect(await service.life.list(place.tenant_id, place.scope)).toEqual(kept)
  })

  test('tries again when the disk is full once more while it comes back', async () => {
    const world = new World()
    const failAt = { call: 12, kind: 'ENOSPC' as const }
    const service = await world.start({ failAt: { call: await callOfFlush(5), kind: 'ENOSPC' } }, { failAt })
    const { kept } = await fill(service)
    world.freeBytes = NEEDED_BYTES
    await world.look()
    expect(world.starts).toBe(2)
    expect(statusOf(service)).toBe('read_only')
    const refusals = [
      await observe(service, 'item-x'),
      await execute(service, 'resolve', { uri: 'svc://a/b/memory/c' }),
    ]
    expect(refusals.map(({ refusal }) => refusal?.error)).toEqual(['storage_read_only', 'overloaded'])
    await world.look()
    expect(world.starts).toBe(3)
    expect(statusOf(service)).toBe('ready')
    expect((await service.life.list(place.tenant_id, place.scope)).slice(0, kept.length)).toEqual(kept)
  })

  test('leaves a folder that it cannot open to the operator', async () => {
    const world = new World()
    const failAt = { call: 12, kind: 'EIO' as const }
    const service = await world.start({ failAt: { call: await callOfFlush(5), kind: 'ENOSPC' } }, { failAt })
    await fill(service)
    world.freeBytes = NEEDED_BYTES
    for (let looks = 0; looks < 3; looks += 1) await world.look()
    expect(world.starts).toBe(2)
    expect(statusOf(service)).toBe('read_only')
    expect(world.log.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  test('closes while it is read-only, and looks no more', async () => {
    const world = new World()
    const service = await world.start({ failAt: { call: await callOfFlush(5), kind: 'ENOSPC' } })
    await fill(service)
    world.freeBytes = NEEDED_BYTES
    await service.close()
    expect(service.readiness()).toEqual({ ready: false, reasons: ['shutting_down'] })
    world.timers.fire()
    expect(world.starts).toBe(1)
    expect(await observe(service, 'item-x')).toMatchObject({ refusal: { error: 'shutting_down' } })
  })
})

describe('a service with little disk space', () => {
  test('refuses what grows and nothing else, says so in health, and takes it again with room', async () => {
    let isShort = false
    const options = {
      clock: manualClock(),
      entropy: countingEntropy(),
      fault: {},
      isSpaceShort: () => isShort,
    }
    const { runtime } = await startSimulated(new SimulatedDisk().start(), options)
    const fact = { ...place, input_text: 'The pump is on.' }
    const [id] = answerOf(await execute(runtime, 'observe', fact)).memory_ids
    isShort = true
    const growing: readonly RequestedName[] = ['observe', 'guide', 'feedback', 'rehydrate', 'proposeSkills']
    for (const operation of growing) {
      const refusal = refusalOf(await execute(runtime, operation, fact))
      expect(refusal).toMatchObject({ error: 'storage_read_only', details: { reason: 'low_space' } })
    }
    expect(HealthResponse.parse(runtime.health())).toMatchObject({
      status: 'ready',
      storage: { low_space: true, read_only: false },
    })
    expect(runtime.readiness()).toEqual({ ready: false, reasons: ['low_space'] })
    answerOf(await execute(runtime, 'resolve', { uri: `svc://full/one/memory/${id}` }))
    const suppress = { operation: 'suppress', target: 'memory', reason: 'so', memory_ids: [id] }
    answerOf(await execute(runtime, 'forget', { ...place, ...suppress }))
    answerOf(await execute(runtime, 'operatorSnapshot', place))
    isShort = false
    answerOf(await execute(runtime, 'observe', fact))
    expect(runtime.readiness()).toEqual({ ready: true, reasons: [] })
    expect(HealthResponse.parse(runtime.health()).storage.low_space).toBe(false)
  })

  test.each<[string, VolumeStat, boolean, boolean]>([
    ['much free', { freeBytes: 50, totalBytes: 100, freeFiles: null }, false, true],
    ['just a twentieth', { freeBytes: 5, totalBytes: 100, freeFiles: 64 }, false, false],
    ['less than a twentieth', { freeBytes: 4, totalBytes: 100, freeFiles: 64 }, true, false],
    ['a small share of a large volume', { freeBytes: 40, totalBytes: 10_000, freeFiles: 64 }, false, true],
    ['less than the bound', { freeBytes: 39, totalBytes: 10_000, freeFiles: 64 }, true, true],
    [
      'half of a volume that is too small for more',
      { freeBytes: 9, totalBytes: 18, freeFiles: null },
      false,
      true,
    ],
    ['less than half of it', { freeBytes: 8, totalBytes: 18, freeFiles: null }, false, false],
    ['too few files', { freeBytes: 50, totalBytes: 100, freeFiles: 63 }, false, false],
  ])('is what the volume says: %s', async (_name, volume, isShort, hasRoom) => {
    const files = { ...new SimulatedDisk().start().files, statfs: async () => volume }
    const space = await openFreeSpace(files, '/data', 40)
    expect(space.isShort()).toBe(isShort)
    expect(space.hasRoom(10)).toBe(hasRoom)
    expect((await openFreeSpace(files, '/data', 0)).isShort()).toBe(false)
  })

  test('keeps its last answer when the volume gives none', async () => {
    const volume = { freeBytes: 1, totalBytes: 100, freeFiles: null }
    let asked = 0
    const statfs = async () => {
      asked += 1
      if (asked > 1) throw new Error('gone')
      return volume
    }
    const space = await openFreeSpace({ ...new SimulatedDisk().start().files, statfs }, '/data', 40)
    await space.look()
    expect(asked).toBe(2)
    expect(space.isShort()).toBe(true)
  })
})
