import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languages } from '../../src/adapters/language/languages.ts'
import { Dictionary } from '../../src/domain/recall/dictionary.ts'
import { gatherTerms, type IndexedField } from '../../src/domain/recall/gather.ts'
import { isStopWordOf, LANGUAGES, languageOfWord, wordMaskOf } from '../../src/domain/recall/languages.ts'
import { eachToken, WORD } from '../../src/domain/recall/tokens.ts'
import { spellingsOf, WordForms } from '../../src/domain/recall/word-forms.ts'

/** Spellings and counts of a document, from the definitions alone. */
function expectedOf(fields: readonly IndexedField[]): Record<string, number> {
  const tokens: { spoken: string; folded: string; isWord: boolean; weight: number }[] = []
  const votes = LANGUAGES.map(() => 0)
  for (const { text, weight } of fields) {
    eachToken(text, (source, start, end, kind) => {
      const [spoken, folded] = [source.spoken.slice(start, end), source.lower.slice(start, end)]
      tokens.push({ spoken, folded, isWord: kind === WORD, weight })
      if (kind !== WORD) return
      const mask = wordMaskOf(spoken, folded)
      for (let language = 0; language < 5; language += 1) {
        if (isStopWordOf(mask, language)) votes[language] = (votes[language] ?? 0) + 1
      }
    })
  }
  const told = votes.indexOf(Math.max(...votes))
  const counts: Record<string, number> = {}
  const put = (spelling: string, weight: number) => {
    counts[spelling] = (counts[spelling] ?? 0) + weight
  }
  for (const { spoken, folded, isWord, weight } of tokens) {
    const mask = wordMaskOf(spoken, folded)
    const language = languageOfWord(mask, told)
    if (!isWord) put(folded, weight)
    else if (!isStopWordOf(mask, language)) {
      for (const spelling of spellingsOf(spoken, folded, languages, language)) put(spelling, weight)
    }
  }
  return counts
}

function gathered(fields: readonly IndexedField[], forms: WordForms, dictionary: Dictionary) {
  const bag = gatherTerms(fields, forms, dictionary)
  const counts = Array.from({ length: bag.size }, (_, place) => [
    dictionary.spell(bag.termAt(place)),
    bag.countAt(place),
  ])
  expect(bag.length).toBe(counts.reduce((sum, [, count]) => sum + Number(count), 0))
  return Object.fromEntries(counts)
}

const LETTERS = 'abcdehnorstxyzABCT019'.split('')
const PIECES = [
  'the',
  'in',
  'was',
  'The',
  'running',
  'ran',
  'indices',
  'der',
  'die',
  'und',
  'para',
  'como',
  'el',
  'los',
  'des',
  "don't",
  "Anna's",
  "they'll",
  'getUserId',
  'APIs',
  'E_CONN_RESET',
  'src\\auth\\session.ts',
  'std::vector',
  'a:b',
  'conf.maxRetries',
  'well-known',
  'abcdefghijklmnop',
  'Abcdefghijklmnop',
  'abcdefghijklmnopq',
  'x'.repeat(70),
  'connexions',
  'expirées',
  'Verbindungen',
  'für',
  '数据库',
  'перезапуск',
  'Größe',
  '…',
  '“quoted”',
  'it’s',
]
const MARKS = [
  ' ',
  ' ',
  ' ',
  '. ',
  ', ',
  '; ',
  ' - ',
  '\n',
  ': ',
  '::',
  '...',
  "' ",
  " '",
  '/',
  '.',
  '(',
  ') ',
  '"',
  '\0',
  '\\',
]
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...PIECES.filter((each) => /^[\0-\x7f]*$/.test(each))) },
  { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 18 }) },
)
const joined = (pieces: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(pieces, fc.constantFrom(...MARKS)), { maxLength: 40 })
    .map((parts) => parts.flat().join(''))
const text = fc.oneof(
  { weight: 4, arbitrary: joined(piece) },
  { weight: 1, arbitrary: joined(fc.constantFrom(...PIECES)) },
)
const fields = fc.array(fc.record({ text, weight: fc.integer({ min: 1, max: 3 }) }), {
  minLength: 1,
  maxLength: 3,
})

test('a document has the same terms however it is read: met before or not, by this index or another', () => {
  const forms = new WordForms(languages)
  const dictionaries = [0, 1].map(() => new Dictionary(forms))
  let runs = 0
  fc.assert(
    fc.property(fields, (doc) => {
      runs += 1
      if (runs % 50 === 0) forms.forget()
      const expected = expectedOf(doc)
      for (const dictionary of [...dictionaries, ...dictionaries, new Dictionary(forms)]) {
        expect(gathered(doc, forms, dictionary)).toEqual(expected)
      }
    }),
    { numRuns: 1_000 },
  )
})

test('more words than there is room for at first, and texts of any length, are read whole', () => {
  const forms = new WordForms(languages)
  const dictionary = new Dictionary(forms)
  // They differ in one part of the key only.
  const words = [0, 4, 8, 12].flatMap((before) =>
    Array.from(
      { length: 2_500 },
      (_, at) => `${'zqxv'.repeat(before / 4)}${1_000 + at}${'abcd'.repeat(3 - before / 4)}`,
    ),
  )
  const parts = [0, 2_500, 5_000, 7_500].map((from) => words.slice(from, from + 2_500))
  for (const each of [...parts, Array(20_000).fill('some words'), ...parts, words]) {
    const doc = [{ text: each.join(' '), weight: 1 }]
    expect(gathered(doc, forms, dictionary)).toEqual(expectedOf(doc))
  }
})

test('terms have numbers in the order of the text, identifiers first', () => {
  const forms = new WordForms(languages)
  for (let round = 0; round < 2; round += 1) {
    const dictionary = new Dictionary(forms)
    gatherTerms([{ text: 'alpha getUserId beta alpha a.b', weight: 1 }], forms, dictionary)
    const spelled = Array.from({ length: dictionary.size }, (_, term) => dictionary.spell(term))
    expect(spelled).toEqual(['getuserid', 'a.b', 'alpha', 'get', 'user', 'id', 'beta'])
  }
})
