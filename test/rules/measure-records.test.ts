import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measure } from '../../src/core/measure/measure.ts'
import { runMarks, runVerdicts } from '../../src/core/measure/recorded-runs.ts'
import {
  type GuideArms,
  GuideArmsSum,
  outcomeRunIds,
  recordedGuide,
  recordedOutcomes,
  runtimeRecords,
} from '../../src/core/measure/records.ts'
import { redactedTurn } from '../../src/core/model/erasure.ts'
import type { MemoryRecord } from '../../src/core/model/record.ts'
import { JUDGED_FIELDS } from '../../src/core/model/skill-candidate.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { isVisibleTo, type Viewer } from '../../src/core/model/visibility.ts'
import { driftFacts } from '../../src/core/report/traced-memory.ts'
import { decideProposals, derivedSkills, findingOf } from '../../src/core/skills/derive.ts'
import { decideReview } from '../../src/core/skills/settle.ts'
import { clip, foldText } from '../../src/core/text/escape.ts'
import { anyConsumer, anyHistory, SIGNATURES, type Step } from '../arbitraries.ts'
import { enough } from '../harness/scale.ts'
import { eraseOf, runOf } from '../support/commands.ts'
import { worldAfter } from '../support/history.ts'
import { manualJob } from '../support/measure-samples.ts'
import { answering } from '../support/named-hit.ts'
import { proofsOf } from '../support/prove.ts'
import { reloaded } from '../support/reload.ts'
import { refusalOf, replayed, World } from '../support/world.ts'
import { armBy, candidateIn, endOf, isGood, isSound, runsOf } from './measure-records.reference.ts'

const prove = proofsOf('measure-records')
const ANN = { agentId: 'ann', teamId: null }
const SIGNATURE = SIGNATURES[0]

const anyRun = fc.record({
  runId: fc.constantFrom('run-1', 'run-2', 'run-3', 'run-5', 'run-6'),
  taskId: fc.constantFrom(null, 'T-1', 'T-2'),
  outcome: fc.constantFrom('succeeded', 'succeeded', 'failed', 'blocked', null),
  steps: fc.subarray(['open the file', 'change the line', 'run the check']),
  isPrivate: fc.boolean(),
  told: fc.constantFrom('passed', 'negative', 'nothing', 'passed'),
})
type Run = typeof anyRun extends fc.Arbitrary<infer Value> ? Value : never

/** Runs of one signature that are guided, recorded and judged, in the middle of any history. */
const anyWork = fc.record({
  before: anyHistory,
  runs: fc.array(anyRun, { minLength: 1, maxLength: 6 }),
  after: anyHistory.map((steps) => steps.slice(0, 4)),
})

function worldOf(work: {
  readonly before: readonly Step[]
  readonly runs: readonly Run[]
  readonly after: readonly Step[]
}): World {
  const world = worldAfter(work.before)
  for (const run of work.runs) play(world, run)
  return worldAfter(work.after, world)
}

function play(world: World, { runId, taskId, outcome, steps, isPrivate, told }: Run): void {
  const audience = isPrivate
    ? ({ lane: 'private', ownerAgentId: 'ann', ownerTeamId: null } as const)
    : ({ lane: 'shared', ownerAgentId: null, ownerTeamId: null } as const)
  const memoryId = world.write(
    runOf(
      { summary: `step ${world.memoryIds.length} of ${runId}`, outcome, workflowSteps: steps },
      { runId, taskId, taskSignature: SIGNATURE, audience, producerAgentId: 'ann' },
    ),
    ANN,
  )
  if (told === 'nothing') return
  const user = `user of ${memoryId}`
  world.guide({ consumer: ANN, runId: user, taskSignature: SIGNATURE }, [
    answering(memoryId, { score: 9, isExact: true }),
  ])
  const guideTraceId = world.guides.at(-1)?.guideTraceId ?? null
  const said = told === 'passed' ? ('positive' as const) : ('negative' as const)
  const verifierStatus = told === 'passed' ? ('passed' as const) : null
  refusalOf(() =>
    world.feedback({
      runId: user,
      outcome: said,
      verifierStatus,
      guideTraceId,
      memoryIds: [memoryId],
      viewpoint: ANN,
    }),
  )
}

function armsOf(world: World) {
  const sum = new GuideArmsSum()
  for (const guide of world.guides) sum.add(guide)
  return sum.arms(world.guides.length)
}

function recordsOf(world: World, eyes: Viewer) {
  const own = world.guides.filter(
    ({ consumerAgentId, consumerTeamId }) =>
      eyes === null || (consumerAgentId === eyes.agentId && consumerTeamId === eyes.teamId),
  )
  const task = {
    taskId: null,
    runId: null,
    taskSignature: SIGNATURE,
    taskFamily: null,
    workflowSignature: null,
  }
  const guides = own.slice(-2).map((exposure) => recordedGuide({ exposure, decision: null }))
  const shown = own.at(-1)
  const surfaces = new Map(shown?.memoryIds.map((id, at) => [id, shown.surfaces[at] ?? 'do_not_use']))
  const memories = driftFacts(world.state, surfaces, eyes, world.nowMs)
  return runtimeRecords(world.state, { task, guides, arms: armsOf(world), memories, eyes }, world.nowMs)
    .records
}

function outcomesOf(world: World, arms: GuideArms) {
  const { runIds } = outcomeRunIds(world.state, null)
  const verdictOf = runVerdicts(runMarks(world.state, new Set(runIds), []))
  return recordedOutcomes(world.state, { runIds, verdictOf, arms, taskSignature: null, eyes: null })
}

const originFor = (derivedFor: Viewer) => ({
  signatureKind: 'task_signature' as const,
  signature: SIGNATURE,
  derivedFor,
})
const skillIn = (world: World, eyes: Viewer) => findingOf(world.state, originFor(eyes), world.nowMs)

describe('what the records give', () => {
  test('M12: measuring and deriving change no state', () => {
    prove(anyWork, (work) => {
      const world = worldOf(work)
      const before = [world.state.seq, stateHash(world.state), world.turns.length]
      for (const eyes of [null, ANN]) {
        const records = recordsOf(world, eyes)
        measure(manualJob({ contextItems: 1 }, { contextItems: 2 }, { records }))
        skillIn(world, eyes)
        expect(recordsOf(world, eyes)).toEqual(records)
      }
      expect([world.state.seq, stateHash(world.state), world.turns.length]).toEqual(before)
      // What the records give is the same after a reload: exposure sets come from the ledger.
      expect(recordsOf(reloaded(world), null)).toEqual(recordsOf(world, null))
    })
  })

  test('M15: a run is in an arm only where the guides say so', () => {
    let [guided, without] = [0, 0]
    prove(anyWork, (work) => {
      const world = worldOf(work)
      const outcomes = outcomesOf(world, armsOf(world))
      const expected = runsOf(world).flatMap(([runId, steps]) => {
        const arm = armBy(world, runId, steps)
        const isSuccess = endOf(world, runId, steps)
        const isNamed = steps.some(({ taskId, taskSignature }) => taskId !== null || taskSignature !== null)
        return arm === null || isSuccess === null || !isNamed ? [] : [{ arm, isSuccess }]
      })
      expect(outcomes.map(({ arm, isSuccess }) => ({ arm, isSuccess }))).toEqual(expected)
      guided += outcomes.filter(({ arm }) => arm === 'guided').length
      without += outcomes.filter(({ arm }) => arm === 'without_memory').length
    })
    expect(Math.min(guided, without)).toBeGreaterThanOrEqual(enough(13))
  })

  test('M15: guides that are kept no longer leave older runs out', () => {
    prove(anyWork, (work) => {
      const world = worldOf(work)
      const sum = new GuideArmsSum()
      const kept = world.guides.slice(Math.ceil(world.guides.length / 2))
      for (const guide of kept) sum.add(guide)
      const outcomes = outcomesOf(world, sum.arms(world.guides.length))
      const whole = outcomesOf(world, armsOf(world))
      const count = (all: typeof whole, arm: string) => all.filter((run) => run.arm === arm).length
      // Never a run more in either arm than all guides together give.
      expect(count(outcomes, 'guided')).toBeLessThanOrEqual(count(whole, 'guided'))
      const isRunlessGone = world.guides.some((guide) => guide.runId === null && !kept.includes(guide))
      if (!isRunlessGone) {
        expect(count(outcomes, 'without_memory')).toBeLessThanOrEqual(count(whole, 'without_memory'))
      }
    })
  })

  test('M16: every text of a skill is that of a run which the records still support', () => {
    let found = 0
    prove(
      anyWork,
      (work) => {
        const world = worldOf(work)
        for (const eyes of [null, ANN]) {
          const finding = skillIn(world, eyes)
          if (finding.skill === null) continue
          found += 1
          const sound = world.records().filter((record) => isSound(world, record, eyes))
          const texts = (records: readonly MemoryRecord[]) =>
            records.flatMap(({ content }) => [
              content.summary ?? content.title ?? '',
              ...content.workflowSteps,
            ])
          const good = sound.filter(
            ({ content }) => content.outcome !== 'failed' && content.outcome !== 'blocked',
          )
          const known = texts(good).map((text) => clip(foldText(text), 1008))
          for (const line of finding.skill.procedure_steps) {
            const choices = [...line.matchAll(/(.+?) \(\d+ of \d+\)(?: or |$)/g)]
            expect(choices.length).toBeGreaterThan(0)
            for (const [, step] of choices) expect(known).toContain(step)
          }
          const soundIds = sound.map(({ memoryId }) => memoryId)
          for (const id of finding.sourceMemoryIds) expect(soundIds).toContain(id)
          expect(finding.skill.authority_state).toBe('candidate')
          for (const source of finding.skill.source_trace_ids) {
            if (source.startsWith('run:')) expect(isGood(world, source.slice(4))).toBe(true)
          }
        }
      },
      80,
    )
    expect(found).toBeGreaterThanOrEqual(enough(13))
  })

  test('M17: a supplied skill is stored only where the records give the same', () => {
    let found = 0
    prove(fc.tuple(anyWork, fc.constantFrom(...JUDGED_FIELDS)), ([work, field]) => {
      const world = worldOf(work)
      const { skill } = skillIn(world, null)
      if (skill === null) return
      found += 1
      const origin = originFor(null)
      const taken = derivedSkills(world.state, [{ origin, supplied: { ...skill } }], world.nowMs)
      expect(taken.derived.map((one) => one.skill)).toEqual([skill])
      const forged = { ...skill, [field]: ['something else'], source_trace_ids: ['run:forged'] }
      const seen = derivedSkills(world.state, [{ origin, supplied: forged }], world.nowMs)
      expect(seen).toEqual({
        derived: [],
        refused: [{ origin, reason: 'differs_from_records', differingFields: [field] }],
      })
      const others = { ...skill, source_trace_ids: ['run:forged'], promotion_status: 'promotion_ready' }
      const stored = derivedSkills(world.state, [{ origin, supplied: others }], world.nowMs)
      expect(stored.derived.map((one) => one.skill)).toEqual([skill])
    })
    expect(found).toBeGreaterThanOrEqual(enough(3))
  })

  test('M18: proposing and reviewing change no memory and no guide, and outlive replay and reload', () => {
    let found = 0
    prove(fc.tuple(anyWork, fc.constantFrom('promoted', 'rejected')), ([work, decision]) => {
      const world = worldOf(work)
      const asked = () => world.compiled({ consumer: ANN, taskSignature: SIGNATURE }).answer
      const memories = () => JSON.stringify([...world.state.memories.values()])
      const [guideBefore, memoriesBefore] = [asked().agent_context, memories()]
      const { derived } = derivedSkills(
        world.state,
        [{ origin: originFor(null), supplied: null }],
        world.nowMs,
      )
      const proposals = decideProposals(world.state, derived, () => 'one')
      const atMs = world.nowMs
      world.commit(proposals.events)
      for (const candidateId of proposals.candidateIds) {
        found += 1
        expect(decideProposals(world.state, derived, () => 'two').events).toEqual([])
        const command = { candidateId, decision, reviewerId: 'ann', reason: 'looked at', eyes: null }
        world.commit(decideReview(world.state, command, world.nowMs).events)
        expect(decideReview(world.state, command, world.nowMs).events).toEqual([])
        const second = refusalOf(() =>
          decideReview(world.state, { ...command, reviewerId: 'bob' }, world.nowMs),
        )
        expect(second?.code).toBe('skill_candidate_already_reviewed')
      }
      expect(memories()).toBe(memoriesBefore)
      world.nowMs = atMs
      expect(asked().agent_context).toEqual(guideBefore)
      const digest = stateHash(world.state)
      expect(stateHash(replayed(world.turns))).toBe(digest)
      expect(stateHash(reloaded(world).state)).toBe(digest)
    })
    expect(found).toBeGreaterThanOrEqual(enough(3))
  })

  test('X1: a skill goes with the memory whose text it holds, from the state and from redacted turns', () => {
    let gone = 0
    prove(fc.tuple(anyWork, fc.nat()), ([work, pick]) => {
      const world = worldOf(work)
      const { derived } = derivedSkills(
        world.state,
        [{ origin: originFor(ANN), supplied: null }],
        world.nowMs,
      )
      const { events, candidateIds } = decideProposals(world.state, derived, () => 'one')
      world.commit(events)
      const [candidateId] = candidateIds
      const sources = candidateIn(world, candidateId)?.sourceMemoryIds ?? []
      const erasedId = sources[pick % sources.length]
      if (candidateId === undefined || erasedId === undefined) return
      gone += 1
      const command = {
        candidateId,
        decision: 'promoted',
        reviewerId: 'ann',
        reason: 'step',
        eyes: null,
      } as const
      world.commit(decideReview(world.state, command, world.nowMs).events)
      const { summary } = world.record(erasedId).content
      world.erase(eraseOf([erasedId]))
      expect(candidateIn(world, candidateId)).toBeUndefined()
      const { seq } = world.state
      const kept = world.turns.map((turn) => redactedTurn(turn, new Set([erasedId]), seq))
      const said = kept.flatMap((turn) => turn.events.filter(({ type }) => type.startsWith('skill_')))
      expect(JSON.stringify(said)).not.toContain(`"${summary}"`)
      expect(JSON.stringify(said)).not.toContain('"reason":"step"')
      expect(stateHash(replayed(kept))).toBe(stateHash(world.state))
      expect(stateHash(reloaded(world).state)).toBe(stateHash(world.state))
    })
    expect(gone).toBeGreaterThanOrEqual(enough(3))
  })

  test('M19: what a consumer cannot see gives neither text nor id to what is measured or derived for it', () => {
    prove(fc.tuple(anyWork, anyConsumer), ([work, eyes]) => {
      const world = worldOf(work)
      const visible = world.records().filter(({ audience }) => isVisibleTo(audience, eyes))
      // A text may quote an id of its own accord.
      const quoted = JSON.stringify(visible.map(({ content }) => content))
      const hidden = world
        .records()
        .filter((record) => !visible.includes(record) && !quoted.includes(record.memoryId))
      const records = recordsOf(world, eyes)
      const finding = skillIn(world, eyes)
      const said = JSON.stringify([records, finding])
      for (const { memoryId } of hidden) expect(said).not.toContain(memoryId)
      for (const run of records.runs) {
        for (const { memoryId } of run.steps)
          expect(hidden.map((one) => one.memoryId)).not.toContain(memoryId)
      }
      // An operator knows of private memory and does not read it.
      const told = JSON.stringify(skillIn(world, null))
      for (const { content, audience } of world.records()) {
        if (audience.lane === 'private' && (content.summary ?? '').startsWith('step ')) {
          expect(told).not.toContain(`"${content.summary}"`)
        }
      }
    })
  })
})
