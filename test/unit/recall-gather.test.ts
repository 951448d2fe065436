import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languages } from '../../src/adapters/language/languages.ts'
import { Dictionary } from '../../src/core/search/dictionary.ts'
import { gatherTerms, type IndexedField } from '../../src/core/search/gather.ts'
import { isStopWordOf, LANGUAGES, languageOfWord, wordMaskOf } from '../../src/core/search/languages.ts'
import { eachToken, WORD } from '../../src/core/search/tokens.ts'
import { spellingsOf, WordForms } from '../../src/core/search/word-forms.ts'
import { scaled, stride } from '../harness/scale.ts'

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
  '\u{10400}x\u{10401}',
  '\u{1f680}',
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

const LATIN_PIECES =
  "été Été ÉTÉ für Änderung änderung Größe naïve ça œuvre Œuvre ÿ Ÿ ß ßa aß dèjàVu états-unis l'été l’équipe aujourd’hui don’t DON'T won't's rock’n’roll it’s 10µs m² 2ª ½ ×2 réf_é naïves.été Ünabhängigkeits Ünabhängigkeitss après pendant français nächste könnte über"
    .split(' ')
    .concat('der die das und nicht les des une dans para como está the was running'.split(' '))
const SEPARATORS = "— – … “ ” „ ‘ ’ « » → ≠ • \u00a0 \u00ad \u200b \u2028 ¨ ´ · × ÷ ： ․ ／ ＇ ‼ \u0301 ... '"
  .split(' ')
  .concat(' ', '’ ')
const separator = fc.oneof(
  { weight: 3, arbitrary: fc.constant(' ') },
  { weight: 2, arbitrary: fc.constantFrom(...SEPARATORS.filter((each) => !'…\u0301'.includes(each))) },
)
const farText = fc
  .oneof(
    fc.tuple(fc.array(fc.tuple(fc.constantFrom(...LATIN_PIECES), separator), { maxLength: 30 })),
    fc.tuple(fc.array(fc.tuple(fc.constantFrom(...LATIN_PIECES), fc.constantFrom(...SEPARATORS)))),
    // Of every text that is plain, whatever stands between two words of it may be one more of any character.
    fc.tuple(
      fc.array(
        fc.tuple(
          fc.constantFrom('running', 'alpha', "don't", 'get_user', 'Été'),
          fc.oneof(
            fc.string({
              unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)),
              maxLength: 2,
            }),
            fc.string({
              unit: fc.nat({ max: 0x24f }).map((code) => String.fromCharCode(code)),
              maxLength: 2,
            }),
          ),
        ),
        { maxLength: 3 },
      ),
    ),
  )
  .map(([parts]) => parts.flat().join(''))

/** The same tokens, but nothing that takes two code units is in a plain text. */
function asAnyScript(doc: readonly IndexedField[]): IndexedField[] {
  return doc.map(({ text: plain, weight }) => ({ text: `${plain} \u{1f680}`, weight }))
}

/** Reads a document as it is, new and met before, and as texts of any script are. */
function readBothWays() {
  const [forms, others] = [new WordForms(languages), new WordForms(languages)]
  const [dictionary, otherDictionary] = [new Dictionary(forms), new Dictionary(others)]
  return (doc: readonly IndexedField[]) => {
    const expected = gathered(asAnyScript(doc), others, otherDictionary)
    expect(gathered(doc, forms, dictionary)).toEqual(expected)
    expect(gathered(doc, forms, dictionary)).toEqual(expected)
    return expected
  }
}

test('a plain text has the terms that it has when it is read as texts of any script are', () => {
  const read = readBothWays()
  const record = fc.record({ text: farText, weight: fc.integer({ min: 1, max: 3 }) })
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 2 }), (doc) => void read(doc)),
    { numRuns: scaled(2_000) },
  )
})

test('every character of the basic plane parts words, joins them or is in them, as in texts of any script', () => {
  const read = readBothWays()
  for (let code = 0; code <= 0xffff; code += code < 0x3000 ? 1 : stride(16)) {
    const it = String.fromCharCode(code)
    read([{ text: `one${it}two ${it}x${it}${it}Été s${it} don${it}t`, weight: 1 }])
  }
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
