import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createComputePool } from '../../src/adapters/compute/pool.ts'
import { languages } from '../../src/adapters/language/languages.ts'
import type { Query } from '../../src/core/search/query.ts'
import { SearchIndex } from '../../src/core/search/search-index.ts'
import { SearchWorkspace } from '../../src/core/search/workspace.ts'
import { quantile, tableText, timesUs } from '../measure.ts'
import { mulberry32, sentence, zipfWords } from '../synthetic-text.ts'
import { HITS } from './engines/engine.ts'
import { type LoopDelay, loopDelayOf } from './loop-delay.ts'

export interface LargeReport {
  readonly memories: number
  readonly bytesPerMemory: number
  readonly inlineP50Us: number
  readonly inlineP99Us: number
  readonly pooledP50Us: number
  readonly pooledP99Us: number
  /** How late timers are where rankings are asked of the pool, and at the same time in a process without work. */
  readonly delay: LoopDelay
  readonly idleDelay: LoopDelay
}

const MEMORIES = 1_000_000
const QUESTIONS = 500
/** The engine compiles for the worker's thread as long, and its helpers take turns with the asking thread on two cores. */
const WARM = 300
const MEMORY_WORDS = 34
const QUESTION_WORDS = 12

/** One index of a million memories: ranking where it is asked for and in the pool. */
export async function largeReport(): Promise<LargeReport> {
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
  return {
    memories: MEMORIES,
    bytesPerMemory: index.bytes / index.docCount,
    inlineP50Us: quantile(inline, 0.5),
    inlineP99Us: quantile(inline, 0.99),
    ...(await pooled(index, questions)),
  }
}

async function pooled(index: SearchIndex, questions: readonly Query[]) {
  const pool = createComputePool()
  const idle = fork(fileURLToPath(new URL('./loop-delay.js', import.meta.url)))
  try {
    const ask = (query: Query) => pool.rank(index.job(query, { allowed: null, limit: HITS }))
    await timesUs(questions.slice(0, WARM), ask)
    let times: readonly number[] = []
    const delay = await loopDelayOf(async () => {
      times = await timesUs(questions, ask)
    })
    const said = once(idle, 'message')
    idle.send('end')
    const [idleDelay] = (await said) as [LoopDelay]
    return {
      pooledP50Us: quantile(times, 0.5),
      pooledP99Us: quantile(times, 0.99),
      delay,
      idleDelay,
    }
  } finally {
    idle.kill()
    await pool.close()
  }
}

export function largeText(report: LargeReport): string {
  const ms = (micros: number): string => (micros / 1_000).toFixed(2)
  return [
    `${report.memories} memories, ${report.bytesPerMemory.toFixed(0)} bytes of index each; ms`,
    tableText([
      ['', 'p50', 'p99', 'most'],
      ['ranking where it is asked for', ms(report.inlineP50Us), ms(report.inlineP99Us), ''],
      ['ranking in the pool', ms(report.pooledP50Us), ms(report.pooledP99Us), ''],
      ['  timers of the asking thread late by', '', ms(report.delay.p99Us), ms(report.delay.mostUs)],
      ['  timers of an idle process late by', '', ms(report.idleDelay.p99Us), ms(report.idleDelay.mostUs)],
    ]),
  ].join('\n')
}
