import { expect, test } from 'vitest'
import type { RankOptions } from '../../src/core/search/rank-job.ts'
import { otherFormsOf } from '../../src/core/search/words.ts'
import { rankedDocs } from '../support/ranked-docs.ts'
import { createIndex, rank, search } from '../support/search.ts'

const ALL: RankOptions = { allowed: null, limit: 10 }

/** Which of the texts a question finds, in their order. */
function found(question: string, texts: readonly string[], options: RankOptions = ALL): readonly number[] {
  const index = createIndex()
  const docs = texts.map((text, place) =>
    index.add({ fields: [{ text, weight: 1 }], visibilityClass: place }),
  )
  const hits = rankedDocs(rank(index.job(search.query(question), options)))
  return docs.flatMap((doc, place) => (hits.some((hit) => hit.doc === doc) ? [place] : []))
}

test('a question finds the short form for the long word and the long word for the short form, and no third word', () => {
  const texts = ['pnpm db:seed makes three shops', 'the database is on another host', 'the data are old']
  expect(found('Which database?', texts)).toEqual([0, 1])
  expect(found('Which db?', texts)).toEqual([0, 1])
  expect(found('Wo ist die Datenbank?', texts)).toEqual([0])
})

test('both ways stand in the table, and no word for itself', () => {
  expect(otherFormsOf('docs')).toEqual(['documentation', 'dokumentation'])
  expect(otherFormsOf('documentation')).toEqual(['docs'])
  expect(otherFormsOf('table')).toEqual([])
  for (const word of ['auth', 'config', 'phone']) {
    expect(otherFormsOf(word)).not.toContain(word)
    for (const other of otherFormsOf(word)) expect(otherFormsOf(other)).toContain(word)
  }
})

test('a form that nobody wrote is not taken for a typo of what somebody wrote', () => {
  expect(found('Which params?', ['el parametr es largo'])).toEqual([])
})

test('a form that only others can see changes nothing: the word is as unknown as without it', () => {
  const seen = { allowed: Uint8Array.of(1, 0), limit: 10 }
  const [typo, hidden] = ['the datbase is full', 'db is full']
  expect(found('database', [typo, hidden], seen)).toEqual([0])
  expect(found('database', [typo, 'nothing else'], seen)).toEqual([0])
})

test('a verb of two words is found as the noun of one, and the other way round only by its first word', () => {
  const texts = ['a rollout is a merge', 'the roll is fresh', 'the cleanup runs at night', 'clean hands']
  expect(found('How do I roll out the app?', texts)).toEqual([0, 1])
  expect(found('Who will clean up here?', texts)).toEqual([2, 3])
  expect(found('Which rollout?', texts)).toEqual([0])
})

test('English words in Spanish and Portuguese questions are found in either number', () => {
  const texts = [
    'Los tests fijan la semilla del generador',
    'El test de la puerta es lento',
    'os logs estão no disco',
  ]
  expect(found('¿Qué hace el test de la semilla?', texts)).toEqual([0, 1])
  expect(found('Onde está o log do servidor?', texts)).toEqual([2])
})
