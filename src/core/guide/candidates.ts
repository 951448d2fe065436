import type { Surface } from '../base/closed-sets.ts'
import { disputesOf } from '../model/dispute.ts'
import { validityAt } from '../model/lifecycle.ts'
import type { Consumer, MemoryRecord } from '../model/record.ts'
import { type ActorState, liveRecord, memoriesOfRun } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import { admissionIn, isAddressedTo, isFailedOutcome } from '../policy/admission.ts'
import { WEIGHTS } from '../rerank/features.ts'
import { Reranking } from '../rerank/rerank.ts'
import {
  type NearHit,
  type RecallSource,
  type ScoredCandidate,
  sourcesOf,
  type TextHits,
} from '../rerank/signals.ts'
import type { Candidate, GuideCommand } from './entry.ts'
import {
  aboutTaskFiles,
  isStandingNow,
  STANDING_MEMORIES_LEAST,
  STANDING_WITH_MATCHES,
  standingMemory,
} from './standing.ts'

interface Surfaced {
  readonly surface: Surface
}

/** Whether what is ranked behind these could not be among the first `limit`: see `selectWithin`. */
export function fillsLimit(ranked: readonly Surfaced[], limit: number): boolean {
  const warnings = ranked.filter(({ surface }) => surface === 'do_not_use').length
  return ranked.length - warnings + Math.min(warnings, Math.floor(limit / 2)) >= limit
}

/**
 * The first `limit` of ranked candidates, at most half of them warnings unless there is nothing else to show.
 * Keeps the order; a larger limit never takes a non-warning away. Takes no more from `ranked` than it must see.
 */
export function selectWithin<T extends Surfaced>(ranked: Iterable<T>, limit: number): readonly T[] {
  const warningsMax = Math.floor(limit / 2)
  const seen: T[] = []
  let passedOver = 0
  let warnings = 0
  for (const entry of ranked) {
    if (seen.length - passedOver === limit) break
    seen.push(entry)
    if (entry.surface !== 'do_not_use') continue
    if (warnings === warningsMax) passedOver += 1
    else warnings += 1
  }
  // The first warnings are chosen; of those passed over as many as there is room for.
  let left = warnings + limit - (seen.length - passedOver)
  return seen.filter((entry) => {
    if (entry.surface !== 'do_not_use') return true
    left -= 1
    return left >= 0
  })
}

/**
 * The same with those that take no place, as the run was shown their lines before. What is weak does not move up for them: guide by
 * guide a run would be told whatever shares a word with it.
 */
export function selectNew<T extends Surfaced & { readonly isWeak: boolean }>(
  ranked: readonly T[],
  limit: number,
  takesPlace: (entry: T) => boolean,
): readonly T[] {
  if (ranked.every(takesPlace)) return selectWithin(ranked, limit)
  const first = new Set(selectWithin(ranked, limit))
  const isNew = (entry: T): boolean => takesPlace(entry) && (!entry.isWeak || first.has(entry))
  const chosen = new Set(selectWithin(ranked.filter(isNew), limit))
  return ranked.filter((entry) => chosen.has(entry) || !takesPlace(entry))
}

/** A scope with at most this many visible memories is shown whole. */
export const SMALL_SCOPE_MAX = 12
/** Live claims that full power adds. */
export const LIVE_CLAIMS_MAX = 24
/** Structured execution memory looked at per signature, workflow or run, the newest first. */
const STRUCTURED_MAX = 400

/** How many memories the consumer can see at all. */
export function visibleCountOf(state: ActorState, command: GuideCommand): number {
  let count = 0
  for (const group of state.audiences.values()) {
    if (isVisibleTo(group.audience, command.consumer)) count += group.memoryIds.length
  }
  return count
}

/**
 * Everything that may be shown, best first, each memory once: structured execution memory of the task, hits by text
 * and embedding, runs beside them, live claims, the whole of a small scope, standing memory. All of them visible. Text hits are put in
 * order as they are asked for: of some hundred a guide wants a few dozen.
 */
export function gatherCandidates(
  state: ActorState,
  command: GuideCommand,
  hits: TextHits,
  nowMs: number,
  near: readonly NearHit[] = [],
): Iterable<Candidate> {
  const structured = command.fullPower ? structuredMemory(state, command) : []
  const quota = Math.max(2, Math.ceil(command.limit / 3))
  const scored = new Reranking(state, command, { hits, near }, WEIGHTS)
  const ranked = new Ranking(scored, (record) => isStandingNow(state, command, record, nowMs))
  const good = structured.filter((record) => !isFailedOutcome(record)).slice(0, quota)
  ranked.begin([...good, ...structured.filter(isFailedOutcome).slice(0, quota)])
  ranked.append(
    runsBeside(state, command, scored).filter((record) => !ranked.has(record)),
    SAME_RUN,
  )
  ranked.append(structured, STRUCTURED)
  ranked.append(standingInstead(state, command, scored, nowMs), STANDS_INSTEAD)
  const usable = good.filter((record) => isUsable(state, command, record, nowMs))
  ranked.append(aboutTaskFiles(state, command, hits, usable), TASK_FILE)
  if (command.fullPower) {
    const isLive = (record: MemoryRecord): boolean => validityAt(record.facets, nowMs) === 'live'
    ranked.append(newest(state.claims, state, isLive, LIVE_CLAIMS_MAX, command), LIVE_CLAIM)
  }
  if (visibleCountOf(state, command) <= SMALL_SCOPE_MAX)
    ranked.append(
      wholeScope(state, command).filter((record) => !isOfOtherTask(record, command) || scored.has(record)),
      SMALL_SCOPE,
    )
  const matches = ranked.matchesUpTo(STANDING_WITH_MATCHES - STANDING_MEMORIES_LEAST)
  const { matching, others } = standingMemory(state, command, nowMs, (record) => scored.of(record), matches)
  ranked.append(matching, STANDING)
  ranked.append(others, STANDING)
  return ranked.inOrder()
}

const NO_SLOTS: ReadonlySet<number> = new Set()
const NO_SOURCES: readonly RecallSource[] = []
const STRUCTURED: RecallSource = { kind: 'structured', score: 0, reason: 'same_task' }
const TASK_FILE: RecallSource = { kind: 'structured', score: 0, reason: 'task_file' }
const LIVE_CLAIM: RecallSource = { kind: 'structured', score: 0, reason: 'live_claim' }
const SMALL_SCOPE: RecallSource = { kind: 'recent', score: 0, reason: 'small_scope' }
const STANDING: RecallSource = { kind: 'structured', score: 0, reason: 'standing_memory' }
export const STANDS_INSTEAD: RecallSource = { kind: 'structured', score: 0, reason: 'stands_instead' }
const SAME_RUN: RecallSource = { kind: 'structured', score: 0, reason: 'same_run' }

/**
 * Every memory at its first place, with every reason for it: what stands before the text hits, the hits, what stands
 * behind them.
 */
class Ranking {
  readonly #scored: Reranking
  readonly #first = new Map<string, MemoryRecord>()
  readonly #last = new Map<string, { readonly record: MemoryRecord; readonly sources: RecallSource[] }>()

  readonly #isStanding: (record: MemoryRecord) => boolean

  constructor(scored: Reranking, isStanding: (record: MemoryRecord) => boolean) {
    this.#scored = scored
    this.#isStanding = isStanding
  }

  begin(structured: readonly MemoryRecord[]): void {
    for (const record of structured) this.#first.set(record.memoryId, record)
  }

  append(records: readonly MemoryRecord[], source: RecallSource): void {
    for (const record of records) {
      const known = this.#last.get(record.memoryId)
      if (known === undefined) this.#last.set(record.memoryId, { record, sources: [source] })
      else if (!known.sources.includes(source)) known.sources.push(source)
    }
  }

  /** How many stand before the text hits or are strong hits, counted so far. */
  matchesUpTo(most: number): number {
    const slots = new Set(Array.from(this.#first.values(), ({ slot }) => slot))
    return slots.size + this.#scored.strongUpTo(most - slots.size, slots)
  }

  /** Whether a memory has its place before or among the text hits. */
  has(record: MemoryRecord): boolean {
    return this.#isFirst(record) || this.#scored.has(record)
  }

  *inOrder(): Generator<Candidate> {
    for (const record of this.#first.values()) {
      const behind = this.#behind(record).filter((source) => source !== STRUCTURED)
      const found = sourcesFound(this.#scored.of(record))
      yield { record, recallSources: [STRUCTURED, ...found, ...behind], isWeak: false }
    }
    const { placed, behind } = this.#scored.parted(this.#slotsBehind())
    for (const scored of placed) {
      const { record } = scored
      if (this.#isFirst(record)) continue
      const recallSources = sourcesOf(scored)
      for (const source of this.#behind(record)) recallSources.push(source)
      if (!scored.isWeak && this.#isStanding(record)) recallSources.push(STANDING)
      yield { record, recallSources, isWeak: false }
    }
    for (const { record, sources } of this.#last.values()) {
      if (!this.has(record)) yield { record, recallSources: sources, isWeak: false }
    }
    // What only shares a word takes no place of what is always a candidate.
    for (const scored of behind) {
      if (!this.#isFirst(scored.record))
        yield { record: scored.record, recallSources: sourcesOf(scored), isWeak: true }
    }
  }

  #slotsBehind(): ReadonlySet<number> {
    if (this.#last.size === 0) return NO_SLOTS
    const slots = new Set<number>()
    for (const { record } of this.#last.values()) slots.add(record.slot)
    return slots
  }

  // Both are empty in most guides, and asking an empty map costs as much as asking a full one.

  #isFirst({ memoryId }: MemoryRecord): boolean {
    return this.#first.size > 0 && this.#first.has(memoryId)
  }

  #behind({ memoryId }: MemoryRecord): readonly RecallSource[] {
    return this.#last.size === 0 ? NO_SOURCES : (this.#last.get(memoryId)?.sources ?? NO_SOURCES)
  }
}

function sourcesFound(scored: ScoredCandidate | undefined): readonly RecallSource[] {
  return scored === undefined ? [] : sourcesOf(scored)
}

/** The rest of the run of a strong match fills a list that is still short. */
function runsBeside(state: ActorState, command: GuideCommand, scored: Reranking): readonly MemoryRecord[] {
  // The rest of long lists would not be looked at.
  if (scored.size >= 2 * command.limit) return []
  const runIds = new Set(Array.from(scored.parted(NO_SLOTS).placed, ({ record }) => record.runId))
  return [...runIds].flatMap((runId) =>
    runId === null ? [] : latest(memoriesOfRun(state, runId), state, (r) => r.runId === runId, command),
  )
}

/** What strong matches yield to is about the same, in whatever words it says so. */
function standingInstead(
  state: ActorState,
  { consumer }: GuideCommand,
  scored: Reranking,
  nowMs: number,
): readonly MemoryRecord[] {
  if (state.disputes.size === 0) return []
  const standing: MemoryRecord[] = []
  for (const slot of scored.strongSlots()) {
    const record = state.records[slot]
    if (record === undefined || !state.disputesByMemory.has(record.memoryId)) continue
    for (const { yields, memoryId } of disputesOf(state, record, nowMs, consumer)) {
      const other = yields ? liveRecord(state, memoryId) : undefined
      if (other !== undefined) standing.push(other)
    }
  }
  return standing
}

/**
 * Visible memories of a lookup that still belong there, the newest first. What the consumer cannot see takes no place
 * of the bound, and the order of the lookup, which differs after a reload, takes no part.
 */
function latest(
  ids: Iterable<string> | undefined,
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
  const take = (ids: Iterable<string> | undefined, holds: (record: MemoryRecord) => boolean): void => {
    const isStructured = (record: MemoryRecord): boolean => record.domain === 'execution' && holds(record)
    for (const record of latest(ids, state, isStructured, command)) found.add(record)
  }
  const { taskSignature, workflowSignature, runId } = command
  if (taskSignature !== null) take(state.bySignature.get(taskSignature), () => true)
  if (workflowSignature !== null) take(state.byWorkflow.get(workflowSignature), () => true)
  if (runId !== null) take(memoriesOfRun(state, runId), (record) => record.runId === runId)
  const placed = Array.from(found, (record) => ({ record, place: placeOf(record, command.consumer) }))
  placed.sort((a, b) => a.place - b.place || b.record.ordinal - a.record.ordinal)
  return placed.map(({ record }) => record)
}

/** Of the handoffs those in force that name the consumer come first. A role has no part in it. */
function placeOf({ handoff, facets, content }: MemoryRecord, consumer: Consumer): number {
  if (handoff !== null) return facets.validity === 'live' && isAddressedTo(handoff, consumer) ? 0 : 1
  return content.outcome === 'failed' || content.outcome === 'blocked' ? 3 : 2
}

/** A run or warning of another task than the one that is asked for. */
function isOfOtherTask({ domain, taskSignature }: MemoryRecord, asked: GuideCommand): boolean {
  return domain === 'execution' && asked.taskSignature !== null && taskSignature !== asked.taskSignature
}

/** Memory of the asked task that may be acted on. */
function isUsable(
  state: ActorState,
  { consumer, taskSignature }: GuideCommand,
  record: MemoryRecord,
  nowMs: number,
): boolean {
  return admissionIn(state, record, { nowMs, askedSignature: taskSignature, consumer }).surface === 'use_now'
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
