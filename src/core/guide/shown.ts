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

/**
 * 31 bits that are the same as long as the line would be: of numbers, ids and words of closed sets, never of a text. Mixed
 * number by number, as every guide of a run does it for each of its lines.
 */
export function lineVersion(
  entry: GuideEntry,
  view: Pick<GuideView, 'contextMode' | 'compaction' | 'isBrief'>,
  instead: WorkedInstead | null,
): number {
  const { record, isWeak, isOtherTask, standsFor, pastUse, disputedBy, fileMark, notes } = entry
  const flags = (view.isBrief ? 1 : 0) | (isWeak ? 2 : 0) | (isOtherTask ? 4 : 0)
  let version = mixed(mixed(SEED, flags), record.revision)
  version = mixed(version, record.changes.at(-1)?.seq ?? 0)
  version = mixed(version, standsFor ?? 0)
  version = mixedText(mixedText(version, entry.ruleId), entry.surface)
  if (view.contextMode !== 'standard') version = mixedText(version, view.contextMode)
  if (view.compaction !== 'balanced') version = mixedText(version, view.compaction)
  for (const note of notes) version = mixedText(version, note)
  if (pastUse !== null) version = mixedText(version, pastUse)
  if (disputedBy !== null) version = mixed(mixedText(version, disputedBy.memoryId), disputedBy.observedAtMs)
  if (fileMark !== null) version = mixed(mixed(version, fileMark.sinceSeq), fileMark.isGone ? 1 : 2)
  if (instead !== null)
    version = mixed(
      mixedText(version, instead.record.memoryId),
      2 * instead.record.revision + (instead.isShown ? 1 : 0),
    )
  return version & 0x7fffffff
}

// FNV-1a.
const SEED = 0x811c9dc5

function mixed(version: number, value: number): number {
  return Math.imul(Math.imul(version ^ value, 0x01000193) ^ (value / 0x1_0000_0000), 0x01000193)
}

function mixedText(version: number, text: string): number {
  let hash = version
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mixed(hash, text.length)
}
