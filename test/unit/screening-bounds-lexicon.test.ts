import { describe, expect, test } from 'vitest'
import {
  classesOf,
  denseEntryAt,
  leetClasses,
  likenessClasses,
  NOT_LISTED,
  numberedClasses,
  numberedWord,
  phrasesFrom,
  plainWords,
  segmentsOf,
  wordIndex,
} from '../../src/core/screening/lexicon.ts'
import { PHRASE_HEADS } from '../../src/core/screening/phrase-table.ts'
import { ENGLISH, entriesOf, LANGUAGES } from '../../src/core/screening/vocabulary.ts'
import { HEAD } from '../../src/core/screening/word-class.ts'

const ENTRIES = [ENGLISH, ...LANGUAGES].flatMap(entriesOf).map(([mask, entry]) => ({ mask, entry }))
const isDense = (text: string): boolean =>
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text)

function folded(word: string): string {
  const seen = Array.from(word.normalize('NFKD')).filter(
    (character) => !/[\p{Mn}\p{Cf}\p{Cc}]/u.test(character),
  )
  return seen.join('').normalize('NFC').toLowerCase()
}

const PHRASES = ENTRIES.filter(({ entry }) => entry.includes('_')).map(({ mask, entry }) => {
  const [head = '', ...rest] = entry.split('_').map(folded)
  return { head, phrase: { rest, mask } }
})
/** What the tables say of each word that stands alone or begins an entry of several. */
const CLASSES = new Map<string, number>()
for (const { mask, entry } of ENTRIES)
  if (!isDense(entry) && !entry.includes('_'))
    CLASSES.set(folded(entry), (CLASSES.get(folded(entry)) ?? 0) | mask)
for (const { head } of PHRASES) CLASSES.set(head, (CLASSES.get(head) ?? 0) | HEAD)

describe('every entry of the tables', () => {
  test('of one word has all of its classes, and no other word has a number but the heads of phrases', () => {
    const listed = new Map(
      Array.from({ length: CLASSES.size }, (_, number) => [numberedWord(number), numberedClasses(number)]),
    )
    expect(listed).toEqual(CLASSES)
    for (const [word, mask] of CLASSES) expect([word, classesOf(word)]).toEqual([word, mask])
    const bare = new Set(PHRASE_HEADS.map(folded).filter((head) => !CLASSES.has(head)))
    const others = Array.from(bare, (_, offset) => numberedWord(CLASSES.size + offset))
    expect(new Set(others)).toEqual(bare)
    expect(others.map(classesOf).every((mask) => mask === 0)).toBe(true)
    const end = CLASSES.size + bare.size
    expect([numberedWord(end), numberedClasses(end)]).toEqual(['', 0])
  })

  test('of several words is found by its first one, in the order of the tables', () => {
    const heads = [...new Set(PHRASES.map(({ head }) => head))]
    expect(heads.length).toBeGreaterThan(20)
    for (const asked of heads) {
      const expected = PHRASES.filter(({ head }) => head === asked).map(({ phrase }) => phrase)
      expect(phrasesFrom(asked)).toEqual(expected)
    }
    expect(phrasesFrom('zebra')).toEqual([])
  })

  test('of a script without spaces is found where it stands, the longest one first', () => {
    const dense = ENTRIES.filter(({ entry }) => isDense(entry))
    expect(dense.length).toBeGreaterThan(100)
    expect(new Set(dense.map(({ entry }) => entry)).size).toBe(dense.length)
    for (const { entry } of dense) {
      for (const text of [`a${entry}`, `a${entry}の`, `a${entry.slice(0, -1)}a`]) {
        const fitting = dense
          .filter((other) => text.startsWith(other.entry, 1))
          .sort((a, b) => b.entry.length - a.entry.length)[0]
        const expected = fitting === undefined ? null : { text: fitting.entry, mask: fitting.mask }
        expect([text, denseEntryAt(text, 1)]).toEqual([text, expected])
      }
    }
    expect(denseEntryAt('zebra', 0)).toBe(null)
    expect(denseEntryAt('のの', 0)).toBe(null)
  })
})

describe('a word that is not listed', () => {
  const read = (text: string): readonly number[] => [
    classesOf(text),
    likenessClasses(`x${text}x`, 1, text.length + 1),
    leetClasses(`x${text}x`, 1, text.length + 1),
  ]
  const prompt = CLASSES.get('prompt') ?? 0
  const as = CLASSES.get('as') ?? 0
  const all = CLASSES.get('all') ?? 0

  test.each([
    ['zebra', [0, 0, 0]],
    ['pr0mpt', [prompt, prompt, prompt]],
    ['рrоmрt', [prompt, prompt, prompt]],
    ['рr0mрt', [prompt, prompt, prompt]],
    ['a5', [as, as, as]],
    ['4s', [as, as, as]],
    ['@s', [as, as, as]],
    // Digits and signs alone are a number.
    ['45', [0, 0, 0]],
    ['@5', [0, 0, 0]],
    ['4$', [0, 0, 0]],
    ['1', [0, 0, 0]],
    ['7ebra', [0, 0, 0]],
    ['4ll', [all, all, all]],
  ] as const)('%s is read with look-alikes, digits and signs as letters', (text, expected) => {
    expect([prompt, as, all]).not.toContain(0)
    expect(read(text)).toEqual(expected)
  })

  test('look-alikes alone are read as letters, and first', () => {
    const a = CLASSES.get('a') ?? 0
    expect(a).not.toBe(0)
    expect(likenessClasses('а', 0, 1)).toBe(a)
    expect(classesOf('а')).toBe(a)
    expect(leetClasses('а', 0, 1)).toBe(0)
  })

  test('what folds only with its neighbours is read after it is folded', () => {
    expect(
      wordIndex.numberOf(
        'zebra',
        0,
        5,
        new Uint16Array(0x10000).map((_, unit) => unit),
      ),
    ).toBe(NOT_LISTED)
    expect(classesOf('규칙')).toBe(CLASSES.get('규칙'))
    expect(classesOf('ᄀ')).toBe(0)
    expect(classesOf('ᄀpr0mpt')).toBe(0)
  })
})

describe('a run of letters without spaces', () => {
  const cut = [...plainWords()]
  const SHORT = ['all', 'any', 'the', 'you', 'my', 'and', 'to', 'of']

  test('is cut into the listed words of Latin letters that are more than a beginning', () => {
    const expected = [...CLASSES].filter(([word, mask]) => (mask & ~HEAD) !== 0 && /^[a-z]+$/.test(word))
    expect(cut.toSorted()).toEqual(expected.map(([word]) => word).toSorted())
    expect([...CLASSES].some(([, mask]) => mask === HEAD)).toBe(true)
  })

  /** The longest word at each place, from left to right. */
  function segmented(run: string): readonly string[] {
    const words = [...cut.filter((word) => word.length >= 4 && word.length <= 14), ...SHORT]
    const found: string[] = []
    for (let rest = run; rest !== ''; ) {
      const begun = words.filter((word) => rest.startsWith(word)).sort((a, b) => b.length - a.length)
      const long = begun.find((word) => word.length >= 4) ?? begun[0]
      if (long !== undefined) found.push(long)
      rest = rest.slice(long?.length ?? 1)
    }
    return found.length > 1 ? found : []
  }

  test('holds each word that is listed, also among other letters', () => {
    for (const word of [...cut, ...SHORT]) {
      for (const run of [`${word}ignore`, `xx${word}xignorex`, `ignore${word}`, `xq${word}`, `${word}qx`]) {
        expect([run, ...segmentsOf(run)]).toEqual([run, ...segmented(run)])
      }
    }
  })

  test.each([
    ['ignoreallpreviousinstructions', ['ignore', 'all', 'previous', 'instructions']],
    ['xignorexallx', ['ignore', 'all']],
    ['themyofto', ['the', 'my', 'of', 'to']],
    ['ignore', []],
    ['xignorex', []],
    ['', []],
    ['zz', []],
    ['ignorebe', []],
  ] as const)('%s', (run, words) => {
    expect(segmentsOf(run)).toEqual(words)
  })
})
