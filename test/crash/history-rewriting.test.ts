import { expect, test } from 'vitest'
import { rewriteHistory } from '../../src/adapters/history/format.ts'
import { coverTwice, type HistoryLife, readAll, startLife, until } from './history-life.ts'
import { DIR, GRANT, ManualTimers } from './journal-life.ts'
import { type Process, SimulatedDisk } from './simulated-disk.ts'

const KEY = 'a/x'
const OTHER = 'b/y'
const RECORDS = 12
const FOLDER = `${DIR}/hist`

/** Records of two actors, those of the first segments in history files. */
async function archived(disk: SimulatedDisk): Promise<HistoryLife & { readonly process: Process }> {
  const process = disk.start()
  const life = await startLife(process, new ManualTimers())
  for (let actorSeq = 1; actorSeq <= RECORDS; actorSeq += 1) {
    for (const actorKey of [KEY, OTHER]) {
      await life.journal.append(GRANT, {
        actorKey,
        actorSeq,
        payload: Buffer.alloc(9000 + actorSeq, actorSeq),
      })
    }
  }
  for (const key of [KEY, OTHER]) coverTwice(life.journal, key, RECORDS)
  await until(() => disk.namesIn(`${DIR}/wal`).length < 3)
  expect(disk.namesIn(FOLDER).length).toBeGreaterThan(1)
  return { ...life, process }
}

/** Shorter payloads for even records, so that everything behind them moves. */
const shorter = (payload: Uint8Array): Uint8Array | null => {
  const first = payload[0] ?? 0
  return first % 2 === 0 && payload.length > 9000 ? Buffer.alloc(10, first) : null
}

const lengthOf = (seq: number, isRewritten: boolean) => (isRewritten && seq % 2 === 0 ? 10 : 9000 + seq)

test('a rewritten file has every record in order, the ones of others as they were, and rewriting it again does nothing', async () => {
  const disk = new SimulatedDisk()
  const { history, past, process } = await archived(disk)
  const rewrite = async ({ folder, name }: { readonly folder: string; readonly name: string }) => {
    const isChanged = await rewriteHistory(process.files, folder, name, KEY, shorter)
    return { kind: isChanged ? ('rewritten' as const) : ('unchanged' as const) }
  }
  const kept = (await readAll(history, KEY, 1, RECORDS)).map(({ actorSeq }) => actorSeq)
  const inFiles = disk.namesIn(FOLDER).length
  expect(await past.redact(KEY, rewrite)).toBe(inFiles)
  const held = new Set<number>()
  for (const { actorSeq, payload } of await readAll(history, KEY, 1, RECORDS)) {
    if (payload.length === 10) held.add(actorSeq)
    expect([lengthOf(actorSeq, true), lengthOf(actorSeq, false)]).toContain(payload.length)
    expect(payload.every((byte) => byte === actorSeq)).toBe(true)
  }
  expect(held.size).toBeGreaterThan(1)
  expect((await readAll(history, KEY, 1, RECORDS)).map(({ actorSeq }) => actorSeq)).toEqual(kept)
  for (const { actorSeq, payload } of await readAll(history, OTHER, 1, RECORDS)) {
    expect(Buffer.compare(payload, Buffer.alloc(9000 + actorSeq, actorSeq))).toBe(0)
  }
  expect(await past.redact(KEY, rewrite)).toBe(0)
  expect(disk.namesIn(`${DIR}/quarantine`)).toEqual([])
})

test('a reader that has begun, or knows the old index, goes on over the new file', async () => {
  const disk = new SimulatedDisk()
  const { history, process } = await archived(disk)
  expect((await history.recordAt(KEY, 2))?.payload).toHaveLength(9002)
  const records = history.read(KEY, 1, RECORDS)[Symbol.asyncIterator]()
  const seen = [(await records.next()).value?.actorSeq]
  // Behind the back of the history: its own list and pages are those of before.
  for (const name of disk.namesIn(FOLDER)) await rewriteHistory(process.files, FOLDER, name, KEY, shorter)
  expect((await history.recordAt(KEY, 2))?.payload).toHaveLength(10)
  for (let next = await records.next(); next.done !== true; next = await records.next())
    seen.push(next.value.actorSeq)
  expect(seen).toEqual(Array.from({ length: RECORDS }, (_, i) => i + 1))
  expect((await history.recordAt(OTHER, 2))?.payload).toHaveLength(9002)
  expect(disk.namesIn(`${DIR}/quarantine`)).toEqual([])
})

test('a damaged file is removed rather than kept, and one that was set aside goes too', async () => {
  const disk = new SimulatedDisk()
  const { history, past } = await archived(disk)
  const [name = ''] = disk.namesIn(FOLDER)
  disk.put(`${DIR}/quarantine/${name}`, Buffer.from('anything'))
  const before = disk.namesIn(FOLDER).length
  const damaged = { kind: 'file_damaged', damage: 'as a test says' } as const
  await past.redact(KEY, async (place) => (place.name === name ? damaged : { kind: 'unchanged' }))
  expect(disk.namesIn(FOLDER)).toHaveLength(before - 1)
  expect(disk.namesIn(`${DIR}/quarantine`)).toEqual([])
  expect((await readAll(history, KEY, 1, RECORDS)).at(-1)?.actorSeq).toBe(RECORDS)
})
