import { afterAll, expect, test } from 'vitest'
import { ElasticNodes } from '../harness/cluster/elastic-nodes.ts'
import { LEASE_MS } from '../harness/cluster/nodes.ts'
import { killProcesses } from '../harness/process.ts'

/** How long nodes may take to find each other, and to give and take what belongs to each. */
const WAIT_MS = 5_000

let cluster: ElasticNodes | null = null
afterAll(async () => {
  await cluster?.close()
  await killProcesses()
})

test('a node that joins under load gets its share, one that dies leaves its own, and nothing is lost, doubled or stale', async () => {
  cluster = await ElasticNodes.start(3, 2, { scopes: 400, workers: 8, pauseMs: 5 })
  const nodes = cluster
  const joined = await nodes.step('a third joins', () => nodes.join(1), WAIT_MS)
  expect(joined).toMatchObject({ nodes: 3 })
  expect(joined.mostShards).toBeLessThan(1.3)
  const killed = await nodes.step('one dies', () => nodes.kill(nodes.up[0]), LEASE_MS)
  expect(killed).toMatchObject({ nodes: 2 })
  expect(await nodes.faults()).toEqual({ lost: 0, doubled: 0, stale: 0 })
})
