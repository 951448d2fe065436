import { CLIENT_IDS } from './texts.ts'

export interface Json {
  readonly [name: string]: unknown
}

export interface Request {
  readonly operation: string
  readonly body: Json | readonly unknown[]
  /** The operation id that an edge takes from a header. */
  readonly key?: string
}

const KEPT_MAX = 60

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const objectOf = (value: unknown): Json => (isJson(value) ? value : {})

/** What one tenant and scope has answered so far: later requests name things of it. */
export class Known {
  readonly place: { readonly tenant_id: string; readonly scope: string }
  readonly memoryIds: string[] = []
  readonly clientIds: string[] = [...CLIENT_IDS]
  readonly claimIds: string[] = []
  readonly handoffIds: string[] = []
  readonly skillIds: string[] = []
  /** Texts that were written, for near duplicates. */
  readonly texts: string[] = []
  readonly guides: Json[] = []
  readonly feedbacks: Json[] = []
  readonly lifecycles: Json[] = []
  readonly traces: Json[] = []
  readonly audits: Json[] = []
  readonly snapshots: Json[] = []
  readonly measured: Json[] = []
  readonly admissions: Json[] = []
  /** Writes with an operation id, for repeats. */
  readonly keyed: Request[] = []

  constructor(tenantId: string, scope: string) {
    this.place = { tenant_id: tenantId, scope }
  }

  /** @param answer null when the request was refused */
  learn(request: Request, answer: Json | null): void {
    const { operation, body, key } = request
    const given = isJson(body) ? body : {}
    if (key !== undefined || typeof given['operation_id'] === 'string') keep(this.keyed, request)
    if (answer === null) return
    const learnt: Readonly<Record<string, () => void>> = {
      observe: () => this.#observed(given, answer),
      guide: () => keep(this.guides, answer),
      feedback: () => keep(this.feedbacks, answer),
      forget: () => keep(this.lifecycles, answer),
      rehydrate: () => keep(this.lifecycles, answer),
      govern: () => keep(this.admissions, answer),
      measure: () => keep(this.measured, answer),
      proposeSkills: () => this.#proposed(answer['candidates']),
      operatorSnapshot: () => keep(this.snapshots, objectOf(answer['operator_snapshot'])),
      decisionTrace: () => keep(this.traces, objectOf(answer['memory_decision_trace'])),
      decisionReport: () => keep(this.audits, objectOf(answer['memory_decision_audit'])),
    }
    learnt[operation]?.()
  }

  #observed(given: Json, answer: Json): void {
    for (const id of textsOf(answer['memory_ids'])) keep(this.memoryIds, id, 400)
    for (const id of textsOf(answer['claim_ids'])) keep(this.claimIds, id)
    if (typeof answer['handoff_id'] === 'string') keep(this.handoffIds, answer['handoff_id'])
    const written = given['input_text'] ?? objectOf(given['memory'])['text']
    if (typeof written === 'string' && written.length < 500) keep(this.texts, written)
  }

  #proposed(candidates: unknown): void {
    for (const candidate of Array.isArray(candidates) ? candidates : []) {
      const id = objectOf(candidate)['candidate_id']
      if (typeof id === 'string' && !this.skillIds.includes(id)) keep(this.skillIds, id)
    }
  }
}

/** Ids that a guide has exposed. */
export function exposedBy(guide: Json | null): string[] {
  return textsOf(objectOf(guide?.['agent_context'])['memory_ids'])
}

/** Ids on its surface for direct use. */
export function usableOf(guide: Json | null): string[] {
  return textsOf(objectOf(guide?.['agent_context'])['use_now_memory_ids'])
}

function keep<T>(list: T[], item: T, max = KEPT_MAX): void {
  list.push(item)
  if (list.length > max) list.shift()
}
