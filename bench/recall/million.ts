import { ComputePool } from '../../src/adapters/compute/pool.ts'
import { languages } from '../../src/adapters/language/languages.ts'
import type { Query } from '../../src/core/search/query.ts'
import { SearchIndex } from '../../src/core/search/search-index.ts'
import { SearchWorkspace } from '../../src/core/search/workspace.ts'
import { quantile, timesUs } from '../measure.ts'
import { type Figure, figureOf } from '../result.ts'
import { mulberry32, sentence, zipfWords } from '../synthetic-text.ts'
import { HITS } from './engines/engine.ts'

const MEMORIES = 1_000_000
const QUESTIONS = 500
/** The engine compiles for the worker's thread as long, and its helpers take turns with the asking thread on two cores. */
const WARM = 300
const MEMORY_WORDS = 34
const QUESTION_WORDS = 12
const P50_GOAL = { bound: 'most', value: 12_000 } as const
const P99_GOAL = { bound: 'most', value: 25_000 } as const

/** One index of a million memories: ranking where it is asked for and in the pool. */
export async function millionFigures(): Promise<Figure[]> {
  const random = mulberry32(MEMORIES)
  const word = zipfWords(random)
  const index = new SearchIndex(new SearchWorkspace(languages))
  for (let doc = 0; doc < MEMORIES; doc += 1) {
    index.add({ fields: [{ text: sentence(random, word, MEMORY_WORDS), weight: 1 }], visibilityClass: 0 })
  }
  const questions = Array.from({ length: QUESTIONS }, () =>
    index.query(sentence(random, word, QUESTION_WORDS)),
  )
  const job = (query: Query) => index.job(query, { allowed: null, limit: HITS })
  const inline = await timesUs(questions, (query) => index.rank(job(query)))
  const pool = new ComputePool()
  try {
    await timesUs(questions.slice(0, WARM), (query) => pool.rank(job(query)))
    const pooled = await timesUs(questions, (query) => pool.rank(job(query)))
    return [
      figureOf('a million memories, bytes of index a memory', 'bytes', [index.bytes / index.docCount]),
      figureOf('a million memories, ranking where it is asked for, p50', 'µs', [quantile(inline, 0.5)]),
      figureOf('a million memories, ranking in the pool, p50', 'µs', [quantile(pooled, 0.5)], {
        goal: P50_GOAL,
      }),
      figureOf('a million memories, ranking in the pool, p99', 'µs', [quantile(pooled, 0.99)], {
        goal: P99_GOAL,
      }),
    ]
  } finally {
    await pool.close()
  }
}
