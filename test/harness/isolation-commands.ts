import fc from 'fast-check'
import { expect } from 'vitest'
import type { OperationName } from '../../src/contract/operations.ts'
import { RESOLVE_TYPES } from '../../src/contract/resolve.ts'
import type { Embedded, Place } from './embedded.ts'
import { audienceOf, type Eyes, type IsolationModel, type Lanes } from './isolation-model.ts'
import type { Reply } from './reply.ts'

type Command = fc.AsyncCommand<IsolationModel, Embedded>

const AGENTS = ['ann', 'ben', 'cem']
const TEAMS = ['red', 'blue']
const SHARED_CLIENT_IDS = ['same-1', 'same-2']
const index = fc.nat({ max: 10_000 })
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]
const eyesArb: fc.Arbitrary<Eyes> = fc.record({
  agent: fc.constantFrom(...AGENTS, 'local-agent'),
  team: fc.constantFrom(null, null, ...TEAMS),
})

function lanesOf(eyes: Eyes, kind: number): Lanes {
  const team = eyes.team ?? 'red'
  const lanes: readonly Lanes[] = [
    {},
    { memory_lane: 'shared' },
    { owner_agent_id: eyes.agent },
    { memory_lane: 'private', owner_agent_id: eyes.agent },
    { memory_lane: 'private', owner_team_id: team },
    { memory_lane: 'shared', owner_team_id: team },
    { memory_lane: 'shared', owner_team_id: team, owner_agent_id: eyes.agent },
    { memory_lane: 'shared', owner_agent_id: eyes.agent },
    { memory_lane: 'private' },
  ]
  return pick(lanes, kind) ?? {}
}

function ownerEyes(eyes: Eyes, lanes: Lanes): Eyes {
  return { agent: lanes.owner_agent_id ?? eyes.agent, team: lanes.owner_team_id ?? eyes.team }
}

/** What a request says of who asks; `local-agent` says nothing. */
function consumerFields(eyes: Eyes): object {
  return {
    ...(eyes.agent === 'local-agent' ? {} : { consumer_agent_id: eyes.agent }),
    ...(eyes.team === null ? {} : { consumer_team_id: eyes.team }),
  }
}

/** One request of somebody, checked against what may be in its answer. */
async function send<Name extends OperationName>(
  model: IsolationModel,
  real: Embedded,
  operation: Name,
  place: Place,
  body: object,
  eyes: readonly Eyes[] | 'operator',
  learn: (reply: Reply<Name>) => readonly string[] | void = () => {},
): Promise<void> {
  const request = { ...place, ...body }
  const reply = await real.call(operation, request)
  const own = learn(reply) ?? []
  const leaks = model.leaks(place, eyes, JSON.stringify([request, own]), reply.text)
  const shown = `${operation} ${JSON.stringify(request)}\nanswered ${reply.text}`
  expect(leaks, shown).toEqual([])
}

function command(
  name: string,
  shown: object,
  run: (model: IsolationModel, real: Embedded) => Promise<void>,
): Command {
  return { check: () => true, run, toString: () => `${name} ${JSON.stringify(shown)}` }
}

const observe = fc
  .record({
    at: index,
    eyes: eyesArb,
    lane: index,
    nodeLane: index,
    form: fc.constantFrom('plain', 'memory', 'execution', 'handoff', 'claim', 'nodes', 'edge'),
    isSameClientId: fc.boolean(),
    refs: fc.array(index, { maxLength: 2 }),
    extra: index,
    outcome: fc.constantFrom('succeeded', 'failed', 'unknown'),
    lifecycle: fc.constantFrom('active', 'archived', 'contested'),
  })
  .map((plan) =>
    command('observe', plan, async (model, real) => {
      const place = model.places[plan.at % model.places.length]!
      const state = model.at(place)
      const lanes = lanesOf(plan.eyes, plan.lane)
      const nodeLanes = lanesOf(plan.eyes, plan.nodeLane)
      const text = () => {
        const words = `the ${model.mark('text')} login of ${model.mark('text')}`
        state.texts.push(words)
        return words
      }
      const clientId = plan.isSameClientId
        ? (pick(SHARED_CLIENT_IDS, plan.extra) ?? '')
        : `client-${model.mark('name')}`
      const reference = (at: number) =>
        at % 3 === 0
          ? { client_id: pick(SHARED_CLIENT_IDS, at) }
          : { id: pick(state.memories, at)?.id ?? 'none' }
      const refs = plan.refs.map(reference)
      const run_id = `run-${model.mark('name')}`
      const words = {
        title: text(),
        text: text(),
        text_summary: text(),
        target_files: [`src/${model.mark('text')}.ts`],
      }
      const memory = {
        ...words,
        client_id: clientId,
        derived_from: refs,
        supersedes: refs,
        lifecycle: plan.lifecycle,
      }
      const forms = {
        plain: { input_text: text() },
        memory: { memory, run_id },
        execution: {
          execution: {
            run_id,
            title: text(),
            summary: text(),
            outcome: plan.outcome,
            task_signature: 'fix:login',
            client_id: clientId,
            evidence_ref: `ci-${model.mark('name')}`,
            supersedes: refs,
          },
        },
        handoff: {
          handoff: {
            anchor: 'anchor-1',
            summary: text(),
            handoff_text: text(),
            next_action: text(),
            risk: text(),
          },
          task_signature: 'fix:login',
        },
        claim: {
          claims: [
            {
              subject_key: 'login',
              predicate: 'uses',
              value: text(),
              slot_key: 'slot-1',
              conflict_policy: 'singleton_latest',
              client_id: `claim-${model.mark('name')}`,
            },
          ],
        },
        nodes: {
          nodes: [{ ...memory, ...nodeLanes }],
          edges: [{ type: 'contradicts', src: { client_id: clientId }, dst: refs[0] ?? { id: 'none' } }],
        },
        edge: {
          edges: [{ type: 'invalidates', src: reference(plan.extra), dst: refs[0] ?? { id: 'none' } }],
        },
      }
      const body = { ...consumerFields(plan.eyes), ...lanes, ...forms[plan.form] }
      const audience = audienceOf(plan.form === 'nodes' ? { ...lanes, ...nodeLanes } : lanes)
      model.share(
        place,
        JSON.stringify(forms[plan.form]).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ''),
        audience,
      )
      // Who names an owner writes in the owner's lane, and learns the ids that the write gave or found there.
      await send(
        model,
        real,
        'observe',
        place,
        body,
        [plan.eyes, ownerEyes(plan.eyes, lanes)],
        ({ answer }) => {
          for (const id of answer?.memory_ids ?? []) model.addMemory(place, id, audience)
          return answer?.memory_ids
        },
      )
      state.clientIds.push(clientId)
      state.runIds.push(run_id)
    }),
  )

const guide = fc
  .record({
    at: index,
    eyes: eyesArb,
    run: index,
    isFull: fc.boolean(),
    isCompact: fc.boolean(),
    packets: fc.boolean(),
    signature: fc.constantFrom(null, 'fix:login'),
  })
  .map((plan) =>
    command('guide', plan, async (model, real) => {
      const place = model.places[plan.at % model.places.length]!
      const state = model.at(place)
      const run_id = plan.run % 2 === 0 ? `run-${model.mark('name')}` : pick(state.runIds, plan.run)
      const body = {
        ...consumerFields(plan.eyes),
        query_text: `how does the login of ${model.mark('text')} work?`,
        mode: plan.isFull ? 'full_power' : 'standard',
        context_mode: plan.isCompact ? 'compact_agent' : 'standard',
        include_packets: plan.packets,
        ...(run_id === undefined ? {} : { run_id }),
        ...(plan.signature === null ? {} : { task_signature: plan.signature }),
      }
      const own = { kind: 'consumer', eyes: plan.eyes } as const
      model.share(place, JSON.stringify(body), own)
      await send(model, real, 'guide', place, body, [plan.eyes], ({ answer }) => {
        if (answer === null) return
        model.share(place, answer.guide_trace_id, own)
        const { memory_ids: memoryIds } = answer.agent_context
        state.guides.push({ traceId: answer.guide_trace_id, eyes: plan.eyes, memoryIds })
      })
      if (run_id !== undefined) state.runIds.push(run_id)
    }),
  )

const feedback = fc
  .record({
    at: index,
    eyes: eyesArb,
    guide: index,
    isByGuide: fc.boolean(),
    ids: fc.array(index, { minLength: 1, maxLength: 2 }),
    run: index,
    outcome: fc.constantFrom('positive', 'negative', 'neutral'),
    surface: fc.constantFrom('use_now', 'explicit_host_assertion'),
  })
  .map((plan) =>
    command('feedback', plan, async (model, real) => {
      const place = model.places[plan.at % model.places.length]!
      const state = model.at(place)
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
      await send(model, real, 'feedback', place, body, [shownBy?.eyes ?? plan.eyes])
    }),
  )

const forget = fc
  .record({
    at: index,
    eyes: eyesArb,
    isOperator: fc.boolean(),
    operation: fc.constantFrom('suppress', 'unsuppress', 'rehydrate', 'activate'),
    ids: fc.array(index, { minLength: 1, maxLength: 2 }),
    client: index,
  })
  .map((plan) =>
    command('forget', plan, async (model, real) => {
      const place = model.places[plan.at % model.places.length]!
      const state = model.at(place)
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
      await send(model, real, 'forget', place, body, isAllSeeing ? 'operator' : [asked])
    }),
  )

const rehydrate = fc
  .record({
    at: index,
    eyes: eyesArb,
    mode: fc.constantFrom('summary_only', 'partial', 'full', 'differential'),
    ids: fc.array(index, { minLength: 1, maxLength: 3 }),
    client: index,
    guide: index,
    isByGuide: fc.boolean(),
  })
  .map((plan) =>
    command('rehydrate', plan, async (model, real) => {
      const place = model.places[plan.at % model.places.length]!
      const state = model.at(place)
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
      await send(model, real, 'rehydrate', place, body, [shownBy?.eyes ?? plan.eyes])
    }),
  )

const govern = fc
  .record({
    at: index,
    eyes: eyesArb,
    ids: fc.uniqueArray(index, { minLength: 1, maxLength: 3 }),
    from: index,
  })
  .map((plan) =>
    command('govern', plan, async (model, real) => {
      const place = model.places[plan.at % model.places.length]!
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
      await send(model, real, 'govern', place, body, [plan.eyes])
    }),
  )

const resolve = fc
  .record({
    at: index,
    from: index,
    eyes: eyesArb,
    type: fc.constantFrom(...RESOLVE_TYPES),
    id: index,
  })
  .map((plan) =>
    command('resolve', plan, async (model, real) => {
      const place = model.places[plan.at % model.places.length]!
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
      await send(model, real, 'resolve', place, { ...consumerFields(plan.eyes), uri, ...flags }, [plan.eyes])
    }),
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
  forget,
  rehydrate,
  rehydrate,
  resolve,
  govern,
  restart,
  later,
]
