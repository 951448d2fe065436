import { expect, test, vi } from 'vitest'
import { SegmentReclaimer } from '../../src/actor/snapshotting.ts'
import { LOCAL_OWNERSHIP } from '../../src/adapters/files/store-parts.ts'
import type { Journal, SnapshotStore } from '../../src/ports/store.ts'

const LAGGARDS = ['a/one', 'a/two', 'a/three']

function reliefOver(snapshot: (key: string) => Promise<void>) {
  const error = vi.fn()
  const quiet = (): void => undefined
  const journal: Partial<Journal> = { headOf: () => 7 }
  const snapshots: Partial<SnapshotStore> = { coveredSeqOf: () => 3 }
  const relief = new SegmentReclaimer({
    journal: journal as Journal,
    snapshots: snapshots as SnapshotStore,
    ownership: LOCAL_OWNERSHIP,
    // A round that frees no segment is the last one.
    segments: { laggards: () => LAGGARDS, segmentCount: () => 2 },
    log: { debug: quiet, info: quiet, warn: quiet, error },
    clock: { nowMs: () => 0 },
    snapshot,
  })
  return { relief, error }
}

test('where all of them fail, as on a full disk, the first is told', async () => {
  const { relief, error } = reliefOver(() => Promise.reject(new Error('no room')))
  relief.nudge()
  await relief.settled()
  expect(error).toHaveBeenCalledTimes(1)
})

test('a snapshot that fails is told, and the other idle actors get theirs', async () => {
  const asked: string[] = []
  const { relief, error } = reliefOver((key) => {
    asked.push(key)
    return key === 'a/one' ? Promise.reject(new Error('no room')) : Promise.resolve()
  })
  relief.nudge()
  await relief.settled()
  expect(asked).toEqual(LAGGARDS)
  expect(error.mock.calls).toEqual([
    [{ actor: 'a/one', cause: 'no room' }, 'an idle actor keeps journal segments: its snapshot failed'],
  ])
})

test('once stopped it takes no further actor, begins no other round and complains of nothing', async () => {
  const asked: string[] = []
  const { relief, error } = reliefOver((key) => {
    asked.push(key)
    relief.stop()
    return Promise.reject(new Error('the service is closing'))
  })
  relief.nudge()
  await relief.settled()
  relief.nudge()
  await relief.settled()
  expect(asked).toEqual(['a/one'])
  expect(error).not.toHaveBeenCalled()
})
