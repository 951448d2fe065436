import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Origin, RelationType } from '../../src/core/base/closed-sets.ts'
import type { MemoryWrite } from '../../src/core/model/commands.ts'
import { isSeenByAllWhoSee, isVisibleTo } from '../../src/core/model/visibility.ts'
import { ALL_CONSUMERS, anyAudience } from '../arbitraries.ts'
import { claimOf, guideOf, memoryOf, observeOf } from '../support/commands.ts'
import { proofsOf } from '../support/prove.ts'
import {
  anyOrigin,
  anyStatement,
  anyType,
  NEWER,
  OLDER,
  rankOf,
  say,
  textOf,
  UNRELATED,
  yieldings,
} from '../support/statements.ts'
import { AUTHORITY, World } from '../support/world.ts'

const prove = proofsOf('dispute-authority')

describe('authority', () => {
  const RELATIONS: readonly RelationType[] = ['supersedes', 'invalidates', 'contradicts']
  const anyPath = fc.constantFrom('text', 'field', 'echo', 'client_id', 'declared', ...RELATIONS)

  test('C8: no path lets less authority lower more, and what claimed more yields itself and is told so', () => {
    prove(
      fc.record({
        origins: fc.tuple(anyOrigin, anyOrigin),
        types: fc.tuple(anyType, anyType),
        path: anyPath,
      }),
      ({ origins: [high, low], types: [type, lowType], path }) => {
        const isGuidance = type !== 'fact' || lowType !== 'fact'
        fc.pre(rankOf(low, isGuidance) < rankOf(high, isGuidance))
        const world = new World()
        const target = say(world, OLDER, { origin: high, memoryType: type, clientId: 'c' })
        const before = AUTHORITY[world.surface(target)]
        const rest: Partial<MemoryWrite> = { origin: low, memoryType: lowType }
        const supersedes = [{ id: target }]
        const written = (() => {
          switch (path) {
            case 'text':
              return world.observe(observeOf({ memories: [memoryOf({ text: NEWER }, rest)] }))
            case 'field':
              return world.observe(
                observeOf({ memories: [memoryOf({ text: UNRELATED }, { ...rest, supersedes })] }),
              )
            case 'client_id':
              return world.observe(
                observeOf({ memories: [memoryOf({ text: UNRELATED }, { ...rest, clientId: 'c' })] }),
              )
            case 'declared':
              return world.observe(
                observeOf({
                  memories: [memoryOf({ text: OLDER }, { ...rest, clientId: 'c', declared: ['failed'] })],
                }),
              )
            case 'echo': {
              const other = say(world, UNRELATED, { origin: high, memoryType: type, clientId: 'd' })
              expect(AUTHORITY[world.surface(other)]).toBe(before)
              return world.observe(
                observeOf({
                  memories: [memoryOf({ text: UNRELATED }, { ...rest, clientId: 'd', supersedes })],
                }),
              )
            }
            default: {
              const source = say(world, UNRELATED, rest)
              const edge = { type: path, src: { id: source }, dst: { id: target }, confidence: 1 }
              return world.observe(observeOf({ edges: [edge] }))
            }
          }
        })()
        expect(AUTHORITY[world.surface(target)]).toBe(before)
        expect(world.record(target).changes).toEqual([])
        if (path !== 'text') expect(written.warnings.join()).toMatch(/authority/)
        const others = world.records().filter(({ origin }) => origin === low)
        const isNothing = path === 'declared' || path === 'echo'
        expect(others.map(({ memoryId }) => world.admission(memoryId).ruleId)).toEqual(
          isNothing ? [] : ['S12'],
        )
      },
      300,
    )
  })

  test('C8: a claim takes neither the client id nor the slot of one that has more authority', () => {
    const anyWay = fc.record({
      origins: fc.tuple(anyOrigin, anyOrigin),
      claimKind: fc.constantFrom('ordinary_fact', 'preference', 'project_fact'),
      ids: fc.constantFrom(['c', 'c'], ['c', null], [null, null]),
      conflictPolicy: fc.constantFrom('singleton_latest', 'multi_value'),
    })
    prove(anyWay, ({ origins: [high, low], claimKind, ids, conflictPolicy }) => {
      fc.pre(rankOf(low, claimKind !== 'ordinary_fact') < rankOf(high, claimKind !== 'ordinary_fact'))
      const world = new World()
      const claimed = (clientId: string | null | undefined, value: string, claimOrigin: Origin) => {
        const claim = claimOf('slot', { clientId: clientId ?? null, value, claimKind, conflictPolicy })
        return world.observe(observeOf({ claims: [claim], claimOrigin }))
      }
      const [first = ''] = claimed(ids[0], 'one', high).memoryIds
      const before = AUTHORITY[world.surface(first)]
      const { memoryIds, warnings } = claimed(ids[1], 'two', low)
      const [second = ''] = memoryIds
      const meets = ids[1] !== null || conflictPolicy === 'singleton_latest'
      expect(second).not.toBe(first)
      expect(AUTHORITY[world.surface(first)]).toBe(before)
      expect(world.record(first)).toMatchObject({ revision: 1, changes: [] })
      expect(world.admission(second).reasonCode === `disputed_by:${first}`).toBe(meets)
      expect(warnings.join().includes('more authority')).toBe(meets)
      // Said twice under its client id it is stored once, and what has as much authority takes the slot.
      if (ids[1] !== null) expect(claimed(ids[1], 'two', low).memoryIds).toEqual([second])
      const [third] = claimed(null, 'three', high).memoryIds
      const isTaken = conflictPolicy === 'singleton_latest'
      expect([first, second].map((id) => world.record(id).facets.validity === 'superseded')).toEqual([
        isTaken,
        isTaken,
      ])
      expect(third).not.toBe(first)
    })
  })

  test('C8: a relation that less authority claims the other way round lowers only the lesser one', () => {
    prove(fc.constantFrom('agent', 'tool', 'document' as const), (low) => {
      const world = new World()
      const high = say(world, OLDER, { origin: 'user', memoryType: 'rule' })
      const lesser = say(world, UNRELATED, { origin: low })
      const edge = { type: 'contradicts', src: { id: high }, dst: { id: lesser }, confidence: 1 } as const
      world.observe(observeOf({ edges: [edge] }))
      expect(world.surface(high)).toBe('use_now')
      expect(world.record(lesser).facets.standing).toBe('contested')
    })
  })

  test('C8: a user’s word is not made doubtful by an edge to a source of less authority', () => {
    prove(fc.constantFrom('document', 'external', 'unknown' as const), (low) => {
      const world = new World()
      const rule = say(world, OLDER, { origin: 'user', memoryType: 'rule' })
      const source = say(world, UNRELATED, { origin: low })
      const edge = { type: 'derived_from', src: { id: rule }, dst: { id: source }, confidence: 1 } as const
      expect(world.observe(observeOf({ edges: [edge] })).warnings.join()).toMatch(/authority/)
      expect(world.surface(rule)).toBe('use_now')
    })
  })

  test('C8: what is kept beside a memory of more authority has no client id, and is kept once', () => {
    prove(fc.constantFrom('agent', 'tool', 'document' as const), (origin) => {
      const world = new World()
      const known = say(world, OLDER, { origin: 'user', memoryType: 'preference', clientId: 'c' })
      const command = observeOf({ memories: [memoryOf({ text: NEWER }, { origin, clientId: 'c' })] })
      const { memoryIds, clientIds, warnings } = world.observe(command)
      expect(memoryIds).not.toContain(known)
      expect(clientIds).toEqual({})
      expect(warnings).toHaveLength(1)
      expect(yieldings(world)).toEqual([`${memoryIds[0]} to ${known}`])
      expect(world.observe(command)).toMatchObject({ memoryIds, isMemoryWritten: false, warnings })
      expect(world.memoryIds).toHaveLength(2)
    })
  })
})

describe('what others cannot see', () => {
  test('C9: a dispute is found exactly when everyone who sees the one that yields sees the other', () => {
    prove(
      fc.tuple(anyAudience, anyAudience, fc.boolean()),
      ([audience, theirs, isLower]) => {
        const world = new World()
        const rule = { memoryType: 'rule' } as const
        const older = say(world, OLDER, { ...rule, audience, origin: 'user' })
        const newer = say(world, NEWER, { ...rule, audience: theirs, origin: isLower ? 'agent' : 'user' })
        const found = isLower ? isSeenByAllWhoSee(audience, theirs) : isSeenByAllWhoSee(theirs, audience)
        const [one, other] = isLower ? [newer, older] : [older, newer]
        expect(yieldings(world)).toEqual(found ? [`${one} to ${other}`] : [])
      },
      200,
    )
  })

  const anySaid = fc.record({ statement: anyStatement, audience: anyAudience, origin: anyOrigin })

  test('C9: no answer to observe or guide is changed by a memory that its audience or consumer cannot see', () => {
    prove(
      fc.tuple(
        fc.array(anySaid, { maxLength: 4 }),
        anySaid,
        fc.array(anySaid, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
      ),
      ([before, hidden, after, isRule]) => {
        const worlds = [new World(), new World()] as const
        const memoryType = isRule ? 'rule' : 'fact'
        const write = (world: World, { statement, audience, origin }: typeof hidden) =>
          world.observe(
            observeOf({
              memories: [memoryOf({ text: textOf(statement) }, { audience, origin, memoryType })],
            }),
          )
        for (const said of before) for (const world of worlds) write(world, said)
        write(worlds[0], hidden)
        worlds[1].newId()
        worlds[1].nowMs = worlds[0].nowMs
        for (const said of after) {
          const [one, other] = [write(worlds[0], said), write(worlds[1], said)]
          // Whoever sees the new memory but not the hidden one must not tell the two apart.
          if (!isSeenByAllWhoSee(hidden.audience, said.audience)) expect(one).toEqual(other)
        }
        for (const consumer of ALL_CONSUMERS) {
          if (isVisibleTo(hidden.audience, consumer)) continue
          const [one, other] = worlds.map((world) => world.compiled(guideOf({ consumer })).answer)
          expect(one?.agent_context).toEqual(other?.agent_context)
          expect(one?.memory_use_receipt.decision_summaries).toEqual(
            other?.memory_use_receipt.decision_summaries,
          )
        }
      },
      60,
    )
  })

  test('C9: the line of the one that stands names the other only to who sees both', () => {
    prove(anyAudience, (audience) => {
      const world = new World()
      const older = say(world, OLDER, { origin: 'user', memoryType: 'rule' })
      const newer = say(world, NEWER, { audience, origin: 'agent', memoryType: 'rule' })
      expect(world.state.disputes.size).toBe(1)
      for (const consumer of ALL_CONSUMERS) {
        const { agent_context: context } = world.compiled(guideOf({ consumer })).answer
        const [line = ''] = context.use_now.filter((text) => text.startsWith(`[${older}]`))
        const mark = `disputed by [${newer}] (agent, 2026-01-01)`
        expect(line.includes(mark)).toBe(isVisibleTo(audience, consumer))
        expect(context.prompt_text.includes(newer)).toBe(isVisibleTo(audience, consumer))
      }
    })
  })
})
