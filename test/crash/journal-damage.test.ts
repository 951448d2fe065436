import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { bytesOver, encodeRecord, placeRecord, RECORD_HEADER_BYTES } from '../../src/adapters/binary/bytes.ts'
import { NewerFileError } from '../../src/adapters/files/whole-file.ts'
import {
  BATCH_HEADER_BYTES,
  decodeBatchHeader,
  finishBatch,
  JournalCorruptError,
} from '../../src/adapters/journal/format.ts'
import { enough, scaled, stride } from '../harness/scale.ts'
import { contentOf, GRANT, ManualTimers, openOn, turns } from './journal-life.ts'
import { SimulatedDisk, seededRandom } from './simulated-disk.ts'

/** Bits that are flipped of each byte, one by one. */
const BITS = Math.min(8, scaled(1))
/** Every so manieth byte is a place of damage; 1 tries all of them. */
const STRIDE = stride(1)
const WAL = '/data/wal'

interface Store {
  readonly disk: SimulatedDisk
  readonly content: Record<string, readonly string[]>
  /** The content without the last batch. */
  readonly shortened: Record<string, readonly string[]>
}

/** Three lives of a store: closed, killed, and one that is sealed at its end or not. */
async function createStore(isSealed: boolean): Promise<Store> {
  const disk = new SimulatedDisk()
  const heads = new Map<string, number>()
  let shortened: Record<string, readonly string[]> = {}
  for (let life = 0; life < 3; life += 1) {
    const process = disk.start()
    const timers = new ManualTimers()
    const journal = await openOn(process, timers, { padTo: 512 })
    for (let batch = 0; batch < 3; batch += 1) {
      shortened = await contentOf(journal)
      const records = ['a/x', 'b/ü'].map((actorKey) => {
        const actorSeq = (heads.get(actorKey) ?? 0) + 1
        heads.set(actorKey, actorSeq)
        const payload = new Uint8Array(40 + actorSeq * 7).fill(actorSeq + actorKey.length)
        return journal.append(GRANT, { actorKey, actorSeq, payload })
      })
      await Promise.all(records)
    }
    // The first time the timer finds that batches were written since it was set.
    for (let idle = 0; life === 2 && isSealed && idle < 2; idle += 1) {
      timers.fire()
      await turns(3)
    }
    if (life === 0) await journal.close()
    process.kill()
  }
  const settled = disk.copy()
  const journal = await openOn(settled.copy().start(), new ManualTimers())
  return { disk: settled, content: await contentOf(journal), shortened }
}

type Verdict = 'same' | 'last batch missing' | 'refused'

async function judge(disk: SimulatedDisk, store: Store, what: string): Promise<Verdict> {
  const process = disk.start()
  try {
    const journal = await openOn(process, new ManualTimers())
    const content = await contentOf(journal)
    const text = JSON.stringify(content)
    if (text === JSON.stringify(store.content)) return 'same'
    assert.deepEqual(content, store.shortened, what)
    return 'last batch missing'
  } catch (error) {
    if (error instanceof JournalCorruptError) {
      assert.match(error.file, /^\/data\//, what)
      assert.ok(error.offset >= 0, what)
      assert.ok(error.message.includes(`${error.file} at byte ${error.offset}`), what)
      return 'refused'
    }
    if (error instanceof NewerFileError) {
      assert.ok(error.message.includes('/data/'), what)
      return 'refused'
    }
    throw error
  } finally {
    process.kill()
  }
}

async function recovered(disk: SimulatedDisk | undefined): Promise<Record<string, readonly string[]>> {
  if (disk === undefined) throw new Error('no disk')
  const process = disk.copy().start()
  const content = await contentOf(await openOn(process, new ManualTimers()))
  process.kill()
  return content
}

function filesOf(disk: SimulatedDisk): readonly string[] {
  return ['/data/FORMAT.json', ...disk.namesIn(WAL).map((name) => `${WAL}/${name}`)]
}

function usedBytes(content: Uint8Array): number {
  return content.findLastIndex((byte) => byte !== 0) + 1
}

async function damaged(store: Store, what: string, damage: (disk: SimulatedDisk) => void): Promise<Verdict> {
  const disk = store.disk.copy()
  damage(disk)
  return judge(disk, store, what)
}

describe('journal with damaged bytes', () => {
  test.each([true, false])(
    'a flipped bit anywhere gives the same records, or a refusal that names the place (sealed: %s)',
    async (isSealed) => {
      const store = await createStore(isSealed)
      const random = seededRandom(7)
      const verdicts = new Map<Verdict, number>()
      for (const path of filesOf(store.disk)) {
        const used = usedBytes(store.disk.contentOf(path))
        for (let at = Math.floor(random() * STRIDE); at < used; at += STRIDE) {
          const first = Math.floor(random() * 8)
          for (let bit = first; bit < first + BITS; bit += 1) {
            const verdict = await damaged(store, `${path} ${at}`, (disk) => {
              const bytes = disk.contentOf(path)
              bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8))
            })
            verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1)
          }
        }
      }
      expect(verdicts.get('refused')).toBeGreaterThanOrEqual(enough(51))
      if (isSealed) expect(verdicts.get('last batch missing')).toBeUndefined()
      else expect(verdicts.get('last batch missing')).toBeGreaterThanOrEqual(enough(6))
    },
  )

  test.each([true, false])(
    'a file cut anywhere gives the same records, or a refusal that names the place (sealed: %s)',
    async (isSealed) => {
      const store = await createStore(isSealed)
      const random = seededRandom(8)
      for (const path of filesOf(store.disk)) {
        const size = store.disk.contentOf(path).length
        const used = usedBytes(store.disk.contentOf(path))
        const cuts = new Set([4095, 4096, size - 1])
        for (let at = Math.floor(random() * STRIDE); at < used; at += STRIDE) cuts.add(at)
        for (const at of cuts) {
          if (at >= size) continue
          const verdict = await damaged(store, `${path} cut at ${at}`, (disk) => {
            disk.put(path, disk.contentOf(path).slice(0, at))
          })
          expect(verdict, `${path} cut at ${at}`).not.toBe('last batch missing')
        }
      }
    },
  )

  test('a lost, swapped, repeated or foreign segment is refused', async () => {
    const store = await createStore(true)
    const stranger = await createStore(true)
    const [first = '', second = '', third = ''] = store.disk.namesIn(WAL).map((name) => `${WAL}/${name}`)
    const content = (path: string): Uint8Array => store.disk.contentOf(path).slice()
    const cases: readonly [string, (disk: SimulatedDisk) => void][] = [
      ['lost in the middle', (disk) => disk.remove(second)],
      [
        'swapped',
        (disk) => {
          disk.put(first, content(second))
          disk.put(second, content(first))
        },
      ],
      ['repeated', (disk) => disk.put(third, content(second))],
      ['foreign', (disk) => disk.put(second, stranger.disk.contentOf(second).slice())],
      ['zeroed header', (disk) => disk.contentOf(second).fill(0, 0, 4096)],
      ['without its format file', (disk) => disk.remove('/data/FORMAT.json')],
    ]
    for (const [what, damage] of cases) assert.equal(await damaged(store, what, damage), 'refused', what)
  })

  test('a batch copied over another one is refused', async () => {
    const store = await createStore(true)
    const path = `${WAL}/${store.disk.namesIn(WAL)[2]}`
    for (const [from, to] of [
      [4096, 4608],
      [4608, 4096],
      [4608, 5120],
    ] as const) {
      const verdict = await damaged(store, `${from} over ${to}`, (disk) => {
        disk.contentOf(path).copyWithin(to, from, from + 512)
      })
      expect(verdict).toBe('refused')
    }
  })

  test('a sealed end that is replaced by that of another segment is refused: no torn write leaves batches of another', async () => {
    const store = await createStore(true)
    const [closed = '', killed = '', last = ''] = store.disk.namesIn(WAL).map((name) => `${WAL}/${name}`)
    for (const other of [closed, killed]) {
      const end = store.disk.contentOf(other)
      const lastBatchAt = Math.floor(usedBytes(end) / 512) * 512
      for (let at = 4096; at <= lastBatchAt; at += STRIDE) {
        // Inside the header of a batch nobody knows any more where the next one would begin.
        if (at % 512 > 0 && at % 512 < BATCH_HEADER_BYTES) continue
        const disk = store.disk.copy()
        disk.contentOf(last).set(end.subarray(at), at)
        expect(await judge(disk, store, `${other} at ${at}`), `${other} at ${at}`).toBe('refused')
      }
    }
  })

  test('a batch of another history with the right number and predecessor is not taken for one of ours', async () => {
    const origin = await createStore(true)
    const path = `${WAL}/${origin.disk.namesIn(WAL)[3]}`
    const histories = await Promise.all(
      [1, 2].map(async (fill) => {
        const disk = origin.disk.copy()
        const process = disk.start()
        const journal = await openOn(process, new ManualTimers(), { padTo: 512 })
        const actorSeq = journal.headOf('a/x') + 1
        await journal.append(GRANT, { actorKey: 'a/x', actorSeq, payload: new Uint8Array(9).fill(fill) })
        process.kill()
        return disk
      }),
    )
    const [ours, theirs] = histories
    ours?.contentOf(path).set(theirs?.contentOf(path).subarray(4096, 4608) ?? [], 4096)
    await expect(recovered(ours)).rejects.toThrow(JournalCorruptError)
  })

  test('a batch rewritten with right checksums is found by the one that follows it', async () => {
    const store = await createStore(true)
    const path = `${WAL}/${store.disk.namesIn(WAL)[2]}`
    const verdict = await damaged(store, 'rewritten', (disk) => {
      const batch = bytesOver(disk.contentOf(path).subarray(4096, 4608))
      const header = decodeBatchHeader(batch, 0)
      if (header === null) throw new Error('no batch where one was written')
      const { actorSeq, bytes } = placeRecord(batch, BATCH_HEADER_BYTES, 512) ?? { actorSeq: 0, bytes: 0 }
      const payload = new Uint8Array(bytes - RECORD_HEADER_BYTES - 3).fill(99)
      encodeRecord(batch, BATCH_HEADER_BYTES, Buffer.from('a/x'), actorSeq, payload)
      finishBatch(batch, header, 512)
    })
    expect(verdict).toBe('refused')
  })

  test('a store of a newer format is refused with both versions named', async () => {
    const store = await createStore(true)
    const disk = store.disk.copy()
    const format = Buffer.from(disk.contentOf('/data/FORMAT.json')).toString().replace('": 3', '": 4')
    disk.put('/data/FORMAT.json', Buffer.from(format))
    const opening = openOn(disk.start(), new ManualTimers())
    await expect(opening).rejects.toThrow(/FORMAT\.json: the store has format 4; .*this version reads 1 to 3/)
  })
})
