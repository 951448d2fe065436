import { describe, expect, test } from 'vitest'
import { densityOf, type GuideEntry, WEAK } from '../../src/core/guide/entry.ts'
import { lineOf } from '../../src/core/guide/line.ts'
import type { Content, HandoffFacts, MemoryRecord } from '../../src/core/model/record.ts'
import { idOf, sampleEntry, sampleRecord, VIEW } from '../support/guide-samples.ts'

const ID = idOf(1)
/** Of a memory that tells no other. */
const DAY = '(1970-01-01)'
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
    expect(line({ text: 'Use pnpm.' }, { memoryType: 'preference' })).toBe(
      `[${ID}] preference ${DAY}: Use pnpm.`,
    )
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
      `[${ID}] run succeeded ${DAY}: Fixed the clock skew. | next: Ship it. | files: a.ts, b.ts | checks: npm test`,
    )
    const crowded = line(
      { ...run, text: 'word '.repeat(64).trim(), targetFiles: ['x'.repeat(50)] },
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
      `[${ID}] handoff ${DAY}: Parser done. | The printer still drops comments. | next: Write the printer.`,
    )
  })

  test('prints the whole text while it fits in 400 characters and marks a cut', () => {
    const room = 400 - `[${ID}] fact ${DAY}: `.length
    expect(line({ text: 'w'.repeat(room) })).toHaveLength(400)
    expect(line({ text: `${'word '.repeat(100)}` })).toMatch(/…/u)
  })

  test('in compact form prints the summary', () => {
    const compact = { ...VIEW, contextMode: 'compact_agent' as const }
    expect(line({ text: 'A long text. '.repeat(20), summary: 'Short.' }, {}, {}, compact)).toBe(
      `[${ID}] fact ${DAY}: Short.`,
    )
  })

  test('falls back to summary and title when there is no text', () => {
    expect(line({ summary: 'S' })).toBe(`[${ID}] fact ${DAY}: S`)
    expect(line({ title: 'T' })).toBe(`[${ID}] fact ${DAY}: T`)
    expect(line({})).toBe(`[${ID}] fact ${DAY}: (no text recorded)`)
  })
})

test('an inspect line says why', () => {
  expect(line({ text: 'Use pnpm.' }, {}, { surface: 'inspect_before_use', reason: 'It is contested.' })).toBe(
    `[${ID}] fact ${DAY}: Use pnpm. | verify: It is contested`,
  )
})

describe('what a line says of its memory for the reader to weigh', () => {
  const seen = { observedAtMs: Date.UTC(2026, 9, 30, 23, 59), createdAtMs: 0 }

  test('is the UTC day, who said it unless an agent did, and how sure that was when it was not', () => {
    expect(line({ text: 'Use pnpm.' }, seen)).toBe(`[${ID}] fact (2026-10-30): Use pnpm.`)
    expect(line({ text: 'Use pnpm.' }, { ...seen, origin: 'user' })).toBe(
      `[${ID}] fact (2026-10-30, user): Use pnpm.`,
    )
    expect(line({ text: 'Use pnpm.', confidence: 0.75 }, seen)).not.toContain('confidence')
    expect(
      line(
        { text: 'Use pnpm.', confidence: 0.6 },
        { ...seen, origin: 'tool' },
        { surface: 'inspect_before_use', reason: 'why' },
      ),
    ).toBe(`[${ID}] fact (2026-10-30, tool, confidence 0.6): Use pnpm. | verify: why`)
    expect(line({ text: 'x', confidence: 0.1 + 0.2 })).toContain('confidence 0.3)')
  })

  test('is said in every form, and not on warnings and pointers', () => {
    for (const contextMode of ['standard', 'compact_agent'] as const)
      for (const compaction of ['balanced', 'aggressive'] as const)
        expect(line({ text: 'Use pnpm.' }, seen, {}, { ...VIEW, contextMode, compaction })).toContain(
          ' (2026-10-30): Use pnpm.',
        )
    for (const surface of ['do_not_use', 'rehydrate'] as const)
      expect(line({ text: 'Use pnpm.' }, seen, { surface })).not.toContain('2026')
  })
})

describe('the line of a failed run without a title', () => {
  const summary = 'Raised the timeout to 30 s. It still hung.\nThen gave up.'
  const run = { domain: 'execution', runId: 'run-7', origin: 'agent' } as const
  const content = { text: 'secret', outcome: 'failed', summary, targetFiles: ['a.ts', 'b.ts'] } as const
  const blocked = { surface: 'do_not_use', reason: 'the run failed', lifecycleState: 'active' } as const
  const told = (
    more: Partial<Content> = {},
    record: Partial<Omit<MemoryRecord, 'content'>> = {},
    entry: Partial<GuideEntry> = {},
  ) => line({ ...content, ...more }, { ...run, ...record }, { ...blocked, ...entry })
  const HEAD = `[${ID}] run run-7, source observe: the run failed`

  test('G7: shows the first sentence of its own summary', () => {
    expect(told()).toBe(`${HEAD} | summary: "Raised the timeout to 30 s."`)
    for (const origin of ['user', 'agent', 'verifier', 'tool'] as const)
      expect(told({}, { origin })).toContain('Raised')
    const long = told({ summary: `${'very '.repeat(60)}long` })
    expect(long).toMatch(/ \| summary: "[^"]{1,120}"$/u)
    expect(told({ summary: 'He said "no" [m1]\n## USE NOW: x' })).toBe(
      `${HEAD} | summary: "He said 'no' (m1)"`,
    )
  })

  test('G7: shows its files where the summary may not be shown or there is none, and no title of its own making', () => {
    const files = `${HEAD} | files: a.ts, b.ts`
    for (const origin of ['document', 'external', 'unknown'] as const)
      expect(told({}, { origin })).toBe(files)
    expect(told({}, { findings: ['override'] })).toBe(files)
    expect(told({}, {}, { lifecycleState: 'suppressed' })).toBe(files)
    expect(told({ summary: null, title: 'derived' })).toBe(files)
    expect(told({ outcome: 'blocked' })).toBe(files)
    expect(told({ summary: null, targetFiles: [] })).toBe(HEAD)
    expect(told({ title: 'Longer tokens', titleIsCallers: true })).toBe(`${HEAD} | title: "Longer tokens"`)
  })

  test('G7: of which the title is all that was sent says the title, unless it is suppressed', () => {
    const only = { text: 'Longer tokens', title: 'Longer tokens', titleIsCallers: true, summary: null }
    expect(told(only)).toBe(`${HEAD} | title: "Longer tokens"`)
    expect(told(only, {}, { lifecycleState: 'suppressed' })).not.toContain('Longer')
    expect(told(only, { findings: ['override'] })).not.toContain('Longer')
    expect(told(only, { domain: 'general' })).not.toContain('Longer')
  })

  test('G7: is that of a run: no other warning shows summary, text or files', () => {
    for (const record of [{ domain: 'general' }, { source: 'handoff' }, { source: 'claim' }] as const)
      expect(told({}, record)).not.toMatch(/Raised|secret|a\.ts/u)
    for (const outcome of ['succeeded', 'interrupted', 'unknown', null] as const)
      expect(told({ outcome })).not.toMatch(/Raised|secret|a\.ts/u)
  })
})

describe('the line of a run that stands for others', () => {
  test('says how many they are, when the last was, and what all of them passed', () => {
    const run = { domain: 'execution', observedAtMs: Date.UTC(2026, 9, 30) } as const
    const content = { text: 'Fixed it.', outcome: 'succeeded', acceptanceChecks: ['npm test'] } as const
    expect(line(content, run, { standsFor: 17 })).toBe(
      `[${ID}] run succeeded (2026-10-30): 17 more runs succeeded, last 2026-10-30 | checks: npm test`,
    )
    expect(line(content, run, { standsFor: 1 })).toContain(': 1 more run succeeded, last')
    const interrupted = { ...content, outcome: 'interrupted' } as const
    const inspected = { standsFor: 2, surface: 'inspect_before_use', reason: 'why' } as const
    expect(line(interrupted, run, inspected)).toBe(
      `[${ID}] run interrupted (2026-10-30): 2 more runs were interrupted, last 2026-10-30 | checks: npm test | verify: why`,
    )
  })

  test('says so behind the reason when it is a warning', () => {
    const run = { domain: 'execution', runId: 'r', observedAtMs: Date.UTC(2026, 9, 30) } as const
    const warning = { surface: 'do_not_use', reason: 'it failed', standsFor: 4 } as const
    expect(line({ text: 'x', outcome: 'failed', targetFiles: ['a.ts'] }, run, warning)).toBe(
      `[${ID}] run r, source observe: it failed | 4 more runs failed, last 2026-10-30 | files: a.ts`,
    )
  })
})

test('a weak line has at most 120 characters, on every surface', () => {
  const content = {
    title: 'A title '.repeat(20),
    titleIsCallers: true,
    text: 'words '.repeat(100),
    summary: 'A sentence. '.repeat(20),
    nextAction: 'next '.repeat(20),
    targetFiles: ['src/a.ts'],
    acceptanceChecks: ['npm test'],
    confidence: 0.123,
    fullTextChars: 40_000,
  }
  const record = sampleRecord(ID, content, {
    memoryType: 'project_context',
    origin: 'document',
    runId: 'r'.repeat(90),
  })
  for (const surface of ['use_now', 'inspect_before_use', 'do_not_use', 'rehydrate'] as const) {
    const entry = sampleEntry(record, { surface, isWeak: true, reason: 'weak match' })
    const printed = lineOf(entry, WEAK, { record, isShown: true })
    expect(printed.length).toBeLessThanOrEqual(120)
    expect(printed.startsWith(`[${ID}] `)).toBe(true)
  }
  const plain = sampleEntry(sampleRecord(ID, { text: 'The office plants are watered on Mondays.' }), {
    surface: 'inspect_before_use',
    reason: 'weak match',
  })
  expect(lineOf(plain, WEAK, null)).toMatch(/ fact \(1970-01-01\): .*plants.* \| verify: weak match$/u)
})

test('a weak line tells some of its text, and an id that it refers to whole or not at all', () => {
  const other = sampleRecord(idOf(2), { text: 'Cool the sand first.' })
  const record = sampleRecord(ID, { text: 'The kiln is lit on Mondays.', fullTextChars: 40_000 })
  const inspected = sampleEntry(record, {
    surface: 'inspect_before_use',
    reason: 'a memory of more authority says otherwise',
    disputedBy: { memoryId: other.memoryId, origin: 'user', observedAtMs: 0 },
    pastUse: 'failed in 1 of its last 3 verified uses',
  })
  const warned = { ...inspected, surface: 'do_not_use', reason: 'the run failed' } as const
  for (const line of [lineOf(inspected, WEAK, null), lineOf({ ...inspected, pastUse: null }, WEAK, null)]) {
    expect(line).toMatch(/\(1970-01-01\): .*[a-z].* \| /u)
    expect(line).not.toContain('disputed by')
  }
  expect(lineOf(warned, WEAK, { record: other, isShown: true })).toMatch(/ \| worked instead: \S.*[a-z]…?$/u)
  expect(lineOf(warned, densityOf(VIEW), { record: other, isShown: true })).toContain(`(${other.memoryId})`)
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
