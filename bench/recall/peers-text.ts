import { type Spread, spreadText, tableText } from '../measure.ts'
import { ENGINE_NAMES, ENGINES, type EngineName } from './engines/kinds.ts'
import { type Goal, verdict } from './goals.ts'
import type { ByEngine, PeersReport } from './peers.ts'

/** The tables of the comparison. */
export function peersText(report: PeersReport): string {
  const { rounds, questionsPerRound, isRaw } = report.options
  const given = isRaw
    ? 'every engine reads the raw text'
    : 'peers get the terms of memgov, read outside of the clock'
  return [
    `memgov beside other engines: one process each, ${rounds} rounds of ${questionsPerRound} questions in turn, 200 hits, µs (median [spread]);`,
    `${given}; of its own time memgov takes ${report.readUs.toFixed(1)} µs to read a question`,
    ...report.sizes.flatMap(({ memories, engines }) => [
      '',
      `${memories} memories`,
      tableText([
        ['engine', 'processor time a query', 'memgov over it', 'p50', 'p99', 'asked', 'hits'],
        ...rowsOf(engines, ({ cpuUs, ratio, p50Us, p99Us, asked, meanHits }) => [
          micros(cpuUs),
          spreadText(ratio, 4),
          p50Us.toFixed(0),
          p99Us.toFixed(0),
          String(asked),
          meanHits.toFixed(0),
        ]),
      ]),
    ]),
    '',
    `upkeep at ${Math.max(...report.options.sizes)} memories: µs; bytes of the index; a reload from a file to the first answer, ms`,
    tableText([
      [
        'engine',
        'insert p50',
        'p99',
        'delete p50',
        'p99',
        'of',
        'delete, cpu',
        'bytes a memory',
        'build, cpu a memory',
        'reload',
        'reload, cpu',
        'of it to the first answer',
        'the same, warmed',
      ],
      ...rowsOf(report.upkeep, ({ insert, remove, ...own }) => [
        insert.p50Us.toFixed(1),
        insert.p99Us.toFixed(1),
        remove.p50Us.toFixed(1),
        remove.p99Us.toFixed(1),
        String(remove.count),
        own.removeUs.toFixed(1),
        own.bytesPerMemory.toFixed(0),
        own.buildUs.toFixed(1),
        spreadText(own.reloadMs, 0),
        spreadText(own.reloadCpuMs, 0),
        spreadText(own.firstAnswerMs, 1),
        spreadText(own.warmFirstAnswerMs, 1),
      ]),
    ]),
    '',
    ...ENGINE_NAMES.flatMap((name) => {
      const why = report.missing[name]
      if (why !== undefined) return [`${name} is left out: ${why}`]
      return name in report.upkeep ? [`${name}: ${ENGINES[name].setup}`] : []
    }),
  ].join('\n')
}

export function goalsText(goals: readonly Goal[]): string {
  return tableText([
    ['goal', 'at most', 'seen', ''],
    ...goals.map((goal) => [goal.name, number(goal.most), number(goal.seen), verdict(goal)]),
  ])
}

function rowsOf<Figures>(
  engines: ByEngine<Figures>,
  cells: (figures: Figures) => readonly string[],
): readonly (readonly string[])[] {
  return ENGINE_NAMES.flatMap((name: EngineName) => {
    const figures = engines[name]
    return figures === undefined ? [] : [[name, ...cells(figures)]]
  })
}

function micros(spread: Spread): string {
  return spreadText(spread, spread.median < 100 ? 1 : 0)
}

function number(value: number | null): string {
  if (value === null) return '-'
  return value >= 10 ? value.toFixed(0) : value.toFixed(4)
}
