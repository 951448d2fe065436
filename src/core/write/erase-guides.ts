import type { ActorEvent } from '../model/events.ts'
import type { Consumer } from '../model/record.ts'

export interface EraseGuidesCommand {
  /** Guides that are there. */
  readonly guideTraceIds: readonly string[]
  /** Runs that have guides: what is erased is all that they had until now. */
  readonly runIds: readonly string[]
  /** Null: whomever they were made for. */
  readonly madeFor: Consumer | null
  readonly reason: string
  readonly actorName: string | null
}

/** Takes away what guides asked, showed and weighed. Counters and what feedback said of memory stay. */
export function decideEraseGuides(command: EraseGuidesCommand): readonly ActorEvent[] {
  if (command.guideTraceIds.length + command.runIds.length === 0) return []
  return [{ type: 'guides_erased', ...command }]
}
