import { describe, expect, test } from 'vitest'
import { runFuzz } from '../../bench/fuzz.ts'

const REQUESTS = Number(process.env['MEMGOV_FUZZ_REQUESTS'] ?? 4000)

describe('whatever is sent', () => {
  test('no request is answered with 500, hangs, or breaks what comes after', async () => {
    const report = await runFuzz(REQUESTS, 7)
    expect(report.offences).toEqual([])
    const answered = Object.values(report.byStatus).reduce((sum, count) => sum + count, 0)
    expect(answered).toBe(REQUESTS)
    // A run in which every request is refused at the door would prove nothing.
    expect(report.byStatus['200'] ?? 0).toBeGreaterThan(REQUESTS / 10)
  })
})
