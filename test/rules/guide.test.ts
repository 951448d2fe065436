import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AGENT_ROLES, PROFILES } from '../../src/core/base/closed-sets.ts'
import { SMALL_SCOPE_MAX, selectWithin } from '../../src/core/guide/candidates.ts'
import {
  STANDING_MEMORIES_LEAST,
  STANDING_MEMORIES_MAX,
  WEAKLY_MATCHING_MAX,
} from '../../src/core/guide/standing.ts'
import type { ActorEvent } from '../../src/core/model/events.ts'
import { imageOf, stateFrom } from '../../src/core/model/state-image.ts'
import { isVisibleTo } from '../../src/core/model/visibility.ts'
import { anyAudience, anyGuideCommand, anyHistory, anyStep, anyText } from '../arbitraries.ts'
import { LOCAL, memoryOf, runOf } from '../support/commands.ts'
import { hostileText } from '../support/guide-samples.ts'
import { hitsOf, worldAfter } from '../support/history.ts'
import { answering } from '../support/named-hit.ts'
import { idsUnder, parsePrompt } from '../support/prompt-parser.ts'
import { proofsOf } from '../support/prove.ts'
import { replayed, World } from '../support/world.ts'

const prove = proofsOf('guide')
const anyHits = anyStep.filter((step) => step.kind === 'guide')
const anyGuide = fc.record({ history: anyHistory, command: anyGuideCommand, ask: anyHits })
const ALL = { limit: 200, budgetChars: 100_000 } as const

/** Events without what says how the guide was asked and what its whole text hashes to. */
function decisionsIn(events: readonly ActorEvent[] | undefined): readonly unknown[] | undefined {
  return events?.map((event) => {
    if (event.type !== 'guide_decided') return event
    const { ask, promptHash: _hash, promptChars: _chars, ...decided } = event
    const { profile: _profile, role: _role, ...asked } = ask
    return { ...decided, ask: asked }
  })
}

/** A scope with some memories of each kind; ids in order of writing. */
function scopeOf(kinds: readonly ('fact' | 'preference' | 'rule')[]): {
  world: World
  ids: readonly string[]
} {
  const world = new World()
  const memories = kinds.map((memoryType, n) => memoryOf({ text: `note ${n}` }, { memoryType }))
  return { world, ids: world.observe({ memories }).memoryIds }
}

/** What a guide says is standing memory: the first by authority, but that the best of what matches weakly stands before it. */
function standingIn(
  receipt: ReturnType<World['guide']>['memory_use_receipt'],
  rules: readonly string[],
  matched: readonly string[],
  least = STANDING_MEMORIES_MAX,
): readonly string[] {
  const summaries = receipt.decision_summaries.filter(({ recall_sources }) =>
    recall_sources.some(({ reason }) => reason === 'standing_memory'),
  )
  const told = new Set(summaries.map(({ memory_id }) => memory_id))
  const standing = rules.filter((id) => told.has(id))
  expect(standing).toHaveLength(told.size)
  expect(standing.length).toBeLessThanOrEqual(STANDING_MEMORIES_MAX)
  expect(standing.length).toBeGreaterThanOrEqual(Math.min(rules.length, least))
  const late = standing.filter((id) => !rules.slice(0, STANDING_MEMORIES_MAX).includes(id))
  expect(late.length).toBeLessThanOrEqual(WEAKLY_MATCHING_MAX)
  for (const id of late) expect(matched).toContain(id)
  const isFirstFound = standing.some((id) => matched.includes(id))
  expect(isFirstFound).toBe(rules.some((id) => matched.includes(id)))
  return standing
}

describe('what a guide recalls', () => {
  const anyKinds = fc.array(
    fc.constantFrom('fact' as const, 'fact' as const, 'preference' as const, 'rule' as const),
    {
      minLength: SMALL_SCOPE_MAX - 2,
      maxLength: 40,
      size: 'max',
    },
  )

  test('G1: what matches weakly is shown, for inspection; a small scope is shown whole; standing memory is a candidate', () => {
    prove(fc.tuple(anyKinds, fc.array(fc.nat(), { maxLength: 5 })), ([kinds, picks]) => {
      const { world, ids } = scopeOf(kinds)
      const hits = picks.map((pick) => {
        const memoryId = ids[pick % ids.length] ?? ''
        return answering(memoryId, { coverage: 0.1, isAboveFloor: false })
      })
      const isSmall = ids.length <= SMALL_SCOPE_MAX
      const matched = hits.map(({ memoryId }) => memoryId)
      const { agent_context, memory_use_receipt } = world.guide(ALL, hits)
      const rules = ids.filter((_, n) => kinds[n] !== 'fact')
      const standing = standingIn(memory_use_receipt, rules, matched)
      const expected = isSmall ? ids : [...new Set([...standing, ...matched])]
      expect([...agent_context.memory_ids].sort()).toEqual([...expected].sort())
      // Neither a small scope nor standing memory is weak.
      const weak = isSmall ? [] : matched.filter((id) => !standing.includes(id))
      const inspected = agent_context.inspect_before_use_memory_ids
      expect(inspected.toSorted()).toEqual([...new Set(weak)].sort())
      for (const { memory_id, recall_sources } of memory_use_receipt.decision_summaries) {
        const reasons = recall_sources.map((source) => source.reason)
        expect(reasons.includes('small_scope')).toBe(ids.length <= SMALL_SCOPE_MAX)
        expect(reasons.includes('standing_memory')).toBe(standing.includes(memory_id))
        expect(reasons.includes('weak_text_match')).toBe(matched.includes(memory_id))
      }
    })
  })

  test('G1: its run follows a strong match, then standing memory, and weaker matches come last', () => {
    prove(
      fc.tuple(anyKinds, fc.nat(), fc.nat(), fc.integer({ min: 0, max: 3 })),
      ([kinds, a, b, besides]) => {
        const { world, ids } = scopeOf([...kinds, 'fact', 'fact', 'fact'])
        const runs = Array.from({ length: besides + 1 }, (_, n) =>
          world.write(runOf({ text: `step ${n}` }, { runId: 'run-1' })),
        )
        const weak = [...new Set([ids[a % ids.length] ?? '', ids[b % ids.length] ?? ''])]
        const hitOf = (memoryId: string, isAboveFloor: boolean) => {
          const score = isAboveFloor ? 4 : 0.5
          return answering(memoryId, { score, coverage: 0.5, isAboveFloor })
        }
        const [passing = '', ...others] = runs
        const hits = [hitOf(passing, true), ...weak.map((id) => hitOf(id, false))]
        const { agent_context, memory_use_receipt } = world.guide(ALL, hits)
        const { memory_ids } = agent_context
        expect(memory_ids[0]).toBe(passing)
        for (const id of [...weak, ...others]) expect(memory_ids).toContain(id)
        const rules = ids.filter((id) => world.record(id).memoryType !== 'fact')
        const standing = standingIn(memory_use_receipt, rules, weak, STANDING_MEMORIES_LEAST)
        for (const id of standing) expect(memory_ids).toContain(id)
        const lastStanding = Math.max(-1, ...standing.map((id) => memory_ids.indexOf(id)))
        for (const id of weak)
          if (!standing.includes(id)) expect(memory_ids.indexOf(id)).toBeGreaterThan(lastStanding)
      },
    )
  })

  test('G1: whether a scope is small is counted in what the consumer sees', () => {
    prove(fc.tuple(fc.array(anyAudience, { minLength: 10, maxLength: 30, size: 'max' })), ([audiences]) => {
      const world = new World()
      for (const [n, audience] of audiences.entries())
        world.write(memoryOf({ text: `note ${n}` }, { audience }))
      const consumer = { agentId: 'ann', teamId: 'red' }
      const seen = audiences.filter((audience) => isVisibleTo(audience, consumer)).length
      const { memory_ids } = world.guide({ ...ALL, consumer }).agent_context
      expect(memory_ids.length).toBe(seen <= SMALL_SCOPE_MAX ? seen : 0)
    })
  })

  test('G2: the limit bounds all exposed ids, and at most half are warnings unless there is nothing else', () => {
    prove(
      anyGuide,
      ({ history, command, ask }) => {
        const world = worldAfter(history)
        const hits = hitsOf(world, ask)
        const limited = world.compiled({ ...command, budgetChars: 100_000 }, hits).answer.agent_context
        const all = world.compiled({ ...command, ...ALL }, hits).answer.agent_context
        expect(limited.memory_ids.length).toBeLessThanOrEqual(command.limit)
        const warnings = limited.do_not_use_memory_ids.length
        const others = limited.memory_ids.length - warnings
        const allOthers = all.memory_ids.length - all.do_not_use_memory_ids.length
        // Structured memory is gathered by the limit, so the two lists may differ in it.
        if (!command.fullPower && warnings > Math.floor(command.limit / 2)) expect(others).toBe(allOthers)
      },
      60,
    )
  })

  test('G2: of any ranked list the first that fit are taken in order, warnings beyond half only into empty places', () => {
    const anyRanked = fc.array(fc.constantFrom('use_now', 'inspect_before_use', 'rehydrate', 'do_not_use'), {
      maxLength: 40,
      size: 'max',
    })
    prove(
      fc.tuple(anyRanked, fc.integer({ min: 1, max: 30 })),
      ([surfaces, limit]) => {
        const ranked = surfaces.map((surface, rank) => ({ surface, rank }))
        const isWarning = ({ surface }: { readonly surface: string }) => surface === 'do_not_use'
        const chosen = selectWithin(ranked, limit)
        const others = ranked.filter((entry) => !isWarning(entry))
        const warnings = ranked.filter(isWarning)
        const warned = chosen.filter(isWarning).length
        expect(chosen.length).toBe(Math.min(limit, ranked.length))
        expect(chosen.map((entry) => entry.rank)).toEqual(
          chosen.map((entry) => entry.rank).toSorted((a, b) => a - b),
        )
        expect(chosen.filter(isWarning)).toEqual(warnings.slice(0, warned))
        expect(chosen.filter((entry) => !isWarning(entry))).toEqual(others.slice(0, chosen.length - warned))
        if (warned > Math.floor(limit / 2)) expect(chosen.length - warned).toBe(others.length)
      },
      300,
    )
  })
})

describe('what a guide prints', () => {
  test('G3: a smaller budget prints a part of what a larger one prints, and never more than it may', () => {
    prove(
      fc.tuple(anyGuide, fc.integer({ min: 200, max: 3000 }), fc.integer({ min: 0, max: 3000 })),
      ([{ history, command, ask }, small, more]) => {
        const world = worldAfter(history)
        const hits = hitsOf(world, ask)
        const [less, full] = [small, small + more].map((budgetChars) => {
          const { agent_context } = world.compiled({ ...command, budgetChars }, hits).answer
          expect(agent_context.prompt_text.length).toBeLessThanOrEqual(budgetChars)
          return agent_context.memory_ids
        })
        for (const id of less ?? []) expect(full).toContain(id)
      },
      40,
    )
  })

  test('G4: profiles and roles never change ids, surfaces or order', () => {
    prove(
      fc.tuple(anyGuide, fc.constantFrom(...PROFILES), fc.constantFrom(...AGENT_ROLES)),
      ([{ history, command, ask }, profile, role]) => {
        const world = worldAfter(history)
        const hits = hitsOf(world, ask)
        const [plain, other] = [command, { ...command, profile, role }].map((asked) =>
          world.compiled(asked, hits),
        )
        expect(decisionsIn(other?.events)).toEqual(decisionsIn(plain?.events))
        const sections = [plain, other].map((guide) =>
          parsePrompt(guide?.answer.agent_context.prompt_text ?? ''),
        )
        expect(sections[1]?.sections).toEqual(sections[0]?.sections)
        expect(other?.answer.memory_use_receipt.omitted).toEqual(plain?.answer.memory_use_receipt.omitted)
      },
      40,
    )
  })

  test('G5: the same state and request give the same answer, also of a state that was replayed or read again', () => {
    prove(
      anyGuide,
      ({ history, command, ask }) => {
        const world = worldAfter(history)
        const hits = hitsOf(world, ask)
        const live = world.compiled(command, hits)
        expect(world.compiled(command, hits)).toEqual(live)
        expect(world.compiled(command, hits, replayed(world.turns))).toEqual(live)
        expect(world.compiled(command, hits, stateFrom(imageOf(world.state)))).toEqual(live)
      },
      80,
    )
  })

  test('G5: time that passes, guides that are answered and neutral outcomes change no prompt', () => {
    prove(
      fc.tuple(fc.array(anyText, { minLength: 1, maxLength: 8 }), fc.nat({ max: 1e12 })),
      ([texts, waitMs]) => {
        const world = new World()
        for (const text of texts) world.write(memoryOf({ text }))
        const first = world.guide().agent_context.prompt_text
        world.nowMs += waitMs
        world.guide()
        expect(world.guide().agent_context.prompt_text).toBe(first)
      },
    )
  })

  test('G6: whatever memories say, the sections of prompt_text hold exactly the exposed ids', () => {
    const anyHostile = fc.array(
      fc.record({ text: hostileText, title: hostileText, isBlocked: fc.boolean() }),
      {
        minLength: 1,
        maxLength: 10,
      },
    )
    prove(
      fc.tuple(anyHostile, anyGuideCommand),
      ([memories, command]) => {
        const world = new World()
        for (const { text, title, isBlocked } of memories) {
          const content = { text, title, titleIsCallers: true }
          world.write(memoryOf(content, { declared: isBlocked ? ['suppressed'] : [] }))
        }
        const { agent_context: context } = world.guide(command)
        const parsed = parsePrompt(context.prompt_text)
        expect(idsUnder(parsed, 'USE NOW')).toEqual(context.use_now_memory_ids)
        expect(idsUnder(parsed, 'DO NOT USE')).toEqual(context.do_not_use_memory_ids)
        expect([...parsed.bracketedIds].sort()).toEqual([...context.memory_ids].sort())
      },
      150,
    )
  })

  test('G7: a do_not_use line never holds the blocked text', () => {
    const reasons = fc.constantFrom(
      'suppressed' as const,
      'failed' as const,
      'superseded' as const,
      'expired' as const,
    )
    prove(fc.tuple(anyText, reasons, anyGuideCommand), ([text, declared, command]) => {
      const world = new World()
      const secret = 'the-blocked-words'
      const content = { text: `${secret} ${text}`, summary: secret, nextAction: secret, title: secret }
      const taskSignature = 'task-a'
      const id = world.write(memoryOf(content, { declared: [declared], taskSignature }))
      const answer = world.guide({ ...command, taskSignature, consumer: LOCAL, budgetChars: 8000 })
      expect(answer.agent_context.do_not_use_memory_ids).toEqual([id])
      expect(JSON.stringify(answer)).not.toContain(secret)
    })
    prove(anyText, (text) => {
      const world = new World()
      const id = world.write(memoryOf({ text: `blocked-${text}-words`, summary: 'blocked-in-short' }))
      world.lifecycle({ memoryIds: [id] })
      expect(world.guide().agent_context.prompt_text).not.toContain('blocked-')
    })
  })
})
