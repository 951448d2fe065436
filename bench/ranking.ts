import { createComputePool } from '../src/adapters/compute/pool.ts'
import { languages } from '../src/adapters/language/languages.ts'
import type { Query } from '../src/core/search/query.ts'
import { estimateCostNs, INLINE_BELOW_NS } from '../src/core/search/rank-job.ts'
import { type IndexedDoc, SearchIndex } from '../src/core/search/search-index.ts'
import { SearchWorkspace } from '../src/core/search/workspace.ts'
import { isMain } from './measure.ts'
import { mulberry32, sentence, zipfWords } from './synthetic-text.ts'

export interface RankingOptions {
  /** Sizes of the indexes, in documents. */
  readonly sizes: readonly number[]
  readonly queries: number
}

export interface RankingRow {
  readonly docs: number
  readonly buildMs: number
  readonly bytesPerDoc: number
  readonly insertP50Us: number
  readonly insertP99Us: number
  readonly insertMaxUs: number
  readonly estimateUs: number
  /** Whether the estimate sends the median query to the pool. */
  readonly isPooled: boolean
  /** Query text to result, on the asking thread. */
  readonly inlineP50Us: number
  readonly inlineP99Us: number
  /** The same with half of the documents in a class that the consumer does not see. */
  readonly restrictedP50Us: number
  readonly poolP50Us: number
  readonly poolP99Us: number
  /** Time that the asking thread spends on one pooled ranking. */
  readonly poolMainUs: number
}

const DEFAULTS: RankingOptions = { sizes: [1_000, 10_000, 100_000], queries: 400 }
const LIMIT = 200

/** Insert, rank and off-load on synthetic texts of about 200 characters with a Zipf vocabulary. */
export async function run(options: RankingOptions = DEFAULTS): Promise<RankingRow[]> {
  const pool = createComputePool()
  const rows: RankingRow[] = []
  try {
    for (const size of options.sizes) rows.push(await measure(size, options.queries, pool))
  } finally {
    await pool.close()
  }
  return rows
}

async function measure(
  size: number,
  count: number,
  pool: ReturnType<typeof createComputePool>,
): Promise<RankingRow> {
  const random = mulberry32(size)
  const word = zipfWords(random)
  const docs = Array.from({ length: size + 2_000 }, (_, at): IndexedDoc => {
    return { fields: [{ text: sentence(random, word, 34), weight: 1 }], visibilityClass: at & 1 }
  })
  const index = new SearchIndex(new SearchWorkspace(languages))
  const startedAt = performance.now()
  for (const doc of docs.slice(0, size)) index.add(doc)
  const buildMs = performance.now() - startedAt
  const bytesPerDoc = Math.round(index.bytes / size)
  const inserts = docs.slice(size).map((doc) => timeUs(() => index.add(doc)))
  const queries = Array.from({ length: count }, () => index.query(sentence(random, word, 12)))
  for (const query of queries.slice(0, 100)) index.rank(index.job(query, { allowed: null, limit: LIMIT }))
  const inline = queries.map((query) =>
    timeUs(() => index.rank(index.job(query, { allowed: null, limit: LIMIT }))),
  )
  const half = Uint8Array.of(1, 0)
  const restricted = queries.map((query) =>
    timeUs(() => index.rank(index.job(query, { allowed: half, limit: LIMIT }))),
  )
  const estimates = queries.map((query) => estimateCostNs(index.job(query, { allowed: null, limit: LIMIT })))
  const estimateUs = quantile(estimates, 0.5) / 1_000
  const pooled = await measurePool(index, queries, pool)
  return {
    docs: size,
    buildMs: Math.round(buildMs),
    bytesPerDoc,
    insertP50Us: quantile(inserts, 0.5),
    insertP99Us: quantile(inserts, 0.99),
    insertMaxUs: quantile(inserts, 1),
    estimateUs,
    isPooled: estimateUs * 1_000 >= INLINE_BELOW_NS,
    inlineP50Us: quantile(inline, 0.5),
    inlineP99Us: quantile(inline, 0.99),
    restrictedP50Us: quantile(restricted, 0.5),
    ...pooled,
  }
}

async function measurePool(
  index: SearchIndex,
  queries: readonly Query[],
  pool: ReturnType<typeof createComputePool>,
): Promise<Pick<RankingRow, 'poolP50Us' | 'poolP99Us' | 'poolMainUs'>> {
  const ask = (query: Query) => pool.rank(index.job(query, { allowed: null, limit: LIMIT }))
  for (const query of queries.slice(0, 100)) await ask(query)
  const times: number[] = []
  const busyBefore = performance.eventLoopUtilization()
  for (const query of queries) {
    const startedAt = performance.now()
    await ask(query)
    times.push((performance.now() - startedAt) * 1_000)
  }
  const busy = performance.eventLoopUtilization(busyBefore)
  return {
    poolP50Us: quantile(times, 0.5),
    poolP99Us: quantile(times, 0.99),
    poolMainUs: Math.round((busy.active * 1_000) / queries.length),
  }
}

function timeUs(work: () => unknown): number {
  const startedAt = performance.now()
  work()
  return (performance.now() - startedAt) * 1_000
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}

const QUICK: RankingOptions = { sizes: [1_000, 5_000], queries: 100 }

if (isMain(import.meta.url)) {
  const rows = await run(process.argv.includes('--quick') ? QUICK : DEFAULTS)
  if (process.argv.includes('--json')) console.log(JSON.stringify(rows))
  else console.table(rows)
}
