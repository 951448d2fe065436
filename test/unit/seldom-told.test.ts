import { expect, test } from 'vitest'
import type { Actor } from '../../src/actor/actor.ts'
import { ActorSnapshots } from '../../src/actor/snapshotting.ts'
import { Lease } from '../../src/adapters/postgres/lease.ts'
import { emptyState } from '../../src/core/model/state.ts'
import { memoryLog } from '../harness/system.ts'

type SnapshotsParts = ConstructorParameters<typeof ActorSnapshots>[0]
type LeaseOptions = ConstructorParameters<typeof Lease>[0]

const MINUTE_MS = 60_000

test('snapshots that find no room are told once a minute, with how many were not', async () => {
  const { log, lines } = memoryLog()
  let nowMs = 0
  const parts: Partial<SnapshotsParts> = {
    log,
    clock: { nowMs: () => nowMs },
    snapshots: { coveredSeqOf: () => 0 } as Partial<
      SnapshotsParts['snapshots']
    > as SnapshotsParts['snapshots'],
    segments: { laggards: () => [], segmentCount: () => 1 },
  }
  const snapshots = new ActorSnapshots(parts as SnapshotsParts)
  const fail = (key: string) => {
    const verified = () => Promise.reject(new Error('no room'))
    const actor = {
      key,
      broken: null,
      state: { ...emptyState('a', key), seq: 1 },
      verified,
    } as Partial<Actor> as Actor
    return snapshots.makeLast(actor, () => false)
  }
  for (let at = 0; at < 100; at += 1) await fail(`a/${at}`)
  expect(lines).toHaveLength(1)
  expect(lines[0]?.fields).toEqual({ actor: 'a/0', cause: 'no room' })
  nowMs = MINUTE_MS
  await fail('a/later')
  expect(lines).toHaveLength(2)
  expect(lines[1]?.fields).toMatchObject({ actor: 'a/later', untold: 99 })
  expect(snapshots.failures).toBe(101)
})

test('a lease that fails is told once until that changes, and once a minute', async () => {
  const { log, lines } = memoryLog()
  let nowMs = 0
  let cause = 'refused'
  let work: () => void = () => undefined
  const options: Partial<LeaseOptions> = {
    log,
    monotonicMs: () => nowMs,
    leaseMs: 5000,
    database: { lease: () => Promise.reject(new Error(cause)) },
    schedule: (next) => {
      work = next
      return () => undefined
    },
  }
  new Lease(options as LeaseOptions).keep()
  const again = async (times: number) => {
    for (let at = 0; at < times; at += 1) {
      const before = work
      work()
      for (let steps = 0; work === before && steps < 100; steps += 1) await Promise.resolve()
    }
  }
  await again(20)
  expect(lines).toHaveLength(1)
  cause = 'no such host'
  await again(2)
  expect(lines).toHaveLength(2)
  expect(JSON.stringify(lines[1])).toContain('no such host')
  nowMs = MINUTE_MS
  await again(2)
  expect(lines).toHaveLength(3)
})
