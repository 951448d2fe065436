import { describe, expect, test } from 'vitest'
import { reachableBytes } from '../../bench/fuzz/heap.ts'
import { FLAT_GROWTH_BYTES_MAX, runFuzz } from '../../bench/fuzz.ts'
import { scaled } from '../harness/scale.ts'

const REQUESTS = scaled(4000)

describe('whatever is sent', () => {
  test('no request is answered with 500, hangs, or breaks what comes after, and what stores nothing leaves nothing', async () => {
    const report = await runFuzz(REQUESTS, 7)
    expect(report.offences).toEqual([])
    const answered = Object.values(report.byStatus).reduce((sum, count) => sum + count, 0)
    expect(answered).toBe(REQUESTS)
    // A run in which every request is refused at the door would prove nothing.
    const [stored, ...flat] = report.phases
    expect(stored?.byStatus['200'] ?? 0).toBeGreaterThan(REQUESTS / 20)
    expect(flat.map(({ phase }) => phase)).toEqual(['refused', 'read only', 'repeated'])
    for (const { growthBytes, requests } of flat) {
      expect(growthBytes).toBeLessThan(FLAT_GROWTH_BYTES_MAX)
      expect(requests).toBeGreaterThan(REQUESTS / 10)
    }
  })

  test('the measure of the heap sees what is kept, and that it is gone', async () => {
    const kept: number[][] = []
    const before = await reachableBytes()
    kept.push(Array.from({ length: 500_000 }, (_, at) => at + 0.5))
    const held = await reachableBytes()
    expect(held - before).toBeGreaterThan(FLAT_GROWTH_BYTES_MAX)
    expect(kept.pop()).toHaveLength(500_000)
    expect((await reachableBytes()) - before).toBeLessThan(FLAT_GROWTH_BYTES_MAX / 2)
  })
})
