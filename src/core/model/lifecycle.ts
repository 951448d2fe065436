import { assert } from '../base/assert.ts'
import type { FacetName, LifecycleState, Validity } from '../base/closed-sets.ts'
import type { ActorEvent } from './events.ts'
import type { Facets, MemoryRecord, Suppression } from './record.ts'

export interface Transition {
  readonly id: string
  readonly facet: FacetName
  readonly cause: string
  readonly from: readonly string[]
  readonly to: string
}

const NOT_FAILED = ['active', 'demoted', 'contested'] as const

/**
 * Every way a facet can move. A row names one facet, so no transition can touch another; a move without a row is a
 * broken invariant. `none` and `suppressed` stand for the absence and presence of a suppression.
 */
const ROWS = [
  { id: 'T1', facet: 'trust', cause: 'declared', from: ['trusted'], to: 'candidate' },
  { id: 'T2', facet: 'trust', cause: 'operator_activation', from: ['candidate'], to: 'trusted' },
  { id: 'T3', facet: 'standing', cause: 'weak_negative', from: ['active'], to: 'demoted' },
  { id: 'T4', facet: 'standing', cause: 'repeated_weak_negative', from: ['demoted'], to: 'contested' },
  { id: 'T5', facet: 'standing', cause: 'strong_negative', from: ['active', 'demoted'], to: 'contested' },
  { id: 'T6', facet: 'standing', cause: 'repeated_strong_negative', from: NOT_FAILED, to: 'failed' },
  { id: 'T7', facet: 'standing', cause: 'direct_positive', from: ['demoted'], to: 'active' },
  { id: 'T8', facet: 'standing', cause: 'verified_positives', from: ['contested'], to: 'active' },
  { id: 'T9', facet: 'standing', cause: 'succeeded_revision', from: ['failed'], to: 'active' },
  {
    id: 'T10',
    facet: 'standing',
    cause: 'operator_activation',
    from: ['demoted', 'contested', 'failed'],
    to: 'active',
  },
  { id: 'T11', facet: 'standing', cause: 'contradicted', from: ['active', 'demoted'], to: 'contested' },
  { id: 'T12', facet: 'standing', cause: 'declared', from: ['active'], to: 'demoted' },
  { id: 'T13', facet: 'standing', cause: 'declared', from: ['active', 'demoted'], to: 'contested' },
  { id: 'T14', facet: 'standing', cause: 'declared', from: NOT_FAILED, to: 'failed' },
  { id: 'T15', facet: 'validity', cause: 'superseded_by_relation', from: ['live'], to: 'superseded' },
  { id: 'T16', facet: 'validity', cause: 'claim_replaced', from: ['live'], to: 'superseded' },
  { id: 'T17', facet: 'validity', cause: 'handoff_replaced', from: ['live'], to: 'superseded' },
  { id: 'T18', facet: 'validity', cause: 'claim_revised', from: ['superseded'], to: 'live' },
  { id: 'T19', facet: 'validity', cause: 'declared', from: ['live'], to: 'superseded' },
  { id: 'T20', facet: 'validity', cause: 'declared', from: ['live'], to: 'expired' },
  { id: 'T21', facet: 'availability', cause: 'declared', from: ['resident'], to: 'archived' },
  { id: 'T22', facet: 'availability', cause: 'rehydrated', from: ['archived'], to: 'resident' },
  {
    id: 'T23',
    facet: 'suppression',
    cause: 'operator_suppress',
    from: ['none', 'suppressed'],
    to: 'suppressed',
  },
  { id: 'T24', facet: 'suppression', cause: 'declared', from: ['none', 'suppressed'], to: 'suppressed' },
  { id: 'T25', facet: 'suppression', cause: 'operator_unsuppress', from: ['suppressed'], to: 'none' },
  { id: 'T26', facet: 'validity', cause: 'handoff_revised', from: ['superseded'], to: 'live' },
  { id: 'T27', facet: 'trust', cause: 'confirmed_independently', from: ['candidate'], to: 'trusted' },
  { id: 'T28', facet: 'trust', cause: 'verified_use', from: ['candidate'], to: 'trusted' },
  // Written by builds before disputes were relations; journals of theirs still replay, and T35 and T36 take it back.
  { id: 'T29', facet: 'standing', cause: 'corrected', from: ['active', 'demoted'], to: 'contested' },
  { id: 'T31', facet: 'standing', cause: 'evidence_withdrawn', from: ['contested'], to: 'demoted' },
  { id: 'T32', facet: 'standing', cause: 'evidence_withdrawn', from: ['demoted', 'contested'], to: 'active' },
  { id: 'T33', facet: 'standing', cause: 'task_successes', from: ['demoted'], to: 'active' },
  { id: 'T34', facet: 'standing', cause: 'repeated_weak_negative', from: ['active'], to: 'contested' },
  { id: 'T35', facet: 'standing', cause: 'judged_anew', from: ['contested'], to: 'active' },
  { id: 'T36', facet: 'standing', cause: 'judged_anew', from: ['contested'], to: 'demoted' },
  { id: 'T30', facet: 'validity', cause: 'handoff_finished', from: ['live'], to: 'superseded' },
  {
    id: 'T40',
    facet: 'suppression',
    cause: 'same_text',
    from: ['none', 'suppressed'],
    to: 'suppressed',
  },
  { id: 'T41', facet: 'suppression', cause: 'same_text', from: ['suppressed'], to: 'none' },
  { id: 'T42', facet: 'standing', cause: 'same_text', from: NOT_FAILED, to: 'failed' },
  { id: 'T43', facet: 'trust', cause: 'suppressed_before', from: ['trusted'], to: 'candidate' },
  { id: 'T44', facet: 'validity', cause: 'settled', from: ['live'], to: 'superseded' },
  { id: 'T45', facet: 'validity', cause: 'settled', from: ['superseded'], to: 'live' },
  { id: 'T46', facet: 'suppression', cause: 'settled', from: ['none', 'suppressed'], to: 'suppressed' },
  { id: 'T47', facet: 'suppression', cause: 'settled', from: ['suppressed'], to: 'none' },
] as const satisfies readonly Transition[]
export const TRANSITIONS: readonly Transition[] = ROWS

/** Why a facet moved. Public: it stands in linked decisions and reports. */
export type Cause = (typeof ROWS)[number]['cause']

/** The facet that an event moves. */
export const FACET_OF = {
  trust_changed: 'trust',
  standing_changed: 'standing',
  validity_changed: 'validity',
  availability_changed: 'availability',
  suppression_changed: 'suppression',
} as const satisfies Partial<Record<ActorEvent['type'], FacetName>>

/** Moves of standing that follow from evidence; every other one settles the evidence before it. */
export const EVIDENCE_CAUSES: readonly string[] = [
  'weak_negative',
  'repeated_weak_negative',
  'strong_negative',
  'repeated_strong_negative',
  'direct_positive',
  'verified_positives',
  'task_successes',
  'evidence_withdrawn',
] satisfies readonly Cause[]

export const INITIAL_FACETS: Facets = {
  trust: 'trusted',
  standing: 'active',
  validity: 'live',
  validUntilMs: null,
  availability: 'resident',
  suppression: null,
}

/** A suppression with an end is over once the clock has reached it; no event is needed. */
export function isSuppressed(facets: Facets, nowMs: number): boolean {
  return facets.suppression !== null && (facets.suppression.untilMs ?? Infinity) > nowMs
}

export function validityAt(facets: Facets, nowMs: number): Validity {
  if (facets.validity !== 'live') return facets.validity
  return facets.validUntilMs !== null && facets.validUntilMs <= nowMs ? 'expired' : 'live'
}

/** What reports call the state of a memory: the first of the list in `LIFECYCLE_STATES` that holds. */
export function lifecycleStateAt(facets: Facets, nowMs: number): LifecycleState {
  if (isSuppressed(facets, nowMs)) return 'suppressed'
  if (facets.standing === 'failed') return 'failed'
  const validity = validityAt(facets, nowMs)
  if (validity !== 'live') return validity
  if (facets.standing !== 'active') return facets.standing
  if (facets.trust === 'candidate') return 'candidate'
  return facets.availability === 'archived' ? 'archived' : 'active'
}

/** The word for one facet, as transitions and linked decisions name it. */
export function facetWord(facets: Facets, facet: FacetName): string {
  return facet === 'suppression' ? (facets.suppression === null ? 'none' : 'suppressed') : facets[facet]
}

type SuppressionChanged = ActorEvent & { readonly type: 'suppression_changed' }

export type SuppressionCause = 'operator_suppress' | 'declared' | 'same_text' | 'settled'

export interface Move {
  readonly facet: Exclude<FacetName, 'suppression'>
  readonly to: string
  readonly cause: Cause
  readonly reason: string
  readonly byMemoryId?: string
}

/** The event that moves a facet by a row of the table, or null when no row leads there from where it stands. */
export function moveFacet(record: Pick<MemoryRecord, 'memoryId' | 'facets'>, move: Move): ActorEvent | null {
  const from = facetWord(record.facets, move.facet)
  if (!isTransition(move.facet, move.cause, from, move.to)) return null
  const common = {
    memoryId: record.memoryId,
    to: move.to,
    cause: move.cause,
    reason: move.reason,
    byMemoryId: move.byMemoryId ?? null,
  }
  return { type: `${move.facet}_changed`, ...common } as ActorEvent
}

/**
 * Suppression is idempotent: a second one replaces reason and end. A declaration or a verdict replaces only one that has
 * an end, so that it can make it longer and never rewrites one that holds until an operator lifts it.
 */
export function suppress(
  record: Pick<MemoryRecord, 'memoryId' | 'facets'>,
  to: Suppression,
  cause: SuppressionCause,
  byMemoryId: string | null = null,
): SuppressionChanged | null {
  const from = facetWord(record.facets, 'suppression')
  if (!isTransition('suppression', cause, from, 'suppressed')) return null
  const {
    memoryId,
    facets: { suppression: earlier },
  } = record
  if (earlier?.untilMs === null && (cause === 'declared' || cause === 'settled')) return null
  const held = cause === 'settled' && earlier !== null ? { ...to, earlier } : to
  return { type: 'suppression_changed', memoryId, to: held, cause, reason: to.reason, byMemoryId }
}

/**
 * A verdict that is taken back leaves the suppression of which it took the place.
 * @param byMemoryId the memory with which it comes back
 */
export function unsuppress(
  record: Pick<MemoryRecord, 'memoryId' | 'facets'>,
  reason: string,
  byMemoryId: string | null = null,
  cause: Cause = byMemoryId === null ? 'operator_unsuppress' : 'same_text',
): SuppressionChanged | null {
  const { memoryId, facets } = record
  if (facets.suppression === null) return null
  const to = cause === 'settled' ? (facets.suppression.earlier ?? null) : null
  return { type: 'suppression_changed', memoryId, to, cause, reason, byMemoryId }
}

/** Asserted by `evolve`, live and in replay: an event that no row allows is our own mistake. */
export function assertTransition(facet: FacetName, cause: string, from: string, to: string): void {
  assert(isTransition(facet, cause, from, to), `no transition of ${facet} from ${from} to ${to} by ${cause}`)
}

export function isTransition(facet: FacetName, cause: string, from: string, to: string): boolean {
  return TRANSITIONS.some(
    (row) => row.facet === facet && row.cause === cause && row.to === to && row.from.includes(from),
  )
}
