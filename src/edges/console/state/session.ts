import { signal } from '@preact/signals'
import type { Call } from '../wire/call.ts'
import { ask, needsLogin, returns } from '../wire/exchange.ts'
import { goTo, place } from './place.ts'

/** Who reads, and what they may do. */
export interface Session {
  /** False: there are no keys, whoever reaches the machine is the operator, and the four-eyes rule is off. */
  readonly isKeyed: boolean
  readonly isOperator: boolean
  readonly reviewer: string
  readonly mayWrite: boolean
  /** Null: any. */
  readonly tenant: string | null
}

const PATH = '/v1/console/session'
const NOBODY: Session = {
  isKeyed: true,
  isOperator: false,
  reviewer: 'local-operator',
  mayWrite: false,
  tenant: null,
}
export const session = signal<Session>(NOBODY)
/** False until the service has said who asks. */
export const isKnown = signal(false)

/** As the service says it. */
interface Standing {
  readonly has_keys: boolean
  readonly needs_login: boolean
  readonly operator: boolean
  readonly read_only: boolean
  readonly reviewer: string | null
  readonly tenant_id: string | null
  readonly scopes: readonly string[]
}

function take(standing: Standing): void {
  session.value = {
    isKeyed: standing.has_keys,
    isOperator: standing.operator,
    reviewer: standing.reviewer ?? NOBODY.reviewer,
    mayWrite: standing.operator && !standing.read_only,
    tenant: standing.tenant_id,
  }
  needsLogin.value = standing.needs_login
  isKnown.value = true
  // A key of one tenant or one scope shows that one, unless a link names another.
  const [only, more] = standing.scopes
  const tenant = standing.tenant_id
  if (tenant !== null && place.value.scope === null) {
    goTo({ tenant, scope: more === undefined ? (only ?? null) : null })
  }
}

export async function openSession(): Promise<void> {
  take(await ask<Standing>({ method: 'GET', path: PATH, fields: {} }))
}

export async function logIn(key: string): Promise<void> {
  take(await ask<Standing>({ method: 'POST', path: PATH, fields: { key } }))
  returns.value += 1
}

export async function logOut(): Promise<void> {
  const call: Call = { method: 'DELETE', path: PATH, fields: {} }
  take(await ask<Standing>(call))
}
