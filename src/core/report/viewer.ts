import { told } from '../guide/line.ts'
import type { MemoryRecord } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import { canSee, type Viewer } from '../model/visibility.ts'
import { clip } from '../text/escape.ts'

/** Memories listed for one heading of a report. */
export const ENTRIES_MAX = 12
/** Ids and rows of any other list of a report. */
export const ROWS_MAX = 200
const TITLE_CHARS_MAX = 200

/** An actor at one moment, as far as one viewer may see it. */
export interface ReportView {
  readonly state: ActorState
  readonly viewer: Viewer
  readonly nowMs: number
}

/** As much of it as it takes to find a memory. */
export interface MemoryView {
  readonly state: Pick<ActorState, 'memories'>
  readonly viewer: Viewer
}

/** What the viewer sees, in order of first writing. */
export function seenRecords({ state, viewer }: ReportView): readonly MemoryRecord[] {
  const records = [...state.memories.values()]
  return viewer === null ? records : records.filter((record) => canSee(viewer, record))
}

/** The memory, if the viewer sees it. */
export function seenRecord({ state, viewer }: MemoryView, memoryId: string): MemoryRecord | null {
  const record = state.memories.get(memoryId)
  return record !== undefined && canSee(viewer, record) ? record : null
}

/** True when words of its writer may stand in the report: an operator gets them of shared memory only. */
export function isNamed({ viewer }: ReportView, record: MemoryRecord): boolean {
  return viewer !== null || record.audience.lane === 'shared'
}

/** The title of a memory that the viewer sees, if it may be named. */
export function shownTitle(view: ReportView, record: MemoryRecord): string | null {
  const { title } = record.content
  return title !== null && isNamed(view, record) ? clip(told(record, title), TITLE_CHARS_MAX) : null
}
