import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { doomedFiles, type KeptFile } from '../../src/adapters/files/retention.ts'
import {
  coverTwice,
  endLife,
  type HistoryLife,
  type LifeOptions,
  readAll,
  startLife,
  until,
} from '../crash/history-life.ts'
import { DIR, GRANT, ManualTimers } from '../crash/journal-life.ts'
import { SimulatedDisk } from '../crash/simulated-disk.ts'
import { manualClock } from '../harness/system.ts'
import { prove } from '../support/prove.ts'

const DAY_MS = 24 * 3_600_000
const file = fc.record({ bytes: fc.nat(100), atMs: fc.nat(50) })
const list = (name: string) =>
  fc.tuple(fc.array(file, { maxLength: 12 }), fc.boolean()).map(([files, wasSetBack]) => {
    const inOrder = wasSetBack ? files : files.toSorted((a, b) => a.atMs - b.atMs)
    return inOrder.map((each, i) => ({ ...each, name: `${name}${i}` }))
  })
const sizeOf = (files: readonly KeptFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** Appends `count` records of 20 kB after the head, covers them, and waits until their segments are history. */
async function archive({ journal }: HistoryLife, count: number): Promise<void> {
  const head = journal.headOf('a/x')
  for (let actorSeq = head + 1; actorSeq <= head + count; actorSeq += 1) {
    await journal.append(GRANT, { actorKey: 'a/x', actorSeq, payload: Buffer.alloc(20_000, actorSeq) })
  }
  coverTwice(journal, 'a/x', head + count)
  await until(() => journal.segmentCount() === 1)
}

const hist = (disk: SimulatedDisk) => disk.namesIn(`${DIR}/hist`)

describe('retention of history', () => {
  test('takes a beginning of each list: what is too old, and the oldest until the budget holds, nothing more', () => {
    prove(
      list('a'),
      list('b'),
      fc.nat(50),
      fc.nat(1500),
      fc.nat(50),
      (a, b, keptFromMs, budgetBytes, fixedBytes) => {
        const doomed = doomedFiles([a, b], { keptFromMs, budgetBytes, fixedBytes })
        const kept = [a, b].map((files) => files.slice(doomed.filter((each) => files.includes(each)).length))
        expect(new Set(doomed).size).toBe(doomed.length)
        expect([...doomed].sort(byName)).toEqual(
          [a, b].flatMap((files, i) => files.slice(0, files.length - (kept[i]?.length ?? 0))).sort(byName),
        )
        const heads = kept.flatMap(([first]) => (first === undefined ? [] : [first]))
        for (const head of heads) expect(head.atMs).toBeGreaterThanOrEqual(keptFromMs)
        const left = sizeOf(kept.flat()) + fixedBytes
        expect(left <= budgetBytes || heads.length === 0).toBe(true)
        const last = doomed.at(-1)
        if (last !== undefined) {
          expect(last.atMs < keptFromMs || left + last.bytes > budgetBytes).toBe(true)
          if (isOrdered(a) && isOrdered(b)) {
            for (const head of heads) expect(head.atMs).toBeGreaterThanOrEqual(last.atMs)
          }
        }
      },
    )
  })

  test('by age removes whole files, oldest first, at the hourly look and at a start; reads begin later', async () => {
    const clock = manualClock()
    const options: LifeOptions = { history: { clock, retentionMs: 30 * DAY_MS } }
    const disk = new SimulatedDisk()
    const timers = new ManualTimers()
    const life = await startLife(disk.start(), timers, options)
    await archive(life, 12)
    const first = hist(disk)
    clock.advance(20 * DAY_MS)
    await archive(life, 12)
    expect(hist(disk)).toEqual(expect.arrayContaining([...first]))
    clock.advance(10 * DAY_MS)
    timers.fire()
    await life.past.sweep()
    expect(hist(disk)).toEqual(expect.arrayContaining([...first]))
    clock.advance(1)
    timers.fire()
    await until(() => !hist(disk).includes(first.at(-1) ?? ''))
    expect(hist(disk).length).toBeGreaterThan(1)
    expect(hist(disk).filter((name) => first.includes(name))).toEqual([])
    expect(await life.history.recordAt('a/x', 1)).toBeNull()
    const seqs = (await readAll(life.history, 'a/x', 1, 24)).map(({ actorSeq }) => actorSeq)
    expect(seqs[0]).toBeGreaterThan(8)
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, i) => (seqs[0] ?? 0) + i))
    expect(seqs.at(-1)).toBe(24)
    await endLife(life)
    clock.advance(30 * DAY_MS)
    await startLife(disk.start(), new ManualTimers(), options)
    expect(hist(disk)).toEqual([])
  })

  test('by bytes removes the oldest files with every new one', async () => {
    const budgetBytes = 150_000
    const disk = new SimulatedDisk()
    const life = await startLife(disk.start(), new ManualTimers(), { history: { budgetBytes } })
    for (let round = 0; round < 6; round += 1) {
      await archive(life, 6)
      const sizes = hist(disk).map((name) => disk.contentOf(`${DIR}/hist/${name}`).length)
      expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(budgetBytes)
      expect(sizes.length).toBeGreaterThan(0)
    }
    expect(await life.history.recordAt('a/x', 1)).toBeNull()
    const seqs = (await readAll(life.history, 'a/x', 1, 36)).map(({ actorSeq }) => actorSeq)
    expect(seqs.at(-1)).toBe(36)
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, i) => 36 - seqs.length + 1 + i))
  })

  test('takes a file away from under a reader without giving it a gap', async () => {
    const clock = manualClock()
    const disk = new SimulatedDisk()
    const life = await startLife(disk.start(), new ManualTimers(), { history: { clock } })
    await archive(life, 12)
    const reader = life.history.read('a/x', 1, 12)[Symbol.asyncIterator]()
    expect((await reader.next()).value).toMatchObject({ actorSeq: 1 })
    clock.advance(31 * DAY_MS)
    await life.past.sweep()
    const rest = (async () => {
      const seqs: number[] = []
      for (let each = await reader.next(); each.done !== true; each = await reader.next())
        seqs.push(each.value.actorSeq)
      return seqs
    })()
    await expect(rest).rejects.toThrow('kept no longer')
    expect(await readAll(life.history, 'a/x', 1, 6)).toEqual([])
  })

  test('counts audit notes with the records, and takes the file that is written to only after a day', async () => {
    const clock = manualClock()
    const disk = new SimulatedDisk()
    const life = await startLife(disk.start(), new ManualTimers(), {
      history: { clock, retentionMs: 30 * DAY_MS },
    })
    const note = (what: string) =>
      life.history.note(GRANT, 'a/x', { atMs: clock.nowMs(), runId: null, body: { kind: what } })
    const notes = async () => (await life.history.notes('a/x', 9)).map(({ body }) => body['kind'])
    note('first')
    await until(() => hist(disk).length === 1)
    clock.advance(2 * DAY_MS)
    await life.past.sweep()
    note('second')
    await until(() => hist(disk).length === 2)
    clock.advance(29 * DAY_MS)
    await life.past.sweep()
    expect(await notes()).toEqual(['second', 'first'])
    clock.advance(2 * DAY_MS)
    await life.past.sweep()
    expect(await notes()).toEqual(['second'])
    clock.advance(30 * DAY_MS)
    await life.past.sweep()
    expect(await notes()).toEqual([])
    expect(hist(disk)).toEqual([])
  })
})

function byName(a: KeptFile, b: KeptFile): number {
  return a.name < b.name ? -1 : 1
}

/** False where the clock was set back in between. */
function isOrdered(files: readonly KeptFile[]): boolean {
  return files.every(({ atMs }, i) => i === 0 || atMs >= (files[i - 1]?.atMs ?? 0))
}
