import { expect } from 'vitest'
import type { Registry } from '../../src/actor/registry.ts'
import { over } from '../../src/adapters/files/store-parts.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import type { VectorRow } from '../../src/ports/store.ts'
import { START_MS } from '../harness/system.ts'
import { memoryOf } from '../support/commands.ts'
import { World } from '../support/world.ts'
import { LAWS_OF_TWO, type Law } from './laws-of-two.ts'
import {
  appended,
  collected,
  digested,
  erasedIn,
  exposureOf,
  finishedErasure,
  helpOf,
  KEY,
  OTHER,
  range,
  recordOf,
  redactionOf,
  registryOver,
  reopened,
  rowsIn,
  SECRET,
  seqsOf,
  textsIn,
  told,
  writesOf,
  written,
} from './written.ts'

export type { Law } from './laws-of-two.ts'

export const LAWS: readonly Law[] = [
  {
    title: 'turns of an actor whose older ones are kept nowhere go on behind what is covered',
    async prove(under) {
      const store = await under.open()
      const grant = await store.ownership.acquire(KEY)
      store.journal.covered(grant, KEY, 40)
      await expect(store.journal.append(grant, recordOf(KEY, 1))).rejects.toMatchObject({
        journalFailure: 'conflict',
      })
      await appended(store, KEY, 41, 3)
      expect(store.journal.headOf(KEY)).toBe(43)
      expect((await collected(store.history.read(KEY, 1, 43))).map(({ actorSeq }) => actorSeq)).toEqual(
        range(41, 43),
      )
      await store.close()
    },
  },
  {
    title:
      'turns come back in order and without a hole, from any one on, also after the store was opened again',
    async prove(under) {
      const store = await under.open()
      const grant = await appended(store, KEY, 1, 20)
      await appended(store, OTHER, 1, 3)
      expect(await seqsOf(store, grant, KEY, 1)).toEqual(range(1, 20))
      expect(await seqsOf(store, grant, KEY, 17)).toEqual(range(17, 20))
      const again = await reopened(under, store)
      expect(await seqsOf(again, await again.ownership.acquire(KEY), KEY, 1)).toEqual(range(1, 20))
      await again.close()
    },
  },
  {
    title:
      'a turn that is not the next one is a conflict and is not stored, so that a repeat is never stored twice',
    async prove(under) {
      const store = await under.open()
      const grant = await appended(store, KEY, 1, 2)
      for (const seq of [1, 2, 4]) {
        await expect(store.journal.append(grant, recordOf(KEY, seq))).rejects.toMatchObject({
          journalFailure: 'conflict',
        })
      }
      expect(await seqsOf(store, grant, KEY, 1)).toEqual([1, 2])
      expect(store.journal.headOf(KEY)).toBe(2)
      await store.close()
    },
  },
  {
    title:
      'when the store is closed in the middle, what was acknowledged is there, and what is there has no hole',
    async prove(under) {
      const store = await under.open()
      const grant = await store.ownership.acquire(KEY)
      const acks = range(1, 30).map((seq) => store.journal.append(grant, recordOf(KEY, seq)))
      const settled = Promise.allSettled(acks)
      const again = await reopened(under, store)
      const kept = (await settled).filter(({ status }) => status === 'fulfilled').length
      const seqs = await seqsOf(again, await again.ownership.acquire(KEY), KEY, 1)
      expect(seqs).toEqual(range(1, seqs.length))
      expect(seqs.length).toBeGreaterThanOrEqual(kept)
      await again.close()
    },
  },
  {
    title: 'the newest snapshot takes the place of the one before, and turns go on above it',
    async prove(under) {
      const store = await under.open()
      const { world, grant } = await written(store, 6)
      for (const turns of [3, 6]) {
        const image = digested(world, turns)
        await store.snapshots.put(grant, KEY, image)
        store.journal.covered(grant, KEY, image.seq)
        expect(store.snapshots.coveredSeqOf(KEY)).toBe(image.seq)
      }
      const again = await reopened(under, store)
      const regained = await again.ownership.acquire(KEY)
      const found = await again.snapshots.get(KEY)
      expect(found?.seq).toBe(6)
      expect(found?.image.stateHash).toBe(stateHash(world.state))
      await again.journal.append(regained, recordOf(KEY, 7))
      expect(await seqsOf(again, regained, KEY, 7)).toEqual([7])
      expect(await again.snapshots.get(OTHER)).toBeNull()
      await again.close()
    },
  },
  {
    title:
      'exposure sets that were stored before a snapshot are found for feedback on old guides, the newest first',
    async prove(under) {
      const store = await under.open()
      const { world, grant } = await written(store, 2)
      const records = range(0, 2).map((at) => exposureOf(at, world.memoryIds))
      await store.ledger.append(grant, KEY, 0, 1, records.slice(0, 2))
      await store.ledger.append(grant, KEY, 1, 2, records.slice(2))
      await store.snapshots.put(grant, KEY, digested(world, 2))
      const again = await reopened(under, store)
      for (const record of records) {
        expect(await again.ledger.find(KEY, record.guideTraceId)).toMatchObject({
          memoryIds: record.memoryIds,
        })
      }
      expect(await again.ledger.find(OTHER, records[0]?.guideTraceId ?? '')).toBeNull()
      const newest = await collected(again.ledger.newestFirst(KEY))
      expect(newest.map(({ guideTraceId }) => guideTraceId)).toEqual(
        records.map(({ guideTraceId }) => guideTraceId).toReversed(),
      )
      expect(again.ledger.isBeyondRetention(KEY, records[0]?.guideTraceId ?? '')).toBe(false)
      await again.close()
    },
  },
  {
    title: 'turns that a snapshot covers can still be read by their number, and audit notes beside them',
    async prove(under) {
      const store = await under.open()
      const { world, grant } = await written(store, 5)
      await store.snapshots.put(grant, KEY, digested(world, 5))
      store.journal.covered(grant, KEY, 5)
      const note = { atMs: START_MS, runId: 'run-1', body: { kind: 'govern' } }
      store.history.note(grant, KEY, note)
      expect((await store.history.recordAt(KEY, 3))?.actorSeq).toBe(3)
      expect(await store.history.recordAt(KEY, 6)).toBeNull()
      expect((await collected(store.history.read(KEY, 2, 4))).map(({ actorSeq }) => actorSeq)).toEqual([
        2, 3, 4,
      ])
      expect(await store.history.notes(KEY, 10)).toEqual([note])
      await store.close()
    },
  },
  {
    title: 'an erasure leaves the word in no turn and no snapshot, and doing it again changes nothing',
    async prove(under) {
      const store = await under.open()
      const { world, grant } = await erasedIn(store)
      await store.removal.erase(grant, KEY, redactionOf(world), helpOf(store, grant, world))
      expect(await textsIn(store, grant)).not.toContain(SECRET)
      const again = await store.removal.erase(grant, KEY, redactionOf(world), helpOf(store, grant, world))
      expect(again.snapshots + again.historyFiles).toBe(0)
      const opened = await reopened(under, store)
      expect(await textsIn(opened, await opened.ownership.acquire(KEY))).not.toContain(SECRET)
      await opened.close()
    },
  },
  {
    title: 'the mark of an erasure stays until it is removed, over every start',
    async prove(under) {
      const store = await under.open()
      const grant = await appended(store, KEY, 1, 1)
      await store.erasureMarks.put(grant, KEY)
      const again = await reopened(under, store)
      expect([await again.erasureMarks.has(KEY), await again.erasureMarks.has(OTHER)]).toEqual([true, false])
      expect(await collected(again.erasureMarks.marked())).toEqual([KEY])
      await again.erasureMarks.remove(await again.ownership.acquire(KEY), KEY)
      const last = await reopened(under, again)
      expect(await collected(last.erasureMarks.marked())).toEqual([])
      await last.close()
    },
  },
  {
    title: 'an erasure that was cut off is finished by the next start',
    prove: (under) => finishedErasure(under, (registry) => registry.resumeErasures()),
  },
  {
    title: 'an erasure that was cut off is finished by whoever loads the actor next',
    prove: (under) =>
      finishedErasure(under, (registry) => registry.use('default', 'default', async () => undefined)),
  },
  {
    title: 'an erasure for which there was no room says so, and is finished once it is tried again with room',
    async prove(under) {
      const full = new Error('there is no room')
      let hasRoom = false
      const finish = async (registry: Registry): Promise<void> => {
        await registry.resumeErasures()
        const erased = registry.use('default', 'default', (actor) =>
          registry.erasing(actor, () => registry.purge(actor)),
        )
        await expect(erased).rejects.toMatchObject({
          code: 'erase_incomplete',
          details: { reason: 'disk_full' },
        })
        hasRoom = true
        await registry.retryErasures()
      }
      await finishedErasure(under, finish, (store) => ({
        ...store,
        isDiskFull: (error) => error === full,
        removal: {
          erase: (...given) => (hasRoom ? store.removal.erase(...given) : Promise.reject(full)),
        },
      }))
    },
  },
  {
    title: 'marks of erasures that a start could not read are read when they are tried again',
    async prove(under) {
      let isThere = false
      const finish = async (registry: Registry): Promise<void> => {
        await registry.resumeErasures()
        isThere = true
        await registry.retryErasures()
      }
      await finishedErasure(under, finish, (store) => ({
        ...store,
        erasureMarks: over(store.erasureMarks, {
          async *marked() {
            if (!isThere) throw new Error('the store does not answer')
            yield* store.erasureMarks.marked()
          },
        }),
      }))
    },
  },
  {
    title: 'a memory that nobody wants embedded stays so, and rows of erased memory go',
    async prove(under) {
      const store = await under.open()
      const grant = await appended(store, KEY, 1, 1)
      const rows = ['a', 'b', 'c'].map((memoryId, ordinal): VectorRow => {
        return { memoryId, ordinal, updatedAtMs: 1, vector: memoryId === 'b' ? null : Float32Array.of(0, 1) }
      })
      await store.vectorStore?.append(grant, KEY, rows)
      const again = await reopened(under, store)
      expect(await rowsIn(again)).toEqual(['a', 'b unwanted', 'c'])
      const regained = await again.ownership.acquire(KEY)
      const keeps = ({ memoryId }: { readonly memoryId: string }) => memoryId !== 'a'
      expect(await again.vectorStore?.keepOnly(regained, KEY, keeps)).toBe(1)
      expect(await again.vectorStore?.keepOnly(regained, KEY, keeps)).toBe(0)
      expect(await rowsIn(again)).toEqual(['b unwanted', 'c'])
      await again.close()
    },
  },
  {
    title:
      'the directory walks over every actor that has written, once, and tells its turns though nobody has read it',
    async prove(under) {
      const store = await under.open()
      const grant = await appended(store, KEY, 1, 2)
      await appended(store, OTHER, 1, 1)
      await store.ownership.acquire('c/never-written')
      const world = new World()
      for (let turn = 0; turn < 2; turn += 1) world.write(memoryOf({ text: `text ${turn}` }))
      await store.snapshots.put(grant, KEY, digested(world, 2))
      const again = await reopened(under, store)
      expect((await collected(again.directory.actors())).toSorted()).toEqual([OTHER, KEY].toSorted())
      const [other, own, none] = await again.directory.turnsOf([OTHER, KEY, 'c/never-written'])
      expect(other).toEqual({ turns: 1, snapshotTurns: 0, snapshotBytes: 0 })
      expect(own).toMatchObject({ turns: 2, snapshotTurns: 2 })
      expect(own?.snapshotBytes).toBeGreaterThan(0)
      expect(none).toEqual({ turns: 0, snapshotTurns: 0, snapshotBytes: 0 })
      await again.close()
    },
  },
  {
    title: 'every write with a grant that is not the owner’s is refused as fenced and changes nothing',
    async prove(under) {
      const store = await under.open()
      const { world, grant } = await written(store, 2)
      const stale = { ...grant, epoch: grant.epoch - 1 }
      for (const write of writesOf(store, stale, world)) {
        await expect(write()).rejects.toMatchObject({ journalFailure: 'fenced' })
      }
      store.history.note(stale, KEY, { atMs: START_MS, runId: null, body: { kind: 'govern' } })
      store.journal.covered(stale, KEY, 2)
      expect(await store.history.notes(KEY, 10)).toEqual([])
      expect(await seqsOf(store, grant, KEY, 1)).toEqual([1, 2])
      expect(await store.snapshots.get(KEY)).toBeNull()
      expect(await store.erasureMarks.has(KEY)).toBe(false)
      expect(await rowsIn(store)).toEqual([])
      expect(await collected(store.ledger.newestFirst(KEY))).toEqual([])
      await store.close()
    },
  },
  {
    title: 'an actor is acquired before anything of it is read',
    async prove(under) {
      const store = await under.open()
      const calls: string[] = []
      const registry = await registryOver({
        ...store,
        ownership: told(store.ownership, 'acquire', calls),
        journal: told(store.journal, 'read', calls),
        snapshots: told(store.snapshots, 'get', calls),
        recallImages: told(store.recallImages, 'get', calls),
      })
      await registry.use('default', 'default', async () => undefined)
      expect(calls[0]).toBe('acquire')
      expect(calls).toContain('read')
      await registry.close(10_000)
      await store.close()
    },
  },
  ...LAWS_OF_TWO,
]
