import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestedName } from '../../src/contract/operations.ts'
import { type Embedded, type Place, startEmbedded } from '../harness/embedded.ts'
import { provingAsync } from '../support/prove.ts'

const prove = provingAsync(100)

/** One of two places in which ann does the same things; in one of them ben works beside her, unseen. */
class Twin {
  readonly place: Place
  readonly #real: Embedded
  readonly #names = new Map<string, string>()
  /** What ann knows: ids by the order of her own answers. */
  readonly ids: string[] = []
  readonly traces: string[] = []
  readonly shown: string[][] = []

  constructor(real: Embedded, place: Place) {
    this.#real = real
    this.place = place
  }

  /** Ann's answer with ids and place replaced by what they are to her. */
  async ann(operation: RequestedName, body: object): Promise<unknown> {
    const request = { ...this.place, consumer_agent_id: 'ann', consumer_team_id: 'red', ...body }
    const { text, answer } = await this.#real.call(operation, request)
    if (answer !== null && 'memory_ids' in answer) this.ids.push(...(answer.memory_ids as string[]))
    if (answer !== null && 'agent_context' in answer && 'guide_trace_id' in answer) {
      const context = answer.agent_context as { readonly memory_ids: string[] }
      this.traces.push(String(answer.guide_trace_id))
      this.shown.push(context.memory_ids)
    }
    const named = text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      const name = this.#names.get(id) ?? `id-${this.#names.size}`
      this.#names.set(id, name)
      return name
    })
    // A prompt holds ids, so its hash is not that of the other place; the journal is one for all.
    const told = named
      .replaceAll(/"prompt_(sha256|hash)":"\w+"/g, '"prompt_$1":"hash"')
      .replaceAll(/sequence stood at \d+ before and \d+ after/g, 'sequence stood')
      .replaceAll(/"((?:\w+_)?seq)":\d+/g, '"$1":0')
    return JSON.parse(told.replaceAll(this.place.scope, 'here'))
  }

  now(): number {
    return this.#real.clock.nowMs()
  }

  async ben(operation: RequestedName, body: object): Promise<void> {
    await this.#real.call(operation, {
      ...this.place,
      consumer_agent_id: 'ben',
      consumer_team_id: 'blue',
      ...body,
    })
  }
}

type Step =
  | { readonly who: 'ann'; readonly operation: RequestedName; readonly body: (twin: Twin) => object }
  | { readonly who: 'ben'; readonly operation: RequestedName; readonly body: (twin: Twin) => object }

const index = fc.nat({ max: 1000 })
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]
const clientId = fc.constantFrom('same-1', 'same-2', 'same-3')
const words = fc.constantFrom(
  'The login test fails when the session cookie has expired.',
  'Run the login test before every release.',
  'src/auth/login.ts holds the session cookie.',
  'Releases go out on Tuesday.',
)
const annLanes = fc.constantFrom(
  { memory_lane: 'shared' },
  { memory_lane: 'shared', owner_agent_id: 'ann' },
  { memory_lane: 'private', owner_agent_id: 'ann' },
  { memory_lane: 'shared', owner_team_id: 'red' },
)
const benLanes = fc.constantFrom(
  { memory_lane: 'private', owner_agent_id: 'ben' },
  { memory_lane: 'shared', owner_team_id: 'blue' },
  { memory_lane: 'private', owner_agent_id: 'ben', owner_team_id: 'blue' },
)

/** The same names on both sides: client ids, anchors, slots, signatures. */
const written = (lanes: fc.Arbitrary<object>, run: string) =>
  fc
    .record({ lane: lanes, text: words, client: clientId, form: fc.nat({ max: 4 }), outcome: fc.boolean() })
    .map(({ lane, text, client, form, outcome }) => {
      const memory = { text, title: text, client_id: client, kind: form === 0 ? 'preference' : 'fact' }
      const execution = {
        client_id: client,
        title: text,
        outcome: outcome ? 'succeeded' : 'failed',
        task_signature: 'fix:login',
        run_id: run,
      }
      const claim = {
        subject_key: 'login',
        predicate: 'is',
        value: text,
        slot_key: 's',
        conflict_policy: 'singleton_latest',
      }
      const forms = [
        { memory },
        { memory },
        { execution },
        { handoff: { anchor: 'anchor-1', summary: text, task_signature: 'fix:login' } },
        { claims: [claim] },
      ]
      return { ...lane, ...forms[form] }
    })

const ann: fc.Arbitrary<Step> = fc.oneof(
  written(annLanes, 'run-ann').map(
    (body) => ({ who: 'ann', operation: 'observe', body: () => body }) as const,
  ),
  fc.tuple(words, fc.boolean(), fc.boolean(), fc.constantFrom(2, 30)).map(
    ([query_text, isFull, include_packets, limit]) =>
      ({
        who: 'ann',
        operation: 'guide',
        body: () => ({
          query_text,
          include_packets,
          limit,
          mode: isFull ? 'full_power' : 'standard',
          task_signature: 'fix:login',
          run_id: 'run-ann',
        }),
      }) as const,
  ),
  fc.tuple(index, index, fc.constantFrom('positive', 'negative')).map(
    ([guide, id, outcome]) =>
      ({
        who: 'ann',
        operation: 'feedback',
        body: (twin: Twin) => ({
          reason: 'it was so',
          run_id: `run-${id % 3}`,
          outcome,
          used_surface: 'use_now',
          guide_trace_id: pick(twin.traces, guide) ?? 'none',
          used_memory_ids: [pick(pick(twin.shown, guide) ?? [], id) ?? 'none'],
        }),
      }) as const,
  ),
  fc.tuple(index, clientId, fc.constantFrom('partial', 'full', 'differential'), fc.nat({ max: 2 })).map(
    ([id, client, mode, by]) =>
      ({
        who: 'ann',
        operation: 'rehydrate',
        body: (twin: Twin) => ({
          reason: 'to read it',
          mode,
          ...[
            { memory_ids: [pick(twin.ids, id) ?? 'none'] },
            { client_ids: [client] },
            { anchor_id: 'anchor-1' },
          ][by],
        }),
      }) as const,
  ),
  fc.tuple(index, fc.constantFrom('suppress', 'unsuppress')).map(
    ([id, operation]) =>
      ({
        who: 'ann',
        operation: 'forget',
        body: (twin: Twin) => ({
          operation,
          target: 'memory',
          reason: 'for now',
          memory_ids: [pick(twin.ids, id) ?? 'none'],
        }),
      }) as const,
  ),
  fc.tuple(index, fc.constantFrom('memory', 'run', 'concept', 'claim', 'handoff')).map(
    ([id, type]) =>
      ({
        who: 'ann',
        operation: 'resolve',
        body: (twin: Twin) => ({
          uri: `svc://${twin.place.tenant_id}/${twin.place.scope}/${type}/${type === 'run' ? 'run-ann' : (pick(twin.ids, id) ?? 'none')}`,
          include_slots: true,
          include_meta: true,
        }),
      }) as const,
  ),
)

/** What a report is asked about: one of her guides, by id or from the journal, or a memory by any of its names. */
const asked = fc
  .tuple(index, clientId, fc.boolean(), fc.constantFrom('ann', 'red', 'ben', 'blue'), words)
  .map(([at, client_id, isLatest, source, text]) => (twin: Twin) => {
    const guide_trace_id = pick(twin.traces, at) ?? 'guide_trace:none'
    const replay_source = 'journal'
    const decision_time = new Date(twin.now()).toISOString()
    const candidate = { external_memory_id: pick(twin.ids, at) ?? 'none', source_backend: 'vec', text }
    return {
      decisionTrace: { guide_trace_id },
      decisionReport: { guide_trace_id },
      operatorSnapshot: {
        include_markdown: true,
        ...(isLatest ? { task_signature: 'fix:login' } : { guide_trace_id }),
      },
      flightRecorder: isLatest ? { replay_source, decision_time } : { replay_source, guide_trace_id },
      blastRadius: [{ client_id }, { memory_id: pick(twin.ids, at) ?? 'none' }, { source }][at % 3],
      govern: { query_text: text, candidates: [candidate], include_records: true },
    }
  })

const report: fc.Arbitrary<Step> = fc
  .tuple(
    fc.constantFrom(
      'decisionTrace',
      'decisionReport',
      'operatorSnapshot',
      'flightRecorder',
      'blastRadius',
      'govern',
    ),
    asked,
  )
  .map(([operation, of]) => ({ who: 'ann', operation, body: (twin: Twin) => of(twin)[operation] ?? {} }))

const reference = fc.oneof(
  clientId.map((client_id) => () => ({ client_id })),
  index.map((id) => (twin: Twin) => ({ id: pick(twin.ids, id) ?? 'none' })),
)

/** Ben keeps to his own lanes, whatever of ann's he names from there. */
const benWrites: fc.Arbitrary<Step> = fc
  .tuple(written(benLanes, 'run-ann'), reference, reference, fc.boolean())
  .map(
    ([body, from, to, hasRefs]) =>
      ({
        who: 'ben',
        operation: 'observe',
        body: (twin: Twin) => ({
          ...body,
          ...('memory' in body && hasRefs
            ? { memory: { ...(body.memory as object), supersedes: [to(twin)], derived_from: [from(twin)] } }
            : {}),
        }),
      }) as const,
  )

const ben: fc.Arbitrary<Step> = fc.oneof(
  benWrites,
  words.map(
    (query_text) =>
      ({
        who: 'ben',
        operation: 'guide',
        body: () => ({ query_text, run_id: 'run-ben', mode: 'full_power' }),
      }) as const,
  ),
  fc.tuple(clientId, fc.constantFrom('suppress', 'rehydrate')).map(
    ([client, operation]) =>
      ({
        who: 'ben',
        operation: 'rehydrate',
        body: () => ({
          operation,
          target: 'memory',
          reason: 'mine',
          anchor_id: 'anchor-1',
          client_ids: [client],
        }),
      }) as const,
  ),
)

/** Proves that every answer to ann is that of a place in which ben does nothing. */
async function proveApart(anns: fc.Arbitrary<Step>, bens: fc.Arbitrary<Step>): Promise<void> {
  const real = await startEmbedded({ config: { durability: 'interval' } })
  let runs = 0
  const anyStep = fc.oneof({ weight: 3, arbitrary: anns }, { weight: 2, arbitrary: bens })
  await prove(fc.array(anyStep, { minLength: 2, maxLength: 30, size: 'max' }), async (list) => {
    runs += 1
    const alone = new Twin(real, { tenant_id: 'twins', scope: `a-${runs}-place` })
    const beside = new Twin(real, { tenant_id: 'twins', scope: `b-${runs}-place` })
    for (const step of list) {
      if (step.who === 'ben') {
        await beside.ben(step.operation, step.body(beside))
      } else {
        const answer = await beside.ann(step.operation, step.body(beside))
        expect(answer).toEqual(await alone.ann(step.operation, step.body(alone)))
      }
    }
  })
}

test('V4: what others write in their own lanes changes no answer, whatever names they share', () =>
  proveApart(ann, ben))

// A guide of ben's shows what is shared, which reports of that memory count.
test('V4: what others write in their own lanes changes no report, whatever names they share', () =>
  proveApart(fc.oneof(ann, report), benWrites))
