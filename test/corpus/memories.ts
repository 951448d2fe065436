import type { Known } from './known.ts'
import type { Random } from './random.ts'
import {
  AGENTS,
  CHECKS,
  EVIDENCE,
  FILES,
  freeObject,
  INSTANTS,
  RUNS,
  sentence,
  share,
  steps,
  TASKS,
  TEAMS,
  TOOLS,
  text,
  title,
  variant,
  WORKFLOWS,
} from './texts.ts'

// What an observe writes. Every field of the contract comes up.

type Fields = Record<string, unknown>

const ORIGINS = ['user', 'agent', 'verifier', 'tool', 'document', 'external', 'unknown'] as const
const KINDS = [
  'fact',
  'preference',
  'project_context',
  'rule',
  'procedure',
  'event',
  'evidence',
  'execution_memory',
  'odd kind',
] as const
const TYPES = [
  'concept',
  'self_model',
  'topic',
  'entity',
  'procedure',
  'event',
  'evidence',
  'rule',
  'odd',
] as const
const LIFECYCLES = [
  'active',
  'candidate',
  'contested',
  'suppressed',
  'demoted',
  'archived',
  'failed',
  'superseded',
  'expired',
  'current',
  'stale',
  'procedure',
  'no such word',
] as const
const OUTCOMES = [
  'succeeded',
  'succeeded',
  'succeeded',
  'failed',
  'failed',
  'blocked',
  'interrupted',
  'unknown',
  'half done',
] as const
const RELATIONS = [
  'supersedes',
  'contradicts',
  'invalidates',
  'derived_from',
  'related_to',
  'part_of',
] as const

/** Who asks. */
export const who = (random: Random): Fields =>
  random.some(0.35, {
    [random.isIn(0.8) ? 'consumer_agent_id' : 'agent_id']: () => random.pick(AGENTS),
    [random.isIn(0.8) ? 'consumer_team_id' : 'team_id']: () => random.pick(TEAMS),
  })

export const task = (random: Random): Fields =>
  random.some(0.3, {
    run_id: () => random.pick(RUNS),
    task_signature: () => random.pick(TASKS),
    workflow_signature: () => random.pick(WORKFLOWS),
    task_id: () => random.pick(['T-1', 'T-2']),
    task_family: () => random.pick(['login', 'docs']),
  })

const lanes = (random: Random): Fields =>
  random.some(0.12, {
    memory_lane: () => random.pick(['private', 'shared']),
    owner_agent_id: () => random.pick(AGENTS),
    owner_team_id: () => random.pick(TEAMS),
    producer_agent_id: () => random.pick(AGENTS),
  })

const weights = (random: Random): Fields =>
  random.some(0.15, {
    confidence: () => share(random),
    salience: () => share(random) * 3,
    importance: () => -share(random),
  })

/** A memory or client id, as text or object. */
function reference(random: Random, known: Known): unknown {
  const client_id = random.pick(known.clientIds)
  const id = random.maybe(known.memoryIds) ?? client_id
  return random.pick<unknown>([client_id, id, { id }, { client_id }, 'no-such-id'])
}

const references = (random: Random, known: Known): unknown =>
  random.isIn(0.8)
    ? Array.from({ length: 1 + random.below(2) }, () => reference(random, known))
    : random.pick(known.clientIds)

export function memory(random: Random, known: Known): Fields {
  const original = random.maybe(known.texts)
  const own = original !== null && random.isIn(0.2) ? variant(random, original) : text(random)
  return {
    ...random.some(0.7, { kind: () => random.pick(KINDS), title: () => title(random) }),
    [random.isIn(0.85) ? 'text' : random.pick(['content', 'input_text', 'summary'])]: own,
    ...random.some(0.3, {
      client_id: () => random.pick(known.clientIds),
      origin: () => random.pick(ORIGINS),
      target_files: () => random.few(FILES),
      [random.pick(['summary', 'text_summary'])]: () => sentence(random),
    }),
    ...random.some(0.08, {
      type: () => random.pick(TYPES),
      memory_kind: () => random.pick(['general_memory', 'execution_workflow']),
      [random.pick(['lifecycle', 'lifecycle_hint', 'lifecycle_state'])]: () => random.pick(LIFECYCLES),
      tier: () => random.pick(['hot', 'warm', 'cold', 'archive']),
      acceptance_checks: () => random.few(CHECKS),
      workflow_steps: () => steps(random),
      [random.pick(['tools', 'tool_set'])]: () => random.few(TOOLS),
      next_action: () => sentence(random),
      outcome: () => random.pick(OUTCOMES),
      evidence_ref: () => random.pick(EVIDENCE),
      evidence_refs: () => random.few(EVIDENCE),
      raw_ref: () => 's3://bucket/raw',
      payload: () => freeObject(random),
      metadata: () => freeObject(random),
      slots: () => ({ ...freeObject(random), lifecycle_state: random.pick(LIFECYCLES) }),
      valid_until: () => random.pick(INSTANTS),
      observed_at: () => random.pick(INSTANTS),
      derived_from: () => references(random, known),
      supersedes: () => references(random, known),
      free_extra: () => 'kept',
    }),
    ...lanes(random),
    ...weights(random),
    ...(random.isIn(0.3) ? task(random) : {}),
  }
}

const verifier = (random: Random): unknown =>
  random.isIn(0.3)
    ? 'ci'
    : {
        name: 'vitest',
        status: random.pick(['passed', 'passed', 'failed', 'not_run', 'unknown']),
        ...random.some(0.3, { summary: () => sentence(random) }),
      }

export function execution(random: Random, known: Known): Fields {
  return {
    [random.pick(['title', 'summary'])]: title(random),
    ...random.some(0.8, {
      run_id: () => random.pick(RUNS),
      task_signature: () => random.pick(TASKS),
      outcome: () => random.pick(OUTCOMES),
      [random.isIn(0.8) ? 'workflow_steps' : 'steps']: () => steps(random),
    }),
    ...random.some(0.4, {
      summary: () => sentence(random),
      workflow_signature: () => random.pick(WORKFLOWS),
      [random.isIn(0.8) ? 'target_files' : 'files']: () => random.few(FILES),
      acceptance_checks: () => random.few(CHECKS),
      verifier: () => (random.isIn(0.8) ? verifier(random) : [verifier(random), verifier(random)]),
    }),
    ...random.some(0.1, {
      client_id: () => random.pick(known.clientIds),
      agent_id: () => random.pick(AGENTS),
      team_id: () => random.pick(TEAMS),
      task_id: () => 'T-1',
      task_family: () => 'login',
      [random.pick(['tools', 'tool_set'])]: () => random.few(TOOLS),
      [random.pick(['continuation_hint', 'resume_hint', 'reuse_hint'])]: () => sentence(random),
      verification: () => freeObject(random),
      evidence_refs: () => random.few(EVIDENCE),
      evidence_ref: () => random.pick(EVIDENCE),
      raw_ref: () => 's3://bucket/raw',
      evidence: () => [freeObject(random)],
      artifacts: () => [freeObject(random), {}],
      slots: () => ({
        task_signature: random.pick(TASKS),
        execution_result_summary: { status: random.pick(['passed', 'failed', 'blocked']) },
      }),
      observed_at: () => random.pick(INSTANTS),
      supersedes: () => references(random, known),
    }),
    ...weights(random),
  }
}

export function handoff(random: Random, known: Known): Fields {
  return {
    [random.pick(['summary', 'handoff_text', 'next_action'])]: text(random),
    ...random.some(0.4, {
      anchor: () => random.pick(['fix:login:run-1', 'anchor-2']),
      handoff_kind: () => random.pick(['patch_handoff', 'review_handoff', 'task_handoff']),
      title: () => title(random),
      next_action: () => sentence(random),
      target_files: () => random.few(FILES),
      acceptance_checks: () => random.few(CHECKS),
    }),
    ...random.some(0.12, {
      client_id: () => random.pick(known.clientIds),
      actor: () => random.pick(AGENTS),
      risk: () => sentence(random),
      file_path: () => random.pick(FILES),
      repo_root: () => '/repo',
      symbol: () => 'login',
      tags: () => ['a', 'b'],
      must_change: () => random.few(FILES),
      must_remove: () => random.few(FILES),
      must_keep: () => random.few(FILES),
      [random.pick(['target_agent_id', 'target_agent'])]: () => random.pick(AGENTS),
      [random.pick(['target_team_id', 'target_team'])]: () => random.pick(TEAMS),
      target_role: () => random.pick(['planner', 'worker', 'reviewer', 'captain']),
      execution_state_v1: () => freeObject(random),
      execution_packet_v1: () => freeObject(random),
      trajectory: () => freeObject(random),
      own_field: () => 'kept',
    }),
    ...lanes(random),
    ...weights(random),
    ...(random.isIn(0.5) ? task(random) : {}),
  }
}

export function claim(random: Random, known: Known): Fields {
  const value = random.pick<unknown>(['pnpm', 'npm', 15, null, { name: 'ann' }, [1, 2], true])
  return {
    subject_key: random.pick(['project', 'release']),
    predicate: random.pick(['uses', 'owner']),
    ...(random.isIn(0.7) ? { value } : { value_text: sentence(random) }),
    slot_key: random.pick(['slot-1', 'slot-2']),
    ...random.some(0.6, {
      claim_kind: () =>
        random.pick(['ordinary_fact', 'preference', 'project_fact', 'execution_fact', 'external_fact']),
      conflict_policy: () =>
        random.pick(['singleton_latest', 'multi_value', 'accumulative_evidence', 'manual_or_inspect']),
      authority: () => random.pick(['evidence_only', 'advisory', 'trusted', 'blocked']),
    }),
    evidence_refs: [random.pick(EVIDENCE)],
    ...random.some(0.15, {
      contract_version: () => 'svc_claim_write_v1',
      client_id: () => random.pick(['k1', 'k2', 'k3']),
      confidence: () => share(random),
      valid_from: () => random.pick(INSTANTS),
      source_memory_id: () => random.maybe(known.memoryIds) ?? 'no-such-id',
      metadata: () => freeObject(random),
    }),
  }
}

export const edge = (random: Random, known: Known): Fields => ({
  type: random.pick(RELATIONS),
  src: reference(random, known),
  dst: reference(random, known),
  ...random.some(0.3, { confidence: () => share(random) }),
})

export const originOf = (random: Random): string => random.pick(ORIGINS)
export const lanesOf = lanes
