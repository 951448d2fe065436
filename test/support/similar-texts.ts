import fc from 'fast-check'
import {
  equalBytes,
  estimateFrom,
  normaliseText,
  shinglesOf,
} from '../../src/core/similarity/text-signature.ts'

/** Exact Jaccard similarity of the windows of two texts, 0 to 1: what a signature estimates. */
export function similarityOf(a: string, b: string): number {
  const left = normaliseText(a)
  const right = normaliseText(b)
  if (left === right) return 1
  const [one, other] = [new Set(shinglesOf(left)), new Set(shinglesOf(right))]
  const shared = [...one].filter((window) => other.has(window)).length
  return shared / (one.size + other.size - shared)
}

export function estimateOf(a: Uint32Array, b: Uint32Array): number {
  return estimateFrom(a.reduce((equal, bins, band) => equal + equalBytes(bins, b[band] ?? 0), 0))
}

/** Words of which none is a number, a name, a unit, a negation or an outcome. */
const syllable = fc.constantFrom(
  'ba',
  'dor',
  'fi',
  'gul',
  'ka',
  'lem',
  'mo',
  'nax',
  'pi',
  'rud',
  'sto',
  'vek',
  'zu',
)
export const plainWord = fc.array(syllable, { minLength: 3, maxLength: 4 }).map((parts) => parts.join(''))

export function plainWords(min: number, max: number): fc.Arbitrary<string[]> {
  return fc.array(plainWord, { minLength: min, maxLength: max })
}

/** Text of any script, with signs, digits, names and what a normaliser must take away. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(...'"\'()[]-*#.,:;!?/_ \n\tabX19`´…«»“”—ßςΣﬁ①\u200b\u0301\ufeff\u0085'.split('')),
    maxLength: 40,
  }),
  fc
    .array(
      fc.oneof(
        plainWord,
        fc.constantFrom(
          'not',
          "don't",
          'failed',
          'passed',
          'src/a.ts',
          'getUserId',
          '30s',
          '1,000',
          'Alice',
          'is',
          'ne',
        ),
        fc.constantFrom(
          '步骤',
          '失败',
          '不要',
          '.',
          '?',
          '\n',
          '=',
          '-5%',
          '$20',
          'step 2',
          '--force',
          'Nicht',
          'сбой',
        ),
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join(' ')),
)

export interface Disguise {
  readonly isLoud: boolean
  readonly gap: string
  readonly mark: string
  readonly end: string
}

/** Ways to write the same words. */
export const disguise: fc.Arbitrary<Disguise> = fc.record({
  isLoud: fc.boolean(),
  gap: fc.constantFrom(' ', '  ', '\n', '\t', '\u00a0', ' \u200b'),
  mark: fc.constantFrom('', ',', ';', ' -'),
  end: fc.constantFrom('', '.', '!', '...', ' ', '"'),
})

export function disguised(words: readonly string[], { isLoud, gap, mark, end }: Disguise): string {
  const text = words.join(`${mark}${gap}`) + end
  return isLoud ? text.toUpperCase() : text
}
