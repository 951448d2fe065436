import { exposedBy, type Json, type Known, objectOf, type Request, usableOf } from './known.ts'
import { claim, edge, execution, handoff, lanesOf, memory, originOf, task, who } from './memories.ts'
import type { Random } from './random.ts'
import {
  AGENTS,
  EVIDENCE,
  FILES,
  freeObject,
  INSTANTS,
  query,
  RUNS,
  sentence,
  share,
  TASKS,
  TOOLS,
  text,
  variant,
  WORKFLOWS,
} from './texts.ts'

// Requests of every operation. What they name was answered before, so most of them are accepted.

type Fields = Record<string, unknown>
export type Ask = (random: Random, known: Known) => Request

const PROFILES = [
  'general',
  'coding_verifier',
  'document_integrity',
  'long_qa',
  'multi_agent_handoff',
  'loop_engineering',
] as const
const ROLES = ['agent', 'planner', 'worker', 'verifier', 'reviewer', 'captain'] as const
const TARGETS = ['pattern', 'archive', 'payload', 'memory'] as const
const MODES = ['summary_only', 'partial', 'full', 'differential'] as const
const RESOLVE_TYPES = [
  'memory',
  'memory',
  'memory',
  'memory',
  'claim',
  'guide',
  'run',
  'handoff',
  'event',
  'procedure',
  'evidence',
  'concept',
  'rule',
  'entity',
  'topic',
  'self_model',
] as const
const MOMENTS = [
  '2026-01-31T12:00:00Z',
  '2026-01-31T13:30:00Z',
  '2026-02-04T00:00:00Z',
  '2030-01-01',
] as const

const idOf = (guide: Json | null): unknown => guide?.['guide_trace_id'] ?? 'guide_trace:nothing'
/** A memory id; before any memory was written one that names nothing. */
export const someId = (random: Random, known: Known): string => random.maybe(known.memoryIds) ?? 'no-such-id'

function write(random: Random, known: Known): Fields {
  const one = random.weighed<() => Fields>([
    [5, () => ({ input_text: text(random) })],
    [6, () => ({ memory: memory(random, known) })],
    [6, () => ({ execution: execution(random, known) })],
    [2, () => ({ input_text: sentence(random), execution: execution(random, known) })],
    [2, () => ({ handoff: handoff(random, known) })],
    [2, () => ({ claims: Array.from({ length: 1 + random.below(3) }, () => claim(random, known)) })],
    [2, () => ({ nodes: Array.from({ length: 1 + random.below(5) }, () => memory(random, known)) })],
    [1, () => ({ memory: { nodes: [memory(random, known), memory(random, known)] } })],
    [2, () => ({ edges: [edge(random, known)] })],
    [3, () => ({ input_text: variant(random, random.maybe(known.texts) ?? sentence(random)) })],
    [2, () => echo(random, known)],
  ])()
  const other = random.isIn(0.15) ? random.pick([memory, execution, handoff]) : null
  const name = other === memory ? 'memory' : other === execution ? 'execution' : 'handoff'
  return other === null ? one : { ...one, [name]: other(random, known) }
}

/** A line of a guide, sent back as if it were new. */
function echo(random: Random, known: Known): Fields {
  const prompt = objectOf(random.maybe(known.guides)?.['agent_context'])['prompt_text']
  const lines = typeof prompt === 'string' ? prompt.split('\n').filter((line) => line.startsWith('- ')) : []
  return { input_text: random.maybe(lines) ?? 'There was no line.' }
}

const observe: Ask = (random, known) => ({
  operation: 'observe',
  body: {
    ...write(random, known),
    ...(random.isIn(0.6) ? task(random) : {}),
    ...(random.isIn(0.3) ? who(random) : {}),
    ...(random.isIn(0.2) ? lanesOf(random) : {}),
    ...random.some(0.12, {
      actor: () => random.pick(AGENTS),
      origin: () => originOf(random),
      auto_embed: () => random.isIn(0.5),
      memory_kind: () => random.pick(['general_memory', 'execution_workflow']),
      context: () => ({ task_signature: random.pick(TASKS), task_id: 'T-1' }),
      not_a_field: () => 1,
    }),
  },
})

const guide: Ask = (random) => ({
  operation: 'guide',
  body: {
    query_text: query(random),
    ...who(random),
    ...task(random),
    ...random.some(0.25, {
      mode: () => random.pick(['standard', 'full_power']),
      context_mode: () => random.pick(['standard', 'full_power', 'compact_agent']),
      task_context_profile: () => random.pick(PROFILES),
      agent_role: () => random.pick(ROLES),
      limit: () => random.pick([1, 2, 5, 30, 200]),
      context_char_budget: () => random.pick([200, 201, 500, 2000, 8000, 100_000]),
      context_token_budget: () => random.pick([1, 100, 400, 4000]),
      include_packets: () => random.isIn(0.8),
    }),
    ...random.some(0.08, {
      context_compaction_profile: () => random.pick(['balanced', 'aggressive']),
      context_optimization_profile: () => random.pick(['balanced', 'aggressive']),
      tool_candidates: () => random.few(TOOLS),
      execution_tree_v1: () => freeObject(random),
      context: () => ({ task_signature: random.pick(TASKS), task_context_profile: random.pick(PROFILES) }),
      an_older_field: () => true,
    }),
  },
})

function outcome(random: Random): Fields {
  const word = random.pick(['positive', 'positive', 'negative', 'neutral'])
  const surfaces =
    word === 'neutral'
      ? (['inspect_before_use', 'do_not_use', 'use_now'] as const)
      : (['use_now', 'explicit_host_assertion'] as const)
  return {
    outcome: word,
    used_surface: random.pick(surfaces),
    ...random.some(0.5, {
      verifier_status: () => random.pick(['passed', 'passed', 'failed', 'not_run', 'unknown']),
      tool_status: () => random.pick(['succeeded', 'failed', 'not_run', 'unknown']),
    }),
    ...random.some(0.15, { runtime_signal_refs: () => ['signal-1', 'signal-2'] }),
  }
}

const feedback: Ask = (random, known) => {
  const about = random.maybe(known.guides)
  const usable = random.few(usableOf(about), 4)
  const used = usable.length > 0 ? usable : random.few(exposedBy(about), 4)
  const name = random.weighed([
    [8, 'used_memory_ids'],
    [2, 'memory_ids'],
    [1, 'node_ids'],
  ] as const)
  const isBare = random.isIn(0.15)
  const named = isBare
    ? random.pick<Fields>([
        { memory_ids: [someId(random, known)] },
        { client_ids: [random.pick(known.clientIds)] },
      ])
    : { guide_trace_id: idOf(about), [name]: used }
  return {
    operation: 'feedback',
    body: {
      reason: sentence(random),
      run_id: random.pick(RUNS),
      ...outcome(random),
      ...named,
      ...(random.isIn(0.2) ? who(random) : {}),
      ...random.some(0.2, { actor: () => random.pick(AGENTS), task_signature: () => random.pick(TASKS) }),
      ...random.some(0.05, { target: () => 'memory' }),
    },
  }
}

function candidate(random: Random, known: Known, at: number): Fields {
  const original = random.maybe(known.texts)
  return {
    external_memory_id: random.isIn(0.1) ? `${someId(random, known)}` : `vec:${at}`,
    source_backend: random.pick(['vector-db', 'markdown', 'custom']),
    text: original !== null && random.isIn(0.3) ? variant(random, original) || 'empty' : text(random),
    ...random.some(0.6, {
      lifecycle_hint: () =>
        random.pick([
          'current',
          'current',
          'procedure',
          'unknown',
          'stale',
          'contested',
          'failed',
          'archived',
          'suppressed',
        ]),
      authority: () => ({
        ...random.some(0.8, {
          source_trust: () => random.pick(['trusted', 'trusted', 'known', 'untrusted', 'unknown']),
          scope: () => random.pick(['project', 'user', 'unknown']),
          evidence_requirement: () =>
            random.pick(['none', 'none', 'inspect_before_use', 'rehydrate_before_use', 'blocked']),
        }),
      }),
    }),
    ...random.some(0.3, {
      metadata: () => ({
        ...random.some(0.4, {
          title: () => sentence(random),
          name: () => 'a name',
          scope: () => random.pick([known.place.scope, 'elsewhere']),
          target_files: () => random.few(FILES),
          paths: () => random.few(FILES),
          domain: () => random.pick(['general', 'execution']),
          memory_type: () => random.pick(['fact', 'procedure', 'odd']),
          own: () => freeObject(random),
        }),
      }),
      evidence_refs: () => ['vec://1', random.pick(EVIDENCE)],
    }),
  }
}

const govern: Ask = (random, known) => ({
  operation: 'govern',
  body: {
    query_text: query(random),
    candidates: Array.from({ length: random.pick([1, 2, 4, 9, 40]) }, (_, at) => candidate(random, known, at))
      // An id of a memory may have been picked twice.
      .filter(
        (each, at, all) =>
          all.findIndex((e) => e['external_memory_id'] === each['external_memory_id']) === at,
      ),
    ...who(random),
    ...task(random),
    ...random.some(0.4, {
      mode: () => random.pick(['firewall', 'admission', 'standard', 'strict']),
      context_mode: () => random.pick(['standard', 'compact_agent']),
      include_records: () => random.isIn(0.8),
      task_context_profile: () => random.pick(PROFILES),
    }),
  },
})

/** What a lifecycle request names. */
function named(random: Random, known: Known): Fields {
  const ids = Array.from({ length: 1 + random.below(2) }, () => someId(random, known))
  const { tenant_id, scope } = known.place
  const uri = `svc://${tenant_id}/${encodeURIComponent(scope)}/memory/${ids[0]}`
  return random.weighed<() => Fields>([
    [10, () => ({ memory_ids: ids })],
    [2, () => ({ node_ids: ids, memory_ids: ['no-such-id'] })],
    [3, () => ({ client_ids: [random.pick(known.clientIds)] })],
    [1, () => ({ used_memory_ids: ids })],
    [1, () => ({ anchor_id: random.pick([ids[0], random.maybe(known.claimIds), 'anchor-2']) ?? 'anchor-2' })],
    [1, () => ({ anchor_id: random.maybe(known.handoffIds) ?? 'fix:login:run-1' })],
    [1, () => ({ anchor_uri: uri })],
  ])()
}

const forget: Ask = (random, known) => {
  const operation = random.weighed([
    [4, 'suppress'],
    [3, 'unsuppress'],
    [2, 'rehydrate'],
    [2, 'activate'],
  ] as const)
  const about = random.maybe(known.guides)
  const exposed = random.few(exposedBy(about), 3)
  const own: Record<typeof operation, () => Fields> = {
    suppress: () =>
      random.some(0.25, {
        until: () => '2030-01-01T00:00:00Z',
        mode: () => random.pick(['shadow_learn', 'hard_freeze']),
      }),
    unsuppress: () => ({}),
    rehydrate: () =>
      random.some(0.5, {
        mode: () => random.pick(MODES),
        include_linked_decisions: () => random.isIn(0.5),
        target_tier: () => 'hot',
      }),
    activate: () => ({
      ...outcome(random),
      run_id: random.pick(RUNS),
      ...(exposed.length > 0 && random.isIn(0.6) ? { guide_trace_id: idOf(about), memory_ids: exposed } : {}),
    }),
  }
  return {
    operation: 'forget',
    body: {
      operation,
      target: random.pick(TARGETS),
      reason: sentence(random),
      ...named(random, known),
      ...own[operation](),
      ...(random.isIn(0.15) ? who(random) : {}),
      ...random.some(0.3, { actor: () => 'ann' }),
    },
  }
}

const erase: Ask = (random, known) => ({
  operation: 'erase',
  body: {
    reason: 'The person asked for it.',
    ...named(random, known),
    ...(random.isIn(0.2) ? who(random) : {}),
    ...random.some(0.3, { actor: () => 'ann' }),
  },
})

const rehydrate: Ask = (random, known) => ({
  operation: 'rehydrate',
  body: {
    reason: sentence(random),
    ...named(random, known),
    ...(random.isIn(0.4) ? who(random) : {}),
    ...random.some(0.4, {
      mode: () => random.pick(MODES),
      target: () => random.pick(TARGETS),
      include_linked_decisions: () => random.isIn(0.7),
      guide_trace_id: () => idOf(random.maybe(known.guides)),
    }),
  },
})

const resolve: Ask = (random, known) => {
  const { tenant_id, scope } = known.place
  const type = random.pick(RESOLVE_TYPES)
  const ids: Readonly<Record<string, readonly unknown[]>> = {
    guide: known.guides.map(idOf),
    run: RUNS,
    claim: known.claimIds,
    handoff: known.handoffIds,
  }
  const id = random.maybe(ids[type] ?? known.memoryIds) ?? 'no-such-id'
  const uri = `svc://${tenant_id}/${encodeURIComponent(scope)}/${type}/${encodeURIComponent(String(id))}`
  return {
    operation: 'resolve',
    body: {
      uri,
      ...(random.isIn(0.3) ? who(random) : {}),
      ...random.some(0.4, {
        include_meta: () => random.isIn(0.8),
        include_slots: () => random.isIn(0.5),
        include_slots_preview: () => random.isIn(0.7),
      }),
      ...random.some(0.1, { slots_preview_keys: () => random.pick([1, 3, 50]) }),
    },
  }
}

const observation = (random: Random): Fields => ({
  ...random.some(0.3, {
    label: () => random.pick(['first', 'second']),
    runId: () => random.pick(RUNS),
    outcome: () => random.pick(['succeeded', 'failed']),
    success: () => random.isIn(0.5),
    repeatedDiscoverySteps: () => random.below(7),
    context_items: () => random.below(20),
    useful_context_items: () => random.below(20),
    workflowReused: () => random.isIn(0.5),
    staleMemorySurfaced: () => random.below(3),
    weak_evidence_blocked: () => random.below(3),
    blockedAuthorityVisible: () => random.isIn(0.2),
    unknown_metric: () => 1,
    repeated_discovery_steps: () => random.pick([3, -1]),
  }),
  ...random.some(0.4, {
    continuity: () => ({ recoveredStateFacts: random.below(8), expectedStateFacts: random.below(8) }),
    learning: () => ({ workflow_reused: random.isIn(0.5), trustedPromotions: random.below(3), odd: 1 }),
    forgetting: () => ({ staleMemorySuppressed: random.below(5) }),
    learningControl: () => ({ weakEvidenceBlocked: random.below(5) }),
  }),
})

/** Guide answers of one loop, now and then changed by whoever hands them in. */
function loop(random: Random, known: Known, isWhole = true): Fields {
  const after = random.maybe(known.guides) ?? { guide_trace_id: 'guide_trace:nothing' }
  const context = objectOf(after['agent_context'])
  const lies: readonly Fields[] = [
    { ...after, agent_context: { ...context, use_now_memory_ids: ['no-such-id'] } },
    { ...after, guide_trace_id: 'guide_trace:nothing' },
    { agent_context: context },
    { ...after, repeated_discovery_steps: random.below(4) },
  ]
  return {
    after_guide: random.isIn(0.3) ? random.pick(lies) : after,
    ...(isWhole
      ? { before_guide: random.maybe(known.guides) ?? { guide_trace_id: 'guide_trace:none' } }
      : {}),
    ...random.some(0.4, {
      feedback_result: () => random.maybe(known.feedbacks) ?? { outcome: 'no such outcome' },
      forget_result: () => random.maybe(known.lifecycles) ?? {},
      evidence_ids: () => random.few(EVIDENCE),
      sufficient_evidence: () => random.isIn(0.5),
    }),
  }
}

const measure: Ask = (random, known) => {
  const measured = random.weighed<() => Fields>([
    [3, () => ({ product_trace: loop(random, known) })],
    [1, () => ({ product_trace: { ...loop(random, known, false), baseline: observation(random) } })],
    [2, () => ({ baseline: observation(random), guided: observation(random) })],
    [1, () => ({ baseline: {}, guided: {}, task_signature: random.pick(TASKS) })],
  ])()
  return {
    operation: 'measure',
    body: {
      ...measured,
      ...(random.isIn(0.3) ? who(random) : {}),
      ...random.some(0.3, {
        task: () => ({ run_id: random.pick(RUNS), task_signature: random.pick(TASKS) }),
        task_signature: () => random.pick(TASKS),
        workflow_signature: () => random.pick(WORKFLOWS),
        minEffectDelta: () => share(random),
        minGuidedScore: () => share(random),
        evidence_ids: () => random.few(EVIDENCE),
        comparison: () => ({
          mode: random.pick(['baseline_vs_guided', 'observe_only_vs_active', 'single_run_history_impact']),
          ...random.some(0.5, {
            baseline_run_id: () => random.pick(RUNS),
            guided_run_id: () => random.pick(RUNS),
            sufficient_evidence: () => random.isIn(0.5),
          }),
        }),
      }),
    },
  }
}

const proposeSkills: Ask = (random, known) => {
  const measured = random.maybe(known.measured) ?? {}
  return {
    operation: 'proposeSkills',
    body: {
      ...random.weighed<() => Fields>([
        [5, () => ({ task_signature: random.pick(TASKS) })],
        [3, () => ({ workflow_signature: random.pick(WORKFLOWS) })],
        [1, () => ({ context: { task_signature: random.pick(TASKS) } })],
        [1, () => ({ measure_result: measured })],
        [1, () => ({ effect_report: objectOf(measured['effect_report']) })],
      ])(),
      ...(random.isIn(0.3) ? who(random) : {}),
      ...random.some(0.3, { include_markdown: () => true }),
    },
  }
}

const listSkills: Ask = (random) => ({
  operation: 'listSkills',
  body: {
    ...(random.isIn(0.3) ? who(random) : {}),
    ...random.some(0.5, {
      status: () => random.pick(['pending_review', 'promoted', 'rejected', 'all']),
      limit: () => random.pick([1, 3, 500]),
      include_markdown: () => random.isIn(0.7),
    }),
  },
})

const reviewSkill: Ask = (random, known) => ({
  operation: random.pick(['promoteSkill', 'rejectSkill']),
  body: {
    candidate_id: random.maybe(known.skillIds.slice(-6)) ?? 'skill:none',
    reviewer_id: random.pick(['ann', 'bob']),
    reason: 'The steps are those of the run.',
    ...(random.isIn(0.2) ? who(random) : {}),
    ...random.some(0.3, { include_markdown: () => true }),
  },
})

const operatorSnapshot: Ask = (random, known) => ({
  operation: 'operatorSnapshot',
  body: {
    ...(random.isIn(0.5) ? who(random) : {}),
    ...(random.isIn(0.5) ? task(random) : {}),
    ...random.some(0.2, {
      guide_trace_id: () => idOf(random.maybe(known.guides)),
      agent_context: () => objectOf(random.maybe(known.guides)?.['agent_context']),
      guide_packet: () => objectOf(random.maybe(known.guides)?.['guide_packet']),
      memory_use_receipt: () => objectOf(random.maybe(known.guides)?.['memory_use_receipt']),
      memory_decision_trace: () => random.maybe(known.traces) ?? {},
      memory_decision_audit: () => random.maybe(known.audits) ?? {},
      effect_report: () => objectOf(random.maybe(known.measured)?.['effect_report']),
      claim_ledger_projection: () => objectOf(random.maybe(known.guides)?.['claim_ledger_projection']),
      execution_context: () => ({ active_path: [{ text: 'step one' }], failed_branches: ['branch two'] }),
      agent_role: () => random.pick(ROLES),
      include_markdown: () => true,
      source_map: () => ({}),
    }),
  },
})

const blastRadius: Ask = (random, known) => ({
  operation: 'blastRadius',
  body: {
    ...random.weighed<() => Fields>([
      [4, () => ({ memory_id: someId(random, known) })],
      [1, () => ({ memory_id: random.maybe([...known.claimIds, ...known.handoffIds]) ?? 'claim:none' })],
      [2, () => ({ client_id: random.pick(known.clientIds) })],
      [2, () => ({ source: random.pick([...AGENTS, 'ci://1', 's3://bucket/raw']) })],
      [1, () => ({ origin: originOf(random) })],
    ])(),
    ...(random.isIn(0.2) ? who(random) : {}),
  },
})

function traced(random: Random, known: Known): Fields {
  const guide_trace_id = idOf(random.maybe(known.guides))
  return random.weighed<() => Fields>([
    [3, () => ({ guide_trace_id })],
    [3, () => ({ product_trace: loop(random, known, random.isIn(0.5)) })],
    [1, () => ({ guide_trace_id, product_trace: loop(random, known) })],
  ])()
}

const decisionTrace: Ask = (random, known) => ({ operation: 'decisionTrace', body: traced(random, known) })
const decisionReport: Ask = (random, known) => ({ operation: 'decisionReport', body: traced(random, known) })

function artifacts(random: Random, known: Known): Fields {
  const about = random.maybe(known.guides)
  const { before_guide, after_guide, feedback_result, forget_result } = loop(random, known)
  const admission = objectOf(random.maybe(known.admissions)?.['memory_admission_record'])
  return random.pick<Fields>([
    { product_trace: { before_guide, after_guide, feedback_result, forget_result } },
    { agent_context: objectOf(about?.['agent_context']) },
    { memory_use_receipt: objectOf(about?.['memory_use_receipt']), guide_trace_id: idOf(about) },
    { memory_decision_trace: random.maybe(known.traces) ?? {} },
    { memory_admission_record: admission },
    { operator_snapshot: random.maybe(known.snapshots) ?? {} },
    { feedback_result: random.maybe(known.feedbacks) ?? {} },
    {
      agent_context: objectOf(about?.['agent_context']),
      claim_ledger_projection: objectOf(about?.['claim_ledger_projection']),
    },
  ])
}

const flightRecorder: Ask = (random, known) => ({
  operation: 'flightRecorder',
  body: {
    ...random.weighed<() => Fields>([
      [3, () => ({ replay_source: 'journal', guide_trace_id: idOf(random.maybe(known.guides)) })],
      [1, () => ({ replay_source: 'journal', run_id: random.pick(RUNS) })],
      [2, () => ({ replay_source: 'journal', decision_time: random.pick([...MOMENTS, ...INSTANTS]) })],
      [5, () => artifacts(random, known)],
    ])(),
    ...(random.isIn(0.3) ? who(random) : {}),
    ...random.some(0.2, {
      include_now: () => false,
      decision_time: () => random.pick(MOMENTS),
      run_id: () => random.pick(RUNS),
    }),
  },
})

/** How often each is asked, beside the others. */
export const ASKS: readonly (readonly [weight: number, ask: Ask])[] = [
  [22, observe],
  [16, guide],
  [9, feedback],
  [5, govern],
  [6, forget],
  [1, erase],
  [5, rehydrate],
  [5, resolve],
  [5, measure],
  [3, proposeSkills],
  [2, listSkills],
  [3, reviewSkill],
  [4, operatorSnapshot],
  [4, blastRadius],
  [4, decisionTrace],
  [2, decisionReport],
  [5, flightRecorder],
]
