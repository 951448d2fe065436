import { describe, expect, test } from 'vitest'
import { VALUES_MAX } from '../../src/contract/parse.ts'
import { BODY_OPERATIONS, type BodyOperation, emptinessOf, least, parse, refusalOf } from './parsing.ts'

const shared = {
  tenant_id: 'acme',
  scope: 'web',
  actor: 'a',
  run_id: 'r',
  task_signature: 't',
  workflow_signature: 'w',
  task_id: 'i',
  task_family: 'f',
  consumer_agent_id: 'c',
  agent_id: 'c',
  consumer_team_id: 'd',
  team_id: 'd',
  agent_role: 'worker',
  task_context_profile: 'long_qa',
  operation_id: 'o',
  context: { task_signature: 't', anything: { at: ['all'] } },
}

const execution = {
  run_id: 'r',
  task_id: 't',
  task_family: 'f',
  task_signature: 's',
  workflow_signature: 'w',
  title: 'Title',
  summary: 'Summary',
  outcome: 'succeeded',
  target_files: ['a.ts'],
  workflow_steps: ['one'],
  tool_set: ['bash'],
  acceptance_checks: ['green'],
  continuation_hint: 'go on',
  resume_hint: 'go on',
  reuse_hint: 'go on',
  salience: 0.5,
  importance: 0.5,
  confidence: 0.9,
  raw_ref: 's3://raw',
  evidence_ref: 'log://1',
  evidence: [{ a: 1 }],
  artifacts: [{ b: [2] }],
  verification: { status: 'passed' },
  slots: { task_signature: 's', execution_result_summary: { status: 'passed' } },
}

const accepted: readonly (readonly [BodyOperation, string, Record<string, unknown>])[] = [
  [
    'observe',
    'a step of the older client',
    {
      input_text: 'Title\nSummary',
      memory_kind: 'execution_workflow',
      memory_lane: 'private',
      producer_agent_id: 'p',
      owner_agent_id: 'p',
      owner_team_id: 't',
      auto_embed: true,
      execution,
    },
  ],
  [
    'observe',
    'a remembered memory of the older client',
    {
      input_text: 'x',
      memory: {
        client_id: 'c',
        type: 'self_model',
        memory_kind: 'general_memory',
        title: 'T',
        text_summary: 'S',
        confidence: 0.9,
        salience: 1,
        importance: 1,
        tier: 'hot',
        raw_ref: 'r',
        evidence_ref: 'e',
        target_files: ['a'],
        slots: { memory_kind: 'general_memory', lifecycle_state: 'suppressed', compression_layer: 'L2' },
      },
    },
  ],
  [
    'observe',
    'a handoff of the older client',
    {
      handoff: {
        anchor: 's:r:a',
        handoff_kind: 'review_handoff',
        title: 't',
        summary: 's',
        handoff_text: 'h',
        next_action: 'n',
        actor: 'a',
        memory_lane: 'shared',
        producer_agent_id: 'p',
        owner_agent_id: 'o',
        owner_team_id: 't',
        file_path: 'f',
        repo_root: '/',
        symbol: 'x',
        task_family: 'f',
        task_signature: 's',
        workflow_signature: 'w',
        salience: 0.1,
        importance: 0.1,
        confidence: 0.1,
        risk: 'low',
        acceptance_checks: ['a'],
        tags: ['t'],
        target_files: ['f'],
        must_change: ['a'],
        must_remove: ['b'],
        must_keep: ['c'],
        execution_result_summary: { status: 'passed' },
        execution_artifacts: [{}],
        execution_evidence: [{}],
        execution_state_v1: {},
        execution_packet_v1: {},
        control_profile_v1: {},
        execution_transitions_v1: [{}],
        execution_tree_v1: {},
        execution_tree_operations_v1: [],
        execution_tree_disabled: true,
        execution_tree_default_disabled: false,
        trajectory: [],
        trajectory_hints: {},
      },
    },
  ],
  [
    'guide',
    'a role helper',
    {
      query_text: 'x',
      mode: 'full_power',
      context_mode: 'compact_agent',
      limit: 10,
      include_packets: true,
      context: { task_id: 't', task_signature: 's', task_family: 'f', workflow_signature: 'w' },
      tool_candidates: ['bash'],
      execution_tree_v1: { nodes: [] },
      context_token_budget: 4000,
      context_optimization_profile: 'aggressive',
    },
  ],
  [
    'feedback',
    'feedback without target',
    {
      reason: 'x',
      run_id: 'r',
      outcome: 'negative',
      used_surface: 'use_now',
      actor: 'a',
      guide_trace_id: 'guide_trace:x',
      used_memory_ids: ['m'],
      verifier_status: 'failed',
      tool_status: 'failed',
      runtime_signal_refs: ['s'],
    },
  ],
  [
    'rehydrate',
    'a tier and a target',
    { reason: 'x', client_ids: ['c'], target_tier: 'hot', target: 'archive', mode: 'differential' },
  ],
  [
    'forget',
    'everything a command line may carry',
    {
      operation: 'activate',
      target: 'pattern',
      reason: 'x',
      run_id: 'r',
      used_memory_ids: ['m'],
      anchor_id: 'a',
      anchor_uri: 'svc://acme/web/memory/m',
      target_tier: 'warm',
      outcome: 'positive',
      used_surface: 'explicit_host_assertion',
      verifier_status: 'passed',
      tool_status: 'succeeded',
      runtime_signal_refs: [],
      mode: 'hard_freeze',
      include_linked_decisions: false,
    },
  ],
  [
    'resolve',
    'what a client resolves with',
    {
      uri: 'svc://acme/web/event/m',
      include_meta: true,
      include_slots: true,
      consumer_agent_id: 'a',
      consumer_team_id: 't',
    },
  ],
  [
    'decisionTrace',
    'the loop that a client measures',
    {
      product_trace: {
        before_guide: { guide_trace_id: 'a', agent_context: {}, repeated_discovery_steps: 3 },
        after_guide: { guide_trace_id: 'b', memory_packet: {}, guide_packet: {}, anything: 1 },
        forget_result: { operation: 'activate' },
        evidence_ids: ['e'],
        sufficient_evidence: true,
      },
    },
  ],
]

describe('what clients send', () => {
  test.each(accepted)('%s accepts %s without a warning', (operation, _what, body) => {
    expect(parse(operation, body).warnings).toEqual([])
  })

  test.each(BODY_OPERATIONS)('%s accepts every shared field', (operation) => {
    expect(parse(operation, { ...shared, ...least[operation] }).warnings).toEqual([])
  })

  test.each(BODY_OPERATIONS)('%s ignores an unknown top-level field and names it', (operation) => {
    const { request, warnings } = parse(operation, { ...least[operation], surprise: 1 })
    expect(warnings).toEqual(['field surprise is not known and was ignored'])
    expect(request).not.toHaveProperty('surprise')
  })

  test.each(BODY_OPERATIONS)('%s treats null as absent in every optional field', (operation) => {
    const nulls = Object.fromEntries(Object.keys(shared).map((key) => [key, null]))
    expect(parse(operation, { ...nulls, ...least[operation] }).warnings).toEqual([])
  })

  test('many unknown fields are counted, not listed', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, index]))
    const { warnings } = parse('guide', { ...least.guide, ...many })
    expect(warnings).toHaveLength(21)
    expect(warnings.at(-1)).toBe('10 further fields are not known and were ignored')
  })

  test('text is trimmed, and half a surrogate pair does not survive', () => {
    expect(parse('guide', { query_text: '  fix it \ud83d' }).request).toEqual({ query_text: 'fix it \ufffd' })
  })

  test('text of hidden characters alone is none', () => {
    for (const hidden of ['\u200b\u200b', '\u2060 \u200d', '\u00ad', '\u{e0041}']) {
      expect(parse('observe', { input_text: hidden }).request).toEqual({ input_text: '' })
      expect(parse('observe', { input_text: `${hidden}x` }).request).toEqual({ input_text: `${hidden}x` })
      expect(() => parse('guide', { query_text: hidden })).toThrow(/may not be empty/)
    }
  })

  test('half a surrogate pair in an id or a scope is refused: it would be the name of something else', () => {
    const external_ids = [{ source_backend: 'b', external_memory_id: 'a\ud801' }]
    for (const [operation, body] of [
      ['guide', { scope: 'a\ud800' }],
      ['guide', { run_id: '\udc00' }],
      ['rehydrate', { memory_ids: ['a', 'b\ud83d'] }],
      ['erase', { reason: 'r', external_ids }],
    ] as const)
      expect(() => parse(operation, { ...least[operation], ...body })).toThrow('Send whole characters')
    expect(parse('guide', { ...least.guide, scope: '😀' }).request).toMatchObject({ scope: '😀' })
  })
})

const tooMany = (count: number) => Array.from({ length: count }, () => 'x')
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })

const refused: readonly (readonly [BodyOperation, Record<string, unknown>, string, RegExp])[] = [
  ['guide', {}, 'query_text', /required: send text/],
  ['guide', { query_text: '  ' }, 'query_text', /may not be empty/],
  ['guide', { query_text: 'x', limit: 201 }, 'limit', /at most 200/],
  ['guide', { query_text: 'x', limit: 0 }, 'limit', /at least 1/],
  ['guide', { query_text: 'x', limit: 1.5 }, 'limit', /whole number/],
  ['guide', { query_text: 'x', context_char_budget: 199 }, 'context_char_budget', /at least 200/],
  ['guide', { query_text: 'x', context_char_budget: 1_000_001 }, 'context_char_budget', /at most 1000000/],
  ['guide', { query_text: 'x', mode: 'turbo' }, 'mode', /Send one of standard, full_power/],
  ['guide', { query_text: 'x', tenant_id: '-a' }, 'tenant_id', /letters, digits/],
  ['guide', { query_text: 'x', tenant_id: 'a'.repeat(65) }, 'tenant_id', /1 to 64/],
  ['guide', { query_text: 'x', scope: 'a\u0007b' }, 'scope', /without control characters/],
  ['guide', { query_text: 'x', scope: 'a'.repeat(257) }, 'scope', /1 to 256/],
  ['guide', { query_text: 'x', run_id: '' }, 'run_id', /may not be empty/],
  ['observe', { execution: { titel: 'x' } }, 'execution.titel', /Accepted here: .*title/],
  ['observe', { execution: { evidence: Array(65).fill({}) } }, 'execution.evidence', /at most 64 items/],
  ['observe', { execution: { target_files: tooMany(257) } }, 'execution.target_files', /at most 256/],
  ['observe', { memory: { confidence: 1.1 } }, 'memory.confidence', /at most 1/],
  ['observe', { memory: { origin: 'rumour' } }, 'memory.origin', /user, agent/],
  ['observe', { memory: { valid_until: 'soon' } }, 'memory.valid_until', /ISO 8601/],
  ['observe', { memory: 'x' }, 'memory', /Send an object/],
  [
    'observe',
    { workspace_changes: [{ path: './a', digest: null }] },
    'workspace_changes.0.path',
    /none of them \. or \.\./,
  ],
  ['observe', { claims: Array(33).fill({}) }, 'claims', /at most 32 items/],
  [
    'observe',
    { claims: [{ subject_key: 's', predicate: 'p', value: 1, sure: true }] },
    'claims.0.sure',
    /Accepted here/,
  ],
  [
    'observe',
    { claims: [{ subject_key: 's', predicate: 'p', value: 1, conflict_policy: 'singleton_latest' }] },
    'claims.0.slot_key',
    /needs slot_key/,
  ],
  [
    'observe',
    { claims: [{ subject_key: 's', predicate: 'p', value: 1, authority: 'trusted' }] },
    'claims.0.evidence_refs',
    /evidence_refs/,
  ],
  ['observe', { claims: [{ subject_key: 's', predicate: 'p' }] }, 'claims.0.value', /value or value_text/],
  ['observe', { handoff: { anchor: 'a' } }, 'handoff', /summary, handoff_text or next_action/],
  [
    'observe',
    { edges: [{ type: 'likes', src: 'a', dst: 'b' }] },
    'edges.0.type',
    /supersedes, contradicts, invalidates/,
  ],
  ['observe', { edges: [{ type: 'supersedes', src: {}, dst: 'b' }] }, 'edges.0.src', /id or client_id/],
  ['feedback', { ...least.feedback, run_id: undefined }, 'run_id', /required/],
  ['feedback', { ...least.feedback, outcome: 'great' }, 'outcome', /positive, negative, neutral/],
  ['feedback', { ...least.feedback, used_surface: undefined }, 'used_surface', /required: send one of/],
  ['feedback', { ...least.feedback, used_memory_ids: tooMany(201) }, 'used_memory_ids', /at most 200/],
  ['feedback', { ...least.feedback, runtime_signal_refs: tooMany(33) }, 'runtime_signal_refs', /at most 32/],
  ['forget', { ...least.forget, target: undefined }, 'target', /required: send one of pattern/],
  ['forget', { ...least.forget, until: '2026-02-30' }, 'until', /ISO 8601/],
  ['forget', { ...least.forget, until: '2026-01-31T25:00:00Z' }, 'until', /ISO 8601/],
  ['rehydrate', { ...least.rehydrate, reason: undefined }, 'reason', /required/],
  ['resolve', {}, 'uri', /required/],
  ['measure', { guided: {} }, 'baseline', /send both/],
  ['proposeSkills', {}, 'task_signature', /task_signature or workflow_signature/],
  ['listSkills', { limit: 501 }, 'limit', /500/],
  ['listSkills', { status: 'maybe' }, 'status', /pending_review, promoted, rejected, all/],
  ['promoteSkill', { ...least.promoteSkill, reason: 'x'.repeat(2049) }, 'reason', /2048/],
  ['rejectSkill', { ...least.rejectSkill, reviewer_id: ' ' }, 'reviewer_id', /not be empty|at least/],
  ['observe', { memory: { payload: nested(31) } }, '', /at most 32 nested levels/],
  ['observe', { memory: { payload: Array(VALUES_MAX).fill(0) } }, '', /at most 20000 values/],
]

describe('what is refused', () => {
  test.each(refused.map(([operation, body, path, sentence]) => ({ operation, body, path, sentence })))(
    '$operation is refused at $path: $sentence',
    ({ operation, body, path, sentence }) => {
      const refusal = refusalOf(() => parse(operation, body))
      expect(refusal.code).toBe('invalid_request')
      const issue = refusal.issues.find((each) => each.path === path)
      expect(issue?.message).toMatch(sentence)
      expect(refusal.message).toBe(`${refusal.issues[0]?.message}${emptinessOf(body)}`)
    },
  )

  test('a body nested 32 levels is accepted', () => {
    expect(parse('observe', { memory: { payload: nested(30) } }).warnings).toEqual([])
  })

  test.each([[null], ['text'], [[]], [3]])('the body %j is refused as a whole', (body) => {
    expect(refusalOf(() => parse('observe', body)).message).toBe('Send one JSON object as the body.')
  })

  test.each([
    ['do_not_use', 'positive'],
    ['inspect_before_use', 'negative'],
  ])('feedback from %s cannot be %s', (used_surface, outcome) => {
    const body = { ...least.feedback, used_surface, outcome, used_memory_ids: ['m'] }
    const refusal = refusalOf(() => parse('feedback', body))
    expect(refusal.code).toBe('feedback_surface_not_attributable')
    expect(refusal.issues).toMatchObject([{ path: 'used_surface' }])
  })

  test('feedback with an outcome has to name memory, neutral feedback has not', () => {
    const body = { ...least.feedback, outcome: 'negative' }
    const { code, message } = refusalOf(() => parse('feedback', body))
    expect(code).toBe('reference_required')
    // An anchor names nothing in feedback, so it is not named as a way out.
    expect(message).toMatch(/send used_memory_ids/)
    expect(message).not.toMatch(/anchor/)
    expect(parse('feedback', { ...body, outcome: 'neutral' }).warnings).toEqual([])
  })

  test.each(['forget', 'erase', 'rehydrate'] as const)('%s has to name memory', (operation) => {
    const body = { ...least[operation], memory_ids: [] }
    expect(refusalOf(() => parse(operation, body)).code).toBe('reference_required')
  })

  test('no more than 20 issues are named', () => {
    const { issues } = refusalOf(() => parse('observe', { claims: Array(32).fill({}) }))
    expect(issues).toHaveLength(21)
    expect(issues.at(-1)?.message).toMatch(/further issues/)
  })
})
