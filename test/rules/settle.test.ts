import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Origin } from '../../src/core/base/closed-sets.ts'
import { redactedTurn } from '../../src/core/model/erasure.ts'
import { isSuppressed } from '../../src/core/model/lifecycle.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { admissionIn } from '../../src/core/policy/admission.ts'
import { VERDICTS, type Verdict } from '../../src/core/write/settle.ts'
import { claimOf, eraseOf, lifecycleOf, memoryOf, observeOf } from '../support/commands.ts'
import { proofsOf } from '../support/prove.ts'
import { reloaded } from '../support/reload.ts'
import { NEWER, OLDER, say, UNRELATED } from '../support/statements.ts'
import { refusalOf, replayed, START_MS, World } from '../support/world.ts'

const prove = proofsOf('settle')
const anyVerdict = fc.constantFrom(...VERDICTS)

interface Pair {
  readonly world: World
  /** In the order in which the requests name them. */
  readonly ids: readonly [string, string]
}

/** Two memories in dispute; `isTurned`: the later one is called a. */
function disputing(isTurned: boolean): Pair {
  const world = new World()
  const older = say(world, OLDER, { clientId: 'older' })
  const newer = say(world, NEWER, { clientId: 'newer' })
  return { world, ids: isTurned ? [newer, older] : [older, newer] }
}

/** What may be used now, of the two. */
function usable({ world, ids }: Pair): readonly boolean[] {
  return ids.map((id) => world.surface(id) === 'use_now')
}

const USABLE: Readonly<Record<Exclude<Verdict, 'reopen'>, readonly boolean[]>> = {
  a: [true, false],
  b: [false, true],
  both: [true, true],
  neither: [false, false],
}

/** Open again, the later of the two stands. */
function usableAfter(verdict: Verdict, isTurned: boolean): readonly boolean[] {
  return verdict === 'reopen' ? [isTurned, !isTurned] : USABLE[verdict]
}

describe('settling a dispute', () => {
  test('C17: the one that wins may be used, the other not, or both, or neither', () => {
    prove(fc.tuple(fc.boolean(), anyVerdict), ([isTurned, verdict]) => {
      const pair = disputing(isTurned)
      expect(usable(pair).filter((each) => each)).toHaveLength(1)
      pair.world.settle(pair.ids, verdict)
      expect(usable(pair)).toEqual(usableAfter(verdict, isTurned))
      const { facets } = pair.world.record(pair.ids[verdict === 'a' ? 1 : 0])
      if (verdict === 'a' || verdict === 'b') expect(facets.validity).toBe('superseded')
      if (verdict === 'neither') expect(facets.suppression?.reason).toBe('looked at')
    })
  })

  test('X3: why neither of two stands goes with either of them, and what is left stays suppressed', () => {
    for (const at of [0, 1] as const) {
      const { world, ids } = disputing(false)
      world.settle(ids, 'neither')
      world.erase(eraseOf([ids[at]]))
      const left = world.record(ids[1 - at] ?? '')
      expect(left.facets.suppression).toMatchObject({ reason: '', by: 'operator' })
      expect(world.admission(left.memoryId).surface).toBe('do_not_use')
      expect(JSON.stringify(left)).not.toContain('looked at')
      const erased = new Set([ids[at]])
      const turns = world.turns.map((turn) => redactedTurn(turn, erased, world.state.seq))
      expect(JSON.stringify(turns)).not.toContain('looked at')
      for (const state of [reloaded(world).state, replayed(world.turns), replayed(turns)])
        expect(stateHash(state)).toBe(stateHash(world.state))
    }
  })

  test('C9: of a memory that lost by a verdict nothing tells what won', () => {
    const world = new World()
    const older = say(world, OLDER, { audience: { lane: 'private', ownerAgentId: 'x', ownerTeamId: null } })
    const newer = say(world, NEWER)
    world.settle([older, newer], 'a')
    const ask = { nowMs: START_MS, askedSignature: null, consumer: { agentId: 'y', teamId: null } }
    const { surface, reason } = admissionIn(world.state, world.record(newer), ask)
    expect({ surface, reason }).toEqual({ surface: 'do_not_use', reason: 'an operator decided against it' })
  })

  test('C17: neither suppresses for good what was suppressed for a time, over or not', () => {
    prove(fc.boolean(), (isOver) => {
      const pair = disputing(false)
      const { world, ids } = pair
      world.lifecycle({ memoryIds: [ids[0]], reason: 'for now', untilMs: world.nowMs + 1_000 })
      if (isOver) world.nowMs += 2_000
      world.settle(ids, 'neither')
      world.nowMs += 5_000
      expect(ids.map((id) => world.surface(id))).toEqual(['do_not_use', 'do_not_use'])
    })
  })

  test('C3: a claim that lost by a verdict does not come back beside a later one of its slot', () => {
    prove(fc.constantFrom<Origin>('user', 'agent'), (origin) => {
      const world = new World()
      const claim = (value: string, claimOrigin: Origin): string =>
        world.observe(observeOf({ claims: [claimOf('slot', { value })], claimOrigin })).memoryIds[0] ?? ''
      const ids = [claim('Frankfurt', 'user'), claim('Dublin', 'agent')] as const
      world.settle(ids, 'b')
      const last = claim('Paris', origin)
      world.settle(ids, 'reopen')
      const stands = origin === 'user' ? last : ids[0]
      expect([...ids, last].filter((id) => world.surface(id) === 'use_now')).toEqual([stands])
    })
  })

  test('C18: a verdict that is taken back leaves the suppression for a time that it took the place of', () => {
    prove(fc.tuple(fc.constantFrom('both', 'reopen', 'a'), fc.boolean()), ([verdict, isErased]) => {
      const pair = disputing(false)
      const { world, ids } = pair
      world.lifecycle({ memoryIds: [ids[0]], reason: 'for now', untilMs: world.nowMs + 3_600_000 })
      const { suppression } = world.record(ids[0]).facets
      world.settle(ids, 'neither')
      world.settle(ids, verdict)
      expect(world.record(ids[0]).facets.suppression).toEqual(suppression)
      expect(usable(pair)).toEqual([false, verdict !== 'a'])
      expect(stateHash(reloaded(world).state)).toBe(stateHash(world.state))
      if (isErased) {
        world.settle(ids, 'neither')
        world.erase(eraseOf([ids[0]]))
        expect(JSON.stringify(world.record(ids[0]).facets)).not.toContain('for now')
        const turns = world.turns.map((turn) => redactedTurn(turn, new Set([ids[0]]), world.state.seq))
        expect(JSON.stringify(turns)).not.toContain('for now')
        expect(stateHash(replayed(turns))).toBe(stateHash(world.state))
        return
      }
      world.nowMs += 3_600_000
      expect(world.surface(ids[0])).not.toBe('do_not_use')
    })
  })

  test('C17: the same two texts are not disputed anew, and a text that says something else is', () => {
    prove(fc.boolean(), (isTurned) => {
      const pair = disputing(isTurned)
      const { world, ids } = pair
      world.settle(ids, 'both')
      // Only what stands beside the text changes.
      world.write(memoryOf({ text: NEWER, confidence: 0.9 }, { clientId: 'newer' }))
      expect(usable(pair)).toEqual([true, true])
      say(world, NEWER.replace('45', '50'), { clientId: 'newer' })
      expect(usable(pair).filter((each) => each)).toHaveLength(1)
    })
  })

  test('C17: when either says something else the verdict is over, and what was suppressed stays so', () => {
    prove(fc.tuple(fc.boolean(), anyVerdict, fc.boolean()), ([isTurned, verdict, isOlder]) => {
      const pair = disputing(isTurned)
      const { world, ids } = pair
      world.settle(ids, verdict)
      say(world, UNRELATED, { clientId: isOlder ? 'older' : 'newer' })
      expect(usable(pair)).toEqual(verdict === 'neither' ? [false, false] : [true, true])
      expect(refusalOf(() => world.settle(ids, 'a'))?.code).toBe('invalid_request')
    })
  })

  test('C18: what another verdict or an edge has put aside as well stays so', () => {
    const anyOther = fc.constantFrom('edge', 'a', 'neither')
    prove(fc.tuple(anyOther, fc.boolean()), ([other, isFirst]) => {
      const { world, ids } = disputing(false)
      const [older, newer] = ids
      const third = say(world, NEWER.replace('45', '50'), { clientId: 'third' })
      const verdict = other === 'neither' ? 'neither' : 'a'
      const others = (): void => {
        if (other === 'edge') {
          const relation = {
            type: 'supersedes',
            src: { id: third },
            dst: { id: newer },
            confidence: 1,
          } as const
          world.observe({ edges: [relation] })
        } else world.settle([third, newer], verdict)
      }
      if (isFirst) others()
      world.settle([older, newer], verdict)
      if (!isFirst) others()
      world.settle([older, newer], 'both')
      expect(world.surface(newer)).not.toBe('use_now')
      if (other === 'edge') return
      world.settle([third, newer], 'both')
      expect(world.record(newer).facets).toMatchObject({ validity: 'live', suppression: null })
    })
  })

  test('C1: what replaces a memory in the request that ends the verdict on it does so', () => {
    const { world, ids } = disputing(false)
    world.settle(ids, 'a')
    const replacing = memoryOf({ text: 'no gateway is left' }, { supersedes: [{ clientId: 'newer' }] })
    world.observe({ memories: [replacing, memoryOf({ text: UNRELATED }, { clientId: 'older' })] })
    expect(world.record(ids[1]).facets.validity).toBe('superseded')
  })

  test('C18: what goes along with a side of the dispute is named among what changed', () => {
    const { world, ids } = disputing(false)
    world.settle(ids, 'neither')
    const copy = world.write(memoryOf({ text: NEWER }, { clientId: 'copy' }))
    for (const verdict of ['both', 'neither'] as const)
      expect(new Set(world.settle(ids, verdict).changedMemoryIds)).toEqual(new Set([...ids, copy]))
  })

  test('C18: only the last verdict counts, whatever was said before it', () => {
    prove(
      fc.tuple(fc.boolean(), fc.array(anyVerdict, { minLength: 1, maxLength: 5 })),
      ([isTurned, verdicts]) => {
        const pair = disputing(isTurned)
        let before: Verdict | null = null
        for (const verdict of verdicts) {
          const hash = stateHash(pair.world.state)
          const { previous, changedMemoryIds } = pair.world.settle(pair.ids, verdict)
          expect(previous).toBe(before)
          if (verdict === (before ?? 'reopen')) {
            expect(changedMemoryIds).toEqual([])
            expect(stateHash(pair.world.state)).toBe(hash)
          }
          expect(usable(pair)).toEqual(usableAfter(verdict, isTurned))
          before = verdict === 'reopen' ? null : verdict
        }
      },
    )
  })

  test('C18: what somebody else did since is not taken back', () => {
    const { world, ids } = disputing(false)
    world.settle(ids, 'neither')
    const restored = lifecycleOf({ operation: 'unsuppress', memoryIds: [ids[0]] })
    world.lifecycle(restored)
    world.lifecycle({ operation: 'suppress', memoryIds: [ids[0]], reason: 'again' })
    world.settle(ids, 'both')
    expect(world.record(ids[0]).facets.suppression?.reason).toBe('again')
    expect(world.record(ids[1]).facets.suppression).toBeNull()
  })

  test('D2: a settled dispute is the same after replay and after a reload', () => {
    prove(fc.tuple(fc.boolean(), anyVerdict, anyVerdict), ([isTurned, first, second]) => {
      const { world, ids } = disputing(isTurned)
      world.settle(ids, first)
      world.settle(ids, second)
      expect(stateHash(replayed(world.turns))).toBe(stateHash(world.state))
      expect(stateHash(reloaded(world).state)).toBe(stateHash(world.state))
    })
  })

  test('D3: two memories that are in no dispute, or of which one is none, are refused', () => {
    const { world, ids } = disputing(false)
    const other = say(world, UNRELATED)
    const hash = stateHash(world.state)
    expect(refusalOf(() => world.settle([ids[0], other], 'a'))?.code).toBe('invalid_request')
    expect(refusalOf(() => world.settle([ids[0], ids[0]], 'a'))?.code).toBe('invalid_request')
    expect(refusalOf(() => world.settle([ids[0], 'nobody'], 'a'))?.code).toBe('memory_not_found')
    expect(stateHash(world.state)).toBe(hash)
  })

  test('X1: an erased side ends the dispute and what was decided about it', () => {
    const { world, ids } = disputing(false)
    world.settle(ids, 'a')
    world.erase(eraseOf([ids[0]]))
    expect(refusalOf(() => world.settle(ids, 'b'))).toMatchObject({
      code: 'memory_not_found',
      details: { missing_memory_ids: [ids[0]], erased_memory_ids: [ids[0]] },
    })
    expect(JSON.stringify(world.record(ids[0]))).not.toContain(OLDER)
    expect(world.surface(ids[1])).toBe('use_now')
  })
})

test('a memory that is written anew with the text of a suppressed one takes over its suppression', () => {
  const { world, ids } = disputing(false)
  world.settle(ids, 'neither')
  const again = world.write(memoryOf({ text: NEWER }))
  expect(world.surface(again)).toBe('do_not_use')
})

test('H4: what says the same goes with a memory that a verdict suppresses, and comes back with it', () => {
  prove(fc.tuple(fc.boolean(), anyVerdict), ([isBefore, verdict]) => {
    const { world, ids } = disputing(false)
    const newer = ids[1]
    const isHeld = (id: string): boolean => isSuppressed(world.record(id).facets, world.nowMs)
    if (isBefore) world.lifecycle({ memoryIds: [newer], untilMs: world.nowMs + 60_000 })
    else world.settle(ids, 'neither')
    const again = world.write(memoryOf({ text: NEWER }))
    if (isBefore) world.settle(ids, 'neither')
    world.nowMs += 500
    expect([newer, again].map(isHeld)).toEqual([true, true])
    const held = isBefore || verdict === 'neither'
    world.settle(ids, verdict)
    expect([newer, again].map(isHeld)).toEqual([held, held])
    world.nowMs += 90_000
    expect([newer, again].map(isHeld)).toEqual([verdict === 'neither', verdict === 'neither'])
  })
})
