import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FeedbackOutcome, Outcome, VerifierStatus } from '../../src/core/base/closed-sets.ts'
import type { ActorEvent } from '../../src/core/model/events.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import type { ActorState } from '../../src/core/model/state.ts'
import { screen } from '../../src/core/screening/screen.ts'
import { decideFeedback } from '../../src/core/write/attribution.ts'
import type { Decided } from '../../src/core/write/decision.ts'
import { type FinishCommand, type FinishEffect, finishSteps } from '../../src/core/write/finish.ts'
import { decideObserve } from '../../src/core/write/observe.ts'
import { NOTHING_SIMILAR } from '../../src/core/write/similar.ts'
import { scaled } from '../harness/scale.ts'
import { feedbackOf, memoryOf, observeOf, runOf } from '../support/commands.ts'
import { idOf } from '../support/guide-samples.ts'
import { proving } from '../support/prove.ts'
import { replayed, World } from '../support/world.ts'

const NUM_RUNS = scaled(150)
const prove = proving(150)
const TASK = 'check:login'
const RUN_ID = 'the-run'
const RUN_MEMORY = idOf(0xffff)

const anyReport = fc.record({
  named: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }),
  outcome: fc.constantFrom<FeedbackOutcome>('positive', 'positive', 'negative'),
  verified: fc.constantFrom<VerifierStatus | null>('passed', 'passed', 'failed', null),
})
const anyPast = fc.record({
  kinds: fc.array(fc.constantFrom('fact', 'rule', 'run', 'failed', 'document', 'archived'), {
    minLength: 1,
    maxLength: 6,
  }),
  /** Demoted memory that four verified successes speak for: the next one lifts it. */
  lifting: fc.boolean(),
  reports: fc.array(anyReport, { maxLength: 6 }),
  used: fc.array(fc.nat({ max: 6 }), { maxLength: 4 }),
  outcome: fc.constantFrom<Outcome>('succeeded', 'succeeded', 'failed', 'blocked'),
  verified: fc.constantFrom<VerifierStatus | null>('passed', 'failed', null),
})
type Past = typeof anyPast extends fc.Arbitrary<infer P> ? P : never

/** The run names memory that its success alone would lift. */
const LIFTED_AND_NAMED: Past = {
  kinds: ['fact', 'fact'],
  lifting: true,
  reports: [],
  used: [0],
  outcome: 'succeeded',
  verified: 'passed',
}

const SAID: Readonly<Record<Outcome, FeedbackOutcome>> = {
  succeeded: 'positive',
  failed: 'negative',
  blocked: 'neutral',
  interrupted: 'neutral',
  unknown: 'neutral',
}

function written(world: World, kinds: Past['kinds']): void {
  for (const [n, kind] of kinds.entries()) {
    const task = { taskSignature: n % 2 === 0 ? TASK : null }
    if (kind === 'run') world.write(runOf({ text: `run ${n}` }, { taskSignature: TASK }))
    else if (kind === 'failed')
      world.write(runOf({ outcome: 'failed', title: `run ${n}` }, { taskSignature: TASK }))
    else {
      const rest = {
        ...task,
        ...(kind === 'rule' ? { memoryType: 'rule' as const } : {}),
        ...(kind === 'document' ? { origin: 'document' as const } : {}),
        ...(kind === 'archived' ? { declared: ['archived' as const] } : {}),
      }
      world.write(memoryOf({ text: `${kind} ${n}` }, rest))
    }
  }
}

/** A scope with a past, and the guide of the run that is going to end. */
function before(past: Past) {
  const world = new World()
  written(world, past.kinds)
  const shownTo = (runId: string) => world.guide({ runId, taskSignature: TASK }).guide_trace_id
  const reported = (runId: string, { named, outcome, verified }: Past['reports'][number]) => {
    const guideTraceId = shownTo(runId)
    const ids = world.exposure(guideTraceId)?.memoryIds ?? []
    const memoryIds = [...new Set(named.flatMap((n) => ids[n % Math.max(1, ids.length)] ?? []))]
    if (memoryIds.length === 0) return
    const more = {
      runId,
      guideTraceId,
      usedSurface: 'explicit_host_assertion',
      verifierStatus: verified,
    } as const
    world.feedback({ ...more, outcome, memoryIds })
  }
  for (const [n, report] of past.reports.entries()) reported(`past-${n}`, report)
  if (past.lifting) {
    reported('lowered', { named: [0], outcome: 'negative', verified: null })
    for (let n = 0; n < 4; n += 1)
      reported(`lifting-${n}`, { named: [1], outcome: 'positive', verified: 'passed' })
  }
  const exposure = world.exposure(shownTo(RUN_ID))
  if (exposure === null) throw new Error('the guide was recorded')
  const used = [...new Set(past.used.flatMap((n) => exposure.memoryIds[n] ?? []))]
  const verifier = past.verified === null ? [] : [{ name: 'verifier', status: past.verified, summary: null }]
  const run = observeOf({
    memories: [
      runOf(
        { outcome: past.outcome, summary: 'it ended', text: 'it ended', verifier },
        { runId: RUN_ID, taskSignature: TASK },
      ),
    ],
    runId: RUN_ID,
    taskSignature: TASK,
  })
  const { usedSurface: _, ...use } = feedbackOf({
    runId: RUN_ID,
    outcome: SAID[past.outcome],
    guideTraceId: exposure.guideTraceId,
    memoryIds: used,
    verifierStatus: past.verified,
  })
  const command: FinishCommand = { run, use }
  return { world, exposure, used, command }
}

function finished({ world, exposure, command }: ReturnType<typeof before>): Decided<FinishEffect> {
  const newId = () => RUN_MEMORY
  const steps = finishSteps(world.state, command, exposure, world.nowMs, newId, screen, NOTHING_SIMILAR)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The state after further turns. */
function after(
  world: World,
  ...turns: readonly ((state: ActorState) => readonly ActorEvent[])[]
): ActorState {
  const state = replayed(world.turns)
  for (const turn of turns) evolve(state, { seq: state.seq + 1, atMs: world.nowMs, events: turn(state) })
  return state
}

const facetsIn = (state: ActorState) =>
  [...state.memories.values()].map(({ memoryId, facets }) => [memoryId, facets])
const countersIn = (state: ActorState) =>
  [...state.memories.values()].map(({ memoryId, counters }) => [memoryId, counters])

describe('a finish', () => {
  test('F20: facets and counters are those of an observe of the run and of feedback on what may be used, in either order', () => {
    fc.assert(
      fc.property(anyPast, (past) => {
        const scene = before(past)
        const { world, exposure, used, command } = scene
        const surfaceOf = (id: string) => exposure.surfaces[exposure.memoryIds.indexOf(id)]
        const usable = used.filter((id) => ['use_now', 'inspect_before_use'].includes(surfaceOf(id) ?? ''))
        const run = { ...command.run, usedMemoryIds: usable }
        const observe = (state: ActorState) => decideObserve(state, run, world.nowMs, () => RUN_MEMORY).events
        const feedback = (state: ActorState) => {
          const outcome = usable.length === 0 ? 'neutral' : command.use.outcome
          const said = {
            ...command.use,
            outcome,
            memoryIds: usable,
            usedSurface: 'explicit_host_assertion',
          } as const
          return decideFeedback(state, said, exposure).events
        }
        const whole = after(world, () => finished(scene).events)
        for (const apart of [after(world, feedback, observe), after(world, observe, feedback)]) {
          expect(facetsIn(whole)).toEqual(facetsIn(apart))
          expect(countersIn(whole)).toEqual(countersIn(apart))
        }
      }),
      { numRuns: NUM_RUNS, examples: [[LIFTED_AND_NAMED]] },
    )
  })

  test('F20: each memory is used as the surface says that showed it, in one turn with the run', () => {
    prove(anyPast, (past) => {
      const scene = before(past)
      const { exposure } = scene
      const { events, effect } = finished(scene)
      expect(events.filter(({ type }) => type === 'memory_written').length).toBe(1)
      expect(effect.runMemoryId).toBe(RUN_MEMORY)
      for (const { memoryId, usedSurface, exposedOn } of effect.use.attributions) {
        expect(exposedOn).toBe(exposure.surfaces[exposure.memoryIds.indexOf(memoryId)])
        expect(usedSurface).toBe(exposedOn === 'use_now' ? 'use_now' : 'explicit_host_assertion')
      }
      for (const event of events) {
        if (event.type !== 'feedback_recorded') continue
        const own = effect.use.attributions.find(({ memoryId }) => memoryId === event.memoryId)
        expect(event.mark.usedSurface).toBe(own?.usedSurface)
      }
    })
  })

  test('F21: what was shown on do_not_use or rehydrate is named in warnings and gets no evidence; without anything else the finish is neutral', () => {
    prove(anyPast, (past) => {
      const scene = before(past)
      const { world, exposure, used } = scene
      const { events, effect } = finished(scene)
      const ignored = used.filter((id) =>
        ['do_not_use', 'rehydrate'].includes(exposure.surfaces[exposure.memoryIds.indexOf(id)] ?? ''),
      )
      expect(effect.use.boundaryIgnoredMemoryIds).toEqual(ignored)
      for (const id of ignored) expect(effect.warnings.join()).toContain(id)
      const spoken = events.flatMap((event) => (event.type === 'feedback_recorded' ? [event.memoryId] : []))
      expect(spoken.filter((id) => ignored.includes(id))).toEqual([])
      if (used.length > ignored.length) return
      expect(effect.feedback.outcome).toBe('neutral')
      expect(spoken).toEqual([])
      const observed = after(
        world,
        (state) => decideObserve(state, scene.command.run, world.nowMs, () => RUN_MEMORY).events,
      )
      const whole = after(world, () => events)
      expect([facetsIn(whole), countersIn(whole)]).toEqual([facetsIn(observed), countersIn(observed)])
    })
  })

  test('a past in which the run lifts memory that it does not name, and that it names, is among these', () => {
    const seen = { lifted: 0, named: 0, ignored: 0, mixed: 0 }
    fc.assert(
      fc.property(anyPast, (past) => {
        const { events, effect } = finished(before(past))
        const lifted = events.flatMap((event) => (event.type === 'task_succeeded' ? [event.memoryId] : []))
        if (lifted.length > 0) seen.lifted += 1
        if (effect.use.affectedMemoryIds.length > 0) seen.named += 1
        if (effect.use.boundaryIgnoredMemoryIds.length > 0) seen.ignored += 1
        if (new Set(effect.use.attributions.map(({ usedSurface }) => usedSurface)).size > 1) seen.mixed += 1
      }),
      { numRuns: 300, seed: 1 },
    )
    for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(5)
  })
})
