import type { RankingRow } from '../ranking.ts'
import { figureOf, type Outcome, type Series } from '../result.ts'
import type { IndexRow, TextRow } from '../similarity.ts'

type Costs<Row> = readonly (readonly [name: string, unit: string, valueOf: (row: Row) => number])[]

const RANKING: Costs<RankingRow> = [
  ['insert p50', 'µs', (row) => row.insertP50Us],
  ['insert p99', 'µs', (row) => row.insertP99Us],
  ['rank inline p50', 'µs', (row) => row.inlineP50Us],
  ['rank inline p99', 'µs', (row) => row.inlineP99Us],
  ['rank restricted p50', 'µs', (row) => row.restrictedP50Us],
  ['rank in the pool p50', 'µs', (row) => row.poolP50Us],
  ['rank in the pool p99', 'µs', (row) => row.poolP99Us],
  ['asking thread of the pool', 'µs', (row) => row.poolMainUs],
  ['bytes of index a document', 'bytes', (row) => row.bytesPerDoc],
  ['build', 'ms', (row) => row.buildMs],
]

export function rankingOutcome(json: string): Outcome {
  const rows: readonly RankingRow[] = JSON.parse(json)
  return { settings: {}, ...bySize(rows, ({ docs }) => docs, 'documents', RANKING), notes: [] }
}

const INDEX: Costs<IndexRow> = [
  ['add p50', 'µs', (row) => row.addP50Us],
  ['near p50', 'µs', (row) => row.nearP50Us],
  ['near p99', 'µs', (row) => row.nearP99Us],
  ['exact p50', 'µs', (row) => row.exactP50Us],
  ['remove p50', 'µs', (row) => row.removeP50Us],
  ['bytes an entry', 'bytes', (row) => row.bytesPerEntry],
]

interface SimilarityReport {
  readonly texts: readonly TextRow[]
  readonly indexes: readonly IndexRow[]
  readonly pairsMs: number
}

export function similarityOutcome(json: string): Outcome {
  const { texts, indexes, pairsMs }: SimilarityReport = JSON.parse(json)
  const sized = bySize(indexes, ({ entries }) => entries, 'entries', INDEX)
  const share = indexes.map(({ entries, recall }) =>
    figureOf(`recall at 0.8, ${entries} entries`, 'share', [recall], { better: 'higher' }),
  )
  const prints = texts.map(({ script, chars, printUs }) =>
    figureOf(`print of ${chars} ${script} characters`, 'µs', [printUs]),
  )
  const pairs = figureOf('contradictions among 200 texts', 'ms', [pairsMs])
  return {
    settings: {},
    figures: [...prints, ...sized.figures, ...share, pairs],
    series: sized.series,
    notes: [],
  }
}

/** One figure for each cost at each size, and one line for each cost that is a time. */
function bySize<Row>(
  rows: readonly Row[],
  sizeOf: (row: Row) => number,
  sizeName: string,
  costs: Costs<Row>,
): Pick<Outcome, 'figures' | 'series'> {
  return {
    figures: rows.flatMap((row) =>
      costs.map(([name, unit, valueOf]) =>
        figureOf(`${name}, ${sizeOf(row)} ${sizeName}`, unit, [valueOf(row)]),
      ),
    ),
    series: costs
      .filter(([, unit]) => unit === 'µs')
      .map(
        ([name, unit, valueOf]): Series => ({
          name,
          kind: 'cost over size',
          xLabel: sizeName,
          yLabel: unit,
          points: rows.map((row) => [sizeOf(row), valueOf(row)]),
        }),
      ),
  }
}
