import type { Accepted } from './acceptance.ts'

const SCREENING = 'src/domain/screening'

/** In the readers of units, words and encodings. */
export const ACCEPTED_ENCODINGS: readonly Accepted[] = [
  {
    file: `${SCREENING}/bytes.ts`,
    line: 'let buffer = 0',
    changes: [
      ['0', '0 + 1'],
      ['0', '0 - 1'],
    ],
    reason: 'only bits of letters are read, and what stands above them is cut off',
  },
  {
    file: `${SCREENING}/bytes.ts`,
    line: 'first < 0xc0',
    changes: [
      ['0xc0', '0xc0 + 1'],
      ['first < 0xc0', '(first) <= (0xc0)'],
    ],
    reason: 'what C0 begins has a shorter form, so it is wrong either way',
  },
  {
    file: `${SCREENING}/bytes.ts`,
    line: 'bytes[next] ?? 0',
    changes: [
      ['bytes[next] ?? 0', '(bytes[next])'],
      ['0', '0 + 1'],
      ['0', '0 - 1'],
    ],
    reason: 'beyond the end stands no second byte of a character, whatever it is read as',
  },
  {
    file: `${SCREENING}/bytes.ts`,
    line: 'from < units.length',
    changes: [['from < units.length', '(from) <= (units.length)']],
    reason: 'the part behind the last one is empty',
  },
  {
    file: `${SCREENING}/bytes.ts`,
    line: 'code >= 0x30',
    changes: [['0x30', '0x30 - 1']],
    reason: 'the unit before 0 is a slash: a unit of runs, and -1 more than it would be as a digit',
  },
  {
    file: `${SCREENING}/ciphers.ts`,
    line: 'code < 0x61 ? 0x41 : 0x61',
    changes: [['0x61', '0x61 - 1']],
    reason: 'the unit before a is no letter, and others are not looked at',
  },
  {
    file: `${SCREENING}/decode.ts`,
    line: '(survey.signs & ESCAPE) === 0',
    changes: [
      ['0', '0 + 1'],
      ['0', '0 - 1'],
    ],
    reason: 'a text without a sign of an escape holds none: the line only saves work',
  },
  {
    file: `${SCREENING}/decode.ts`,
    line: 'let passed = 0',
    changes: [['0', '0 - 1']],
    reason: 'no run begins before the text',
  },
  {
    file: `${SCREENING}/decode.ts`,
    line: 'at - lineStart >= 32',
    changes: [['32', '32 - 1']],
    reason: 'the length is a multiple of four as well',
  },
  {
    file: `${SCREENING}/escapes.ts`,
    line: 'const FIRST: Piece',
    changes: [
      ['0', '0 + 1'],
      ['0', '0 - 1'],
    ],
    reason:
      'no unit lies before the first piece, and there is no escape in it: half of these numbers are not read',
  },
  {
    file: `${SCREENING}/escapes.ts`,
    line: 'let low = 0',
    changes: [['0', '0 - 1']],
    reason: 'the search ends at the first piece that may hold the unit, and that is not before 0',
  },
  {
    file: `${SCREENING}/escapes.ts`,
    line: '(low + high + 1) >> 1',
    changes: [['1', '1 + 1']],
    reason: 'any place above the low one and up to the high one ends the search',
  },
  {
    file: `${SCREENING}/escapes.ts`,
    line: 'pieces[low] ?? FIRST',
    changes: [['pieces[low] ?? FIRST', '(pieces[low])']],
    reason: 'the place is one of the list; the default is for the type only',
  },
  {
    file: `${SCREENING}/escapes.ts`,
    line: 'at < text.length',
    changes: [['at < text.length', '(at) <= (text.length)']],
    reason: 'nothing stands behind the text',
  },
  {
    file: `${SCREENING}/escapes.ts`,
    line: 'if (count < 2)',
    changes: [
      ['count < 2', 'false'],
      ['2', '2 - 1'],
    ],
    reason: 'a row of one byte, or of none, comes to the same: the line only saves work',
  },
  {
    file: `${SCREENING}/folding.ts`,
    line: '!BEYOND_ASCII.test(word)',
    changes: [['!BEYOND_ASCII.test(word)', 'false']],
    reason: 'ASCII folds to lower case unit by unit too: the line only saves work',
  },
  {
    file: `${SCREENING}/folding.ts`,
    line: 'const known = table[unit] ?? 0',
    changes: [['table[unit] ?? 0', '(0)']],
    reason: 'a unit that is seen again folds to the same: the table only saves work',
  },
  {
    file: `${SCREENING}/folding.ts`,
    line: 'if (known !== 0)',
    changes: [['known !== 0', 'false']],
    reason: 'a unit that is seen again folds to the same: the table only saves work',
  },
  {
    file: `${SCREENING}/hidden.ts`,
    line: 'let end = -1',
    changes: [['1', '1 + 1']],
    reason: 'no character ends before the text',
  },
  {
    file: `${SCREENING}/hidden.ts`,
    line: 'kinds[text.charCodeAt(at)] === SEEN',
    changes: [
      ['kinds[text.charCodeAt(at)] === SEEN', 'false'],
      ['SEEN', 'SEEN - 1'],
    ],
    reason: 'what is seen is not hidden: the line only saves work',
  },
  {
    file: `${SCREENING}/hidden.ts`,
    line: 'text.codePointAt(at) ?? 0',
    changes: [
      ['text.codePointAt(at) ?? 0', '(text.codePointAt(at))'],
      ['0', '0 + 1'],
      ['0', '0 - 1'],
    ],
    reason: 'the place is one of the text; the default is for the type only',
  },
  {
    file: `${SCREENING}/hidden.ts`,
    line: 'kinds[codePoint] === HIDDEN) return false',
    changes: [
      ['kinds[codePoint] === HIDDEN', 'false'],
      ['HIDDEN', 'HIDDEN - 1'],
    ],
    reason: 'what no neighbour needs is not kept by the pattern either: the line only saves work',
  },
  {
    file: `${SCREENING}/lexicon.ts`,
    line: "/^[a-z']*$/.test(word)",
    changes: [["/^[a-z']*$/.test(word)", 'false']],
    reason: 'a word of Latin letters looks like itself only: the line only saves work',
  },
  ...['PICTURE', 'BRACKET'].map(
    (sign): Accepted => ({
      file: `${SCREENING}/screen.ts`,
      line: `(survey.signs & ${sign}) !== 0`,
      changes: [
        ['0', '0 + 1'],
        ['0', '0 - 1'],
      ],
      reason: 'a text without the sign holds no markup: the line only saves work',
    }),
  ),
  {
    file: `${SCREENING}/screen.ts`,
    line: 'a.kind < b.kind ? -1 : 1',
    changes: [
      ['a.kind < b.kind', '(a.kind) <= (b.kind)'],
      ['1', '1 + 1'],
      ['1', '1 - 1'],
    ],
    reason: 'kinds of one place differ, and a sort asks only whether its comparator is below 0',
  },
  {
    file: `${SCREENING}/segments.ts`,
    line: 'at < run.length',
    changes: [
      ['0', '0 - 1'],
      ['at < run.length', '(at) <= (run.length)'],
    ],
    reason: 'no word begins before a run or behind it',
  },
  {
    file: `${SCREENING}/segments.ts`,
    line: 'beginnings[beginningAt(run, at)] === 0',
    changes: [['0', '0 - 1']],
    reason: 'two letters that begin no word begin none of the lists: the table only saves work',
  },
  {
    file: `${SCREENING}/span-index.ts`,
    line: 'list.length * 4',
    changes: [
      ['4', '4 + 1'],
      ['4', '4 - 1'],
    ],
    reason: 'how much room is made in advance is no promise',
  },
  {
    file: `${SCREENING}/span-index.ts`,
    line: '& lengthBit(end - start)) !== 0',
    changes: [['0', '0 - 1']],
    reason: 'what the bits leave over is looked up anyway: the line only saves work',
  },
  {
    file: `${SCREENING}/spelled.ts`,
    line: 'runs.length === 0',
    changes: [
      ['runs.length === 0', 'false'],
      ['0', '0 - 1'],
    ],
    reason: 'without a row a copy of the words is made that is the same: the line only saves work',
  },
  {
    file: `${SCREENING}/spelled.ts`,
    line: 'from < words.starts.length',
    changes: [
      ['0', '0 - 1'],
      ['from < words.starts.length', '(from) <= (words.starts.length)'],
    ],
    reason: 'before the first word and behind the last one is no letter',
  },
  {
    file: `${SCREENING}/spelled.ts`,
    line: 'words.texts[at] ?? null',
    changes: [['words.texts[at] ?? null', '(words.texts[at])']],
    reason: 'the place is one of the list; the default is for the type only',
  },
  {
    file: `${SCREENING}/unit-kind.ts`,
    line: 'code < 0xd800 || code > 0xdfff',
    changes: [
      ['0xd800', '0xd800 - 1'],
      ['0xdfff', '0xdfff + 1'],
    ],
    reason: 'the units beside the halves are no letters, like a half alone',
  },
  {
    file: `${SCREENING}/unit-kind.ts`,
    line: 'text.codePointAt(at - 1) ?? 0',
    changes: [
      ['text.codePointAt(at - 1) ?? 0', '(text.codePointAt(at - 1))'],
      ['0', '0 + 1'],
      ['0', '0 - 1'],
    ],
    reason: 'nothing before the text is as much as any character of one unit: no pair',
  },
  {
    file: `${SCREENING}/unit-kind.ts`,
    line: 'before > 0xffff ?',
    changes: [
      ['before > 0xffff', '(before) >= (0xffff)'],
      ['0xffff', '0xffff - 1'],
      ['text.codePointAt(at) ?? 0', '(text.codePointAt(at))'],
      ['0', '0 + 1'],
      ['0', '0 - 1'],
    ],
    reason: 'a character of one unit, or none at all, is no pair, whichever of them it is',
  },
  {
    file: `${SCREENING}/unit-kind.ts`,
    line: 'codePoint > 0xffff ?',
    changes: [
      ['codePoint > 0xffff', '(codePoint) >= (0xffff)'],
      ['0xffff', '0xffff - 1'],
    ],
    reason: 'the last character of one unit is no letter, like a half alone',
  },
  {
    file: `${SCREENING}/unit-kind.ts`,
    line: 'codePoint >= 0x20 && isSkipped(codePoint)',
    changes: [
      ['codePoint >= 0x20', '(codePoint) > (0x20)'],
      ['0x20', '0x20 + 1'],
    ],
    reason: 'a space is seen',
  },
]
