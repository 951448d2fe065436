import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SURFACES } from '../../src/core/base/closed-sets.ts'
import { DomainError } from '../../src/core/base/errors.ts'
import { GOVERN_MODES } from '../../src/core/external/govern.ts'
import { redactor } from '../../src/core/model/erasure.ts'
import type { Turn } from '../../src/core/model/events.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import { ExternalMemories } from '../../src/core/model/external-memories.ts'
import { EVERYONE } from '../../src/core/model/external-memory.ts'
import { emptyState } from '../../src/core/model/state.ts'
import { imageOf, stateFrom, stateHash, stateSteps } from '../../src/core/model/state-image.ts'
import { anyOutcomeReport } from '../arbitraries.ts'
import { memoryOf } from '../support/commands.ts'
import { refOf, shownOf } from '../support/external-shown.ts'
import { ExternalWorld, LOCAL_EYES, privateTo } from '../support/external-world.ts'
import { decideOne, NOW_MS, offeredOf } from '../support/govern-samples.ts'
import { answering } from '../support/named-hit.ts'
import { proofsOf } from '../support/prove.ts'
import { negative, positive, Subject } from '../support/subject.ts'

const prove = proofsOf('external memory')
const anyDomain = fc.constantFrom('general' as const, 'execution' as const)
const anyId = fc.constantFrom('a', 'b', 'c')
/** Reports about one to three candidates of one govern request. */
const anyReports = fc.array(
  fc.record({
    report: anyOutcomeReport,
    ids: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
    owner: fc.constantFrom(null, 'ann', 'bob'),
  }),
  { minLength: 1, maxLength: 12, size: 'max' },
)
const STANDINGS = ['active', 'demoted', 'contested', 'failed'] as const
const eyesOf = (agentId: string) => ({ agentId, teamId: null })

type Reports = typeof anyReports extends fc.Arbitrary<infer Value> ? Value : never

function told(world: ExternalWorld, reports: Reports): ExternalWorld {
  for (const { report, ids, owner } of reports) {
    const audience = owner === null ? EVERYONE : privateTo(owner)
    world.report(report, ids, { audience, consumer: owner === null ? LOCAL_EYES : eyesOf(owner) })
  }
  return world
}

/** What everybody is answered about all candidates. */
function answers(world: ExternalWorld): string {
  return JSON.stringify(
    ['ann', 'bob', 'local-agent'].map((agentId) =>
      world
        .asked(['a', 'b', 'c'], eyesOf(agentId))
        .map(({ surface, ruleId, facts }) => [surface, ruleId, facts.outcome]),
    ),
  )
}

/** A world in which `a` has come to a standing. */
function worldWith(standing: (typeof STANDINGS)[number]): ExternalWorld {
  const world = new ExternalWorld('execution')
  world.govern(['a'])
  if (standing === 'demoted') world.report(negative('r1', false), ['a'])
  if (standing === 'contested' || standing === 'failed') world.report(negative('r1', true), ['a'])
  if (standing === 'failed') world.report(negative('r2', true), ['a'])
  return world
}

describe('what runs said of memory that another store holds', () => {
  test('K17: what runs failed with until it failed is do_not_use in every mode', () => {
    const { state } = worldWith('failed')
    for (const mode of GOVERN_MODES) {
      const decision = decideOne(offeredOf({ externalId: 'a' }), mode, { state })
      expect(decision).toMatchObject({ surface: 'do_not_use', ruleId: 'K17', reasonCode: 'runtime_history' })
    }
  })

  test('K18: what outcomes demoted or contested is inspected in every mode', () => {
    for (const standing of ['demoted', 'contested'] as const) {
      const { state } = worldWith(standing)
      for (const mode of GOVERN_MODES) {
        const decision = decideOne(offeredOf({ externalId: 'a' }), mode, { state })
        expect(decision).toMatchObject({ surface: 'inspect_before_use', ruleId: 'K18' })
      }
    }
  })

  test('KL4: what runs said of a candidate never raises it, whatever else is said', () => {
    const anySaid = fc.record({
      hint: fc.constantFrom('current', 'procedure', 'unknown', 'stale', 'archived' as const),
      requirement: fc.constantFrom('none', 'inspect_before_use', 'rehydrate_before_use', 'blocked' as const),
      sourceTrust: fc.constantFrom('trusted', 'known', 'unknown' as const),
    })
    const states = STANDINGS.map((standing) => worldWith(standing).state)
    prove(fc.tuple(anySaid, fc.constantFrom(...GOVERN_MODES), fc.nat({ max: 3 })), ([said, mode, at]) => {
      const candidate = offeredOf({ externalId: 'a', ...said })
      const without = decideOne(candidate, mode).surface
      const { surface } = decideOne(candidate, mode, { state: states[at] ?? emptyState('t', 's') })
      expect(SURFACES.indexOf(surface)).toBeGreaterThanOrEqual(SURFACES.indexOf(without))
    })
  })

  test('KL18: the same reports bring an external memory and a memory of the scope to the same standing', () => {
    prove(
      fc.tuple(anyDomain, fc.array(anyOutcomeReport, { minLength: 1, maxLength: 14, size: 'max' })),
      ([domain, reports]) => {
        const subject = new Subject(domain === 'execution')
        const world = new ExternalWorld(domain)
        for (const report of reports) {
          subject.report(report)
          world.report(report, ['a'])
          expect(world.standing('a')).toBe(subject.standing)
        }
        const { counters } = subject.world.record(subject.id)
        expect(world.state.external.get('vector-db', 'a')?.opinions[0]?.counters ?? counters).toEqual(
          counters,
        )
      },
    )
  })

  test('KL18: shared blame is weak for each, and taken from one that passes without the other', () => {
    const world = new ExternalWorld()
    world.report(negative('r1', true), ['a', 'b'])
    expect([world.standing('a'), world.standing('b')]).toEqual(['demoted', 'demoted'])
    world.report(positive('r2', true), ['a'])
    expect([world.standing('a'), world.standing('b')]).toEqual(['active', 'demoted'])
    world.report(negative('r3', true), ['b'])
    expect(world.standing('b')).toBe('contested')
  })

  test('KL18: a proven one stays in use after a failure, and its line says so', () => {
    const world = new ExternalWorld()
    for (const run of ['r1', 'r2', 'r3']) world.report(positive(run, true), ['a'])
    world.report(negative('r4', true), ['a'])
    expect(world.surfaceOf('a')).toBe('use_now')
    expect(world.promptOf(['a'])).toContain('proven, failed in 1 of its last 4 verified uses')
    expect(world.promptOf(['b'])).not.toContain('verified uses')
    world.report(negative('r5', true), ['a'])
    expect(world.surfaceOf('a')).toBe('inspect_before_use')
  })

  test('KL18: five verified successes of runs that were shown it lift what nobody names any more', () => {
    const world = new ExternalWorld()
    world.report(negative('r0', false), ['a'])
    for (let run = 1; run <= 5; run += 1) {
      expect(world.standing('a')).toBe('demoted')
      const guideTraceId = world.govern(['a', 'b'], { runId: `r${run}` })
      world.feedback({ ...positive(`r${run}`, true), guideTraceId, memoryIds: ['b'] })
    }
    expect(world.standing('a')).toBe('active')
  })

  test('KL14: reports about external memory change no memory of the scope, and guides change none of theirs', () => {
    prove(anyReports, (reports) => {
      const world = new ExternalWorld()
      const id = world.write(memoryOf({ text: 'the subject' }))
      const { guide_trace_id: guideTraceId } = world.guide({}, [answering(id)])
      const before = JSON.stringify([world.record(id), [...world.state.evidence]])
      const renamed = reports.map((each) => ({
        ...each,
        ids: each.ids.map((name) => (name === 'a' ? id : name)),
      }))
      told(world, renamed)
      expect(JSON.stringify([world.record(id), [...world.state.evidence]])).toBe(before)
      const external = JSON.stringify(world.state.external.rows())
      for (const { report } of reports) world.feedback({ ...report, guideTraceId, memoryIds: [id] })
      expect(JSON.stringify(world.state.external.rows())).toBe(external)
    })
  })

  test('KL15: a report that names what its govern request did not show is refused whole', () => {
    prove(fc.tuple(anyOutcomeReport, anyId, anyId), ([report, shown, named]) => {
      const world = new ExternalWorld()
      const guideTraceId = world.govern([shown])
      const before = stateHash(world.state)
      const reported = () => world.feedback({ ...report, guideTraceId, memoryIds: [shown, named, 'nothing'] })
      expect(reported).toThrow(DomainError)
      const assertion = { ...report, usedSurface: 'use_now' as const, guideTraceId: null, memoryIds: [shown] }
      expect(() => world.feedback(assertion)).toThrow(DomainError)
      expect(stateHash(world.state)).toBe(before)
    })
  })

  test('KL17: what was said in a lane changes no answer to whoever does not see it', () => {
    prove(anyReports, (reports) => {
      const whole = told(new ExternalWorld(), reports)
      const unseen = told(
        new ExternalWorld(),
        reports.filter(({ owner }) => owner !== 'ann'),
      )
      for (const agentId of ['bob', 'local-agent']) {
        const [one, other] = [whole, unseen].map((world) =>
          world.asked(['a', 'b', 'c'], eyesOf(agentId)).map(({ surface, facts }) => [surface, facts.outcome]),
        )
        expect(one).toEqual(other)
      }
    })
  })

  test('KL16: after an erasure the answers are those of an actor that never recorded it, and stay so', () => {
    prove(fc.tuple(anyReports, anyReports, anyId), ([reports, later, id]) => {
      const world = told(new ExternalWorld(), reports)
      const untouched = ['a', 'b', 'c'].filter((each) => each !== id).map((each) => world.asked([each])[0])
      world.eraseExternal([id])
      expect(world.state.external.get('vector-db', id)).toBeUndefined()
      expect(world.surfaceOf(id)).toBe('use_now')
      expect(['a', 'b', 'c'].filter((each) => each !== id).map((each) => world.asked([each])[0])).toEqual(
        untouched,
      )
      const stored = JSON.stringify(imageOf(world.state).sections)
      const isNamed = /"external".*/.exec(stored)?.[0].includes(`"vector-db","${id}"`)
      expect(isNamed).toBe(false)
      const fresh = told(new ExternalWorld(), later)
      told(world, later)
      expect(world.standing(id)).toBe(fresh.standing(id))
    })
  })

  test('KL16: turns and exposure sets without what was erased replay to the same answers, and redacting twice changes nothing', () => {
    prove(fc.tuple(anyReports, anyId, anyReports), ([reports, id, later]) => {
      const world = told(new ExternalWorld(), reports)
      world.eraseExternal([id])
      told(world, later)
      const left = redactor({
        memoryIds: [],
        guides: [],
        external: [...world.state.external.erasures.values()],
        untilSeq: world.state.seq,
      })
      const turns = world.turns.map((turn: Turn) => left.turn(turn))
      const untilErasure = turns.slice(0, turns.length - later.length * 2)
      expect(JSON.stringify(untilErasure)).not.toContain(`"externalId":"${id}"`)
      for (const turn of turns) expect(left.turn(turn)).toBe(turn)
      const again = emptyState('default', 'default')
      for (const turn of turns) evolve(again, turn)
      expect(answers(new ExternalWorld('general', again))).toBe(answers(world))
    })
  })

  test('KL13: of more than the bound the ones go that no run spoke of, governed longest ago first', () => {
    const max = 40
    const anySteps = fc.array(fc.record({ id: fc.nat({ max: 90 }), isReported: fc.boolean() }), {
      minLength: 60,
      maxLength: 160,
      size: 'max',
    })
    prove(anySteps, (steps) => {
      const known = new ExternalMemories(max)
      /** By name, the oldest first; true: a run has spoken of it. */
      const model = new Map<string, boolean>()
      for (const [seq, { id, isReported }] of steps.entries()) {
        const name = `id ${id}`
        const ref = refOf(name)
        const memory = {
          sourceBackend: 'b',
          externalId: name,
          ref,
          textHash: ref,
          domain: 'general' as const,
        }
        known.show(shownOf([name]), null, { atMs: NOW_MS, seq })
        const wasUsed = model.get(name) ?? false
        model.delete(name)
        model.set(name, wasUsed || isReported)
        if (isReported)
          known.apply({ ...heardOf(memory), type: 'external_feedback_recorded' }, { atMs: NOW_MS, seq })
        while (model.size > max) {
          const oldest = [...model].find(([, isUsed]) => !isUsed) ?? [...model][0]
          model.delete(oldest?.[0] ?? '')
        }
        expect(known.size).toBeLessThanOrEqual(max)
      }
      expect([...known.all()].map(({ externalId }) => externalId).sort()).toEqual([...model.keys()].sort())
    })
  })

  test('KL16: an erased one is in no list of a run either, also when it had made room for others before', () => {
    const bounds = { runs: 4, ofRun: 6, inAll: 15 }
    const anyAsks = fc.array(
      fc.record({
        run: fc.nat({ max: 5 }),
        ids: fc.uniqueArray(fc.nat({ max: 30 }), { minLength: 1, maxLength: 9 }),
      }),
      { minLength: 5, maxLength: 40, size: 'max' },
    )
    prove(fc.tuple(anyAsks, fc.uniqueArray(fc.nat({ max: 30 }), { minLength: 1 })), ([asks, erased]) => {
      const known = new ExternalMemories(10, bounds)
      for (const [seq, { run, ids }] of asks.entries())
        known.show(shownOf(ids.map((id) => `<${id}>`)), `run ${run}`, { atMs: NOW_MS, seq })
      const rows = known.runs.rows()
      const counts = rows.map(([, keys]) => keys.length)
      expect(Math.max(...counts)).toBeLessThanOrEqual(bounds.ofRun)
      expect(rows.length).toBeLessThanOrEqual(bounds.runs)
      expect(counts.reduce((sum, count) => sum + count)).toBe(known.runs.size)
      expect(known.runs.size).toBeLessThanOrEqual(bounds.inAll)
      // The run that asked last knows what it was shown last.
      const last = asks.at(-1)
      expect(rows.at(-1)?.[0]).toBe(`run ${last?.run}`)
      const refs = shownOf(erased.map((id) => `<${id}>`)).refs
      known.apply(
        { type: 'external_erased', refs, reason: 'asked for', actorName: null },
        { atMs: NOW_MS, seq: asks.length },
      )
      const left = JSON.stringify([known.rows(), known.runs.rows()])
      for (const id of erased) expect(left).not.toContain(`<${id}>`)
      expect(known.runs.size).toBe(known.runs.rows().reduce((sum, [, keys]) => sum + keys.length, 0))
    })
  })

  test('KL13: an actor knows no more than a hundred thousand', () => {
    const known = new ExternalMemories()
    const ids = Array.from({ length: 100_200 }, (_, at) => `${at}`)
    for (let at = 0; at < ids.length; at += 200)
      known.show(shownOf(ids.slice(at, at + 200)), null, { atMs: NOW_MS, seq: at })
    expect(known.size).toBe(100_000)
    expect(known.get('b', '199')).toBeUndefined()
    expect(known.get('b', '200')).toBeDefined()
  })

  test('a state with external memory is the same after its image was read back', () => {
    prove(fc.tuple(anyReports, anyReports), ([reports, later]) => {
      const world = told(new ExternalWorld(), reports)
      world.eraseExternal(['b'])
      const back = new ExternalWorld('general', stateFrom(imageOf(world.state)))
      expect(stateHash(back.state)).toBe(stateHash(world.state))
      const inSteps = stateSteps(imageOf(world.state), 1)
      let step = inSteps.next()
      while (step.done !== true) step = inSteps.next()
      expect(stateHash(step.value)).toBe(stateHash(world.state))
      for (const turn of told(world, later).turns.slice(-later.length * 2)) evolve(back.state, turn)
      expect(answers(back)).toBe(answers(world))
      expect(JSON.stringify(back.state.external.rows())).toBe(JSON.stringify(world.state.external.rows()))
    })
  })
})

function heardOf<Memory extends object>(memory: Memory) {
  return {
    memory,
    audience: EVERYONE,
    mark: {
      runId: 'r',
      outcome: 'neutral' as const,
      strong: false,
      direct: false,
      verifierStatus: null,
      usedSurface: 'use_now' as const,
      guideTraceId: null,
      reason: 'x',
    },
    counts: { neutral: 1 },
    evidence: null,
  }
}
