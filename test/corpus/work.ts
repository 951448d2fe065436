import { exposedBy, type Known, objectOf, usableOf } from './known.ts'
import { claim, edge, execution, handoff, lanesOf, memory, originOf, task, who } from './memories.ts'
import { type Ask, type Fields, guideIdOf, outcome, PROFILES, ROLES, someId } from './naming.ts'
import type { Random } from './random.ts'
import {
  AGENTS,
  EVIDENCE,
  FILES,
  freeObject,
  query,
  RUNS,
  sentence,
  TASKS,
  TOOLS,
  text,
  variant,
} from './texts.ts'

// What agents ask: they write, are guided, tell how it went, and have candidates governed.

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

export const observe: Ask = (random, known) => ({
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

export const guide: Ask = (random) => ({
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

export const feedback: Ask = (random, known) => {
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
    : { guide_trace_id: guideIdOf(about), [name]: used }
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

export const govern: Ask = (random, known) => ({
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
