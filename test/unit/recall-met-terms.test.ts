import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languages } from '../../src/adapters/language/languages.ts'
import { Dictionary } from '../../src/core/search/dictionary.ts'
import { gatherTerms } from '../../src/core/search/gather.ts'
import { MetTerms } from '../../src/core/search/met-terms.ts'
import { UNASKED } from '../../src/core/search/plain-words.ts'
import { WordForms } from '../../src/core/search/word-forms.ts'

const forms = fc.nat(5_000)
const owners = fc.integer({ min: 1, max: 50 })
const terms = fc.integer({ min: -1, max: 100_000 })

test('a term that was met is answered as it was put last, or not at all', () => {
  const entry = fc.tuple(forms, owners, terms)
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 2_000 }), fc.array(fc.tuple(forms, owners)), (puts, others) => {
      const met = new MetTerms()
      const last = new Map<string, number>()
      for (const [form, owner, term] of puts) {
        met.put(form, owner, term)
        expect(met.termOf(form, owner)).toBe(term)
        last.set(`${form} ${owner}`, term)
      }
      for (const [form, owner] of [...others, ...puts]) {
        expect([UNASKED, last.get(`${form} ${owner}`)]).toContain(met.termOf(form, owner))
      }
    }),
  )
})

test('it keeps most of what several indexes ask in turn, and nothing once it forgets', () => {
  const met = new MetTerms()
  for (let form = 0; form < 1_000; form += 1) {
    for (let owner = 1; owner <= 4; owner += 1) met.put(form, owner, form * 10 + owner)
  }
  let kept = 0
  for (let form = 0; form < 1_000; form += 1) {
    for (let owner = 1; owner <= 4; owner += 1) kept += met.termOf(form, owner) === UNASKED ? 0 : 1
  }
  expect(kept).toBeGreaterThan(3_000)
  met.forget()
  for (let form = 0; form < 1_000; form += 1) expect(met.termOf(form, 1)).toBe(UNASKED)
})

test('two indexes that are written in turn have the same terms as each alone, also after words were forgotten', () => {
  const text = 'the uploads were retried while queues drained and the workers waited for retries'
  const alone = () => {
    const words = new WordForms(languages)
    return spelled(new Dictionary(words), words, text)
  }
  const shared = new WordForms(languages)
  const dictionaries = [new Dictionary(shared), new Dictionary(shared)] as const
  for (let round = 0; round < 3; round += 1) {
    for (const dictionary of dictionaries) expect(spelled(dictionary, shared, text)).toEqual(alone())
  }
  shared.forget()
  // Other words have the numbers of before now.
  for (const dictionary of dictionaries) {
    const other = spelled(dictionary, shared, 'lanterns glow in harbours')
    expect(other).toEqual(['lantern', 'glow', 'harbour'])
    expect(spelled(dictionary, shared, text)).toEqual(alone())
  }
})

function spelled(dictionary: Dictionary, words: WordForms, text: string): readonly string[] {
  const bag = gatherTerms([{ text, weight: 1 }], words, dictionary)
  return Array.from({ length: bag.size }, (_, place) => dictionary.spell(bag.termAt(place)))
}
