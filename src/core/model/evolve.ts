import { assert, unreachable } from '../base/assert.ts'
import { SURFACES, type Surface } from '../base/closed-sets.ts'
import { dropOldest } from '../base/collections.ts'
import { digestOf } from '../base/digest.ts'
import type { CompactRecord } from './compact-record.ts'
import { changedRecord, contentToKeep, firstRecord } from './compact-record.ts'
import { saysAnew } from './dispute.ts'
import {
  ERASED_GUIDES_MAX,
  erasedRecord,
  type GuideErasure,
  guideErasureKey,
  guidesGone,
  withoutReasonsBy,
} from './erasure.ts'
import type { ActorEvent, NewMemory, Turn } from './events.ts'
import { settledAt, withEvidence } from './evidence.ts'
import { withoutErased } from './external-memory.ts'
import { assertTransition, EVIDENCE_CAUSES, FACET_OF, facetWord } from './lifecycle.ts'
import {
  appended,
  counted,
  type Evidence,
  type FacetChange,
  type Facets,
  type FeedbackMark,
  type MemoryRecord,
} from './record.ts'
import { ShownLines } from './shown-lines.ts'
import { proposeSkill, reviewSkill, settleSkill } from './skill-state.ts'
import {
  type ActorState,
  ASSERTIONS_MAX,
  audienceClassOf,
  CHANGES_MAX,
  CONSUMERS_EXPOSED_MAX,
  disputeKey,
  ledgerOf,
  linkDispute,
  linkMark,
  linkRecord,
  linkRelation,
  MARKS_MAX,
  OPERATION_ANSWER_BYTES_MAX,
  OPERATION_WINDOW_MS,
  OPERATIONS_MAX,
  putRecord,
  RETIRED_OPERATIONS_MAX,
  REVISIONS_MAX,
  RUNS_EXPOSED_MAX,
  unlinkDisputesOf,
  unlinkMark,
} from './state.ts'
import { unlinkRecords } from './unlink.ts'
import { consumerKey } from './visibility.ts'

/**
 * The only writer of state: the same for live turns, replay and compaction. Deterministic; it may not refuse, so a
 * turn that does not follow the last one is our own mistake.
 */
export function evolve(state: ActorState, turn: Turn): void {
  assert(turn.seq === state.seq + 1, `turn ${turn.seq} does not follow ${state.seq}`)
  state.seq = turn.seq
  for (const event of turn.events) apply(state, event, turn)
}

function apply(state: ActorState, event: ActorEvent, turn: Turn): void {
  switch (event.type) {
    case 'memory_written':
      return write(state, event.draft, turn)
    case 'memory_revised':
      return revise(state, event, turn)
    case 'trust_changed':
    case 'standing_changed':
    case 'validity_changed':
    case 'availability_changed':
    case 'suppression_changed':
      return setFacet(state, event, turn)
    case 'relation_recorded':
      return linkRelation(state, {
        type: event.relationType,
        srcId: event.srcId,
        dstId: event.dstId,
        confidence: event.confidence,
        effective: event.effective,
        seq: turn.seq,
      })
    case 'dispute_found':
      return dispute(state, event, turn)
    case 'dispute_settled':
      return settle(state, event)
    case 'authority_given':
      for (const memoryId of event.memoryIds) state.operatorMemories.add(recordOf(state, memoryId).memoryId)
      return state.standingOrder.forget()
    case 'workspace_changed':
      return state.workspace.add(event, turn.atMs, turn.seq)
    case 'exposed':
      return expose(state, event, turn)
    case 'feedback_recorded':
      return mark(state, event, turn)
    case 'external_keyed':
    case 'external_feedback_recorded':
    case 'external_standing_changed':
    case 'external_task_succeeded':
      return state.external.apply(event, turn)
    case 'external_erased':
      return eraseExternal(state, event, turn)
    case 'task_succeeded':
      return weigh(state, event.memoryId, { runId: event.runId, kind: 'task', named: [], seq: turn.seq })
    case 'run_feedback_recorded':
    case 'lifecycle_requested':
      return
    case 'guide_decided':
      if (event.isCounted === true) state.ruleCounts.add(turn.atMs, event)
      return
    case 'memory_erased':
      return erase(state, event, turn)
    case 'guides_erased':
      return eraseGuides(state, event, turn)
    case 'operation_recorded':
      return remember(state, event, turn)
    case 'skill_proposed':
      return proposeSkill(state, event, turn)
    case 'skill_reviewed':
      return reviewSkill(state, event, turn)
    case 'skill_settled':
      return settleSkill(state, event, turn)
    default:
      return unreachable(event)
  }
}

function write(state: ActorState, draft: NewMemory, turn: Turn): void {
  assert(!state.memories.has(draft.memoryId), `memory ${draft.memoryId} is written twice`)
  const { atMs, seq } = turn
  const { audience } = audienceClassOf(state, draft.audience)
  const place = { slot: state.records.length, ordinal: state.nextOrdinal++, updatedAtMs: atMs, seq }
  const record = firstRecord(draft, audience, place, state.parts)
  putRecord(state, record)
  linkRecord(state, record, null)
}

function revise(state: ActorState, event: ActorEvent & { type: 'memory_revised' }, turn: Turn): void {
  const record = recordOf(state, event.memoryId)
  const { content, claim, handoff, observedAtMs, findings, validUntilMs } = event
  const before = {
    revision: record.revision,
    content: record.content,
    atMs: record.updatedAtMs,
    seq: record.seq,
  }
  const revised = changedRecord(record, {
    content: contentToKeep(content, state.parts),
    claim,
    handoff,
    origin: event.origin,
    derivedFrom: event.derivedFrom,
    findings,
    runId: event.runId ?? record.runId,
    taskSignature: event.taskSignature ?? record.taskSignature,
    workflowSignature: event.workflowSignature ?? record.workflowSignature,
    taskId: event.taskId ?? record.taskId,
    taskFamily: event.taskFamily ?? record.taskFamily,
    facets: { ...record.facets, validUntilMs },
    ordinal: state.nextOrdinal++,
    observedAtMs,
    revision: record.revision + 1,
    revisions: appended(record.revisions, before, REVISIONS_MAX),
    updatedAtMs: turn.atMs,
    seq: turn.seq,
  })
  putRecord(state, revised)
  linkRecord(state, revised, record)
  state.operatorMemories.delete(record.memoryId)
  if (saysAnew(record, event)) unlinkDisputesOf(state, record.memoryId)
}

function dispute(state: ActorState, event: ActorEvent & { type: 'dispute_found' }, turn: Turn): void {
  const { earlierId, laterId, kind, yields } = event
  assert(earlierId !== laterId, `memory ${earlierId} disputes itself`)
  for (const memoryId of [earlierId, laterId]) recordOf(state, memoryId)
  linkDispute(state, { earlierId, laterId, kind, yields, seq: turn.seq })
}

function settle(state: ActorState, event: ActorEvent & { type: 'dispute_settled' }): void {
  const known = state.disputes.get(disputeKey(event.earlierId, event.laterId))
  assert(known !== undefined, `${event.earlierId} and ${event.laterId} are in no dispute`)
  const { settled: _, ...open } = known
  linkDispute(state, event.settled === null ? open : { ...open, settled: event.settled })
}

function setFacet(
  state: ActorState,
  event: Extract<ActorEvent, { byMemoryId: string | null }>,
  turn: Turn,
): void {
  const record = recordOf(state, event.memoryId)
  const facet = FACET_OF[event.type]
  const facets: Facets = { ...record.facets, [facet]: event.to }
  const from = facetWord(record.facets, facet)
  const to = facetWord(facets, facet)
  assertTransition(facet, event.cause, from, to)
  const { cause, byMemoryId } = event
  const reason = saidOf(state, record, event.reason)
  if (byMemoryId !== null) state.changedByOthers.add(record.memoryId)
  const entry: FacetChange = { facet, from, to, cause, reason, atMs: turn.atMs, seq: turn.seq, byMemoryId }
  const changes = appended(record.changes, entry, CHANGES_MAX)
  const ledger = facet === 'standing' ? state.evidence.get(record.memoryId) : undefined
  // Failed is left by no evidence, so what led there is settled too.
  if (ledger !== undefined && (!EVIDENCE_CAUSES.includes(cause) || facets.standing === 'failed'))
    state.evidence.set(record.memoryId, settledAt(ledger, facets.standing))
  putRecord(state, changedRecord(record, { facets, changes }))
}

/** The record stays for its ids and counters. Stored answers may hold its text: from here on their ids are known without one. */
function erase(state: ActorState, event: ActorEvent & { type: 'memory_erased' }, turn: Turn): void {
  const { reason, actorName: by } = event
  const records = event.memoryIds.map((memoryId) => recordOf(state, memoryId))
  unlinkRecords(state, records)
  state.parts.forget()
  for (const record of records) {
    const { memoryId } = record
    assert(!state.erasures.has(memoryId), `memory ${memoryId} is erased twice`)
    state.erasures.set(memoryId, { memoryId, reason, by, atMs: turn.atMs, seq: turn.seq })
    putRecord(state, erasedRecord(record))
    unlinkDisputesOf(state, memoryId)
    state.operatorMemories.delete(memoryId)
  }
  const erased = new Set(event.memoryIds)
  for (const memoryId of state.changedByOthers) {
    const record = recordOf(state, memoryId)
    const left = withoutReasonsBy(record, erased)
    // Of many thousands nearly none: each erasure looks at all.
    if (left !== record) putRecord(state, left)
  }
  // A skill that holds text of it goes whole, with what its reviewer said.
  for (const { candidateId, sourceMemoryIds } of state.skills.values()) {
    if (sourceMemoryIds.some((id) => erased.has(id))) state.skills.delete(candidateId)
  }
  forgetAnswers(state)
}

/** Where a memory was shown last to a consumer stays: it names no guide. */
function eraseGuides(state: ActorState, event: ActorEvent & { type: 'guides_erased' }, turn: Turn): void {
  const { guideTraceIds, runIds, madeFor, reason, actorName: by } = event
  const rest = { reason, by, atMs: turn.atMs, seq: turn.seq }
  const erased: readonly GuideErasure[] = [
    ...guideTraceIds.map((id) => ({ kind: 'guide' as const, id, madeFor: null, ...rest })),
    ...runIds.map((id) => ({ kind: 'run' as const, id, madeFor, ...rest })),
  ]
  for (const erasure of erased) {
    const key = guideErasureKey(erasure)
    state.erasedGuides.delete(key)
    state.erasedGuides.set(key, erasure)
  }
  dropOldest(state.erasedGuides, ERASED_GUIDES_MAX)
  const isGone = guidesGone(erased)
  for (const shown of state.exposures.values())
    if (isGone(shown, shown.seq)) state.exposures.delete(shown.guideTraceId)
  if (madeFor === null) for (const runId of runIds) state.exposedByRun.delete(runId)
  if (madeFor === null) for (const runId of runIds) state.external.runs.forget(runId)
  // All of it: what the others alone have shown is not known any more when the turns of the erased ones are gone.
  state.shownLines = new ShownLines()
  forgetAnswers(state)
}

function eraseExternal(state: ActorState, event: ActorEvent & { type: 'external_erased' }, turn: Turn): void {
  state.external.apply(event, turn)
  const erased = new Set(event.refs)
  for (const [guideTraceId, shown] of state.exposures) {
    if (shown.external === undefined) continue
    const external = withoutErased(shown.external, (ref) => erased.has(ref))
    if (external !== shown.external) state.exposures.set(guideTraceId, { ...shown, external })
  }
  forgetAnswers(state)
}

/** Stored answers may hold what was erased: their ids stay known. */
function forgetAnswers(state: ActorState): void {
  for (const operationId of state.operations.keys()) retire(state, operationId)
  dropOldest(state.retiredOperations, RETIRED_OPERATIONS_MAX)
}

function expose(state: ActorState, event: ActorEvent & { type: 'exposed' }, turn: Turn): void {
  const { guideTraceId, memoryIds, surfaces, consumerAgentId, consumerTeamId, runId, taskSignature } = event
  const { heldOut, firstHandle } = event
  const exposed = {
    guideTraceId,
    memoryIds,
    surfaces,
    consumerAgentId,
    consumerTeamId,
    runId,
    taskSignature,
    heldOut,
  }
  const numbered = firstHandle === undefined ? exposed : Object.assign(exposed, { firstHandle })
  const set = event.external === undefined ? numbered : Object.assign(numbered, { external: event.external })
  state.exposureCount += 1
  // Before the time of the turn is added to it, which the digest does not hold.
  state.exposureDigest = digestOf([state.exposureDigest, Object.values(set)])
  state.exposures.set(guideTraceId, Object.assign(set, { atMs: turn.atMs, seq: turn.seq }))
  // Of memory that the actor holds nothing was shown.
  if (event.external !== undefined) return state.external.show(event.external, runId, turn)
  if (event.lineVersions !== undefined) state.shownLines.add(set, event.lineVersions)
  const consumer = consumerKey({ agentId: event.consumerAgentId, teamId: event.consumerTeamId })
  const forConsumer = freshest(state.exposedByConsumer, consumer, CONSUMERS_EXPOSED_MAX)
  const forRun = event.runId === null ? null : freshest(state.exposedByRun, event.runId, RUNS_EXPOSED_MAX)
  for (let rank = 0; rank < memoryIds.length; rank += 1) {
    const memoryId = memoryIds[rank]
    const surface = surfaces[rank]
    assert(memoryId !== undefined && surface !== undefined, 'every exposed memory has a surface')
    forConsumer.set(memoryId, surface)
    forRun?.set(memoryId, surface)
    countExposure(state, recordOf(state, memoryId).slot, surface)
  }
}

function countExposure(state: ActorState, slot: number, surface: Surface): void {
  const at = slot * SURFACES.length + SURFACES.indexOf(surface)
  if (at >= state.exposureTotals.length) {
    // A quarter more: of a million memories twice as much is half of what brings on a collection of the whole heap.
    const slots = Math.max(16, Math.ceil(state.records.length * 1.25))
    const grown = new Uint32Array(slots * SURFACES.length)
    grown.set(state.exposureTotals)
    state.exposureTotals = grown
  }
  state.exposureTotals[at] = (state.exposureTotals[at] ?? 0) + 1
}

function mark(state: ActorState, event: ActorEvent & { type: 'feedback_recorded' }, turn: Turn): void {
  const record = recordOf(state, event.memoryId)
  const reason = saidOf(state, record, event.mark.reason)
  const entry: FeedbackMark = { ...event.mark, reason, atMs: turn.atMs, seq: turn.seq }
  if (!event.attributed) {
    const assertions = appended(record.assertions, entry, ASSERTIONS_MAX)
    putRecord(state, changedRecord(record, { assertions }))
    return
  }
  linkMark(state, entry.runId, record.memoryId)
  // Before the mark is on the record: the ledger of a memory without one begins with the marks that it has.
  if (event.evidence !== null)
    weigh(state, record.memoryId, { ...event.evidence, runId: entry.runId, seq: turn.seq })
  const counters = counted(record.counters, event.counts)
  const marks = appended(record.marks, entry, MARKS_MAX)
  const oldest = record.marks[0]?.runId
  if (oldest !== undefined && marks.every(({ runId }) => runId !== oldest))
    unlinkMark(state, oldest, record.memoryId)
  putRecord(state, changedRecord(record, { counters, marks }))
  state.columns.putHelp(record.slot, counters)
}

function weigh(state: ActorState, memoryId: string, entry: Evidence): void {
  const record = recordOf(state, memoryId)
  state.evidence.set(memoryId, withEvidence(ledgerOf(state, record), entry, record))
}

/** Window: 24 hours by logged time, 10 000 ids, 16 MiB of answers. What falls out stays known without an answer. */
function remember(state: ActorState, event: ActorEvent & { type: 'operation_recorded' }, turn: Turn): void {
  const { operationId, requestHash, answer } = event
  state.operations.set(operationId, { requestHash, answer, atMs: turn.atMs })
  state.operationAnswerBytes += answer?.length ?? 0
  for (const [id, stored] of state.operations) {
    const isOld = stored.atMs <= turn.atMs - OPERATION_WINDOW_MS
    const isOver =
      state.operations.size > OPERATIONS_MAX || state.operationAnswerBytes > OPERATION_ANSWER_BYTES_MAX
    if (!(isOld || isOver) || id === operationId) break
    retire(state, id)
  }
  dropOldest(state.retiredOperations, RETIRED_OPERATIONS_MAX)
}

/** The id stays known, its answer goes. */
function retire(state: ActorState, operationId: string): void {
  state.operationAnswerBytes -= state.operations.get(operationId)?.answer?.length ?? 0
  state.operations.delete(operationId)
  state.retiredOperations.add(operationId)
}

/** A sentence about a memory; none is kept of an erased one. */
function saidOf(state: ActorState, { memoryId }: MemoryRecord, reason: string): string {
  return state.erasures.has(memoryId) ? '' : reason
}

export function recordOf(state: ActorState, memoryId: string): CompactRecord {
  const record = state.memories.get(memoryId)
  assert(record !== undefined, `memory ${memoryId} is not in the state`)
  return record
}

/** The inner map of a key, moved to the newest end; the oldest key beyond `max` is dropped. */
function freshest(outer: Map<string, Map<string, Surface>>, key: string, max: number): Map<string, Surface> {
  const inner = outer.get(key) ?? new Map<string, Surface>()
  outer.delete(key)
  outer.set(key, inner)
  dropOldest(outer, max)
  return inner
}
