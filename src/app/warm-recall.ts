import { languages } from '../adapters/language/languages.ts'
import { createIndex, type RecallIndex } from '../core/search/index.ts'
import { parseQuery } from '../core/search/query.ts'
import { rank } from '../core/search/rank.ts'
import { rankJob } from '../core/search/rank-job.ts'
import { WINDOW_DOCS } from '../core/search/window.ts'

/** A step takes some milliseconds; after all of them the engine has compiled what a ranking of a large scope runs. */
const STEPS = 64
const RANKINGS_PER_STEP = 2
/** Two windows of documents: one alone is ranked in another way (`core/search/window`). */
export const WARM_DOCS = 2 * WINDOW_DOCS
const LIMIT = 200
const WORDS =
  'deploy gateway session timeout retries upload billing worker cache schema index backup release token queue'.split(
    ' ',
  )

interface Question {
  readonly text: string
  /** By class of a document, of which there are two; null: all are visible. */
  readonly allowed: Uint8Array | null
}

/** One for each way to answer: many postings and few, with documents hidden, and words one slip away. */
export const WARM_QUESTIONS: Readonly<Record<'dense' | 'sparse' | 'hidden' | 'mistyped', Question>> = {
  dense: { text: WORDS.join(' '), allowed: null },
  sparse: { text: 'topic1 topic2 topic3', allowed: null },
  hidden: { text: WORDS.slice(3).join(' '), allowed: Uint8Array.of(1, 0) },
  mistyped: { text: 'gatewax sesion tiemout', allowed: null },
}

/** Makes rankings fast: indexes invented memories and asks them. To be done one after the other. */
export function recallSteps(): (() => void)[] {
  const index = createIndex(languages)
  return Array.from({ length: STEPS }, (_, step) => () => {
    addTo(index, (step + 1) * (WARM_DOCS / STEPS))
    // An index that was read from disk has arrays of another making.
    const asked = step % 2 === 0 ? index : createIndex(languages, index.image())
    for (let ranking = 0; ranking < RANKINGS_PER_STEP; ranking += 1) {
      for (const question of Object.values(WARM_QUESTIONS)) askOf(asked, question)
    }
  })
}

/** How many memories the question finds. */
export function askOf(index: RecallIndex, { text, allowed }: Question): number {
  return rank(rankJob(index, parseQuery(text, languages), { allowed, limit: LIMIT })).docs.length
}

/** Grows the index to so many documents, of which hardly two have the same score. */
export function addTo(index: RecallIndex, docs: number): void {
  for (let doc = index.numbered; doc < docs; doc += 1) {
    const mixed = Math.imul(doc + 1, 0x9e3779b1)
    const words = WORDS.filter((_, place) => ((mixed >>> place) & 3) === 0).join(' ')
    const text = `note${doc} topic${doc % 16} the ${words} ${'more '.repeat(mixed >>> 28)}`
    index.add({
      fields: [{ text: (mixed & 1) === 0 ? text : text + words, weight: 1 }],
      visibilityClass: doc & 1,
    })
  }
}
