import { languages } from '../adapters/language/languages.ts'
import { createIndex, type RecallIndex } from '../domain/recall/index.ts'
import { parseQuery } from '../domain/recall/query.ts'
import { rank } from '../domain/recall/rank.ts'
import { rankJob } from '../domain/recall/rank-job.ts'

/** A step takes some milliseconds; after all of them the engine has compiled what a ranking of a large scope runs. */
const STEPS = 32
const RANKINGS_PER_STEP = 3
const DOCS = 6_400
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
    addTo(index, (step + 1) * (DOCS / STEPS))
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

/** Grows the index to so many documents. */
export function addTo(index: RecallIndex, docs: number): void {
  for (let doc = index.numbered; doc < docs; doc += 1) {
    const words = WORDS.filter((_, place) => (doc + place * place) % 3 !== 0)
    index.add({
      fields: [{ text: `note${doc} topic${doc % 16} the ${words.join(' ')}`, weight: 1 }],
      visibilityClass: doc & 1,
    })
  }
}
