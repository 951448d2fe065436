import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Audience, Consumer } from '../../src/core/model/record.ts'
import { resolveReferences } from '../../src/core/model/references.ts'
import type { ActorState } from '../../src/core/model/state.ts'
import { isSeenByAllWhoSee, isVisibleTo } from '../../src/core/model/visibility.ts'
import {
  ALL_AUDIENCES,
  ALL_CONSUMERS,
  anyAudience,
  anyConsumer,
  anyGuideCommand,
  anyHistory,
  anyStep,
} from '../arbitraries.ts'
import { EVERYONE, guideOf, handoffOf, memoryOf, runOf } from '../support/commands.ts'
import { hitsOf, worldAfter } from '../support/history.ts'
import { answering } from '../support/named-hit.ts'
import { proofsOf } from '../support/prove.ts'
import { withoutInvisible } from '../support/without-invisible.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('visibility')
const anyHits = anyStep.filter((step) => step.kind === 'guide')
const anyQuestion = fc.record({
  history: anyHistory,
  command: anyGuideCommand,
  consumer: anyConsumer,
  ask: anyHits,
})

function seenBy(audience: Audience): readonly Consumer[] {
  return ALL_CONSUMERS.filter((consumer) => isVisibleTo(audience, consumer))
}

describe('who sees a memory', () => {
  test('V1: a shared memory without a team is visible to everyone in its actor', () => {
    prove(fc.record({ ownerAgentId: fc.constantFrom(null, 'ann'), consumer: anyConsumer }), (value) => {
      const audience = { lane: 'shared', ownerAgentId: value.ownerAgentId, ownerTeamId: null } as const
      expect(isVisibleTo(audience, value.consumer)).toBe(true)
    })
  })

  test('V2: a shared memory of a team is visible to that team and to its owner agent, and to nobody else', () => {
    prove(anyAudience, (any) => {
      const audience = { ...any, lane: 'shared', ownerTeamId: any.ownerTeamId ?? 'red' } as const
      for (const { agentId, teamId } of ALL_CONSUMERS) {
        const expected = teamId === audience.ownerTeamId || agentId === audience.ownerAgentId
        expect(isVisibleTo(audience, { agentId, teamId })).toBe(expected)
      }
    })
  })

  test('V3: a private memory is visible to its owner agent and its owner team, and to nobody else', () => {
    prove(anyAudience, (any) => {
      const audience = { ...any, lane: 'private' } as const
      for (const { agentId, teamId } of ALL_CONSUMERS) {
        const isOwner = audience.ownerAgentId !== null && agentId === audience.ownerAgentId
        const isTeam = audience.ownerTeamId !== null && teamId === audience.ownerTeamId
        expect(isVisibleTo(audience, { agentId, teamId })).toBe(isOwner || isTeam)
      }
    })
  })
})

describe('an invisible memory leaves no trace', () => {
  test('V4: a guide is that of an actor in which the invisible memories were never written', () => {
    prove(
      anyQuestion,
      ({ history, command, consumer, ask }) => {
        const world = worldAfter(history)
        const asked = { ...command, consumer }
        const hits = hitsOf(world, ask)
        const bare = withoutInvisible(world.state, consumer)
        expect(world.compiled(asked, hits)).toEqual(world.compiled(asked, hits, bare))
      },
      120,
    )
  })

  test('V4: invisible memories of the same task or run, however many, push nothing visible out of a guide', () => {
    prove(
      fc.record({ flood: fc.integer({ min: 398, max: 420 }), isRun: fc.boolean() }),
      ({ flood, isRun }) => {
        const world = new World()
        const task = { runId: 'run-1', taskSignature: isRun ? null : 'task-a' }
        const mine = runOf({ text: 'what ann did' }, { ...task, audience: privateOf('ann') })
        const theirs = runOf({ text: 'what bob did' }, { ...task, audience: privateOf('bob') })
        const seen = [0, 1].map(() => world.write(mine))
        // Enough visible memory that the scope is not shown whole.
        const notes = Array.from({ length: 14 }, (_, n) =>
          memoryOf({ text: `note ${n}` }, { audience: privateOf('ann') }),
        )
        world.observe({ memories: notes })
        world.observe({ memories: Array.from({ length: flood }, () => theirs) })
        const consumer = { agentId: 'ann', teamId: null }
        const asked = guideOf({ consumer, fullPower: !isRun, taskSignature: task.taskSignature })
        const hit = answering(seen[0] ?? '')
        const hits = isRun ? [hit] : []
        const bare = withoutInvisible(world.state, consumer)
        const { answer } = world.compiled(asked, hits)
        expect([...answer.agent_context.memory_ids].sort()).toEqual([...seen].sort())
        expect(answer).toEqual(world.compiled(asked, hits, bare).answer)
      },
      3,
    )
  })

  test('V4: references find what they find in an actor without the invisible memories', () => {
    prove(fc.record({ history: anyHistory, consumer: anyConsumer }), ({ history, consumer }) => {
      const world = worldAfter(history)
      const bare = withoutInvisible(world.state, consumer)
      const references = {
        memoryIds: [...world.memoryIds, 'nothing'],
        clientIds: ['c1', 'c2', 'c3'],
        anchors: ['anchor-1', 'anchor-2', ...world.memoryIds.map((id) => `claim:${id}`)],
      }
      const found = (state: ActorState) => {
        const { records, missing } = resolveReferences(state, references, consumer)
        return { ids: records.map((record) => record.memoryId), missing }
      }
      expect(found(world.state)).toEqual(found(bare))
    })
  })

  test('V4: the newest visible handoff of an anchor is found even when an invisible one is newer', () => {
    prove(fc.record({ older: anyAudience, newer: anyAudience, consumer: anyConsumer }), (value) => {
      const world = new World()
      const [first = '', second = ''] = [value.older, value.newer].map((audience) => {
        const handoff = handoffOf(memoryOf({ text: 'go on' }, { audience }), { anchor: 'anchor-1' })
        return world.observe({ handoff }).memoryIds[0]
      })
      const references = { memoryIds: [], clientIds: [], anchors: ['anchor-1'] }
      const found = resolveReferences(world.state, references, value.consumer).records.map((r) => r.memoryId)
      const seesOlder = isVisibleTo(value.older, value.consumer)
      const seesNewer = isVisibleTo(value.newer, value.consumer)
      expect(found).toEqual(seesNewer ? [second] : seesOlder ? [first] : [])
    })
  })
})

describe('what a relation may do', () => {
  test('V5: a relation acts only if everyone who sees the target also sees the source', () => {
    const relation = fc.constantFrom('supersedes' as const, 'invalidates' as const, 'contradicts' as const)
    prove(
      fc.record({ source: anyAudience, target: anyAudience, type: relation, how: fc.boolean() }),
      (value) => {
        const world = new World()
        const target = world.write(memoryOf({ text: 'old' }, { audience: value.target }))
        const source = world.write(memoryOf({ text: 'new' }, { audience: value.source }))
        const before = world.record(target).facets
        const edge = { type: value.type, src: { id: source }, dst: { id: target }, confidence: 1 }
        // Someone who sees both, if there is such a one, relates them.
        const both = seenBy(value.source).find((consumer) => isVisibleTo(value.target, consumer))
        if (both === undefined) return
        world.observe({ edges: [edge], viewpoint: both })
        const mayAct = seenBy(value.target).every((consumer) => isVisibleTo(value.source, consumer))
        const hasActed = world.record(target).facets !== before
        expect(hasActed).toBe(mayAct)
        expect(world.state.relations.map((kept) => kept.effective)).toEqual([mayAct])
      },
      400,
    )
  })

  test('V5: in every history a memory that moved another is seen by all who see the other', () => {
    prove(anyHistory, (history) => {
      const world = worldAfter(history)
      for (const record of world.records()) {
        for (const { byMemoryId } of record.changes) {
          if (byMemoryId === null) continue
          const by = world.record(byMemoryId).audience
          expect(seenBy(record.audience).filter((consumer) => !isVisibleTo(by, consumer))).toEqual([])
        }
      }
    })
  })

  test('V5: a newer handoff of the path replaces an older one only for those who see both', () => {
    prove(
      fc.tuple(anyAudience, anyAudience),
      ([older, newer]) => {
        const world = new World()
        const ids = [older, newer].map((audience) => {
          const handoff = handoffOf(memoryOf({ text: 'go on' }, { audience }), { anchor: 'anchor-1' })
          return world.observe({ handoff }).memoryIds[0] ?? ''
        })
        const isReplaced = seenBy(older).every((consumer) => isVisibleTo(newer, consumer))
        expect(world.record(ids[0] ?? '').facets.validity).toBe(isReplaced ? 'superseded' : 'live')
        expect(world.record(ids[1] ?? '').facets.validity).toBe('live')
      },
      200,
    )
  })

  test('V5: whoever sees the target sees the source, over every pair of audiences', () => {
    for (const source of ALL_AUDIENCES) {
      for (const target of ALL_AUDIENCES) {
        const eyes = seenBy(target)
        // Who belongs to a team is not known, so a target that nobody can see says nothing.
        if (eyes.length === 0) continue
        const expected = eyes.every((consumer) => isVisibleTo(source, consumer))
        expect([source, target, isSeenByAllWhoSee(source, target)]).toEqual([source, target, expected])
      }
    }
  })

  test('V5: an edge reaches only what the request may see: a memory of others is a missing one', () => {
    prove(
      fc.record({ source: anyAudience, target: anyAudience, viewpoint: anyConsumer }),
      ({ source, target, viewpoint }) => {
        const world = new World()
        const src = world.write(memoryOf({ text: 'source' }, { audience: source }))
        const dst = world.write(memoryOf({ text: 'target' }, { audience: target }))
        const edge = { type: 'supersedes', src: { id: src }, dst: { id: dst }, confidence: 1 } as const
        const { warnings } = world.observe({ edges: [edge], viewpoint })
        const seesBoth = isVisibleTo(source, viewpoint) && isVisibleTo(target, viewpoint)
        expect(world.state.relations.length).toBe(seesBoth ? 1 : 0)
        if (!seesBoth) {
          expect(warnings.join()).toMatch(/no such memory/)
          expect(world.record(dst).facets.validity).toBe('live')
        }
      },
      400,
    )
  })
})

describe('nothing crosses', () => {
  test('V6: no answer of a guide holds an id or a text of a memory that its consumer cannot see', () => {
    prove(
      fc.record({
        audiences: fc.array(anyAudience, { minLength: 2, maxLength: 10 }),
        cites: fc.array(fc.nat({ max: 9 })),
        command: anyGuideCommand,
        consumer: anyConsumer,
      }),
      ({ audiences, cites, command, consumer }) => {
        const world = new World()
        const ids: string[] = []
        for (const [n, audience] of audiences.entries()) {
          const cited = ids[cites[n] ?? 99]
          const derivedFrom = cited === undefined ? [] : [{ id: cited }]
          const owner = { agentId: audience.ownerAgentId ?? 'ann', teamId: audience.ownerTeamId }
          const viewpoint = cited === undefined ? owner : (seenBy(world.record(cited).audience)[0] ?? owner)
          const text = `secret-of-${n}-end`
          ids.push(world.write(memoryOf({ text, title: text }, { audience, derivedFrom }), viewpoint))
        }
        const said = JSON.stringify(world.guide({ ...command, consumer, includePackets: true }))
        for (const [n, audience] of audiences.entries()) {
          if (isVisibleTo(audience, consumer)) continue
          expect(said).not.toContain(`secret-of-${n}-end`)
          expect(said).not.toContain(ids[n])
        }
      },
      150,
    )
  })

  test('V6: two actors that live side by side are each what they are alone', () => {
    prove(fc.tuple(anyHistory, anyHistory), ([left, right]) => {
      const [a, b] = [new World('tenant', 'one'), new World('tenant', 'two')]
      for (let at = 0; at < Math.max(left.length, right.length); at++) {
        worldAfter(left.slice(at, at + 1), a)
        worldAfter(right.slice(at, at + 1), b)
      }
      expect(a.turns).toEqual(worldAfter(left, new World('tenant', 'one')).turns)
      expect(b.turns).toEqual(worldAfter(right, new World('tenant', 'two')).turns)
    })
  })
})

function privateOf(ownerAgentId: string): Audience {
  return { ...EVERYONE, lane: 'private', ownerAgentId }
}
