import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ORIGINS } from '../../src/core/base/closed-sets.ts'
import type { GuideCommand } from '../../src/core/guide/entry.ts'
import { STANDING_CHARS_MAX, STANDING_MEMORIES_MAX } from '../../src/core/guide/standing.ts'
import type { MemoryWrite } from '../../src/core/model/commands.ts'
import { memoryOf, OPERATOR } from '../support/commands.ts'
import { answering, type NamedHit } from '../support/named-hit.ts'
import { proofsOf } from '../support/prove.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('standing')
const RANK: Readonly<Record<string, number>> = { user: 0, verifier: 1, agent: 2, tool: 3 }

/** A world that is too large to be shown whole, with the given standing memories behind it. */
function worldWith(memories: readonly MemoryWrite[]): {
  readonly world: World
  readonly ids: readonly string[]
} {
  const world = new World()
  world.observe({
    memories: Array.from({ length: 14 }, (_, n) => memoryOf({ text: `note ${'abcdefghijklmn'.charAt(n)}` })),
  })
  return { world, ids: world.observe({ memories }).memoryIds }
}

const shown = (world: World, parts: Partial<GuideCommand> = {}, hits: readonly NamedHit[] = []) =>
  world.guide({ limit: 200, budgetChars: 100_000, ...parts }, hits).agent_context.memory_ids

const rule = (text: string, rest: Partial<MemoryWrite> = {}): MemoryWrite =>
  memoryOf({ text }, { memoryType: 'rule', ...rest })

describe('standing memory', () => {
  const anyRule = fc.record({
    origin: fc.constantFrom(...ORIGINS),
    chars: fc.constantFrom(20, 100, 500),
    uses: fc.integer({ min: 0, max: 2 }),
    declared: fc.constantFrom<MemoryWrite['declared']>([], [], [], ['superseded'], ['contested']),
  })

  test('P6: of what does not match six lines and 1200 characters at most, by authority, direct positives and age', () => {
    prove(
      fc.array(anyRule, { maxLength: 14 }),
      (rules) => {
        const { world, ids } = worldWith(
          rules.map(({ origin, chars, declared }, n) =>
            rule(`Rule ${n} ${'long '.repeat(chars / 5)}`.trim(), { origin, declared }),
          ),
        )
        for (const [n, { uses }] of rules.entries()) {
          for (let use = 0; use < uses; use += 1) {
            const usedIds = [ids[n] ?? '']
            const hit = { memoryId: usedIds[0] ?? '', score: 1, coverage: 1, matchedTerms: 1, isExact: true }
            const guide = world.guide({}, [{ ...hit, isAboveFloor: true }])
            if (!guide.agent_context.use_now_memory_ids.includes(hit.memoryId)) continue
            world.feedback({
              runId: `run-${use}`,
              guideTraceId: guide.guide_trace_id,
              outcome: 'positive',
              memoryIds: usedIds,
            })
          }
        }
        const order = ids
          .filter((id) => world.surface(id) === 'use_now')
          .map((id) => world.record(id))
          .toSorted(
            (a, b) =>
              (RANK[a.origin] ?? 4) - (RANK[b.origin] ?? 4) ||
              b.counters.positive - a.counters.positive ||
              a.slot - b.slot,
          )
          .map(({ memoryId }) => memoryId)
        const context = world.guide({ limit: 200, budgetChars: 100_000 }).agent_context
        expect(context.memory_ids).toEqual(order.slice(0, context.memory_ids.length))
        const chars = context.use_now.reduce((sum, line) => sum + line.length, 0)
        expect(context.memory_ids.length).toBeLessThanOrEqual(STANDING_MEMORIES_MAX)
        expect(chars).toBeLessThanOrEqual(STANDING_CHARS_MAX)
        // Nothing is left out for no reason.
        if (context.memory_ids.length < Math.min(order.length, STANDING_MEMORIES_MAX))
          expect(chars + 400).toBeGreaterThan(STANDING_CHARS_MAX)
      },
      40,
    )
  })

  test('P6: beside strong matches fewer lines of what does not match, so that both are seven, but never less than four', () => {
    prove(
      fc.record({
        rules: fc.integer({ min: 0, max: 10 }),
        strong: fc.integer({ min: 0, max: 9 }),
        weak: fc.integer({ min: 0, max: 2 }),
      }),
      ({ rules, strong, weak }) => {
        const { world, ids } = worldWith(Array.from({ length: rules }, (_, n) => rule(`Rule ${n}`)))
        const notes = world.memoryIds.slice(0, 14)
        // Not beside each other: what stands beside a strong match is strong.
        const found = [...notes.slice(0, strong), ...notes.slice(14 - weak)]
        const hits = found.map((memoryId, n) => {
          const isAboveFloor = n < strong
          return answering(memoryId, { isAboveFloor })
        })
        const order = shown(world, {}, hits)
        const others = order.filter((id) => ids.includes(id))
        const most = Math.max(4, Math.min(6, 7 - strong))
        expect(others).toEqual(ids.slice(0, most))
        // No match gives way to them.
        for (const { memoryId } of hits) expect(order).toContain(memoryId)
      },
    )
  })

  test('P6: that may not be used now comes only by a match', () => {
    prove(
      fc.constantFrom<MemoryWrite['declared'][number]>('superseded', 'contested', 'expired', 'failed'),
      (declared) => {
        const { world, ids } = worldWith([rule('Install with yarn.', { declared: [declared] })])
        const [id = ''] = ids
        expect(shown(world)).toEqual([])
        const hit = answering(id, { matchedTerms: 3 })
        expect(shown(world, {}, [hit])).toEqual([id])
      },
    )
  })

  test('P6: the oldest word of the highest authority is never crowded out by newer ones', () => {
    prove(fc.integer({ min: 0, max: 40 }), (newer) => {
      const { world, ids } = worldWith([
        rule('Run the tests before every commit.', { origin: 'user' }),
        ...Array.from({ length: newer }, (_, n) => rule(`Newer rule ${n}`)),
      ])
      expect(shown(world)[0]).toBe(ids[0])
    })
  })

  test('P6: about a path or a type of file that the query names comes first, and all of it', () => {
    const { world, ids } = worldWith([
      ...Array.from({ length: 7 }, (_, n) => rule(`Rule ${n}`, { origin: 'user' })),
      rule('Plain functions in *.ts files.'),
      memoryOf({ text: 'Owned by Tom.', targetFiles: ['src/auth'] }, { memoryType: 'project_context' }),
      rule('Write README.md in English.'),
      rule('Name .tsx files after the component.'),
      memoryOf({ text: 'Generated.', targetFiles: ['lib/a.TS'] }, { memoryType: 'project_context' }),
    ])
    const [types, owned, , , generated] = ids.slice(7)
    const others = ids.slice(0, 6)
    const [matched, typed] = [
      [owned, types, generated],
      [types, generated],
    ]
    expect(shown(world, { queryText: 'fix src/auth/login.ts' })).toEqual([...matched, ...others.slice(0, 4)])
    expect(shown(world, { queryText: 'all *.ts files' })).toEqual([...typed, ...others.slice(0, 5)])
    expect(shown(world, { queryText: 'fix login' })).toEqual(others)
  })

  test('P6: a query that is one long word, as encoded data is, is looked through for files once', () => {
    const { world, ids } = worldWith([rule('Plain functions in *.ts files.')])
    const began = performance.now()
    expect(shown(world, { queryText: `${'a'.repeat(16_000)} a.ts 😀` })).toContain(ids[0])
    expect(performance.now() - began).toBeLessThan(500)
  })

  test('P6: that was said many times has one line, and crowds out no other', () => {
    prove(fc.integer({ min: 1, max: 12 }), (times) => {
      const said = Array.from({ length: times }, (_, n) =>
        rule(n % 2 === 0 ? 'Never push on Friday.' : 'never push on friday', { origin: 'user' }),
      )
      const others = ['merge', 'tag', 'squash'].map((deed) => rule(`Rule: ${deed} on Monday only.`))
      const { world, ids } = worldWith([...said, ...others])
      expect(shown(world)).toEqual([ids[times - 1], ...ids.slice(times)])
    })
  })

  test('P6: that an operator activated, or wrote, counts as said by a user', () => {
    const { world, ids } = worldWith([
      rule('one, said by a user', { origin: 'user' }),
      rule('two'),
      rule('three'),
    ])
    const { memoryIds } = world.observe({ memories: [rule('four')], principal: OPERATOR })
    world.lifecycle({ operation: 'activate', memoryIds: ids.slice(2) })
    expect(shown(world)).toEqual([ids[0], ids[2], ...memoryIds, ids[1]])
  })

  test('P6: that an operator activated counts as said by a user', () => {
    const { world, ids } = worldWith([rule('First.'), rule('Second.', { declared: ['contested'] })])
    const [first = '', second = ''] = ids
    world.lifecycle({
      operation: 'activate',
      memoryIds: [second],
      outcome: 'positive',
      usedSurface: 'explicit_host_assertion',
    })
    expect(shown(world)).toEqual([second, first])
  })
})
