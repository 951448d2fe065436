import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languages } from '../../src/adapters/language/languages.ts'
import { forgetQueries, parseQuery } from '../../src/core/search/query.ts'
import type { Stemmer } from '../../src/core/search/word-forms.ts'

/** A stemmer that nothing was asked of yet. */
function newStemmer(): Stemmer & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    stem(word, language) {
      asked.push(word)
      return languages.stem(word, language)
    },
  }
}

const word = fc.oneof(
  fc.constantFrom(
    'the',
    'connections',
    'der',
    'verbindungen',
    'läuft',
    'lauft',
    'Expirées',
    'expirees',
    'expirées',
    'que',
    'código',
    'работает',
  ),
  fc.constantFrom(
    'getUserId',
    'src/auth/session.ts',
    'E_CONN_RESET',
    'TS2345',
    'don’t',
    '接続',
    'well-known',
  ),
  fc.string({ maxLength: 30 }),
)
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '))

test('a query is understood the same whatever was asked before', () => {
  const used = newStemmer()
  fc.assert(
    fc.property(text, (query) => {
      const first = parseQuery(query, newStemmer())
      expect(parseQuery(query, used)).toStrictEqual(first)
      expect(parseQuery(query, used)).toStrictEqual(first)
    }),
    { numRuns: 1_000 },
  )
})

test.for([
  ['the connections of the harbour', 'connections'],
  ['les connexions expirées', 'expirées'],
] as const)(
  'a word is stemmed once while it is asked for again and again, and anew when queries are forgotten: %s',
  ([query, one]) => {
    const stemmer = newStemmer()
    const ask = () => parseQuery(query, stemmer)
    ask()
    expect(stemmer.asked).toContain(one)
    const once = stemmer.asked.length
    ask()
    expect(stemmer.asked).toHaveLength(once)
    forgetQueries(stemmer)
    ask()
    expect(stemmer.asked).toHaveLength(2 * once)
  },
)

test('of many words only the last ones are kept', () => {
  const stemmer = newStemmer()
  const ask = (text: string) => parseQuery(`the ${text}`, stemmer)
  const wordOf = (at: number) =>
    `w${at.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)))}`
  ask('harbour')
  for (let at = 0; at < 4_000; at += 1) ask(wordOf(at))
  const before = stemmer.asked.length
  ask('harbour')
  expect(stemmer.asked).toHaveLength(before)
  for (let at = 4_000; at < 16_000; at += 1) ask(wordOf(at))
  const later = stemmer.asked.length
  ask('harbour')
  expect(stemmer.asked.length).toBeGreaterThan(later)
})
