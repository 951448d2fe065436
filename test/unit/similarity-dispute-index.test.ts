import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { disputeOf, readForDispute } from '../../src/core/similarity/dispute.ts'
import { DisputeIndex } from '../../src/core/similarity/dispute-index.ts'
import { outlineOfText } from '../../src/core/similarity/dispute-outline.ts'
import { KINDS } from '../../src/core/similarity/dispute-rows.ts'
import { scaled } from '../harness/scale.ts'
import { DISPUTING } from '../support/dispute-pairs.ts'
import { FORM_LAWS } from '../support/form-laws.ts'
import { HARMONIOUS } from '../support/harmonious-pairs.ts'
import { DISPUTING_IN_TWO_LANGUAGES, HARMONIOUS_IN_TWO_LANGUAGES } from '../support/language-pairs.ts'

const numRuns = scaled(200)
const RECORDS = [
  '{"order_id": "A-17", "status": "open", "city": "Bonn"}',
  '{"order_id": "A-17", "status": "closed", "city": "Bonn"}',
  'ticket: 4411\nowner: Mira\nstate: waiting',
  'ticket: 4411\nowner: Jonas\nstate: waiting',
]
const STATEMENTS = [
  ...KINDS.flatMap(({ examples }) => examples.flat()),
  ...DISPUTING.flat(),
  ...HARMONIOUS.flat(),
  ...RECORDS,
]
const OF_TWO_FORMS = FORM_LAWS.flatMap(({ apart, disputes }) => [...apart, ...disputes].flat())
const IN_TWO_LANGUAGES = [...DISPUTING_IN_TWO_LANGUAGES.flat(), ...HARMONIOUS_IN_TWO_LANGUAGES.flat()]
const WORDS = [...new Set(STATEMENTS.flatMap((text) => text.split(/\s+/)))]
const CHANGES = ['not', 'no longer', 'now', 'yesterday', '7', '12 MB', 'on', 'off', 'with', 'and', 'Mira', '']

const anyStatement = fc.constantFrom(...STATEMENTS, ...OF_TWO_FORMS, ...IN_TWO_LANGUAGES)
/** A statement with a word changed, added or left out. */
const anyVariant = fc
  .tuple(anyStatement, fc.nat(20), fc.boolean(), fc.constantFrom(...WORDS, ...CHANGES, ...CHANGES))
  .map(([text, at, isKept, word]) => {
    const words = text.split(' ')
    words.splice(at % words.length, isKept ? 0 : 1, word)
    return words.join(' ')
  })
const anyText = fc
  .array(fc.oneof(anyStatement, anyVariant), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(' '))

const outlined = (text: string) => outlineOfText(readForDispute(text))

function indexOf(texts: readonly string[]): DisputeIndex {
  const index = new DisputeIndex()
  for (const [id, text] of texts.entries()) index.add(id, outlined(text))
  return index
}

/** Ids of the texts that the later one disputes: each is compared. */
function disputedBy(later: string, texts: readonly string[]): readonly number[] {
  const reading = readForDispute(later)
  return texts.flatMap((text, id) => (disputeOf(readForDispute(text), reading) === null ? [] : [id]))
}

const TAKEN_BACK = [
  ['Ines was in charge of the rota.', 'Ines left the rota.'],
  ['Ines had a key for the north gate.', 'Ines does not have a key for the north gate anymore.'],
  ['Ines checks the rota and writes the menu.', 'Ines left the rota.'],
  ['Orders go through fast_pick.', 'We turned fast_pick off after the incident.'],
  ['fast_pick was rolled out.', 'We turned fast_pick off after the incident.'],
] as const

describe('the index of disputes', () => {
  test('meets every text that a later one disputes', () => {
    const texts = [...STATEMENTS, ...OF_TWO_FORMS, ...IN_TWO_LANGUAGES]
    const index = indexOf(texts)
    const readings = texts.map(readForDispute)
    let disputes = 0
    for (const later of readings) {
      const outline = outlineOfText(later)
      const met = index.mayDispute(outline)
      for (const [id, earlier] of readings.entries()) {
        if (disputeOf(earlier, later) === null) continue
        disputes += 1
        expect(met?.has(id), `${texts[id]} | ${later.text}`).toBe(true)
        expect(index.mayDisputeText(outline, id), `${texts[id]} | ${later.text}`).toBe(true)
      }
    }
    expect(disputes).toBeGreaterThan(DISPUTING.length)
  })

  test('meets every disputed text, however statements are changed and joined, and none that was taken out', () => {
    fc.assert(
      fc.property(
        fc.array(anyText, { minLength: 1, maxLength: 12 }),
        fc.array(anyText, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(11), { maxLength: 6 }),
        (texts, later, removed) => {
          const index = indexOf(texts)
          for (const id of removed) index.remove(id)
          for (const text of later) {
            const met = index.mayDispute(outlined(text))
            const told = texts.flatMap((_, id) => (index.mayDisputeText(outlined(text), id) ? [id] : []))
            const wanted = disputedBy(text, texts).filter((id) => !removed.includes(id))
            expect([...(met ?? [])]).toEqual(expect.arrayContaining(wanted))
            expect(told).toEqual(expect.arrayContaining([...(met ?? [])]))
            for (const id of removed) expect(met?.has(id) || told.includes(id)).toBe(false)
          }
        },
      ),
      { numRuns },
    )
  })

  test('meets what was so, and what names several, where a later text takes it back', () => {
    for (const [earlier, later] of TAKEN_BACK) {
      expect(disputedBy(later, [earlier]), later).toEqual([0])
      expect(indexOf([earlier]).mayDispute(outlined(later))?.has(0), later).toBe(true)
    }
  })

  test('meets few others: of the pairs that can both hold, and are alike, a quarter is not compared', () => {
    const met = HARMONIOUS.filter(
      ([earlier, later]) => (indexOf([earlier]).mayDispute(outlined(later))?.size ?? 1) > 0,
    )
    expect(met.length).toBeLessThan(HARMONIOUS.length * 0.75)
    const index = indexOf(STATEMENTS)
    const unrelated = STATEMENTS.map((text) => index.mayDispute(outlined(text))?.size ?? 0)
    expect(unrelated.reduce((sum, size) => sum + size, 0)).toBeLessThan(STATEMENTS.length ** 2 / 150)
  })

  test('rules nothing out where too many texts have words in common with one', () => {
    const index = indexOf(Array.from({ length: 5_000 }, (_, at) => `The import limit is ${at} rows.`))
    expect(index.mayDispute(outlined('The import limit is 7000 rows.'))).toBeNull()
  })

  test('looks for no more than so many, of those that are allowed, in the same order', () => {
    const index = indexOf(Array.from({ length: 40 }, (_, at) => `The import limit is ${at} rows.`))
    const later = outlined('The import limit is 7000 rows.')
    const met = [...(index.mayDispute(later) ?? [])]
    expect(met).toHaveLength(40)
    expect([...(index.mayDispute(later, 3) ?? [])]).toEqual(met.slice(0, 3))
    const isEven = (id: number): boolean => id % 2 === 0
    expect([...(index.mayDispute(later, 3, isEven) ?? [])]).toEqual(met.filter(isEven).slice(0, 3))
  })

  test('answers the same when most of it was taken out, and something was added again', () => {
    const texts = Array.from(
      { length: 1_500 },
      (_, at) => `Sensor zone${at} reports every ${at + 2} minutes.`,
    )
    const index = indexOf(texts)
    for (let id = 0; id < 1_400; id += 1) index.remove(id)
    index.add(3, outlined(texts[3] ?? ''))
    const met = (id: number) => index.mayDispute(outlined(`Sensor zone${id} reports every 9999 minutes.`))
    expect([...(met(1_450) ?? [])]).toContain(1_450)
    expect([...(met(3) ?? [])]).toContain(3)
    expect(met(700)?.has(700)).toBe(false)
  })

  test('weighs what it holds, and a text is in it once', () => {
    const index = indexOf(STATEMENTS)
    expect(index.bytes).toBeGreaterThan(new DisputeIndex().bytes)
    expect(() => index.add(0, outlined('The shop sells tea.'))).toThrow('twice in the index of disputes')
  })
})
