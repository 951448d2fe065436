import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { parseRequest } from '../../src/contract/parse.ts'
import { memoryUriOf, parseMemoryUri } from '../../src/contract/resolve.ts'
import { feedbackCommand } from '../../src/runtime/feedback.ts'
import { guideCommand } from '../../src/runtime/guide.ts'
import { identityOf } from '../../src/runtime/normalise/identity.ts'
import { forgetCommand, rehydrateCommand } from '../../src/runtime/normalise/lifecycle.ts'
import { resolveQuery } from '../../src/runtime/resolve.ts'
import { refusalOf } from '../contract/parsing.ts'
import { prove } from '../support/prove.ts'

const guide = (body: object) =>
  guideCommand(parseRequest(OPERATIONS.guide, { query_text: 'x', ...body }).request)
const feedback = (body: object) =>
  feedbackCommand(
    parseRequest(OPERATIONS.feedback, {
      reason: 'x',
      run_id: 'r',
      outcome: 'neutral',
      used_surface: 'use_now',
      ...body,
    }).request,
  ).command
const forget = (body: object) =>
  forgetCommand(
    parseRequest(OPERATIONS.forget, { operation: 'suppress', target: 'memory', reason: 'x', ...body })
      .request,
  )
const rehydrate = (body: object) =>
  rehydrateCommand(parseRequest(OPERATIONS.rehydrate, { reason: 'x', ...body }).request).command
const resolve = (body: object) => resolveQuery(parseRequest(OPERATIONS.resolve, body).request)

describe('identity', () => {
  test('tenant and scope have defaults', () => {
    expect(identityOf({})).toEqual({ tenantId: 'default', scope: 'default', operationId: null })
    expect(identityOf({ tenant_id: 't', scope: 's', operation_id: 'o' })).toEqual({
      tenantId: 't',
      scope: 's',
      operationId: 'o',
    })
  })
})

describe('guide', () => {
  test('a bare query has the defaults of the contract', () => {
    expect(guide({})).toEqual({
      command: {
        queryText: 'x',
        consumer: { agentId: 'local-agent', teamId: null },
        mode: 'standard',
        contextMode: 'standard',
        fullPower: false,
        profile: 'general',
        role: 'agent',
        limit: 30,
        budgetChars: 8000,
        compaction: 'balanced',
        includePackets: false,
        handles: false,
        omitShownIn: null,
        isRestart: false,
        lines: 'full',
        runId: null,
        taskId: null,
        taskFamily: null,
        taskSignature: null,
        workflowSignature: null,
        identifiers: [],
      },
      warnings: [],
    })
  })

  test.each([
    [{ mode: 'full_power' }, true],
    [{ context_mode: 'full_power' }, true],
    [{ context_mode: 'compact_agent' }, true],
    [{ mode: 'standard', context_mode: 'standard' }, false],
  ])('%j asks for full power: %s', (fields, fullPower) => {
    expect(guide(fields).command.fullPower).toBe(fullPower)
  })

  test.each([
    [{ context_char_budget: 500, context_token_budget: 9 }, 500],
    [{ context_token_budget: 1000 }, 4000],
    [{ context_token_budget: 1 }, 200],
    [{ context_token_budget: 256_000 }, 1_000_000],
  ])('%j gives a budget of %i characters', (fields, budgetChars) => {
    expect(guide(fields).command.budgetChars).toBe(budgetChars)
  })

  test('the context stands in for missing top-level fields', () => {
    const context = {
      task_signature: 's',
      workflow_signature: 'w',
      task_id: 'i',
      task_family: 'f',
      agent_role: 'reviewer',
      task_context_profile: 'long_qa',
    }
    expect(guide({ context, task_signature: 'top', run_id: 'r' }).command).toMatchObject({
      taskSignature: 'top',
      workflowSignature: 'w',
      taskId: 'i',
      taskFamily: 'f',
      role: 'reviewer',
      profile: 'long_qa',
      identifiers: ['top', 'w', 'i', 'f', 'r'],
    })
  })

  test('aliases name the consumer and the compaction', () => {
    const body = { agent_id: 'a', team_id: 't', context_optimization_profile: 'aggressive' }
    expect(guide(body).command).toMatchObject({
      consumer: { agentId: 'a', teamId: 't' },
      compaction: 'aggressive',
    })
    expect(guide({ agent_id: 'a', consumer_agent_id: 'b' }).command.consumer.agentId).toBe('b')
  })

  test('another role counts as agent and is named', () => {
    const { command, warnings } = guide({ agent_role: 'poet' })
    expect(command.role).toBe('agent')
    expect(warnings).toEqual([expect.stringContaining('agent_role is treated as agent')])
  })
})

describe('feedback', () => {
  test.each([
    [{ used_memory_ids: ['a', 'a'], memory_ids: ['b'], node_ids: ['c'] }, ['a']],
    [{ used_memory_ids: [], memory_ids: ['b'], node_ids: ['c'] }, ['b']],
    [{ node_ids: ['c'] }, ['c']],
    [{}, []],
  ])('%j names %j', (fields, memoryIds) => {
    expect(feedback(fields).memoryIds).toEqual(memoryIds)
  })

  test('whoever names no agent is the local one, also of a team', () => {
    expect(feedback({})).toMatchObject({ viewpoint: { agentId: 'local-agent', teamId: null } })
    expect(feedback({ team_id: 't' })).toMatchObject({ viewpoint: { agentId: 'local-agent', teamId: 't' } })
  })

  test('warnings say when no guide is named, unless nothing is attributed', () => {
    const warningsOf = (body: object) =>
      feedbackCommand(
        parseRequest(OPERATIONS.feedback, {
          reason: 'x',
          run_id: 'r',
          outcome: 'neutral',
          used_surface: 'use_now',
          ...body,
        }).request,
      ).warnings
    expect(warningsOf({ memory_ids: ['m'] })).toEqual([expect.stringContaining('send the guide_trace_id')])
    expect(warningsOf({ client_ids: ['c'] })).toHaveLength(1)
    expect(warningsOf({ memory_ids: ['m'], guide_trace_id: 'g' })).toEqual([])
    expect(warningsOf({})).toEqual([])
  })

  test('evidence of the outcome is kept', () => {
    const fields = {
      verifier_status: 'failed',
      tool_status: 'not_run',
      runtime_signal_refs: ['s', ''],
      actor: 'me',
    }
    expect(feedback({ ...fields, client_ids: ['c'], guide_trace_id: 'g' })).toMatchObject({
      verifierStatus: 'failed',
      toolStatus: 'not_run',
      runtimeSignalRefs: ['s'],
      actorName: 'me',
      clientIds: ['c'],
      guideTraceId: 'g',
    })
  })
})

describe('forget and rehydrate', () => {
  test('an operator without consumer fields sees the whole actor, except to read text', () => {
    expect(forget({ memory_ids: ['m'] }).command.viewpoint).toBeNull()
    expect(forget({ memory_ids: ['m'], agent_id: 'a' }).command.viewpoint).toEqual({
      agentId: 'a',
      teamId: null,
    })
    const local = { agentId: 'local-agent', teamId: null }
    expect(forget({ memory_ids: ['m'], operation: 'rehydrate' }).command.viewpoint).toEqual(local)
    expect(rehydrate({ memory_ids: ['m'] }).viewpoint).toEqual(local)
  })

  test('references are collected without repetition', () => {
    const body = { memory_ids: ['a'], node_ids: ['a', 'b'], client_ids: ['c'], anchor_id: 'x' }
    expect(forget({ ...body, anchor_uri: 'svc://default/default/handoff/x' }).command).toMatchObject({
      memoryIds: ['a', 'b'],
      clientIds: ['c'],
      anchors: ['x'],
    })
  })

  test('used ids are the target only when nothing else is named', () => {
    expect(forget({ used_memory_ids: ['u'] }).command.memoryIds).toEqual(['u'])
    expect(forget({ used_memory_ids: ['u'], memory_ids: ['m'] }).command.memoryIds).toEqual(['m'])
    expect(forget({ used_memory_ids: ['u'], client_ids: ['c'] }).command.memoryIds).toEqual([])
  })

  test('an anchor URI has to lie in the tenant and scope of the request', () => {
    const body = { tenant_id: 't', scope: 'a/b', anchor_uri: 'svc://t/a%2Fb/memory/m' }
    expect(rehydrate(body).anchors).toEqual(['m'])
    for (const other of [
      { ...body, tenant_id: 'u' },
      { ...body, scope: 'a' },
    ]) {
      expect(refusalOf(() => rehydrate(other))).toMatchObject({
        code: 'invalid_request',
        issues: [{ path: 'anchor_uri', message: expect.stringContaining('as tenant_id and scope') }],
      })
    }
    expect(rehydrate({ anchor_uri: 'line-of-work' }).anchors).toEqual(['line-of-work'])
  })

  test('until belongs to suppress, and says so elsewhere', () => {
    const body = { memory_ids: ['m'], until: '2030-01-01' }
    expect(forget(body)).toMatchObject({ command: { untilMs: Date.UTC(2030, 0, 1) }, warnings: [] })
    const { command, warnings } = forget({ ...body, operation: 'unsuppress' })
    expect(command.untilMs).toBeNull()
    expect(warnings).toEqual(['until was ignored: it belongs to operation suppress'])
  })

  test('rehydrate has the defaults of the contract', () => {
    expect(rehydrate({ memory_ids: ['m'] })).toMatchObject({
      operation: 'rehydrate',
      target: 'memory',
      mode: 'partial',
      includeLinkedDecisions: true,
      guideTraceId: null,
    })
    expect(forget({ memory_ids: ['m'], mode: 'hard_freeze' }).command.mode).toBe('partial')
    expect(forget({ memory_ids: ['m'], mode: 'full', operation: 'rehydrate' }).command.mode).toBe('full')
  })

  test('activate carries the fields of feedback', () => {
    const body = {
      operation: 'activate',
      memory_ids: ['m'],
      outcome: 'positive',
      used_surface: 'explicit_host_assertion',
      actor: 'ops',
      run_id: 'r',
    }
    expect(forget(body).command).toMatchObject({
      operation: 'activate',
      outcome: 'positive',
      usedSurface: 'explicit_host_assertion',
      actorName: 'ops',
      runId: 'r',
    })
    expect(refusalOf(() => forget({ ...body, used_surface: 'do_not_use' })).code).toBe(
      'feedback_surface_not_attributable',
    )
    expect(forget({ operation: 'activate', memory_ids: ['m'] }).command.outcome).toBeNull()
  })
})

describe('resolve', () => {
  test('tenant and scope come from the URI, whatever its scheme', () => {
    expect(resolve({ uri: 'other://t/a%2Fb/self_model/m', agent_id: 'a' })).toEqual({
      tenantId: 't',
      scope: 'a/b',
      uri: 'other://t/a%2Fb/self_model/m',
      type: 'self_model',
      id: 'm',
      viewpoint: { agentId: 'a', teamId: null },
      sent: { agentId: 'a', teamId: null, isTeamless: false },
      includeMeta: false,
      slotsMode: 'none',
      previewKeys: 10,
    })
  })

  test.each([
    ['memory/m', 'uri'],
    ['svc://t/s/memory', 'uri'],
    ['svc://t/s/memory/m/n', 'uri'],
    ['svc://-t/s/memory/m', 'uri'],
    ['svc://t/s/memory/%E0%A4%A', 'uri'],
  ])('the URI %s is refused', (uri, path) => {
    expect(refusalOf(() => resolve({ uri }))).toMatchObject({ code: 'invalid_request', issues: [{ path }] })
  })

  test.each(['tenant_id', 'scope'])('a %s that disagrees with the URI is refused', (path) => {
    const body = { uri: 'svc://t/s/memory/m', [path]: 'other' }
    expect(refusalOf(() => resolve(body))).toMatchObject({ code: 'invalid_request', issues: [{ path }] })
  })

  test('a type that no memory has is not found, so that clients go on to the next', () => {
    expect(refusalOf(() => resolve({ uri: 'svc://t/s/commit/m' })).code).toBe('memory_not_found')
  })

  test.each([
    [{ include_slots: true, include_slots_preview: true }, 'full'],
    [{ include_slots_preview: true }, 'preview'],
  ])('%j gives slots: %s', (fields, slotsMode) => {
    expect(resolve({ uri: 'svc://t/s/memory/m', ...fields }).slotsMode).toBe(slotsMode)
  })

  test('a memory URI reads back as it was made', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1 })
    const uris = fc.record({
      tenantId: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,9}$/),
      scope: fc.stringMatching(/^[a-z/ %ü]{1,9}$/),
      type: part,
      id: part,
    })
    prove(uris, (uri) => {
      expect(parseMemoryUri(memoryUriOf(uri))).toEqual(uri)
    })
  })
})
