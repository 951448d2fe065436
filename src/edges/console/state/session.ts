import { signal } from '@preact/signals'
import type { Call } from '../wire/call.ts'
import { ask, needsLogin, returns } from '../wire/exchange.ts'
import { goTo, linkTo, place, SCREENS } from './place.ts'

// Everything by keyboard: digits open the screens, j and k walk over what a screen lists, enter opens it, / goes to the
// field that finds things, ? tells of all this, escape closes.

export const isHelpOpen = signal(false)

export const KEYS = [
  { keys: '1 … 9', does: 'open a screen' },
  { keys: '/', does: 'find a memory or a guide by words or id' },
  { keys: 'j, k', does: 'next, previous entry' },
  { keys: 'Enter', does: 'open the entry' },
  { keys: 's', does: 'choose a scope' },
  { keys: 'Esc', does: 'close, or leave a field' },
  { keys: '?', does: 'show this' },
] as const

const FIND_FIELD = 'find'

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.matches('textarea, select, input:not([type=checkbox])')
}

function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')]
  const at = rows.findIndex((row) => row === document.activeElement)
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))
  rows[next]?.focus()
  rows[next]?.scrollIntoView({ block: 'nearest' })
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  if (event.key === 'Escape') {
    isHelpOpen.value = false
    if (isTyping(event.target) && event.target instanceof HTMLElement) event.target.blur()
    return
  }
  if (isTyping(event.target)) return
  const screen = /^[1-9]$/.test(event.key) ? SCREENS[Number(event.key) - 1] : undefined
  if (screen !== undefined) goTo({ screen: screen.name, id: null })
  else if (event.key === 'j') step(1)
  else if (event.key === 'k') step(-1)
  else if (event.key === 's') location.hash = linkTo({ screen: 'scopes' })
  else if (event.key === '?') isHelpOpen.value = !isHelpOpen.value
  else if (event.key === '/') document.getElementById(FIND_FIELD)?.focus()
  else return
  event.preventDefault()
}

export function listenToKeys(): void {
  addEventListener('keydown', onKey)
  // Whoever opens a place begins at its head, not where the link of before was.
  place.subscribe(() => {
    const before = document.activeElement
    requestAnimationFrame(() => {
      const at = document.activeElement
      // Who has stepped to a row since then stays there.
      if (isTyping(at) || (at !== before && at?.matches('[data-row]') === true)) return
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
      scrollTo(0, 0)
    })
  })
}

/** Who reads, and what they may do. */
export interface Session {
  /** False: there are no keys, whoever reaches the machine is the operator, and the four-eyes rule is off. */
  readonly isKeyed: boolean
  readonly reviewer: string
  readonly mayWrite: boolean
  /** Null: any. */
  readonly tenant: string | null
  /** The only scopes that may be entered, by whole names. */
  readonly scopes: readonly string[]
  /** False: scopes are not listed for who reads; it enters those of its key. */
  readonly entersAll: boolean
}

const PATH = '/v1/console/session'
const NOBODY: Session = {
  isKeyed: true,
  reviewer: 'local-operator',
  mayWrite: false,
  tenant: null,
  scopes: [],
  entersAll: true,
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
  readonly scope_prefixes: readonly string[]
}

function take(standing: Standing): void {
  session.value = {
    isKeyed: standing.has_keys,
    reviewer: standing.reviewer ?? NOBODY.reviewer,
    mayWrite: standing.operator && !standing.read_only,
    tenant: standing.tenant_id,
    scopes: standing.scopes,
    entersAll: standing.scopes.length + standing.scope_prefixes.length === 0,
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
