import { signal } from '@preact/signals'
import { ask, needsLogin, Refusal, returns } from '../wire/exchange.ts'
import { place } from './place.ts'

/** Who reads, and what they may do. */
export interface Session {
  /** False: there are no keys, whoever reaches the machine is the operator, and the four-eyes rule is off. */
  readonly isKeyed: boolean
  readonly reviewer: string
  readonly mayWrite: boolean
  /** Null: any. */
  readonly tenant: string | null
}

const NOBODY: Session = { isKeyed: false, reviewer: 'local-operator', mayWrite: false, tenant: null }
export const session = signal<Session>(NOBODY)
/** False until the service has said who asks. */
export const isKnown = signal(false)
