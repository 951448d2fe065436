import { exposedBy, type Known } from './known.ts'
import { who } from './memories.ts'
import { type Ask, type Fields, guideIdOf, outcome, someId } from './naming.ts'
import type { Random } from './random.ts'
import { RUNS, sentence } from './texts.ts'

// What operators do to memory that is there, and how it is looked up.

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

export const forget: Ask = (random, known) => {
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
      ...(exposed.length > 0 && random.isIn(0.6)
        ? { guide_trace_id: guideIdOf(about), memory_ids: exposed }
        : {}),
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

export const erase: Ask = (random, known) => ({
  operation: 'erase',
  body: {
    reason: 'The person asked for it.',
    ...named(random, known),
    ...(random.isIn(0.2) ? who(random) : {}),
    ...random.some(0.3, { actor: () => 'ann' }),
  },
})

export const rehydrate: Ask = (random, known) => ({
  operation: 'rehydrate',
  body: {
    reason: sentence(random),
    ...named(random, known),
    ...(random.isIn(0.4) ? who(random) : {}),
    ...random.some(0.4, {
      mode: () => random.pick(MODES),
      target: () => random.pick(TARGETS),
      include_linked_decisions: () => random.isIn(0.7),
      guide_trace_id: () => guideIdOf(random.maybe(known.guides)),
    }),
  },
})

export const resolve: Ask = (random, known) => {
  const { tenant_id, scope } = known.place
  const type = random.pick(RESOLVE_TYPES)
  const ids: Readonly<Record<string, readonly string[]>> = {
    guide: known.guides.map(guideIdOf),
    run: RUNS,
    claim: known.claimIds,
    handoff: known.handoffIds,
  }
  const id = random.maybe(ids[type] ?? known.memoryIds) ?? 'no-such-id'
  const uri = `svc://${tenant_id}/${encodeURIComponent(scope)}/${type}/${encodeURIComponent(id)}`
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
