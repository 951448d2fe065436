import { assert } from '../base/assert.ts'
import { SURFACES, type Surface } from '../base/closed-sets.ts'
import { listAt } from '../base/collections.ts'
import { pastUseIn } from '../guide/entry.ts'
import { opinionsFor, standingFor } from '../model/external-memory.ts'
import { isSuppressed, validityAt } from '../model/lifecycle.ts'
import type { Consumer, MemoryRecord } from '../model/record.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import { admissionIn } from '../policy/admission.ts'
import { DIRECT, type TextComparer } from '../similarity/near-duplicate.ts'
import { clip, foldText } from '../text/escape.ts'
import { isSaidWhole, type Similar } from '../write/similar.ts'
import { MEMORY_TEXT_MAX } from '../write/write-memory.ts'
import {
  type Candidate,
  type CandidateDecision,
  type CandidateDispute,
  type CandidateFacts,
  type ContentHistory,
  type Examination,
  type GovernCommand,
  HISTORY_STATES,
  type HistoryMatch,
  type HistoryState,
  type TextContradiction,
  TIME_KEYS,
} from './govern.ts'
import { CONTRADICTION_RULE, decideByTable, STORED_MEMORY_RULE } from './govern-rules.ts'

const DISPUTE_CHARS_MAX = 16
const ID_CHARS_MAX = 40

/**
 * Decides every candidate, in the order of the request. Reads the state and changes nothing; no decision depends on
 * the order of the candidates.
 */
export function decideCandidates(
  state: ActorState,
  command: GovernCommand,
  examination: Examination,
  history: ContentHistory,
  nowMs: number,
): readonly CandidateDecision[] {
  const decisions = command.candidates.map((candidate, at) => {
    const reading = examination.readings[at]
    assert(reading !== undefined, `candidate ${at} was not examined`)
    const { signature, ...told } = reading
    const known = outcomesOf(state, candidate, command.consumer)
    const facts = { ...told, candidate, history: history(candidate.text, signature), ...known }
    return withStoredMemory(state, command, decideByTable(facts, command.mode), nowMs)
  })
  return withContradictions(decisions, examination.contradictions, nowMs)
}

/** What runs said against it. Its text may have changed since: it is still the memory that they were shown. */
function outcomesOf(
  state: ActorState,
  { sourceBackend, externalId }: Candidate,
  consumer: Consumer,
): Pick<CandidateFacts, 'outcome' | 'pastUse'> {
  const memory = state.external.size === 0 ? undefined : state.external.get(sourceBackend, externalId)
  if (memory === undefined) return NO_OUTCOMES
  const standing = standingFor(memory, consumer)
  const uses = opinionsFor(memory, consumer).map(({ ledger }) => pastUseIn(ledger))
  return {
    outcome: standing === 'active' ? null : standing,
    pastUse: uses.find((words) => words !== null) ?? null,
  }
}

const NO_OUTCOMES = { outcome: null, pastUse: null }

/** An external id may be that of a memory here: then the stricter of both surfaces holds. */
function withStoredMemory(
  state: ActorState,
  command: GovernCommand,
  decision: CandidateDecision,
  nowMs: number,
): CandidateDecision {
  const record = liveRecord(state, decision.facts.candidate.externalId)
  if (record === undefined || !isVisibleTo(record.audience, command.consumer)) return decision
  const { taskSignature: askedSignature, consumer } = command
  const stored = admissionIn(state, record, { nowMs, askedSignature, consumer })
  const storedMemoryId = record.memoryId
  if (strictnessOf(stored.surface) <= strictnessOf(decision.surface)) return { ...decision, storedMemoryId }
  return {
    ...decision,
    surface: stored.surface,
    ruleId: STORED_MEMORY_RULE.id,
    reasonCode: `${STORED_MEMORY_RULE.reasonCode}:${stored.reasonCode}`,
    reason: `the memory of this id is held back in this scope: ${stored.reasonCode.replace(/_by:.*/u, '').replaceAll('_', ' ')}`,
    storedMemoryId,
  }
}

/** 0 is the most usable. */
function strictnessOf(surface: Surface): number {
  return SURFACES.indexOf(surface)
}

/**
 * Both of a pair that cannot hold together are to be inspected, or only the one that is older by its own source; who is
 * held back already disputes nobody.
 */
function withContradictions(
  decisions: readonly CandidateDecision[],
  contradictions: readonly TextContradiction[],
  nowMs: number,
): readonly CandidateDecision[] {
  const against = new Map<CandidateDecision, CandidateDispute[]>()
  for (const { first, second, dispute: kind, firstStatement, secondStatement } of contradictions) {
    const [one, other] = [decisions[first], decisions[second]]
    if (one?.surface !== 'use_now' || other?.surface !== 'use_now') continue
    const age = orderInTime(one.facts.candidate, other.facts.candidate, nowMs)
    if (age <= 0) listAt(against, one).push(disputeWith(other, kind, firstStatement, secondStatement))
    if (age >= 0) listAt(against, other).push(disputeWith(one, kind, secondStatement, firstStatement))
  }
  return decisions.map((decision) => {
    const disputes = against.get(decision)
    if (disputes === undefined) return decision
    disputes.sort((a, b) => (a.externalId < b.externalId ? -1 : 1))
    return {
      ...decision,
      surface: CONTRADICTION_RULE.surface,
      ruleId: CONTRADICTION_RULE.id,
      reasonCode: CONTRADICTION_RULE.reasonCode,
      reason: contradictionReason(disputes),
      disputes,
    }
  })
}

function disputeWith(
  other: CandidateDecision,
  kind: string,
  statement: string,
  otherStatement: string,
): CandidateDispute {
  return { externalId: other.facts.candidate.externalId, kind, statement, otherStatement }
}

/**
 * Below 0 when the first is older by the first key under which both tell a time that has come, above 0 when it is
 * newer, 0 when that is not known.
 */
function orderInTime(one: Candidate, other: Candidate, nowMs: number): number {
  for (const at of TIME_KEYS.keys()) {
    const [a, b] = [one.times[at] ?? null, other.times[at] ?? null]
    if (a !== null && b !== null && a <= nowMs && b <= nowMs) return a - b
  }
  return 0
}

/** Names the first of them, so that the reader can compare the two. */
function contradictionReason([first, ...others]: readonly CandidateDispute[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  const id = clip(foldText(first?.externalId ?? ''), ID_CHARS_MAX)
  return `it contradicts ${id}${more} (${clip(foldText(first?.kind ?? ''), DISPUTE_CHARS_MAX)})`
}

/**
 * Looks a content up among the memories that the consumer can see. The same text in any spelling, or nearly the same words
 * with the same facts; but nothing is known against a text that a memory says which may be used. Of the same content the
 * gravest state counts. A text above 32 000 characters is found only when it is the same.
 * @param compare answers what of the texts is already known
 */
export function heldBackHistory(
  state: ActorState,
  similar: Similar,
  consumer: Consumer,
  nowMs: number,
  compare: TextComparer = DIRECT,
): ContentHistory {
  const seen = (memoryId: string): MemoryRecord | null => {
    const record = state.memories.get(memoryId)
    return record === undefined || !isVisibleTo(record.audience, consumer) ? null : record
  }
  const isHeldBack = (memoryId: string): boolean => {
    const record = seen(memoryId)
    return record !== null && isSaidWhole(record) && historyStateOf(record, nowMs) !== null
  }
  const isUsable = (record: MemoryRecord): boolean =>
    admissionIn(state, record, { nowMs, askedSignature: null, consumer }).surface === 'use_now'
  return (text, signature) => {
    const prepared = { signature, isNearDuplicate: compare.isNearDuplicate }
    const equal = similar
      .exact(text, prepared)
      .flatMap((memoryId) => seen(memoryId) ?? [])
      .filter((record) => isSameWhole(record, text, compare))
    if (equal.some(isUsable)) return null
    const found = gravestOf(equal, false, nowMs)
    if (found !== null || text.length > MEMORY_TEXT_MAX) return found
    const near = similar.nearDuplicates(text, isHeldBack, prepared)
    return gravestOf(
      near.flatMap((memoryId) => seen(memoryId) ?? []),
      true,
      nowMs,
    )
  }
}

/** The gravest thing that holds against a memory now, null when nothing does. */
function historyStateOf(record: MemoryRecord, nowMs: number): HistoryState | null {
  const { facets, content } = record
  if (isSuppressed(facets, nowMs)) return 'suppressed'
  if (facets.standing === 'failed' || content.outcome === 'failed' || content.outcome === 'blocked') {
    return 'failed'
  }
  if (validityAt(facets, nowMs) === 'superseded') return 'superseded'
  return facets.standing === 'contested' ? 'contested' : null
}

/** The first of the gravest, newer before older. */
function gravestOf(records: readonly MemoryRecord[], isNear: boolean, nowMs: number): HistoryMatch | null {
  let found: HistoryMatch | null = null
  for (const record of records) {
    const state = historyStateOf(record, nowMs)
    if (state === null) continue
    if (found === null || isGraver(state, found.state)) found = { state, isNear, memoryId: record.memoryId }
  }
  return found
}

/** Two long texts may have the same compact form, and a short text may be that of a long one. */
function isSameWhole(record: MemoryRecord, text: string, compare: TextComparer): boolean {
  const fullText = record.content.payload?.['full_text']
  if (isSaidWhole(record) || typeof fullText !== 'string') return text.length <= MEMORY_TEXT_MAX
  return compare.isSame(text, fullText)
}

function isGraver(a: HistoryState, b: HistoryState): boolean {
  return HISTORY_STATES.indexOf(a) < HISTORY_STATES.indexOf(b)
}
