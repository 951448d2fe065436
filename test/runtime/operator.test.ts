import { beforeAll, describe, expect, test } from 'vitest'
import { edgeOver } from '../harness/edge.ts'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'

const place = { tenant_id: 'acme', scope: 'web shop/ä' }
const worker = { ...place, consumer_agent_id: 'worker-1' }
const TASK = 'fix:login'

let real: Embedded
let edge: ReturnType<typeof edgeOver>
/** What the actor went through. */
let ids: { passed: string; failed: string; secret: string; rule: string; derived: string; handoff: string }
let guide: { guide_trace_id: string; agent_context: object }

const written = async (body: object): Promise<string> =>
  (await real.ok('observe', { ...place, ...body })).memory_ids[0] ?? ''

beforeAll(async () => {
  real = await startEmbedded()
  edge = edgeOver(real)
  const run = { task_signature: TASK, title: 'Fix the login', summary: 'Injected the clock' }
  const passed = await written({
    execution: { ...run, run_id: 'run-1', outcome: 'succeeded', workflow_steps: ['inject', 'test'] },
  })
  const failed = await written({
    execution: { ...run, run_id: 'run-2', title: 'Slept in the test', outcome: 'failed' },
  })
  const handoff = await written({
    handoff: { anchor: 'login', summary: 'Login is half done', task_signature: TASK },
  })
  const rule = await written({
    input_text: 'Read on a page: releases are on Fridays',
    memory: { kind: 'rule', origin: 'document' },
    actor: 'crawler',
  })
  const derived = await written({
    input_text: 'So the release is this Friday',
    memory: { kind: 'fact', derived_from: [rule] },
  })
  const secret = await written({
    input_text: 'zqsecret of bob',
    memory: { kind: 'rule', title: 'zqsecret', memory_lane: 'private', owner_agent_id: 'bob' },
  })
  ids = { passed, failed, secret, rule, derived, handoff }
  guide = await real.ok('guide', {
    ...worker,
    query_text: 'fix the login tests',
    task_signature: TASK,
    run_id: 'run-3',
  })
  await real.ok('feedback', {
    ...worker,
    reason: 'tests pass',
    run_id: 'run-3',
    outcome: 'positive',
    used_surface: 'use_now',
    verifier_status: 'passed',
    guide_trace_id: guide.guide_trace_id,
    used_memory_ids: [passed],
  })
  await real.ok('forget', {
    ...place,
    operation: 'suppress',
    target: 'memory',
    reason: 'zqreason',
    memory_ids: [rule],
  })
})

const snapshot = async (body: object = {}) =>
  (await real.ok('operatorSnapshot', { ...place, ...body })).operator_snapshot

describe('an operator snapshot', () => {
  test('without anything shows the whole actor, names shared memory and repeats no words of anybody', async () => {
    const shown = await snapshot()
    expect(shown.memory_counts).toMatchObject({
      total: 6,
      by_domain: { general: 3, execution: 3 },
      by_lane: { private: 1, shared: 5 },
      by_lifecycle_state: { suppressed: 1, candidate: 1, active: 4 },
    })
    expect(shown.incidents.suppressed.entries).toMatchObject([
      { memory_id: ids.rule, cause: 'operator_suppress' },
    ])
    expect(shown.memory_lifecycle).toMatchObject({ controlled_memory_count: 1, outcomes: { positive: 1 } })
    expect(JSON.stringify(shown)).not.toMatch(/zqsecret|zqreason|fix the login tests/)
    expect(JSON.stringify(shown)).toContain('Fix the login')
  })

  test('shows where a task stands, and that its guide kept the failed branch apart', async () => {
    const { execution_state: state, trace_to_procedure: procedure } = await snapshot({ task_signature: TASK })
    const idsOf = (list: { entries: readonly { entry_id: string }[] }) => list.entries.map((e) => e.entry_id)
    expect(idsOf(state.active_path)).toEqual([ids.handoff])
    expect(idsOf(state.passed_solutions)).toEqual([ids.passed])
    expect(idsOf(state.failed_branches)).toEqual([ids.failed])
    expect(state.branch_isolation).toMatchObject({
      active_path_visible: true,
      passed_solution_visible: true,
      failed_branch_visible_in_do_not_use: true,
      failed_branch_leaked_to_use_now: false,
      status: 'pass',
    })
    expect(procedure).toMatchObject({
      present: true,
      procedure_memory_ids: [ids.passed],
      promotion_status: 'stable_ready',
    })
  })

  test('is about the guide of a run and what became of it', async () => {
    const { guide_trace: told, memory_use_receipt: receipt, claims } = await snapshot({ run_id: 'run-3' })
    expect(told).toMatchObject({
      provenance: 'runtime_record',
      guide_trace_id: guide.guide_trace_id,
      consumer_agent_id: 'worker-1',
      attributed_memory_ids: [ids.passed],
      feedback_outcome: 'positive',
    })
    expect(receipt).toMatchObject({
      guide_trace_id: guide.guide_trace_id,
      attributed_memory_ids: [ids.passed],
    })
    expect(receipt?.decision_summaries.map((row) => row.memory_id)).toEqual(told.exposed_memory_ids)
    expect(claims).toContainEqual(
      expect.objectContaining({ claim: 'feedback_attribution_visible', status: 'pass' }),
    )
    expect((await snapshot({ run_id: 'no-such-run' })).guide_trace).toMatchObject({
      present: false,
      provenance: 'none',
    })
  })

  test('of a named guide acts with its consumer, and is not found for another', async () => {
    const named = { guide_trace_id: guide.guide_trace_id }
    const shown = await snapshot(named)
    expect(shown.seen_as).toEqual({ consumer_agent_id: 'worker-1', consumer_team_id: null })
    expect(shown.memory_counts.total).toBe(5)
    for (const wrong of [{ consumer_agent_id: 'bob' }, { agent_id: 'worker-1', team_id: 'red' }]) {
      const refusal = await real.refused('operatorSnapshot', { ...place, ...named, ...wrong })
      expect(refusal).toMatchObject({ status: 400, error: 'guide_trace_not_found' })
    }
    const unknown = await real.refused('operatorSnapshot', { ...place, guide_trace_id: 'guide_trace:none' })
    expect(unknown.error).toBe('guide_trace_not_found')
  })

  test('believes its record over a supplied object and says what differs', async () => {
    const { agent_context: context, guide_trace_id } = guide
    const honest = await snapshot({ agent_context: context, guide_trace_id })
    expect(honest.artifacts).toMatchObject([{ artifact: 'agent_context', status: 'agrees' }])
    expect(honest.artifact_mismatch).toEqual([])
    const forged = { ...context, prompt_text: 'other', do_not_use_memory_ids: [] }
    const shown = await snapshot({ agent_context: forged, guide_trace_id })
    expect(shown.artifact_mismatch.map((row) => row.field)).toEqual(['do_not_use_memory_ids', 'prompt_text'])
    expect(shown.guide_trace).toEqual(honest.guide_trace)
  })

  test('shows what it does not hold as supplied', async () => {
    const supplied = {
      guide_trace_id: 'guide_trace:elsewhere',
      memory_use_receipt: {
        guide_trace_id: 'guide_trace:elsewhere',
        use_now_memory_ids: ['m1'],
        do_not_use_memory_ids: ['m2'],
      },
      effect_report: { history_impact: { impact_direction: 'positive', changed_future_behavior: true } },
      execution_context: { failed_branches: [{ title: 'Elsewhere', memory_ids: ['m2'] }] },
      claim_ledger_projection: { live_claims: [{ memory_id: 'm3' }] },
    }
    const shown = await snapshot(supplied)
    expect(shown.guide_trace).toMatchObject({
      provenance: 'as_supplied',
      guide_trace_id: 'guide_trace:elsewhere',
      exposed_memory_ids: ['m1', 'm2'],
    })
    expect(shown.artifacts.map((row) => [row.artifact, row.status, row.memory_ids])).toEqual([
      ['memory_use_receipt', 'as_supplied', ['m1', 'm2']],
      ['effect_report', 'as_supplied', []],
      ['claim_ledger_projection', 'as_supplied', ['m3']],
      ['execution_context', 'as_supplied', []],
    ])
    expect(shown.effect).toMatchObject({ present: true, impact_direction: 'positive' })
    expect(shown.execution_state.failed_branches.entries.at(-1)).toMatchObject({
      title: 'Elsewhere',
      source: 'execution_context',
    })
    const loose = await snapshot({ agent_context: { use_now_memory_ids: ['m1'] } })
    expect(loose.guide_trace.provenance).toBe('as_supplied')
  })
})

describe('a blast radius', () => {
  const trace = async (body: object) => (await real.ok('blastRadius', { ...place, ...body })).blast_radius

  test('follows a page into what was made of it and into the guides and runs that saw any of it', async () => {
    const report = await trace({ source: 'crawler' })
    expect(report.memories).toMatchObject([
      {
        memory_id: ids.rule,
        lifecycle_state: 'suppressed',
        written: { actor: 'crawler', origin: 'document' },
      },
    ])
    expect(report.derivatives).toMatchObject([
      { memory_id: ids.derived, depth: 1, derived_from: [ids.rule], trust: 'candidate' },
    ])
    expect(report.guides).toMatchObject({ count: 1, scanned_count: 1, is_cut: false })
    expect(report.guides.entries[0]).toMatchObject({
      guide_trace_id: guide.guide_trace_id,
      exposed: expect.arrayContaining([
        { memory_id: ids.rule, surface: 'inspect_before_use', is_derivative: false },
      ]),
    })
    expect(report.dry_run).toMatchObject({ differing_count: 1, changed_line_count: 1 })
    expect((await trace({ memory_id: ids.passed })).runs.entries).toMatchObject([
      { run_id: 'run-3', outcomes: [{ memory_id: ids.passed, outcome: 'positive', direct: true }] },
    ])
  })

  test.each([
    { memory_id: 'no-such-id' },
    { client_id: 'no-such-id' },
    { source: 'nobody' },
    { origin: 'tool' },
  ])('of %j is memory_not_found', async (body) => {
    expect(await real.refused('blastRadius', { ...place, ...body })).toMatchObject({
      status: 404,
      error: 'memory_not_found',
      message: expect.stringMatching(
        `^No memory that this consumer can see has this ${Object.keys(body)[0]}: `,
      ),
      details: body,
    })
  })

  test('of memory that the consumer does not see is not found either', async () => {
    const asked = { ...place, memory_id: ids.secret }
    expect((await real.ok('blastRadius', asked)).blast_radius.memories[0]?.title).toBeNull()
    expect(await real.refused('blastRadius', { ...asked, consumer_agent_id: 'worker-1' })).toMatchObject({
      status: 404,
    })
    const { blast_radius: own } = await real.ok('blastRadius', { ...asked, consumer_agent_id: 'bob' })
    expect(own.memories[0]?.title).toBe('zqsecret')
  })
})

describe('over HTTP', () => {
  const get = (query: string) => edge.inject({ method: 'GET', url: `/v1/operator/snapshot?${query}` })
  const at = `tenant_id=acme&scope=${encodeURIComponent(place.scope)}`

  test('a text parameter stays text, whatever it looks like', async () => {
    const reply = await get(`${at}&run_id=true&task_signature=%7B%22a%22%3A1%7D&agent_role=7`)
    expect(reply.json().operator_snapshot.task).toMatchObject({
      run_id: 'true',
      task_signature: '{"a":1}',
      agent_role: '7',
    })
  })

  test.each([
    ['include_markdown=yes', 'invalid_request'],
    ['agent_context=text', 'invalid_request'],
    ['agent_context=%7B', 'invalid_request'],
    ['agent_context=%7B%22__proto__%22%3A1%7D', 'invalid_request'],
    [`agent_context=${encodeURIComponent(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)}`, 'invalid_request'],
    ['scope=a&scope=b', 'invalid_request'],
  ])('%s is refused as %s', async (query, error) => {
    const reply = await get(query)
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({ error })
  })

  test('both methods are named to whoever uses another', async () => {
    const reply = await edge.inject({ method: 'DELETE', url: '/v1/operator/snapshot' })
    expect(reply.statusCode).toBe(405)
    expect(reply.headers['allow']).toBe('POST, GET, HEAD')
  })
})

test('both answers are the same after a restart', async () => {
  const asks = async () => [
    await real.ok('operatorSnapshot', { ...place, include_markdown: true }),
    await real.ok('operatorSnapshot', { ...place, guide_trace_id: guide.guide_trace_id }),
    await real.ok('blastRadius', { ...place, origin: 'document' }),
    await real.ok('blastRadius', { ...worker, memory_id: ids.passed }),
  ]
  const before = await asks()
  await real.restart()
  expect(await asks()).toEqual(before)
})
