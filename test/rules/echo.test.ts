import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MemoryWrite } from '../../src/core/model/commands.ts'
import type { Audience } from '../../src/core/model/record.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { isTrustedThrough } from '../../src/core/policy/admission.ts'
import { anyHistory, CORRECTED } from '../arbitraries.ts'
import {
  claimOf,
  EVERYONE,
  guideOf,
  handoffOf,
  LOCAL,
  memoryOf,
  observeOf,
  runOf,
} from '../support/commands.ts'
import { worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { reloaded } from '../support/reload.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('echo')
const [SAID, NEARLY] = CORRECTED
const MINE: Audience = { lane: 'private', ownerAgentId: LOCAL.agentId, ownerTeamId: null }
const THEIRS: Audience = { lane: 'private', ownerAgentId: 'somebody', ownerTeamId: null }

const anySpelling = fc
  .tuple(fc.constantFrom(' ', '  ', '\n', '\t'), fc.boolean(), fc.constantFrom('', '.', ' \u200b'))
  .map(([space, isLoud, end]) => {
    const text = SAID.replaceAll(' ', space).replace(/\.$/, end)
    return isLoud ? text.toUpperCase() : text
  })

/** Shows everything that the local agent sees. */
function show(world: World): readonly string[] {
  const before = world.guides.length
  world.guide(guideOf({ limit: 200, budgetChars: 200_000 }))
  return world.guides[before]?.memoryIds ?? []
}

function shown(rest: Partial<MemoryWrite> = {}, world = new World()): readonly [World, string] {
  const id = world.write(memoryOf({ text: SAID }, rest))
  show(world)
  return [world, id]
}

describe('what a guide has shown is no news', () => {
  test('H1: what a guide has shown, in any spelling, is not stored again: the shown memory stands for it', () => {
    prove(fc.tuple(anySpelling, fc.constantFrom('agent', 'document', 'user')), ([text, origin]) => {
      const [world, id] = shown()
      const before = world.memoryIds.length
      const effect = world.observe(observeOf({ memories: [memoryOf({ text }, { origin })] }))
      expect(effect).toMatchObject({ memoryIds: [id], echoCount: 1, isMemoryWritten: false, generalCount: 0 })
      expect(effect.clientIds).toEqual({})
      expect(world.memoryIds.length).toBe(before)
      expect(world.record(id).revision).toBe(1)
    })
  })

  test('H1: after any past an echo changes no facet, no text and no count of memories', () => {
    prove(anyHistory, (history) => {
      const [world, id] = shown({ clientId: 'the shown one' }, worldAfter(history))
      const facets = world.record(id).facets
      if (!show(world).includes(id)) return
      const before = stateHash(world.state)
      const effect = world.observe(observeOf({ memories: [memoryOf({ text: SAID })] }))
      expect(effect.echoCount).toBe(1)
      expect(world.record(effect.memoryIds[0] ?? '').content.text).not.toBe('')
      expect(world.record(id).facets).toEqual(facets)
      expect(stateHash(world.state)).toBe(before)
    })
  })

  test('H1: what an echo supersedes is superseded by the shown memory', () => {
    prove(fc.boolean(), (isByEdge) => {
      const world = new World()
      const old = world.write(memoryOf({ text: 'old' }))
      const [, id] = shown({}, world)
      const input = memoryOf({ text: SAID }, { supersedes: isByEdge ? [] : [{ id: old }] })
      const edges = isByEdge
        ? [{ type: 'supersedes', src: { id }, dst: { id: old }, confidence: 1 } as const]
        : []
      world.observe(observeOf({ memories: [input], edges }))
      expect(world.record(old).facets.validity).toBe('superseded')
      expect(world.record(old).changes.at(-1)?.byMemoryId).toBe(id)
    })
  })

  test('H1: what is for more eyes than the shown memory is stored, derived from it', () => {
    prove(fc.constantFrom(MINE, EVERYONE), (audience) => {
      const [world, id] = shown({ audience: MINE })
      const effect = world.observe(observeOf({ memories: [memoryOf({ text: SAID }, { audience })] }))
      if (audience === MINE) expect(effect.memoryIds).toEqual([id])
      else expect(world.record(effect.memoryIds[0] ?? '').derivedFrom).toEqual([id])
    })
  })

  test('H2: nearly the same words with the same facts are stored as derived from what was shown', () => {
    prove(fc.constantFrom('agent', 'user', 'document', 'external'), (origin) => {
      const [world, id] = shown({ origin })
      const near = world.write(memoryOf({ text: NEARLY }))
      expect(near).not.toBe(id)
      expect(world.record(near).derivedFrom).toEqual([id])
      expect(world.record(id).facets.trust).toBe(
        origin === 'agent' || origin === 'user' ? 'trusted' : 'candidate',
      )
      const isTrusted = isTrustedThrough(world.state, world.record(near), null)
      expect(isTrusted).toBe(isTrustedThrough(world.state, world.record(id), null))
    })
  })

  test('H2: another fact is no echo: it is stored on its own', () => {
    const facts = fc.constantFrom(
      [SAID.replace('blue', 'green'), SAID],
      [SAID.replace('uses', 'never uses'), SAID],
      [`${SAID} It takes 20 minutes.`, `${SAID} It takes 30 minutes.`],
    )
    prove(facts, ([text = '', first = '']) => {
      const world = new World()
      world.write(memoryOf({ text: first }))
      show(world)
      const effect = world.observe(observeOf({ memories: [memoryOf({ text })] }))
      expect(effect.echoCount).toBe(0)
      expect(world.record(effect.memoryIds[0] ?? '').derivedFrom).toEqual([])
    })
  })

  test('H3: runs, handoffs, claims, named memories and what nobody was shown are never echoes', () => {
    prove(fc.constantFrom('run', 'handoff', 'claim', 'named', 'unshown', 'unseen', 'empty'), (what) => {
      const world = new World()
      const claim = claimOf(null, { subjectKey: 's', predicate: 'p', value: SAID })
      world.write(memoryOf({ text: SAID }, what === 'unseen' ? { audience: THEIRS } : {}))
      if (what === 'claim') world.observe(observeOf({ claims: [claim] }))
      if (what === 'unseen') {
        world.guide(
          guideOf({ limit: 200, budgetChars: 200_000, consumer: { agentId: 'somebody', teamId: null } }),
        )
      } else if (what !== 'unshown') show(world)
      const again = memoryOf(
        { text: what === 'empty' ? '' : SAID },
        { clientId: what === 'named' ? 'c' : null },
      )
      const before = world.memoryIds.length
      const effect = world.observe(
        what === 'claim'
          ? observeOf({ claims: [claim] })
          : what === 'handoff'
            ? observeOf({ handoff: handoffOf(again, {}) })
            : observeOf({ memories: [what === 'run' ? runOf({ text: SAID }) : again] }),
      )
      expect(effect.echoCount).toBe(0)
      expect(world.memoryIds.length).toBe(before + 1)
      expect(world.record(effect.memoryIds[0] ?? '').derivedFrom).toEqual([])
    })
  })

  test('H1: an actor that is read again tells the same echoes', () => {
    prove(fc.tuple(anyHistory, fc.constantFrom(...CORRECTED)), ([history, text]) => {
      const live = worldAfter(history)
      const back = reloaded(live)
      const command = observeOf({ memories: [memoryOf({ text })] })
      expect(back.observe(command)).toEqual(live.observe(command))
      expect(back.lastEvents()).toEqual(live.lastEvents())
      expect(stateHash(back.state)).toBe(stateHash(live.state))
    })
  })
})
