import type {
  Availability,
  ClaimAuthority,
  ClaimKind,
  ConflictPolicy,
  FacetName,
  FeedbackOutcome,
  Lane,
  MemoryDomain,
  MemorySource,
  MemoryType,
  Origin,
  Outcome,
  RelationType,
  Standing,
  Surface,
  Trust,
  UsedSurface,
  Validity,
  VerifierStatus,
} from '../base/closed-sets.ts'

/** Any JSON value, as callers send it and msgpack keeps it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** Who a memory belongs to; null owners on a shared lane mean everyone in the actor. */
export interface Audience {
  readonly lane: Lane
  readonly ownerAgentId: string | null
  readonly ownerTeamId: string | null
}

/** Who asks. An agent id is always there (`local-agent` when the caller names none). */
export interface Consumer {
  readonly agentId: string
  readonly teamId: string | null
}

export interface Suppression {
  readonly reason: string
  readonly by: string | null
  /** Id of the key by which it was asked for; absent without keys. */
  readonly principal?: string
  readonly sinceMs: number
  /** Null: until an operator lifts it. Otherwise it ends by the clock, without an event. */
  readonly untilMs: number | null
  /** Of a verdict: the one with an end that it took the place of, and which holds again when the verdict is taken back. */
  readonly earlier?: Suppression
}

/** Five independent facets; no transition of one changes another. */
export interface Facets {
  readonly trust: Trust
  readonly standing: Standing
  readonly validity: Validity
  /** The instant after which the memory is expired by the clock; null: never. */
  readonly validUntilMs: number | null
  readonly availability: Availability
  readonly suppression: Suppression | null
}

/** One change of one facet: what an operator reads to learn why. At most 64 are kept per memory. */
export interface FacetChange {
  readonly facet: FacetName
  readonly from: string
  readonly to: string
  readonly cause: string
  readonly reason: string
  readonly atMs: number
  readonly seq: number
  /** The memory or claim that caused it, when another memory did. */
  readonly byMemoryId: string | null
}

/** One attributed or observed outcome. A run may have several for one memory; only its strongest counts. */
export interface FeedbackMark {
  readonly runId: string
  readonly outcome: FeedbackOutcome
  /** Negative with failure evidence that names this memory alone. */
  readonly strong: boolean
  /** A positive that may rehabilitate; false for every other outcome. */
  readonly direct: boolean
  readonly verifierStatus: VerifierStatus | null
  readonly usedSurface: UsedSurface
  readonly guideTraceId: string | null
  readonly reason: string
  readonly atMs: number
  readonly seq: number
}

/** A mark before its turn has a place and a time. */
export type NewMark = Omit<FeedbackMark, 'seq' | 'atMs'>

/** What a report says for or against a memory, as far as its standing depends on it. */
export const EVIDENCE_KINDS = [
  /** Negative with failure evidence. */
  'failure',
  /** The same, naming others too, after a run that is no longer listed has proved it. */
  'proved',
  /** Negative without failure evidence. */
  'complaint',
  /** Direct positive with a passed verifier. */
  'success',
  /** Direct positive without one. */
  'help',
  /** The memory was shown to a run of its task that succeeded and was verified, and nobody named it. */
  'task',
] as const

/** One report about one memory, as its ledger keeps it. */
export interface Evidence {
  readonly runId: string
  readonly kind: (typeof EVIDENCE_KINDS)[number]
  /** Slots of all memories that the report names, this one among them; empty for `task`. */
  readonly named: readonly number[]
  /** Turn that recorded it. */
  readonly seq: number
}

/** What an outcome says of one memory. */
export interface Said {
  readonly mark: NewMark
  /** What it adds to the counters of the memory, and takes from them: a run counts once, by its strongest report. */
  readonly counts: CounterChange
  /** Null: it says nothing for or against the memory, or nothing that its run has not said before. */
  readonly evidence: Omit<Evidence, 'runId' | 'seq'> | null
}

/** Each run counts once in all of them together, by its strongest report. */
export interface Counters {
  readonly positive: number
  readonly negativeWeak: number
  readonly negativeStrong: number
  readonly neutral: number
  /** Positives that were only observed (not direct). */
  readonly observedPositive: number
}

export type CounterChange = Readonly<Partial<Record<keyof Counters, number>>>

export interface VerifierEvidence {
  readonly name: string
  readonly status: VerifierStatus
  readonly summary: string | null
}

/** What a revision replaces; kept as evidence when the next revision comes. */
export interface Content {
  readonly title: string | null
  /** True when the caller gave the title; a derived title is never printed on a do_not_use line. */
  readonly titleIsCallers: boolean
  readonly text: string
  readonly summary: string | null
  readonly outcome: Outcome | null
  readonly outcomeRaw: string | null
  readonly confidence: number
  readonly targetFiles: readonly string[]
  readonly acceptanceChecks: readonly string[]
  readonly workflowSteps: readonly string[]
  readonly tools: readonly string[]
  readonly verifier: readonly VerifierEvidence[]
  readonly evidenceRefs: readonly string[]
  readonly rawRef: string | null
  readonly nextAction: string | null
  /** Cold content: whole long texts, slots, artifacts, metadata. Printed nowhere; returned by rehydrate full. */
  readonly payload: JsonObject | null
  /** Non-null when `text` is a compact form of a longer text held in the payload under `full_text`. */
  readonly fullTextChars: number | null
}

export interface Revision {
  readonly revision: number
  readonly content: Content
  readonly atMs: number
  readonly seq: number
}

export interface ClaimFacts {
  readonly claimId: string
  readonly subjectKey: string
  readonly predicate: string
  readonly value: Json
  readonly slotKey: string | null
  readonly claimKind: ClaimKind
  readonly conflictPolicy: ConflictPolicy
  readonly authority: ClaimAuthority
  readonly validFromMs: number | null
  readonly sourceMemoryId: string | null
}

export interface HandoffFacts {
  readonly handoffId: string
  readonly anchor: string | null
  readonly handoffKind: string
  readonly targetAgentId: string | null
  readonly targetTeamId: string | null
  readonly targetRole: string | null
  readonly handoffText: string | null
  readonly nextAction: string | null
  readonly risk: string | null
}

/** One memory. Immutable: a change replaces the record in the state's map. */
export interface MemoryRecord extends TaskRef {
  readonly memoryId: string
  /** Dense number of the memory in its actor, 0, 1, 2 … in order of first writing; never reused. */
  readonly slot: number
  /** Grows with every write or revision of content; recall breaks ties by it and reloads in its order. */
  readonly ordinal: number
  readonly clientId: string | null
  readonly domain: MemoryDomain
  readonly memoryType: MemoryType
  /** The kind as the caller sent it. */
  readonly kind: string | null
  readonly audience: Audience
  readonly producerAgentId: string | null
  readonly producerTeamId: string | null
  readonly actorName: string | null
  readonly origin: Origin
  readonly derivedFrom: readonly string[]
  readonly source: MemorySource
  readonly content: Content
  readonly claim: ClaimFacts | null
  readonly handoff: HandoffFacts | null
  readonly facets: Facets
  /** Findings of content screening; empty when the text is clean. */
  readonly findings: readonly string[]
  readonly counters: Counters
  /** In order of arrival, at most 256; older ones live in the counters. */
  readonly marks: readonly FeedbackMark[]
  /** What hosts asserted of it while it was not exposed to them: evidence that counts nowhere. At most 64. */
  readonly assertions: readonly FeedbackMark[]
  readonly changes: readonly FacetChange[]
  readonly revision: number
  /** Earlier contents, oldest first. */
  readonly revisions: readonly Revision[]
  readonly createdAtMs: number
  /** When the caller says it was seen; of recency; in a conflict it may only place a statement earlier. */
  readonly observedAtMs: number
  readonly updatedAtMs: number
  /** Journal order of the write. */
  readonly seq: number
}

/** Who erased something, and why. */
export interface Erased {
  /** The operator's words, as they came with the request. */
  readonly reason: string
  readonly by: string | null
  readonly atMs: number
  /** Turn that erased it: what comes later under the same name is another matter. */
  readonly seq: number
}

/** What stays of an erased memory beside its ids, facets and counters. */
export interface Erasure extends Erased {
  readonly memoryId: string
}

export type DisputeYields = 'earlier' | 'later'

/** Two memories that cannot both hold. One dispute a pair: a later finding replaces it. */
export interface Dispute {
  readonly earlierId: string
  readonly laterId: string
  /** What they disagree about, or the relation that one of them claimed over the other. */
  readonly kind: string
  readonly yields: DisputeYields
  readonly seq: number
  /** What an operator decided about it; absent: nobody did. It holds until either memory says something else. */
  readonly settled?: Settlement
}

/** Which of the two stands; both: they do not contradict each other; neither: both are out of use. */
export type Settlement = DisputeYields | 'both' | 'neither'

export interface Relation {
  readonly type: RelationType
  readonly srcId: string
  readonly dstId: string
  readonly confidence: number
  /** False: kept as evidence only, because not everyone who sees the target sees the source. */
  readonly effective: boolean
  readonly seq: number
}

// How events speak of memory that another store holds.

/** A memory of another store, by the names that it has there. */
export interface ExternalName {
  readonly sourceBackend: string
  readonly externalId: string
  /** Keyed hash of both, 32 hex digits: what an erasure leaves of it. */
  readonly ref: string
  /** Keyed hash of the text that was governed last. */
  readonly textHash: string
  readonly domain: MemoryDomain
}

/** The candidates of a govern request. Parallel lists, in the order of the request. */
export interface ExternalShown {
  /** Whose later requests the outcomes count for. */
  readonly audience: Audience
  readonly sourceBackends: readonly string[]
  readonly externalIds: readonly string[]
  readonly refs: readonly string[]
  readonly textHashes: readonly string[]
  readonly domains: readonly MemoryDomain[]
  readonly surfaces: readonly Surface[]
}

/** What is left of an erased one. */
export interface ExternalErasure extends Erased {
  readonly ref: string
}

/** Whose opinion about which memory an event changes. */
export interface ExternalEvent {
  readonly memory: ExternalName
  readonly audience: Audience
}

export interface ExternalMove extends ExternalEvent {
  readonly to: Standing
  readonly cause: string
  readonly reason: string
}

export interface ExternalTaskSuccess extends ExternalEvent {
  readonly runId: string
}

/** Which work something is about, as the caller names it. */
export interface TaskRef {
  readonly taskId: string | null
  readonly runId: string | null
  readonly taskSignature: string | null
  readonly taskFamily: string | null
  readonly workflowSignature: string | null
}

export const NO_COUNTS: Counters = {
  positive: 0,
  negativeWeak: 0,
  negativeStrong: 0,
  neutral: 0,
  observedPositive: 0,
}

export function counted(counters: Counters, counts: CounterChange): Counters {
  return {
    positive: counters.positive + (counts.positive ?? 0),
    negativeWeak: counters.negativeWeak + (counts.negativeWeak ?? 0),
    negativeStrong: counters.negativeStrong + (counts.negativeStrong ?? 0),
    neutral: counters.neutral + (counts.neutral ?? 0),
    observedPositive: counters.observedPositive + (counts.observedPositive ?? 0),
  }
}

/** With one more entry, and without the oldest above `max`. */
export function appended<T>(list: readonly T[], entry: T, max: number): readonly T[] {
  return list.length < max ? [...list, entry] : [...list.slice(list.length - max + 1), entry]
}
