import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HistoryGapError } from '../../src/adapters/history/archive.ts'
import { openHistory } from '../../src/adapters/history/history.ts'
import type { JournalRecord } from '../../src/ports/store.ts'
import { coverTwice, endLife, type HistoryLife, readAll, startLife, until } from '../crash/history-life.ts'
import { DIR, GRANT, ManualTimers, silentLog, turns } from '../crash/journal-life.ts'
import { SimulatedDisk } from '../crash/simulated-disk.ts'
import { enough } from '../harness/scale.ts'
import { memoryLog, RETENTION } from '../harness/system.ts'
import { provingAsync } from '../support/prove.ts'

const prove = provingAsync(60)
const KEYS = ['a/x', 'b/ä', 'c/z']

type Step =
  | { readonly kind: 'append'; readonly actor: number; readonly sizes: readonly number[] }
  | { readonly kind: 'cover'; readonly actor: number }
  | { readonly kind: 'turns'; readonly count: number }
  | { readonly kind: 'read'; readonly actor: number; readonly from: number; readonly to: number }
  | { readonly kind: 'restart' }

const actor = fc.integer({ min: 0, max: KEYS.length - 1 })
const size = fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 5000, max: 30_000 }))
const part = fc.double({ min: 0, max: 1, noNaN: true })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      actor,
      sizes: fc.array(size, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('cover' as const), actor }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('turns' as const), count: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), actor, from: part, to: part }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
)

/** What was appended, by actor; record n lies at n - 1. */
class Model {
  readonly payloads = new Map<string, Uint8Array[]>(KEYS.map((key) => [key, []]))
  readonly covered = new Map<string, number>()
  #count = 0

  of(key: string): Uint8Array[] {
    return this.payloads.get(key) ?? []
  }

  next(key: string, bytes: number): Uint8Array {
    this.#count += 1
    const payload = Buffer.alloc(bytes + 4, this.#count % 251)
    payload.writeUInt32LE(this.#count, 0)
    this.of(key).push(payload)
    return payload
  }
}

function expectSame(
  records: readonly JournalRecord[],
  model: Model,
  key: string,
  from: number,
  to: number,
): void {
  const wanted = model.of(key).slice(Math.max(0, from - 1), Math.max(0, to))
  expect(records.map(({ actorSeq }) => actorSeq)).toEqual(wanted.map((_, i) => Math.max(1, from) + i))
  for (const [i, { actorKey, payload }] of records.entries()) {
    expect(actorKey).toBe(key)
    expect(Buffer.compare(payload, wanted[i] ?? Buffer.alloc(0))).toBe(0)
  }
}

async function agrees({ history }: HistoryLife, model: Model): Promise<void> {
  for (const key of KEYS) {
    const head = model.of(key).length
    expectSame(await readAll(history, key, 1, head + 5), model, key, 1, head)
    for (let seq = 1; seq <= head; seq += 1) {
      const record = await history.recordAt(key, seq)
      expectSame(record === null ? [] : [record], model, key, seq, seq)
    }
    expect(await history.recordAt(key, head + 1)).toBeNull()
    expect(await history.recordAt(key, 0)).toBeNull()
  }
}

/** A journal of `count` records of 20 kB, of which two snapshots cover all, and whose old segments are gone. */
async function archivedLife(disk: SimulatedDisk, count: number): Promise<HistoryLife> {
  const life = await startLife(disk.start(), new ManualTimers())
  for (let actorSeq = 1; actorSeq <= count; actorSeq += 1) {
    await life.journal.append(GRANT, { actorKey: 'a/x', actorSeq, payload: Buffer.alloc(20_000, actorSeq) })
  }
  coverTwice(life.journal, 'a/x', count)
  await until(() => life.journal.segmentCount() === 1)
  return life
}

const historyNames = (disk: SimulatedDisk) => disk.namesIn(`${DIR}/hist`)

describe('history', () => {
  test('agrees with what was appended, whatever is archived meanwhile and after every restart', async () => {
    let archived = 0
    await prove(fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }), async (steps) => {
      const disk = new SimulatedDisk()
      const model = new Model()
      let life = await startLife(disk.start(), new ManualTimers())
      for (const told of steps) {
        const key = KEYS['actor' in told ? told.actor : 0] ?? ''
        const head = model.of(key).length
        if (told.kind === 'append') {
          const appends = told.sizes.map((bytes) => {
            const payload = model.next(key, bytes)
            return life.journal.append(GRANT, { actorKey: key, actorSeq: model.of(key).length, payload })
          })
          // What is queued belongs to history as well.
          expectSame(await readAll(life.history, key, head + 1, head + 9), model, key, head + 1, head + 9)
          await Promise.all(appends)
        }
        if (told.kind === 'cover' && head > 0) {
          coverTwice(life.journal, key, head)
          model.covered.set(key, head)
        }
        if (told.kind === 'turns') await turns(told.count)
        if (told.kind === 'read') {
          const from = 1 + Math.floor(told.from * head)
          const to = Math.floor(told.to * (head + 2))
          expectSame(await readAll(life.history, key, from, to), model, key, from, Math.min(to, head))
        }
        if (told.kind === 'restart') {
          await endLife(life)
          life = await startLife(disk.start(), new ManualTimers())
          for (const [covered, seq] of model.covered) coverTwice(life.journal, covered, seq)
        }
      }
      await agrees(life, model)
      await endLife(life)
      const next = await startLife(disk.start(), new ManualTimers())
      for (const [covered, seq] of model.covered) coverTwice(next.journal, covered, seq)
      await agrees(next, model)
      await endLife(next)
      archived += historyNames(disk).length
    })
    expect(archived).toBeGreaterThanOrEqual(enough(31))
  })

  test('a reader goes on in the archive when the segments under it are removed', async () => {
    const disk = new SimulatedDisk()
    const life = await startLife(disk.start(), new ManualTimers())
    for (let actorSeq = 1; actorSeq <= 20; actorSeq += 1) {
      await life.journal.append(GRANT, { actorKey: 'a/x', actorSeq, payload: Buffer.alloc(20_000, actorSeq) })
    }
    expect(life.journal.segmentCount()).toBeGreaterThan(4)
    const seen: number[] = []
    for await (const { actorSeq } of life.history.read('a/x', 1, 20)) {
      seen.push(actorSeq)
      if (actorSeq > 1) continue
      coverTwice(life.journal, 'a/x', 20)
      await until(() => life.journal.segmentCount() === 1)
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
  })

  test('finds a record in a few reads, however many came later', async () => {
    const disk = new SimulatedDisk()
    await endLife(await archivedLife(disk, 60))
    const process = disk.start()
    const life = await startLife(process, new ManualTimers())
    expect(historyNames(disk).length).toBeGreaterThan(12)
    for (const expected of [16, 3]) {
      const before = process.calls.length
      expect((await life.history.recordAt('a/x', 2))?.actorSeq).toBe(2)
      expect(process.calls.slice(before).filter(({ name }) => name === 'pread').length).toBeLessThan(expected)
    }
  })

  test('of an actor with a hole in its records begins behind the last one', async () => {
    const ranges = [
      { fromSeq: 1, toSeq: 8 },
      { fromSeq: 11, toSeq: 20 },
    ]
    const past = await openHistory({
      dir: DIR,
      files: new SimulatedDisk().start().files,
      log: silentLog,
      clock: { nowMs: () => 0 },
      ...RETENTION,
      schedule: () => () => undefined,
    })
    const history = past.over({
      heldSeqs: () => ranges,
      async *read(actorKey, fromSeq) {
        const range = ranges.find((each) => each.fromSeq <= fromSeq && fromSeq <= each.toSeq)
        for (let actorSeq = fromSeq; actorSeq <= (range?.toSeq ?? 0); actorSeq += 1) {
          yield { actorKey, actorSeq, payload: new Uint8Array(0) }
        }
        throw new Error('the journal has a gap here')
      },
    })
    const seqs = async (from: number, to: number) =>
      (await readAll(history, 'a/x', from, to)).map(({ actorSeq }) => actorSeq)
    expect(await seqs(5, 13)).toEqual([11, 12, 13])
    expect(await seqs(1, 30)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
    expect(await seqs(7, 8)).toEqual([7, 8])
    expect(await seqs(5, 9)).toEqual([])
    expect((await history.recordAt('a/x', 8))?.actorSeq).toBe(8)
    expect(await history.recordAt('a/x', 9)).toBeNull()
  })

  test('behind a damaged file begins later once the damage was met, and still has what is older by its number', async () => {
    const disk = new SimulatedDisk()
    await endLife(await archivedLife(disk, 20))
    const names = historyNames(disk)
    const middle = names[Math.floor(names.length / 2)] ?? ''
    const content = disk.contentOf(`${DIR}/hist/${middle}`)
    content[100] = (content[100] ?? 0) ^ 1
    const { log, lines } = memoryLog()
    const { history } = await startLife(disk.start(), new ManualTimers(), { history: { log } })
    // The reader that meets the damage has begun before it: it must not go on behind a gap.
    await expect(readAll(history, 'a/x', 1, 20)).rejects.toThrow(HistoryGapError)
    const seqs = (await readAll(history, 'a/x', 1, 20)).map(({ actorSeq }) => actorSeq)
    const first = seqs[0] ?? 0
    expect(first).toBeGreaterThan(5)
    expect(seqs).toEqual(Array.from({ length: 20 - first + 1 }, (_, i) => first + i))
    expect((await history.recordAt('a/x', 1))?.actorSeq).toBe(1)
    expect(await history.recordAt('a/x', first - 1)).toBeNull()
    expect(disk.namesIn(`${DIR}/quarantine`)).toContain(middle)
    expect(lines).toMatchObject([{ level: 'error', fields: { file: middle } }])
  })

  test('passes on an error of the disk and damages nothing', async () => {
    const disk = new SimulatedDisk()
    await endLife(await archivedLife(disk, 10))
    const probe = disk.copy().start()
    const looked = await startLife(probe, new ManualTimers())
    const before = probe.calls.length
    await looked.history.recordAt('a/x', 1)
    const reads = probe.calls.flatMap(({ name }, i) => (i >= before && name === 'pread' ? [i + 1] : []))
    expect(reads.length).toBeGreaterThan(2)
    for (const call of reads) {
      const failing = disk.copy().start({ failAt: { call, kind: 'EIO' } })
      const life = await startLife(failing, new ManualTimers())
      await expect(life.history.recordAt('a/x', 1)).rejects.toThrow(/EIO/)
      expect((await life.history.recordAt('a/x', 1))?.actorSeq).toBe(1)
    }
  })
})
