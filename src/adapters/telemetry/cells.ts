import { Counter, Histogram, type Registry } from 'prom-client'
import type { MetricRow } from './metric-table.ts'

// Counts stand in typed arrays, a cell for each set of labels that a metric may have. prom-client reads them when
// somebody asks: its own counters and histograms take a microsecond or more for each event and allocate.

type Labels = Readonly<Record<string, string>>

/** Every set of labels of a metric, in an order that the caller knows: the last label changes first. */
export function cellsOf(row: MetricRow): readonly Labels[] {
  let cells: readonly Labels[] = [{}]
  for (const [label, values] of Object.entries(row.labels)) {
    cells = cells.flatMap((cell) => values.map((value) => ({ ...cell, [label]: value })))
  }
  return cells
}

/** The cells of a metric by the words of its labels. */
class LabelWords {
  /** Of each label, the places of its words. */
  readonly #places: readonly ReadonlyMap<string, number>[]

  constructor({ labels }: MetricRow) {
    this.#places = Object.values(labels).map((words) => new Map(words.map((word, place) => [word, place])))
  }

  /** -1 for a word that its label has not. Without a second word the first one tells the cell, without any there is one only. */
  cellOf(first?: string, second?: string): number {
    if (first === undefined) return 0
    const [rows, columns] = this.#places
    const row = rows?.get(first) ?? -1
    if (second === undefined || columns === undefined || row < 0) return row
    const column = columns.get(second)
    return column === undefined ? -1 : row * columns.size + column
  }
}

/** Counts of one metric by cell. */
export class CounterCells {
  readonly #words: LabelWords
  readonly #counts: Float64Array

  constructor(registry: Registry, row: MetricRow, cells: readonly Labels[] = cellsOf(row)) {
    this.#words = new LabelWords(row)
    this.#counts = new Float64Array(cells.length)
    const counts = this.#counts
    const { name, help, labels } = row
    new Counter({
      name,
      help,
      labelNames: Object.keys(labels),
      registers: [registry],
      collect() {
        this.reset()
        for (const [at, cell] of cells.entries()) this.inc(cell, counts[at] ?? 0)
      },
    })
  }

  has(word: string): boolean {
    return this.#words.cellOf(word) >= 0
  }

  /** Without effect for a word that the metric has not. */
  add(first: string, second?: string): void {
    const cell = this.#words.cellOf(first, second)
    if (cell >= 0) this.#counts[cell] = (this.#counts[cell] ?? 0) + 1
  }
}

interface Sample {
  readonly metricName: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

/** Values of one metric by cell, counted in buckets. */
export class HistogramCells {
  readonly #name: string
  readonly #words: LabelWords
  readonly #cells: readonly Labels[]
  readonly #bounds: readonly number[]
  /** The buckets of a cell, the unbounded one last, then those of the next cell. */
  readonly #counts: Float64Array
  readonly #sums: Float64Array

  constructor(registry: Registry, row: MetricRow & { readonly bounds: readonly number[] }) {
    const { name, help, labels, bounds } = row
    this.#name = name
    this.#words = new LabelWords(row)
    this.#cells = cellsOf(row)
    this.#bounds = bounds
    this.#counts = new Float64Array(this.#cells.length * (bounds.length + 1))
    this.#sums = new Float64Array(this.#cells.length)
    const histogram = new Histogram({
      name,
      help,
      labelNames: Object.keys(labels),
      buckets: [...bounds],
      registers: [registry],
    })
    // The registry prints what the metric gives: here the samples of these cells.
    const read = async () => ({ name, help, type: 'histogram', values: this.#samples() })
    Object.assign(histogram, { get: read, getForPromString: read })
  }

  /** Without effect for a word that the metric has not. */
  observe(value: number, first?: string, second?: string): void {
    const cell = this.#words.cellOf(first, second)
    if (cell < 0) return
    const bounds = this.#bounds
    let bucket = 0
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1
    const at = cell * (bounds.length + 1) + bucket
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sums[cell] = (this.#sums[cell] ?? 0) + value
  }

  /** A cell without values is left out: there are many of them. */
  #samples(): readonly Sample[] {
    const bucketName = `${this.#name}_bucket`
    return this.#cells.flatMap((labels, cell) => {
      let count = 0
      const buckets = [...this.#bounds, '+Inf'].map((le, bucket) => {
        count += this.#counts[cell * (this.#bounds.length + 1) + bucket] ?? 0
        return { metricName: bucketName, labels: { ...labels, le }, value: count }
      })
      if (count === 0) return []
      const sum = { metricName: `${this.#name}_sum`, labels, value: this.#sums[cell] ?? 0 }
      return [...buckets, sum, { metricName: `${this.#name}_count`, labels, value: count }]
    })
  }
}
