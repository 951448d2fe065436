import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { CONTEXT_MODES, GUIDE_MODES, PROFILES } from '../../src/core/base/closed-sets.ts'
import { handoff, remembered, step } from '../harness/client-objects.ts'
import { BACKEND, startEmbedded } from '../harness/embedded.ts'

// What the clients in use send and demand, one test each.

const real = await startEmbedded({ config: { durability: 'none' } })
let scopes = 0

/** An empty place. */
function place() {
  return { tenant_id: 'clients', scope: `project ${(scopes += 1)}/ü` }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const WARNS_OF_FIELD = /is not known/

describe('every field that clients send is accepted without a warning', () => {
  test('an execution step, which is one memory with its input_text', async () => {
    const answer = await real.ok('observe', { ...place(), ...step })
    expect(answer.warnings).toBeUndefined()
    expect(answer.observed).toMatchObject({ general_memory_count: 0, execution_memory_count: 1 })
    expect(answer.memory_ids).toHaveLength(1)
  })

  test('a remembered memory', async () => {
    const lanes = { memory_lane: 'private', owner_agent_id: 'worker-1', producer_agent_id: 'worker-1' }
    const answer = await real.ok('observe', {
      ...place(),
      memory: remembered,
      memory_kind: 'general_memory',
      ...lanes,
    })
    expect(answer.warnings).toBeUndefined()
    expect(answer.client_id_map).toEqual({ 'fact-1': answer.memory_ids[0] })
  })

  test('a handoff without input_text and without run_id', async () => {
    const answer = await real.ok('observe', { ...place(), handoff })
    expect(answer.warnings).toBeUndefined()
    expect(answer.observed).toMatchObject({ memory_written: false, handoff_stored: true })
    expect(answer.handoff_id).toMatch(/^handoff:/)
  })

  test.each(['succeeded', 'failed', 'blocked', 'interrupted', 'unknown'])(
    'an outcome %s',
    async (outcome) => {
      const body = { ...place(), execution: { title: 'x', outcome, slots: {} } }
      expect((await real.ok('observe', body)).warnings).toBeUndefined()
    },
  )

  test('a guide, in every mode, context mode and profile', async () => {
    const here = place()
    const body = {
      query_text: 'login',
      consumer_agent_id: 'worker-1',
      consumer_team_id: 'web',
      agent_role: 'worker',
      run_id: 'run-1',
      context: {
        task_id: 'T-1',
        task_signature: 'fix:login',
        task_family: 'login',
        workflow_signature: 'wf',
      },
      tool_candidates: ['pnpm', 'git'],
      execution_tree_v1: { root: 'a' },
      context_token_budget: 2000,
      context_char_budget: 4000,
      context_optimization_profile: 'aggressive',
      limit: 10,
      include_packets: true,
    }
    for (const mode of GUIDE_MODES) {
      for (const context_mode of CONTEXT_MODES) {
        for (const task_context_profile of PROFILES) {
          const answer = await real.ok('guide', {
            ...here,
            ...body,
            mode,
            context_mode,
            task_context_profile,
          })
          expect(answer.warnings).toBeUndefined()
          expect(answer.agent_context.task_context_profile).toBe(task_context_profile)
        }
      }
    }
  })

  test('feedback of a guide, without target', async () => {
    const here = place()
    const { memory_ids } = await real.ok('observe', { ...here, memory: remembered })
    const { guide_trace_id } = await real.ok('guide', { ...here, query_text: 'cookie' })
    const answer = await real.ok('feedback', {
      ...here,
      reason: 'it ran',
      run_id: 'run-1',
      outcome: 'positive',
      used_surface: 'use_now',
      actor: 'worker-1',
      guide_trace_id,
      used_memory_ids: memory_ids,
      verifier_status: 'passed',
      tool_status: 'succeeded',
      runtime_signal_refs: ['signal-1'],
    })
    expect(answer.warnings).toBeUndefined()
  })

  test('rehydrate with tier and target, forget with everything that a command line adds', async () => {
    const here = place()
    await real.ok('observe', { ...here, memory: remembered })
    const rehydrate = { reason: 'to read it', client_ids: ['fact-1'], target_tier: 'warm', target: 'payload' }
    expect((await real.ok('rehydrate', { ...here, ...rehydrate })).warnings).toBeUndefined()
    const forget = await real.ok('forget', {
      ...here,
      operation: 'suppress',
      target: 'memory',
      reason: 'old',
      client_ids: ['fact-1'],
      run_id: 'run-1',
      used_memory_ids: ['none'],
      target_tier: 'hot',
      outcome: 'neutral',
      used_surface: 'use_now',
      verifier_status: 'not_run',
      tool_status: 'unknown',
      runtime_signal_refs: [],
      mode: 'partial',
      include_linked_decisions: true,
    })
    expect(forget.warnings).toBeUndefined()
    expect(forget.forget_effect.affected_client_ids).toEqual(['fact-1'])
  })

  test('resolve with flags and consumer', async () => {
    const here = place()
    const { memory_ids } = await real.ok('observe', { ...here, memory: remembered })
    const uri = `svc://clients/${encodeURIComponent(here.scope)}/concept/${memory_ids[0]}`
    const flags = { include_meta: true, include_slots: true }
    const answer = await real.ok('resolve', {
      ...here,
      uri,
      ...flags,
      consumer_agent_id: 'a',
      consumer_team_id: 't',
    })
    expect(answer.warnings).toBeUndefined()
  })

  test('a payload that has a text, too, is payload: the text is that of the memory', async () => {
    const here = place()
    const payload = { full_text: 'Zebras graze at dusk', text: 'Zebras graze at dusk' }
    const text = 'The turbine hall has green lights'
    const { memory_ids } = await real.ok('observe', { ...here, memory: { text, payload } })
    const full = { ...here, reason: 'look', memory_ids, mode: 'full' }
    expect((await real.ok('rehydrate', full)).result.memories[0]).toMatchObject({ text, payload })
    const uri = `svc://clients/${encodeURIComponent(here.scope)}/memory/${memory_ids[0]}`
    const { node } = await real.ok('resolve', { ...here, uri, include_slots: true })
    expect(node.slots).toMatchObject({ text, full_text: payload.full_text })
    const found = async (query_text: string) => {
      const { memory_use_receipt } = await real.ok('guide', { ...here, query_text })
      const sources = memory_use_receipt.decision_summaries.flatMap((row) => row.recall_sources)
      return sources.some(({ reason }) => reason === 'text_match')
    }
    expect([await found('turbine hall lights'), await found('zebras graze')]).toEqual([true, false])
  })

  test('a field that nobody knows is ignored and named', async () => {
    const answer = await real.ok('observe', { ...place(), input_text: 'x', no_such_field: 1 })
    expect(answer.warnings).toHaveLength(1)
    expect(answer.warnings?.[0]).toMatch(WARNS_OF_FIELD)
    expect(answer.warnings?.[0]).toContain('no_such_field')
  })
})

describe('an older client form means what it meant', () => {
  test.each([
    ['concept', 'fact'],
    ['self_model', 'preference'],
    ['topic', 'project_context'],
    ['procedure', 'procedure'],
    ['event', 'event'],
    ['evidence', 'evidence'],
  ])('memory.type %s is the kind %s', async (type, memory_type) => {
    const here = place()
    await real.ok('observe', { ...here, memory: { ...remembered, type } })
    const { result } = await real.ok('rehydrate', { ...here, reason: 'r', client_ids: ['fact-1'] })
    expect(result.memories[0]).toMatchObject({ memory_type })
  })

  test.each(['active', 'candidate', 'contested', 'suppressed', 'demoted', 'archived'])(
    'memory.slots.lifecycle_state %s is the lifecycle',
    async (lifecycle_state) => {
      const here = place()
      const memory = { ...remembered, slots: { ...remembered.slots, lifecycle_state } }
      await real.ok('observe', { ...here, memory })
      const { agent_context: context } = await real.ok('guide', { ...here, query_text: 'cookie' })
      expect(context.use_now_memory_ids).toHaveLength(lifecycle_state === 'active' ? 1 : 0)
      const body = { reason: 'r', client_ids: ['fact-1'] }
      const { forget_effect: effect } = await real.ok('rehydrate', { ...here, ...body })
      expect(effect.memory_states?.[0]?.before).toBe(lifecycle_state)
    },
  )

  test('a step is seen by its owner agent and by its team', async () => {
    const here = place()
    const { memory_ids } = await real.ok('observe', {
      ...here,
      ...step,
      memory_lane: 'shared',
      owner_team_id: 'web',
    })
    const seen = async (consumer: object) => {
      const answer = await real.ok('guide', { ...here, ...consumer, query_text: 'login' })
      return answer.agent_context.memory_ids
    }
    expect(await seen({ consumer_agent_id: 'worker-1' })).toEqual(memory_ids)
    expect(await seen({ consumer_agent_id: 'worker-2', consumer_team_id: 'web' })).toEqual(memory_ids)
    expect(await seen({ consumer_agent_id: 'worker-2' })).toEqual([])
    expect(await seen({ agent_id: 'worker-2', team_id: 'web' })).toEqual(memory_ids)
  })
})

describe('what clients demand of a guide', () => {
  test('prompt_text is not empty when there is no memory at all', async () => {
    const answer = await real.ok('guide', { ...place(), query_text: 'login' })
    expect(answer.agent_context.prompt_text.trim()).not.toBe('')
    expect(answer.guide_trace_id).toMatch(/^guide_trace:.+/)
    for (const name of ['use_now', 'inspect_before_use', 'do_not_use', 'rehydrate'] as const) {
      expect(answer.agent_context[`${name}_memory_ids`]).toEqual([])
    }
  })

  test('tenant and scope are echoed at the top level, also the defaults', async () => {
    const here = place()
    expect(await real.ok('guide', { ...here, query_text: 'login' })).toMatchObject(here)
    expect(await real.ok('guide', { query_text: 'login' })).toMatchObject({
      tenant_id: 'default',
      scope: 'default',
    })
  })

  test('the receipt with its contract string is complete', async () => {
    const here = place()
    await real.ok('observe', { ...here, memory: remembered })
    await real.ok('observe', { ...here, ...step, memory_lane: 'shared' })
    const { memory_use_receipt: receipt } = await real.ok('guide', { ...here, query_text: 'cookie login' })
    expect(receipt.contract_version).toBe('svc_memory_use_receipt_v1')
    const lists = [
      'use_now_memory_ids',
      'inspect_before_use_memory_ids',
      'do_not_use_memory_ids',
      'rehydrate_memory_ids',
      'exposed_memory_ids',
      'attributed_memory_ids',
    ] as const
    for (const list of lists) expect(Array.isArray(receipt[list])).toBe(true)
    expect(receipt.decision_summaries).toHaveLength(2)
    for (const summary of receipt.decision_summaries) {
      expect(summary.memory_id).toMatch(UUID)
      expect(summary.reason_codes.length).toBeGreaterThan(0)
    }
  })

  test('rehydrate ids are hints as well', async () => {
    const here = place()
    const archived = { ...remembered, tier: 'archive' }
    const { memory_ids } = await real.ok('observe', { ...here, memory: archived })
    const { agent_context: context } = await real.ok('guide', { ...here, query_text: 'cookie' })
    expect(context.rehydrate_memory_ids).toEqual(memory_ids)
    expect(context.rehydrate_hints).toMatchObject([{ memory_id: memory_ids[0], required: true }])
    expect(context.rehydrate_hints[0]?.reason).not.toBe('')
  })

  test('a long text is a hint, but not a rehydrate id, and comes back whole', async () => {
    const here = place()
    const text = `The cookie report. ${'It says more about cookies. '.repeat(1500)}The end.`
    expect(text.length).toBeGreaterThan(32_000)
    const { memory_ids } = await real.ok('observe', { ...here, input_text: text })
    const { agent_context: context } = await real.ok('guide', { ...here, query_text: 'cookie report' })
    expect(context.use_now_memory_ids).toEqual(memory_ids)
    expect(context.rehydrate_memory_ids).toEqual([])
    expect(context.rehydrate_hints).toMatchObject([{ memory_id: memory_ids[0], required: false }])
    expect(context.use_now[0]).toMatch(/full text: rehydrate$/)
    const { result } = await real.ok('rehydrate', { ...here, reason: 'r', memory_ids })
    expect(result.memories[0]?.text).toBe(text)
  })

  test('posture rows are whole, and texts of usable and blocked memory are lists', async () => {
    const here = place()
    await real.ok('observe', { ...here, memory: remembered })
    await real.ok('observe', { ...here, ...step, memory_lane: 'shared' })
    const { agent_context: context } = await real.ok('guide', { ...here, query_text: 'cookie login' })
    expect(context.command_posture).toHaveLength(2)
    for (const row of context.command_posture) {
      for (const field of ['posture', 'surface', 'memory_id', 'instruction', 'reason'] as const) {
        expect(row[field]).not.toBe('')
      }
    }
    expect(context.use_now).toHaveLength(1)
    expect(context.use_now[0]).toContain('The session cookie lives for ten minutes.')
    expect(context.do_not_use).toHaveLength(1)
    expect(context.do_not_use[0]).not.toContain('Two of nine')
  })

  test('packets come when asked for, and never hold the prompt', async () => {
    const here = place()
    await real.ok('observe', { ...here, memory: remembered })
    const answer = await real.ok('guide', { ...here, query_text: 'cookie', include_packets: true })
    expect(answer.memory_packet?.relevant_memories).toHaveLength(1)
    expect(answer.guide_packet?.guide_brief.use_now).toHaveLength(1)
    const packets = JSON.stringify([answer.memory_packet, answer.guide_packet])
    expect(packets).not.toContain(JSON.stringify(answer.agent_context.prompt_text))
  })
})

describe('what clients demand of the others', () => {
  test('ids are UUID shaped', async () => {
    const claims = [{ subject_key: 's', predicate: 'p', value: 1 }]
    const answer = await real.ok('observe', { ...place(), ...step, handoff, claims })
    expect(answer.memory_ids).toHaveLength(3)
    for (const id of answer.memory_ids) expect(id).toMatch(UUID)
    expect(answer.handoff_id).toBe(`handoff:${answer.memory_ids[1]}`)
    expect(answer.claim_ids).toEqual([`claim:${answer.memory_ids[2]}`])
  })

  test('feedback echoes run, outcome, surface, guide and ids', async () => {
    const here = place()
    const { memory_ids } = await real.ok('observe', { ...here, memory: remembered })
    const { guide_trace_id } = await real.ok('guide', { ...here, query_text: 'cookie' })
    const said = { run_id: 'r', outcome: 'negative', used_surface: 'use_now', guide_trace_id } as const
    const answer = await real.ok('feedback', { ...here, ...said, reason: 'so', used_memory_ids: memory_ids })
    expect(answer).toMatchObject({
      ...here,
      ...said,
      used_memory_ids: memory_ids,
      operation: 'activate',
      target: 'memory',
    })
    expect(answer.forget_effect).toMatchObject({
      action: 'activate',
      attribution: { run_id: 'r', outcome: 'negative', attribution_strength: 'weak_counter_signal' },
      guide_trace: { exposed_memory_ids: memory_ids, attributed_memory_ids: memory_ids },
    })
  })

  test('resolve answers 404 for every wrong type and 200 for the right one', async () => {
    const here = place()
    const types = ['event', 'procedure', 'evidence', 'concept', 'rule', 'entity', 'topic', 'self_model']
    const kinds: Readonly<Record<string, string>> = {
      fact: 'concept',
      preference: 'self_model',
      project_context: 'topic',
      procedure: 'procedure',
      event: 'event',
      evidence: 'evidence',
      rule: 'rule',
      execution_memory: 'procedure',
    }
    for (const [kind, right] of Object.entries(kinds)) {
      const written = await real.ok('observe', {
        ...here,
        memory: { kind, text: `A ${kind} of the cookie.` },
      })
      for (const type of types) {
        const scope = encodeURIComponent(here.scope)
        const uri = `any-scheme://clients/${scope}/${type}/${written.memory_ids[0]}`
        const reply = await real.call('resolve', { uri, include_meta: true, include_slots: true })
        if (type === right) {
          expect(reply.answer?.node).toMatchObject({ text_summary: `A ${kind} of the cookie.` })
          expect(reply.answer?.node.slots).toBeDefined()
        } else expect(reply.refusal).toMatchObject({ status: 404, error: 'memory_not_found' })
      }
    }
  })

  test('health is ok, with runtime and storage', async () => {
    const health = OPERATIONS.health.response.parse(real.runtime.health())
    expect(health).toMatchObject({
      ok: true,
      runtime: { package_name: 'memgov', package_version: expect.any(String) },
      storage: { backend: BACKEND },
    })
    expect(health.runtime.started_at).toBe('2026-01-31T12:00:00.000Z')
  })
})
