import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { ORIGINS } from '../../src/core/base/closed-sets.ts'
import { isTrustedThrough } from '../../src/core/policy/lineage.ts'
import { anyHistory, anyMemoryInput } from '../arbitraries.ts'
import { claimOf, EVERYONE, memoryOf } from '../support/commands.ts'
import { worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { rankOf } from '../support/statements.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('lineage')
const STARTS_TRUSTED = {
  user: 1,
  agent: 1,
  verifier: 1,
  tool: 1,
  document: 0,
  external: 0,
  unknown: 0,
} as const

/** Trusted itself and through everything it was derived from, computed the slow way. */
function isTrustedByHand(world: World, id: string, path: readonly string[] = []): boolean {
  if (path.includes(id)) return true
  const record = world.state.memories.get(id)
  if (record === undefined || record.facets.trust !== 'trusted') return false
  const declared = world.state.relations
    .filter((relation) => relation.srcId === id && relation.type === 'derived_from' && relation.effective)
    .map((relation) => relation.dstId)
  return [...record.derivedFrom, ...declared].every((source) => isTrustedByHand(world, source, [...path, id]))
}

describe('where trust begins', () => {
  test('O1: document, external and unknown origins start as candidates, the others start trusted', () => {
    prove(fc.tuple(anyMemoryInput, fc.constantFrom(...ORIGINS)), ([input, origin]) => {
      const world = new World()
      const id = world.write({ ...input, origin, declared: [] })
      const [claim = ''] = world.observe({ claims: [claimOf('slot')], claimOrigin: origin }).memoryIds
      const expected = STARTS_TRUSTED[origin] === 1 ? 'trusted' : 'candidate'
      expect(world.record(id).facets.trust).toBe(expected)
      expect(world.record(claim).facets.trust).toBe(expected)
      if (expected === 'candidate') expect(world.surface(id)).not.toBe('use_now')
    })
  })

  test('O1: what an unconfirmed origin says is no revision of a trusted memory, and no revision gives trust', () => {
    prove(fc.array(fc.constantFrom(...ORIGINS), { minLength: 1, maxLength: 6 }), (origins) => {
      const world = new World()
      const [first = 'agent'] = origins
      const isTrusted = STARTS_TRUSTED[first] === 1
      let rank = 0
      for (const [n, origin] of origins.entries()) {
        const id = world.write(memoryOf({ text: `version ${n}` }, { clientId: 'c', origin }))
        const isRevision = n === 0 || rankOf(origin, false) >= rank
        expect(id === world.memoryIds[0]).toBe(isRevision)
        if (isRevision) rank = rankOf(origin, false)
        expect(world.record(world.memoryIds[0] ?? '').facets.trust).toBe(isTrusted ? 'trusted' : 'candidate')
      }
    })
  })
})

describe('where trust ends', () => {
  test('O2: a memory never has more trust than its least trusted source, over any lineage', () => {
    const anyNode = fc.record({
      origin: fc.constantFrom('agent' as const, 'agent' as const, 'document' as const),
      sources: fc.array(fc.nat({ max: 11 }), { maxLength: 3 }),
      isMissing: fc.boolean(),
      isEdge: fc.boolean(),
    })
    prove(
      fc.tuple(
        fc.array(anyNode, { minLength: 2, maxLength: 9 }),
        fc.array(fc.nat({ max: 8 }), { maxLength: 2 }),
      ),
      ([nodes, activated]) => {
        const world = new World()
        const ids: string[] = []
        const reaches = new Map<string, readonly string[]>()
        for (const [n, node] of nodes.entries()) {
          const sources = [...new Set(node.sources.flatMap((at) => ids[at] ?? []))]
          const isMissing = node.isMissing && n % 4 === 3
          const derivedFrom = [...(node.isEdge ? [] : sources), ...(isMissing ? ['nothing'] : [])]
          const input = memoryOf({ text: `node ${n}` }, { origin: node.origin })
          const id = world.write({ ...input, derivedFrom: derivedFrom.map((source) => ({ id: source })) })
          const edges = sources.map((source) => {
            return { type: 'derived_from', src: { id }, dst: { id: source }, confidence: 1 } as const
          })
          if (node.isEdge) world.observe({ edges })
          ids.push(id)
          reaches.set(id, [...sources, ...(isMissing ? ['nothing'] : [])])
        }
        for (const at of activated) {
          const id = ids[at]
          if (id !== undefined) world.lifecycle({ operation: 'activate', memoryIds: [id] })
        }
        for (const id of ids) {
          const isTrusted = isTrustedThrough(world.state, world.record(id), null)
          expect(isTrusted).toBe(isTrustedByHand(world, id))
          if (!isTrusted) expect(world.surface(id)).not.toBe('use_now')
          for (const source of reaches.get(id) ?? []) {
            const known = world.state.memories.get(source)
            const isSourceTrusted = known !== undefined && isTrustedThrough(world.state, known, null)
            if (!isSourceTrusted) expect(isTrusted).toBe(false)
          }
        }
      },
      200,
    )
  })

  test('O2: in every history the trust of a memory is that of its lineage, also for eyes that see less', () => {
    prove(anyHistory, (history) => {
      const world = worldAfter(history)
      for (const record of world.records()) {
        const isTrusted = isTrustedThrough(world.state, record, null)
        expect(isTrusted).toBe(isTrustedByHand(world, record.memoryId))
        const seen = isTrustedThrough(world.state, record, { agentId: 'ann', teamId: 'red' })
        if (!isTrusted) expect(seen).toBe(false)
      }
    })
  })

  test.each([
    ['user', true],
    ['document', false],
  ] as const)(
    'O2: of memories that share a lineage each part of it is read once, begun by %s',
    (origin, isTrusted) => {
      const world = new World()
      const ids: string[] = []
      for (let n = 0; n < 100; n += 1) {
        const derivedFrom = ids.slice(-1).map((id) => ({ id }))
        const input = memoryOf({ text: `part ${n}` }, { origin: n === 0 ? origin : 'user' })
        ids.push(world.write({ ...input, derivedFrom }))
      }
      const records = ids.toReversed().map((id) => world.record(id))
      const read = vi.spyOn(world.state.memories, 'get')
      for (const record of records) expect(isTrustedThrough(world.state, record, null)).toBe(isTrusted)
      expect(read.mock.calls.length).toBeLessThanOrEqual(ids.length)
    },
  )

  test('O2: a lineage that runs in a circle ends, and trusts when all of it is trusted', () => {
    prove(fc.tuple(fc.integer({ min: 2, max: 8 }), fc.boolean()), ([size, isTrusted]) => {
      const world = new World()
      const ids = Array.from({ length: size }, (_, n) =>
        world.write(memoryOf({ text: `${n}` }, { origin: n === 0 && !isTrusted ? 'external' : 'agent' })),
      )
      const edges = ids.map((id, n) => {
        const dst = { id: ids[(n + 1) % size] ?? '' }
        return { type: 'derived_from', src: { id }, dst, confidence: 1 } as const
      })
      world.observe({ edges })
      for (const id of ids) expect(world.surface(id) === 'use_now').toBe(isTrusted)
    })
  })

  test('O2: a source that the consumer cannot see gives no trust', () => {
    prove(fc.constantFrom('agent' as const, 'document' as const), (origin) => {
      const world = new World()
      const ann = { agentId: 'ann', teamId: null }
      const audience = { ...EVERYONE, lane: 'private', ownerAgentId: 'ann' } as const
      const source = world.write(memoryOf({ text: 'notes' }, { audience, origin }), ann)
      const id = world.write(memoryOf({ text: 'what follows' }, { derivedFrom: [{ id: source }] }), ann)
      const isKnown = origin === 'agent'
      expect(world.admission(id, null, ann).surface).toBe(isKnown ? 'use_now' : 'inspect_before_use')
      expect(world.admission(id, null, { agentId: 'bob', teamId: null }).surface).toBe('inspect_before_use')
    })
  })
})
