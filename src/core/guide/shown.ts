import type { ActorState } from '../model/state.ts'
import type { GuideCommand } from './command.ts'
import type { GuideEntry, GuideView, ShownBefore } from './entry.ts'
import { FIRST_HANDLE, handlesOf } from './handles.ts'
import type { WorkedInstead } from './line.ts'

// Whether a line is the one that was shown before is asked of versions, not of its text: no hash of a text is kept, which
// an erasure would have to find.

/** What was shown in the run that the guide names; null: it names none, or shows all of it again. */
export function shownBefore(
  state: Pick<ActorState, 'shownLines'>,
  command: GuideCommand,
): ShownBefore | null {
  const { omitShownIn, isRestart, consumer } = command
  if (omitShownIn === null || isRestart) return null
  const shown = state.shownLines.of(omitShownIn, consumer.agentId, consumer.teamId)
  if (shown === null) return null
  const handles = new Map<string, string>()
  for (const guide of shown.guides)
    for (const [handle, { memoryId }] of handlesOf(guide)) handles.set(memoryId, handle)
  return { versions: shown.versions, handles }
}

/** Where the handles of a guide begin: a run that keeps its earlier guides in sight counts on. Null: it prints ids. */
export function firstHandleOf(state: Pick<ActorState, 'shownLines'>, command: GuideCommand): number | null {
  const { handles, omitShownIn, runId, consumer } = command
  if (!handles) return null
  if (omitShownIn === null || runId === null) return FIRST_HANDLE
  return state.shownLines.of(runId, consumer.agentId, consumer.teamId)?.nextHandle ?? FIRST_HANDLE
}

/** 31 bits that are the same as long as the line would be: of numbers, ids and words of closed sets, never of a text. */
export function lineVersion(
  { record, surface, ruleId, notes, isWeak, ...told }: GuideEntry,
  view: Pick<GuideView, 'contextMode' | 'compaction' | 'isBrief'>,
  instead: WorkedInstead | null,
): number {
  const { revision, changes } = record
  const form = `${view.contextMode} ${view.compaction} ${view.isBrief} ${isWeak} ${told.isOtherTask}`
  const said = `${revision} ${changes.at(-1)?.seq} ${surface} ${ruleId} ${notes.join(' ')}`
  const file = told.fileMark === null ? '' : `${told.fileMark.sinceSeq} ${told.fileMark.isGone}`
  const marks = `${file} ${told.standsFor} ${told.pastUse} ${told.disputedBy?.memoryId} ${told.disputedBy?.observedAtMs}`
  const other =
    instead === null ? '' : `${instead.record.memoryId} ${instead.record.revision} ${instead.isShown}`
  return hashOf(`${form}|${said}|${marks}|${other}`)
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash & 0x7fffffff
}
