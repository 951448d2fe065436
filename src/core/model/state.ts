import { assert } from '../base/assert.ts'
import { type BySurface, SURFACES, type Surface } from '../base/closed-sets.ts'
import { listAt } from '../base/collections.ts'
import { MemoryColumns, RunLines } from './columns.ts'
import { type CompactRecord, RecentParts } from './compact-record.ts'
import type { GuideErasure } from './erasure.ts'
import type { ExposureRecord } from './events.ts'
import { type EvidenceLedger, firstLedger } from './evidence.ts'
import { ExternalMemories } from './external-memories.ts'
import { KnownLineages } from './known-lineages.ts'
import { type Authority, authorityOf } from './principal.ts'
import type { Audience, Dispute, Erased, Erasure, MemoryRecord, Relation } from './record.ts'
import { RuleCounts } from './rule-counts.ts'
import { ShownLines } from './shown-lines.ts'
import type { SkillCandidate } from './skill-candidate.ts'
import { audienceKey } from './visibility.ts'
import { Workspace } from './workspace.ts'

/** Who is heard first. */
const RANKS: Readonly<Record<Authority, number>> = {
  operator: 0,
  user: 0,
  verifier: 1,
  agent: 2,
  tool: 3,
  document: 4,
  external: 4,
  unknown: 4,
}

/**
 * Standing memories in the order in which a guide hears them: by authority, then direct positives, then the oldest
 * first. Put in order when it is asked for after one of them changed: guides are many, such changes few.
 */
export class StandingOrder {
  #records: readonly MemoryRecord[] | null = null

  /** A standing memory was written, revised, judged, activated or erased. */
  forget(): void {
    this.#records = null
  }

  /** @param inOrder the live standing memories in their order, asked for when it is not known */
  of(inOrder: () => readonly MemoryRecord[]): readonly MemoryRecord[] {
    this.#records ??= inOrder()
    return this.#records
  }
}

/** A request that was answered under an operation id. */
export interface StoredOperation {
  readonly requestHash: string
  /** Compressed answer; null when it was dropped for room, so that the id is known but has no answer. */
  readonly answer: Uint8Array | null
  readonly atMs: number
}

/** Everyone who shares an audience sees the same memories. */
export interface AudienceClass {
  /** Dense number, 0, 1, 2 … in order of first appearance. */
  readonly number: number
  readonly audience: Audience
  readonly memoryIds: string[]
}

/**
 * Everything an actor knows. Written by `evolve` only, except that a snapshot takes `exposures` out once the ledger
 * has them. Records inside are immutable and replaced, so a shallow copy at one sequence is a consistent picture.
 */
export interface ActorState {
  readonly tenantId: string
  readonly scope: string
  /** Sequence of the last applied turn, 0 before the first. */
  seq: number
  nextOrdinal: number
  /** By id, in order of first writing: the position of a memory is its slot. */
  readonly memories: Map<string, CompactRecord>
  /** The same records by slot: what is found as a number is read without its id. Written by `putRecord` only, as is `memories`. */
  readonly records: CompactRecord[]
  /** What is left of erased memories, by memory id. Their records stay, without content, and in no other lookup but `byClientId`. */
  readonly erasures: Map<string, Erasure>
  /** What is left of erased guides, by `guideErasureKey`, oldest first. */
  readonly erasedGuides: Map<string, GuideErasure>
  /** A client id is unique within an audience only, so one id may name several memories. */
  readonly byClientId: Map<string, Set<string>>
  readonly bySignature: Map<string, Set<string>>
  readonly byWorkflow: Map<string, Set<string>>
  /** The memories of each run, and who stands beside whom there. */
  readonly runLines: RunLines
  /** What a ranking asks of every candidate. */
  readonly columns: MemoryColumns
  readonly byClaimSlot: Map<string, Set<string>>
  /** What runs said for and against memories, by memory id; only memories that feedback named, or that it may lift, are in it. */
  readonly evidence: Map<string, EvidenceLedger>
  /** Memories at which feedback of a run stands. */
  readonly markedByRun: Map<string, Set<string>>
  /** Memory ids in order of first writing. */
  readonly handoffs: string[]
  readonly claims: string[]
  /** General preferences, rules and project context: candidates of every guide. */
  readonly standingMemories: string[]
  readonly standingOrder: StandingOrder
  readonly lineages: KnownLineages
  /** Audiences in order of first appearance, with the memories of each in order of first writing. */
  readonly audiences: Map<string, AudienceClass>
  /** The same by the audience object of each class, which its records mostly have: making a key costs more than this. */
  readonly classes: Map<Audience, AudienceClass>
  readonly relations: Relation[]
  readonly relationsBySource: Map<string, Relation[]>
  readonly relationsByTarget: Map<string, Relation[]>
  /** By pair of memories, in the order of finding; whether one is in force now is asked of `disputesOf`. */
  readonly disputes: Map<string, Dispute>
  readonly disputesByMemory: Map<string, Dispute[]>
  /** Memories whose content an operator has activated. */
  readonly operatorMemories: Set<string>
  /** Exposure sets not yet in the ledger, by guide trace id. */
  readonly exposures: Map<string, ExposureRecord>
  /** Guides so far, and a running digest of what they exposed: the ledger's share of the state hash. */
  exposureCount: number
  exposureDigest: string
  /** Exposures per memory slot and surface, four numbers a slot in the order of `SURFACES`. */
  exposureTotals: Uint32Array
  /** Last surface on which a run or consumer was shown a memory; the oldest runs and consumers are dropped. */
  readonly exposedByRun: Map<string, Map<string, Surface>>
  readonly exposedByConsumer: Map<string, Map<string, Surface>>
  /** What was said of files. */
  workspace: Workspace
  /** Lines that guides of a run showed a consumer. */
  shownLines: ShownLines
  readonly operations: Map<string, StoredOperation>
  operationAnswerBytes: number
  /** Operation ids whose answers were dropped: known, never executed again. */
  readonly retiredOperations: Set<string>
  /** Memories of which a facet was changed by another memory: an erasure of that one asks no others. */
  readonly changedByOthers: Set<string>
  /** What memories to come may share with recent ones. */
  readonly parts: RecentParts
  /** Which surface rules decided, by hour. */
  ruleCounts: RuleCounts
  /** Skill candidates by id, in the order of proposal. */
  readonly skills: Map<string, SkillCandidate>
  /** What is known of memory that other stores hold. */
  readonly external: ExternalMemories
}

/** Owners that the memories of an actor may have before it takes no more: the index tells 65 535 apart, of which one request adds some. */
export const AUDIENCES_MAX = 65_000
export const RUNS_EXPOSED_MAX = 10_000
export const CONSUMERS_EXPOSED_MAX = 1_000
export const OPERATIONS_MAX = 10_000
export const OPERATION_WINDOW_MS = 24 * 60 * 60 * 1000
export const OPERATION_ANSWER_BYTES_MAX = 16 * 1024 * 1024
/** A larger answer is not kept: its operation id is known, a repeat is refused. Compressed bytes. */
export const KEPT_ANSWER_BYTES_MAX = 1024 * 1024
export const RETIRED_OPERATIONS_MAX = 100_000
export const CHANGES_MAX = 64
export const MARKS_MAX = 256
export const ASSERTIONS_MAX = 64
/** Earlier contents kept with a memory; the oldest go first. */
export const REVISIONS_MAX = 64

export function emptyState(tenantId: string, scope: string): ActorState {
  return {
    tenantId,
    scope,
    seq: 0,
    nextOrdinal: 0,
    memories: new Map(),
    records: [],
    erasures: new Map(),
    byClientId: new Map(),
    bySignature: new Map(),
    byWorkflow: new Map(),
    runLines: new RunLines(),
    columns: new MemoryColumns(),
    byClaimSlot: new Map(),
    evidence: new Map(),
    markedByRun: new Map(),
    handoffs: [],
    claims: [],
    standingMemories: [],
    standingOrder: new StandingOrder(),
    lineages: new KnownLineages(),
    audiences: new Map(),
    classes: new Map(),
    relations: [],
    relationsBySource: new Map(),
    relationsByTarget: new Map(),
    disputes: new Map(),
    disputesByMemory: new Map(),
    operatorMemories: new Set(),
    erasedGuides: new Map(),
    exposures: new Map(),
    exposureCount: 0,
    exposureDigest: '',
    exposureTotals: new Uint32Array(0),
    exposedByRun: new Map(),
    exposedByConsumer: new Map(),
    workspace: new Workspace(),
    shownLines: new ShownLines(),
    operations: new Map(),
    operationAnswerBytes: 0,
    retiredOperations: new Set(),
    changedByOthers: new Set(),
    parts: new RecentParts(),
    ruleCounts: new RuleCounts(),
    skills: new Map(),
    external: new ExternalMemories(),
  }
}

/** A memory that is new, or what replaces its record. */
export function putRecord(
  state: Pick<ActorState, 'memories' | 'records' | 'standingOrder'>,
  record: CompactRecord,
): void {
  assert(record.slot <= state.records.length, `memory ${record.memoryId} is out of its slot`)
  if (isStandingType(record)) state.standingOrder.forget()
  state.memories.set(record.memoryId, record)
  state.records[record.slot] = record
}

/** Everything that an actor has erased, of whatever kind. */
export function erasuresIn({ erasures, erasedGuides, external }: ActorState): readonly Erased[] {
  return [...erasures.values(), ...erasedGuides.values(), ...external.erasures.values()]
}

/** A memory that still says something: undefined when there is none, or it was erased. */
export function liveRecord(
  state: Pick<ActorState, 'memories' | 'erasures'>,
  memoryId: string,
): CompactRecord | undefined {
  return state.erasures.has(memoryId) ? undefined : state.memories.get(memoryId)
}

/** How often a memory was shown on each surface. */
export function exposureTotalsOf(
  state: Pick<ActorState, 'exposureTotals'>,
  record: Pick<MemoryRecord, 'slot'>,
): BySurface<number> {
  const at = record.slot * SURFACES.length
  const of = (offset: number): number => state.exposureTotals[at + offset] ?? 0
  return { use_now: of(0), inspect_before_use: of(1), rehydrate: of(2), do_not_use: of(3) }
}

/**
 * Adds a record to every lookup; `before`: what a revision replaces. No lookup keeps what the revision changed, so that
 * all of them are the same after a reload, but for the order of what one holds.
 */
export function linkRecord(state: ActorState, record: MemoryRecord, before: MemoryRecord | null): void {
  const { memoryId } = record
  addTo(state.byClientId, record.clientId, memoryId)
  // Also of an erased memory, so that the numbers of the classes are the same after a reload.
  const audience = audienceClassOf(state, record.audience)
  if (state.erasures.has(memoryId)) return
  state.columns.put(record, audience.number)
  if (before !== null) takeKeys(state, before, record)
  addTo(state.bySignature, record.taskSignature, memoryId)
  addTo(state.byWorkflow, record.workflowSignature, memoryId)
  addTo(state.byClaimSlot, slotKeyOf(record), memoryId)
  if (record.runId !== null) state.runLines.join(record.runId, audience.number, record.slot)
  // A revision changes neither its audience nor whether it is a claim or a handoff: it is in these lists, in order of slots.
  if (before !== null) return
  if (record.claim !== null) state.claims.push(memoryId)
  if (record.handoff !== null) state.handoffs.push(memoryId)
  if (isStandingType(record)) state.standingMemories.push(memoryId)
  audience.memoryIds.push(memoryId)
}

/** The live standing memories in the order in which a guide hears them. */
export function standingInOrder(
  state: Pick<ActorState, 'memories' | 'standingMemories' | 'standingOrder' | 'operatorMemories'>,
): readonly MemoryRecord[] {
  return state.standingOrder.of(() =>
    state.standingMemories
      .flatMap((memoryId) => state.memories.get(memoryId) ?? [])
      .map((record) => ({ record, rank: RANKS[authorityOf(state, record)] }))
      .sort(
        ({ record: a, rank }, { record: b, rank: other }) =>
          rank - other || b.counters.positive - a.counters.positive || a.slot - b.slot,
      )
      .map(({ record }) => record),
  )
}

/** Takes a record out of the lookups by a word of its own, where another one has not the same. */
export function takeKeys(state: ActorState, record: MemoryRecord, other: MemoryRecord | null): void {
  const { memoryId } = record
  const take = (lookup: Map<string, Set<string>>, keyOf: (of: MemoryRecord) => string | null): void => {
    const key = keyOf(record)
    if (other === null || keyOf(other) !== key) takeFrom(lookup, key, memoryId)
  }
  take(state.bySignature, (of) => of.taskSignature)
  take(state.byWorkflow, (of) => of.workflowSignature)
  take(state.byClaimSlot, slotKeyOf)
}

/** Ids of the memories of a run, in order of first writing. */
export function memoriesOfRun(
  state: Pick<ActorState, 'records' | 'runLines'>,
  runId: string,
): readonly string[] {
  return state.runLines.slotsOf(runId).flatMap((slot) => state.records[slot]?.memoryId ?? [])
}

/** What runs said of a memory, also before any has. */
export function ledgerOf(state: Pick<ActorState, 'evidence'>, record: MemoryRecord): EvidenceLedger {
  return state.evidence.get(record.memoryId) ?? firstLedger(record)
}

export function linkMark(state: ActorState, runId: string, memoryId: string): void {
  addTo(state.markedByRun, runId, memoryId)
}

/** A memory has forgotten its outcomes of a run: it keeps the newest ones only. */
export function unlinkMark(state: ActorState, runId: string, memoryId: string): void {
  takeFrom(state.markedByRun, runId, memoryId)
}

export function audienceClassOf(state: ActorState, audience: Audience): AudienceClass {
  const sameObject = state.classes.get(audience)
  if (sameObject !== undefined) return sameObject
  const key = audienceKey(audience)
  const known = state.audiences.get(key)
  if (known !== undefined) return known
  const created: AudienceClass = { number: state.audiences.size, audience, memoryIds: [] }
  state.audiences.set(key, created)
  state.classes.set(audience, created)
  return created
}

export function linkRelation(state: ActorState, relation: Relation): void {
  state.relations.push(relation)
  listAt(state.relationsBySource, relation.srcId).push(relation)
  listAt(state.relationsByTarget, relation.dstId).push(relation)
}

/** Takes the place of what was found between the two before. */
export function linkDispute(state: ActorState, dispute: Dispute): void {
  const { earlierId, laterId } = dispute
  const key = disputeKey(earlierId, laterId)
  const before = state.disputes.get(key)
  if (before !== undefined) unlinkDispute(state, before)
  state.disputes.set(key, dispute)
  listAt(state.disputesByMemory, earlierId).push(dispute)
  listAt(state.disputesByMemory, laterId).push(dispute)
}

export function unlinkDisputesOf(state: ActorState, memoryId: string): void {
  // A list is replaced, not changed, so that this one stays whole.
  for (const dispute of state.disputesByMemory.get(memoryId) ?? []) unlinkDispute(state, dispute)
}

function unlinkDispute(state: ActorState, dispute: Dispute): void {
  const { earlierId, laterId } = dispute
  state.disputes.delete(disputeKey(earlierId, laterId))
  for (const memoryId of [earlierId, laterId]) {
    const rest = (state.disputesByMemory.get(memoryId) ?? []).filter((other) => other !== dispute)
    if (rest.length === 0) state.disputesByMemory.delete(memoryId)
    else state.disputesByMemory.set(memoryId, rest)
  }
}

/** Equal for both orders of a pair. */
export function disputeKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}

/** A general preference, rule or word about a project. */
export function isStandingType(record: Pick<MemoryRecord, 'domain' | 'memoryType'>): boolean {
  const type = record.memoryType
  return (
    record.domain === 'general' && (type === 'preference' || type === 'rule' || type === 'project_context')
  )
}

function addTo(lookup: Map<string, Set<string>>, key: string | null, memoryId: string): void {
  if (key === null) return
  const ids = lookup.get(key)
  if (ids === undefined) lookup.set(key, new Set([memoryId]))
  else ids.add(memoryId)
}

/** A key that nothing is left of goes. */
function takeFrom(lookup: Map<string, Set<string>>, key: string | null, memoryId: string): void {
  if (key === null) return
  const ids = lookup.get(key)
  if (ids?.delete(memoryId) === true && ids.size === 0) lookup.delete(key)
}

function slotKeyOf({ claim }: MemoryRecord): string | null {
  return claim?.slotKey ?? null
}
