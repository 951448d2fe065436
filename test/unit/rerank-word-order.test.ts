import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MemoryColumns } from '../../src/core/model/columns.ts'
import { PAIRS_ENOUGH, WordPairs } from '../../src/core/rerank/word-order.ts'
import { FIRST_WORDS_MAX } from '../../src/core/text/first-words.ts'
import { memoryOf } from '../support/commands.ts'
import { proofsOf } from '../support/prove.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('word-order')

function pairs(question: string, text: string): number {
  return countIn(new WordPairs(question), text)
}

function countIn(pairs: WordPairs, text: string): number {
  return pairs.countIn(
    new MemoryColumns().firstWords(0, () => text),
    0,
  )
}

describe('pairs of words of a question in a text', () => {
  test.each([
    ['rotate the worker logs', 'Worker logs are kept for a week.', 1],
    ['rotate the worker logs', 'logs of a worker', 0],
    ['rotate the worker logs', 'logs of the worker', 1],
    ['rotate the worker logs', 'the worker writes logs', 2],
    ['rotate the worker logs', 'the worker on call writes logs', 1],
    ['is it on', 'is it on or off', 0],
    ['is it there', 'ask whether it there is', 1],
    ['cambiar la contraseña', 'La contraseña caduca.', 1],
    ['Prüfungen anmelden', 'PRÜFUNG anmelden: bis Mai', 1],
    ['see src/auth/session.ts', 'open src/auth/session.ts', 3],
    ['', 'anything', 0],
    ['logs', 'logs logs', 0],
    ['ログを消す', 'ログを消す', 0],
  ])('%s | %s', (question, text, count) => {
    expect(pairs(question, text)).toBe(count)
  })

  test('are counted once each, and no further than enough', () => {
    expect(pairs('worker logs', 'worker logs, worker logs, worker logs')).toBe(1)
    expect(pairs('one worker keeps many logs there', 'one worker keeps many logs there')).toBe(PAIRS_ENOUGH)
  })

  test('the whole question is the most, whatever is read before and whatever stands beside it', () => {
    const word = fc.constantFrom('alpha', 'bravo', 'of', 'a', 'delta', 'Über', 'x9')
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '))
    prove(fc.tuple(text, text, text), ([question, one, other]) => {
      const read = new WordPairs(question)
      const before = countIn(read, one)
      const whole = countIn(read, question)
      for (const each of [one, other, '']) {
        expect(countIn(read, each)).toBe(pairs(question, each))
        expect(countIn(read, each)).toBeLessThanOrEqual(PAIRS_ENOUGH)
      }
      expect(countIn(read, one)).toBe(before)
      if (!read.areAny) expect(before).toBe(0)
      else expect(whole).toBeGreaterThan(0)
    })
  })

  test('only the beginning of a long text is read, and of a long question', () => {
    const filler = 'filler '.repeat(200)
    expect(pairs('worker logs', `worker logs ${filler}`)).toBe(1)
    expect(pairs('worker logs', `${filler} worker logs`)).toBe(0)
    const many = Array.from({ length: 60 }, (_, at) => `word${at.toString(36)}`).join(' ')
    expect(pairs(`${many} worker logs`, 'worker logs')).toBe(0)
    expect(pairs(many, many)).toBe(PAIRS_ENOUGH)
  })
})

describe('the first words of a memory', () => {
  const wordsOf = (columns: MemoryColumns, slot: number, text: string): readonly number[] => {
    const from = slot * FIRST_WORDS_MAX
    return Array.from(columns.firstWords(slot, () => text).slice(from, from + FIRST_WORDS_MAX))
  }

  test('are read once, and anew when it was revised or erased', () => {
    const world = new World()
    const record = world.state.memories.get(world.write(memoryOf({ text: 'worker logs' })))
    if (record === undefined) throw new Error('it was written')
    const { columns } = world.state
    const { slot } = record
    const [worker, logs] = wordsOf(columns, slot, 'worker logs')
    expect([worker, logs]).not.toContain(0)
    expect(wordsOf(columns, slot, 'other words of it')).toEqual(wordsOf(columns, slot, 'worker logs'))
    columns.put(record, 0)
    expect(wordsOf(columns, slot, 'logs')[0]).toBe(logs)
    expect(wordsOf(columns, slot, 'logs')[1]).toBe(0)
    columns.remove(slot)
    expect(wordsOf(columns, slot, 'worker')[0]).toBe(worker)
  })

  test('of each are its own, whichever is asked for first, and none of what has no word are a pair', () => {
    const world = new World()
    const slots = Array.from({ length: 200 }, (_, at) => {
      const memoryId = world.write(memoryOf({ text: `worker ${'logs '.repeat(at % 70)}` }))
      return world.state.memories.get(memoryId)?.slot ?? -1
    })
    const { columns } = world.state
    const asked = new WordPairs('worker logs')
    const count = (at: number, text: string): number => {
      const slot = slots[at] ?? -1
      return asked.countIn(
        columns.firstWords(slot, () => text),
        slot * FIRST_WORDS_MAX,
      )
    }
    for (const at of [199, 0, 69, 70, 140, 1, 69])
      expect(count(at, `worker ${'logs '.repeat(at % 70)}`)).toBe(at % 70 === 0 ? 0 : 1)
    expect(count(3, ' … ')).toBe(0)
  })
})
