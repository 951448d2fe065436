import fc from 'fast-check'
import { RESOLVE_TYPES } from '../../src/contract/resolve.ts'
import { finish } from './isolation-finish.ts'
import { observe } from './isolation-observe.ts'
import { command, consumerFields, index, pick, placed, SHARED_CLIENT_IDS } from './isolation-request.ts'

const guide = placed(
  'guide',
  {
    run: index,
    isFull: fc.boolean(),
    isCompact: fc.boolean(),
    packets: fc.boolean(),
    handles: fc.boolean(),
    signature: fc.constantFrom(null, 'fix:login'),
  },
  async ({ plan, model, place, state, send }) => {
    const run_id = plan.run % 2 === 0 ? `run-${model.mark('name')}` : pick(state.runIds, plan.run)
    const body = {
      ...consumerFields(plan.eyes),
      query_text: `how does the login of ${model.mark('text')} work?`,
      mode: plan.isFull ? 'full_power' : 'standard',
      context_mode: plan.isCompact ? 'compact_agent' : 'standard',
      include_packets: plan.packets,
      handles: plan.handles,
      ...(run_id === undefined ? {} : { run_id }),
      ...(plan.signature === null ? {} : { task_signature: plan.signature }),
    }
    const own = { kind: 'consumer', eyes: plan.eyes } as const
    model.share(place, JSON.stringify(body), own)
    await send('guide', body, [plan.eyes], ({ answer }) => {
      if (answer === null) return
      model.share(place, answer.guide_trace_id, own)
      const { memory_ids: memoryIds } = answer.agent_context
      state.guides.push({ traceId: answer.guide_trace_id, eyes: plan.eyes, memoryIds })
    })
    if (run_id !== undefined) state.runIds.push(run_id)
  },
)

const feedback = placed(
  'feedback',
  {
    guide: index,
    isByGuide: fc.boolean(),
    ids: fc.array(index, { minLength: 1, maxLength: 2 }),
    run: index,
    outcome: fc.constantFrom('positive', 'negative', 'neutral'),
    surface: fc.constantFrom('use_now', 'explicit_host_assertion'),
  },
  async ({ plan, model, place, state, send }) => {
    const shownBy = plan.isByGuide ? pick(state.guides, plan.guide) : undefined
    const among = shownBy?.memoryIds ?? state.memories.map((memory) => memory.id)
    const ids = plan.ids.map((at) => pick(among, at) ?? 'none')
    const body = {
      ...consumerFields(plan.eyes),
      reason: `because of ${model.mark('text')}`,
      run_id: pick(state.runIds, plan.run) ?? 'run-0',
      outcome: plan.outcome,
      used_surface: plan.surface,
      used_memory_ids: ids,
      verifier_status: plan.outcome === 'negative' ? 'failed' : 'passed',
      ...(shownBy === undefined ? {} : { guide_trace_id: shownBy.traceId }),
    }
    // What is said of a memory is for whoever sees that memory.
    for (const id of ids) {
      const audience = model.audienceOfMemory(place, id)
      if (audience !== null) model.share(place, `${body.reason} ${body.run_id}`, audience)
    }
    await send('feedback', body, [shownBy?.eyes ?? plan.eyes])
  },
)

const forget = placed(
  'forget',
  {
    isOperator: fc.boolean(),
    operation: fc.constantFrom('suppress', 'unsuppress', 'rehydrate', 'activate'),
    ids: fc.array(index, { minLength: 1, maxLength: 2 }),
    client: index,
  },
  async ({ plan, model, place, state, send }) => {
    const ids = plan.ids.map((at) => pick(state.memories, at)?.id ?? 'none')
    const reason = `because of ${model.mark('text')}`
    const body = {
      ...(plan.isOperator ? {} : consumerFields(plan.eyes)),
      operation: plan.operation,
      target: 'memory',
      reason,
      memory_ids: ids,
      client_ids: [pick(SHARED_CLIENT_IDS, plan.client)],
      anchor_id: 'anchor-1',
      actor: 'operator',
      ...(plan.operation === 'activate'
        ? { outcome: 'positive', used_surface: 'explicit_host_assertion', run_id: 'run-0' }
        : {}),
    }
    // A reason stands on every memory that it was given for.
    for (const { audience } of state.memories) model.share(place, reason, audience)
    const isUnnamed = plan.eyes.agent === 'local-agent' && plan.eyes.team === null
    const isAllSeeing = (plan.isOperator || isUnnamed) && plan.operation !== 'rehydrate'
    const asked = plan.isOperator ? { agent: 'local-agent', team: null } : plan.eyes
    await send('forget', body, isAllSeeing ? 'operator' : [asked])
  },
)

const rehydrate = placed(
  'rehydrate',
  {
    mode: fc.constantFrom('summary_only', 'partial', 'full', 'differential'),
    ids: fc.array(index, { minLength: 1, maxLength: 3 }),
    client: index,
    guide: index,
    isByGuide: fc.boolean(),
  },
  async ({ plan, state, send }) => {
    const shownBy = plan.isByGuide ? pick(state.guides, plan.guide) : undefined
    const body = {
      ...consumerFields(plan.eyes),
      reason: 'to read it',
      mode: plan.mode,
      memory_ids: plan.ids.map((at) => pick(state.memories, at)?.id ?? 'none'),
      client_ids: [pick(state.clientIds, plan.client) ?? 'none'],
      anchor_id: 'anchor-1',
      ...(shownBy === undefined ? {} : { guide_trace_id: shownBy.traceId }),
    }
    await send('rehydrate', body, [shownBy?.eyes ?? plan.eyes])
  },
)

const govern = placed(
  'govern',
  {
    ids: fc.uniqueArray(index, { minLength: 1, maxLength: 3 }),
    from: index,
  },
  async ({ plan, model, place, send }) => {
    const source = model.at(model.places[plan.from % model.places.length]!)
    const ids = new Set(plan.ids.map((at) => pick(source.memories, at)?.id ?? 'none'))
    const candidates = [...ids].map((external_memory_id) => ({
      external_memory_id,
      source_backend: 'custom',
      text: pick(source.texts, plan.from) ?? `of ${model.mark('text')}`,
      lifecycle_hint: 'current',
      authority: { source_trust: 'trusted', evidence_requirement: 'none' },
    }))
    const body = { ...consumerFields(plan.eyes), query_text: 'login', candidates, include_records: true }
    await send('govern', body, [plan.eyes])
    // The recorder tells a consumer what was governed for it, by the ids that it sent itself.
    model.share(place, [...ids].join(' '), { kind: 'consumer', eyes: plan.eyes })
  },
)

const resolve = placed(
  'resolve',
  {
    from: index,
    type: fc.constantFrom(...RESOLVE_TYPES),
    id: index,
  },
  async ({ plan, model, place, send }) => {
    // The id of another place, asked for here, names nothing.
    const source = model.at(model.places[plan.from % model.places.length]!)
    const ids = {
      guide: source.guides.map((each) => each.traceId),
      run: source.runIds,
    }
    const memoryIds = source.memories.map((memory) => memory.id)
    const of = plan.type === 'guide' || plan.type === 'run' ? ids[plan.type] : memoryIds
    const id = encodeURIComponent(pick(of, plan.id) ?? 'none')
    const uri = `svc://${place.tenant_id}/${place.scope}/${plan.type}/${id}`
    const flags = { include_meta: true, include_slots: true }
    await send('resolve', { ...consumerFields(plan.eyes), uri, ...flags }, [plan.eyes])
  },
)

const snapshot = placed(
  'operatorSnapshot',
  { guide: index, isByGuide: fc.boolean(), run: index },
  async ({ plan, state, send }) => {
    // A guide of somebody else is asked for too: it is refused.
    const guide_trace_id = plan.isByGuide ? pick(state.guides, plan.guide)?.traceId : undefined
    const run_id = plan.run % 3 === 0 ? pick(state.runIds, plan.run) : undefined
    const body = {
      ...consumerFields(plan.eyes),
      // Who names nobody is an operator here.
      consumer_agent_id: plan.eyes.agent,
      include_markdown: true,
      ...(guide_trace_id === undefined ? {} : { guide_trace_id }),
      ...(run_id === undefined ? {} : { run_id }),
    }
    await send('operatorSnapshot', body, [plan.eyes])
  },
)

const blastRadius = placed(
  'blastRadius',
  {
    from: index,
    by: fc.constantFrom('memory_id', 'source', 'client_id', 'origin'),
    id: index,
  },
  async ({ plan, model, send }) => {
    const source = model.at(model.places[plan.from % model.places.length]!)
    const id = pick(source.memories, plan.id)?.id ?? 'none'
    const value = {
      memory_id: id,
      source: plan.id % 2 === 0 ? id : plan.eyes.agent,
      client_id: pick(SHARED_CLIENT_IDS, plan.id),
      origin: 'agent',
    }
    const who = { ...consumerFields(plan.eyes), consumer_agent_id: plan.eyes.agent }
    await send('blastRadius', { ...who, [plan.by]: value[plan.by] }, [plan.eyes])
  },
)

const decisions = placed(
  'decisions',
  {
    from: index,
    guide: index,
    isNamed: fc.boolean(),
    isReport: fc.boolean(),
    isBare: fc.boolean(),
    ids: fc.array(index, { maxLength: 3 }),
  },
  async ({ plan, model, place, send }) => {
    // A guide of another place is not held here: what is supplied of it is replayed.
    const source = model.at(model.places[plan.from % model.places.length]!)
    const guide = pick(source.guides, plan.guide)
    if (guide === undefined) return
    const use_now_memory_ids = plan.ids.map((at) => pick(source.memories, at)?.id ?? 'none')
    const after_guide = { guide_trace_id: guide.traceId, agent_context: { use_now_memory_ids } }
    const body = {
      ...(plan.isNamed ? consumerFields(plan.eyes) : {}),
      ...(plan.isBare ? { guide_trace_id: guide.traceId } : { product_trace: { after_guide } }),
    }
    const isHere = model.at(place).guides.includes(guide)
    const { agent, team } = plan.isNamed ? plan.eyes : { agent: 'local-agent', team: null }
    const isUnnamed = agent === 'local-agent' && team === null
    // What is not sent says nothing: whoever names the guide by fields that are those of its consumer acts as that one.
    const isOfGuide =
      (agent === 'local-agent' || agent === guide.eyes.agent) && (team === null || team === guide.eyes.team)
    const eyes = isHere && isOfGuide ? [guide.eyes] : isUnnamed ? 'operator' : [plan.eyes]
    await send(plan.isReport ? 'decisionReport' : 'decisionTrace', body, eyes)
  },
)

const flightRecorder = placed(
  'flightRecorder',
  {
    from: index,
    guide: index,
    run: index,
    ask: fc.constantFrom('guide', 'run', 'time', 'artifact'),
    isOwn: fc.boolean(),
  },
  async ({ plan, model, real, place, send }) => {
    // A guide of another place, named here, is not held here.
    const source = plan.ask === 'guide' ? model.places[plan.from % model.places.length]! : place
    const guide = pick(model.at(source).guides, plan.guide)
    const guide_trace_id = guide?.traceId ?? 'guide_trace:none'
    const asks = {
      guide: { replay_source: 'journal', guide_trace_id },
      run: { replay_source: 'journal', run_id: pick(model.at(place).runIds, plan.run) ?? 'run-0' },
      time: { replay_source: 'journal', decision_time: new Date(real.clock.nowMs()).toISOString() },
      artifact: { guide_trace_id, agent_context: { use_now_memory_ids: guide?.memoryIds ?? [] } },
    }
    const isNamed = plan.ask === 'guide' || plan.ask === 'artifact'
    const asking = isNamed && plan.isOwn && guide !== undefined ? guide.eyes : plan.eyes
    const isOperator = asking.agent === 'local-agent' && asking.team === null
    // Without a consumer of its own a request acts with that of the guide that it finds.
    const found =
      isNamed && guide !== undefined ? [guide.eyes] : model.at(place).guides.map(({ eyes }) => eyes)
    const eyes = isOperator ? [asking, ...found] : [asking]
    await send('flightRecorder', { ...consumerFields(asking), ...asks[plan.ask] }, eyes)
  },
)

const restart = fc.constant(null).map(() => command('restart', {}, async (_model, real) => real.restart()))
const later = fc.nat({ max: 3_600_000 }).map((byMs) =>
  command('later', { byMs }, async (_model, real) => {
    real.clock.advance(byMs)
  }),
)

/** Requests of several agents in several places, restarts between them; evictions come from the number of places. */
export const isolationCommands = [
  observe,
  observe,
  observe,
  guide,
  guide,
  feedback,
  finish,
  forget,
  rehydrate,
  rehydrate,
  resolve,
  govern,
  snapshot,
  blastRadius,
  decisions,
  flightRecorder,
  flightRecorder,
  restart,
  later,
]
