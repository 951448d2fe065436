import type { Memory, MemoryDetail } from '../wire/answers.ts'
import { surfaceWord, wordOf } from './words.ts'

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
