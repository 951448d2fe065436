import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  AGENT_ROLES,
  CONTEXT_MODES,
  GUIDE_MODES,
  LIFECYCLE_STATES,
  PROFILES,
  RELATION_TYPES,
} from '../../src/core/base/closed-sets.ts'
import type { MemoryWrite } from '../../src/core/model/commands.ts'
import type { ActorEvent } from '../../src/core/model/events.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import { facetWord, lifecycleStateAt, TRANSITIONS } from '../../src/core/model/lifecycle.ts'
import type { Facets, MemoryRecord } from '../../src/core/model/record.ts'
import { emptyState } from '../../src/core/model/state.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import {
  anyAudience,
  anyClaim,
  anyContent,
  anyFacets,
  anyHistory,
  anyMemoryInput,
  anyStep,
  SIGNATURES,
} from '../arbitraries.ts'
import { claimOf, handoffOf, memoryOf, observeOf, runOf } from '../support/commands.ts'
import { idOf, sampleRecord } from '../support/guide-samples.ts'
import { play, worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { AUTHORITY, START_MS, World } from '../support/world.ts'

const prove = proofsOf('lifecycle')

describe('suppression', () => {
  const anyOther = anyStep.filter((step) => step.kind !== 'lifecycle' || step.operation !== 'unsuppress')

  test('L1: no hint, feedback, relation, activation, later observation or waiting lifts a suppression', () => {
    prove(
      fc.tuple(anyHistory, fc.nat(), fc.array(anyOther, { minLength: 8, maxLength: 25 })),
      ([history, pick, later]) => {
        const world = worldAfter(history)
        const id = world.memoryIds[pick % Math.max(1, world.memoryIds.length)]
        if (id === undefined) return
        world.lifecycle({ operation: 'suppress', memoryIds: [id] })
        for (const step of later) {
          // An operator may put an end to it; that is another suppression.
          if (step.kind === 'lifecycle' && step.operation === 'suppress') continue
          play(world, step)
          expect(world.admission(id)).toMatchObject({ surface: 'do_not_use', ruleId: 'S1' })
        }
      },
      40,
    )
  })

  test('L1: no profile, role or mode shows a suppressed memory on another surface', () => {
    const anyAsked = fc.record({
      profile: fc.constantFrom(...PROFILES),
      role: fc.constantFrom(...AGENT_ROLES),
      mode: fc.constantFrom(...GUIDE_MODES),
      contextMode: fc.constantFrom(...CONTEXT_MODES),
      taskSignature: fc.constantFrom(null, ...SIGNATURES),
    })
    prove(fc.tuple(anyMemoryInput, anyAsked), ([input, asked]) => {
      const world = new World()
      const id = world.write({ ...input, runId: 'run', audience: memoryOf({}).audience })
      world.lifecycle({ memoryIds: [id] })
      const ofRun = { runId: 'run', identifiers: ['run'], fullPower: true, budgetChars: 5_000 }
      const { agent_context } = world.guide({ ...asked, ...ofRun })
      expect(agent_context.do_not_use_memory_ids).toEqual([id])
      expect(agent_context.memory_ids).toEqual([id])
    })
  })

  test('L2: a suppression with an end is over by the clock alone', () => {
    prove(fc.tuple(anyMemoryInput, fc.integer({ min: 1, max: 1e7 })), ([input, lasts]) => {
      const world = new World()
      const id = world.write({ ...input, declared: [] })
      const free = world.admission(id)
      const untilMs = world.nowMs + lasts
      world.lifecycle({ memoryIds: [id], untilMs })
      const hash = stateHash(world.state)
      world.nowMs = untilMs - 1
      expect(world.surface(id)).toBe('do_not_use')
      world.nowMs = untilMs
      const after = world.admission(id)
      const isExpired = (input.validUntilMs ?? Infinity) <= untilMs
      if (isExpired) expect(after.ruleId).not.toBe('S1')
      else expect(after).toEqual(free)
      expect(stateHash(world.state)).toBe(hash)
    })
  })

  test('L2: an end that has passed already is refused', () => {
    prove(fc.integer({ min: -1e6, max: 1e6 }), (offset) => {
      const world = new World()
      const id = world.write(memoryOf({ text: 'words' }))
      const suppressing = () => world.lifecycle({ memoryIds: [id], untilMs: world.nowMs + offset })
      if (offset > 0) expect(suppressing().changedMemoryIds).toEqual([id])
      else expect(suppressing).toThrow('Send a time in the future')
    })
  })
})

describe('facets are independent', () => {
  const NAMED = {
    trust_changed: 'trust',
    standing_changed: 'standing',
    validity_changed: 'validity',
    availability_changed: 'availability',
    suppression_changed: 'suppression',
  } as const

  /** What of the facets an event may change: its own facet, or the end of validity that a revision carries. */
  function without(facets: Facets, event: ActorEvent): Partial<Facets> {
    const left: Partial<Record<keyof Facets, unknown>> = { ...facets }
    if (event.type in NAMED) delete left[NAMED[event.type as keyof typeof NAMED]]
    if (event.type === 'memory_revised') delete left.validUntilMs
    return left as Partial<Facets>
  }

  test('L3: every event of every history changes exactly the facet that it names, of the memory that it names', () => {
    prove(anyHistory, (history) => {
      const world = worldAfter(history)
      const shadow = emptyState('default', 'default')
      for (const { atMs, events } of world.turns) {
        for (const event of events) {
          const before = new Map([...shadow.memories].map(([id, record]) => [id, record.facets]))
          evolve(shadow, { seq: shadow.seq + 1, atMs, events: [event] })
          const named = 'memoryId' in event ? event.memoryId : null
          for (const [id, facets] of before) {
            const after = shadow.memories.get(id)?.facets
            if (id !== named) expect(after).toEqual(facets)
            else if (after !== undefined) expect(without(after, event)).toEqual(without(facets, event))
          }
          if (named !== null && event.type in NAMED) {
            const facet = NAMED[event.type as keyof typeof NAMED]
            const from = before.get(named)
            const to = shadow.memories.get(named)?.facets
            if (from === undefined || to === undefined) throw new Error(`${named} was not there`)
            if (facet !== 'suppression') expect(facetWord(to, facet)).not.toBe(facetWord(from, facet))
          }
        }
      }
    })
  })
})

describe('every row of the table from every state', () => {
  const SUPPRESSION = { reason: 'said', by: null, sinceMs: 0, untilMs: null }

  test('L3: wherever the other facets stand, a row of the table moves its own facet and no other', () => {
    prove(
      fc.tuple(anyFacets, fc.constantFrom(...TRANSITIONS)),
      ([any, { facet, cause, from, to }]) => {
        for (const word of from) {
          const suppression = word === 'suppressed' ? (any.suppression ?? SUPPRESSION) : null
          const facets = { ...any, [facet]: facet === 'suppression' ? suppression : word }
          const draft = sampleRecord(idOf(1), { text: 'words' }, { facets })
          const state = emptyState('default', 'default')
          const moved = facet === 'suppression' ? (to === 'none' ? null : SUPPRESSION) : to
          const event = {
            type: `${facet}_changed`,
            memoryId: draft.memoryId,
            to: moved,
            cause,
            reason: 'because',
          }
          const events = [
            { type: 'memory_written', draft },
            { ...event, byMemoryId: null },
          ] as ActorEvent[]
          evolve(state, { seq: 1, atMs: START_MS, events })
          expect(state.memories.get(draft.memoryId)?.facets).toEqual({ ...facets, [facet]: moved })
        }
      },
      600,
    )
  })
})

describe('what callers declare', () => {
  test('L4: no declared lifecycle, confidence, authority or end raises a surface above what it is without it', () => {
    const anyHints = fc.record({
      declared: fc.subarray([...LIFECYCLE_STATES]),
      confidence: fc.constantFrom(0, 0.5, 0.75, 0.9, 1),
      validUntilMs: fc.constantFrom(null, START_MS + 1, START_MS + 1e9),
    })
    prove(
      fc.tuple(anyMemoryInput, anyHints, fc.constantFrom(null, ...SIGNATURES)),
      ([input, hints, asked]) => {
        const plain: MemoryWrite = {
          ...input,
          declared: [],
          validUntilMs: null,
          content: { ...input.content, confidence: 0.75 },
        }
        const { declared, confidence, validUntilMs } = hints
        const hinted = { ...plain, declared, validUntilMs, content: { ...plain.content, confidence } }
        // Written new, and as a revision of what was written without them.
        for (const first of [null, plain]) {
          const surfaces = [plain, hinted].map((second) => {
            const world = new World()
            if (first !== null)
              world.write({ ...first, clientId: 'c', content: { ...first.content, title: 'old' } })
            return AUTHORITY[world.admission(world.write({ ...second, clientId: 'c' }), asked).surface]
          })
          expect(surfaces[1]).toBeLessThanOrEqual(surfaces[0] ?? -1)
        }
      },
      200,
    )
    prove(fc.tuple(anyClaim, fc.constantFrom(0, 0.9, 1)), ([claim, confidence]) => {
      const plain = { ...claim, clientId: null, authority: 'advisory', confidence: 0.75 } as const
      const surfaces = [plain, { ...plain, authority: claim.authority, confidence }].map((each) => {
        const world = new World()
        const [id = ''] = world.observe({ claims: [each] }).memoryIds
        return AUTHORITY[world.surface(id)]
      })
      expect(surfaces[1]).toBeLessThanOrEqual(surfaces[0] ?? -1)
    })
  })

  test('L4: declaring a memory active changes nothing at all', () => {
    prove(fc.tuple(anyHistory, anyMemoryInput), ([history, input]) => {
      const [said, unsaid] = [['active'] as const, []].map((declared) => {
        const world = worldAfter(history)
        world.write({ ...input, declared })
        return world.turns
      })
      expect(said).toEqual(unsaid)
    })
  })

  test('L5: the reported lifecycle state is the first that holds in the declared order', () => {
    prove(
      anyFacets,
      (facets) => {
        const { suppression: s, validUntilMs } = facets
        const isOver = validUntilMs !== null && validUntilMs <= START_MS
        const holds = {
          suppressed: s !== null && (s.untilMs === null || s.untilMs > START_MS),
          failed: facets.standing === 'failed',
          superseded: facets.validity === 'superseded',
          expired: facets.validity === 'expired' || (facets.validity === 'live' && isOver),
          contested: facets.standing === 'contested',
          demoted: facets.standing === 'demoted',
          candidate: facets.trust === 'candidate',
          archived: facets.availability === 'archived',
          active: true,
        }
        const [first] = Object.entries(holds).find(([, isTrue]) => isTrue) ?? []
        expect(lifecycleStateAt(facets, START_MS)).toBe(first)
      },
      400,
    )
  })

  test('L5: each declared word sets the facet that it names, new or revised', () => {
    const STATE_OF = Object.fromEntries(LIFECYCLE_STATES.map((word) => [word, word]))
    prove(
      fc.tuple(fc.constantFrom(...LIFECYCLE_STATES), fc.boolean(), fc.boolean()),
      ([word, isNew, wasTimed]) => {
        const world = new World()
        const input = memoryOf({ text: 'words' }, { clientId: 'c' })
        if (!isNew) {
          const id = world.write(input)
          // A suppression that is over by the clock does not stand in the way of a declared one.
          if (wasTimed) world.lifecycle({ memoryIds: [id], untilMs: world.nowMs + 1 })
        }
        const id = world.write({ ...input, content: { ...input.content, title: 'new' }, declared: [word] })
        expect(lifecycleStateAt(world.record(id).facets, world.nowMs)).toBe(STATE_OF[word])
      },
    )
  })
})

describe('revisions', () => {
  const untouched = ({ audience, clientId, slot, memoryId, createdAtMs, facets }: MemoryRecord) => ({
    audience,
    clientId,
    slot,
    memoryId,
    createdAtMs,
    facets,
  })

  test('L6: a revision keeps the earlier contents as evidence, in order, and nothing else of the memory moves', () => {
    prove(
      fc.tuple(fc.array(anyContent, { minLength: 2, maxLength: 6 }), anyAudience),
      ([contents, audience]) => {
        const world = new World()
        const said: string[] = []
        let first: MemoryRecord | null = null
        for (const content of contents) {
          const id = world.write(memoryOf(content, { clientId: 'c', audience }))
          const record = world.record(id)
          first ??= record
          expect(untouched(record)).toEqual(untouched(first))
          const words = JSON.stringify(record.content)
          if (said.at(-1) !== words) said.push(words)
          expect(record.revision).toBe(said.length)
          expect(record.revisions.map((kept) => JSON.stringify(kept.content))).toEqual(said.slice(0, -1))
        }
        expect(world.memoryIds.length).toBe(1)
      },
    )
  })

  test('L6: repeating the same content changes nothing and returns the same ids', () => {
    const anyRequest = fc.record({
      memories: fc.array(anyMemoryInput, { maxLength: 3 }),
      claims: fc.array(anyClaim, { maxLength: 1 }),
      isHandoff: fc.boolean(),
      relation: fc.constantFrom(...RELATION_TYPES),
    })
    prove(fc.tuple(anyHistory, anyRequest), ([history, { memories, claims, isHandoff, relation }]) => {
      const world = worldAfter(history)
      const old = world.write(memoryOf({ text: 'older' }))
      const [src, dst] = [{ clientId: 'm0' }, { id: old }]
      const handoff = handoffOf(memoryOf({ text: 'go on' }, { clientId: 'h' }), { anchor: 'anchor-1' })
      const request = observeOf({
        memories: memories.map((memory, n) => ({ ...memory, clientId: `m${n}`, supersedes: [dst] })),
        edges: [{ type: relation, src, dst, confidence: 1 }],
        claims: claims.map((claim) => ({ ...claim, clientId: 'claim' })),
        handoff: isHandoff ? handoff : null,
      })
      const first = world.observe(request)
      const hash = stateHash(world.state)
      const again = world.observe(request)
      expect(again.memoryIds).toEqual(first.memoryIds)
      expect(again.isMemoryWritten).toBe(false)
      expect(stateHash(world.state)).toBe(hash)
    })
  })

  test('L6: a client id is unique within lane, owner and kind of record: another audience has its own memory', () => {
    prove(fc.tuple(anyAudience, anyAudience), ([one, two]) => {
      const world = new World()
      const ids = [one, two].map((audience) =>
        world.write(memoryOf({ text: 'words' }, { clientId: 'c', audience })),
      )
      const isSame = JSON.stringify(one) === JSON.stringify(two)
      expect(new Set(ids).size).toBe(isSame ? 1 : 2)
      const [claim] = world.observe({
        claims: [claimOf(null, { clientId: 'c' })],
        claimAudience: one,
      }).memoryIds
      expect(ids).not.toContain(claim)
      expect(ids).not.toContain(world.write(runOf({ outcome: 'failed' }, { clientId: 'c', audience: one })))
    })
  })

  test('L6: a revision of what is suppressed or superseded warns that it stays so, and the same content again does not', () => {
    const world = new World()
    const revised = (text: string) => world.observe({ memories: [memoryOf({ text }, { clientId: 'c' })] })
    const [id] = revised('the cache is cold').memoryIds
    expect(revised('the cache is warm').warnings).toEqual([])
    const suppressed = { memoryIds: [id ?? ''], reason: 'r' }
    world.lifecycle(suppressed)
    const { warnings } = revised('the cache is gone')
    expect(warnings).toEqual([`client_id c: ${id} is suppressed, and a revision does not end that`])
    expect(revised('the cache is gone').warnings).toEqual([])
    world.lifecycle({ ...suppressed, operation: 'unsuppress' })
    world.write(memoryOf({ text: 'no cache is used' }, { supersedes: [{ clientId: 'c' }] }))
    expect(revised('the cache is back').warnings.join()).toContain('is superseded')
  })

  test('C4: a revised handoff or claim that takes its place again does not say that it stays superseded', () => {
    const world = new World()
    const handed = (clientId: string | null, text: string) =>
      world.observe({ handoff: handoffOf(memoryOf({ text }, { clientId }), { anchor: 'path' }) })
    const claimed = (clientId: string | null, value: string) =>
      world.observe({ claims: [claimOf('slot', { clientId, value, valueText: value })] })
    for (const said of [handed, claimed]) {
      const [id = ''] = said('mine', 'one').memoryIds
      said(null, 'two')
      expect(world.record(id).facets.validity).toBe('superseded')
      expect(said('mine', 'one').warnings.join()).toContain(`${id} is superseded, and a repeat does not`)
      expect(said('mine', 'three').warnings).toEqual([])
      expect(world.record(id).facets.validity).toBe('live')
      world.lifecycle({ memoryIds: [id], reason: 'r' })
      expect(said('mine', 'four').warnings.join()).toContain('is suppressed')
    }
  })

  test('L6: a client id whose memory is of another kind warns that its type stays, whether or not the text is new', () => {
    const world = new World()
    const said = (text: string, more: object) =>
      world.observe({ memories: [memoryOf({ text }, { clientId: 'c', ...more })] })
    const [id] = said('deploys go through staging', { kind: 'fact', memoryType: 'fact' }).memoryIds
    const rule = { kind: 'rule', memoryType: 'rule' } as const
    const warning = `client_id c: ${id} stays of type fact; one of type rule needs another client_id`
    expect(said('deploys go through staging', rule).warnings).toEqual([warning])
    expect(said('deploys go through canary', rule).warnings).toEqual([warning])
    expect(said('deploys go through canary', { kind: null, memoryType: 'fact' }).warnings).toEqual([])
  })
})
