import { afterAll, expect, test } from 'vitest'
import { FAULT_NAMES } from '../harness/cluster/faults.ts'
import { LEASE_MS } from '../harness/cluster/nodes.ts'
import { ClusterRounds } from '../harness/cluster/rounds.ts'
import { SEED, someOf } from '../harness/scale.ts'

let service: ClusterRounds | null = null
afterAll(async () => {
  await service?.nodes.close()
})

test('whatever happens to a node or the database, what was acknowledged is there once, nothing is stale, and no scope stays refused', async () => {
  service = await ClusterRounds.start({ writers: 4, scopes: 2, workMs: 300 }, [{}, { isClockAhead: true }])
  for (const fault of someOf(FAULT_NAMES, SEED)) {
    const { writes, guides, reads, gapMs } = await service.round(fault)
    expect(Math.min(writes, guides, reads), fault).toBeGreaterThan(0)
    // A machine that is busy with other tests needs longer than the lease and a second.
    if (fault === 'kill') expect(gapMs).toBeLessThan(LEASE_MS + 10_000)
  }
  await service.finish()
})
