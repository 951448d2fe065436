import { signal } from '@preact/signals'
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
