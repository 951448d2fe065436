import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RELATION_TYPES } from '../../src/core/base/closed-sets.ts'
import type { MemoryWrite } from '../../src/core/model/commands.ts'
import type { Content, MemoryRecord } from '../../src/core/model/record.ts'
import { audienceKey, isSeenByAllWhoSee } from '../../src/core/model/visibility.ts'
import { anyAudience, anyClaim, anyHistory, anyMemoryInput, anyText, SIGNATURES } from '../arbitraries.ts'
import { claimOf, EVERYONE, guideOf, handoffOf, memoryOf, observeOf, runOf } from '../support/commands.ts'
import { worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('conflict')

function isLive(record: MemoryRecord): boolean {
  return record.facets.validity === 'live'
}

describe('relations', () => {
  test('C1: supersedes and invalidates from equal or higher authority make their target superseded, and leave the source as it was', () => {
    const how = fc.constantFrom('supersedes' as const, 'invalidates' as const, 'field' as const)
    prove(fc.tuple(anyMemoryInput, how, fc.boolean()), ([input, type, isByClientId]) => {
      const world = new World()
      const plain = { ...input, audience: EVERYONE, declared: [], clientId: null }
      const target = world.write(memoryOf({ text: 'old' }, { clientId: 'old', origin: 'unknown' }))
      const ref = isByClientId ? { clientId: 'old' } : { id: target }
      const source = world.write({ ...plain, supersedes: type === 'field' ? [ref] : [] })
      const alone = world.record(source).facets
      if (type !== 'field') {
        world.observe(observeOf({ edges: [{ type, src: { id: source }, dst: ref, confidence: 1 }] }))
      }
      expect(world.record(target).facets.validity).toBe('superseded')
      expect(world.admission(target)).toMatchObject({ surface: 'do_not_use', ruleId: 'S3' })
      expect(world.record(target).changes.at(-1)?.byMemoryId).toBe(source)
      expect(world.record(source).facets).toEqual(alone)
    })
  })

  test('C1: what is superseded itself warns when it supersedes, for then neither is in force', () => {
    const world = new World()
    const [one, other] = ['one', 'other'].map((text) => ({ id: world.write(memoryOf({ text })) }))
    const replace = (src: typeof one, dst: typeof one) =>
      world.observe({
        edges: [{ type: 'supersedes', src: src ?? { id: '' }, dst: dst ?? { id: '' }, confidence: 1 }],
      })
    expect(replace(one, other).warnings).toEqual([])
    expect(replace(other, one).warnings.join()).toContain('neither is in force')
  })

  test('C1: a memory that says the same again may still supersede what it did not before', () => {
    prove(fc.tuple(anyMemoryInput, fc.boolean()), ([input, isNew]) => {
      const world = new World()
      const target = world.write(memoryOf({ text: 'old' }, { origin: 'unknown' }))
      const said = { ...input, audience: EVERYONE, declared: [], clientId: 'c' }
      if (!isNew) world.write(said)
      world.write({ ...said, supersedes: [{ id: target }] })
      expect(world.record(target).facets.validity).toBe('superseded')
      expect(world.memoryIds.length).toBe(2)
    })
  })

  test('C1: nothing but a supersedes, an invalidates, a claim, a handoff, a run that finishes one or a declaration supersedes', () => {
    const ALLOWED = [
      'superseded_by_relation',
      'claim_replaced',
      'handoff_replaced',
      'handoff_finished',
      'declared',
    ]
    prove(anyHistory, (history) => {
      const world = worldAfter(history)
      for (const record of world.records()) {
        for (const change of record.changes) {
          if (change.to !== 'superseded') continue
          expect(ALLOWED).toContain(change.cause)
          if (change.cause !== 'superseded_by_relation') continue
          const isRelated = world.state.relations.some(
            ({ type, srcId, dstId, effective }) =>
              effective &&
              (type === 'supersedes' || type === 'invalidates') &&
              srcId === change.byMemoryId &&
              dstId === record.memoryId,
          )
          expect(isRelated).toBe(true)
        }
      }
    })
  })

  test('C1: an edge from a memory to itself changes nothing, and the warning says why', () => {
    prove(fc.constantFrom(...RELATION_TYPES), (type) => {
      const world = new World()
      const id = world.write(memoryOf({ text: 'old' }))
      const before = world.record(id).facets
      const { warnings } = world.observe(
        observeOf({ edges: [{ type, src: { id }, dst: { id }, confidence: 1 }] }),
      )
      expect(world.record(id).facets).toEqual(before)
      expect(warnings).toEqual([`${type} ${id}: kept without effect, both ends are the same memory`])
    })
  })

  test('C2: contradicts makes both memories contested', () => {
    prove(fc.tuple(anyAudience, anyText, anyText), ([audience, one, two]) => {
      const world = new World()
      // Whoever owns both sees both.
      const viewpoint = { agentId: audience.ownerAgentId ?? 'ann', teamId: audience.ownerTeamId }
      const ids = [one, two].map((text) => world.write(memoryOf({ text }, { audience }), viewpoint))
      const [src = '', dst = ''] = ids
      const edge = { type: 'contradicts', src: { id: src }, dst: { id: dst }, confidence: 1 } as const
      const { warnings } = world.observe(observeOf({ edges: [edge], viewpoint }))
      if (audience.ownerAgentId === null && audience.ownerTeamId === null && audience.lane === 'private') {
        expect(warnings.join()).toMatch(/no such memory/)
        return
      }
      for (const id of ids) expect(world.record(id).facets.standing).toBe('contested')
    })
  })

  test('C2: a contradiction contests the one that more people see only if they also see the other', () => {
    prove(fc.tuple(anyAudience, anyAudience), ([source, target]) => {
      const world = new World()
      const src = world.write(memoryOf({ text: 'yes' }, { audience: source }))
      const input = memoryOf({ text: 'no' }, { audience: target })
      const edges = [
        { type: 'contradicts', src: { id: src }, dst: { clientId: 'no' }, confidence: 1 } as const,
      ]
      const viewpoint = { agentId: source.ownerAgentId ?? 'ann', teamId: source.ownerTeamId }
      const { memoryIds } = world.observe(
        observeOf({ memories: [{ ...input, clientId: 'no' }], edges, viewpoint }),
      )
      const standings = [src, memoryIds[0] ?? ''].map((id) => world.record(id).facets.standing)
      if (world.state.relations.length === 0) return
      const actsOnTarget = isSeenByAllWhoSee(source, target)
      const actsOnSource = actsOnTarget && isSeenByAllWhoSee(target, source)
      expect(standings).toEqual([
        actsOnSource ? 'contested' : 'active',
        actsOnTarget ? 'contested' : 'active',
      ])
    })
  })
})

describe('claims and handoffs', () => {
  const anyClaimWrite = fc.record({
    claims: fc.array(anyClaim, { minLength: 1, maxLength: 2 }),
    audience: fc.oneof(fc.constant(EVERYONE), anyAudience),
  })

  test('C3: of the live claims in a singleton slot of one lane and owner only the latest stays live', () => {
    prove(
      fc.array(anyClaimWrite, { minLength: 1, maxLength: 12, size: 'max' }),
      (writes) => {
        const world = new World()
        for (const { claims, audience } of writes)
          world.observe(observeOf({ claims, claimAudience: audience }))
        const live = world.records().filter((record) => isLive(record) && record.claim?.slotKey != null)
        for (const winner of live) {
          if (winner.claim?.conflictPolicy !== 'singleton_latest' || winner.claim.authority === 'blocked')
            continue
          const older = live.filter(
            (record) =>
              record.claim?.slotKey === winner.claim?.slotKey &&
              audienceKey(record.audience) === audienceKey(winner.audience) &&
              record.ordinal < winner.ordinal,
          )
          expect(older).toEqual([])
        }
      },
      200,
    )
  })

  test('C3: the latest claim of a slot is live, also when it is a revision of one that was replaced', () => {
    prove(fc.array(fc.constantFrom('a', 'b', 'c', null), { minLength: 1, maxLength: 8 }), (clientIds) => {
      const world = new World()
      for (const [n, clientId] of clientIds.entries()) {
        const [id = ''] = world.observe(
          observeOf({ claims: [claimOf('slot', { value: `value ${n}`, clientId })] }),
        ).memoryIds
        const live = world.records().filter(isLive)
        expect(live.map((record) => record.memoryId)).toEqual([id])
      }
    })
  })

  test('C3: a retired claim that is said again takes no slot from one that lives', () => {
    prove(anyText, (value) => {
      const world = new World()
      const say = (clientId: string, rest: object) =>
        world.observe(observeOf({ claims: [claimOf('slot', { clientId, ...rest })] })).memoryIds[0]
      const retired = say('a', { authority: 'blocked' })
      const lives = say('b', {})
      expect(say('a', { value })).toBe(retired)
      expect(
        world
          .records()
          .filter(isLive)
          .map((record) => record.memoryId),
      ).toEqual([lives])
    })
  })

  const anyHandoff = fc.record({
    anchor: fc.constantFrom(null, 'anchor-1', 'anchor-1', 'task-a'),
    taskSignature: fc.constantFrom(null, ...SIGNATURES),
    clientId: fc.constantFrom(null, 'h1', 'h2'),
    audience: fc.oneof(
      { weight: 3, arbitrary: fc.constant(EVERYONE) },
      { weight: 1, arbitrary: anyAudience },
    ),
    text: anyText,
  })

  test('C4: the newest handoff of an anchor, else of a task signature, is the only live one of its path', () => {
    prove(
      fc.array(anyHandoff, { minLength: 1, maxLength: 12, size: 'max' }),
      (handoffs) => {
        const world = new World()
        for (const { anchor, taskSignature, clientId, audience, text } of handoffs) {
          const memory = memoryOf({ text }, { taskSignature, clientId, audience })
          const before = world.turns.length
          const { memoryIds } = world.observe(observeOf({ handoff: handoffOf(memory, { anchor }) }))
          const newest = world.record(memoryIds[0] ?? '')
          if (world.turns.length === before) continue
          if (pathOf(newest) !== null) expect(isLive(newest)).toBe(true)
        }
        const live = world.records().filter((record) => isLive(record) && pathOf(record) !== null)
        for (const older of live) {
          const newer = live.filter(
            (record) =>
              pathOf(record) === pathOf(older) &&
              record.ordinal > older.ordinal &&
              isSeenByAllWhoSee(record.audience, older.audience),
          )
          expect(newer).toEqual([])
        }
      },
      200,
    )
  })

  test('C4: handoffs of different paths, or without one, leave each other alone', () => {
    prove(fc.array(anyText, { minLength: 1, maxLength: 6 }), (texts) => {
      const world = new World()
      for (const [n, text] of texts.entries()) {
        const memory = memoryOf({ text }, { taskSignature: n % 3 === 0 ? null : `task ${n}` })
        const anchor = n % 3 === 1 ? `anchor ${n}` : null
        world.observe(observeOf({ handoff: handoffOf(memory, { anchor }) }))
      }
      expect(world.records().filter(isLive).length).toBe(texts.length)
    })
  })
})

describe('a finished task', () => {
  const TASK = 'feat:refunds'
  const PASSED = [{ name: 'check', status: 'passed', summary: null }] as const
  const NOT_RUN = [{ name: 'check', status: 'not_run', summary: null }] as const
  const MIXED = [...PASSED, { name: 'lint', status: 'failed', summary: null }] as const

  function handOver(
    world: World,
    rest: Partial<MemoryWrite> = {},
    anchor: string | null = null,
    summary: string | null = 'Half done.',
  ): string {
    const memory = memoryOf(
      { text: 'The rounding is wrong.\nGo on.', summary, nextAction: 'Go on.' },
      { domain: 'execution', memoryType: 'execution_memory', taskSignature: TASK, ...rest },
    )
    const facts = { anchor, nextAction: 'Go on.', handoffText: 'The rounding is wrong.' }
    return world.observe(observeOf({ handoff: handoffOf(memory, facts) })).memoryIds[0] ?? ''
  }
  const finished = (rest: Partial<MemoryWrite> = {}, content: Partial<Content> = {}) =>
    runOf(
      { text: 'done', outcome: 'succeeded', verifier: PASSED, ...content },
      { taskSignature: TASK, ...rest },
    )

  test('C15: a later verified run of the task, whenever it was seen, supersedes its open handoff, and a later handoff is open again', () => {
    prove(fc.tuple(anyHistory, fc.boolean(), fc.constantFrom(null, 1)), ([past, isRevised, observedAtMs]) => {
      const world = worldAfter(past)
      const open = handOver(world)
      const clientId = isRevised ? 'the run' : null
      if (isRevised) world.write(finished({ clientId }, { outcome: 'unknown' }))
      expect(isLive(world.record(open))).toBe(true)
      const run = world.write(finished({ clientId, observedAtMs }))
      expect(world.record(open).changes.at(-1)).toMatchObject({ cause: 'handoff_finished', byMemoryId: run })
      expect(world.admission(open, TASK).surface).toBe('do_not_use')
      expect(isLive(world.record(handOver(world)))).toBe(true)
    })
  })

  test('C15: a run that did not succeed, was not verified, or is of another task finishes nothing', () => {
    const anyFault = fc.constantFrom(
      finished({}, { outcome: 'failed' }),
      finished({}, { outcome: 'unknown' }),
      finished({}, { verifier: [] }),
      finished({}, { verifier: NOT_RUN }),
      finished({}, { verifier: MIXED }),
      finished({ taskSignature: 'other' }),
      finished({ taskSignature: null }),
      finished({ origin: 'document' }),
    )
    prove(anyFault, (run) => {
      const world = new World()
      const open = handOver(world)
      world.write(run)
      expect(isLive(world.record(open))).toBe(true)
    })
  })

  test('C15: without a task the anchor counts: the task, the task with run and agent, or the client id of the run', () => {
    for (const [anchor, isFinished] of [
      [TASK, true],
      [`${TASK}:run-1:ann`, true],
      ['the run', true],
      ['elsewhere', false],
      [null, false],
    ] as const) {
      const world = new World()
      const open = handOver(world, { taskSignature: null }, anchor)
      world.write(finished({ clientId: 'the run' }))
      expect([anchor, isLive(world.record(open))]).toEqual([anchor, !isFinished])
    }
  })

  test('C15: exactly where everyone who sees the handoff sees the run', () => {
    prove(fc.tuple(anyAudience, anyAudience), ([theirs, mine]) => {
      const world = new World()
      const open = handOver(world, { audience: theirs })
      world.write(finished({ audience: mine }))
      expect(isLive(world.record(open))).toBe(!isSeenByAllWhoSee(mine, theirs))
    })
  })

  test('C16: the line of a handoff tells its next step only for its own task, or when no task is asked for', () => {
    prove(fc.tuple(fc.constantFrom(TASK, 'other', null), fc.constantFrom('Half done.', null)), (asked) => {
      const [taskSignature, summary] = asked
      const world = new World()
      const id = handOver(world, {}, null, summary)
      const match = { score: 1, coverage: 1, matchedTerms: 1, isExact: false, isAboveFloor: true }
      const hits = [{ memoryId: id, ...match }]
      const { answer } = world.compiled(guideOf({ taskSignature, fullPower: true }), hits)
      const { prompt_text: prompt } = answer.agent_context
      expect(prompt).toContain(id)
      expect(prompt.includes('Go on.')).toBe(taskSignature !== 'other')
      expect(prompt).toContain('The rounding is wrong.')
    })
  })
})

/** An anchor and a task signature of the same name are different paths. */
function pathOf({ handoff, taskSignature }: MemoryRecord): string | null {
  if (handoff === null) return null
  if (handoff.anchor !== null) return `anchor ${handoff.anchor}`
  return taskSignature === null ? null : `task ${taskSignature}`
}
