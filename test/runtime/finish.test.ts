import { afterEach, describe, expect, test } from 'vitest'
import type { Principal } from '../../src/core/model/principal.ts'
import { closeEmbedded, type Embedded, startEmbedded } from '../harness/embedded.ts'
import { SPOKESMAN } from '../support/commands.ts'

afterEach(closeEmbedded)

const place = { tenant_id: 'acme', scope: 'web' }

/** A scope with one memory for use, one to inspect and a failed run, and a guide of worker-1 that shows them by handles. */
async function guided(real: Embedded, more: object = {}) {
  const kept = async (body: object) => (await real.ok('observe', { ...place, ...body })).memory_ids[0] ?? ''
  const usable = await kept({ input_text: 'Run the suite with pnpm test.' })
  const candidate = await kept({ input_text: 'The suite needs a running cache.', origin: 'document' })
  const execution = { outcome: 'failed', title: 'Run the suite in parallel', task_signature: 'suite' }
  const failed = await kept({ execution })
  const guide = await real.ok('guide', {
    ...place,
    query_text: 'run the suite',
    consumer_agent_id: 'worker-1',
    consumer_team_id: 'team-1',
    task_signature: 'suite',
    handles: true,
    ...more,
  })
  const handles = guide.memory_use_receipt.handles ?? {}
  const handleOf = (id: string) => Object.keys(handles).find((name) => handles[name]?.memory_id === id) ?? ''
  const { guide_trace_id } = guide
  return { usable, candidate, failed, guide, handleOf, named: { ...place, guide_trace_id } }
}

async function recordOf(real: Embedded, memory_id: string, agent = 'worker-1') {
  const consumer = { consumer_agent_id: agent, consumer_team_id: 'team-1' }
  const body = { ...place, ...consumer, reason: 'look', memory_ids: [memory_id], mode: 'full' }
  const [memory] = (await real.ok('rehydrate', body)).result.memories
  if (memory === undefined) throw new Error('the memory is there')
  return memory
}

describe('what a finish records', () => {
  test('a run of the guide: its agent, team, task and run, with what the request says of it', async () => {
    const real = await startEmbedded({})
    const { named, usable, candidate, failed, handleOf } = await guided(real, { run_id: 'run-7' })
    const answer = await real.ok('finish', {
      ...named,
      outcome: 'succeeded',
      title: 'Suite before the release',
      summary: 'Both suites pass.',
      used_memory_ids: [handleOf(usable), candidate, handleOf(failed)],
      acceptance_checks: ['pnpm test'],
      target_files: ['package.json'],
      verifier_status: 'passed',
      reason: 'the suite decided',
    })
    expect(answer).toMatchObject({
      run_id: 'run-7',
      outcome: 'succeeded',
      feedback_outcome: 'positive',
      used_memory_ids: [usable, candidate],
      boundary_ignored_memory_ids: [failed],
      evidence: [
        {
          memory_id: usable,
          surface: 'use_now',
          used_surface: 'use_now',
          attribution_strength: 'positive_attribution',
        },
        {
          memory_id: candidate,
          surface: 'inspect_before_use',
          used_surface: 'explicit_host_assertion',
          attribution_strength: 'positive_attribution',
        },
      ],
      forget_effect: { reason: 'the suite decided', changed_count: 2 },
      warnings: [expect.stringContaining(`${failed} (do_not_use)`)],
    })
    const run = await recordOf(real, answer.run_memory_id)
    expect(run).toMatchObject({
      domain: 'execution',
      title: 'Suite before the release',
      text: 'Both suites pass.',
    })
    expect(run.provenance).toMatchObject({
      origin: 'agent',
      producer_agent_id: 'worker-1',
      producer_team_id: 'team-1',
      memory_lane: 'shared',
      owner_agent_id: null,
      run_id: 'run-7',
      task_signature: 'suite',
    })
    expect((await recordOf(real, usable)).counters).toMatchObject({ positive: 1 })
    expect((await recordOf(real, failed)).counters).toMatchObject({ positive: 0, negative_weak: 0 })
  })

  test('the run named by the request before that of the guide; without any the guide makes one, always the same', async () => {
    const real = await startEmbedded({})
    const { named } = await guided(real, { run_id: 'run-7' })
    expect(
      (await real.ok('finish', { ...named, run_id: 'run-8', outcome: 'failed', title: 'x' })).run_id,
    ).toBe('run-8')
    const other = await guided(real)
    const made = await real.ok('finish', { ...other.named, outcome: 'interrupted' })
    expect(made.run_id).toBe(`run:${other.guide.guide_trace_id.slice('guide_trace:'.length)}`)
    expect(made.feedback_outcome).toBe('neutral')
    const again = { ...other.named, run_id: made.run_id, outcome: 'succeeded' }
    expect((await real.refused('finish', again)).error).toBe('operation_conflict')
  })

  test('O4: what a verified run used is no candidate any more, and what was only shown to it stays one', async () => {
    const real = await startEmbedded({})
    const { named, candidate } = await guided(real)
    const trustAfter = async (body: object) => {
      await real.ok('finish', { ...named, ...body, outcome: 'succeeded' })
      return (await recordOf(real, candidate)).lifecycle.trust
    }
    expect(await trustAfter({ run_id: 'a', verifier_status: 'passed' })).toBe('candidate')
    expect(await trustAfter({ run_id: 'b', used_memory_ids: [candidate] })).toBe('candidate')
    const used = { used_memory_ids: [candidate], verifier_status: 'passed' }
    expect(await trustAfter({ run_id: 'c', ...used })).toBe('trusted')
  })

  test('no used ids: the run is there, and no memory is praised or blamed', async () => {
    const real = await startEmbedded({})
    const { named, usable, candidate } = await guided(real)
    const answer = await real.ok('finish', {
      ...named,
      outcome: 'failed',
      summary: 'It hangs.',
      verifier_status: 'failed',
    })
    expect(answer).toMatchObject({
      outcome: 'failed',
      feedback_outcome: 'neutral',
      evidence: [],
      used_memory_ids: [],
    })
    expect(answer.forget_effect.guide_trace?.unattributed_recalled_memory_ids).toContain(usable)
    for (const id of [usable, candidate]) {
      const { counters, lifecycle } = await recordOf(real, id)
      expect(lifecycle.standing).toBe('active')
      expect(Object.values(counters ?? {}).filter((count) => count === 1).length).toBeLessThanOrEqual(1)
    }
  })

  test('lane and owners are read as in observe, and a word for the outcome that is not known warns', async () => {
    const real = await startEmbedded({})
    const { named, usable } = await guided(real)
    const body = { ...named, title: 'x', owner_agent_id: 'worker-1', used_memory_ids: [usable] }
    const answer = await real.ok('finish', { ...body, outcome: 'it sort of went' })
    expect(answer).toMatchObject({ outcome: 'unknown', feedback_outcome: 'neutral' })
    const { run_id } = answer
    expect(answer.warnings).toEqual([
      expect.stringMatching(/^finish\.outcome is treated as unknown: send one of/),
      `the run ${run_id} is finished and stays unknown: send feedback for it, positive or negative, or finish under another run_id`,
    ])
    expect((await real.refused('finish', { ...body, outcome: 'succeeded' })).error).toBe('operation_conflict')
    const told = { ...named, run_id, outcome: 'positive', used_surface: 'use_now', reason: 'it went' }
    await real.ok('feedback', { ...told, used_memory_ids: [usable] })
    expect((await recordOf(real, usable)).counters).toMatchObject({ positive: 1, neutral: 0 })
    expect((await recordOf(real, answer.run_memory_id)).provenance).toMatchObject({
      memory_lane: 'private',
      owner_agent_id: 'worker-1',
    })
  })

  test('a word that means succeeded or failed counts as such', async () => {
    const real = await startEmbedded({})
    for (const [outcome, meant, said] of [
      ['Passed', 'succeeded', 'positive'],
      ['ERROR', 'failed', 'negative'],
    ]) {
      const { named, usable } = await guided(real)
      const answer = await real.ok('finish', { ...named, outcome, title: 'x', used_memory_ids: [usable] })
      expect(answer).toMatchObject({ outcome: meant, feedback_outcome: said })
      expect(answer.warnings).toBeUndefined()
    }
  })

  test('a text of any length: a long one takes its turn in slices', async () => {
    const real = await startEmbedded({})
    const { named, usable } = await guided(real)
    const summary = 'The suite passed step by step. '.repeat(2000)
    const body = { ...named, outcome: 'succeeded', summary, used_memory_ids: [usable] }
    const answer = await real.ok('finish', body)
    expect((await recordOf(real, answer.run_memory_id)).text).toBe(summary.trim())
    expect((await recordOf(real, usable)).counters).toMatchObject({ positive: 1 })
    expect(await real.ok('finish', body)).toEqual(answer)
  })
})

describe('a finish is refused whole', () => {
  test.each([
    ['for another agent than that of the guide', { consumer_agent_id: 'worker-2' }, 'guide_trace_not_found'],
    ['for another team', { consumer_team_id: 'team-2' }, 'guide_trace_not_found'],
    ['for a guide that is not there', { guide_trace_id: 'guide_trace:none' }, 'guide_trace_not_found'],
    [
      'with memory that the guide did not show',
      { used_memory_ids: ['m1', 'm99'] },
      'guide_trace_used_memory_not_exposed',
    ],
    ['without a word for the outcome', { outcome: ' ' }, 'invalid_request'],
  ])('%s', async (_name, more, code) => {
    const real = await startEmbedded({})
    const { named } = await guided(real)
    const before = await real.digest(place)
    const refusal = await real.refused('finish', {
      ...named,
      outcome: 'succeeded',
      used_memory_ids: ['m1'],
      ...more,
    })
    expect(refusal.error).toBe(code)
    expect(await real.digest(place)).toBe(before)
    if ('used_memory_ids' in more) {
      expect(refusal.message).toContain('m99 is no handle of that guide')
      expect(refusal.details['not_exposed_memory_ids']).toEqual(['m99'])
    }
    const same = { consumer_agent_id: 'worker-1', consumer_team_id: 'team-1' }
    await real.ok('finish', { ...named, ...same, outcome: 'succeeded', used_memory_ids: ['m1'] })
  })
})

test('with keys an agent finishes its own guides only, with an origin that its key may claim, and a reader none', async () => {
  const real = await startEmbedded({})
  const { named } = await guided(real)
  const key: Principal = {
    ...SPOKESMAN,
    tenantId: place.tenant_id,
    agentId: 'worker-1',
    teamId: 'team-1',
    origins: ['agent', 'tool'],
  }
  const told = async (principal: Principal, more: object = {}) => {
    const body = { ...named, outcome: 'succeeded', used_memory_ids: ['m1'], ...more }
    const context = { requestId: 'test', operationId: null, principal }
    return real.runtime.execute('finish', body, context).catch((error: unknown) => error)
  }
  const before = await real.digest(place)
  const refusals: readonly (readonly [Partial<Principal>, object, string])[] = [
    [{ agentId: 'worker-2' }, {}, 'guide_trace_not_found'],
    [{ teamId: 'team-2' }, {}, 'guide_trace_not_found'],
    [{ isReadOnly: true }, {}, 'read_only_key'],
    [{ origins: ['tool'] }, {}, 'agent_forbidden'],
    [{}, { consumer_agent_id: 'worker-2' }, 'agent_forbidden'],
    [{}, { owner_agent_id: 'worker-2' }, 'agent_forbidden'],
  ]
  for (const [more, body, code] of refusals)
    expect(await told({ ...key, ...more }, body)).toMatchObject({ code })
  expect(await real.digest(place)).toBe(before)
  expect(await told(key)).toMatchObject({ contract_version: 'svc_finish_result_v1' })
  expect(
    await told({ ...key, isOperator: true, agentId: null, teamId: null }, { run_id: 'other' }),
  ).toMatchObject({
    run_id: 'other',
  })
})

describe('handles', () => {
  test('E5: feedback, finish, rehydrate and forget take them with the guide, also after an eviction and a restart', async () => {
    const real = await startEmbedded({ config: { residentActorsMax: 1 } })
    const { named, usable, handleOf, guide } = await guided(real)
    const told = { reason: 'the suite', memory_ids: [handleOf(usable)] }
    for (const how of ['resident', 'evicted', 'restarted']) {
      if (how === 'evicted') {
        for (const scope of ['b', 'c']) {
          await real.ok('observe', { tenant_id: 'acme', scope, input_text: 'elsewhere' })
          await real.digest({ tenant_id: 'acme', scope })
        }
      }
      if (how === 'restarted') await real.restart()
      const found = await real.ok('rehydrate', { ...named, ...told })
      expect(found.result.memories.map(({ memory_id }) => memory_id)).toEqual([usable])
      const anchored = await real.ok('rehydrate', { ...named, reason: 'look', anchor_id: handleOf(usable) })
      expect(anchored.result.memories.map(({ memory_id }) => memory_id)).toEqual([usable])
      const outcome = { run_id: `run ${how}`, outcome: 'positive', used_surface: 'use_now' }
      const said = await real.ok('feedback', {
        ...named,
        reason: 'it helped',
        ...outcome,
        used_memory_ids: ['m1'],
      })
      expect(said.used_memory_ids).toEqual([guide.memory_use_receipt.handles?.['m1']?.memory_id])
      const ended = { outcome: 'succeeded', run_id: `ended ${how}`, used_memory_ids: ['m1'] }
      expect((await real.ok('finish', { ...named, ...ended })).used_memory_ids).toEqual(said.used_memory_ids)
    }
    const { forget_effect } = await real.ok('forget', {
      ...named,
      ...told,
      operation: 'suppress',
      target: 'memory',
    })
    expect(forget_effect.affected_memory_ids).toEqual([usable])
  })

  test('E5: without the guide a handle is an unknown id, and the refusal says what to name', async () => {
    const real = await startEmbedded({})
    const { usable, named } = await guided(real)
    const told = { ...place, reason: 'the suite', memory_ids: ['m1'] }
    const outcome = { run_id: 'run', outcome: 'positive', used_surface: 'use_now' }
    const refusals = [
      await real.refused('rehydrate', told),
      await real.refused('forget', { ...told, operation: 'suppress', target: 'memory' }),
      await real.refused('feedback', { ...told, ...outcome, consumer_agent_id: 'worker-1' }),
    ]
    for (const { message } of refusals)
      expect(message).toMatch(/^m1 is a handle: name its guide_trace_id\. /u)
    const mixed = await real.ok('rehydrate', { ...told, memory_ids: [usable, 'm1', 'm2'] })
    expect(mixed.result.missing_memory_ids).toEqual(['m1', 'm2'])
    expect(mixed.warnings).toContain('m1, m2 are handles: name their guide_trace_id')
    const ids = await real.ok('guide', {
      ...place,
      query_text: 'run the suite',
      consumer_agent_id: 'worker-1',
    })
    expect(ids.agent_context.prompt_text).toContain(`[${usable}]`)
    expect(ids.memory_use_receipt.handles).toBeUndefined()
    const byIds = { ...told, guide_trace_id: ids.guide_trace_id }
    expect((await real.refused('rehydrate', byIds)).message).toContain('m1 is no handle of that guide')
    for (const meant of ['[m1]', 'M1'])
      expect((await real.refused('rehydrate', { ...told, ...named, memory_ids: [meant] })).message).toContain(
        `${meant} is no handle of that guide: send what stands in the brackets of its lines`,
      )
    await real.ok('rehydrate', { ...told, ...named })
  })
})

test('activate of forget warns as feedback does', async () => {
  const real = await startEmbedded({})
  const { named, candidate } = await guided(real)
  const said = {
    ...named,
    outcome: 'positive',
    used_surface: 'use_now',
    reason: 'so',
    memory_ids: [candidate],
  }
  const activate = { ...said, operation: 'activate', target: 'memory', run_id: 's' }
  const asWorker = { consumer_agent_id: 'worker-1', consumer_team_id: 'team-1', guide_trace_id: null }
  for (const more of [{}, asWorker]) {
    const told = await real.ok('feedback', { ...said, run_id: 'r', ...more })
    const answer = await real.ok('forget', { ...activate, ...more })
    expect(told.warnings?.at(-1)).toMatch(/only observed .*: send used_surface explicit_host_assertion/u)
    expect(answer.warnings).toEqual(told.warnings)
  }
})
