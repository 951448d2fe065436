import { z } from 'zod'
import type { Surface } from '../../src/core/base/closed-sets.ts'
import {
  createRuntime,
  type GovernBody,
  type GuideBody,
  type MemgovRuntime,
  type ObserveBody,
} from '../../src/index.ts'
import { withFolder } from '../suite/folder.ts'

/** What one guide showed. */
export interface Shown {
  readonly traceId: string
  /** Of every memory with a line, in order of rank. */
  readonly surfaces: ReadonlyMap<string, Surface>
  readonly ids: readonly string[]
}

/** How govern left one candidate. */
export interface Governed {
  readonly id: string
  readonly surface: Surface
  /** Another candidate of the request speaks against it. */
  readonly isAccused: boolean
}

export interface Text {
  readonly id: string
  readonly text: string
  readonly metadata?: Readonly<Record<string, string>>
}

const SAID = {
  lifecycle_hint: 'current',
  authority: { source_trust: 'trusted', evidence_requirement: 'none' },
} as const
const SURFACE_LISTS = {
  use_now: 'use_now_memory_ids',
  inspect_before_use: 'inspect_before_use_memory_ids',
  rehydrate: 'rehydrate_memory_ids',
  do_not_use: 'do_not_use_memory_ids',
} as const satisfies Record<Surface, string>
/** Names nothing that a text could be about. */
const NEUTRAL_QUERY = 'What is known about this?'
/** Everything that is admitted gets a line. */
const WHOLE = { limit: 200, context_char_budget: 1_000_000 }
const REFERENCES_MAX = 200

/** A runtime over an empty temporary folder that waits for no flush; it is closed and the folder removed afterwards. */
export function withRuntime<Result>(work: (runtime: MemgovRuntime) => Promise<Result>): Promise<Result> {
  return withFolder('judgement', async (dataDir) => {
    const runtime = await createRuntime({ dataDir, durability: 'none', logLevel: 'error' })
    try {
      return await work(runtime)
    } finally {
      await runtime.close()
    }
  })
}

/** Observes something and gives its memory id: of an echo that of the memory which it repeats. */
export async function observed(runtime: MemgovRuntime, body: ObserveBody): Promise<string> {
  const { memory_ids } = await runtime.observe(body)
  const [memoryId] = memory_ids
  if (memoryId === undefined) throw new Error('observe named no memory')
  return memoryId
}

/** A guide with room for everything; `body` may ask for less. */
export async function shown(runtime: MemgovRuntime, body: Omit<GuideBody, 'view'>): Promise<Shown> {
  const { agent_context, guide_trace_id } = await runtime.guide({ ...WHOLE, ...body })
  const surfaces = new Map<string, Surface>()
  for (const surface of ['use_now', 'inspect_before_use', 'rehydrate', 'do_not_use'] as const) {
    for (const id of agent_context[SURFACE_LISTS[surface]]) surfaces.set(id, surface)
  }
  return { traceId: guide_trace_id, surfaces, ids: agent_context.memory_ids }
}

/** Governs the texts of one request, of a trusted source that says they are current. */
export async function governed(
  runtime: MemgovRuntime,
  texts: readonly Text[],
  scope = 'govern',
): Promise<readonly Governed[]> {
  const candidates: GovernBody['candidates'] = texts.map(({ id, text, metadata }) => ({
    external_memory_id: id,
    source_backend: 'bench',
    text,
    ...SAID,
    ...(metadata === undefined ? {} : { metadata }),
  }))
  const answer = await runtime.govern({ scope, query_text: NEUTRAL_QUERY, candidates, include_records: true })
  return (answer.memory_admission_records ?? []).map(({ memory_id, admission_action, reason_codes }) => ({
    id: memory_id,
    surface: admission_action,
    isAccused: reason_codes.some(
      (code) => code === 'candidate_contradiction' || code.startsWith('disputed_by'),
    ),
  }))
}

const Disputes = z.looseObject({
  disputes: z.array(z.looseObject({ yields: z.unknown() })).optional(),
})

/** Those of the stored memories that another one put in doubt: contested, or they yield in a dispute. */
export async function accused(
  runtime: MemgovRuntime,
  scope: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let from = 0; from < ids.length; from += REFERENCES_MAX) {
    const { result } = await runtime.rehydrate({
      scope,
      memory_ids: ids.slice(from, from + REFERENCES_MAX),
      mode: 'summary_only',
      reason: 'how it stands',
    })
    for (const memory of result.memories) {
      const { disputes = [] } = Disputes.parse(memory)
      const isYielding = disputes.some(({ yields }) => yields === true || yields === memory.memory_id)
      if (isYielding || memory.lifecycle.standing === 'contested') found.add(memory.memory_id)
    }
  }
  return found
}

/** Does the work for each in order, one at a time. */
export async function inTurn<One, Result>(
  all: readonly One[],
  work: (one: One) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const one of all) results.push(await work(one))
  return results
}
