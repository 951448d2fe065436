import { describe, expect, test } from 'vitest'
import { type Place, startEmbedded } from '../harness/embedded.ts'
import { Scene } from '../harness/scene.ts'

const real = await startEmbedded()
let scopes = 0
const HELP = { outcome: 'positive', verifier_status: 'passed' }
const SIGNED = { task_signature: 'fix:login' }
const REVIEW = { reviewer_id: 'ann', reason: 'The steps are those of the run.' }
const PRIVATE = { memory_lane: 'private', owner_agent_id: 'worker-1' }
const play = (told: object | null = HELP) => new Scene(real, `skills ${(scopes += 1)}`).loop(told)

/** A run that goes the way of the scene, and one step further. */
const done = (run_id: string, last: string) => ({
  run_id,
  title: last,
  outcome: 'succeeded',
  workflow_steps: ['Reproduce the failure', 'Inject the clock', last],
})

async function proposedIn(place: Place, more: object = SIGNED) {
  const answer = await real.ok('proposeSkills', { ...place, ...more })
  const [candidate] = answer.candidates
  if (candidate === undefined) throw new Error(`nothing was proposed: ${JSON.stringify(answer.refused)}`)
  return { answer, candidate, id: candidate.candidate_id }
}

describe('a skill candidate', () => {
  test('is derived from recorded runs, stored for review and listed, also after a restart', async () => {
    const { place, memoryId } = await play()
    const { answer, candidate } = await proposedIn(place)
    expect(answer).toMatchObject({ candidate_count: 1, inserted_count: 1, updated_count: 0, refused: [] })
    expect(candidate).toMatchObject({
      status: 'pending_review',
      task_signature: 'fix:login',
      workflow_signature: null,
      source_memory_ids: [memoryId],
      review: null,
      text_withheld: false,
      trace_derived_skill: {
        skill_name: 'Continue fix:login',
        procedure_steps: ['Reproduce the failure (1 of 1)', 'Inject the clock (1 of 1)'],
        acceptance_checks: ['pnpm test login'],
        target_files: ['src/login.ts'],
        source_trace_ids: ['run:run-1', 'task_signature:fix:login'],
        authority_state: 'candidate',
        promotion_status: 'candidate_only',
      },
    })
    const digest = await real.digest(place)
    const listed = await real.ok('listSkills', place)
    expect(listed.candidates).toEqual([candidate])
    expect(await real.digest(place)).toBe(digest)
    await real.restart()
    expect(await real.digest(place)).toBe(digest)
    expect((await real.ok('listSkills', place)).candidates).toEqual([candidate])
  })

  test('that says the same is stored once; one of further runs replaces it while it is pending', async () => {
    const { place } = await play()
    const { id } = await proposedIn(place)
    const again = await proposedIn(place)
    expect([again.id, again.answer.inserted_count, again.answer.updated_count]).toEqual([id, 0, 0])
    await real.ok('observe', {
      ...place,
      execution: { ...SIGNED, ...done('run-5', 'Run the whole suite') },
    })
    const more = await proposedIn(place)
    expect([more.id, more.answer.inserted_count, more.answer.updated_count]).toEqual([id, 0, 1])
    expect(more.candidate.trace_derived_skill?.procedure_steps).toEqual([
      'Reproduce the failure (2 of 2)',
      'Inject the clock (2 of 2)',
      'Run the whole suite (1 of 2)',
    ])
    expect((await real.ok('listSkills', place)).candidate_count).toBe(1)
    await real.ok('promoteSkill', { ...place, ...REVIEW, candidate_id: id })
    await real.ok('observe', {
      ...place,
      execution: { ...SIGNED, ...done('run-6', 'Clean up the fixture') },
    })
    // Beside a reviewed one a new one is stored.
    const beside = await proposedIn(place)
    expect(beside.id).not.toBe(id)
    expect((await real.ok('listSkills', { ...place, status: 'all' })).candidate_count).toBe(2)
  })

  test('is marked by one review; the same again is a repeat and another one is refused', async () => {
    const { place } = await play()
    const { id } = await proposedIn(place)
    const review = { ...place, ...REVIEW, candidate_id: id, include_markdown: true }
    const promoted = await real.ok('promoteSkill', review)
    expect(promoted.candidates).toMatchObject([
      { candidate_id: id, status: 'promoted', review: { decision: 'promoted', ...REVIEW } },
    ])
    expect(promoted.candidates[0]?.markdown).toContain(
      'description: "Promoted by ann. task_signature:fix:login"',
    )
    const digest = await real.digest(place)
    expect((await real.ok('promoteSkill', review)).candidates).toEqual(promoted.candidates)
    for (const [operation, other] of [
      ['rejectSkill', {}],
      ['promoteSkill', { reviewer_id: 'ben' }],
      ['promoteSkill', { reason: 'Another one.' }],
    ] as const) {
      expect(await real.refused(operation, { ...review, ...other })).toMatchObject({
        status: 409,
        error: 'skill_candidate_already_reviewed',
        details: { candidate_id: id, status: 'promoted', reviewer_id: 'ann' },
      })
    }
    expect(await real.digest(place)).toBe(digest)
    const ids = async (status: string) =>
      (await real.ok('listSkills', { ...place, status })).candidates.map(({ candidate_id }) => candidate_id)
    expect(await ids('pending_review')).toEqual([])
    expect(await ids('promoted')).toEqual([id])
    expect(await ids('rejected')).toEqual([])
    expect(await real.refused('rejectSkill', { ...review, candidate_id: 'skill:none' })).toMatchObject({
      status: 404,
      error: 'skill_candidate_not_found',
    })
  })

  test('that was promoted changes no guide and no memory', async () => {
    const { place } = await play()
    const ask = { ...place, query_text: 'login test', consumer_agent_id: 'worker-9', ...SIGNED }
    const before = await real.ok('guide', ask)
    const { id } = await proposedIn(place)
    await real.ok('promoteSkill', { ...place, ...REVIEW, candidate_id: id })
    const after = await real.ok('guide', ask)
    expect(after.agent_context).toEqual(before.agent_context)
  })

  test('that the records do not give any more can be rejected and not promoted', async () => {
    const { place, memoryId } = await play()
    const { id } = await proposedIn(place)
    await real.ok('feedback', {
      ...place,
      reason: 'the hidden test fails',
      run_id: 'run-2',
      outcome: 'negative',
      verifier_status: 'failed',
      used_surface: 'use_now',
      used_memory_ids: [memoryId],
    })
    const review = { ...place, ...REVIEW, candidate_id: id }
    expect(await real.refused('promoteSkill', review)).toMatchObject({
      status: 409,
      error: 'skill_candidate_outdated',
      details: { candidate_id: id, reason: 'not_enough_succeeded_runs' },
    })
    expect((await real.ok('rejectSkill', review)).candidates[0]?.status).toBe('rejected')
  })

  test('with one operation id is proposed and reviewed once', async () => {
    const { place } = await play()
    const body = { ...place, ...SIGNED, operation_id: 'propose-1' }
    const first = await real.ok('proposeSkills', body)
    expect(await real.ok('proposeSkills', body)).toEqual(first)
    expect(first.inserted_count).toBe(1)
    const review = { ...place, ...REVIEW, candidate_id: first.candidates[0]?.candidate_id }
    const done = await real.ok('rejectSkill', { ...review, operation_id: 'review-1' })
    expect(await real.ok('rejectSkill', { ...review, operation_id: 'review-1' })).toEqual(done)
  })
})

const VERDICTS = ['promote', 'reject', 'reopen'] as const
const STATUS = { promote: 'promoted', reject: 'rejected', reopen: 'pending_review' } as const

describe('a skill that an operator settles', () => {
  const settled = async (place: Place, id: string, verdict: string) =>
    real.ok('settle', { ...place, skill_id: id, verdict, reason: 'looked at', actor: 'olga' })

  const procedures = async (place: Place) => {
    const { items } = await real.ok('listMemories', { ...place, memory_type: 'procedure' })
    return items.map(({ surface, memory_id }) => ({ surface, memory_id }))
  }

  test('is as the last verdict leaves it, also after a restart, and its procedure names its runs', async () => {
    for (const first of ['promote'] as const) {
      const { place, memoryId } = await play()
      const { id } = await proposedIn(place)
      for (const verdict of [first, ...VERDICTS, first]) {
        const { skill } = await settled(place, id, verdict)
        expect(skill?.status).toBe(STATUS[verdict])
        const digest = await real.digest(place)
        const again = await settled(place, id, verdict)
        expect([again.changed_memory_ids, await real.digest(place)]).toEqual([[], digest])
        const { candidates } = await real.ok('listSkills', { ...place, status: 'all' })
        expect(candidates).toEqual([again.skill])
        const found = await procedures(place)
        expect(found.length).toBeLessThanOrEqual(1)
        expect(found.filter(({ surface }) => surface === 'use_now')).toHaveLength(
          verdict === 'promote' ? 1 : 0,
        )
      }
      await real.restart()
      const memory_id = (await procedures(place))[0]?.memory_id ?? ''
      const { items } = await real.ok('listMemories', { ...place, memory_id })
      expect(items[0]).toMatchObject({ task_signature: 'fix:login', detail: { derived_from: [memoryId] } })
      expect(items[0]?.text).toContain('1. Reproduce the failure; 2. Inject the clock.')
    }
  })

  test('as promoted keeps what its steps and checks count themselves', async () => {
    const { place } = await play()
    const steps = ['Load the part (1 of 3)', 'Load the part (2 of 3)']
    const checks = { acceptance_checks: ['the parts are there (3 of 3)'] }
    const run = { ...done('run-2', 'Pack it'), workflow_steps: ['Inject the clock', ...steps], ...checks }
    await real.ok('observe', { ...place, execution: { ...SIGNED, ...run } })
    const { changed_memory_ids } = await settled(place, (await proposedIn(place)).id, 'promote')
    const asked = { ...place, reason: 'look', mode: 'full', memory_ids: changed_memory_ids }
    const [procedure] = (await real.ok('rehydrate', asked)).result.memories
    expect(procedure?.text).toMatch(/Load the part \(1 of 3\); \d\. Load the part \(2 of 3\)\.$/u)
    expect(JSON.stringify(procedure)).toContain('the parts are there (3 of 3)')
  })

  test('as promoted is shown to agents as a procedure, and outranks what an agent says against it', async () => {
    const { place } = await play()
    const { id } = await proposedIn(place)
    const { changed_memory_ids } = await settled(place, id, 'promote')
    const ask = { ...place, query_text: 'reproduce the login failure, inject the clock', ...SIGNED }
    const { agent_context } = await real.ok('guide', { ...ask, consumer_agent_id: 'worker-9' })
    expect(agent_context.use_now_memory_ids).toEqual(expect.arrayContaining([...changed_memory_ids]))
    await real.registry.use(place.tenant_id, place.scope, async ({ state }) => {
      expect(changed_memory_ids.map((each) => state.operatorMemories.has(each))).toEqual([true])
    })
  })

  test('as rejected is not proposed or measured again until runs change its steps', async () => {
    const { place, before, after } = await play()
    const { id } = await proposedIn(place)
    const measured = async () => {
      const product_trace = { before_guide: before, after_guide: after }
      const { effect_report } = await real.ok('measure', { ...place, product_trace })
      const skills = effect_report.training_candidates.flatMap(
        ({ trace_derived_skill: skill }) => skill ?? [],
      )
      return { skills, denied: effect_report.learning_effect.promotion_denied_reasons }
    }
    expect((await measured()).skills).not.toEqual([])
    await settled(place, id, 'reject')
    expect(await measured()).toMatchObject({ skills: [], denied: expect.arrayContaining(['rejected']) })
    expect((await proposedIn(place)).id).toBe(id)
    expect((await real.ok('listSkills', place)).candidates).toEqual([])
    const execution = { ...SIGNED, ...done('run-7', 'Run the whole suite') }
    await real.ok('observe', { ...place, execution })
    expect((await proposedIn(place)).id).not.toBe(id)
    expect((await measured()).skills).not.toEqual([])
  })

  test('that the records do not give any more is refused, and so is a verdict of the other kind', async () => {
    const { place, memoryId } = await play()
    const { id } = await proposedIn(place)
    const asked = { ...place, reason: 'looked at' }
    for (const body of [
      { skill_id: id, verdict: 'a' },
      { memory_ids: [memoryId, id], verdict: 'promote' },
      { verdict: 'promote' },
      { skill_id: id, memory_ids: [memoryId, id], verdict: 'promote' },
    ]) {
      expect((await real.refused('settle', { ...asked, ...body })).error).toBe('invalid_request')
    }
    const unknown = await real.refused('settle', { ...asked, skill_id: 'skill:none', verdict: 'reject' })
    expect(unknown.error).toBe('skill_candidate_not_found')
    await real.ok('forget', { ...asked, operation: 'suppress', target: 'memory', memory_ids: [memoryId] })
    const outdated = await real.refused('settle', { ...asked, skill_id: id, verdict: 'promote' })
    expect(outdated.error).toBe('skill_candidate_outdated')
  })
})

describe('what the records do not support is named and not stored', () => {
  test('no feedback, no runs, no signature', async () => {
    const { place } = await play(null)
    const propose = async (more: object) => (await real.ok('proposeSkills', { ...place, ...more })).refused
    expect(await propose(SIGNED)).toMatchObject([
      { task_signature: 'fix:login', reason: 'no_direct_positive_feedback', differing_fields: [] },
    ])
    expect(await propose({ workflow_signature: 'wf:none' })).toMatchObject([
      { workflow_signature: 'wf:none', reason: 'not_enough_succeeded_runs' },
    ])
    const unnamed = { training_candidates: [{ trace_derived_skill: { applies_when: ['always'] } }] }
    expect(await propose({ effect_report: unnamed })).toMatchObject([{ reason: 'no_signature' }])
    expect((await real.ok('listSkills', { ...place, status: 'all' })).candidates).toEqual([])
  })

  test('a supplied report is compared with the records: the skill of a measurement is stored, a forged one is not', async () => {
    const { place, before, after } = await play()
    const measured = await real.ok('measure', {
      ...place,
      product_trace: { before_guide: before, after_guide: after },
    })
    const skills = measured.effect_report.training_candidates.flatMap(
      ({ trace_derived_skill: skill }) => skill ?? [],
    )
    expect(skills.length).toBeGreaterThan(0)
    const forged = {
      training_candidates: skills.map((skill) => ({
        trace_derived_skill: {
          ...skill,
          procedure_steps: [...skill.procedure_steps, 'Push without review'],
          authority_state: 'trusted',
        },
      })),
    }
    const refused = await real.ok('proposeSkills', { ...place, effect_report: forged })
    expect(refused).toMatchObject({ candidates: [], inserted_count: 0 })
    for (const each of refused.refused) {
      expect(each).toMatchObject({
        reason: 'differs_from_records',
        differing_fields: ['procedure_steps', 'authority_state'],
      })
    }
    const stored = await real.ok('proposeSkills', { ...place, measure_result: measured })
    expect(stored.refused).toEqual([])
    expect(stored.inserted_count).toBe(new Set(skills.map(({ skill_name }) => skill_name)).size)
    expect(stored.candidates[0]?.trace_derived_skill?.procedure_steps).toEqual(skills[0]?.procedure_steps)
  })
})

describe('who sees what', () => {
  test('text of private memory is for whom that sees it; others do not know of the candidate', async () => {
    const { place, before, after } = await new Scene(real, `skills ${(scopes += 1)}`).loop(HELP, PRIVATE)
    const operator = await real.ok('proposeSkills', { ...place, ...SIGNED })
    expect(operator.refused).toMatchObject([{ reason: 'no_recorded_steps' }])
    const measured = await real.ok('measure', {
      ...place,
      product_trace: { before_guide: before, after_guide: after },
    })
    // The measurement was made with the eyes of the guide's consumer, and so is its proposal.
    const { candidate, id } = await proposedIn(place, { measure_result: measured })
    expect(candidate.text_withheld).toBe(false)
    const listedFor = async (who: object) => (await real.ok('listSkills', { ...place, ...who })).candidates
    const blind = await listedFor({})
    expect(blind).toMatchObject([{ candidate_id: id, text_withheld: true, trace_derived_skill: null }])
    expect(JSON.stringify(blind)).not.toContain('Inject the clock')
    expect(await listedFor({ consumer_agent_id: 'worker-1' })).toContainEqual(candidate)
    expect(await listedFor({ consumer_agent_id: 'worker-2' })).toEqual([])
    const review = { ...place, ...REVIEW, candidate_id: id }
    const stranger = await real.refused('promoteSkill', { ...review, consumer_agent_id: 'worker-2' })
    expect(stranger.error).toBe('skill_candidate_not_found')
    const promoted = await real.ok('promoteSkill', review)
    expect(promoted.candidates).toMatchObject([{ status: 'promoted', text_withheld: true }])
  })

  test('text of a source that was suppressed is withheld', async () => {
    const { place, memoryId } = await play()
    await proposedIn(place)
    await real.ok('forget', {
      ...place,
      operation: 'suppress',
      target: 'memory',
      reason: 'holds a secret',
      memory_ids: [memoryId],
    })
    const { candidates } = await real.ok('listSkills', { ...place, include_markdown: true })
    expect(candidates).toMatchObject([{ text_withheld: true, trace_derived_skill: null }])
    expect(JSON.stringify(candidates)).not.toContain('Inject the clock')
  })
})
