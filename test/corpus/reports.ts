import { type Known, objectOf } from './known.ts'
import { originOf, task, who } from './memories.ts'
import { type Ask, type Fields, guideIdOf, ROLES, someId } from './naming.ts'
import type { Random } from './random.ts'
import { AGENTS, EVIDENCE, INSTANTS, RUNS, share, TASKS, WORKFLOWS } from './texts.ts'

// What is asked afterwards: measurements, skills, audits, replays.

const MOMENTS = [
  '2026-01-31T12:00:00Z',
  '2026-01-31T13:30:00Z',
  '2026-02-04T00:00:00Z',
  '2030-01-01',
] as const

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

export const measure: Ask = (random, known) => {
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

export const proposeSkills: Ask = (random, known) => {
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

export const listSkills: Ask = (random) => ({
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

export const reviewSkill: Ask = (random, known) => ({
  operation: random.pick(['promoteSkill', 'rejectSkill']),
  body: {
    candidate_id: random.maybe(known.skillIds.slice(-6)) ?? 'skill:none',
    reviewer_id: random.pick(['ann', 'bob']),
    reason: 'The steps are those of the run.',
    ...(random.isIn(0.2) ? who(random) : {}),
    ...random.some(0.3, { include_markdown: () => true }),
  },
})

export const operatorSnapshot: Ask = (random, known) => ({
  operation: 'operatorSnapshot',
  body: {
    ...(random.isIn(0.5) ? who(random) : {}),
    ...(random.isIn(0.5) ? task(random) : {}),
    ...random.some(0.2, {
      guide_trace_id: () => guideIdOf(random.maybe(known.guides)),
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

export const blastRadius: Ask = (random, known) => ({
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
  const guide_trace_id = guideIdOf(random.maybe(known.guides))
  return random.weighed<() => Fields>([
    [3, () => ({ guide_trace_id })],
    [3, () => ({ product_trace: loop(random, known, random.isIn(0.5)) })],
    [1, () => ({ guide_trace_id, product_trace: loop(random, known) })],
  ])()
}

export const decisionTrace: Ask = (random, known) => ({
  operation: 'decisionTrace',
  body: traced(random, known),
})
export const decisionReport: Ask = (random, known) => ({
  operation: 'decisionReport',
  body: traced(random, known),
})

function artifacts(random: Random, known: Known): Fields {
  const about = random.maybe(known.guides)
  const { before_guide, after_guide, feedback_result, forget_result } = loop(random, known)
  const admission = objectOf(random.maybe(known.admissions)?.['memory_admission_record'])
  return random.pick<Fields>([
    { product_trace: { before_guide, after_guide, feedback_result, forget_result } },
    { agent_context: objectOf(about?.['agent_context']) },
    { memory_use_receipt: objectOf(about?.['memory_use_receipt']), guide_trace_id: guideIdOf(about) },
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

export const flightRecorder: Ask = (random, known) => ({
  operation: 'flightRecorder',
  body: {
    ...random.weighed<() => Fields>([
      [3, () => ({ replay_source: 'journal', guide_trace_id: guideIdOf(random.maybe(known.guides)) })],
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
