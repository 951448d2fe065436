import type { MemoryType, Origin } from '../base/closed-sets.ts'
import type { MemoryRecord } from './record.ts'
import type { ActorState } from './state.ts'

/** Whose word a memory is: that of its origin, or of the operator who activated it. */
export type Authority = Origin | 'operator'

/** Origins whose word counts only against each other stand at the end, alike. */
const RANKS: Readonly<Record<Authority, number>> = {
  operator: 4,
  user: 4,
  verifier: 3,
  agent: 2,
  tool: 1,
  document: 0,
  external: 0,
  unknown: 0,
}

/** What says how to work: there an agent's word counts more than a tool's. Of facts each may know as well. */
const GUIDANCE: readonly MemoryType[] = ['rule', 'preference', 'project_context', 'procedure']

/** A memory, stored or about to be, as far as its authority depends on it. */
export interface Voice {
  readonly authority: Authority
  readonly memoryType: MemoryType
}

/** Whether `a` has less authority than `b`. */
export function isLess(a: Voice, b: Voice): boolean {
  const isGuidance = GUIDANCE.includes(a.memoryType) || GUIDANCE.includes(b.memoryType)
  return rankOf(a.authority, isGuidance) < rankOf(b.authority, isGuidance)
}

function rankOf(authority: Authority, isGuidance: boolean): number {
  return authority === 'tool' && !isGuidance ? RANKS.agent : RANKS[authority]
}

/**
 * The authority of a stored memory. An activation counts for the content that it was about; one of before such acts were
 * kept is known by the facet that it moved.
 */
export function authorityOf(state: Pick<ActorState, 'operatorMemories'>, record: MemoryRecord): Authority {
  if (state.operatorMemories.has(record.memoryId)) return 'operator'
  const isActivated = record.changes.some(
    ({ cause, seq }) => cause === 'operator_activation' && seq > record.seq,
  )
  return isActivated ? 'operator' : record.origin
}

export function voiceOf(state: Pick<ActorState, 'operatorMemories'>, record: MemoryRecord): Voice {
  return { authority: authorityOf(state, record), memoryType: record.memoryType }
}
