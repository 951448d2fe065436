import type { OperationName } from '../../src/contract/operations.ts'
import { type Requests, requestsOf, SCOPE } from '../seeded-scope.ts'

/** Asks an operation and gives its answer; rejects when it is refused. */
export type Call = (operation: OperationName, body: object) => Promise<object>

/** One endpoint as it is measured. */
export interface Endpoint {
  readonly operation: OperationName
  /** A request that is accepted, however often it is sent. */
  readonly body: () => object
}

/** What stays of the endpoints, and why. */
export const LEFT_OUT =
  'promoteSkill and rejectSkill are left out: a candidate is reviewed once. erase is of a memory that was erased before.'

const GUIDES = 20
const RUN = 'run-endpoints'
const SPARE = 16

interface Known {
  readonly requests: Requests
  /** Answers of guides of one run. */
  readonly guides: readonly object[]
  readonly shownIds: readonly string[]
  /** Memories that nothing else asks for. */
  readonly spareIds: readonly string[]
  readonly erasedId: string
}

/** Makes what the endpoints refer to, and their bodies, in a scope that was seeded. */
export async function endpointsOver(call: Call, seed: number): Promise<readonly Endpoint[]> {
  const requests = requestsOf(seed)
  const guides: object[] = []
  for (let asked = 0; asked < GUIDES; asked += 1) {
    guides.push(await call('guide', { ...requests.guide(), run_id: RUN }))
  }
  const shownIds = guides.map((guide) => idsOf(Reflect.get(guide, 'agent_context'))[0] ?? '')
  const spareIds: string[] = []
  for (let made = 0; made <= SPARE; made += 1) {
    const [id = ''] = idsOf(await call('observe', requests.observe()))
    spareIds.push(id)
  }
  const erasedId = spareIds.pop() ?? ''
  await call('erase', { scope: SCOPE, reason: 'asked for', memory_ids: [erasedId] })
  return rowsOf({ requests, guides, shownIds, spareIds, erasedId })
}

function rowsOf({ requests, guides, shownIds, spareIds, erasedId }: Known): readonly Endpoint[] {
  let turns = 0
  const next = <Item>(items: readonly Item[]): Item | undefined => {
    turns += 1
    return items[turns % items.length]
  }
  const traceId = () => guideTraceIdOf(next(guides))
  const feedback = () => {
    const place = turns++ % guides.length
    const guide = guideTraceIdOf(guides[place])
    const used = { used_surface: 'explicit_host_assertion', used_memory_ids: [shownIds[place]] }
    return {
      run_id: `run-${turns}`,
      reason: 'the run ended',
      outcome: 'positive',
      guide_trace_id: guide,
      ...used,
    }
  }
  const forget = () => {
    const operation = Math.floor(turns / spareIds.length) % 2 === 0 ? 'suppress' : 'unsuppress'
    return { operation, target: 'memory', reason: 'review', actor: 'operator', memory_ids: [next(spareIds)] }
  }
  const rows: Partial<Record<OperationName, () => object>> = {
    observe: requests.observe,
    guide: requests.guide,
    feedback,
    govern: () => ({ query_text: requests.guide().query_text, candidates: CANDIDATES }),
    forget,
    erase: () => ({ reason: 'asked for', memory_ids: [erasedId] }),
    rehydrate: () => ({ reason: 'evidence', mode: 'full', memory_ids: [next(shownIds)] }),
    resolve: () => ({ uri: `svc://default/${SCOPE}/memory/${next(shownIds)}` }),
    measure: () => ({ product_trace: { before_guide: guides[0], after_guide: guides[1] } }),
    proposeSkills: () => ({ task_signature: 'task-1' }),
    listSkills: () => ({}),
    operatorSnapshot: () => ({ run_id: RUN }),
    blastRadius: () => ({ memory_id: next(shownIds) }),
    decisionTrace: () => ({ guide_trace_id: traceId() }),
    decisionReport: () => ({ guide_trace_id: traceId() }),
    flightRecorder: () => ({ guide_trace_id: traceId(), replay_source: 'journal' }),
    health: () => ({}),
  }
  return Object.entries(rows).map(([operation, body]) => ({
    operation: operation as OperationName,
    body: operation === 'health' || operation === 'resolve' ? body : () => ({ scope: SCOPE, ...body() }),
  }))
}

const CANDIDATES = Array.from({ length: 5 }, (_, at) => ({
  external_memory_id: `note-${at}`,
  source_backend: 'vector-db',
  text: `Deploys go through staging first; step ${at} needs a green run of the integration tests.`,
}))

function idsOf(answer: unknown): readonly string[] {
  const ids: unknown = Reflect.get(Object(answer), 'memory_ids')
  return Array.isArray(ids) ? ids.map(String) : []
}

function guideTraceIdOf(guide: object | undefined): string {
  return String(Reflect.get(Object(guide), 'guide_trace_id'))
}
