import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { ARRIVAL_FILE } from '../../src/adapters/files/arrival.ts'
import { acquireLock } from '../../src/adapters/files/lock.ts'
import { over } from '../../src/adapters/files/store-parts.ts'
import { createKey, keyPlaceOf, withdrawKey } from '../../src/adapters/keys/key-folder.ts'
import { estimateMove, moveStore } from '../../src/app/migrate/move-store.ts'
import { folderSource, folderTarget } from '../../src/app/migrate/places.ts'
import { actorKeysOf, differenceOf, factsOf } from '../../src/app/store/actor-facts.ts'
import { openFolderReader } from '../../src/app/store/folder-reader.ts'
import { memgov } from '../harness/command.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { startEmbedded } from '../harness/embedded.ts'
import { scaled } from '../harness/scale.ts'
import { keyGrant } from '../support/keys.ts'
import { cutAt, movedFolder, moveParts } from '../support/moves.ts'
import { contentOf, type MadeStore, makeStore } from '../support/stored-actors.ts'

const NOW_MS = 1_769_860_800_000

let made: MadeStore
let keyId: string

beforeAll(async () => {
  made = await makeStore(24)
  const grant = keyGrant({ name: 'moved', tenantId: 'verify', scopes: [], agentId: null, teamId: null })
  for (const dir of [made.closed, made.crashed]) {
    await createKey(dir, grant, NOW_MS)
    const { key } = await createKey(dir, { ...grant, name: 'ended' }, NOW_MS)
    keyId = key.keyId
    await withdrawKey(dir, keyId)
  }
}, 60_000)

const newFolder = (): string => join(dataFolder(), 'new')

/** Every actor of two folders, compared as the move itself does it; how many there are. */
async function expectSame(from: string, to: string): Promise<number> {
  const [one, other] = [await openFolderReader(from, null), await openFolderReader(to, null)]
  let actors = 0
  for await (const key of one.actors()) {
    expect(await differenceOf(one, other, key)).toBeNull()
    expect((await factsOf(one, key)).stateHash).toBe((await factsOf(other, key)).stateHash)
    actors += 1
  }
  expect(await actorKeysOf(other)).toHaveLength(actors)
  expect((await keyPlaceOf(to).read()).keys).toEqual((await keyPlaceOf(from).read()).keys)
  return actors
}

describe('a store that is moved', () => {
  test.each(['closed', 'crashed'] as const)(
    'has every state, kept turn, exposure set, note and key of the one that was %s, which is left as it was',
    async (which) => {
      const to = newFolder()
      const before = contentOf(made[which])
      const report = await movedFolder(made[which], to)
      expect(report).toMatchObject({ actors: 4, skipped: 0, keys: 2, isResumed: false })
      expect(Math.min(report.turns, report.exposures, report.notes)).toBeGreaterThan(0)
      expect(contentOf(made[which])).toEqual(before)
      expect(await expectSame(made[which], to)).toBe(4)
      expect(await memgov('verify', '--deep', '--data-dir', to)).toMatchObject({ code: 0 })
    },
  )

  test('cut off before any step and repeated it is the same as moved at once, and what was there is not moved again', async () => {
    const whole = cutAt(0)
    await movedFolder(made.crashed, newFolder(), whole)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: whole.steps() }), { minLength: 1, maxLength: 3 }),
        async (cuts) => {
          const to = newFolder()
          for (const cut of cuts) {
            const isDone = await movedFolder(made.crashed, to, cutAt(cut)).then(
              () => true,
              (error: unknown) => {
                expect(String(error)).toContain('cut off')
                return false
              },
            )
            // A repeat takes fewer steps, so that it may end before its cut.
            if (isDone) break
          }
          if (existsSync(join(to, ARRIVAL_FILE))) {
            await expect(startEmbedded({ dir: to })).rejects.toThrow('memgov migrate')
            const copy = await memgov('backup', '--data-dir', to, '--to', newFolder())
            expect([copy.code, copy.stderr]).toEqual([2, expect.stringContaining('memgov migrate')])
            expect(await movedFolder(made.crashed, to)).toMatchObject({ isResumed: true, actors: 4 })
          }
          await expectSame(made.crashed, to)
        },
      ),
      { numRuns: scaled(20) },
    )
  })

  test('asks once for all that was brought before, and takes none of it to write', async () => {
    const to = newFolder()
    const isCompared = (step: string) => {
      if (step === 'compare') throw new Error('cut off')
    }
    await expect(movedFolder(made.closed, to, { beforeStep: isCompared })).rejects.toThrow('cut off')
    const source = await folderSource(made.closed, moveParts())
    const target = await folderTarget(to, moveParts(), false)
    const asked: string[] = []
    const open = async (hasVectors: boolean) => {
      const store = await target.open(hasVectors)
      const acquire = (key: string) => {
        asked.push('acquire')
        return store.ownership.acquire(key)
      }
      const turnsOf = (keys: readonly string[]) => {
        asked.push(`turns of ${keys.length}`)
        return store.directory.turnsOf(keys)
      }
      const directory = over(store.directory, { turnsOf })
      return over(store, { directory, ownership: over(store.ownership, { acquire }) })
    }
    expect(await moveStore(source, { ...target, open })).toMatchObject({ actors: 4, skipped: 4 })
    await target.release()
    await source.release()
    expect(asked).toEqual(['turns of 4'])
    expect(await expectSame(made.closed, to)).toBe(4)
  })

  test('answers an old guide, its feedback, a repeated request and a question about the past as the first one did', async () => {
    const place = { tenant_id: 'move', scope: 'desk' }
    const service = await startEmbedded({ config: { snapshotMinBytes: 4096 } })
    const observe = { ...place, operation_id: 'op-1', input_text: 'The pump is started last.' }
    const written = await service.ok('observe', observe)
    const guide = await service.ok('guide', { ...place, query_text: 'pump', run_id: 'r-1' })
    await service.ok('observe', { ...place, input_text: 'The valve is opened first.' })
    const traced = { ...place, guide_trace_id: guide.guide_trace_id, replay_source: 'journal' } as const
    const recorded = await service.ok('flightRecorder', traced)
    const digest = await service.digest(place)
    await service.close()
    const to = newFolder()
    await movedFolder(service.dir, to)
    const moved = await startEmbedded({ dir: to, clock: service.clock })
    expect(await moved.digest(place)).toBe(digest)
    expect((await moved.ok('observe', observe)).memory_ids).toEqual(written.memory_ids)
    expect(await moved.ok('flightRecorder', traced)).toEqual(recorded)
    const used = { run_id: 'r-1', outcome: 'neutral', used_surface: 'use_now', reason: 'it was so' } as const
    await moved.ok('feedback', { ...place, ...used, guide_trace_id: guide.guide_trace_id })
  })

  test('that an erasure has not left yet keeps its mark, so that the next start finishes it', async () => {
    const from = newFolder()
    await movedFolder(made.closed, from)
    const lock = await acquireLock(from)
    const { openErasureMarks } = await import('../../src/adapters/erasure/marks.ts')
    const { nodeFiles } = await import('../../src/adapters/files/node-files.ts')
    const marks = await openErasureMarks({ dir: from, files: nodeFiles, log: moveParts().log })
    await marks.put({ shard: 0, epoch: 1 }, 'verify/a')
    await lock.release()
    const to = newFolder()
    await movedFolder(from, to)
    expect(readdirSync(join(to, 'erasing')).some((name) => name.endsWith('.erasing'))).toBe(true)
  })
})

describe('a move is refused', () => {
  test('while somebody uses the folder, and when the target holds something else', async () => {
    const lock = await acquireLock(made.closed)
    await expect(movedFolder(made.closed, newFolder())).rejects.toThrow('is in use by')
    await lock.release()
    const to = newFolder()
    await movedFolder(made.closed, to)
    await expect(movedFolder(made.closed, to)).rejects.toThrow('is not empty')
    const half = newFolder()
    await expect(movedFolder(made.closed, half, cutAt(5))).rejects.toThrow('cut off')
    await expect(movedFolder(to, half)).rejects.toThrow('holds a part of another store')
  })

  test('when something was erased since it began: what was brought before would come back', async () => {
    const from = newFolder()
    await movedFolder(made.closed, from)
    const to = newFolder()
    await expect(movedFolder(from, to, { beforeStep: onceCompared() })).rejects.toThrow('cut off')
    const reader = await openFolderReader(from, null)
    const [id = ''] = (await factsOf(reader, 'verify/a')).state.memories.keys()
    const service = await startEmbedded({ dir: from })
    await service.ok('erase', { tenant_id: 'verify', scope: 'a', memory_ids: [id], reason: 'asked for' })
    await service.close()
    await expect(movedFolder(from, to)).rejects.toThrow('verify/a is not the same')
    expect(existsSync(join(to, ARRIVAL_FILE))).toBe(true)
  })
})

/** Throws when everything is copied. */
function onceCompared(): (step: string) => void {
  return (step) => {
    if (step === 'compare') throw new Error('cut off')
  }
}

test('a dry run tells what there is and how long it takes, and changes nothing on either side', async () => {
  const parts = moveParts()
  const before = contentOf(made.crashed)
  const to = newFolder()
  const source = await folderSource(made.crashed, parts)
  const found = await estimateMove(source, await folderTarget(to, parts, true), parts)
  await source.release()
  expect(found).toMatchObject({ actors: 4, keys: 2, sampled: 4, isResumed: false })
  expect(Math.min(found.turns, found.bytes.turns, found.bytes.snapshots, found.bytes.notes)).toBeGreaterThan(
    0,
  )
  expect(found.ms).toBeGreaterThan(0)
  expect(contentOf(made.crashed)).toEqual(before)
  expect(existsSync(to)).toBe(false)
})
