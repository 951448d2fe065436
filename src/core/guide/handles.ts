import type { Surface } from '../base/closed-sets.ts'
import { FNV_PRIME, FNV_START, hashText } from '../base/hash.ts'
import { guideErasureKey } from '../model/erasure.ts'
import type { ExposedSet } from '../model/events.ts'
import type { PrintedEarlier } from '../model/shown-lines.ts'
import { type ActorState, exposureTotalsOf } from '../model/state.ts'
import {
  type GuideCommand,
  type GuideEntry,
  type GuideView,
  inPrintingOrder,
  type ShownBefore,
} from './entry.ts'
import type { WorkedInstead } from './line.ts'

// A guide may print `[m1]`, `[m2]` … in place of memory ids. Which memory a handle means follows from the exposure set:
// its memories in printing order are numbered on from its first handle. So the order of the sections may not change as
// long as exposure sets of before are kept.

const HANDLE = /^m[1-9]\d{0,8}$/
/** What is meant as a handle, also where its brackets came along. */
const MEANT_AS_HANDLE = /^\[?m[1-9]\d{0,8}\]?$/i
/** What reads as a handle in brackets, whatever stands before it. */
const BRACKETED_HANDLE = /\[( ?m\d+)(?![\p{L}\p{N}_])( ?\])?/giu

export const FIRST_HANDLE = 1

export function handleOf(number: number): string {
  return `m${number}`
}

/** What a handle stands for. */
export interface Handled {
  readonly memoryId: string
  readonly surface: Surface
}

type Numbered = Pick<ExposedSet, 'memoryIds' | 'surfaces' | 'firstHandle'>

/** The handles of a guide in printing order; none when it printed ids. */
export function handlesOf({ memoryIds, surfaces, firstHandle }: Numbered): ReadonlyMap<string, Handled> {
  if (firstHandle === undefined) return new Map()
  const printed = memoryIds.map((memoryId, rank) => ({ memoryId, surface: surfaces[rank] ?? 'do_not_use' }))
  return new Map(inPrintingOrder(printed).map((each, at) => [handleOf(firstHandle + at), each]))
}

/** How a request names memory, as far as a handle may stand there. */
interface Naming {
  readonly memoryIds: readonly string[]
  readonly anchors?: readonly string[]
}

/** By memory id. */
type Earlier = { readonly printedEarlier?: ReadonlyMap<string, PrintedEarlier> }

/**
 * The request with the memory ids that its handles mean: those of the guide, else of an earlier guide of its run and
 * consumer. A handle that none of them printed stays what it is.
 */
export function withoutHandles<Request extends Naming>(
  state: Pick<ActorState, 'shownLines'>,
  request: Request,
  exposure: ExposedSet | null,
): Request & Earlier {
  const { memoryIds, anchors } = request
  const isHandled = [...memoryIds, ...(anchors ?? [])].some((name) => HANDLE.test(name))
  if (exposure === null || !isHandled) return request
  const own = handlesOf(exposure)
  const earlier = earlierHandles(state, exposure)
  const printedEarlier = new Map<string, PrintedEarlier>()
  const idOf = (name: string): string => {
    const handled = own.get(name)
    if (handled !== undefined) return handled.memoryId
    const before = earlier.get(name)
    if (before === undefined) return name
    printedEarlier.set(before.memoryId, before)
    return before.memoryId
  }
  const anchored = anchors === undefined ? {} : { anchors: anchors.map(idOf) }
  const named = { ...request, memoryIds: [...new Set(memoryIds.map(idOf))], ...anchored }
  return printedEarlier.size === 0 ? named : { ...named, printedEarlier }
}

/** The handles of all known guides of a guide's run and consumer; of two that print the same one the later counts. */
function earlierHandles(
  state: Pick<ActorState, 'shownLines'>,
  {
    runId,
    consumerAgentId,
    consumerTeamId,
  }: Pick<ExposedSet, 'runId' | 'consumerAgentId' | 'consumerTeamId'>,
): ReadonlyMap<string, Handled & PrintedEarlier> {
  const shown = runId === null ? null : state.shownLines.of(runId, consumerAgentId, consumerTeamId)
  const found = new Map<string, Handled & PrintedEarlier>()
  for (const guide of shown?.guides ?? []) {
    const { guideTraceId } = guide
    for (const [handle, handled] of handlesOf(guide)) found.set(handle, { ...handled, guideTraceId })
  }
  return found
}

/** What to send where names that mean nothing look like handles; null: none of them does. */
export function handleAdvice(unknown: readonly string[], guideTraceId: string | null): string | null {
  const names = unknown.filter((name) => MEANT_AS_HANDLE.test(name))
  if (names.length === 0) return null
  const isOne = names.length === 1
  const named = names.join(', ')
  if (guideTraceId === null)
    return `${named} ${isOne ? 'is a handle: name its' : 'are handles: name their'} guide_trace_id`
  return `${named} ${isOne ? 'is no handle' : 'are no handles'} of that guide: send what stands in the brackets of its lines`
}

/** A refusal with that advice before it. */
export function advised(message: string, unknown: readonly string[], guideTraceId: string | null): string {
  const advice = handleAdvice(unknown, guideTraceId)
  return advice === null ? message : `${advice}. ${message}`
}

/** Warnings with that advice, where a request could do without the names. */
export function withHandleAdvice(
  warnings: readonly string[],
  unknown: readonly string[],
  guideTraceId: string | null,
): readonly string[] {
  const advice = handleAdvice(unknown, guideTraceId)
  return advice === null ? warnings : [...warnings, advice]
}

/** A line behind its own handle, so that no text in it reads as one; its length stays. */
export function disarmHandles(line: string): string {
  if (!line.includes('[')) return line
  return line.replace(BRACKETED_HANDLE, (_, name: string, close: string | undefined) =>
    close === undefined ? `(${name}` : `(${name}${close.replace(']', ')')}`,
  )
}

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
  // A request that names this guide is understood by the guides of its own run, where of two equal handles the later counts.
  const takes = earlierHandles(state, {
    runId: command.runId,
    consumerAgentId: consumer.agentId,
    consumerTeamId: consumer.teamId,
  })
  for (const [handle, { memoryId }] of takes) handles.set(memoryId, handle)
  return { versions: shown.versions, handles }
}

/** Where the handles of a guide begin: a run that keeps its earlier guides in sight counts on. Null: it prints ids. */
export function firstHandleOf(state: Printing, command: GuideCommand): number | null {
  const { handles, omitShownIn, runId, consumer } = command
  if (!handles) return null
  if (omitShownIn === null || runId === null) return FIRST_HANDLE
  const shown = state.shownLines.of(runId, consumer.agentId, consumer.teamId)
  if (shown !== null && shown.nextHandle > FIRST_HANDLE) return shown.nextHandle
  return state.erasedGuides.size === 0 ? FIRST_HANDLE : FIRST_HANDLE + printedAtMost(state, runId)
}

type Printing = Pick<
  ActorState,
  'shownLines' | 'erasedGuides' | 'exposedByRun' | 'memories' | 'exposureTotals'
>

/** An erasure of any guide forgets the handles of every run, which agents still have in sight: none may mean another memory. */
function printedAtMost(state: Printing, runId: string): number {
  // Of an erased run nothing tells how much it was shown: no more than all runs together.
  if (state.erasedGuides.has(guideErasureKey({ kind: 'run', id: runId, madeFor: null })))
    return state.exposureTotals.reduce((sum, count) => sum + count, 0)
  return [...(state.exposedByRun.get(runId)?.keys() ?? [])]
    .flatMap((memoryId) => state.memories.get(memoryId) ?? [])
    .flatMap((record) => Object.values(exposureTotalsOf(state, record)))
    .reduce((sum, count) => sum + count, 0)
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
  // A brief guide prints what may be used now as every other does.
  const isBrief = view.isBrief && entry.surface !== 'use_now'
  const { record, isWeak, isOtherTask, standsFor, pastUse, disputedBy, fileMark, notes } = isBrief
    ? { ...entry, ...NOT_IN_BRIEF }
    : entry
  const flags = (isBrief ? 1 : 0) | (isWeak ? 2 : 0) | (isOtherTask ? 4 : 0)
  let version = mixed(mixed(FNV_START, flags), record.revision)
  version = mixed(version, record.changes.at(-1)?.seq ?? 0)
  version = mixed(version, standsFor ?? 0)
  version = mixedText(mixedText(version, entry.ruleId), entry.surface)
  if (view.contextMode !== 'standard') version = mixedText(version, view.contextMode)
  if (view.compaction !== 'balanced') version = mixedText(version, view.compaction)
  for (const note of notes) version = mixedText(version, note)
  if (pastUse !== null) version = mixedText(version, pastUse)
  if (disputedBy !== null) version = mixed(mixedText(version, disputedBy.memoryId), disputedBy.observedAtMs)
  if (fileMark !== null) version = mixed(mixed(version, fileMark.sinceSeq), fileMark.isGone ? 1 : 2)
  if (instead !== null && !isBrief)
    version = mixed(
      mixedText(version, instead.record.memoryId),
      2 * instead.record.revision + (instead.isShown ? 1 : 0),
    )
  return version & 0x7fffffff
}

type LineView = Pick<GuideView, 'shown' | 'contextMode' | 'compaction' | 'isBrief'>

/** Whether the line of the entry is the one that the run was shown. */
export function isShownBefore(entry: GuideEntry, view: LineView, instead: WorkedInstead | null): boolean {
  const version = view.shown?.versions.get(entry.record.memoryId)
  return version !== undefined && version === lineVersion(entry, view, instead)
}

/** Whether the entry counts for the limit. The line of a warning may yet name what worked instead. */
export function takesPlace(entry: GuideEntry, view: LineView): boolean {
  const mayNameAnother = entry.surface === 'do_not_use' && entry.record.taskSignature !== null
  return mayNameAnother || !isShownBefore(entry, view, null)
}

/** What changes a whole line and no brief one. */
const NOT_IN_BRIEF = {
  isOtherTask: false,
  standsFor: null,
  pastUse: null,
  fileMark: null,
  notes: [],
} as const

function mixed(version: number, value: number): number {
  return Math.imul(Math.imul(version ^ value, FNV_PRIME) ^ (value / 0x1_0000_0000), FNV_PRIME)
}

function mixedText(version: number, text: string): number {
  return mixed(hashText(text, version), text.length)
}
