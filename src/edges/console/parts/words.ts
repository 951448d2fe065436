import type { LifecycleState, Memory, MemoryDetail, Radius, Surface } from '../wire/call.ts'

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

/** Of an erased memory its state is the one that it had. */
export function stateOf(memory: Pick<Radius['memories'][number], 'erased' | 'lifecycle_state'>): string {
  return memory.erased ? 'erased' : memory.lifecycle_state
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

/** One thing that happened to a memory. */
export interface Step {
  readonly at: string
  readonly word: string
  /** The name of a shape. */
  readonly shape: string
  readonly note: string
  readonly memoryId: string | null
  readonly guideId: string | null
  /** The reason that somebody gave: a hostile text. */
  readonly reason: string | null
}

const NOTHING = { note: '', memoryId: null, guideId: null, reason: null }

/** The life of a memory from its records, the oldest first. Guides of one hour and surface are one step. */
export function storyOf(memory: Memory): readonly Step[] {
  const { detail } = memory
  const written: Step = {
    ...NOTHING,
    at: memory.created_at,
    word: 'written',
    shape: 'even',
    note: `origin ${memory.origin}${memory.run_id === null ? '' : `, in run ${memory.run_id}`}`,
  }
  const erased: readonly Step[] =
    memory.erased === null
      ? []
      : [{ ...NOTHING, at: memory.erased.at, word: 'erased', shape: 'bad', reason: memory.erased.reason }]
  const steps =
    detail === undefined
      ? []
      : [...revisions(detail), ...changes(detail), ...outcomes(detail), ...shown(detail)]
  return [written, ...steps, ...erased].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

function revisions({ revisions: earlier }: MemoryDetail): readonly Step[] {
  return earlier.map(({ at, revision }) => ({
    ...NOTHING,
    at,
    word: 'revised',
    shape: 'even',
    note: `revision ${revision} was replaced`,
  }))
}

const CHANGE_WORDS: Readonly<Record<string, { readonly word: string; readonly shape: string }>> = {
  'suppression suppressed': { word: 'suppressed', shape: 'bad' },
  'suppression none': { word: 'restored', shape: 'good' },
  'validity superseded': { word: 'superseded', shape: 'bad' },
  'validity expired': { word: 'expired', shape: 'bad' },
  'validity live': { word: 'in force again', shape: 'good' },
  'standing active': { word: 'restored', shape: 'good' },
  'standing demoted': { word: 'demoted', shape: 'bad' },
  'standing contested': { word: 'contested', shape: 'bad' },
  'standing failed': { word: 'failed', shape: 'bad' },
  'trust trusted': { word: 'trusted', shape: 'good' },
  'trust candidate': { word: 'not trusted yet', shape: 'even' },
}

function changes(detail: MemoryDetail): readonly Step[] {
  return detail.changes.map(({ at, facet, from, to, cause, reason, by_memory_id: by }) => ({
    ...NOTHING,
    at,
    ...(CHANGE_WORDS[`${facet} ${to}`] ?? { word: wordOf(to), shape: 'even' }),
    note: `${facet} from ${wordOf(from)} to ${wordOf(to)}, cause ${wordOf(cause)}`,
    memoryId: by,
    reason,
  }))
}

const OUTCOME_WORDS = {
  positive: { word: 'used, and it went well', shape: 'good' },
  negative: { word: 'blamed', shape: 'bad' },
  neutral: { word: 'reported, without a verdict', shape: 'even' },
} as const

function outcomes(detail: MemoryDetail): readonly Step[] {
  return detail.outcomes.map((mark) => ({
    ...NOTHING,
    at: mark.at,
    ...OUTCOME_WORDS[mark.outcome],
    note: `by run ${mark.run_id}${mark.verifier_status === 'passed' || mark.verifier_status === 'failed' ? `, verifier ${mark.verifier_status}` : ''}`,
    guideId: mark.guide_trace_id,
    reason: mark.reason,
  }))
}

const HOUR_CHARS = '2026-11-20T09'.length

function shown({ guides }: MemoryDetail): readonly Step[] {
  const groups = new Map<string, (typeof guides)[number][]>()
  for (const guide of guides) {
    const key = `${guide.at.slice(0, HOUR_CHARS)} ${guide.surface}`
    groups.set(key, [...(groups.get(key) ?? []), guide])
  }
  return [...groups.values()].flatMap((group) => {
    const [newest] = group
    if (newest === undefined) return []
    const step: Step = {
      ...NOTHING,
      at: newest.at,
      word: 'shown',
      shape: newest.surface,
      note: `on ${surfaceWord(newest.surface)}${group.length === 1 ? ` to ${newest.consumer_agent_id}` : ` in ${group.length} guides`}`,
      guideId: newest.guide_trace_id,
    }
    return [step]
  })
}
