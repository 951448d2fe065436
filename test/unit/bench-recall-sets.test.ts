import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Bm25 } from '../../bench/recall-sets/bm25.ts'
import { foundIn, pairedInterval, valuesOf } from '../../bench/recall-sets/found.ts'
import { shownShares } from '../../bench/recall-sets/measured.ts'
import { readerOf } from '../../bench/recall-sets/reader.ts'
import { readSets } from '../../bench/recall-sets/sets.ts'
import { dataFolder } from '../harness/data-folder.ts'

const folder = dataFolder()

function write(name: string, rows: readonly object[]): void {
  writeFileSync(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
}

describe('figures of question sets', () => {
  test('recall is the share of the evidence among the first, MRR goes by the first evidence', () => {
    const ranked = Array.from({ length: 30 }, (_, place) => `m${place}`)
    expect(foundIn(ranked, ['m1', 'm7', 'm15', 'gone'])).toEqual({
      measures: [1 / 4, 2 / 4, 3 / 4, 1 / 2],
      isEmpty: false,
    })
    expect(foundIn(ranked, ['gone']).measures).toEqual([0, 0, 0, 0])
    expect(foundIn([], ['m1'])).toEqual({ measures: [0, 0, 0, 0], isEmpty: true })
    expect(valuesOf([foundIn(ranked, ['m4']), foundIn(ranked, ['m5'])], 'recall@5')).toEqual([1, 0])
  })

  test('an interval is paired: a difference that all questions share has no width', () => {
    const theirs = Array.from({ length: 40 }, (_, at) => (at % 7) / 7)
    const { low, mean, high } = pairedInterval(
      theirs.map((value) => value + 0.25),
      theirs,
    )
    for (const end of [low, mean, high]) expect(end).toBeCloseTo(0.25, 12)
  })

  test('an interval holds the mean, is as wide as the normal one, and is the same every time', () => {
    const ours = Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? 1 : 0))
    const theirs = ours.map(() => 0)
    const interval = pairedInterval(ours, theirs)
    expect(interval.mean).toBe(0.5)
    // 1.96 standard errors of 0.5 / √400.
    expect(interval.low).toBeCloseTo(0.5 - 0.049, 2)
    expect(interval.high).toBeCloseTo(0.5 + 0.049, 2)
    expect(pairedInterval(ours, theirs)).toEqual(interval)
    expect(() => pairedInterval([1], [])).toThrow(RangeError)
    expect(() => pairedInterval([], [])).toThrow(RangeError)
  })

  test('foreign questions are counted once for each surface that shows them anything', () => {
    const shown = [
      [2, 0, 0, 0],
      [1, 3, 0, 0],
      [0, 0, 0, 0],
      [0, 0, 0, 1],
    ]
    expect(shownShares(shown)).toEqual([0.5, 0.25, 0, 0.25, 0.75])
    expect(shownShares([])).toEqual([0, 0, 0, 0, 0])
  })
})

describe('reading question sets', () => {
  test('a set with runs is asked with and without them; evidence that nobody wrote is left out', () => {
    mkdirSync(join(folder, 'recall', 'notes-en'), { recursive: true })
    write('recall/notes-en/corpus.jsonl', [
      { id: 'a', text: 'one', run: 'r' },
      { id: 'b', text: 'two' },
    ])
    write('recall/notes-en/queries.jsonl', [
      { id: 'q', text: 'which?', rel: ['b', 'gone'] },
      { id: 'p', text: 'what?', rel: ['gone'] },
    ])
    writeFileSync(join(folder, 'recall', 'notes-en', 'meta.json'), '{"language":"en"}')
    const sets = readSets(folder)
    expect(sets.map(({ name, family, language }) => [name, family, language])).toEqual([
      ['notes-en, run', 'notes', 'en'],
      ['notes-en, bare', 'notes', 'en'],
    ])
    const [withRun, bare] = sets.map(({ scopes }) => scopes[0])
    expect(withRun?.memories.map(({ run }) => run)).toEqual(['r', null])
    expect(bare?.memories.map(({ run }) => run)).toEqual([null, null])
    expect(bare?.questions).toEqual([{ text: 'which?', evidence: ['b'] }])
  })

  test('each dialogue is a scope, asked with run and speaker, with the run alone, and with neither', () => {
    mkdirSync(join(folder, 'talk', 'locomo'), { recursive: true })
    const docs = [{ id: 't1', session: 3, speaker: 'Ida', text: 'Hello.' }]
    const qas = [{ q: 'Who greets?', ev: ['t1'] }]
    const dialogues = [
      { id: 1, docs, qas },
      { id: 2, docs, qas },
    ]
    writeFileSync(join(folder, 'talk', 'locomo', 'some.json'), JSON.stringify(dialogues))
    const sets = readSets(join(folder, 'talk'))
    expect(sets.map(({ name }) => name)).toEqual([
      'dialogues, run and speaker',
      'dialogues, run',
      'dialogues, bare',
    ])
    expect(sets.map(({ scopes }) => scopes.map(({ name }) => name))).toEqual(
      sets.map(() => ['dialogue-1', 'dialogue-2']),
    )
    const told = sets.map(({ scopes }) => scopes[0]?.memories[0])
    expect(told.map((memory) => [memory?.run, memory?.speaker])).toEqual([
      ['session-3', 'Ida'],
      ['session-3', null],
      [null, null],
    ])
  })
})

describe('yardsticks', () => {
  test('BM25 gives the scores of the formula: rare words count more, long texts less, and ties go by order', () => {
    const index = new Bm25([['a', 'b'], ['a', 'c'], ['a', 'c'], ['a'], ['x', 'x', 'y']])
    expect(index.search(['b', 'a'], 9)).toEqual([0, 3, 1, 2])
    expect(index.search(['c'], 1)).toEqual([1])
    expect(index.search(['nobody'], 9)).toEqual([])
  })

  test('words are stemmed and stop words gone in the language of the set', () => {
    expect(readerOf('en')('What are the runners doing?')).toEqual(['runner'])
    expect(readerOf('de')('Die Häuser und das Haus')).toEqual(['haus', 'haus'])
    expect(readerOf('zh')('你好，世界')).toEqual(['你好', '世界'])
  })
})
