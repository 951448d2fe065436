import { expect, test } from 'vitest'
import { firstSentenceOf } from '../../src/core/text/sentences.ts'
import { hostileText } from '../support/guide-samples.ts'
import { prove } from '../support/prove.ts'

test('a sentence ends at its closing mark or at a line break', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['The clock was wrong. Then it hung.', 'The clock was wrong.'],
    ['the clock was wrong. then it hung.', 'the clock was wrong.'],
    ['Why? Nobody knows.', 'Why?'],
    ['It said "stop!" Then nothing.', 'It said "stop!"'],
    [
      'Kein Zugriff auf src/a.ts und Version 1.2 (z.B. lokal). Danach Schluss.',
      'Kein Zugriff auf src/a.ts und Version 1.2 (z.B. lokal).',
    ],
    ['Try pnpm, e.g. on CI. It fails.', 'Try pnpm, e.g. on CI.'],
    ['Waited 30 s. It hung.', 'Waited 30 s.'],
    ['1. Install pnpm. 2. Run it.', '1. Install pnpm.'],
    ['没有访问权限。后来放弃了。', '没有访问权限。'],
    ['First line\nsecond line', 'First line'],
    ['  \n\n Second line. More.', 'Second line.'],
    ['No end', 'No end'],
    ['', ''],
  ]
  for (const [text, sentence] of cases) expect(firstSentenceOf(text)).toBe(sentence)
})

test('it is one line, and the beginning of the folded text', () => {
  prove(hostileText, (text) => {
    expect(firstSentenceOf(text)).not.toMatch(/[\n\r\u2028\p{Bidi_Control}]/u)
  })
})
