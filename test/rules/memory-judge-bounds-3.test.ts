import { describe, expect, test } from 'vitest'
import type { MemoryWrite } from '../../src/core/model/commands.ts'
import type { Audience, Consumer } from '../../src/core/model/record.ts'
import { Decision } from '../../src/core/write/decision.ts'
import { echoOf, type Similar } from '../../src/core/write/similar.ts'
import { CORRECTED } from '../arbitraries.ts'
import { claimOf, handoffOf, LOCAL, memoryOf, runOf } from '../support/commands.ts'
import { alike, decisionOf, long, show } from '../support/judged.ts'
import { NEWER, OLDER } from '../support/statements.ts'
import { World } from '../support/world.ts'

const [SAID, NEARLY] = CORRECTED

const MINE: Audience = { lane: 'private', ownerAgentId: LOCAL.agentId, ownerTeamId: null }
const ANN: Consumer = { agentId: 'ann', teamId: null }

describe('what a guide has shown and a writer repeats', () => {
  const echo = (
    world: World,
    input: MemoryWrite,
    similar: Similar,
    eyes: readonly Consumer[] = [LOCAL],
    prepare = (_decision: Decision): void => {},
  ) => {
    const decision = decisionOf(world)
    prepare(decision)
    return echoOf(decision, similar, input, eyes)
  }
  const NONE = { exactId: null, sourceIds: [] }
  const known = (rest: Partial<MemoryWrite> = {}, text: string = SAID): readonly [World, string] => {
    const world = new World()
    const id = world.write(memoryOf({ text }, rest))
    show(world, [id], 'use_now')
    return [world, id]
  }

  test('stands for what says the same, and is the source of what says nearly the same', () => {
    const [world, id] = known()
    expect(echo(world, memoryOf({ text: SAID }), alike({ exact: [id] }))).toEqual({
      exactId: id,
      sourceIds: [],
    })
    expect(echo(world, memoryOf({ text: NEARLY }), alike({ near: [id] }))).toEqual({
      exactId: null,
      sourceIds: [id],
    })
  })

  test('counts for general memory without a client id, of one to 32 000 characters', () => {
    const [world, id] = known()
    const similar = alike({ exact: [id], near: [id] })
    for (const input of [
      runOf({ text: SAID }),
      memoryOf({ text: SAID }, { clientId: 'c' }),
      memoryOf({ text: '' }),
      memoryOf({ text: long(32_001) }),
    ])
      expect(echo(world, input, similar)).toEqual(NONE)
    expect(echo(world, memoryOf({ text: long(32_000) }), similar).exactId).toBe(id)
  })

  test('was shown to be read: used or inspected, not fetched and not warned of', () => {
    for (const [surface, isShown] of [
      ['use_now', true],
      ['inspect_before_use', true],
      ['rehydrate', false],
      ['do_not_use', false],
    ] as const) {
      const world = new World()
      const id = world.write(memoryOf({ text: SAID }))
      show(world, [id], surface)
      expect([surface, echo(world, memoryOf({ text: SAID }), alike({ exact: [id] })).exactId]).toEqual([
        surface,
        isShown ? id : null,
      ])
    }
  })

  test('is known, whole, and unchanged by this request', () => {
    const [world, id] = known()
    expect(echo(world, memoryOf({ text: SAID }), alike({ exact: ['nobody'], near: ['nobody'] }))).toEqual(
      NONE,
    )
    const { content } = world.record(id)
    const event = {
      type: 'memory_revised',
      memoryId: id,
      claim: null,
      handoff: null,
      origin: 'agent',
      derivedFrom: [],
      runId: null,
      observedAtMs: 0,
      validUntilMs: null,
      findings: [],
    } as const
    const revise = (decision: Decision): void => decision.revise({ ...event, content: { ...content } })
    expect(
      echo(world, memoryOf({ text: SAID }), alike({ exact: [id], near: [id] }), [LOCAL], revise),
    ).toEqual(NONE)
    const [other, compact] = known({}, long(32_001))
    expect(echo(other, memoryOf({ text: SAID }), alike({ exact: [compact], near: [compact] }))).toEqual(NONE)
  })

  test('is seen by one of the eyes of the writer', () => {
    const [world, id] = known({ audience: MINE })
    const similar = alike({ exact: [id] })
    const input = memoryOf({ text: SAID }, { audience: MINE })
    expect(echo(world, input, similar, [LOCAL, ANN]).exactId).toBe(id)
    // Who asks may not use it: it is only where the words come from.
    expect(echo(world, input, similar, [ANN, LOCAL])).toEqual({ exactId: null, sourceIds: [id] })
    expect(echo(world, input, similar, [ANN])).toEqual(NONE)
    // For more eyes than its own it is a source only.
    expect(echo(world, memoryOf({ text: SAID }), similar)).toEqual({ exactId: null, sourceIds: [id] })
  })

  test('of many sources the first eight are named, candidates before the others', () => {
    const world = new World()
    const memories = Array.from({ length: 9 }, (_name, n) =>
      memoryOf({ text: `source ${n}` }, { origin: n % 2 === 0 ? 'agent' : 'document' }),
    )
    const ids = world.observe({ memories }).memoryIds
    show(world, ids, 'use_now')
    const { sourceIds } = echo(world, memoryOf({ text: NEARLY }), alike({ near: ids }))
    expect(sourceIds).toEqual([1, 3, 5, 7, 0, 2, 4, 6].map((n) => ids[n]))
  })
})

describe('once all of a request is known', () => {
  const trustOf = (world: World, id: string): string => world.record(id).facets.trust
  const candidateIn = (world: World): string =>
    world.write(memoryOf({ text: SAID }, { origin: 'document', clientId: `c${world.turns.length}` }))

  test('every kind of memory that it writes may confirm, and a general one may correct', () => {
    for (const parts of [
      { memories: [memoryOf({ text: SAID })] },
      { memories: [runOf({ text: SAID })] },
      { handoff: handoffOf(memoryOf({ text: SAID }), { anchor: 'a' }) },
    ]) {
      const world = new World()
      const id = candidateIn(world)
      world.observe(parts)
      expect(trustOf(world, id)).toBe('trusted')
    }
    const world = new World()
    const claim = claimOf(null, {
      subjectKey: 'The staging deploy',
      predicate: 'uses',
      value: 'the blue cluster',
    })
    const id = world.write(
      memoryOf({ text: 'The staging deploy uses: the blue cluster' }, { origin: 'document' }),
    )
    world.observe({ claims: [claim] })
    expect(trustOf(world, id)).toBe('trusted')
  })

  test('what is repeated without a change confirms, but disputes only once', () => {
    const world = new World()
    const newer = memoryOf({ text: NEWER }, { clientId: 'newer' })
    const first = world.write(memoryOf({ text: OLDER }))
    world.write(newer)
    expect(world.admission(first).ruleId).toBe('S12')
    const second = world.write(memoryOf({ text: OLDER }, { clientId: 'second' }))
    world.write(newer)
    expect(world.admission(second).ruleId).toBe('S10')
    const said = memoryOf({ text: NEARLY }, { clientId: 'said' })
    world.write(said)
    const late = candidateIn(world)
    world.write(said)
    expect(trustOf(world, late)).toBe('trusted')
  })

  test('a later step sees what an earlier one did: nothing is moved twice', () => {
    const world = new World()
    const old = world.write(memoryOf({ text: 'old' }))
    const memories = ['one', 'two'].map((text) => memoryOf({ text }, { supersedes: [{ id: old }] }))
    world.observe({ memories })
    expect(world.record(old).changes).toHaveLength(1)
    const kept = memoryOf({ text: 'kept' }, { clientId: 'k' })
    const id = world.write(kept)
    const held = { ...kept, declared: ['suppressed'] as const }
    world.observe({ memories: [held, { ...held, content: { ...held.content, text: 'kept again' } }] })
    expect(world.record(id).facets.suppression).not.toBe(null)
    expect(world.record(id).revision).toBe(2)
  })
})
