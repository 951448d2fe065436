import { ASKS } from './asks.ts'
import { isJson, type Json } from './known.ts'
import { type Ask, someId } from './naming.ts'
import type { Random } from './random.ts'
import { RUNS, sentence, TASKS } from './texts.ts'

// Requests that are refused, for every reason that a caller can give.

function deep(levels: number): unknown {
  return levels === 0 ? 'deep' : [deep(levels - 1)]
}

/** Changes of a body that make it one that no operation takes, or that it warns of. */
const SPOILS: readonly ((random: Random, body: Json) => Json | unknown[])[] = [
  () => [],
  (_, body) => ({ ...body, context: { deep: deep(40) } }),
  (_, body) => ({ ...body, tenant_id: '!bad' }),
  (_, body) => ({ ...body, tenant_id: 7 }),
  (_, body) => ({ ...body, scope: 'with\u0007bell' }),
  (_, body) => ({ ...body, scope: 'x'.repeat(257) }),
  (_, body) => ({ ...body, operation_id: 'o'.repeat(257) }),
  (_, body) => ({ ...body, run_id: '' }),
  (_, body) => ({ ...body, consumer_agent_id: ['agent-a'], actor: 7 }),
  (_, body) => ({ ...body, task_context_profile: 'poetry' }),
  (_, body) => ({ ...body, context: 'text' }),
  (random, body) => {
    const name = random.maybe(Object.keys(body)) ?? 'reason'
    return { ...body, [name]: random.pick<unknown>([7, [], { a: 1 }, '', 'x', null, [null], -1.5]) }
  },
  (random, body) => {
    const left = random.maybe(Object.keys(body))
    return Object.fromEntries(Object.entries(body).filter(([name]) => name !== left))
  },
]

const spoilt: Ask = (random, known) => {
  const { operation, body } = random.pick(ASKS)[1](random, known)
  return { operation, body: random.pick(SPOILS)(random, isJson(body) ? body : {}) }
}

const refusal = (operation: string, body: Json): Ask => {
  return () => ({ operation, body })
}

const REASON = { reason: 'Somebody asked.' }
const UNKNOWN = { ...REASON, memory_ids: ['no-such-id'] }
const OUTCOME = { ...REASON, run_id: 'run-1', outcome: 'positive', used_surface: 'use_now' }
const CLAIM = { subject_key: 'project', predicate: 'uses', value: 1 }
const CANDIDATE = { external_memory_id: 'vec:1', source_backend: 'vector-db', text: 'The cache is on.' }
const GONE = { guide_trace_id: 'guide_trace:nothing' }

/** One rule each, mostly with a code of its own. */
const REFUSED: readonly Ask[] = [
  refusal('observe', {}),
  refusal('observe', { input_text: '  ', memory: {}, execution: {}, claims: [] }),
  refusal('observe', { execution: { title: 'x', no_such_field: 1 } }),
  refusal('observe', { handoff: { title: 'nothing to hand over' } }),
  refusal('observe', { claims: [{ ...CLAIM, conflict_policy: 'singleton_latest' }] }),
  refusal('observe', { claims: [{ ...CLAIM, authority: 'trusted' }] }),
  refusal('observe', { claims: [{ subject_key: 'project', predicate: 'uses' }] }),
  refusal('observe', { claims: Array.from({ length: 33 }, () => CLAIM) }),
  refusal('observe', { input_text: 'x', edges: [{ type: 'likes', src: 'a', dst: {} }] }),
  refusal('observe', { memory: { text: 'x', valid_until: 'tomorrow', confidence: 2, derived_from: [{}] } }),
  refusal('observe', { memory: { text: 'x', observed_at: '2026-02-30', target_files: 'one' } }),
  refusal('observe', { nodes: Array.from({ length: 257 }, () => ({ text: 'x' })) }),
  refusal('guide', {}),
  refusal('guide', { query_text: 'x', limit: 0, context_char_budget: 199, context_token_budget: 1.5 }),
  refusal('guide', { query_text: 'x', limit: 201, mode: 'turbo', context_mode: 'none' }),
  refusal('feedback', {}),
  refusal('feedback', { ...OUTCOME, used_surface: 'do_not_use', used_memory_ids: ['a'] }),
  refusal('feedback', OUTCOME),
  refusal('feedback', { ...OUTCOME, used_memory_ids: ['no-such-id'] }),
  refusal('feedback', { ...OUTCOME, ...GONE, used_memory_ids: ['no-such-id'] }),
  refusal('feedback', { ...OUTCOME, client_ids: ['no-such-client'] }),
  refusal('govern', { query_text: 'x', candidates: [] }),
  refusal('govern', { query_text: 'x', candidates: [CANDIDATE, CANDIDATE] }),
  refusal('govern', { query_text: 'x', candidates: [{ ...CANDIDATE, colour: 'red', authority: { a: 1 } }] }),
  refusal('govern', { query_text: 'x', candidates: [{ ...CANDIDATE, lifecycle_hint: 'new' }], mode: 'lax' }),
  refusal('forget', { operation: 'suppress', target: 'memory', ...REASON }),
  refusal('forget', { operation: 'destroy', target: 'everything', ...UNKNOWN }),
  refusal('forget', { operation: 'suppress', target: 'memory', ...UNKNOWN, until: '2020-01-01' }),
  refusal('forget', { operation: 'unsuppress', target: 'memory', ...UNKNOWN }),
  refusal('forget', { operation: 'rehydrate', target: 'archive', ...REASON, anchor_id: 'nowhere' }),
  refusal('forget', { operation: 'activate', target: 'memory', ...UNKNOWN, outcome: 'negative' }),
  refusal('forget', {
    operation: 'activate',
    target: 'memory',
    ...UNKNOWN,
    ...GONE,
    outcome: 'neutral',
    run_id: 'run-1',
  }),
  refusal('erase', REASON),
  refusal('erase', UNKNOWN),
  refusal('erase', { ...REASON, anchor_uri: 'svc://no/where/memory/at-all' }),
  refusal('erase', { ...REASON, anchor_id: 'nowhere' }),
  refusal('rehydrate', REASON),
  refusal('rehydrate', UNKNOWN),
  refusal('rehydrate', { ...REASON, anchor_id: 'nowhere' }),
  refusal('rehydrate', { ...REASON, anchor_uri: 'not a uri' }),
  refusal('resolve', { uri: 'not a uri' }),
  refusal('resolve', { uri: 'svc://other/place/memory/x' }),
  refusal('resolve', { uri: 'svc://a/b/colour/x' }),
  refusal('measure', {}),
  refusal('measure', { baseline: {} }),
  refusal('measure', { guided: {} }),
  refusal('measure', { baseline: {}, guided: {}, minOtherScore: 1 }),
  refusal('measure', { product_trace: { after_guide: {} } }),
  refusal('measure', { product_trace: { before_guide: {}, surprise: 1 } }),
  refusal('measure', { baseline: { repeatedDiscoverySteps: 'many' }, guided: { success: 'yes' } }),
  refusal('proposeSkills', {}),
  refusal('listSkills', { status: 'lost', limit: 501 }),
  refusal('promoteSkill', { candidate_id: 'skill:none', reviewer_id: 'ann', ...REASON }),
  refusal('rejectSkill', { candidate_id: 'skill:none', reviewer_id: 'ann', ...REASON }),
  refusal('rejectSkill', { reviewer_id: 'a'.repeat(257), reason: 'r'.repeat(2049) }),
  refusal('operatorSnapshot', GONE),
  refusal('operatorSnapshot', { agent_context: 'text', include_markdown: 'yes' }),
  refusal('blastRadius', {}),
  refusal('blastRadius', { memory_id: 'a', client_id: 'b' }),
  refusal('blastRadius', { memory_id: 'no-such-id' }),
  refusal('blastRadius', { origin: 'moon' }),
  refusal('decisionTrace', {}),
  refusal('decisionTrace', GONE),
  refusal('decisionTrace', { product_trace: { after_guide: 'text', extra: 1 } }),
  refusal('decisionReport', {}),
  refusal('decisionReport', GONE),
  refusal('flightRecorder', {}),
  refusal('flightRecorder', { guide_trace_id: 'guide_trace:nothing', run_id: 'run-1' }),
  refusal('flightRecorder', { replay_source: 'journal' }),
  refusal('flightRecorder', { replay_source: 'journal', ...GONE }),
  refusal('flightRecorder', { replay_source: 'journal', decision_time: '1990-01-01' }),
  refusal('health', {}),
  refusal('openapi', {}),
  (random, known) => ({
    operation: 'feedback',
    body: {
      ...OUTCOME,
      run_id: random.pick(RUNS),
      guide_trace_id: random.maybe(known.guides)?.['guide_trace_id'] ?? 'guide_trace:nothing',
      used_memory_ids: ['no-such-id', someId(random, known)],
    },
  }),
  (random, known) => ({
    operation: 'observe',
    body: { memory: { client_id: random.pick(known.clientIds), text: sentence(random), type: 7 } },
  }),
  (random) => ({ operation: 'listSkills', body: { task_signature: random.pick(TASKS), limit: 0 } }),
]

/** A repeat of an earlier write under its operation id, or another body under it. */
const repeated: Ask = (random, known) => {
  const earlier = random.maybe(known.keyed)
  if (earlier === null || !isJson(earlier.body)) return spoilt(random, known)
  if (random.isIn(0.6)) return earlier
  return { ...earlier, body: { ...earlier.body, reason: 'another reason', input_text: 'another text' } }
}

/** A request that is probably refused. @param turn which of the rules, should it be one of those */
export function refusable(random: Random, turn: number): Ask {
  return random.weighed([
    [4, spoilt],
    [6, REFUSED[turn % REFUSED.length] ?? spoilt],
    [3, repeated],
  ])
}
