import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  atLeast,
  atMost,
  type JudgedPair,
  joined,
  meanOf,
  pairFindings,
  shareOf,
  shareOfAll,
} from '../../bench/judgement/counts.ts'
import { readJsonLines } from '../../bench/suite/json-lines.ts'
import { dataFolder } from '../harness/data-folder.ts'

const folder = dataFolder()
const NOTHING = { counts: new Map(), figures: [] }

const cases = [
  { id: 'a', isHeld: true },
  { id: 'b', isHeld: false },
  { id: 'c', isHeld: false },
  { id: 'd', isHeld: false },
]
const isHeld = (one: { readonly isHeld: boolean }) => one.isHeld

/** A pair of which `used` stands on use_now; both have a place, in the order of the text. */
function pair(id: string, isConflict: boolean, used: string, order = 'older newer'): JudgedPair {
  const standing = (name: string) => ({ isUsed: used.includes(name), place: order.indexOf(name) })
  return {
    id,
    group: isConflict ? 'update en' : 'none en',
    family: 'number',
    isConflict,
    older: standing('older'),
    newer: standing('newer'),
  }
}

/** The counts of each figure, by its name. */
function countsOf(findings: ReturnType<typeof pairFindings>): Record<string, string> {
  return Object.fromEntries(findings.figures.map(({ name, unit }) => [name, unit]))
}

describe('counting of judgements', () => {
  test('a share says how many of how many and its goal', () => {
    const few = shareOf('held', cases, isHeld, atMost(0.2))
    expect(few.figures).toMatchObject([
      { name: 'held', unit: '1 of 4', median: 0.25, goal: { bound: 'most', value: 0.2, verdict: 'missed' } },
    ])
    const many = shareOf('held', cases, isHeld, atLeast(0.25))
    expect(many.figures).toMatchObject([{ goal: { verdict: 'met' } }])
  })

  test('a share may have no goal, and of no cases there is no figure', () => {
    expect(shareOf('held', cases, isHeld)).toMatchObject({ figures: [{ goal: null }] })
    expect(shareOf('held', [], isHeld, atMost(0))).toEqual(NOTHING)
    expect(meanOf('lines', 'lines', [])).toEqual(NOTHING)
  })

  test('several shares are one, of all their cases; none when one of them was not counted', () => {
    const found = joined([shareOf('held', cases, isHeld), shareOf('others', cases, () => false)])
    const all = (names: readonly string[]) => shareOfAll('all', names, found, atMost(0.1)).figures
    const having = cases.filter(isHeld).length
    expect(all(['held', 'others'])).toMatchObject([
      { unit: `${having} of ${2 * cases.length}`, rounds: [having / (2 * cases.length)] },
    ])
    expect(all(['held', 'not there'])).toEqual([])
  })

  test('a conflict is noticed when the older leaves use_now and the newer stays', () => {
    const found = pairFindings(
      'x',
      [
        pair('p1', true, 'newer'),
        pair('p2', true, 'older'),
        pair('p3', true, ''),
        pair('p4', true, 'older newer'),
      ],
      'older',
    )
    expect(countsOf(found)).toMatchObject({ 'x: noticed': '1 of 4', 'x: precision': '1 of 3' })
  })

  test('where nothing tells which is the newer, a conflict is noticed when both leave', () => {
    const found = pairFindings('x', [pair('p1', true, 'newer'), pair('p2', true, '')], 'both')
    expect(countsOf(found)).toMatchObject({ 'x: noticed': '1 of 2', 'x: precision': '1 of 2' })
  })

  test('a pair without a conflict of which one leaves counts against precision, not against what is noticed', () => {
    const found = pairFindings(
      'x',
      [pair('p1', true, 'newer'), pair('n1', false, 'newer'), pair('n2', false, 'older newer')],
      'older',
    )
    expect(countsOf(found)).toMatchObject({
      'x: noticed': '1 of 1',
      'x: precision': '1 of 2',
      'x, none en: right': '1 of 2',
      'x, update en: right': '1 of 1',
      'x, family number: noticed': '1 of 1',
    })
  })

  test('the order of two statements counts where both stand although they are in conflict', () => {
    const found = pairFindings(
      'x',
      [
        pair('p1', true, 'older newer', 'newer older'),
        pair('p2', true, 'older newer'),
        pair('p3', true, 'newer'),
        pair('n1', false, 'older newer'),
      ],
      'older',
    )
    expect(countsOf(found)).toMatchObject({ 'x: newer first where both stand': '1 of 2' })
  })
})

describe('rows of JSON lines', () => {
  const Row = z.object({ id: z.string() })

  test('a file that is missing is null; blank lines are none', () => {
    const file = join(folder, 'some.jsonl')
    writeFileSync(file, '{"id":"a","more":1}\n\n{"id":"b"}\n')
    expect(readJsonLines(join(folder, 'none.jsonl'), Row)).toBeNull()
    expect(readJsonLines(file, Row)).toEqual([{ id: 'a' }, { id: 'b' }])
  })

  test.each([
    ['{"id":"a"}\n{"id"', 'bad.jsonl, line 2 is not JSON.'],
    ['{"id":"a"}\n{"id":2}', 'bad.jsonl, line 2: id: Invalid input: expected string, received number.'],
  ])('a row that is not understood is named with its line: %j', (content, message) => {
    const file = join(folder, 'bad.jsonl')
    writeFileSync(file, content)
    expect(() => readJsonLines(file, Row)).toThrow(message)
  })
})
