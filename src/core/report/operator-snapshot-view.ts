import type { Consumer, MemoryRecord } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import { clip } from '../text/escape.ts'

/** Memories listed for one heading of a report. */
export const ENTRIES_MAX = 12
/** Ids and rows of any other list of a report. */
export const ROWS_MAX = 200
const TITLE_CHARS_MAX = 200

/** Through whose eyes a report looks at an actor, and when. */
export interface ReportView {
  readonly state: ActorState
  /** Null: an operator, to whom every memory is known and only shared memory is named. */
  readonly eyes: Consumer | null
  readonly nowMs: number
  readonly isoTime: (atMs: number) => string
}

/** Whose eyes, in wire names; both null for an operator. */
export function seenAs({ eyes }: ReportView) {
  return { consumer_agent_id: eyes?.agentId ?? null, consumer_team_id: eyes?.teamId ?? null }
}

/** What these eyes see, in order of first writing. */
export function seenRecords({ state, eyes }: ReportView): readonly MemoryRecord[] {
  const records = [...state.memories.values()]
  return eyes === null ? records : records.filter((record) => isVisibleTo(record.audience, eyes))
}

/** The memory, if these eyes see it. */
export function seenRecord({ state, eyes }: ReportView, memoryId: string): MemoryRecord | null {
  const record = state.memories.get(memoryId)
  if (record === undefined) return null
  return eyes === null || isVisibleTo(record.audience, eyes) ? record : null
}

/** True when words of its writer may stand in the report, and not only its id. */
export function isNamed({ eyes }: ReportView, record: MemoryRecord): boolean {
  return eyes !== null || record.audience.lane === 'shared'
}

/** Its title, if it may be named. The record has to be one that the eyes see. */
export function shownTitle(view: ReportView, record: MemoryRecord): string | null {
  const { title } = record.content
  return title !== null && isNamed(view, record) ? clip(title, TITLE_CHARS_MAX) : null
}
