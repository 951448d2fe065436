import type { ErrorCode } from '../core/base/errors.ts'
import type { ActorEvent } from '../core/model/events.ts'
import type { HotShard, ShardChange } from './cluster.ts'
import type { ComputeFailureKind } from './compute.ts'

/**
 * What a request waits for or does, in this order.
 * - queue: it has arrived and waits for the requests that arrived with it.
 * - load: its actor is read from disk, or on its way out of memory.
 * - pool: a worker thread does a part of it, the time until one is free included.
 * - turn: it is decided, handed to the journal and applied.
 * - flush: it waits until all that it depends on is durable.
 */
export const PHASES = ['queue', 'load', 'pool', 'turn', 'flush'] as const
export type Phase = (typeof PHASES)[number]

/**
 * How a request ended.
 * - ok: answered.
 * - refused: the caller has to send something else.
 * - busy: the same request may succeed later.
 * - failed: a fault of the service.
 */
export const OUTCOME_CLASSES = ['ok', 'refused', 'busy', 'failed'] as const
export type OutcomeClass = (typeof OUTCOME_CLASSES)[number]

/** Programs whose hooks are answered. */
export const HOOK_HOSTS = ['claude-code', 'codex', 'cursor', 'gemini', 'copilot'] as const
export type HookHost = (typeof HOOK_HOSTS)[number]

/**
 * How a hook was answered.
 * - answered: with memory.
 * - empty: with nothing, as there was nothing to say.
 * - late: with nothing, as what it asked took too long.
 * - refused: with nothing, or that its key may not.
 * - failed: with nothing, by a fault of the service.
 */
export const HOOK_OUTCOMES = ['answered', 'empty', 'late', 'refused', 'failed'] as const
export type HookOutcome = (typeof HOOK_OUTCOMES)[number]

/** What is known of a request before it is carried out. */
export interface RequestInfo {
  readonly requestId: string
  /** Time that it waited for others before it was handed over, milliseconds. */
  readonly queuedMs?: number
  /** Headers of the request, in which a caller may name the trace that it belongs to. Absent: no edge was between. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Numbers of now, for those who ask. */
export interface Vitals {
  readonly residentActors: number
  /** Estimated. */
  readonly residentBytes: number
  readonly knownActors: number
  /** Requests that wait for an actor or are inside one. */
  readonly requestsInside: number
  /** Of the actor with the most of them. */
  readonly deepestMailbox: number
  readonly waitingLoads: number
  /** Actors on their way out of memory. */
  readonly leavingActors: number
  readonly journalQueuedBytes: number
  readonly journalSegments: number
  /** How long the disk has been busy with the step under way; 0 when none is. */
  readonly journalWritingS: number
  /** Nodes of a shared store that live; 0, as what follows, on a node that is the only one. */
  readonly nodesAlive: number
  readonly shardsHeld: number
  /** Of them those that belong to another node. */
  readonly shardsLeaving: number
  /** The hottest first. */
  readonly hotShards: readonly HotShard[]
  readonly shardChanges: Readonly<Record<ShardChange, number>>
  /** 1: its lease is valid, or it needs none. */
  readonly leaseValid: number
  /** 1: the store answered at the last look. */
  readonly storeReachable: number
  readonly workerThreads: number
  /** Tasks of requests that run or wait. */
  readonly workerTasks: number
  readonly upkeepTasks: number
  /** Why no write would be taken now; empty: it would be. */
  readonly notReady: readonly string[]
}

/**
 * Is told what the service does and how long it takes. Every method is called on hot paths: none throws, none waits, and
 * none keeps a text of a request.
 */
export interface Telemetry {
  /** Milliseconds of a clock that is never set; 0 where nobody listens. */
  now(): number
  /** Carries out one request: what is reported until its end belongs to it. */
  request<Answer>(operation: string, info: RequestInfo, run: () => Promise<Answer>): Promise<Answer>
  /** The request under way is for this actor. */
  actor(actorKey: string): void
  /** A phase of the request under way, which began at `sinceMs`, has ended. */
  phase(phase: Phase, sinceMs: number): void
  /** A turn of the request under way is in the journal's queue. A replay is not told. */
  committed(events: readonly ActorEvent[]): void
  /** An edge has refused what never became a request of an operation. */
  refused(requestId: string, code: ErrorCode): void
  /** The journal has written records together, flushed if its durability says so. */
  journalWrote(records: number, tookMs: number): void
  workerFailed(kind: ComputeFailureKind): void
  hookEnded(host: HookHost, outcome: HookOutcome): void
}
