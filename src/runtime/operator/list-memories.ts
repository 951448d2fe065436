import type { Actor } from '../../actor/actor.ts'
import { yieldToLoop } from '../../actor/waiting.ts'
import type { AnswerOf } from '../../contract/operations.ts'
import { LISTED_TEXT_CHARS, type MemoryFilterFields } from '../../contract/operator-lists.ts'
import { DomainError } from '../../core/base/errors.ts'
import { isMadeFor } from '../../core/guide/decision.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import {
  type ExternalMemory,
  type Opinion,
  opinionsFor,
  standingFor,
} from '../../core/model/external-memory.ts'
import { wholeTextOf } from '../../core/model/memory-fields.ts'
import type { Content, FacetChange, FeedbackMark, Revision } from '../../core/model/record.ts'
import { byId, citingKnown } from '../../core/model/references.ts'
import { exposureTotalsOf } from '../../core/model/state.ts'
import { canSee, type Viewer } from '../../core/model/visibility.ts'
import {
  externalPage,
  type ListedMemory,
  listedMemory,
  listedOn,
  type MemoryFilter,
  type MemoryWalk,
  placeOf,
} from '../../core/report/memory-list.ts'
import { seenCause } from '../../core/report/memory-state.ts'
import type { ReportView } from '../../core/report/viewer.ts'
import { maskedStart, maskSecrets, withoutSecrets } from '../../core/screening/secrets.ts'
import { clip } from '../../core/text/escape.ts'
import { countersView, disputesView, lifecycleView, shownSources } from '../memory-view.ts'
import { envelopeOf, type Handler, isoOf, type RuntimeParts, sourceMap } from '../parts.ts'
import { GUIDES_SCANNED_MAX, guideCount, guidesNewestFirst } from '../reports/guide-records.ts'
import { reported } from '../reports/rows.ts'
import { cursorAt, numberAt, type OperatorRead, operatorRead, textAt } from './read.ts'

export type MemoryItem = AnswerOf<'listMemories'>['items'][number]
type MemoryDetail = NonNullable<MemoryItem['detail']>

/** Characters of a text in which secrets are looked for before it is cut: none is cut in two and shown. */
const MASKED_CHARS = LISTED_TEXT_CHARS + 600

/** A memory as lists show it. */
export function memoryItem(view: ReportView, listed: ListedMemory): MemoryItem {
  const { state, viewer, nowMs } = view
  const { record, admission, lifecycleState } = listed
  const { content, audience } = record
  const erasure = state.erasures.get(record.memoryId) ?? null
  return {
    memory_id: record.memoryId,
    client_id: record.clientId,
    claim_id: record.claim?.claimId ?? null,
    handoff_id: record.handoff?.handoffId ?? null,
    domain: record.domain,
    memory_type: record.memoryType,
    kind: record.kind,
    source: record.source,
    lifecycle_state: lifecycleState,
    surface: admission.surface,
    rule_id: admission.ruleId,
    reason_codes: [admission.reasonCode, ...admission.notes],
    reason: admission.reason,
    origin: record.origin,
    memory_lane: audience.lane,
    owner_agent_id: audience.ownerAgentId,
    owner_team_id: audience.ownerTeamId,
    producer_agent_id: record.producerAgentId,
    actor: record.actorName,
    run_id: record.runId,
    task_signature: record.taskSignature,
    workflow_signature: record.workflowSignature,
    outcome: content.outcome,
    target_files: content.targetFiles.map(maskSecrets),
    confidence: content.confidence,
    title: content.title === null ? null : maskSecrets(content.title),
    text: erasure === null ? listedText(content) : null,
    text_chars: content.fullTextChars ?? content.text.length,
    findings: record.findings,
    counters: countersView(record),
    shown: exposureTotalsOf(state, record),
    disputes: disputesView(state, record, viewer, nowMs),
    created_at: isoOf(record.createdAtMs),
    observed_at: isoOf(record.observedAtMs),
    updated_at: isoOf(record.updatedAtMs),
    revision: record.revision,
    erased:
      erasure === null
        ? null
        : { at: isoOf(erasure.atMs), reason: maskSecrets(erasure.reason), by: erasure.by },
  }
}

/** The text, cut; a run that has none says its summary. */
export function listedText({ text, summary }: Content): string {
  const said = text === '' ? (summary ?? '') : text
  return clip(maskedStart(said, MASKED_CHARS), LISTED_TEXT_CHARS)
}

/** Guides that showed a memory, as far as they were looked at. */
export interface ShowingGuides {
  readonly guides: readonly ExposureRecord[]
  readonly isCut: boolean
}

/** A memory whole. */
export function wholeMemoryItem(view: ReportView, listed: ListedMemory, showing: ShowingGuides): MemoryItem {
  const item = memoryItem(view, listed)
  const { content } = listed.record
  const text = item.erased === null ? maskSecrets(wholeTextOf(content)) : null
  return { ...item, text, detail: detailOf(view, listed, showing) }
}

function detailOf(view: ReportView, { record }: ListedMemory, showing: ShowingGuides): MemoryDetail {
  const { state, viewer, nowMs } = view
  const { lifecycle_state: _state, ...facets } = lifecycleView(record, nowMs)
  const { content, marks, changes, revisions } = citingKnown(state, record, viewer)
  return {
    ...withoutSecrets({
      summary: content.summary,
      acceptance_checks: content.acceptanceChecks,
      workflow_steps: content.workflowSteps,
      tools: content.tools,
      next_action: content.nextAction,
      revisions: revisions.map(revisionRow),
      evidence_refs: content.evidenceRefs,
    }),
    facets: withoutSecrets(facets),
    derived_from: shownSources(state, record, viewer),
    changes: changes.map((change) => facetChangeRow(change, seenCause(view, change))),
    outcomes: marks.map((mark) => outcomeRow(mark, viewer === null ? null : showing)),
    guides: showing.guides.map((guide) => guideRow(guide, record.memoryId)),
    guides_cut: showing.isCut,
  }
}

function revisionRow({ revision, content, atMs }: Revision): MemoryDetail['revisions'][number] {
  const { title, summary } = content
  return { revision, at: isoOf(atMs), title, text: wholeTextOf(content), summary }
}

/** @param byMemoryId the memory that did it, if the reader may know */
export function facetChangeRow(
  { facet, from, to, cause, reason, atMs }: FacetChange,
  byMemoryId: string | null,
): MemoryDetail['changes'][number] {
  return { at: isoOf(atMs), facet, from, to, cause, reason: maskSecrets(reason), by_memory_id: byMemoryId }
}

/** @param own the guides that the reader may be told of; null: all */
export function outcomeRow(mark: FeedbackMark, own: ShowingGuides | null): MemoryDetail['outcomes'][number] {
  const isOwn = own === null || own.guides.some(({ guideTraceId }) => guideTraceId === mark.guideTraceId)
  return {
    at: isoOf(mark.atMs),
    run_id: mark.runId,
    ...reported(mark),
    strong: mark.strong,
    direct: mark.direct,
    guide_trace_id: isOwn ? mark.guideTraceId : null,
    reason: maskSecrets(mark.reason),
  }
}

function guideRow(guide: ExposureRecord, memoryId: string): MemoryDetail['guides'][number] {
  return {
    guide_trace_id: guide.guideTraceId,
    at: isoOf(guide.atMs),
    surface: guide.surfaces[guide.memoryIds.indexOf(memoryId)] ?? 'do_not_use',
    consumer_agent_id: guide.consumerAgentId,
    consumer_team_id: guide.consumerTeamId,
    run_id: guide.runId,
  }
}

/** Memory of other stores that govern requests recorded. */
export const listExternal: Handler<'listExternal'> = async ({ registry }, { request }) => {
  const read = operatorRead('external', request)
  const { viewer, limit, cursor } = read
  const { position } = cursor
  const after = position === null ? null : ([textAt(position, 0), textAt(position, 1)] as const)
  const filter = {
    sourceBackend: request.source_backend ?? null,
    externalId: request.external_memory_id ?? null,
    standing: request.standing ?? null,
  }
  const page = await registry.look(read.tenantId, read.scope, (actor) =>
    actor.read((state) => {
      const { items, hasMore } = externalPage(state, filter, viewer, after, limit)
      const last = items.at(-1)
      return {
        items: items.map((memory) => externalItem(memory, viewer)),
        next_cursor: hasMore && last !== undefined ? cursorAt(cursor, placeOf(last)) : null,
      }
    }),
  )
  return {
    ...envelopeOf('svc_operator_external_v1', read),
    ...page,
    source_map: sourceMap('/v1/operator/external', ['external_candidate_admission', 'feedback_attribution']),
  }
}

export type ExternalItem = AnswerOf<'listExternal'>['items'][number]

/** What is known of a memory of another store, as far as the viewer may know. */
export function externalItem(memory: ExternalMemory, viewer: Viewer): ExternalItem {
  return {
    source_backend: memory.sourceBackend,
    external_memory_id: memory.externalId,
    text_hash: memory.textHash,
    domain: memory.domain,
    standing: standingFor(memory, viewer),
    surface: memory.surface,
    // What others ask is no business of a consumer.
    governed_count: viewer === null ? memory.governedCount : null,
    governed_at: viewer === null ? isoOf(memory.atMs) : null,
    opinions: opinionsFor(memory, viewer).map((opinion) => opinionRow(opinion, viewer)),
  }
}

function opinionRow(opinion: Opinion, viewer: Viewer): ExternalItem['opinions'][number] {
  const { audience, standing, changes, marks } = opinion
  return {
    memory_lane: audience.lane,
    owner_agent_id: audience.ownerAgentId,
    owner_team_id: audience.ownerTeamId,
    standing,
    counters: countersView(opinion),
    changes: changes.map((change) => facetChangeRow(change, null)),
    // Whose govern requests a consumer may be told of is not known here.
    outcomes: marks.map((mark) => outcomeRow(mark, viewer === null ? null : NO_GUIDES)),
  }
}

const NO_GUIDES = { guides: [], isCut: false }

type FilterFields = Omit<MemoryFilterFields, 'text'> & { readonly text?: unknown }

/** What filters of memory mean, where memory is listed and where it is acted on. */
export function filterOf(request: FilterFields): MemoryFilter {
  return {
    surface: request.surface ?? null,
    lifecycleState: request.lifecycle_state ?? null,
    memoryType: request.memory_type ?? null,
    kind: request.kind ?? null,
    origin: request.origin ?? null,
    lane: request.memory_lane ?? null,
    ownerAgentId: request.owner_agent_id ?? null,
    ownerTeamId: request.owner_team_id ?? null,
    runId: request.run_id ?? null,
    taskSignature: request.task_signature ?? null,
    workflowSignature: request.workflow_signature ?? null,
    file: request.file ?? null,
    createdFromMs: request.created_from ?? null,
    createdBeforeMs: request.created_to ?? null,
    observedFromMs: request.observed_from ?? null,
    observedBeforeMs: request.observed_to ?? null,
    texts: textsOf(request),
  }
}

/** A list by address refuses a text, whatever it is. */
function textsOf(request: FilterFields): readonly string[] {
  if (typeof request.text !== 'string') return []
  const text = request.text.toLowerCase()
  const isWords = request.text_match === 'words'
  return isWords ? text.split(/\s+/u) : [text]
}

type Answer = AnswerOf<'listMemories'>

/** What one turn may spend before others are served, in units of looking at one memory: some milliseconds at most. */
const SLICE_UNITS = 2_000
/** Slices of a page: a filter that little fits goes on with its cursor. */
const SLICES_MAX = 64
/** Items made in one turn: each is a memory judged and written out. */
const SLICE_ITEMS = 50
/** Guides of one memory that are listed. */
const GUIDES_LISTED_MAX = 50

/** Memories of a scope, the newest first; one that is named, whole. @throws memory_not_found */
export const listMemories: Handler<'listMemories' | 'searchMemories'> = async (parts, { request }) => {
  const read = operatorRead('memories', request)
  const memoryId = request.memory_id ?? null
  const page = await parts.registry.look(read.tenantId, read.scope, (actor) =>
    memoryId === null
      ? memoriesPage(actor, read, filterOf(request))
      : oneMemory(parts, actor, read, memoryId),
  )
  return {
    ...envelopeOf('svc_operator_memories_v1', read),
    ...page,
    source_map: sourceMap('/v1/operator/memories', ['memory_lookup', 'admission'], ['raw_payloads']),
  }
}

type Page = Pick<Answer, 'items' | 'next_cursor'>

/** In slices: whatever the filter, others are served meanwhile, and what they write is no part of the list. */
async function memoriesPage(actor: Actor, read: OperatorRead, filter: MemoryFilter): Promise<Page> {
  const { limit, viewer, cursor } = read
  const items: MemoryItem[] = []
  const start = cursor.position === null ? null : numberAt(cursor.position, 0)
  let walk: MemoryWalk | null = null
  for (let slice = 0; slice < SLICES_MAX; slice += 1) {
    if (slice > 0) await yieldToLoop()
    walk = await actor.read((state, nowMs) => {
      const from = { slot: walk?.slot ?? start ?? state.records.length - 1, allowance: SLICE_UNITS }
      const view = { state, viewer, nowMs }
      const wanted = Math.min(SLICE_ITEMS, limit - items.length)
      for (const listed of listedOn(view, filter, from, wanted)) items.push(memoryItem(view, listed))
      return from
    })
    if (walk.slot < 0 || items.length >= limit) break
  }
  return { items, next_cursor: walk === null || walk.slot < 0 ? null : cursorAt(cursor, [walk.slot]) }
}

async function oneMemory(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  { viewer }: OperatorRead,
  memoryId: string,
): Promise<Page> {
  const [found] = byId(actor.state, memoryId)
  if (found === undefined || !canSee(viewer, found)) {
    throw new DomainError('memory_not_found', { memory_id: memoryId })
  }
  const showing = await guidesShowing(parts, actor, found.memoryId, viewer)
  return actor.read((state, nowMs) => {
    const view = { state, viewer, nowMs }
    const record = state.memories.get(found.memoryId) ?? found
    return { items: [wholeMemoryItem(view, listedMemory(view, record), showing)], next_cursor: null }
  })
}

/** Guides of the viewer that showed a memory, the newest first, as far as they are held and looked at. */
async function guidesShowing(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  memoryId: string,
  viewer: OperatorRead['viewer'],
): Promise<ShowingGuides> {
  const guides: ExposureRecord[] = []
  let scanned = 0
  for await (const guide of guidesNewestFirst(parts, actor)) {
    if (scanned === GUIDES_SCANNED_MAX) return { guides, isCut: true }
    scanned += 1
    if (!guide.memoryIds.includes(memoryId) || !isMadeFor(guide, viewer)) continue
    if (guides.length === GUIDES_LISTED_MAX) return { guides, isCut: true }
    guides.push(guide)
  }
  return { guides, isCut: scanned < guideCount(actor) }
}
