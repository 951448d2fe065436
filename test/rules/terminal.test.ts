import fc from 'fast-check'
import { expect, test } from 'vitest'
import { explanation } from '../../src/edges/cli/look-up.ts'
import { blastRadiusText } from '../../src/edges/cli/read-text.ts'
import { paintFor, visible } from '../../src/edges/cli/terminal-text.ts'
import { hostileText } from '../support/guide-samples.ts'
import { proofsOf } from '../support/prove.ts'

const prove = proofsOf('terminal')
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u
const anyWords = fc.oneof(hostileText, fc.string({ unit: 'binary', maxLength: 20 }))

/** An answer whose every text is hostile, in any shape that JSON has. */
const anyAnswer = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyWords,
    fc.boolean(),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(
    fc.constantFrom(
      'agent_view',
      'blocked_or_suppressed',
      'omitted',
      'effects',
      'outcomes',
      'facet_changes',
      'differences',
      'before',
      'now',
      'causes',
      'memory_id',
      'title',
      'reason',
      'rule_id',
      'reason_codes',
      'exposed_memory_ids',
      'use_now_memory_ids',
      'asked',
      'value',
      'memories',
      'written',
      'derivatives',
      'derived_from',
      'guides',
      'entries',
      'exposed',
      'surface',
      'runs',
      'dry_run',
      'lines',
      'note',
      'run_id',
      'at',
      'cause',
      'facet',
      'from',
      'to',
      'kind',
    ),
    tie('value'),
    { maxKeys: 12 },
  ),
})).object

test('A28: a line printed from an answer holds nothing that a terminal acts on or hides', () => {
  prove(
    anyAnswer,
    (report) => {
      const body = { agent_flight_recorder: report, blast_radius: report }
      for (const line of [...explanation(body, paintFor(false)), ...blastRadiusText(body, paintFor(false))]) {
        expect(line).not.toMatch(UNSEEN)
      }
    },
    300,
  )
})

test('A28: text that a terminal simply shows is printed as it is, and what was escaped can be told', () => {
  prove(anyWords, (text) => {
    const shown = visible(text)
    expect(shown).not.toMatch(UNSEEN)
    if (!UNSEEN.test(text)) expect(shown).toBe(text)
    const back = shown.replace(/\\u\{([0-9a-f]+)\}/g, (_all, hex: string) =>
      String.fromCodePoint(parseInt(hex, 16)),
    )
    if (!text.includes('\\u{')) expect(back).toBe(text)
  })
})
