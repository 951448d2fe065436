import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type About, oddsOf } from '../../src/core/search/rank-result.ts'
import { prove, proving } from '../support/prove.ts'
import { rankedDocs } from '../support/ranked-docs.ts'
import { createIndex, rank, search } from '../support/search.ts'

const MEMORIES = [
  'The billing service retries uploads three times with exponential backoff.',
  'Staging deploys go through the release train every Tuesday.',
  'Use pnpm in the web repository; npm breaks the lockfile.',
  'Flaky test: src/auth/session.test.ts depends on the wall clock.',
  'Customers in Norway are invoiced in crowns.',
  'E_CONN_RESET from the payment gateway means the idle timeout was hit.',
]

function passing(query: string, memories: readonly string[] = MEMORIES): number[] {
  const index = createIndex()
  for (const text of memories) index.add({ fields: [{ text, weight: 1 }], visibilityClass: 0 })
  const hits = rankedDocs(rank(index.job(search.query(query), { allowed: null, limit: 200 })))
  return hits.filter((hit) => hit.isStrong).map((hit) => hit.doc)
}

describe('the odds that a question is about what memory holds', () => {
  const about: About = { together: 1, coverage: 0.5, terms: 1, known: 3, memories: 100 }

  test.each<[string, Partial<About>]>([
    ['what the best match has of what it needs', { together: 2 }],
    ['its share of the question', { coverage: 0.6 }],
    ['a second word', { terms: 2 }],
    ['a word that memory knows', { known: 4 }],
    ['fewer memories, in which less is alike by chance', { memories: 50 }],
  ])('grow with %s', (_, more) => {
    expect(oddsOf({ ...about, ...more })).toBeGreaterThan(oddsOf(about))
  })

  test('are told of a question without a match, too', () => {
    expect(oddsOf({ ...about, together: 0, coverage: 0, terms: 0 })).toBeLessThan(0)
  })
})

describe('a strong match', () => {
  test.each([
    ['how often are uploads retried in the billing service?', 0],
    ['npm or pnpm for the web repository?', 2],
    ['Why does the deployment pipeline throw E_CONN_RESET at night when nobody touched the cluster?', 5],
    ['please have a look at the problem in src/auth/session.test.ts that came up again yesterday', 3],
  ])('is the memory that %s asks for', (query, doc) => {
    expect(passing(query)[0]).toBe(doc)
  })

  test.each([
    'write a poem about the sea in the style of the old masters',
    'which museum has the largest collection of impressionist paintings?',
    'what did you do, and why was it so?',
    'plan the summer holiday three weeks in Portugal with the children and a tent',
    '',
  ])('is none for "%s"', (query) => {
    expect(passing(query)).toEqual([])
  })

  test('is one that holds all that is asked, though every memory has it', () => {
    const memories = Array.from({ length: 40 }, (_, at) => `deploy note ${at}`)
    expect(passing('deploy', memories)).toHaveLength(40)
    expect(passing('deploy the quarterly budget spreadsheet to the finance archive', memories)).toEqual([])
  })

  test('is one that shares several rare words with a long query', () => {
    const noise = Array.from({ length: 60 }, (_, at) => `unrelated remark ${at} about meeting room ${at % 9}`)
    const prompt = `You are the agent of the finance team. Yesterday evening the nightly export stopped halfway; people
      in several offices complained, mostly because invoices of Norway customers were missing their crowns column, which
      auditors require. Investigate the schedule, compare results with last month, write findings into the ticket,
      propose remedies, estimate effort, and notify stakeholders before lunch.`
    expect(passing(prompt, [...MEMORIES, ...noise])).toEqual([4])
  })

  test('has words that tell something: an everyday word tells less than another that is as rare', () => {
    const noise = Array.from(
      { length: 800 },
      (_, at) => `unrelated remark ${at} about meeting room ${at % 9}`,
    )
    const memories = ['A window.', 'A gasket.', 'One crankshaft.', 'The flywheel.', ...noise]
    expect(passing('window, gasket, crankshaft, flywheel', memories).toSorted((a, b) => a - b)).toEqual([
      1, 2, 3,
    ])
    // Alone it is all that is asked.
    expect(passing('the window', memories)).toEqual([0])
    expect(passing('das Fenster der Turbine', ['Das Fenster.', 'Die Turbine.', ...noise])).toEqual([1])
  })

  test('needs more the more of the question nobody wrote, identifiers too', () => {
    const noise = Array.from(
      { length: 400 },
      (_, at) => `unrelated remark ${at} about meeting room ${at % 9}`,
    )
    const memories = ['The gasket is worn.', ...noise]
    const query = 'gasket and meeting room remark'
    expect(passing(query, memories)).toEqual([0])
    expect(passing(`${query} in src/engine/turbine.ts, unheard, unseen, unspoken, unsung`, memories)).toEqual(
      [],
    )
  })

  test('needs less where memories are short: they share fewer rare words with a question about something else', () => {
    const noise = (words: number): readonly string[] =>
      Array.from(
        { length: 150 },
        (_, at) => `remark ${at} about meeting room ${' of the house'.repeat(words)} ${at % 9}`,
      )
    const query = 'gasket, unheard, unseen'
    expect(passing(query, ['A gasket.', ...noise(1)])).toEqual([0])
    expect(passing(query, ['A gasket.', ...noise(40)])).toEqual([])
  })

  test('needs less when it has all that memory knows of the question, in two words at least', () => {
    const noise = Array.from({ length: 1600 }, (_, at) => `unrelated remark ${at} about room ${at % 9}`)
    const both = ['The gasket of the flywheel.', 'One crankshaft.', ...noise]
    expect(passing('gasket, flywheel, unheard, unseen, unspoken, unsung, unsaid', both)).toEqual([0])
    expect(passing('gasket, flywheel, crankshaft, unheard, unseen, unspoken, unsung, unsaid', both)).toEqual(
      [],
    )
    // One word is shared by chance.
    expect(
      passing('gasket, unheard, unseen, unspoken, unsung', ['A gasket.', ...noise.slice(0, 150)]),
    ).toEqual([])
  })

  test('is none of many words of which no memory has more than one, though all of them are known', () => {
    const noise = Array.from({ length: 60 }, (_, at) => `unrelated remark ${at} about meeting room ${at % 9}`)
    const memories = ['The gasket leaks.', 'A turbine.', 'Two flanges.', 'Old valves.', 'Pumps.', ...noise]
    expect(passing('gasket or turbine', memories)).toEqual([1, 0])
    const title = 'gasket, turbine, flange, valve and pump'
    expect(passing(title, memories)).toEqual([])
    // One that has two of them says that the question is about these things, and so the others may be.
    expect(passing(title, [...memories, 'A gasket in the turbine.'])).toHaveLength(6)
    // An exact identifier is enough of any question.
    expect(passing(`${title} E_LEAK_AT_START`, [...memories, 'E_LEAK_AT_START'])).toContain(memories.length)
  })

  test('asks for the parts of a compound, not for the compound beside them', () => {
    const noise = Array.from({ length: 60 }, (_, at) => `unrelated remark ${at} about meeting room ${at % 9}`)
    const memories = ['The gasket leaks.', ...noise]
    expect(passing('gasket-valve-flange', memories)).toEqual([0])
    expect(passing('gasket-valve-flange-pump-rotor', memories)).toEqual([])
  })

  test('needs a content stem in common with the query', () => {
    const vocabulary = 'alpha bravo charlie delta foxtrot golf hotel india juliett kilo lima mike'.split(' ')
    const other = 'sierra tango uniform victor whiskey yankee zulu getUserId src/x/y.ts E_FAIL 東京'.split(
      ' ',
    )
    const glue = fc.constantFrom('the', 'of', 'and', 'is', "don't")
    const phrase = (words: readonly string[]) =>
      fc.array(fc.oneof(fc.constantFrom(...words), glue), { maxLength: 12 }).map((each) => each.join(' '))
    proving(300)(fc.array(phrase(vocabulary), { maxLength: 30 }), phrase(other), (memories, query) => {
      expect(passing(query, memories)).toEqual([])
    })
  })

  test('is not every match of the list', () => {
    const index = createIndex()
    for (const text of MEMORIES) index.add({ fields: [{ text, weight: 1 }], visibilityClass: 0 })
    const query = search.query(
      'does the billing service retry uploads three times with exponential backoff before a release train?',
    )
    const hits = rankedDocs(rank(index.job(query, { allowed: null, limit: 200 })))
    expect(hits.filter((hit) => hit.isStrong).length).toBeLessThan(hits.length)
    expect(hits.some((hit) => hit.isStrong)).toBe(true)
  })

  test('words that no memory has change neither score nor coverage', () => {
    const index = createIndex()
    for (const text of MEMORIES) index.add({ fields: [{ text, weight: 1 }], visibilityClass: 0 })
    const asked = (query: string) =>
      rankedDocs(rank(index.job(search.query(query), { allowed: null, limit: 200 }))).map(
        ({ doc, score, coverage }) => [doc, score, coverage],
      )
    const plain = asked('retries of uploads in the billing service')
    expect(asked('retries of uploads in the billing service of flurbon zzz/qqq.xy::Xyz')).toEqual(plain)
  })

  test('is weak no longer when the question has more of its words', () => {
    const words = fc.constantFrom(...MEMORIES.join(' ').split(/\W+/))
    prove(fc.array(words, { maxLength: 6 }), words, fc.nat({ max: 5 }), (query, more, doc) => {
      const before = passing(query.join(' '))
      const text = MEMORIES[doc] ?? ''
      if (!before.includes(doc) || !text.includes(more)) return
      expect(passing([...query, text].join(' '))).toContain(doc)
    })
  })
})
