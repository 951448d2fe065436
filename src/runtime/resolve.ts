import type { Actor } from '../actor/actor.ts'
import { runInSlices } from '../actor/waiting.ts'
import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { memoryUriOf, parseMemoryUri, RESOLVE_TYPES, URI_RULES } from '../contract/resolve.ts'
import { DomainError, type ErrorDetails, invalidRequest } from '../core/base/errors.ts'
import { shownIn } from '../core/model/events.ts'
import { lifecycleStateAt } from '../core/model/lifecycle.ts'
import { wholeTextOf } from '../core/model/memory-fields.ts'
import type { Principal } from '../core/model/principal.ts'
import type { MemoryRecord } from '../core/model/record.ts'
import { byId, citingKnown } from '../core/model/references.ts'
import { type ActorState, memoriesOfRun } from '../core/model/state.ts'
import { isVisibleTo } from '../core/model/visibility.ts'
import { CREDIT_RUNS_MAX, creditOf, creditSeenBy } from '../core/report/credit.ts'
import { withoutSecretsSteps } from '../core/screening/secrets.ts'
import { disputesView, shownSources } from './memory-view.ts'
import { consumerOf, sentConsumerOf } from './normalise/identity.ts'
import { envelopeOf, exposureFor, type Handler, isoOf, type RuntimeParts, sourceMap } from './parts.ts'
import { isNotFound, ownGuides } from './reports/guide-records.ts'
import { outcomeCreditView } from './reports/memory-decision-rows.ts'

const RUN_MEMORIES_MAX = 200

/** Resolves a memory URI to its evidence. What the consumer cannot see is not found. @throws memory_not_found */
export const resolve: Handler<'resolve'> = async (parts, { request, principal }) => {
  const query = resolveQuery(request, principal)
  return parts.registry.use(query.tenantId, query.scope, async (actor) => {
    const guide = query.type === 'guide' ? await guideNode(parts, actor, query) : null
    const own = query.includeMeta ? await ownGuidesOf(parts, actor, query) : NO_GUIDES
    const resolved = await actor.read((state, nowMs) => {
      const embedding = (memoryId: string) => embeddingOf(parts, actor, memoryId)
      const found = guide ?? nodeOf(state, query, own, nowMs, embedding)
      if (found === null) throw notFound(query, isErased(state, query) ? { erased: true } : {})
      return found
    })
    // What was found stays as it is: the actor serves others while megabytes are masked.
    return replyOf(query, resolved, await runInSlices(withoutSecretsSteps(resolved.node)))
  })
}

interface Resolved {
  readonly node: {
    readonly id: string
    readonly client_id: string | null
    readonly title: string | null
    readonly text_summary: string | null
    readonly disputes?: ReturnType<typeof disputesView>
  }
  readonly related: readonly string[]
}

function replyOf(
  query: ResolveQuery,
  { node, related }: Resolved,
  masked: Resolved['node'],
): AnswerOf<'resolve'> {
  const canonical = memoryUriOf({ ...query, id: node.id })
  return {
    ...envelopeOf('svc_memory_resolve_result_v1', query),
    uri: canonical,
    type: query.type,
    // Ids are names that callers gave: they stay what they are.
    node: {
      ...masked,
      id: node.id,
      client_id: node.client_id,
      uri: canonical,
      type: query.type,
    },
    resolve_summary: {
      summary_version: 'resolve_summary_v1',
      resolved_type: query.type,
      payload_kind: 'node',
      include_meta: query.includeMeta,
      slots_mode: query.slotsMode,
      related_uris: related,
      related_uri_count: related.length,
      object_keys: Object.keys(node),
    },
    source_map: sourceMap('/v1/memory/resolve', ['memory_lookup']),
  }
}

function nodeOf(
  state: ActorState,
  query: ResolveQuery,
  ownGuideIds: ReadonlySet<string>,
  nowMs: number,
  embedding: (memoryId: string) => object,
): Resolved | null {
  if (query.type === 'run') return runNode(state, query)
  const found = namedRecord(state, query)
  if (found === null) return null
  const record = citingKnown(state, found, query.viewpoint)
  const { content } = record
  return {
    node: {
      id: query.id,
      title: content.title,
      text_summary: content.summary ?? content.text,
      client_id: record.clientId,
      disputes: disputesView(state, found, query.viewpoint, nowMs),
      ...shownSlots(query, slotsOf(record)),
      ...(query.includeMeta
        ? { ...metaOf(state, record, ownGuideIds, nowMs), ...embedding(record.memoryId) }
        : {}),
    },
    related: shownSources(state, record, query.viewpoint)
      .filter((id) => state.memories.has(id))
      .map((id) => uriOf(state, id)),
  }
}

/** What became of the vector of a memory; nothing without a provider. */
function embeddingOf({ embedder }: RuntimeParts, { vectors }: Actor, memoryId: string): object {
  if (embedder === null || vectors === null) return {}
  const { status, reason } = vectors.statusOf(memoryId)
  const model = status === 'ready' ? embedder.model : null
  return { embedding_status: status, embedding_reason: reason, embedding_model: model }
}

const NO_GUIDES: ReadonlySet<string> = new Set()

/** Credit names the runs of the consumer's own guides only. */
async function ownGuidesOf(
  parts: RuntimeParts,
  actor: Actor,
  query: ResolveQuery,
): Promise<ReadonlySet<string>> {
  const record = namedRecord(actor.state, query)
  return record === null
    ? NO_GUIDES
    : ownGuides(parts, actor, [record.memoryId], query.viewpoint, CREDIT_RUNS_MAX)
}

function namedRecord(state: ActorState, query: ResolveQuery): MemoryRecord | null {
  const record = byId(state, query.id).find((found) => isVisibleTo(found.audience, query.viewpoint))
  if (record === undefined || state.erasures.has(record.memoryId)) return null
  return isOfType(record, query.type) ? record : null
}

const NODE_TYPES: Readonly<Record<string, string>> = {
  fact: 'concept',
  preference: 'self_model',
  project_context: 'topic',
  execution_memory: 'procedure',
}

/** An older node type answers only for memory of that type; clients try them in turn. */
function isOfType(record: MemoryRecord, type: string): boolean {
  if (type === 'memory') return true
  if (type === 'claim') return record.claim !== null
  if (type === 'handoff') return record.handoff !== null
  return type === (NODE_TYPES[record.memoryType] ?? record.memoryType)
}

function slotsOf(record: MemoryRecord): Readonly<Record<string, unknown>> {
  const { content } = record
  const own = {
    text: wholeTextOf(content),
    outcome: content.outcome,
    target_files: content.targetFiles,
    acceptance_checks: content.acceptanceChecks,
    workflow_steps: content.workflowSteps,
    tools: content.tools,
    evidence_refs: content.evidenceRefs,
    next_action: content.nextAction,
    run_id: record.runId,
    task_signature: record.taskSignature,
  }
  const { full_text: _whole, ...beside } = content.payload ?? {}
  // A caller's payload may have a text, too: it is not that of the memory.
  return { ...own, ...(content.fullTextChars === null ? content.payload : beside), text: own.text }
}

function shownSlots(query: ResolveQuery, slots: Readonly<Record<string, unknown>>): object {
  if (query.slotsMode === 'full') return { slots }
  if (query.slotsMode === 'none') return {}
  return { slots_preview: Object.fromEntries(Object.entries(slots).slice(0, query.previewKeys)) }
}

function metaOf(
  state: ActorState,
  record: MemoryRecord,
  ownGuideIds: ReadonlySet<string>,
  nowMs: number,
): object {
  return {
    memory_type: record.memoryType,
    domain: record.domain,
    lifecycle_state: lifecycleStateAt(record.facets, nowMs),
    origin: record.origin,
    memory_lane: record.audience.lane,
    producer_agent_id: record.producerAgentId,
    owner_agent_id: record.audience.ownerAgentId,
    owner_team_id: record.audience.ownerTeamId,
    raw_ref: record.content.rawRef,
    evidence_ref: record.content.evidenceRefs[0] ?? null,
    confidence: record.content.confidence,
    created_at: isoOf(record.createdAtMs),
    updated_at: isoOf(record.updatedAtMs),
    credit: outcomeCreditView(creditSeenBy(creditOf(state, record), ownGuideIds)),
  }
}

/** A run is what its visible memories say of it. */
function runNode(state: ActorState, query: ResolveQuery): Resolved | null {
  const records = memoriesOfRun(state, query.id)
    .flatMap((id) => state.memories.get(id) ?? [])
    .filter((record) => record.runId === query.id && isVisibleTo(record.audience, query.viewpoint))
    .slice(-RUN_MEMORIES_MAX)
  const last = records.at(-1)
  if (last === undefined) return null
  const slots = {
    memory_ids: records.map((record) => record.memoryId),
    outcomes: records.map((record) => record.content.outcome),
    task_signature: last.taskSignature,
  }
  const { title, summary, text } = last.content
  return {
    node: {
      id: query.id,
      client_id: null,
      title,
      text_summary: summary ?? text,
      ...shownSlots(query, slots),
    },
    related: records.map((record) => uriOf(state, record.memoryId)),
  }
}

/** A guide resolves for the consumer that it was compiled for, and for a request that names none. */
async function guideNode(parts: RuntimeParts, actor: Actor, query: ResolveQuery): Promise<Resolved> {
  const exposure = await exposureFor(parts, actor, query.id, query.sent).catch((error: unknown) => {
    throw isNotFound(error) ? notFound(query, error.details) : error
  })
  const { ids, surfaces } = shownIn(exposure)
  const slots = { memory_ids: ids, surfaces, run_id: exposure.runId, at: isoOf(exposure.atMs) }
  const text_summary = `${ids.length} memories exposed`
  return {
    node: { id: query.id, client_id: null, title: null, text_summary, ...shownSlots(query, slots) },
    // Memory of another store has no URI here.
    related: exposure.memoryIds.map((id) => uriOf(actor.state, id)),
  }
}

/** Only who could see the memory learns that it was erased. */
function isErased(state: ActorState, query: ResolveQuery): boolean {
  return byId(state, query.id).some(
    ({ memoryId, audience }) => state.erasures.has(memoryId) && isVisibleTo(audience, query.viewpoint),
  )
}

function notFound({ uri }: ResolveQuery, details: ErrorDetails): DomainError {
  return new DomainError('memory_not_found', { uri, ...details })
}

function uriOf(state: ActorState, memoryId: string): string {
  return memoryUriOf({ tenantId: state.tenantId, scope: state.scope, type: 'memory', id: memoryId })
}

const PREVIEW_KEYS_DEFAULT = 10

type ResolveQuery = ReturnType<typeof resolveQuery>

/**
 * What a resolve request asks for; the place is that of the URI.
 * @throws DomainError `invalid_request` when the URI has another form or disagrees with the body,
 * `memory_not_found` when its type names nothing that memory can be: clients try types one after another.
 */
export function resolveQuery(request: RequestOf<'resolve'>, principal: Principal | null = null) {
  const uri = parseMemoryUri(request.uri)
  if (uri === null) throw refused('uri', URI_RULES.form)
  if ((request.tenant_id ?? uri.tenantId) !== uri.tenantId) throw refused('tenant_id', URI_RULES.tenant)
  if ((request.scope ?? uri.scope) !== uri.scope) throw refused('scope', URI_RULES.scope)
  const type = RESOLVE_TYPES.find((each) => each === uri.type)
  if (type === undefined) throw new DomainError('memory_not_found')
  return {
    tenantId: uri.tenantId,
    scope: uri.scope,
    uri: request.uri,
    type,
    id: uri.id,
    viewpoint: consumerOf(request),
    sent: sentConsumerOf(request, principal),
    includeMeta: request.include_meta ?? false,
    slotsMode: slotsModeOf(request),
    previewKeys: request.slots_preview_keys ?? PREVIEW_KEYS_DEFAULT,
  }
}

function slotsModeOf(request: RequestOf<'resolve'>): 'full' | 'preview' | 'none' {
  if (request.include_slots === true) return 'full'
  return request.include_slots_preview === true ? 'preview' : 'none'
}

function refused(path: string, sentence: string): DomainError {
  return invalidRequest([{ path, message: `${path}: ${sentence}` }])
}
