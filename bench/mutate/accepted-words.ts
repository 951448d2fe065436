import type { Accepted } from './acceptance.ts'

const SCREENING = 'src/domain/screening'
const GUIDE = 'src/domain/guide'

/** In the readers of words and clauses, and in what a guide considers. */
export const ACCEPTED_WORDS: readonly Accepted[] = [
  {
    file: `${SCREENING}/address.ts`,
    line: 'run.end <= start',
    changes: [['run.end <= start', '(run.end) < (start)']],
    reason: 'a run that ends where a word begins holds no unit of it, so it gives no address either',
  },
  {
    file: `${SCREENING}/answer.ts`,
    line: 'if (code === -1) return -1',
    changes: [
      ['code === -1', 'false'],
      ['1', '1 + 1'],
      ['1', '1 - 1'],
    ],
    reason: 'what is given back is the code: the line only saves work',
  },
  {
    file: `${SCREENING}/answer.ts`,
    line: 'at < to',
    changes: [['at < to', '(at) <= (to)']],
    reason:
      'the word of the reader, at which this would end, is no order, nor is the one that begins a purpose',
  },
  {
    file: `${SCREENING}/directive.ts`,
    line: 'at < sentence.to',
    changes: [['at < sentence.to', '(at) <= (sentence.to)']],
    reason: 'a rule that begins behind its sentence has nothing to read',
  },
  {
    file: `${SCREENING}/directive.ts`,
    line: '(mask & ANY_RULE) === 0',
    changes: [
      ['(mask & ANY_RULE) === 0', 'false'],
      ['0', '0 + 1'],
      ['0', '0 - 1'],
    ],
    reason: 'every rule asks for its own classes again: the line only saves work',
  },
  {
    file: `${SCREENING}/matches.ts`,
    line: 'pattern.lastIndex = 0',
    changes: [['0', '0 - 1']],
    reason: 'a search from before a text begins where the text does',
  },
  {
    file: `${SCREENING}/words.ts`,
    line: 'let isLetters = true',
    changes: [['true', 'false']],
    reason: 'letters read as letters are the word that has just been looked up: the flag only saves work',
  },
  {
    file: `${SCREENING}/words.ts`,
    line: 'units |= 0x80',
    changes: [['0x80', '0x80 + 1']],
    reason: 'any bit beyond ASCII says the same',
  },
  {
    file: `${SCREENING}/words.ts`,
    line: 'const isAscii = units < 0x80',
    changes: [
      ['units < 0x80', '(units) <= (0x80)'],
      ['0x80', '0x80 + 1'],
      ['0x80', '0x80 - 1'],
    ],
    reason:
      'no word is made of such units alone, and both ways of looking up give ASCII words the same classes',
  },
  {
    file: `${SCREENING}/words.ts`,
    line: 'digits === end - start',
    changes: [['digits === end - start', 'false']],
    reason: 'no digits alone are a word of the list: the line only saves work',
  },
  {
    file: `${SCREENING}/words.ts`,
    line: '(mask & HEAD) !== 0',
    changes: [
      ['0', '0 + 1'],
      ['0', '0 - 1'],
    ],
    reason: 'from other words no entry of several words begins: the line only saves work',
  },
  {
    file: `${GUIDE}/candidates.ts`,
    line: 'isAddressedTo(handoff, consumer) ? 0 : 1',
    changes: [['0', '0 - 1']],
    reason: 'places are only compared',
  },
  {
    file: `${GUIDE}/candidates.ts`,
    line: '? 3 : 2',
    changes: [['3', '3 + 1']],
    reason: 'places are only compared',
  },
  {
    file: `${GUIDE}/candidates.ts`,
    line: 'let at = ids.length - 1; at >= 0',
    changes: [
      ['1', '1 - 1'],
      ['0', '0 - 1'],
    ],
    reason: 'beyond its ends a list holds no id',
  },
]
