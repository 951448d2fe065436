import { describe, expect, test } from 'vitest'
import { scaled, stride } from '../harness/scale.ts'
import { memoryLog } from '../harness/system.ts'
import type { FaultKind } from './disk-faults.ts'
import { coverTwice, endLife, type HistoryLife, readAll, startLife, until } from './history-life.ts'
import { DIR, GRANT, ManualTimers, turns, unlessDead } from './journal-life.ts'
import { type Process, SimulatedDisk, seededRandom } from './simulated-disk.ts'

const SEEDS = Math.max(2, scaled(4))
const KEYS = ['a/x', 'b/y']

/** What the world knows of the records of each actor. */
interface Known {
  readonly acked: Map<string, number>
  /** The older of the two snapshots of each actor. */
  readonly covered: Map<string, number>
}

const payloadOf = (key: string, seq: number) => Buffer.alloc(3000 + 500 * seq, seq + key.length)

/** Several segments, snapshots that free them, archive and unlink, more of it after that, a clean end. */
async function scenario(process: Process, known: Known): Promise<void> {
  let life: HistoryLife
  try {
    life = await startLife(process, new ManualTimers())
  } catch {
    return
  }
  const { journal } = life
  const heads = new Map<string, number>()
  for (let round = 0; round < 2; round += 1) {
    for (let burst = 0; burst < 3; burst += 1) {
      const appends = [...KEYS, ...KEYS, ...KEYS].map(async (actorKey) => {
        const actorSeq = (heads.get(actorKey) ?? 0) + 1
        heads.set(actorKey, actorSeq)
        await journal.append(GRANT, { actorKey, actorSeq, payload: payloadOf(actorKey, actorSeq) })
        known.acked.set(actorKey, actorSeq)
      })
      await Promise.allSettled(appends)
    }
    for (const key of KEYS) {
      const seq = known.acked.get(key) ?? 0
      if (seq === 0) continue
      known.covered.set(key, seq)
      coverTwice(journal, key, seq)
    }
    await turns(60)
  }
  await endLife(life)
}

/** Every acknowledged record is in the journal or in history, as it was written. */
async function holdsAll(disk: SimulatedDisk, known: Known, what: string): Promise<void> {
  for (let look = 0; look < 2; look += 1) {
    const process = disk.start()
    const life = await startLife(process, new ManualTimers())
    for (const key of KEYS) {
      const acked = known.acked.get(key) ?? 0
      const records = await readAll(life.history, key, 1, acked)
      expect(
        records.map(({ actorSeq }) => actorSeq),
        what,
      ).toEqual(Array.from({ length: acked }, (_, i) => i + 1))
      for (const { actorSeq, payload } of records) {
        expect(Buffer.compare(payload, payloadOf(key, actorSeq)), what).toBe(0)
      }
    }
    // What the crash left to be done is done now; then the power fails, and all of it must be there again.
    for (const [key, seq] of known.covered) coverTwice(life.journal, key, seq)
    await turns(60)
    process.kill()
    disk.losePower(() => 1, 0)
  }
}

const unknown = (): Known => ({ acked: new Map(), covered: new Map() })

async function callsOfScenario(): Promise<number> {
  const disk = new SimulatedDisk()
  const process = disk.start()
  const known = unknown()
  await scenario(process, known)
  expect(disk.namesIn(`${DIR}/hist`).length).toBeGreaterThan(2)
  expect(disk.namesIn(`${DIR}/wal`).length).toBeLessThan(3)
  expect([...known.acked.values()]).toEqual([18, 18])
  return process.calls.length
}

describe('history on a disk that forgets', () => {
  test('killed at any call, then the power: every acknowledged record is in the journal or in history', async () => {
    const count = await callsOfScenario()
    expect(count).toBeGreaterThan(150)
    for (let dieAt = 1; dieAt <= count; dieAt += stride(1)) {
      for (let seed = 0; seed < SEEDS; seed += 1) {
        const disk = new SimulatedDisk()
        const process = disk.start({ dieAt })
        const known = unknown()
        await unlessDead(process, scenario(process, known))
        process.kill()
        // The first time only the process dies; after that chance decides what the disk has kept.
        if (seed > 0) disk.losePower(seededRandom(dieAt * 31 + seed), seed % 2 === 0 ? 0 : 0.5)
        await holdsAll(disk, known, `killed in call ${dieAt}, seed ${seed}`)
      }
    }
  })

  test.each<FaultKind>(['EIO', 'ENOSPC', 'short'])(
    'whichever call fails with %s: every acknowledged record is in the journal or in history',
    async (kind) => {
      const count = await callsOfScenario()
      for (let call = 1; call <= count; call += stride(1)) {
        const disk = new SimulatedDisk()
        const process = disk.start({ failAt: { call, kind } })
        const known = unknown()
        await scenario(process, known).catch(() => undefined)
        process.kill()
        disk.losePower(seededRandom(call), 0.5)
        await holdsAll(disk, known, `call ${call} failed`)
      }
    },
  )
})

/** A life with four complete segments of one actor, all of them free but not yet looked at. */
async function fullLife(
  disk: SimulatedDisk,
  settings: Parameters<typeof startLife>[2],
): Promise<HistoryLife> {
  const life = await startLife(disk.start(), new ManualTimers(), settings)
  for (let actorSeq = 1; actorSeq <= 12; actorSeq += 1) {
    await life.journal.append(GRANT, { actorKey: 'a/x', actorSeq, payload: Buffer.alloc(20_000, actorSeq) })
  }
  return life
}

describe('a segment that cannot be archived', () => {
  test.each([
    ['after a pause', 60_000],
    ['when the clock is set back', -3_600_000],
  ])('stays with all its records, is told of once, and is tried again %s', async (_when, laterMs) => {
    let nowMs = 0
    let tries = 0
    let isBroken = true
    const { log, lines } = memoryLog()
    const disk = new SimulatedDisk()
    const life = await fullLife(disk, {
      journal: {
        log,
        nowMs: () => nowMs,
        beforeUnlink: async () => {
          tries += 1
          if (isBroken) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
        },
      },
    })
    const segments = life.journal.segmentCount()
    for (let i = 0; i < 5; i += 1) {
      coverTwice(life.journal, 'a/x', 12)
      await turns(5)
    }
    expect(tries).toBe(1)
    expect(lines).toMatchObject([{ level: 'warn' }])
    expect(life.journal.segmentCount()).toBe(segments)
    expect(await readAll(life.history, 'a/x', 1, 12)).toHaveLength(12)
    isBroken = false
    nowMs = laterMs
    coverTwice(life.journal, 'a/x', 12)
    await until(() => life.journal.segmentCount() === 1)
    expect(tries).toBe(segments)
  })

  test('because it is damaged stays, and the operator is told', async () => {
    const { log, lines } = memoryLog()
    const disk = new SimulatedDisk()
    const life = await fullLife(disk, { history: { log }, journal: { log } })
    const [oldest = ''] = disk.namesIn(`${DIR}/wal`)
    const content = disk.contentOf(`${DIR}/wal/${oldest}`)
    content[4096 + 1000] = (content[4096 + 1000] ?? 0) ^ 1
    coverTwice(life.journal, 'a/x', 12)
    await until(() => lines.length === 2)
    expect(lines.map(({ level }) => level)).toEqual(['error', 'warn'])
    expect(disk.namesIn(`${DIR}/wal`)).toContain(oldest)
    expect(disk.namesIn(`${DIR}/hist`)).toEqual([])
    await endLife(life)
  })

  test('does not hold up a close: what is not archived by then is archived in the next life', async () => {
    let finish = (): void => undefined
    let tries = 0
    const disk = new SimulatedDisk()
    const life = await fullLife(disk, {
      journal: {
        beforeUnlink: () => {
          tries += 1
          return new Promise((resolve) => {
            finish = resolve
          })
        },
      },
    })
    coverTwice(life.journal, 'a/x', 12)
    await until(() => tries === 1)
    const closing = endLife(life)
    await turns(5)
    finish()
    await closing
    expect(tries).toBe(1)
    expect(disk.namesIn(`${DIR}/wal`).length).toBeGreaterThan(2)
    const next = await startLife(disk.start(), new ManualTimers())
    coverTwice(next.journal, 'a/x', 12)
    await until(() => next.journal.segmentCount() === 1)
    expect(disk.namesIn(`${DIR}/hist`).length).toBeGreaterThan(2)
  })

  test('because a thread died on the way is archived beside what that thread has left', async () => {
    const disk = new SimulatedDisk()
    const life = await fullLife(disk, {})
    disk.put(`${DIR}/hist/0000000000000001.hist.tmp`, new Uint8Array(100))
    coverTwice(life.journal, 'a/x', 12)
    await until(() => life.journal.segmentCount() === 1)
    expect(disk.namesIn(`${DIR}/hist`).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(await readAll(life.history, 'a/x', 1, 12)).toHaveLength(12)
  })

  test('and has a damaged history file: that goes to quarantine and a new one is written', async () => {
    const disk = new SimulatedDisk()
    const life = await fullLife(disk, {})
    const twin = disk.copy()
    coverTwice(life.journal, 'a/x', 12)
    await until(() => life.journal.segmentCount() === 1)
    const [name = ''] = disk.namesIn(`${DIR}/hist`)
    const whole = disk.contentOf(`${DIR}/hist/${name}`).slice()
    const broken = whole.slice()
    broken[50] = (broken[50] ?? 0) ^ 1
    twin.put(`${DIR}/hist/${name}`, broken)
    const { log, lines } = memoryLog()
    const next = await startLife(twin.start(), new ManualTimers(), { history: { log } })
    coverTwice(next.journal, 'a/x', 12)
    await until(() => next.journal.segmentCount() === 1)
    expect(lines).toMatchObject([{ level: 'error', fields: { file: name } }])
    expect(twin.contentOf(`${DIR}/quarantine/${name}`)).toEqual(broken)
    expect(twin.contentOf(`${DIR}/hist/${name}`)).toEqual(whole)
  })

  test('and has the history file of another segment with its name: that goes to quarantine too', async () => {
    const strangers = new SimulatedDisk()
    const stranger = await fullLife(strangers, {})
    coverTwice(stranger.journal, 'a/x', 12)
    await until(() => stranger.journal.segmentCount() === 1)
    const [name = ''] = strangers.namesIn(`${DIR}/hist`)
    const disk = new SimulatedDisk()
    await endLife(await fullLife(disk, {}))
    disk.put(`${DIR}/hist/${name}`, strangers.contentOf(`${DIR}/hist/${name}`).slice())
    const life = await startLife(disk.start(), new ManualTimers())
    coverTwice(life.journal, 'a/x', 12)
    await until(() => life.journal.segmentCount() === 1)
    expect(disk.namesIn(`${DIR}/quarantine`)).toContain(name)
    expect(await readAll(life.history, 'a/x', 1, 12)).toHaveLength(12)
  })
})
