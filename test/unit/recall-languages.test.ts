import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  everydayWordsOf,
  isStopWordOf,
  LANGUAGES,
  LanguageVotes,
  wordMaskOf,
} from '../../src/core/search/words.ts'
import { rankedDocs } from '../support/ranked-docs.ts'
import { createIndex, rank, search } from '../support/search.ts'

/** Places of the texts that a query finds, the best first. */
function found(texts: readonly string[], query: string): readonly number[] {
  const index = createIndex()
  for (const text of texts) index.add({ fields: [{ text, weight: 1 }], visibilityClass: 0 })
  const job = index.job(search.query(query), { allowed: null, limit: 50 })
  return rankedDocs(rank(job)).map(({ doc }) => doc)
}

const NOTES = [
  'Wir haben die Warteschlangen in Redis verschoben, weil der Speicher nicht reichte.',
  'Les connexions expirées sont fermées par le serveur après trente secondes.',
  'Las migraciones de la base de datos fallaron porque el esquema era antiguo.',
  'As configurações do serviço foram alteradas depois do incidente.',
  'Мы перенесли настройки сервера, потому что старые ключи устарели.',
  'The deployments were failing because the caches had not been cleared.',
]

describe('words of several languages', () => {
  test.each([
    ['German, another ending', 'Welche Warteschlange wurde verschoben?', 0],
    ['German, a keyword alone', 'Warteschlange', 0],
    ['French, another form', 'Pourquoi une connexion est-elle fermée ?', 1],
    ['French, without accents', 'connexion expiree', 1],
    ['Spanish, another form', '¿Por qué falló la migración?', 2],
    ['Spanish, without accents', 'migracion', 2],
    ['Portuguese, another form', 'Que configuração foi alterada?', 3],
    ['Portuguese, a keyword alone', 'configuracoes', 3],
    ['Russian, another case', 'какая настройка сервера перенесена', 4],
    ['Russian, a keyword alone', 'ключами', 4],
    ['English, another form', 'why did the deployment fail', 5],
    ['English, a keyword alone', 'cache', 5],
  ])('%s', (_name, query, place) => {
    expect(found(NOTES, query)[0]).toBe(place)
  })

  test('a short question that may be in either of two languages is asked in both', () => {
    // `was` is a stop word of English and of German.
    expect(found(NOTES, 'Was sind Warteschlangen?')[0]).toBe(0)
    expect(found(['Die Zellen umgeben die Kammern.'], 'Was umgibt Kammern?')).toEqual([0])
  })

  test.each([...LANGUAGES.entries()])(
    'language %i, %s: an everyday word is no stop word and stands once',
    (language) => {
      const words = everydayWordsOf(language)
      expect(words.length).toBeGreaterThan(500)
      expect(words.filter((word) => isStopWordOf(wordMaskOf(word, word), language))).toEqual([])
      expect(new Set(words).size).toBe(words.length)
    },
  )

  test('stop words of the language that a text is in find nothing, and do not count', () => {
    expect(found(NOTES, 'wir haben die in der')).toEqual([])
    expect(found(NOTES, 'les sont par le')).toEqual([])
    expect(found(NOTES, 'мы что')).toEqual([])
  })

  test('a Russian word is stemmed as Russian in a text of any language', () => {
    expect(found(['the table is named настройки in the old schema'], 'настройка')).toEqual([0])
  })

  test('a text is in the language with most of its stop words, at a tie in the first, and without any in none', () => {
    const told = (text: string): string | null => {
      const votes = new LanguageVotes()
      for (const word of text.split(' ')) votes.add(wordMaskOf(word, word))
      const winner = votes.winner()
      return winner === null ? null : (LANGUAGES[winner] ?? null)
    }
    expect(told('der server ist nicht da')).toBe('german')
    expect(told('le serveur ne répond pas')).toBe('french')
    expect(told('el servidor no responde porque está caído')).toBe('spanish')
    expect(told('o servidor não responde porque está parado')).toBe('portuguese')
    expect(told('the server is down')).toBe('english')
    expect(told('redis timeout')).toBeNull()
  })

  test('a document of any language is found by its own text, and gone without a trace when it is removed', () => {
    const anyNote = fc
      .shuffledSubarray(NOTES.join(' ').split(' '), { minLength: 1, maxLength: 20 })
      .map((words) => words.join(' '))
    fc.assert(
      fc.property(fc.array(anyNote, { minLength: 1, maxLength: 6 }), anyNote, (texts, removed) => {
        const index = createIndex()
        const ask = (text: string) =>
          rankedDocs(rank(index.job(search.query(text), { allowed: null, limit: 50 })))
        for (const text of texts) index.add({ fields: [{ text, weight: 1 }], visibilityClass: 0 })
        const before = texts.map(ask)
        const fields = [{ text: removed, weight: 1 }]
        const number = index.add({ fields, visibilityClass: 0 })
        index.remove(number, fields)
        expect(texts.map(ask)).toEqual(before)
        index.compact()
        expect(texts.map(ask)).toEqual(before)
        for (const [place, text] of texts.entries()) {
          const own = ask(text).find(({ doc }) => doc === place)
          if (search.query(text).terms.length > 0) expect(own?.coverage).toBeCloseTo(1, 5)
        }
      }),
      { numRuns: 150 },
    )
  })
})
