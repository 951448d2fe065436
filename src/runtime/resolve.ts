import type { Actor } from '../actor/actor.ts'
import { RESOLVE_TYPES, type ResolveRequest, type ResolveType, URI_RULES } from '../contract/resolve.ts'
import { DomainError, invalidRequest } from '../domain/errors.ts'
import { lifecycleStateAt } from '../domain/governance/lifecycle.ts'
import { isVisibleTo } from '../domain/governance/visibility.ts'
import type { Consumer, MemoryRecord } from '../domain/memory/record.ts'
import { byId } from '../domain/memory/references.ts'
import type { ActorState } from '../domain/memory/state.ts'
import { isoOf } from './iso-time.ts'
import { memoryUri, type MemoryUri, parseMemoryUri } from './memory-uri.ts'
import { wholeText } from './memory-view.ts'
import { consumerOf } from './normalise/identity.ts'
import { envelopeOf, exposureOf, type RuntimeParts, sourceMap } from './parts.ts'

const SLOTS_PREVIEW_KEYS = 10
const RUN_MEMORIES_MAX = 200

/** The place that a URI names; the body may repeat it but not contradict it. @throws invalid_request */
export function resolvePlace(request: ResolveRequest): MemoryUri & { readonly type: ResolveType } {
  const uri = parseMemoryUri(request.uri)
  const type = RESOLVE_TYPES.find((known) => known === uri?.type)
  if (uri === null || type === undefined) throw invalidRequest([{ path: 'uri', message: URI_RULES.form }])
  if (request.tenant_id != null && request.tenant_id !== uri.tenantId) {
    throw invalidRequest([{ path: 'tenant_id', message: URI_RULES.tenant }])
  }
  if (request.scope != null && request.scope !== uri.scope) {
    throw invalidRequest([{ path: 'scope', message: URI_RULES.scope }])
  }
  return { ...uri, type }
}

/** Resolves a memory URI to its evidence. What the consumer cannot see is not found. @throws memory_not_found */
export async function resolve(parts: RuntimeParts, request: ResolveRequest): Promise<object> {
  const uri = resolvePlace(request)
  const eyes = consumerOf(request)
  return parts.registry.use(uri.tenantId, uri.scope, async (actor) => {
    const guide = uri.type === 'guide' ? await guideNode(parts, actor, uri, eyes) : null
    return actor.turn((state, nowMs) => {
      const found = guide ?? nodeOf(state, uri, eyes, request, nowMs)
      if (found === null) throw new DomainError('memory_not_found', { uri: request.uri })
      return { events: [], reply: replyOf(request, uri, found) }
    })
  })
}

interface Resolved {
  readonly node: { readonly id: string; readonly title: string | null; readonly text_summary: string | null }
  readonly related: readonly string[]
}

function replyOf(request: ResolveRequest, uri: MemoryUri, { node, related }: Resolved): object {
  const canonical = memoryUri(uri.tenantId, uri.scope, uri.type, node.id)
  const slotsMode = request.include_slots === true ? 'full' : request.include_slots_preview === true ? 'preview' : 'none'
  return {
    ...envelopeOf('svc_memory_resolve_result_v1', uri),
    uri: canonical,
    type: uri.type,
    node: { ...node, uri: canonical, type: uri.type },
    resolve_summary: {
      summary_version: 'resolve_summary_v1',
      resolved_type: uri.type,
      payload_kind: 'node',
      include_meta: request.include_meta === true,
      slots_mode: slotsMode,
      related_uris: related,
      related_uri_count: related.length,
      object_keys: Object.keys(node),
    },
    source_map: sourceMap('/v1/memory/resolve', ['memory_lookup']),
  }
}

function nodeOf(
  state: ActorState,
  uri: MemoryUri,
  eyes: Consumer,
  request: ResolveRequest,
  nowMs: number,
): Resolved | null {
  if (uri.type === 'run') return runNode(state, uri, eyes, request)
  const record = byId(state, uri.id).find((found) => isVisibleTo(found.audience, eyes))
  if (record === undefined || !isOfType(record, uri.type)) return null
  const slots = slotsOf(request, record)
  const { content } = record
  return {
    node: {
      id: uri.id,
      title: content.title,
      text_summary: content.summary ?? content.text,
      ...{ client_id: record.clientId },
      ...slots,
      ...(request.include_meta === true ? metaOf(record, nowMs) : {}),
    },
    related: record.derivedFrom.filter((id) => state.memories.has(id)).map((id) => uriOf(state, id)),
  }
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

function slotsOf(request: ResolveRequest, record: MemoryRecord): object {
  const { content } = record
  const slots: Record<string, unknown> = {
    text: wholeText(content),
    outcome: content.outcome,
    target_files: content.targetFiles,
    acceptance_checks: content.acceptanceChecks,
    workflow_steps: content.workflowSteps,
    tools: content.tools,
    evidence_refs: content.evidenceRefs,
    next_action: content.nextAction,
    run_id: record.runId,
    task_signature: record.taskSignature,
    ...content.payload,
  }
  delete slots['full_text']
  if (request.include_slots === true) return { slots }
  if (request.include_slots_preview !== true) return {}
  const keys = request.slots_preview_keys ?? SLOTS_PREVIEW_KEYS
  return { slots_preview: Object.fromEntries(Object.entries(slots).slice(0, keys)) }
}

function metaOf(record: MemoryRecord, nowMs: number): object {
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
  }
}

/** A run is what its visible memories say of it. */
function runNode(state: ActorState, uri: MemoryUri, eyes: Consumer, request: ResolveRequest): Resolved | null {
  const records = [...(state.byRun.get(uri.id) ?? [])]
    .flatMap((id) => state.memories.get(id) ?? [])
    .filter((record) => record.runId === uri.id && isVisibleTo(record.audience, eyes))
    .slice(-RUN_MEMORIES_MAX)
  if (records.length === 0) return null
  const last = records.at(-1)
  const slots = {
    memory_ids: records.map((record) => record.memoryId),
    outcomes: records.map((record) => record.content.outcome),
    task_signature: last?.taskSignature ?? null,
  }
  return {
    node: {
      id: uri.id,
      ...{ client_id: null },
      title: last?.content.title ?? null,
      text_summary: last?.content.summary ?? last?.content.text ?? null,
      ...(request.include_slots === true ? { slots } : {}),
      ...(request.include_slots_preview === true ? { slots_preview: slots } : {}),
    },
    related: records.map((record) => uriOf(state, record.memoryId)),
  }
}

/** A guide resolves for the consumer that it was compiled for. */
async function guideNode(parts: RuntimeParts, actor: Actor, uri: MemoryUri, eyes: Consumer): Promise<Resolved> {
  const exposure = await exposureOf(parts, actor, uri.id).catch(() => null)
  if (exposure === null || exposure.consumerAgentId !== eyes.agentId || exposure.consumerTeamId !== eyes.teamId) {
    throw new DomainError('memory_not_found', { uri: memoryUri(uri.tenantId, uri.scope, uri.type, uri.id) })
  }
  const { memoryIds, surfaces, runId } = exposure
  const slots = { memory_ids: memoryIds, surfaces, run_id: runId, at: isoOf(exposure.atMs) }
  return {
    node: { id: uri.id, ...{ client_id: null }, title: null, text_summary: `${memoryIds.length} memories exposed`, ...{ slots } },
    related: memoryIds.map((id) => uriOf(actor.state, id)),
  }
}

function uriOf(state: ActorState, memoryId: string): string {
  return memoryUri(state.tenantId, state.scope, 'memory', memoryId)
}
