import type { MemoryDomain, Standing, Surface } from '../base/closed-sets.ts'
import type { Audience, CounterChange, Evidence, NewMark } from './record.ts'

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
export interface ExternalErasure {
  readonly ref: string
  /** The operator's words, as they came with the request. */
  readonly reason: string
  readonly by: string | null
  readonly atMs: number
  /** Turn that erased it: what is governed later is another matter. */
  readonly seq: number
}

/** Whose opinion about which memory an event changes. */
export interface ExternalEvent {
  readonly memory: ExternalName
  readonly audience: Audience
}

export interface ExternalFeedback extends ExternalEvent {
  readonly mark: NewMark
  readonly counts: CounterChange
  readonly evidence: Omit<Evidence, 'runId' | 'seq'> | null
}

export interface ExternalMove extends ExternalEvent {
  readonly to: Standing
  readonly cause: string
  readonly reason: string
}

export interface ExternalTaskSuccess extends ExternalEvent {
  readonly runId: string
}
