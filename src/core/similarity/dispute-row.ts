import type { GuardId } from './dispute-guards.ts'
import type { Pair } from './dispute-pair.ts'

/** What two texts may disagree about. */
export const DISPUTE_KINDS = [
  'no_longer',
  'policy',
  'negation',
  'version',
  'number',
  'deadline',
  'state',
  'preference',
  'command',
  'owner',
  'place',
  'likely',
  'record',
] as const
export type DisputeKind = (typeof DISPUTE_KINDS)[number]

/** A kind of dispute between two statements. */
export interface KindRow {
  readonly id: Exclude<DisputeKind, 'record'>
  /** What disputes, in a sentence. */
  readonly says: string
  /** What must hold besides; see `GUARDS`. */
  readonly guards: readonly GuardId[]
  readonly holds: (pair: Pair) => boolean
  /** Earlier, later. */
  readonly examples: readonly (readonly [earlier: string, later: string])[]
  /**
   * Of its disputes, how many were right, over 9 660 labelled pairs of statements in ten languages, most of them
   * known when the row was written (of what has ended: over 2 278 others, half of them known). Below nine of ten a row is not used.
   */
  readonly measured: { readonly right: number; readonly found: number }
}

/** In every statement; then what a kind adds. */
export const ASSERTED = ['asserted', 'noWish', 'settled', 'named', 'toldApart'] as const
export const HELD = [...ASSERTED, 'sameContext', 'sameSetting', 'sameTense', 'noAddition'] as const
