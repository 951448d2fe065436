import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languages } from '../../src/adapters/language/languages.ts'
import type { Stemmer } from '../../src/core/search/words.ts'
import { SearchWorkspace } from '../../src/core/search/workspace.ts'
import { proving } from '../support/prove.ts'

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
  const used = new SearchWorkspace(languages)
  proving(1_000)(text, (query) => {
    const first = new SearchWorkspace(languages).query(query)
    expect(used.query(query)).toStrictEqual(first)
    expect(used.query(query)).toStrictEqual(first)
  })
})

test.for([
  ['the connections of the harbour', 'connections'],
  ['les connexions expirées', 'expirées'],
] as const)(
  'a word is stemmed once while it is asked for again and again, and anew when words are forgotten: %s',
  ([query, one]) => {
    const stemmer = newStemmer()
    const search = new SearchWorkspace(stemmer)
    const asked = () => stemmer.asked.filter((word) => word === one)
    search.query(query)
    const once = asked().length
    expect(once).toBeGreaterThan(0)
    search.query(query)
    expect(asked()).toHaveLength(once)
    search.forgetWords()
    search.query(query)
    expect(asked()).toHaveLength(2 * once)
  },
)

test('words are kept up to a bound, and read anew beyond it', () => {
  const stemmer = newStemmer()
  const search = new SearchWorkspace(stemmer)
  const wordOf = (at: number) =>
    `w${at.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)))}`
  const timesAsked = () => {
    search.query('the harbour')
    return stemmer.asked.filter((each) => each === 'harbour').length
  }
  const once = timesAsked()
  for (let at = 0; at < 60_000; at += 1) search.query(`the ${wordOf(at)}`)
  expect(timesAsked()).toBe(once)
  for (let at = 60_000; at < 70_000; at += 1) search.query(`the ${wordOf(at)}`)
  expect(timesAsked()).toBeGreaterThan(once)
})

test('a question of thousands of words is stemmed as far as it is asked', () => {
  const stemmer = newStemmer()
  const words = Array.from(
    { length: 2000 },
    (_, at) => `w${at.toString(26).replace(/\d/g, (d) => 'qrstuvwxyz'.charAt(Number(d)))}`,
  )
  const { terms } = new SearchWorkspace(stemmer).query(words.join(' '))
  expect(terms).toHaveLength(256)
  const asked = new Set(stemmer.asked)
  // One or two of them are stop words of some language.
  expect(words.filter((each) => asked.has(each)).length).toBeLessThan(270)
})

test('a question in two languages asks for the words of both, and for the small words of neither', () => {
  const asked = (question: string): readonly (readonly string[])[] =>
    new SearchWorkspace(languages).query(question).terms.map(({ spellings }) => spellings)
  const mixed = asked('Where are the features computed? Ich muss die Ferien noch einbauen')
  expect(mixed).toHaveLength(4)
  expect(mixed.flat()).toEqual(expect.arrayContaining(['featur', 'comput', 'feri', 'einbau']))
  // Two words may be names.
  expect(asked('Where is the album Die Ich of the band?')).toEqual([['album'], ['die'], ['ich'], ['band']])
})
