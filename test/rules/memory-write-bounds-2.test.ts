import { describe, expect, test } from 'vitest'
import { claimOf, handoffOf, memoryOf, observeOf } from '../support/commands.ts'
import { World } from '../support/world.ts'

describe('a relation', () => {
  const relate = (
    world: World,
    type: 'supersedes' | 'invalidates' | 'contradicts' | 'related_to',
    src: string,
    dst: string,
    confidence = 1,
  ) => world.observe({ edges: [{ type, src: { id: src }, dst: { id: dst }, confidence }] })

  test('said again by the unchanged source is no new evidence; of another kind, target or confidence it is', () => {
    const world = new World()
    const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map((text) =>
      world.write(memoryOf({ text }, { clientId: text })),
    )
    const count = (act: () => unknown): number => {
      const before = world.state.relations.length
      act()
      return world.state.relations.length - before
    }
    expect(count(() => relate(world, 'contradicts', a, b))).toBe(1)
    expect(count(() => relate(world, 'contradicts', a, b))).toBe(0)
    expect(count(() => relate(world, 'contradicts', a, c))).toBe(1)
    expect(count(() => relate(world, 'related_to', a, b))).toBe(1)
    expect(count(() => relate(world, 'contradicts', a, b, 0.5))).toBe(1)
    expect(count(() => relate(world, 'contradicts', b, a))).toBe(1)
    expect(count(() => relate(world, 'contradicts', a, b))).toBe(0)
    world.write(memoryOf({ text: 'a, revised' }, { clientId: 'a' }))
    expect(count(() => relate(world, 'contradicts', a, b))).toBe(1)
    expect(count(() => relate(world, 'contradicts', a, b))).toBe(0)
  })

  test('said in the request that writes its source it is said once, and once more in the next', () => {
    const world = new World()
    const target = world.write(memoryOf({ text: 'target' }))
    const input = memoryOf({ text: 'source' }, { clientId: 's', supersedes: [{ id: target }] })
    world.write(input)
    world.write(input)
    expect(world.state.relations).toHaveLength(1)
    world.observe({
      memories: [{ ...input, content: { ...input.content, text: 'source, revised' } }],
      edges: [{ type: 'supersedes', src: { clientId: 's' }, dst: { id: target }, confidence: 1 }],
    })
    expect(world.state.relations.length).toBeGreaterThan(1)
  })
})

describe('a claim', () => {
  const claimed = (world: World, rest: Parameters<typeof claimOf>[1] = {}, slot: string | null = 'slot') =>
    world.record(world.observe({ claims: [claimOf(slot, rest)] }).memoryIds[0] ?? '')

  test.each([
    ['ordinary_fact', 'fact'],
    ['preference', 'preference'],
    ['project_fact', 'project_context'],
    ['execution_fact', 'fact'],
    ['external_fact', 'fact'],
  ] as const)(
    'of kind %s is a memory of type %s, and evidence when it only serves as that',
    (claimKind, type) => {
      const world = new World()
      expect(claimed(world, { claimKind })).toMatchObject({
        memoryType: type,
        domain: 'general',
        kind: claimKind,
        source: 'claim',
      })
      expect(claimed(world, { claimKind, authority: 'evidence_only' }).memoryType).toBe('evidence')
      expect(claimed(world, { claimKind, authority: 'trusted' }).memoryType).toBe(type)
    },
  )

  test('says its subject, predicate and value, in the words of the caller where given', () => {
    const world = new World()
    expect(claimed(world, { value: 'one' }).content).toMatchObject({
      title: 'service port',
      titleIsCallers: true,
      text: 'service port: one',
      payload: null,
    })
    expect(claimed(world, { value: { a: [1] } }).content.text).toBe('service port: {"a":[1]}')
    expect(claimed(world, { value: 5 }).content.text).toBe('service port: 5')
    expect(claimed(world, { value: 'one', valueText: 'number one' }).content.text).toBe(
      'service port: number one',
    )
    expect(claimed(world, { metadata: { a: 1 } }).content.payload).toEqual({ metadata: { a: 1 } })
  })

  test('comes from the memory it names, else from the first of its request, else from the handoff', () => {
    const world = new World()
    const other = world.write(memoryOf({ text: 'other' }))
    const claims = [claimOf('a'), claimOf('b', { sourceMemoryId: other })]
    const sources = (parts: Parameters<typeof observeOf>[0]): readonly (string | null | undefined)[] => {
      const { memoryIds } = world.observe({ ...parts, claims })
      return memoryIds.slice(-2).map((id) => world.record(id).claim?.sourceMemoryId)
    }
    expect(sources({})).toEqual([null, other])
    const memories = [memoryOf({ text: 'first' }), memoryOf({ text: 'second' })]
    const handoff = handoffOf(memoryOf({ text: 'hand' }), { anchor: 'a' })
    const before = world.memoryIds.length
    expect(sources({ memories, handoff })).toEqual([world.memoryIds[before], other])
    const next = world.memoryIds.length
    expect(sources({ handoff })).toEqual([world.memoryIds[next], other])
  })

  test('starts contested when a person is to decide, expired when it is blocked', () => {
    const world = new World()
    expect(claimed(world, { conflictPolicy: 'manual_or_inspect' }).facets).toMatchObject({
      standing: 'contested',
      validity: 'live',
    })
    expect(claimed(world, { conflictPolicy: 'multi_value' }).facets).toMatchObject({
      standing: 'active',
      validity: 'live',
    })
    expect(claimed(world, { authority: 'blocked' }).facets).toMatchObject({
      standing: 'active',
      validity: 'expired',
    })
  })

  test.each([
    ['blocked', { authority: 'blocked' }],
    ['of several values', { conflictPolicy: 'multi_value' }],
    ['of gathered evidence', { conflictPolicy: 'accumulative_evidence' }],
    ['for a person to decide', { conflictPolicy: 'manual_or_inspect' }],
  ] as const)('that is %s takes no slot', (_, rest) => {
    const world = new World()
    const first = claimed(world)
    claimed(world, { value: 'two', ...rest })
    expect(world.record(first.memoryId).facets.validity).toBe('live')
  })

  test('that has lost its slot and is then blocked takes nothing back', () => {
    const world = new World()
    const say = (rest: Parameters<typeof claimOf>[1]) =>
      world.observe({ claims: [claimOf('slot', { clientId: 'c', ...rest })] })
    say({})
    const other = claimed(world, { value: 'two' })
    say({ value: 'three', authority: 'blocked' })
    expect(world.record(other.memoryId).facets.validity).toBe('live')
  })
})
