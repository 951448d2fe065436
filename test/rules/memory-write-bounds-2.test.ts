import { describe, expect, test } from 'vitest'
import { claimOf, handoffOf, memoryOf, observeOf, privateTo } from '../support/commands.ts'
import { World } from '../support/world.ts'

describe('a relation', () => {
  const relate = (
    world: World,
    type: 'supersedes' | 'invalidates' | 'contradicts' | 'related_to',
    src: string,
    dst: string,
    confidence = 1,
  ) => world.observe({ edges: [{ type, src: { id: src }, dst: { id: dst }, confidence }] })

  test.each([
    ['supersedes', 'active superseded', 'active live'],
    ['invalidates', 'active superseded', 'active live'],
    ['contradicts', 'contested live', 'contested live'],
    ['related_to', 'active live', 'active live'],
  ] as const)('%s leaves its target %s and its source %s', (type, target, source) => {
    const world = new World()
    const [a, b] = [world.write(memoryOf({ text: 'a' })), world.write(memoryOf({ text: 'b' }))]
    expect(relate(world, type, a, b).warnings).toEqual([])
    const told = (id: string): string =>
      `${world.record(id).facets.standing} ${world.record(id).facets.validity}`
    expect([told(b), told(a)]).toEqual([target, source])
    expect(world.state.relations).toMatchObject([
      { type, srcId: a, dstId: b, confidence: 1, effective: true },
    ])
  })

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

  test('without effect on who does not see the source, and on itself', () => {
    const world = new World()
    const shared = world.write(memoryOf({ text: 'shared' }))
    const mine = world.write(memoryOf({ text: 'mine' }, { audience: privateTo('local-agent') }))
    expect(relate(world, 'supersedes', mine, shared).warnings).toHaveLength(1)
    expect(world.record(shared).facets.validity).toBe('live')
    expect(relate(world, 'contradicts', shared, mine).warnings).toEqual([])
    expect([world.record(mine).facets.standing, world.record(shared).facets.standing]).toEqual([
      'contested',
      'active',
    ])
    expect(relate(world, 'supersedes', shared, shared).warnings).toHaveLength(1)
    expect(world.record(shared).facets.validity).toBe('live')
    expect(world.state.relations.map(({ effective }) => effective)).toEqual([false, true, false])
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

  test('the latest of a slot and audience wins, and nothing else loses', () => {
    const world = new World()
    const first = claimed(world)
    const elsewhere = claimed(world, {}, 'other slot')
    const free = claimed(world, {}, null)
    const [mine = ''] = world.observe({
      claims: [claimOf('slot')],
      claimAudience: privateTo('ann'),
    }).memoryIds
    const second = claimed(world, { value: 'two' })
    const validities = [first, elsewhere, free, second].map(
      ({ memoryId }) => world.record(memoryId).facets.validity,
    )
    expect(validities).toEqual(['superseded', 'live', 'live', 'live'])
    expect(world.record(mine).facets.validity).toBe('live')
    expect(world.record(first.memoryId).changes.at(-1)).toMatchObject({
      cause: 'claim_replaced',
      byMemoryId: second.memoryId,
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

  test('of two in one request the later wins', () => {
    const world = new World()
    const { memoryIds } = world.observe({
      claims: [claimOf('s'), claimOf('s', { value: 'two' }), claimOf('t'), claimOf(null)],
    })
    expect(memoryIds.map((id) => world.record(id).facets.validity)).toEqual([
      'superseded',
      'live',
      'live',
      'live',
    ])
  })

  test('repeated under its client id it says nothing new, another value does; a retired one stays retired', () => {
    const world = new World()
    const say = (rest: Parameters<typeof claimOf>[1]) =>
      world.observe({ claims: [claimOf('slot', { clientId: 'c', ...rest })] })
    const [id = ''] = say({}).memoryIds
    const other = claimed(world, { value: 'two' })
    expect(say({}).claimCount).toBe(0)
    expect(say({ sourceMemoryId: other.memoryId }).claimCount).toBe(0)
    expect(world.record(other.memoryId).facets.validity).toBe('live')
    expect(say({ value: 'three' }).claimCount).toBe(1)
    expect([id, other.memoryId].map((each) => world.record(each).facets.validity)).toEqual([
      'live',
      'superseded',
    ])
    say({ value: 'three', authority: 'blocked' })
    expect(world.record(id).facets.validity).toBe('expired')
    const third = claimed(world, { value: 'four' })
    say({ value: 'five' })
    expect([id, third.memoryId].map((each) => world.record(each).facets.validity)).toEqual([
      'expired',
      'live',
    ])
  })
})
