import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Spellings } from '../../src/core/search/spellings.ts'
import { proving } from '../support/prove.ts'

const anyStep = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.nat(400).map((word) => ({ kind: 'add' as const, word: `w${word.toString(36)}` })),
  },
  { weight: 4, arbitrary: fc.nat(400).map((number) => ({ kind: 'blank' as const, number })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'image' as const }) },
)

/** Slots grow at 48 spellings, at 96 and at 192, and their numbers are moved by those that come next. */
test('every spelling has the number that it was given first, and a blank one has none, also while the slots grow', () => {
  proving(300)(fc.array(anyStep, { minLength: 60, maxLength: 500 }), (steps) => {
    let spellings = new Spellings()
    const numbers = new Map<string, number>()
    let size = 0
    for (const step of steps) {
      if (step.kind === 'image') spellings = new Spellings(spellings.image())
      else if (step.kind === 'add') {
        const number = spellings.add(step.word, 0, step.word.length)
        expect(number).toBe(numbers.get(step.word) ?? size)
        if (number === size) size += 1
        numbers.set(step.word, number)
      } else if (step.number < size) {
        spellings.blank(step.number)
        for (const [word, number] of numbers) if (number === step.number) numbers.delete(word)
      }
    }
    expect(spellings.size).toBe(size)
    for (let at = 0; at <= 400; at += 1) {
      const word = `w${at.toString(36)}`
      const number = numbers.get(word) ?? -1
      expect(spellings.find(word, 0, word.length)).toBe(number)
      expect(
        spellings.findCodes(
          Uint16Array.from(word, (unit) => unit.charCodeAt(0)),
          word.length,
        ),
      ).toBe(number)
      if (number >= 0) expect(spellings.spell(number)).toBe(word)
    }
  })
})
