import { isAddressedTo } from '../governance/admission.ts'
import { validityAt } from '../governance/lifecycle.ts'
import { isVisibleTo } from '../governance/visibility.ts'
import type { Consumer, MemoryRecord } from '../memory/record.ts'
import type { ActorState } from '../memory/state.ts'
import type { GuideCommand } from './command.ts'
import type { RecallSource, TextHit } from './entry.ts'
import { type ScoredCandidate, secondStage, sourcesOf } from './second-stage.ts'

/** A scope with at most this many visible memories is shown whole. */
export const SMALL_SCOPE_MAX = 12
/** Preferences, rules and project context that are candidates of every guide, the newest first. */
export const STANDING_MEMORIES_MAX = 6
/** Live claims that full power adds. */
export const LIVE_CLAIMS_MAX = 24
/** Structured execution memory looked at per signature, workflow or run, the newest first. */
const STRUCTURED_MAX = 400

export interface Candidate {
  readonly record: MemoryRecord
  readonly recallSources: readonly RecallSource[]
}

/** How many memories the consumer can see at all. */
export function visibleCountOf(state: ActorState, command: GuideCommand): number {
  let count = 0
  for (const group of state.audiences.values()) {
    if (isVisibleTo(group.audience, command.consumer)) count += group.memoryIds.length
  }
  return count
}

/**
 * Everything that may be shown, best first, each memory once: structured execution memory of the task, text hits,
 * runs beside them, live claims, the whole of a small scope, standing memory. What recalled a memory is told
 * when its turn comes: of some hundred candidates a guide wants a few dozen.
 */
export function gatherCandidates(
  state: ActorState,
  command: GuideCommand,
  hits: readonly TextHit[],
  nowMs: number,
): Iterable<Candidate> {
  const ranked = new Ranking()
  const structured = command.fullPower ? structuredMemory(state, command) : []
  const quota = Math.max(2, Math.ceil(command.limit / 3))
  const early = [...structured.filter(isGood).slice(0, quota), ...structured.filter(isBad).slice(0, quota)]
  for (const record of early) ranked.add(record, STRUCTURED)
  addHits(ranked, state, command, hits)
  for (const record of structured) ranked.add(record, STRUCTURED)
  if (command.fullPower) {
    const live = newest(
      state.claims,
      state,
      (r) => validityAt(r.facets, nowMs) === 'live',
      LIVE_CLAIMS_MAX,
      command,
    )
    for (const record of live) ranked.add(record, LIVE_CLAIM)
  }
  if (visibleCountOf(state, command) <= SMALL_SCOPE_MAX) {
    for (const record of wholeScope(state, command)) ranked.add(record, SMALL_SCOPE)
  }
  const standing = newest(state.standingMemories, state, () => true, STANDING_MEMORIES_MAX, command)
  for (const record of standing) ranked.add(record, STANDING)
  return ranked.candidates()
}

const STRUCTURED: RecallSource = { kind: 'structured', score: 0, reason: 'same_task' }
const LIVE_CLAIM: RecallSource = { kind: 'structured', score: 0, reason: 'live_claim' }
const SMALL_SCOPE: RecallSource = { kind: 'recent', score: 0, reason: 'small_scope' }
const STANDING: RecallSource = { kind: 'structured', score: 0, reason: 'standing_memory' }
const SAME_RUN: RecallSource = { kind: 'structured', score: 0, reason: 'same_run' }

/** Keeps the first place of a memory and every reason for it. */
class Ranking {
  readonly #sources = new Map<MemoryRecord, (RecallSource | ScoredCandidate)[]>()

  add(record: MemoryRecord, source: RecallSource | ScoredCandidate): void {
    const known = this.#sources.get(record)
    if (known === undefined) this.#sources.set(record, [source])
    else if (!known.includes(source)) known.push(source)
  }

  has(record: MemoryRecord): boolean {
    return this.#sources.has(record)
  }

  *candidates(): Generator<Candidate> {
    for (const [record, sources] of this.#sources)
      yield { record, recallSources: sources.flatMap((one) => ('record' in one ? sourcesOf(one) : one)) }
  }
}

/** Below the floor nothing is recalled by text; once one passes, weaker ones, neighbours and runs fill the list. */
function addHits(ranked: Ranking, state: ActorState, command: GuideCommand, hits: readonly TextHit[]): void {
  const scored = secondStage(state, command, hits)
  for (const candidate of scored) ranked.add(candidate.record, candidate)
  // The rest of long lists would not be looked at.
  if (scored.length >= 2 * command.limit) return
  for (const runId of new Set(scored.map(({ record }) => record.runId))) {
    const rest =
      runId === null ? [] : latest(state.byRun.get(runId), state, (r) => r.runId === runId, command)
    for (const record of rest) if (!ranked.has(record)) ranked.add(record, SAME_RUN)
  }
}

/**
 * Visible memories of a lookup that still belong there, the newest first. What the consumer cannot see takes no place
 * of the bound, and the order of the lookup, which differs after a reload, takes no part.
 */
function latest(
  ids: ReadonlySet<string> | undefined,
  state: ActorState,
  holds: (record: MemoryRecord) => boolean,
  command: GuideCommand,
): readonly MemoryRecord[] {
  const found: MemoryRecord[] = []
  for (const id of ids ?? []) {
    const record = state.memories.get(id)
    if (record !== undefined && holds(record) && isVisibleTo(record.audience, command.consumer))
      found.push(record)
  }
  return found.sort((a, b) => b.ordinal - a.ordinal).slice(0, STRUCTURED_MAX)
}

/** Handoffs first, then runs that succeeded, then the others, each the newest first. */
function structuredMemory(state: ActorState, command: GuideCommand): readonly MemoryRecord[] {
  const found = new Set<MemoryRecord>()
  const take = (ids: ReadonlySet<string> | undefined, holds: (record: MemoryRecord) => boolean): void => {
    const isStructured = (record: MemoryRecord): boolean => record.domain === 'execution' && holds(record)
    for (const record of latest(ids, state, isStructured, command)) found.add(record)
  }
  const { taskSignature, workflowSignature, runId } = command
  if (taskSignature !== null) take(state.bySignature.get(taskSignature), () => true)
  if (workflowSignature !== null) take(state.byWorkflow.get(workflowSignature), () => true)
  if (runId !== null) take(state.byRun.get(runId), (record) => record.runId === runId)
  const placed = Array.from(found, (record) => ({ record, place: placeOf(record, command.consumer) }))
  placed.sort((a, b) => a.place - b.place || b.record.ordinal - a.record.ordinal)
  return placed.map(({ record }) => record)
}

/** Of the handoffs those in force that name the consumer come first. A role has no part in it. */
function placeOf({ handoff, facets, content }: MemoryRecord, consumer: Consumer): number {
  if (handoff !== null) return facets.validity === 'live' && isAddressedTo(handoff, consumer) ? 0 : 1
  return content.outcome === 'failed' || content.outcome === 'blocked' ? 3 : 2
}

function isBad(record: MemoryRecord): boolean {
  return record.content.outcome === 'failed' || record.content.outcome === 'blocked'
}

function isGood(record: MemoryRecord): boolean {
  return !isBad(record)
}

function newest(
  ids: readonly string[],
  state: ActorState,
  holds: (record: MemoryRecord) => boolean,
  max: number,
  command: GuideCommand,
): readonly MemoryRecord[] {
  const found: MemoryRecord[] = []
  for (let at = ids.length - 1; at >= 0 && found.length < max; at--) {
    const record = state.memories.get(ids[at] ?? '')
    if (record !== undefined && isVisibleTo(record.audience, command.consumer) && holds(record))
      found.push(record)
  }
  return found
}

function wholeScope(state: ActorState, command: GuideCommand): readonly MemoryRecord[] {
  const records: MemoryRecord[] = []
  for (const group of state.audiences.values()) {
    if (!isVisibleTo(group.audience, command.consumer)) continue
    for (const id of group.memoryIds) {
      const record = state.memories.get(id)
      if (record !== undefined) records.push(record)
    }
  }
  return records.sort((a, b) => b.ordinal - a.ordinal)
}
