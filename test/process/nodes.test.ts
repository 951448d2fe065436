import { afterAll, expect, test } from 'vitest'
import { ElasticNodes } from '../harness/cluster/elastic-nodes.ts'

/** How long nodes may take to find each other, and to give and take what belongs to each, on a machine that is busy with other tests. */
const WAIT_MS = 30_000
const SHARE_MAX = 1.3

let cluster: ElasticNodes | null = null
afterAll(async () => {
  await cluster?.close()
})

test('a node that joins under load gets its share, one that dies leaves its own, and nothing is lost, doubled or stale', async () => {
  cluster = await ElasticNodes.start(3, 2, { scopes: 400, workers: 8, pauseMs: 5 })
  const nodes = cluster
  await nodes.join(1)
  await nodes.untilFair(SHARE_MAX, WAIT_MS)
  await nodes.kill(nodes.up[0])
  await nodes.untilFair(SHARE_MAX, WAIT_MS)
  expect(await nodes.faults()).toEqual({ lost: 0, doubled: 0, stale: 0 })
})
