import { expect, test } from 'vitest'
import { Metrics } from '../../src/adapters/telemetry/metrics.ts'
import { METRIC_NAMES, vitalsOf } from '../../src/app/telemetry.ts'
import type { Cluster } from '../../src/ports/cluster.ts'

const CLUSTER: Cluster = {
  nodeId: 'me',
  url: 'http://me:1',
  isLeaseValid: () => true,
  nodesAlive: () => 5,
  shardsHeld: () => 205,
  shardsLeaving: () => 7,
  hotShards: () => [
    { shard: 417, perSecond: 80.5 },
    { shard: 3, perSecond: 2 },
  ],
  shardChanges: () => ({ taken: 220, moved: 9, idle: 4, lost: 2 }),
  isStoreReachable: () => true,
  doubt: () => {},
  trust: () => {},
  lookAgain: async () => {},
  nodeAt: () => null,
  storeNowMs: () => 0,
  readByAll: () => 0,
}

async function linesWith(cluster: Cluster | null): Promise<readonly string[]> {
  const metrics = new Metrics(METRIC_NAMES)
  const registry = {
    residentActors: 0,
    residentBytes: 0,
    requestsInside: 0,
    deepestMailbox: 0,
    knownActors: 0,
    waitingLoads: 0,
    leavingActors: 0,
  }
  const journal = { health: () => ({ queuedBytes: 0, writingMs: 0 }) }
  metrics.follow(() => ({
    ...vitalsOf(
      {
        registry: { vitals: () => registry },
        store: { journal, segments: null, cluster } as never,
        compute: { threads: () => 0, waiting: () => 0, waitingUpkeep: () => 0 },
      },
      [],
    ),
  }))
  return (await metrics.text()).split('\n')
}

test('a node tells which shards are asked for most, what became of shards, and how many are to move', async () => {
  const lines = await linesWith(CLUSTER)
  for (const line of [
    'memgov_nodes_alive 5',
    'memgov_shards_held 205',
    'memgov_shards_leaving 7',
    'memgov_hot_shard{rank="1"} 417',
    'memgov_hot_shard{rank="2"} 3',
    'memgov_hot_shard{rank="3"} -1',
    'memgov_hot_shard_requests_per_second{rank="1"} 80.5',
    'memgov_hot_shard_requests_per_second{rank="3"} 0',
    'memgov_shard_changes_total{change="moved"} 9',
    'memgov_shard_changes_total{change="taken"} 220',
  ])
    expect(lines).toContain(line)
})

test('a node that is the only one tells of no shards', async () => {
  const lines = await linesWith(null)
  for (const line of [
    'memgov_nodes_alive 0',
    'memgov_hot_shard{rank="1"} -1',
    'memgov_shard_changes_total{change="taken"} 0',
  ])
    expect(lines).toContain(line)
})
