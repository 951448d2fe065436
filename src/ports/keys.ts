import type { Principal } from '../core/model/principal.ts'

export type { Principal }

/** Who may ask. */
export interface Keys {
  /** False: no key was ever made, so that whoever reaches the service may do everything. True for good after the first one. */
  readonly areUsed: boolean
  /** Whose key it is; null for one that is malformed, unknown, wrong, expired or revoked. Takes as long for each of them. */
  principalOf(token: string, nowMs: number): Principal | null
  /** The same, to be asked again without the token. */
  holdOf(token: string, nowMs: number): KeyHold | null
}

/** A key that was shown once. */
export interface KeyHold {
  /** Whose it is; null once it is expired or revoked, or has another secret. */
  standing(nowMs: number): Principal | null
}
