import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MemoryWrite } from '../../src/core/model/commands.ts'
import { isSuppressed } from '../../src/core/model/lifecycle.ts'
import type { Audience } from '../../src/core/model/record.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { isSeenByAllWhoSee } from '../../src/core/model/visibility.ts'
import { isTrustedThrough } from '../../src/core/policy/lineage.ts'
import { anyAudience, anyHistory, CORRECTED } from '../arbitraries.ts'
import {
  claimOf,
  EVERYONE,
  guideOf,
  handoffOf,
  LOCAL,
  memoryOf,
  observeOf,
  runOf,
  SPOKESMAN,
} from '../support/commands.ts'
import { worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { reloaded } from '../support/reload.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('echo')
const [SAID, NEARLY] = CORRECTED
const MINE: Audience = { lane: 'private', ownerAgentId: LOCAL.agentId, ownerTeamId: null }
const THEIRS: Audience = { lane: 'private', ownerAgentId: 'somebody', ownerTeamId: null }
const anyVoice = fc.constantFrom('agent', 'user', 'verifier', 'tool')

const anySpelling = fc
  .tuple(fc.constantFrom(' ', '  ', '\n', '\t'), fc.boolean(), fc.constantFrom('', '.', ' \u200b'))
  .map(([space, isLoud, end]) => {
    const text = SAID.replaceAll(' ', space).replace(/\.$/, end)
    return isLoud ? text.toUpperCase() : text
  })

/** Shows everything that the local agent sees. */
function show(world: World): readonly string[] {
  const before = world.guides.length
  world.guide({ limit: 200, budgetChars: 200_000 })
  return world.guides[before]?.memoryIds ?? []
}

function shown(rest: Partial<MemoryWrite> = {}, world = new World()): readonly [World, string] {
  const id = world.write(memoryOf({ text: SAID }, rest))
  show(world)
  return [world, id]
}

describe('what a guide has shown is no news', () => {
  test('H1: what a guide has shown, in any spelling, is not stored again: the shown memory stands for it', () => {
    prove(fc.tuple(anySpelling, anyVoice), ([text, said]) => {
      const [world, id] = shown({ origin: said })
      const before = world.memoryIds.length
      const effect = world.observe({ memories: [memoryOf({ text })] })
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
      if (!show(world).includes(id) || world.admission(id).surface !== 'use_now') return
      const before = stateHash(world.state)
      const effect = world.observe({ memories: [memoryOf({ text: SAID })] })
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
      world.observe({ memories: [input], edges })
      expect(world.record(old).facets.validity).toBe('superseded')
      expect(world.record(old).changes.at(-1)?.byMemoryId).toBe(id)
    })
  })

  test('H1: what an echo declares has no effect, and the answer says so', () => {
    const [world, id] = shown()
    const input = memoryOf({ text: SAID }, { declared: ['failed'], validUntilMs: world.nowMs + 1_000 })
    const { echoCount, warnings } = world.observe({ memories: [input] })
    expect([echoCount, world.admission(id).surface]).toEqual([1, 'use_now'])
    expect(warnings).toEqual([expect.stringMatching(`^${id} .* no effect: failed, valid_until$`)])
    expect(world.observe({ memories: [memoryOf({ text: SAID })] }).warnings).toEqual([])
  })

  test('H1: what is for more eyes than the shown memory is stored, derived from it', () => {
    prove(fc.constantFrom(MINE, EVERYONE), (audience) => {
      const [world, id] = shown({ audience: MINE })
      const effect = world.observe({ memories: [memoryOf({ text: SAID }, { audience })] })
      if (audience === MINE) expect(effect.memoryIds).toEqual([id])
      else expect(world.record(effect.memoryIds[0] ?? '').derivedFrom).toEqual([id])
    })
  })

  test('H2: nearly the same words with the same facts are stored as derived from what was shown', () => {
    prove(fc.constantFrom('agent', 'user', 'document', 'external'), (origin) => {
      const [world, id] = shown({ origin })
      const near = world.write(memoryOf({ text: NEARLY }, { origin: 'agent' }))
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
      const effect = world.observe({ memories: [memoryOf({ text })] })
      expect(effect.echoCount).toBe(0)
      expect(world.record(effect.memoryIds[0] ?? '').derivedFrom).toEqual([])
    })
  })

  test('H1: what is not for direct use now is said anew: the first, the second and the first again leave the first in force', () => {
    const anyEnd = fc.constantFrom('contested', 'superseded', 'demoted', 'candidate')
    prove(fc.tuple(anyEnd, fc.boolean()), ([end, isShownAgain]) => {
      const [world, id] = shown({ clientId: 'the first' })
      world.write(memoryOf({ text: SAID }, { clientId: 'the first', declared: [end] }))
      if (isShownAgain) show(world)
      const effect = world.observe({ memories: [memoryOf({ text: SAID })] })
      const again = effect.memoryIds[0] ?? ''
      expect([effect.echoCount, effect.isMemoryWritten, again === id]).toEqual([0, true, false])
      expect(world.record(again).facets).toMatchObject({ standing: 'active', validity: 'live' })
      // What an agent has read of a candidate it cannot vouch for.
      expect(world.admission(again).surface).toBe(end === 'candidate' ? 'inspect_before_use' : 'use_now')
    })
  })

  test('H3: what a user, a verifier or a tool says, and an event or evidence, is never an echo, nor derived', () => {
    const said = fc.oneof(
      fc.constantFrom('user', 'verifier', 'tool', 'document').map((origin) => ({ origin }) as const),
      fc.constantFrom('event', 'evidence').map((memoryType) => ({ memoryType }) as const),
    )
    prove(fc.tuple(said, fc.constantFrom(SAID, NEARLY)), ([rest, text]) => {
      const [world] = shown(rest)
      const before = world.memoryIds.length
      const effect = world.observe({ memories: [memoryOf({ text }, rest)] })
      expect([effect.echoCount, world.memoryIds.length]).toEqual([0, before + 1])
      expect(world.record(effect.memoryIds[0] ?? '').derivedFrom).toEqual([])
    })
  })

  test('H3: runs, handoffs, claims, named memories and what nobody was shown are never echoes', () => {
    prove(fc.constantFrom('run', 'handoff', 'claim', 'named', 'unshown', 'unseen', 'empty'), (what) => {
      const world = new World()
      const claim = claimOf(null, { subjectKey: 's', predicate: 'p', value: SAID })
      world.write(memoryOf({ text: SAID }, what === 'unseen' ? { audience: THEIRS } : {}))
      if (what === 'claim') world.observe({ claims: [claim] })
      if (what === 'unseen') {
        world.guide({ limit: 200, budgetChars: 200_000, consumer: { agentId: 'somebody', teamId: null } })
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

describe('the same text carries', () => {
  const OTHER = 'The night build of the mobile app runs on the third machine.'

  function operate(world: World, id: string, operation: 'suppress' | 'unsuppress', ms: number | null = null) {
    const untilMs = ms === null ? null : world.nowMs + ms
    return world.lifecycle({ operation, memoryIds: [id], untilMs })
  }
  const isSuppressedIn = (world: World, id: string): boolean =>
    isSuppressed(world.record(id).facets, world.nowMs)

  test('H4: suppression: what says it again is suppressed with it, until it is lifted or has ended', () => {
    const anyWriter = fc.record({
      origin: fc.constantFrom('agent', 'user', 'verifier', 'tool', 'document'),
      clientId: fc.constantFrom(null, 'mine'),
    })
    prove(
      fc.tuple(anySpelling, anyWriter, fc.boolean(), fc.boolean()),
      ([text, writer, isShown, isTimed]) => {
        const world = new World()
        const first = world.write(memoryOf({ text: SAID }))
        if (isShown) show(world)
        operate(world, first, 'suppress', isTimed ? 60_000 : null)
        const second = world.write(memoryOf({ text }, writer))
        const third = world.write(memoryOf({ text }, { ...writer, clientId: 'third' }))
        expect([second, third].map((id) => isSuppressedIn(world, id))).toEqual([true, true])
        if (isTimed) world.nowMs += 60_000
        else operate(world, first, 'unsuppress')
        expect([first, second, third].map((id) => isSuppressedIn(world, id))).toEqual([false, false, false])
        operate(world, first, 'suppress')
        expect([first, second, third].map((id) => isSuppressedIn(world, id))).toEqual([true, true, true])
      },
    )
  })

  test('H4: a revision that says what is suppressed is suppressed too; other words and nearness carry nothing', () => {
    prove(fc.constantFrom(SAID, NEARLY, OTHER), (text) => {
      const world = new World()
      operate(world, world.write(memoryOf({ text: SAID })), 'suppress')
      const named = world.write(memoryOf({ text: 'something else' }, { clientId: 'c' }))
      world.write(memoryOf({ text }, { clientId: 'c' }))
      expect(isSuppressedIn(world, named)).toBe(text === SAID)
      const said = world.write(memoryOf({ text }))
      expect(isSuppressedIn(world, said)).toBe(text === SAID)
      const event = world.write(memoryOf({ text }, { memoryType: 'event', observedAtMs: 5 }))
      expect(isSuppressedIn(world, event)).toBe(false)
    })
  })

  test('H4: only where everyone who sees the new memory also sees the suppressed one', () => {
    prove(fc.tuple(anyAudience, anyAudience), ([theirs, mine]) => {
      const world = new World()
      operate(world, world.write(memoryOf({ text: SAID }, { audience: theirs })), 'suppress')
      const said = world.write(memoryOf({ text: SAID }, { audience: mine, origin: 'user' }))
      expect(isSuppressedIn(world, said)).toBe(isSeenByAllWhoSee(theirs, mine))
    })
  })

  test('H5: an operator who says it again gives a candidate that says why', () => {
    prove(fc.constantFrom('user', 'agent'), (origin) => {
      const world = new World()
      operate(world, world.write(memoryOf({ text: SAID })), 'suppress')
      const memories = [memoryOf({ text: SAID }, { origin })]
      const [id = ''] = world.observe({ memories, principal: SPOKESMAN }).memoryIds
      expect(isSuppressedIn(world, id)).toBe(false)
      expect(world.record(id).changes.at(-1)).toMatchObject({ facet: 'trust', cause: 'suppressed_before' })
      expect(world.admission(id)).toMatchObject({ surface: 'inspect_before_use', ruleId: 'S5' })
      expect(world.admission(id).reason).toContain('suppressed before')
    })
  })

  test('H6: failure carries; contested, superseded, demoted and a failed run do not, and nearness carries nothing', () => {
    const anyEnd = fc.constantFrom('failed', 'contested', 'superseded', 'demoted')
    prove(fc.tuple(anyEnd, fc.constantFrom(SAID, NEARLY)), ([end, text]) => {
      const world = new World()
      world.write(memoryOf({ text: SAID }, { declared: [end] }))
      world.write(runOf({ text: SAID, outcome: 'failed' }))
      const id = world.write(memoryOf({ text }, { origin: 'user' }))
      const isCarried = end === 'failed' && text === SAID
      expect(world.record(id).facets.standing).toBe(isCarried ? 'failed' : 'active')
      expect(world.admission(id).surface).toBe(isCarried ? 'do_not_use' : 'use_now')
    })
  })
})

describe('the same text is printed once', () => {
  test('H7: of one audience the best surface stands, then the highest authority, then the newest', () => {
    const anySaid = fc.record({
      origin: fc.constantFrom('user', 'verifier', 'agent', 'tool', 'document'),
      declared: fc.constantFrom<MemoryWrite['declared']>([], ['contested'], ['archived'], ['superseded']),
      text: anySpelling,
      observedAtMs: fc.constantFrom(null, Date.UTC(2020, 1), Date.UTC(2021, 1)),
    })
    const all = fc.array(anySaid, { minLength: 2, maxLength: 5 })
    prove(fc.tuple(all, fc.boolean()), ([said, isHeldOut]) => {
      const world = new World()
      const ids = said.map(({ text, ...rest }) => world.write(memoryOf({ text }, rest)))
      const surfaces = ['do_not_use', 'rehydrate', 'inspect_before_use', 'use_now']
      // Of facts a tool may know as well as an agent.
      const origins = [['document'], ['tool', 'agent'], ['verifier'], ['user']]
      const placed = ids.map((id, at) => ({
        id,
        place: [
          surfaces.indexOf(world.admission(id).surface),
          origins.findIndex((some) => some.includes(world.record(id).origin)),
          world.record(id).observedAtMs,
          at,
        ],
      }))
      const live = placed.filter(({ place }) => (place[0] ?? 0) > 0)
      const best = live.toSorted((a, b) => compared(b.place, a.place))[0]
      const all = guideOf({ limit: 200, budgetChars: 200_000 })
      const { answer } = world.compiled(all, [], world.state, isHeldOut)
      const { omitted, exposed_memory_ids: exposed } = answer.memory_use_receipt
      const folded = live.filter((one) => one !== best).map(({ id }) => id)
      const same = omitted.filter(({ reason }) => reason === 'same_text')
      expect(same.map(({ memory_id: id }) => id).toSorted()).toEqual(folded.toSorted())
      for (const row of same) expect(row.into).toBe(best?.id)
      const unprinted = omitted.map(({ memory_id: id }) => id)
      if (!isHeldOut)
        expect(exposed.toSorted()).toEqual(ids.filter((id) => !unprinted.includes(id)).toSorted())
    })
  })

  test('H7: runs, other audiences and events of another time keep lines of their own', () => {
    const world = new World()
    const ids = [
      world.write(memoryOf({ text: SAID })),
      world.write(memoryOf({ text: SAID }, { audience: MINE, origin: 'user' })),
      world.write(memoryOf({ text: SAID }, { memoryType: 'event', observedAtMs: 1 })),
      world.write(memoryOf({ text: SAID }, { memoryType: 'event', observedAtMs: 2 })),
      world.write(runOf({ text: SAID, outcome: 'succeeded' })),
      world.write(runOf({ text: SAID, outcome: 'succeeded' })),
    ]
    expect(show(world).toSorted()).toEqual(ids.toSorted())
  })

  test('H7: of what two audiences say in turns each has one line', () => {
    const world = new World()
    const ids = [{}, { audience: MINE }, {}, { audience: MINE }].map((rest) =>
      world.write(memoryOf({ text: SAID }, rest)),
    )
    expect(show(world).toSorted()).toEqual(ids.slice(2).toSorted())
  })
})

function compared(a: readonly number[], b: readonly number[]): number {
  return a.map((value, at) => value - (b[at] ?? 0)).find((by) => by !== 0) ?? 0
}
