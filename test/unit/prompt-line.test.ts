import { describe, expect, test } from 'vitest'
import { densityOf } from '../../src/core/guide/density.ts'
import type { GuideEntry } from '../../src/core/guide/entry.ts'
import { lineOf } from '../../src/core/guide/line.ts'
import type { Content, HandoffFacts, MemoryRecord } from '../../src/core/model/record.ts'
import { idOf, sampleEntry, sampleRecord, VIEW } from '../support/guide-samples.ts'

const ID = idOf(1)
const HANDOFF: HandoffFacts = {
  handoffId: `handoff:${ID}`,
  anchor: null,
  handoffKind: 'task_handoff',
  targetAgentId: null,
  targetTeamId: null,
  targetRole: null,
  handoffText: 'The printer still drops comments.',
  nextAction: 'Write the printer.',
  risk: null,
}

function line(
  content: Partial<Content>,
  record: Partial<Omit<MemoryRecord, 'content'>> = {},
  entry: Partial<GuideEntry> = {},
  view = VIEW,
): string {
  return lineOf(sampleEntry(sampleRecord(ID, content, record), entry), densityOf(view), null)
}

describe('a use_now line', () => {
  test('is the id, what the memory is, and its text', () => {
    expect(line({ text: 'Use pnpm.' }, { memoryType: 'preference' })).toBe(`[${ID}] preference: Use pnpm.`)
  })

  test('of a run ends with its files and checks as far as they fit', () => {
    const run = {
      text: 'Fixed the clock skew.',
      outcome: 'succeeded',
      targetFiles: ['a.ts', 'b.ts'],
    } as const
    expect(
      line({ ...run, acceptanceChecks: ['npm test'], nextAction: 'Ship it.' }, { domain: 'execution' }),
    ).toBe(
      `[${ID}] run succeeded: Fixed the clock skew. | next: Ship it. | files: a.ts, b.ts | checks: npm test`,
    )
    const crowded = line(
      { ...run, text: 'word '.repeat(66).trim(), targetFiles: ['x'.repeat(50)] },
      { domain: 'execution' },
    )
    expect(crowded).not.toContain('files:')
    expect(line({ ...run, text: 'word '.repeat(300) }, { domain: 'execution' })).toContain(
      'files: a.ts, b.ts',
    )
  })

  test('of a handoff prints summary, handoff text and next action', () => {
    const printed = line({ text: 'x', summary: 'Parser done.' }, { source: 'handoff', handoff: HANDOFF })
    expect(printed).toBe(
      `[${ID}] handoff: Parser done. | The printer still drops comments. | next: Write the printer.`,
    )
  })

  test('prints the whole text while it fits in 400 characters and marks a cut', () => {
    const room = 400 - `[${ID}] fact: `.length
    expect(line({ text: 'w'.repeat(room) })).toHaveLength(400)
    expect(line({ text: `${'word '.repeat(100)}` })).toMatch(/…/u)
  })

  test('in compact form prints the summary', () => {
    const compact = { ...VIEW, contextMode: 'compact_agent' as const }
    expect(line({ text: 'A long text. '.repeat(20), summary: 'Short.' }, {}, {}, compact)).toBe(
      `[${ID}] fact: Short.`,
    )
  })

  test('falls back to summary and title when there is no text', () => {
    expect(line({ summary: 'S' })).toBe(`[${ID}] fact: S`)
    expect(line({ title: 'T' })).toBe(`[${ID}] fact: T`)
    expect(line({})).toBe(`[${ID}] fact: (no text recorded)`)
  })
})

test('an inspect line says why', () => {
  expect(line({ text: 'Use pnpm.' }, {}, { surface: 'inspect_before_use', reason: 'It is contested.' })).toBe(
    `[${ID}] fact: Use pnpm. | verify: It is contested`,
  )
})

test('a warning says type, source, run and reason', () => {
  expect(
    line(
      { text: 'secret', outcome: 'failed' },
      { domain: 'execution', runId: 'run-7' },
      {
        surface: 'do_not_use',
        reason: 'The run failed.',
      },
    ),
  ).toBe(`[${ID}] run run-7, source observe: The run failed`)
  expect(
    line(
      { text: 'secret' },
      { source: 'handoff' },
      { surface: 'do_not_use', reason: '', reasonCode: 'suppressed' },
    ),
  ).toBe(`[${ID}] handoff: suppressed`)
  expect(line({ text: 'secret' }, { runId: 'run-7' }, { surface: 'do_not_use', reason: 'Replaced.' })).toBe(
    `[${ID}] fact of run run-7, source observe: Replaced`,
  )
})

test('a pointer says what it holds', () => {
  const surface = { surface: 'rehydrate', reason: 'It is archived.' } as const
  expect(
    line({ title: 'CI log', text: 'x', rawRef: 's3://log', evidenceRefs: ['ci:1', 'ci:2'] }, {}, surface),
  ).toBe(`[${ID}] fact: CI log | holds: text, raw s3://log, evidence ci:1 | It is archived`)
  expect(line({ payload: {} }, {}, surface)).toBe(`[${ID}] fact: holds: payload | It is archived`)
})

test('the same memory asked again after a different one gives the same shortened line', () => {
  const long = { text: 'The staging database answers on port 5432, not on 5433. '.repeat(20) }
  const record = sampleRecord(ID, long)
  const [full, compact] = [densityOf(VIEW), densityOf({ ...VIEW, contextMode: 'compact_agent' })]
  const entry = sampleEntry(record)
  const first = [lineOf(entry, full, null), lineOf(entry, compact, null)]
  expect([lineOf(entry, full, null), lineOf(entry, compact, null)]).toEqual(first)
  expect(first[0]).not.toBe(first[1])
})
