import { expect, test } from 'vitest'
import { languages } from '../../src/adapters/language/languages.ts'
import type { RankOptions } from '../../src/core/search/rank-job.ts'
import { RelatedWords } from '../../src/core/search/related-words.ts'
import { spellingsOf } from '../../src/core/search/words.ts'
import {
  RELATED_ENGLISH,
  RELATED_FRENCH,
  RELATED_GERMAN,
  RELATED_SPANISH,
} from '../../src/core/text/related-words.ts'
import { fold } from '../../src/core/text/unicode.ts'
import { rankedDocs } from '../support/ranked-docs.ts'
import { createIndex, rank, search } from '../support/search.ts'

const ALL: RankOptions = { allowed: null, limit: 10 }

/** Of the texts that a question finds, by their place: the score, and what of it was asked for. */
function found(question: string, texts: readonly string[], options: RankOptions = ALL) {
  const index = createIndex()
  const docs = texts.map((text, place) =>
    index.add({ fields: [{ text, weight: 1 }], visibilityClass: place }),
  )
  const hits = rankedDocs(rank(index.job(search.query(question), options)))
  return hits.map(({ doc, score, coverage, matchedTerms, isStrong }) => {
    return { place: docs.indexOf(doc), score, coverage, matchedTerms, isStrong }
  })
}

function placesOf(question: string, texts: readonly string[], options: RankOptions = ALL): readonly number[] {
  return found(question, texts, options).map(({ place }) => place)
}

test('a question finds what says the same in another word, behind what has its own', () => {
  const texts = ['the surgery went well', 'my operation is on Monday', 'the bread was good']
  expect(placesOf('When was the surgery?', texts)).toEqual([0, 1])
  expect(placesOf('Wann ist die Prüfung?', ['die Klausur ist am Montag', 'das Brot war gut'])).toEqual([0])
  expect(placesOf('Où est le chien ?', ['le chiot est dans la rue', 'le pain est bon'])).toEqual([0])
  expect(placesOf('¿Dónde está el coche?', ['el auto está en la calle', 'el pan es bueno'])).toEqual([0])
})

test('who asks for a kind finds one of the kind, and not the other way round', () => {
  expect(placesOf('Which instrument?', ['she plays the cello'])).toEqual([0])
  expect(placesOf('Which cello?', ['she plays an instrument'])).toEqual([])
})

test('a related word covers nothing of the question, and is no match without a word of it', () => {
  const [hit] = found('Which surgery?', ['my operation is on Monday', 'the bread was good'])
  expect(hit).toMatchObject({ coverage: 0, matchedTerms: 0, isStrong: false })
  const [both] = found('Which surgery?', ['surgery of the operation', 'the bread was good'])
  expect(both).toMatchObject({ coverage: 1, matchedTerms: 1 })
})

test('a memory that holds a word of the question shows by a related one, too, that it is about what is asked', () => {
  const others = Array.from(
    { length: 300 },
    (_, note) => `note ${note} about ${note % 9} ${'of the house '.repeat(9)}`,
  )
  const isStrong = (memory: string): boolean | undefined =>
    found('When was the surgery of Anna zorv?', [memory, ...others]).find(({ place }) => place === 0)
      ?.isStrong
  expect([isStrong('Anna was there'), isStrong('Anna had an operation there')]).toEqual([false, true])
})

test('a word that the question names itself is no related one, and one of two words counts once', () => {
  const texts = ['a trip', 'a journey', 'bread']
  const [trip, journey] = found('trip', texts)
  expect(found('trip journey', texts)).toMatchObject([{ score: trip?.score }, { score: trip?.score }])
  expect(journey?.score).toBeLessThan(trip?.score ?? 0)
  expect(found('trip tour', texts).find(({ place }) => place === 1)?.score).toBe(journey?.score)
})

test('a related word that only others can see changes nothing', () => {
  const seen = { allowed: Uint8Array.of(1, 0), limit: 10 }
  const texts = (hidden: string): readonly string[] => ['my operation is on Monday', hidden]
  const without = found('surgery', texts('the bread'), seen)
  expect(found('surgery', texts('the operation'), seen)).toEqual(without)
  expect(found('surgery', texts('the surgery'), seen)).toEqual(without)
})

test('a memory has one word for what is asked: the word itself, or one of those related to it', () => {
  const own = found('surgery', ['surgery bread', 'surgery operation'])
  expect(own[0]?.score).toBe(own[1]?.score)
  const related = found('trip', ['journey tour', 'journey bread', 'tour bread'])
  expect(new Set(related.map(({ score }) => score)).size).toBe(1)
  expect(found('trip surgery', ['journey operation', 'journey bread', 'bread operation'])[0]?.place).toBe(0)
})

test('a related word counts less than the word that was asked for, however rare it is', () => {
  const hits = found('surgery', ['surgery one', 'surgery two', 'surgery three', 'operation four'])
  const [surgery, operation] = [0, 3].map((wanted) => hits.find(({ place }) => place === wanted)?.score ?? 0)
  expect(operation).toBeLessThan(surgery ?? 0)
})

test('a related word that is everywhere is not read, nor one of a word that is', () => {
  const texts = (word: string, count: number): readonly string[] => [
    'my operation is on Monday',
    ...Array.from({ length: count }, () => word),
    ...Array.from({ length: 40 }, () => 'the bread was good'),
  ]
  expect(placesOf('surgery', texts('bread', 17))).toEqual([0])
  expect(placesOf('surgery', texts('operation', 17))).toEqual([])
  expect(placesOf('surgery', texts('surgery', 17))).not.toContain(0)
  expect(found('surgery', texts('operation', 15))).toHaveLength(10)
})

test('a question of more terms than are scanned asks for its own words only', () => {
  const many = Array.from(
    { length: 32 },
    (_, number) => `term${'abcdefghijklmnopqrstuvwxyzabcdef'.charAt(number)}${number}x`,
  )
  const texts = [many.join(' '), 'my operation']
  expect(placesOf(`surgery ${many.slice(0, 31).join(' ')}`, texts)).toContain(1)
  expect(placesOf(`surgery ${many.join(' ')}`, texts)).not.toContain(1)
})

test.each([RELATED_ENGLISH, RELATED_GERMAN, RELATED_FRENCH, RELATED_SPANISH])(
  'each line of the table has two sides or two words',
  (lines) => {
    for (const line of lines.split('|')) {
      const words = line.split(/[\s>]+/).filter((word) => word !== '')
      expect(words.length).toBeGreaterThan(1)
      expect(new Set(words).size, line).toBe(words.length)
      expect(line).toMatch(/^[\s\p{Ll}]+(>[\s\p{Ll}]+)?$/u)
    }
  },
)

test('every word of the table that asks finds its line, though only what begins alike is looked at', () => {
  const lists = [RELATED_ENGLISH, RELATED_GERMAN, RELATED_FRENCH, RELATED_SPANISH]
  for (const [language, lines] of lists.entries()) {
    const spell = (word: string): string => spellingsOf(word, fold(word), languages, language)[0] ?? ''
    const related = new RelatedWords(lines, spell)
    for (const line of lines.split('|')) {
      const [asking = [], answering = asking] = line
        .split('>')
        .map((side) => side.trim().split(/\s+/).map(spell))
      for (const word of asking)
        expect(related.of(word), word).toEqual(
          expect.arrayContaining(answering.filter((other) => other !== word)),
        )
    }
  }
})

test('a word that mostly means something else in talk finds no rare sense of it', () => {
  for (const [question, text] of [
    ['Where does Mark live?', 'the grade was a score'],
    ['Which page is broken?', 'the alarm rang'],
    ['Show me the address.', 'the concert was at this hostname'],
    ['Which team is the patient in?', 'a pet and its driver'],
    ['Which part is new in this version?', 'a tag and a spare'],
  ] as const)
    expect(placesOf(question, [text])).toEqual([])
  expect(placesOf('Which grade?', ['the score was good'])).toEqual([0])
})
