import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languages } from '../../src/adapters/language/languages.ts'
import { DocumentReader, type IndexedField } from '../../src/core/search/document-reader.ts'
import { Spellings } from '../../src/core/search/spellings.ts'
import { eachToken, WORD } from '../../src/core/search/tokens.ts'
import {
  isStopWordOf,
  LANGUAGES,
  languageOfWord,
  spellingsOf,
  Words,
  wordMaskOf,
} from '../../src/core/search/words.ts'
import { fold } from '../../src/core/text/unicode.ts'
import { proving } from '../support/prove.ts'

/** Spellings and counts of a document, from the definitions alone. */
function expectedOf(fields: readonly IndexedField[]): Record<string, number> {
  const tokens: { spoken: string; folded: string; isWord: boolean; weight: number }[] = []
  const votes = LANGUAGES.map(() => 0)
  for (const { text, weight } of fields) {
    eachToken(text, (source, start, end, kind) => {
      const spoken = source.spoken.slice(start, end)
      const folded = kind === WORD ? fold(spoken) : source.lower.slice(start, end)
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

function countsOf(fields: readonly IndexedField[], reader: DocumentReader, terms: Spellings) {
  const read = reader.read(fields, terms)
  const counts = Array.from({ length: read.size }, (_, place) => [
    terms.spell(read.termAt(place)),
    read.countAt(place),
  ])
  expect(read.length).toBe(counts.reduce((sum, [, count]) => sum + Number(count), 0))
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

test('a document has the terms of the definition, whatever was read before, by this index or another', () => {
  const words = new Words(languages)
  const reader = new DocumentReader(words)
  const indexes = [0, 1].map(() => new Spellings())
  const far = fc.array(fc.record({ text: farText, weight: fc.integer({ min: 1, max: 3 }) }), {
    minLength: 1,
    maxLength: 2,
  })
  let runs = 0
  proving(2_000)(fc.oneof(fields, far), (doc) => {
    runs += 1
    if (runs % 50 === 0) words.forget()
    const expected = expectedOf(doc)
    for (const terms of [...indexes, ...indexes, new Spellings()]) {
      expect(countsOf(doc, reader, terms)).toEqual(expected)
    }
  })
})

test('more words than there is room for at first, and texts of any length, are read whole', () => {
  const reader = new DocumentReader(new Words(languages))
  const terms = new Spellings()
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
    expect(countsOf(doc, reader, terms)).toEqual(expectedOf(doc))
  }
})

test('terms have numbers in the order of the text, identifiers first', () => {
  const reader = new DocumentReader(new Words(languages))
  for (let round = 0; round < 2; round += 1) {
    const terms = new Spellings()
    reader.read([{ text: 'alpha getUserId beta alpha a.b', weight: 1 }], terms)
    const spelled = Array.from({ length: terms.size }, (_, term) => terms.spell(term))
    expect(spelled).toEqual(['getuserid', 'a.b', 'alpha', 'get', 'user', 'id', 'beta'])
  }
})
