import { z } from 'zod'
import { ORIGINS } from '../core/base/closed-sets.ts'
import { onlyScopeOf, type Principal } from '../core/model/principal.ts'
import type { Frozen } from './vocabulary.ts'

// What the nodes of one store say to each other. No client sends it, so it is in no document.

const principal = z.strictObject({
  keyId: z.string(),
  tenantId: z.string(),
  scopes: z.array(z.strictObject({ name: z.string(), isPrefix: z.boolean() })),
  agentId: z.string().nullable(),
  teamId: z.string().nullable(),
  origins: z.array(z.enum(ORIGINS)),
  isReadOnly: z.boolean(),
  isOperator: z.boolean(),
  readsMetrics: z.boolean(),
}) satisfies z.ZodType<Principal>

/** What a node vouches for when it sends a request on to a peer. */
export const HopClaims = z.strictObject({
  /** Ids of the node that sends and of the one that it means. */
  from: z.string(),
  to: z.string(),
  /** By the clock of the store. */
  atMs: z.number(),
  /** No two hops of a node have the same. */
  once: z.string().min(1),
  bodySha256: z.string(),
  operationId: z.string().nullable(),
  /** Null: there are no keys. */
  principal: principal.nullable(),
})

export type HopClaims = Frozen<z.output<typeof HopClaims>>

/**
 * That the key may enter was decided where it came in, before the actor was looked up: a header has no room for many scopes. The only one
 * goes along, because it is the one that a request means which names none.
 */
export function vouchedFor(principal: Principal | null): Principal | null {
  return principal === null || onlyScopeOf(principal) !== null ? principal : { ...principal, scopes: [] }
}
