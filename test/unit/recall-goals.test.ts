import { describe, expect, test } from 'vitest'
import { goalsOf, verdict } from '../../bench/recall/goals.ts'
import type { PeersReport, QueryFigures, UpkeepFigures } from '../../bench/recall/peers.ts'

const one = (value: number) => ({ median: value, min: value, max: value, samples: [value] })

function query(cpuUs: number, ratio: number, p99Us: number): QueryFigures {
  return { cpuUs: one(cpuUs), ratio: one(ratio), p50Us: p99Us / 2, p99Us }
}

function upkeep(p50Us: number, p99Us: number, bytesPerMemory: number): UpkeepFigures {
  const insert = { p50Us, p99Us, count: 100 }
  const remove = { p50Us: p50Us / 3, p99Us: p99Us / 3, count: 100 }
  const reload = { reloadMs: one(1), warmFirstAnswerMs: one(1.5) }
  return { insert, remove, bytesPerMemory, ...reload }
}

const report: PeersReport = {
  sizes: [
    { memories: 1_000, engines: { memgov: query(60, 1, 90), FlexSearch: query(20, 3, 40) } },
    {
      memories: 100_000,
      engines: {
        memgov: query(800, 1, 1_700),
        FlexSearch: query(6_000, 0.13, 10_000),
        FTS5: query(47_000, 0.017, 80_000),
        MiniSearch: query(40_000, 0.02, 700_000),
      },
    },
  ],
  upkeep: {
    memgov: upkeep(6, 18, 201),
    FlexSearch: upkeep(13, 40, 700),
    MiniSearch: upkeep(9, 30, 1_300),
  },
  missing: {},
}

function seen(reported: PeersReport): Record<string, [number | null, string]> {
  return Object.fromEntries(goalsOf(reported).map((goal) => [goal.name, [goal.seen, verdict(goal)]]))
}

describe('the goals of the comparison', () => {
  test('are met or missed by the figures alone', () => {
    const goals = seen(report)
    expect(goals['processor time of a query at 100000, over FlexSearch']).toEqual([0.13, 'met'])
    expect(goals['processor time of a query at 100000, over FTS5']).toEqual([0.017, 'met'])
    expect(goals['processor time of a query at 100000, over MiniSearch']).toEqual([0.02, 'missed'])
    expect(goals['processor time of a query at 1000, over the fastest peer']).toEqual([3, 'missed'])
    expect(goals['insert p50 at 100000, over the fastest peer']).toEqual([6 / 9, 'missed'])
    expect(goals['insert p99 at 100000, over the fastest peer']).toEqual([18 / 30, 'met'])
    expect(goals['delete p50 at 100000, over the fastest peer']).toEqual([2 / 3, 'missed'])
    expect(goals['delete p99 at 100000, over the fastest peer']).toEqual([6 / 10, 'met'])
    expect(goals['a stored index of 100000, read and checked, to the first answer, warmed, ms']).toEqual([
      1.5,
      'met',
    ])
    expect(goals['bytes of the index per memory at 100000']).toEqual([201, 'met'])
  })

  test('say so when a figure was not measured', () => {
    const goals = seen(report)
    expect(goals['processor time of a query at 10000, over the fastest peer']).toEqual([null, 'not measured'])
  })

  test('without a peer nothing is met over one', () => {
    const { memgov } = report.sizes[1]?.engines ?? {}
    if (memgov === undefined) throw new Error('memgov is in the report')
    const alone = { ...report, sizes: [{ memories: 100_000, engines: { memgov } }] }
    const goals = seen({ ...alone, upkeep: { memgov: upkeep(6, 18, 201) } })
    expect(goals['insert p50 at 100000, over the fastest peer']).toEqual([null, 'not measured'])
    expect(goals['processor time of a query at 100000, over FTS5']).toEqual([null, 'not measured'])
    expect(goals['bytes of the index per memory at 100000']).toEqual([201, 'met'])
  })
})
