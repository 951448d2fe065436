import { describe, expect, test } from 'vitest'
import type { FileJournal } from '../../src/adapters/journal/file-journal.ts'
import type { FaultKind } from './disk-faults.ts'
import { GRANT, ManualTimers, openOn, recordsOf, turns } from './journal-life.ts'
import { type Process, SimulatedDisk, seededRandom } from './simulated-disk.ts'

const ACTORS = ['a/x', 'b/y']

interface Outcome {
  readonly refusedToOpen: boolean
  readonly wasPoisoned: boolean
  readonly cause: string | null
  /** Failures of appends, in order. */
  readonly failures: readonly string[]
  readonly submitted: ReadonlyMap<string, number>
  readonly acked: ReadonlyMap<string, number>
  /** The older of the two snapshots of each actor. */
  readonly olderMarks: ReadonlyMap<string, number>
}

function payloadOf(seq: number, size: number): Uint8Array {
  return new Uint8Array(size).fill(seq % 256)
}

/** Appends, bursts over several segments, seals, snapshots that free segments, closes. */
async function scenario(process: Process): Promise<Outcome> {
  const submitted = new Map<string, number>()
  const acked = new Map<string, number>()
  const olderMarks = new Map<string, number>()
  const failures: string[] = []
  const timers = new ManualTimers()
  let journal: FileJournal
  try {
    journal = await openOn(process, timers, { padTo: 512 })
  } catch {
    return { refusedToOpen: true, wasPoisoned: false, cause: null, failures, submitted, acked, olderMarks }
  }
  const append = async (actorKey: string, size: number): Promise<void> => {
    const actorSeq = (submitted.get(actorKey) ?? 0) + 1
    submitted.set(actorKey, actorSeq)
    try {
      await journal.append(GRANT, { actorKey, actorSeq, payload: payloadOf(actorSeq, size) })
      acked.set(actorKey, actorSeq)
    } catch (error) {
      failures.push(
        error instanceof Error && 'journalFailure' in error ? String(error.journalFailure) : 'other',
      )
    }
  }
  await append('a/x', 100)
  await append('b/y', 100)
  for (let round = 0; round < 3; round += 1) {
    await Promise.all([append('a/x', 20_000), append('b/y', 30_000), append('a/x', 10)])
    await turns(2)
  }
  timers.fire()
  await turns(3)
  for (const key of ACTORS) {
    const older = (acked.get(key) ?? 0) - 1
    if (older < 0) continue
    olderMarks.set(key, older)
    for (const mark of [older, older + 1]) journal.covered(GRANT, key, mark)
  }
  await turns(3)
  await append('a/x', 50)
  const cause = journal.health().cause
  const wasPoisoned = journal.health().state === 'poisoned'
  await journal.close().catch(() => undefined)
  return { refusedToOpen: false, wasPoisoned, cause, failures, submitted, acked, olderMarks }
}

async function recoveredHeads(disk: SimulatedDisk, outcome: Outcome): Promise<void> {
  const journal = await openOn(disk.start(), new ManualTimers())
  for (const key of ACTORS) {
    const acked = outcome.acked.get(key) ?? 0
    const head = journal.headOf(key)
    expect(head).toBeGreaterThanOrEqual(acked)
    expect(head).toBeLessThanOrEqual(outcome.submitted.get(key) ?? 0)
    if (head === 0) continue
    const fromSeq = (outcome.olderMarks.get(key) ?? 0) + 1
    const records = await recordsOf(journal, key, fromSeq)
    expect(records.map(({ actorSeq }) => actorSeq)).toEqual(records.map((_, i) => fromSeq + i))
    for (const { actorSeq, payload } of records)
      expect(Buffer.compare(payload, payloadOf(actorSeq, payload.length))).toBe(0)
  }
  await journal.close()
}

async function callsOfScenario(): Promise<number> {
  const process = new SimulatedDisk().start()
  const outcome = await scenario(process)
  expect(outcome.failures).toEqual([])
  expect(outcome.wasPoisoned).toBe(false)
  return process.calls.length
}

describe('journal on a disk that fails', () => {
  test.each<FaultKind>(['EIO', 'ENOSPC', 'short'])(
    'whichever call fails with %s: no false acknowledgement, no further write, and recovery is right',
    async (kind) => {
      const count = await callsOfScenario()
      expect(count).toBeGreaterThan(60)
      let poisonings = 0
      for (let call = 1; call <= count; call += 1) {
        const disk = new SimulatedDisk()
        const process = disk.start({ failAt: { call, kind } })
        const outcome = await scenario(process)
        const failed = process.calls[call - 1]
        if (outcome.wasPoisoned) {
          poisonings += 1
          expect(outcome.cause).toContain(
            kind === 'short' && failed?.name === 'pwrite' ? 'short write' : 'simulated',
          )
          const later = process.calls.slice(call).filter(({ fd }) => fd === failed?.fd)
          expect(later.map(({ name }) => name).filter((name) => name !== 'close')).toEqual([])
        } else {
          expect(outcome.failures).toEqual([])
        }
        expect(outcome.failures.every((failure) => failure === 'in_doubt')).toBe(true)
        process.kill()
        disk.losePower(seededRandom(call), 0.5)
        await recoveredHeads(disk, outcome)
      }
      expect(poisonings).toBeGreaterThan(10)
    },
  )

  test('after a failed flush every later append is refused as in doubt and nothing more is written', async () => {
    const disk = new SimulatedDisk()
    const counting = disk.start()
    const first = await openOn(counting, new ManualTimers())
    await first.append(GRANT, { actorKey: 'a/x', actorSeq: 1, payload: payloadOf(1, 10) })
    const flush = counting.calls.findLastIndex(({ name }) => name === 'fdatasync') + 1

    const failing = new SimulatedDisk().start({ failAt: { call: flush, kind: 'EIO' } })
    const journal = await openOn(failing, new ManualTimers())
    const appends = [1, 2].map((actorSeq) =>
      journal.append(GRANT, { actorKey: 'a/x', actorSeq, payload: payloadOf(actorSeq, 10) }),
    )
    for (const append of appends) await expect(append).rejects.toMatchObject({ journalFailure: 'in_doubt' })
    const callsThen = failing.calls.length
    const later = journal.append(GRANT, { actorKey: 'a/x', actorSeq: 1, payload: payloadOf(1, 10) })
    await expect(later).rejects.toMatchObject({ journalFailure: 'in_doubt' })
    await turns(3)
    const written = failing.calls.slice(callsThen).filter(({ name }) => name === 'fdatasync')
    expect(written).toEqual([])
    expect(journal.health()).toMatchObject({ state: 'poisoned', queuedBytes: 0 })
    expect(journal.health().cause).toContain('EIO')
  })

  test('what a start tells after a failed flush survives the power, though the system took it for clean', async () => {
    const probe = new SimulatedDisk().start()
    await scenario(probe)
    const flushes = probe.calls.flatMap(({ name }, i) => (name === 'fdatasync' ? [i + 1] : []))
    expect(flushes.length).toBeGreaterThan(5)
    for (const call of flushes) {
      const disk = new SimulatedDisk()
      const failing = disk.start({ failAt: { call, kind: 'EIO' } })
      await scenario(failing)
      failing.kill()
      const next = disk.start()
      const journal = await openOn(next, new ManualTimers())
      const told = ACTORS.map((key) => journal.headOf(key))
      next.kill()
      disk.losePower(() => 1, 0)
      const last = await openOn(disk.start(), new ManualTimers())
      expect(
        ACTORS.map((key) => last.headOf(key)),
        `call ${call} failed`,
      ).toEqual(told)
    }
  })

  test('a full disk met in the background leaves the journal writing until the space is needed', async () => {
    const counting = new SimulatedDisk().start()
    const first = await openOn(counting, new ManualTimers())
    await first.append(GRANT, { actorKey: 'a/x', actorSeq: 1, payload: payloadOf(1, 10) })
    await turns(2)
    const prepared = counting.calls.findLastIndex(({ name }) => name === 'pwrite') + 1

    const failing = new SimulatedDisk().start({ failAt: { call: prepared, kind: 'ENOSPC' } })
    const journal = await openOn(failing, new ManualTimers())
    for (let actorSeq = 1; actorSeq <= 12; actorSeq += 1) {
      await journal.append(GRANT, { actorKey: 'a/x', actorSeq, payload: payloadOf(actorSeq, 20_000) })
      await turns(2)
    }
    expect(failing.calls[prepared - 1]?.name).toBe('pwrite')
    expect(journal.health()).toMatchObject({ state: 'open', cause: null })
    expect(journal.segmentCount()).toBeGreaterThan(2)
  })

  test('a read error ends recovery and is not taken for a torn end', async () => {
    const disk = new SimulatedDisk()
    const writer = disk.start()
    const journal = await openOn(writer, new ManualTimers())
    await journal.append(GRANT, { actorKey: 'a/x', actorSeq: 1, payload: payloadOf(1, 10) })
    writer.kill()
    const probe = disk.copy().start()
    await openOn(probe, new ManualTimers())
    const reads = probe.calls.flatMap(({ name }, i) => (name === 'pread' ? [i + 1] : []))
    expect(reads.length).toBeGreaterThan(1)
    for (const call of reads) {
      const copy = disk.copy()
      const before = copy.contentOf('/data/wal/0000000000000001.wal').slice()
      const failing = copy.start({ failAt: { call, kind: 'EIO' } })
      await expect(openOn(failing, new ManualTimers())).rejects.toThrow(/EIO/)
      expect(copy.contentOf('/data/wal/0000000000000001.wal')).toEqual(before)
    }
  })
})
