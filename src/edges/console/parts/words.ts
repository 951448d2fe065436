import type { LifecycleState, Radius, Surface } from '../wire/answers.ts'

// Words for what the contract calls by codes. A code without a row is shown as it is, its underscores as spaces.

export const SURFACE_WORDS: Readonly<Record<Surface, string>> = {
  use_now: 'use now',
  inspect_before_use: 'inspect first',
  rehydrate: 'rehydrate',
  do_not_use: 'do not use',
}

export const SURFACE_ORDER: readonly Surface[] = ['use_now', 'inspect_before_use', 'rehydrate', 'do_not_use']

export const STATE_WORDS: Readonly<Record<LifecycleState, string>> = {
  active: 'in force',
  archived: 'archived',
  candidate: 'not trusted yet',
  demoted: 'demoted',
  contested: 'contested',
  expired: 'expired',
  superseded: 'superseded',
  failed: 'failed',
  suppressed: 'suppressed',
}

export type RecordedOutcome = NonNullable<Radius['memories'][number]['outcome']>

/** Of a memory that records a run: how that run ended. */
const RECORDED_WORDS: Readonly<Record<RecordedOutcome, string>> = {
  succeeded: 'a run that succeeded',
  failed: 'a run that failed',
  blocked: 'a run that was blocked',
  interrupted: 'a run that was interrupted',
  unknown: 'a run of unknown outcome',
}

export const OMITTED_WORDS: Readonly<Record<string, string>> = {
  budget: 'the prompt was full',
  hold_out: 'withheld to compare',
  folded: 'another line stands for it',
  successor: 'what replaced it is there',
  same_text: 'another line says the same',
  not_related: 'warns of nothing that was asked',
  shown_before: 'this run was shown it before',
}

export const GAP_WORDS: Readonly<Record<string, string>> = {
  explanation_gone: 'Its explanation is kept no longer.',
  erased: 'Memory that it decided about was erased since, and the query with it.',
  history_incomplete: 'History begins later than this scope.',
  too_many_turns: 'There are too many turns before it to go through.',
  differs:
    'Rendered again it has another hash, for example after an upgrade. The text below is the one of today.',
}

const NAME_CHARS = 90

/** A text where there is room for one line. */
export function shortened(text: string): string {
  return text.length > NAME_CHARS ? `${text.slice(0, NAME_CHARS)}…` : text
}

export function wordOf(code: string): string {
  return code.replaceAll('_', ' ')
}

export function surfaceWord(surface: string): string {
  return Object.hasOwn(SURFACE_WORDS, surface) ? SURFACE_WORDS[surface as Surface] : wordOf(surface)
}

export function stateWord(state: string): string {
  return Object.hasOwn(STATE_WORDS, state) ? STATE_WORDS[state as LifecycleState] : wordOf(state)
}

export function recordedWord(outcome: RecordedOutcome): string {
  return RECORDED_WORDS[outcome]
}

/** `guide_trace:0199a1c2-…-e2f1`: enough to tell two ids of a screen apart. Ids of version 7 differ at their end. */
export function shortId(id: string): string {
  const bare = id.replace(/^[a-z_]+:/, '')
  return /^[0-9a-f-]{36}$/.test(bare) ? bare.slice(-8) : bare.length > 28 ? `${bare.slice(0, 26)}…` : bare
}

const COUNT = new Intl.NumberFormat('en')
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${COUNT.format(count)} ${count === 1 ? one : many}`
}
export function numeral(count: number): string {
  return COUNT.format(count)
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

export function dayOf(iso: string): string {
  return DAY.format(new Date(iso))
}

export function clockOf(iso: string): string {
  return CLOCK.format(new Date(iso))
}

const STEPS = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const
const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

export function agoOf(iso: string, nowMs = Date.now()): string {
  const passed = nowMs - Date.parse(iso)
  const step = STEPS.find(({ ms }) => passed >= ms)
  return step === undefined ? 'just now' : AGO.format(-Math.floor(passed / step.ms), step.unit)
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
