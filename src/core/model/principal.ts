import type { MemoryType, Origin } from '../base/closed-sets.ts'
import type { MemoryRecord } from './record.ts'

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

interface OperatorWords {
  /** Memories that an operator wrote or activated. */
  readonly operatorMemories: ReadonlySet<string>
}

/**
 * The authority of a stored memory. An activation counts for the content that it was about; one of before such acts were
 * kept is known by the facet that it moved.
 */
export function authorityOf(state: OperatorWords, record: MemoryRecord): Authority {
  if (state.operatorMemories.has(record.memoryId)) return 'operator'
  const isActivated = record.changes.some(
    ({ cause, seq }) => cause === 'operator_activation' && seq > record.seq,
  )
  return isActivated ? 'operator' : record.origin
}

export function voiceOf(state: OperatorWords, record: MemoryRecord): Voice {
  return { authority: authorityOf(state, record), memoryType: record.memoryType }
}

/** A scope by its name, or all scopes whose names begin so. */
interface ScopeRight {
  readonly name: string
  readonly isPrefix: boolean
}

/** Who sends a request, as the key says by which it came. Without keys there is none: whoever asks is believed. */
export interface Principal {
  /** The id of the key: it stays when the secret is changed. */
  readonly keyId: string
  readonly tenantId: string
  /** Empty: every scope of the tenant. */
  readonly scopes: readonly ScopeRight[]
  /** Null: it may act for every agent. */
  readonly agentId: string | null
  /** Null: no team; for every team when it may act for every agent. */
  readonly teamId: string | null
  /** Whose words it may bring. */
  readonly origins: readonly Origin[]
  readonly isReadOnly: boolean
  readonly isOperator: boolean
  readonly readsMetrics: boolean
}

export function mayEnter({ scopes }: Principal, scope: string): boolean {
  if (scopes.length === 0) return true
  return scopes.some(({ name, isPrefix }) => (isPrefix ? scope.startsWith(name) : scope === name))
}

/** The one scope that it can only mean; null: there are several. */
export function onlyScopeOf({ scopes }: Principal): string | null {
  const [first, ...others] = scopes
  return first === undefined || others.length > 0 || first.isPrefix ? null : first.name
}

/** Whether it may bring a user's word: such a one is asked to confirm what was suppressed, not silenced. */
export function speaksForUsers({ isOperator, origins }: Principal): boolean {
  return isOperator || origins.includes('user')
}

/** The words that it brings with most authority; an operator's own stand above them. */
export function authoritiesOf({ isOperator, origins }: Principal): readonly Authority[] {
  return isOperator ? ['operator', ...origins] : origins
}
