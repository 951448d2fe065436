import { describe, expect, test } from 'vitest'
import type { Surface } from '../../src/core/base/closed-sets.ts'
import { assess, authorityOf, idsOf } from '../../src/core/guide/agent-context.ts'
import { selectWithin } from '../../src/core/guide/candidates.ts'
import type { GuideEntry } from '../../src/core/guide/entry.ts'
import type { MemoryRecord } from '../../src/core/model/record.ts'
import { claimOf } from '../support/commands.ts'
import { idOf, sampleEntry, sampleRecord } from '../support/guide-samples.ts'
import { World } from '../support/world.ts'

type Told = Partial<Omit<GuideEntry, 'record'>> & { readonly record?: Partial<MemoryRecord> }

let made = 0

function entry(surface: Surface, { record = {}, ...rest }: Told = {}): GuideEntry {
  made += 1
  const { content, ...fields } = record
  return sampleEntry(sampleRecord(idOf(made), { text: 'x', ...content }, fields), {
    surface,
    reasonCode: `code of ${surface}`,
    ...rest,
  })
}

function assessed(printed: readonly GuideEntry[], omitted = 0) {
  const lines = { use_now: [], inspect_before_use: [], rehydrate: [], do_not_use: [] }
  const left = Array.from({ length: omitted }, () => ({
    entry: entry('use_now'),
    reason: 'budget' as const,
    intoId: null,
  }))
  return assess({ promptText: 'p', printed, lines, omitted: left, versions: null, handles: null })
}

describe('what a guide shows of what is ranked', () => {
  /** One letter for each entry: W a warning, others as they are. */
  const selected = (ranked: string, limit: number): string =>
    selectWithin(
      Array.from(ranked, (letter, at) => ({
        surface: (letter === 'W' ? 'do_not_use' : 'use_now') as Surface,
        letter,
        at,
      })),
      limit,
    )
      .map(({ letter }) => letter)
      .join('')

  test('the first so many, at most half of them warnings', () => {
    expect(selected('abcd', 4)).toBe('abcd')
    expect(selected('abcde', 4)).toBe('abcd')
    expect(selected('WWWabc', 4)).toBe('WWab')
    expect(selected('aWWWbc', 4)).toBe('aWWb')
    expect(selected('WWabWcd', 4)).toBe('WWab')
    expect(selected('WWab', 3)).toBe('Wab')
    expect(selected('Wa', 1)).toBe('a')
    expect(selected('', 4)).toBe('')
  })

  test('more warnings only where there is nothing else, in their order', () => {
    expect(selected('WWWWW', 4)).toBe('WWWW')
    expect(selected('WWWa', 4)).toBe('WWWa')
    expect(selected('WaWWW', 4)).toBe('WaWW')
    expect(selected('W', 1)).toBe('W')
    expect(selected('WW', 0)).toBe('')
  })

  test('and looks at no more than it needs', () => {
    let looked = 0
    function* endless(): Generator<{ readonly surface: Surface }> {
      for (;;) {
        looked += 1
        yield { surface: 'use_now' }
      }
    }
    expect(selectWithin(endless(), 3)).toHaveLength(3)
    expect(looked).toBeLessThanOrEqual(4)
  })
})

describe('what the printed memories amount to', () => {
  test('nothing printed is no history', () => {
    expect(assessed([])).toEqual({
      historyUsed: false,
      actionableHistoryUsed: false,
      recommendedPosture: 'ignore_history',
      authority: 'none',
      risk: { negative_transfer_risk: 'low', blocked_authority_count: 0, stale_memory_count: 0, reasons: [] },
      summary: 'No reusable memory was found.',
    })
    expect(assessed([], 2).summary).toBe('No memory was shown. 2 more did not fit the character budget.')
    expect(assessed([], 1).historyUsed).toBe(false)
  })

  test('all but a warning can change the next action, and so can a warning about a run', () => {
    const isActionable = (surface: Surface, domain: 'general' | 'execution'): boolean =>
      assessed([entry(surface, { record: { domain } })]).actionableHistoryUsed
    for (const surface of ['use_now', 'inspect_before_use', 'rehydrate'] as const)
      for (const domain of ['general', 'execution'] as const) expect(isActionable(surface, domain)).toBe(true)
    expect([isActionable('do_not_use', 'general'), isActionable('do_not_use', 'execution')]).toEqual([
      false,
      true,
    ])
    expect(assessed([entry('do_not_use'), entry('rehydrate')]).actionableHistoryUsed).toBe(true)
    expect(assessed([entry('do_not_use')]).historyUsed).toBe(true)
  })

  test('the posture is that of the most usable, and history is supported by runs, handoffs and successes', () => {
    const postureOf = (...printed: readonly GuideEntry[]): string => assessed(printed).recommendedPosture
    const counters = { positive: 1, negativeWeak: 0, negativeStrong: 0, neutral: 0, observedPositive: 0 }
    for (const record of [{ domain: 'execution' }, { source: 'handoff' }, { counters }] as const) {
      expect(postureOf(entry('use_now', { record }))).toBe('reuse_supported_history')
      expect(postureOf(entry('use_now'), entry('use_now', { record }))).toBe('reuse_supported_history')
      expect(postureOf(entry('inspect_before_use', { record }))).toBe('inspect_before_use')
    }
    expect(
      postureOf(
        entry('use_now', { record: { counters: { ...counters, positive: 0, observedPositive: 3 } } }),
      ),
    ).toBe('use_as_context')
    expect(postureOf(entry('use_now'), entry('inspect_before_use'))).toBe('use_as_context')
    expect(postureOf(entry('rehydrate'), entry('inspect_before_use'))).toBe('inspect_before_use')
    expect(postureOf(entry('rehydrate'), entry('do_not_use'))).toBe('rehydrate_before_use')
    expect(postureOf(entry('do_not_use'))).toBe('ignore_history')
  })

  test('authority: blocked on a warning, candidate to verify, trusted when verified or claimed so, else advisory', () => {
    const verifier = (status: 'passed' | 'failed') => ({ name: 'check', status, summary: null })
    expect(authorityOf(entry('do_not_use'))).toBe('blocked')
    expect(authorityOf(entry('inspect_before_use'))).toBe('candidate')
    expect(authorityOf(entry('rehydrate'))).toBe('candidate')
    expect(authorityOf(entry('use_now'))).toBe('advisory')
    const withChecks = (...verifiers: readonly ReturnType<typeof verifier>[]): GuideEntry =>
      sampleEntry(sampleRecord(idOf(9), { verifier: verifiers }))
    expect(authorityOf(withChecks(verifier('failed'), verifier('passed')))).toBe('trusted')
    expect(authorityOf(withChecks(verifier('failed')))).toBe('advisory')
    const order = ['use_now', 'inspect_before_use', 'do_not_use'] as const
    expect(assessed(order.map((surface) => entry(surface))).authority).toBe('advisory')
    expect(
      assessed([...order.map((surface) => entry(surface)), withChecks(verifier('passed'))]).authority,
    ).toBe('trusted')
    expect(assessed([entry('do_not_use'), entry('rehydrate')]).authority).toBe('candidate')
    expect(assessed([entry('do_not_use')]).authority).toBe('blocked')
  })

  test('a trusted claim has authority, another has none', () => {
    const world = new World()
    const claimed = (authority: 'trusted' | 'advisory'): GuideEntry => {
      const [id = ''] = world.observe({ claims: [claimOf(null, { authority })] }).memoryIds
      return sampleEntry(world.record(id))
    }
    expect([authorityOf(claimed('trusted')), authorityOf(claimed('advisory'))]).toEqual([
      'trusted',
      'advisory',
    ])
  })

  test('risk is high when a warning touches what is asked and nothing may be used, medium with anything to verify or avoid', () => {
    const riskOf = (...printed: readonly GuideEntry[]): string =>
      assessed(printed).risk.negative_transfer_risk
    const touching = entry('do_not_use', { relevantWarning: true })
    expect(riskOf(touching)).toBe('high')
    expect(riskOf(entry('inspect_before_use'), entry('do_not_use'), touching)).toBe('high')
    expect(riskOf(touching, entry('use_now'))).toBe('medium')
    expect(riskOf(entry('do_not_use'))).toBe('medium')
    expect(riskOf(entry('inspect_before_use'))).toBe('medium')
    expect(riskOf(entry('rehydrate'))).toBe('low')
    expect(riskOf(entry('use_now'))).toBe('low')
  })

  test('what is blocked and what is stale is counted, and what held back is named once, eight at most', () => {
    const states = [
      'superseded',
      'expired',
      'demoted',
      'archived',
      'active',
      'contested',
      'failed',
      'suppressed',
      'candidate',
    ] as const
    const { risk } = assessed(states.map((lifecycleState) => entry('do_not_use', { lifecycleState })))
    expect([risk.stale_memory_count, risk.blocked_authority_count, risk.reasons]).toEqual([
      4,
      9,
      ['code of do_not_use'],
    ])
    const many = Array.from({ length: 9 }, (_, n) => entry('inspect_before_use', { reasonCode: `code ${n}` }))
    const reasons = assessed([entry('use_now'), ...many, ...many]).risk.reasons
    expect(reasons).toEqual(Array.from({ length: 8 }, (_, n) => `code ${n}`))
  })

  test('the summary counts each surface and what did not fit', () => {
    const printed = [
      entry('use_now'),
      entry('use_now'),
      entry('inspect_before_use'),
      entry('rehydrate'),
      entry('do_not_use'),
    ]
    const counted = 'Memory shown: 2 usable now, 1 to verify first, 1 as warnings, 1 to rehydrate.'
    expect(assessed(printed).summary).toBe(counted)
    expect(assessed(printed, 3).summary).toBe(`${counted} 3 more did not fit the character budget.`)
    expect(idsOf(printed, 'use_now')).toEqual(printed.slice(0, 2).map(({ record }) => record.memoryId))
    expect(idsOf([], 'use_now')).toEqual([])
  })
})
