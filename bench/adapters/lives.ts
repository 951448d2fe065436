import { FULL as COLD, COLD_P99_GOAL_MS, type ColdReport } from '../cold-scopes.ts'
import type { LoopWhile } from '../large/loop.ts'
import {
  FULL as LARGE,
  type LargeReport,
  LOOP_GOAL_MS,
  LOOP_MAX_GOAL_MS,
  MANY_SCOPES_GOAL_MS,
  ONE_SCOPE_GOAL_MS,
} from '../large.ts'
import {
  EMBEDDED_GOAL_US,
  GUIDE_GOAL,
  GUIDE_TAIL_GOAL,
  type LoopReport,
  OBSERVE_GOAL,
} from '../loop/report.ts'
import { GOAL_MEMORIES, GOAL_MS, type RestartReport } from '../restart.ts'
import { figureOf, type Outcome } from '../result.ts'
import type { SnapshotBench } from '../snapshot.ts'
import { vitalsFigures } from '../suite/vitals.ts'

export function loopOutcome(json: string): Outcome {
  const report: LoopReport = JSON.parse(json)
  const { memories, rounds, opsPerRound, warmOps, guideAnswerBytes, guideRatio, observeRatio } = report
  const samples = rounds * opsPerRound
  const times = [
    ['guide', report.guideUs, 'guide'],
    ['echo of the size of a guide', report.guideEchoUs, 'guideEcho'],
    ['guide embedded, without durability', report.embeddedUs, 'embedded'],
    ['guide embedded, without durability, after a pause', report.embeddedPausedUs, 'embeddedPaused'],
    ['bare ranking', report.rankingUs, 'ranking'],
    ['bare flush', report.flushUs, 'flush'],
    ['durable observe', report.observeUs, 'observe'],
    ['echo of the size of an observe', report.observeEchoUs, 'observeEcho'],
  ] as const
  const ratios = [
    ['guide over echo, ranking and flush', guideRatio, GUIDE_GOAL],
    ['observe over echo and flush', observeRatio, OBSERVE_GOAL],
  ] as const
  return {
    settings: { memories, rounds, opsPerRound, warmOps, guideAnswerBytes },
    figures: [
      ...times.map(([name, spread, key]) => {
        const { percentiles } = report.distributions[key]
        const goal = { goal: { bound: 'most', value: EMBEDDED_GOAL_US } } as const
        const known = { samples, percentiles }
        return figureOf(name, 'µs', spread.samples, key === 'embedded' ? { ...known, ...goal } : known)
      }),
      ...ratios.map(([name, ratio, value]) =>
        figureOf(name, 'ratio', ratio.rounds.samples, { samples, goal: { bound: 'most', value } }),
      ),
      ...ratios.map(([name, ratio, value]) =>
        figureOf(`${name}, undisturbed`, 'ratio', [ratio.undisturbed], {
          samples,
          goal: { bound: 'most', value },
        }),
      ),
      figureOf(
        'p99 of a guide over three of the echo and one of the flush',
        'ratio',
        [report.guideTailRatio],
        {
          samples,
          goal: { bound: 'most', value: GUIDE_TAIL_GOAL },
        },
      ),
      ...vitalsFigures('of the service', report.vitals, report.requests),
    ],
    series: times.map(([name, , key]) => ({
      name,
      kind: 'cdf',
      xLabel: 'µs',
      yLabel: 'share of requests',
      points: [...report.distributions[key].cdf],
    })),
    notes: [],
  }
}

export function restartOutcome(json: string): Outcome {
  const { memories, rounds, rows }: RestartReport = JSON.parse(json)
  return {
    settings: { memories, rounds },
    figures: rows.flatMap(({ folder, listening, firstGuide, parts }) => [
      figureOf(`${folder}, listening`, 'ms', listening.samples),
      figureOf(
        `${folder}, first guide`,
        'ms',
        firstGuide.samples,
        folder === 'empty' || memories < GOAL_MEMORIES ? {} : { goal: { bound: 'most', value: GOAL_MS } },
      ),
      ...Object.entries(parts ?? {}).flatMap(([name, part]) =>
        typeof part === 'object' ? [figureOf(`${folder}, ${name}, processor time`, 'ms', [part.cpuMs])] : [],
      ),
    ]),
    series: [],
    notes: [],
  }
}

export function largeOutcome(json: string): Outcome {
  const { memories, scopes, rounds, oneScopeMs, manyScopesMs, loops }: LargeReport = JSON.parse(json)
  const isFull = memories >= LARGE.memories && scopes >= LARGE.scopes
  const most = (value: number) => (isFull ? { goal: { bound: 'most' as const, value } } : {})
  const loopFigures = (during: string, loop: LoopWhile) => [
    figureOf(`${during}, it took`, 'ms', [loop.durationMs]),
    figureOf(
      `${during}, p99 above an idle loop`,
      'ms',
      [loop.busyP99Ms - loop.idleP99Ms],
      most(LOOP_GOAL_MS),
    ),
    figureOf(`${during}, longest`, 'ms', [loop.busyMaxMs], most(LOOP_MAX_GOAL_MS)),
    figureOf(`${during}, the longest, held by the collector`, 'ms', [loop.longest.collectorMs]),
    figureOf(`${during}, the longest, waiting for a processor`, 'ms', [loop.longest.waitingMs ?? 0]),
    figureOf(`${during}, most processor time in a block`, 'ms', [
      loop.busiest.processorMs ?? loop.busiest.ms,
    ]),
  ]
  return {
    settings: { memories, scopes, rounds },
    figures: [
      figureOf('first guide, one scope', 'ms', oneScopeMs.samples, most(ONE_SCOPE_GOAL_MS)),
      figureOf('first guide, many scopes', 'ms', manyScopesMs.samples, most(MANY_SCOPES_GOAL_MS)),
      ...loopFigures('event loop during a snapshot', loops.shutdown),
      ...loopFigures('event loop during an erasure', loops.erasure),
    ],
    series: [],
    notes: [],
  }
}

export function snapshotOutcome(json: string): Outcome {
  const { snapshots, start }: SnapshotBench = JSON.parse(json)
  const lines = [
    ['write', (row: SnapshotBench['snapshots'][number]) => row.writeMs],
    ['longest block of a write', (row: SnapshotBench['snapshots'][number]) => row.writeBlockMs],
    ['read', (row: SnapshotBench['snapshots'][number]) => row.readMs],
    ['longest block of a read', (row: SnapshotBench['snapshots'][number]) => row.readBlockMs],
  ] as const
  return {
    settings: { actors: start.actors },
    figures: [
      ...snapshots.flatMap((row) => [
        ...lines.map(([name, of]) => figureOf(`${name}, ${row.rows} rows`, 'ms', of(row).samples)),
        figureOf(`bytes a row, ${row.rows} rows`, 'bytes', [row.bytesPerRow]),
      ]),
      figureOf(`start with ${start.actors} actors`, 'ms', start.openMs.samples),
    ],
    series: lines.map(([name, of]) => ({
      name,
      kind: 'cost over size',
      xLabel: 'rows',
      yLabel: 'ms',
      points: snapshots.map((row) => [row.rows, of(row).median]),
    })),
    notes: [],
  }
}

export function coldScopesOutcome(json: string): Outcome {
  const report: ColdReport = JSON.parse(json)
  const { scopes, memories, resident, guides, residentBytes } = report
  const kinds = [
    ['a cold scope', report.cold],
    ['a cold scope, processor time', report.coldCpu],
    ['the same scope again', report.warm],
  ] as const
  // The goal is one of the whole size.
  const goal = scopes < COLD.scopes ? {} : { goal: { bound: 'most', value: COLD_P99_GOAL_MS } as const }
  return {
    settings: { scopes, memories, resident, guides },
    figures: [
      ...kinds.flatMap(([name, { p50, p99, max }], at) => [
        figureOf(`${name}, p50`, 'ms', [p50], { samples: guides }),
        figureOf(`${name}, p99`, 'ms', [p99], { samples: guides, ...(at === 0 ? goal : {}) }),
        figureOf(`${name}, longest`, 'ms', [max], { samples: guides }),
      ]),
      figureOf('resident set', 'MiB', [residentBytes / 1024 ** 2]),
    ],
    series: [],
    notes: [],
  }
}
