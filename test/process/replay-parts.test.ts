import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { progressOn } from '../../bench/replay/progress.ts'
import type { Run } from '../../bench/replay/recording.ts'
import { guideBody, observeBody } from '../../bench/replay/requests.ts'
import { type KnownRun, type ShownGuide, tally } from '../../bench/replay/tally.ts'
import { GuideRequest } from '../../src/contract/guide.ts'
import { ObserveRequest } from '../../src/contract/observe.ts'

const runs: readonly KnownRun[] = [
  { taskId: 'a', trial: 0, isSuccess: false, memoryId: 'a-failed' },
  { taskId: 'a', trial: 1, isSuccess: true, memoryId: 'a-succeeded' },
  { taskId: 'b', trial: 0, isSuccess: true, memoryId: 'b-succeeded' },
]
const right: ShownGuide = { taskId: 'a', useNow: ['a-succeeded'], doNotUse: ['a-failed'] }

describe('replay tally', () => {
  test('a guide that shows every run where it belongs breaks nothing', () => {
    expect(tally(runs, [right])).toEqual({
      guides: 1,
      failedInUseNow: 0,
      failedInDoNotUse: { count: 1, of: 1 },
      succeededInUseNow: { count: 1, of: 1 },
      foreignInUseNow: 0,
      broken: [],
    })
  })

  test.each([
    ['a failed run offered for use', { useNow: ['a-succeeded', 'a-failed'] }, { failedInUseNow: 1 }],
    ['a failed run not warned of', { doNotUse: [] }, { failedInDoNotUse: { count: 0, of: 1 } }],
    ['a succeeded run held back', { useNow: [] }, { succeededInUseNow: { count: 0, of: 1 } }],
    [
      "another task's run offered for use",
      { useNow: ['a-succeeded', 'b-succeeded'] },
      { foreignInUseNow: 1 },
    ],
    ['an unknown memory offered for use', { useNow: ['a-succeeded', 'stranger'] }, { foreignInUseNow: 1 }],
  ])('%s breaks exactly one expectation', (_what, change, counted) => {
    const result = tally(runs, [{ ...right, ...change }])
    expect(result).toMatchObject(counted)
    expect(result.broken).toHaveLength(1)
  })
})

const anyRun: fc.Arbitrary<Run> = fc.record({
  taskId: fc.string({ minLength: 1 }).filter((id) => id.trim() !== ''),
  trial: fc.nat(),
  isSuccess: fc.boolean(),
  calls: fc.array(
    fc.record({ name: fc.string({ minLength: 1 }), argumentsText: fc.string({ maxLength: 400 }) }),
    { maxLength: 300, size: 'max' },
  ),
  firstUserMessage: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
})

describe('replay requests', () => {
  test('every run becomes an observe and a guide that the service takes', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const observe = observeBody('scope', run)
        ObserveRequest.parse(observe)
        GuideRequest.parse(guideBody('scope', run))
        expect(observe.execution.summary.length).toBeGreaterThan(0)
        expect(observe.execution.summary.length).toBeLessThanOrEqual(4_000)
        expect(observe.execution.outcome === 'succeeded').toBe(run.isSuccess)
        expect(observe.execution.verifier.status === 'passed').toBe(run.isSuccess)
      }),
      { numRuns: 60 },
    )
  })
})

describe('replay progress', () => {
  const drawn = (isTTY: boolean): string => {
    let text = ''
    const progress = progressOn({ isTTY, write: (piece: string) => (text += piece) }, 2)
    progress.step()
    progress.step()
    progress.clear()
    return text
  }

  test('a terminal sees a bar that fills and goes away', () => {
    const clear = '\r\u001b[2K'
    expect(drawn(true)).toBe(
      `${clear}[${'#'.repeat(15)}${'-'.repeat(15)}] 1/2 requests${clear}[${'#'.repeat(30)}] 2/2 requests${clear}`,
    )
  })

  test('a pipe gets nothing of it', () => {
    expect(drawn(false)).toBe('')
  })
})
