import type { ByEngine, PeersReport } from './peers.ts'

/** What was aimed at: a figure that may be `most` at most. */
export interface Goal {
  readonly name: string
  readonly most: number
  /** Null: not measured in this run. */
  readonly seen: number | null
}

/** Most of the processor time that a peer takes for the same query, at the largest size. */
const RATIO_GOALS = { FlexSearch: 1 / 5, FTS5: 1 / 25, MiniSearch: 1 / 80 } as const
const LARGE = 100_000
const SMALL = [1_000, 10_000] as const
const INSERT_P50_GOAL = 1 / 2
const REMOVE_P50_GOAL = 1 / 2
const FIRST_ANSWER_MS_GOAL = 2
const BYTES_GOAL = 300

/** Goals of the ranking and its upkeep. */
export function goalsOf(report: PeersReport): readonly Goal[] {
  const at = (memories: number) => report.sizes.find((size) => size.memories === memories)?.engines ?? {}
  const large = at(LARGE)
  const upkeep = large.memgov === undefined ? {} : report.upkeep
  const ratios = Object.entries(RATIO_GOALS).map(([name, most]): Goal => {
    const seen = large[name as keyof typeof RATIO_GOALS]?.ratio.median ?? null
    return { name: `processor time of a query at ${LARGE}, over ${name}`, most, seen }
  })
  const small = SMALL.map((memories): Goal => {
    const seen = overFastest(at(memories), ({ cpuUs }) => cpuUs.median)
    return { name: `processor time of a query at ${memories}, over the fastest peer`, most: 1, seen }
  })
  const insertP50 = overFastest(upkeep, ({ insert }) => insert.p50Us)
  const insertP99 = overFastest(upkeep, ({ insert }) => insert.p99Us)
  const removeP50 = overFastest(upkeep, ({ remove }) => remove.p50Us)
  const removeP99 = overFastest(upkeep, ({ remove }) => remove.p99Us)
  return [
    ...ratios,
    ...small,
    { name: `insert p50 at ${LARGE}, over the fastest peer`, most: INSERT_P50_GOAL, seen: insertP50 },
    { name: `insert p99 at ${LARGE}, over the fastest peer`, most: 1, seen: insertP99 },
    { name: `delete p50 at ${LARGE}, over the fastest peer`, most: REMOVE_P50_GOAL, seen: removeP50 },
    { name: `delete p99 at ${LARGE}, over the fastest peer`, most: 1, seen: removeP99 },
    {
      name: `a stored index of ${LARGE}, read and checked, to the first answer, warmed, ms`,
      most: FIRST_ANSWER_MS_GOAL,
      seen: upkeep.memgov?.warmFirstAnswerMs.median ?? null,
    },
    {
      name: `bytes of the index per memory at ${LARGE}`,
      most: BYTES_GOAL,
      seen: upkeep.memgov?.bytesPerMemory ?? null,
    },
  ]
}

export function verdict({ seen, most }: Goal): 'met' | 'missed' | 'not measured' {
  if (seen === null || Number.isNaN(seen)) return 'not measured'
  return seen <= most ? 'met' : 'missed'
}

/** The figure of memgov over the least of its peers; null without a peer. */
function overFastest<Figures>(
  engines: ByEngine<Figures>,
  figure: (figures: Figures) => number,
): number | null {
  const { memgov, ...peers } = engines
  const least = Math.min(...Object.values(peers).map(figure))
  return memgov === undefined || !Number.isFinite(least) ? null : figure(memgov) / least
}
