import type { Origin } from '../base/closed-sets.ts'
import type { Authority } from './authority.ts'

/** A scope by its name, or all scopes whose names begin so. */
export interface ScopeRight {
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
