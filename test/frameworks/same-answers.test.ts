import { AsyncBatchedStore, type BaseStore, InMemoryStore } from '@langchain/langgraph-checkpoint'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { governStore } from '../../src/frameworks/langgraph.ts'
import { startEmbedded } from '../harness/embedded.ts'
import { SEED } from '../harness/scale.ts'
import { provingAsync } from '../support/prove.ts'
import { governingClient } from './governing.ts'

// Where governing changes nothing, a store of LangGraph behind ours answers every operation as it does alone: what its own tests
// demand of it (namespaces by prefix, suffix, wildcard and depth; searches by meaning, filter and page; items that are not
// indexed, or by several of their fields; names that are refused; batches) holds for the governed one.

const real = await startEmbedded()
const client = governingClient(() => real)

/** How often each letter stands in a text, as a vector of length one. */
function lettersOf(text: string): number[] {
  const counts = Array.from({ length: 26 }, () => 0)
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97
    if (at in counts) counts[at] = (counts[at] ?? 0) + 1
  }
  const length = Math.hypot(...counts) || 1
  return counts.map((count) => count / length)
}

const embeddings = {
  embedQuery: async (text: string) => lettersOf(text),
  embedDocuments: async (texts: string[]) => texts.map(lettersOf),
}

const WORDS = ['ship on Fridays', 'cook soup', 'paint the door', 'call the plumber', 'soup and bread']
const anyPart = fc.constantFrom('users', 'ada', 'bob', 'notes')
const wrongNames = [[], ['a.b'], ['users', ''], ['langgraph', 'x'], ['users', 'ada.notes']]
const anyNamespace = fc.oneof(
  { weight: 12, arbitrary: fc.array(anyPart, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(...wrongNames) },
)
const anyKey = fc.constantFrom('k1', 'k2', 'k3')
const anyValue = fc.record(
  {
    text: fc.constantFrom(...WORDS),
    tags: fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }),
    day: fc.nat(3),
    isOpen: fc.boolean(),
    deep: fc.record({ said: fc.constantFrom(...WORDS) }),
  },
  { requiredKeys: [] },
)
const anyIndex = fc.constantFrom<(false | string[] | undefined)[]>(
  undefined,
  false,
  ['text'],
  ['tags[*]'],
  ['deep.said'],
)
const anyFilter = fc.constantFrom(
  { day: 1 },
  { isOpen: true },
  { day: { $gte: 2 } },
  { day: { $ne: 0 }, isOpen: false },
)
const anyPage = { limit: fc.nat(6), offset: fc.nat(4) }
const anySearch = fc.record(
  { query: fc.constantFrom(...WORDS, 'b'), filter: anyFilter, ...anyPage },
  { requiredKeys: [] },
)
const anyMatch = fc.array(fc.oneof(anyPart, fc.constantFrom('*', 'a.b')), { minLength: 1, maxLength: 3 })
const anyListing = fc.record(
  { prefix: anyMatch, suffix: anyMatch, maxDepth: fc.integer({ min: 1, max: 4 }), ...anyPage },
  { requiredKeys: [] },
)
const anyOfBatch = fc.oneof(
  fc.record({ namespace: anyNamespace, key: anyKey }),
  fc.record({ namespace: anyNamespace, key: anyKey, value: fc.option(anyValue) }),
  fc.record({ namespacePrefix: anyNamespace, filter: fc.option(anyFilter, { nil: undefined }), ...anyPage }),
)

type Step = (store: BaseStore) => Promise<unknown>
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(anyNamespace, anyKey, anyValue, anyIndex).map(
      (put): Step =>
        (store) =>
          store.put(...put),
    ),
  },
  fc.tuple(anyNamespace, anyKey).map(
    (get): Step =>
      (store) =>
        store.get(...get),
  ),
  fc.tuple(anyNamespace, anyKey).map(
    (gone): Step =>
      (store) =>
        store.delete(...gone),
  ),
  fc.tuple(anyNamespace, anySearch).map(
    (search): Step =>
      (store) =>
        store.search(...search),
  ),
  anyListing.map(
    (listing): Step =>
      (store) =>
        store.listNamespaces(listing),
  ),
  fc.array(anyOfBatch, { maxLength: 4 }).map(
    (batch): Step =>
      (store) =>
        store.batch(Object(batch)),
  ),
  // Asked at the same time, which is one batch where there are batches.
  fc.tuple(anyNamespace, anyNamespace).map(
    ([one, other]): Step =>
      (store) => {
        return Promise.allSettled([
          store.search(one),
          store.get(other, 'k1'),
          store.search(other, { query: 'soup' }),
        ])
      },
  ),
)

/** What a step came to: its answer without times of the clock, or the name of its error. */
async function told(step: Step, store: BaseStore): Promise<unknown> {
  try {
    const answer: unknown = await step(store)
    return JSON.parse(
      JSON.stringify({ answer }, (name, value: unknown) =>
        /^(?:created|updated)At$/.test(name) ? 'a time' : value,
      ),
    )
  } catch (error) {
    return { refused: error instanceof Error ? [error.name, error.message] : error }
  }
}

const fresh = (isIndexed: boolean) =>
  new InMemoryStore(
    isIndexed ? { index: { dims: 26, embeddings: Object(embeddings), fields: ['text', 'tags[*]'] } } : {},
  )
const governed = (inner: BaseStore) =>
  governStore(inner, { client, tenant_id: 'default', scope: 'same-answers' })

test.each([
  ['alone', (store: BaseStore) => store],
  [
    'in batches',
    (store: BaseStore) => {
      const batched = new AsyncBatchedStore(store)
      batched.start()
      return batched
    },
  ],
])('a governed store answers whatever it is asked as the same store without it, %s', async (_how, over) => {
  let shown = 0
  await provingAsync(200, { seed: SEED })(
    fc.boolean(),
    fc.array(anyStep, { minLength: 5, maxLength: 25 }),
    async (isIndexed, steps) => {
      const [bare, behind] = [over(fresh(isIndexed)), over(governed(fresh(isIndexed)))]
      for (const step of steps) {
        const answer = await told(step, bare)
        expect(await told(step, behind)).toEqual(answer)
        if (JSON.stringify(answer).includes('"value"')) shown += 1
      }
      for (const store of [bare, behind]) if (store instanceof AsyncBatchedStore) await store.stop()
    },
  )
  expect(shown).toBeGreaterThan(5)
})
