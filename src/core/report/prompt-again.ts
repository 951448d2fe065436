import type { DecidedMemory, StoredGuide } from '../guide/decision.ts'
import { disputeMark } from '../guide/disputes.ts'
import {
  changedEntry,
  type GuideCommand,
  type GuideEntry,
  type GuideView,
  pastUseIn,
} from '../guide/entry.ts'
import { oldestKept } from '../guide/fold.ts'
import { shownBefore } from '../guide/handles.ts'
import { linesAgain, type PrintedBefore, promptOfLines, workedElsewhere } from '../guide/render.ts'
import { plainRecord } from '../model/compact-record.ts'
import { type DisputeSide, fileMarkOf } from '../model/dispute.ts'
import { ledgerFrom } from '../model/evidence.ts'
import type { MemoryRecord } from '../model/record.ts'
import { citingKnown } from '../model/references.ts'
import type { ActorState } from '../model/state.ts'
import { admissionIn, disputesTold, isOtherTask } from '../policy/admission.ts'
import { erasedSince } from './guide-record.ts'
import { commandAgain } from './replay.ts'

/** Why the prompt of a recorded guide is not there, or not the one that was answered. */
export const PROMPT_GAPS = [
  /** It was not asked for. */
  'not_asked',
  /** Its explanation is kept no longer. */
  'explanation_gone',
  /** A memory that it decided about was erased since, and what it was asked with that. */
  'erased',
  'history_incomplete',
  'too_many_turns',
  /** Rendered again it has another hash. */
  'differs',
] as const
export type PromptGap = (typeof PROMPT_GAPS)[number]

/** A guide with its explanation. */
type ExplainedGuide = StoredGuide & { readonly decision: NonNullable<StoredGuide['decision']> }

/** Why a guide cannot even be tried again; null: it can. */
export function gapBefore(
  { exposure, decision }: StoredGuide,
  now: Pick<ActorState, 'erasures'>,
): PromptGap | null {
  if (decision === null) return 'explanation_gone'
  const isErased = erasedSince({ exposure, decision }, now).length > 0 || decision.ask.queryText === ''
  return isErased ? 'erased' : null
}

export interface PromptAgain {
  readonly text: string
  readonly isReproduced: boolean
}

/**
 * The prompt of a guide: what it decided is on record, and the memories are taken as they were then, as far as the state
 * knows. The hash proves it. On the state before the guide all is known; on a later one what was revised, settled or
 * reported since is taken back where it can be. Null: a memory is not there. Nothing is exposed by that.
 */
export function promptAgain(
  state: ActorState,
  guide: ExplainedGuide,
  sha256: (text: string) => string,
): PromptAgain | null {
  const { decision, exposure } = guide
  const command = commandAgain(decision, exposure)
  const view = viewAgain(state, guide, command)
  const [strong, weak] = [false, true].map((isWeak) => entriesAgain(state, guide, command, isWeak))
  if (strong == null || weak == null) return null
  const worked = exposure.heldOut ? new Map() : workedThen(state, guide, command, strong)
  const rendered = (alone: ReadonlySet<string>): PromptAgain => {
    const usual = standingAlone(strong, alone)
    const lines = linesAgain(usual, view, worked)
    const weakLines = linesAgain(standingAlone(weak, alone), view, worked)
    const whole = promptOfLines(usual, view, lines)
    let chars = whole.length
    // How many of the last lines are those of weak matches is not recorded: the length of the prompt tells.
    for (let from = lines.length; from >= 0; from -= 1) {
      chars += (weakLines[from] ?? '').length - (lines[from] ?? '').length
      if (chars !== decision.promptChars) continue
      const mixed = [...lines.slice(0, from), ...weakLines.slice(from)]
      const text = promptOfLines(usual, view, mixed)
      if (sha256(text) === decision.promptHash) return { text, isReproduced: true }
    }
    return { text: whole, isReproduced: false }
  }
  let first: PromptAgain | null = null
  for (const alone of standInsThen(strong, command.limit)) {
    const again = rendered(alone)
    if (again.isReproduced) return again
    first ??= again
  }
  return first
}

/** Ways in which runs may have stood for themselves that are tried behind the likeliest. */
const OTHER_WAYS_MAX = 8

/**
 * Which runs stood for themselves alone, the likeliest first: nothing was folded into them, so that no record tells. Where
 * the limit may have cut off what was like them, each may be the other way.
 */
function* standInsThen({ printed, omitted }: PrintedBefore, limit: number): Generator<ReadonlySet<string>> {
  const kept = [...printed, ...omitted.map(({ entry }) => entry)]
  const oldest = oldestKept(kept)
  const likely = new Set(oldest.flatMap(({ memoryId, isStandIn }) => (isStandIn ? [memoryId] : [])))
  yield likely
  // At most half of the limit are warnings.
  if (kept.length < Math.floor(limit / 2)) return
  for (const { memoryId } of oldest.slice(0, OTHER_WAYS_MAX)) {
    const other = new Set(likely)
    if (!other.delete(memoryId)) other.add(memoryId)
    yield other
  }
}

function standingAlone({ printed, omitted }: PrintedBefore, alone: ReadonlySet<string>): PrintedBefore {
  const changed = (entry: GuideEntry): GuideEntry =>
    alone.has(entry.record.memoryId) ? changedEntry(entry, { standsFor: 1 }) : entry
  return {
    printed: printed.map(changed),
    omitted: omitted.map(({ entry, ...rest }) => ({ entry: changed(entry), ...rest })),
  }
}

function viewAgain(state: ActorState, { exposure }: ExplainedGuide, command: GuideCommand): GuideView {
  return {
    ...command,
    queryIdentifiers: [],
    tenantId: state.tenantId,
    scope: state.scope,
    firstHandle: exposure.firstHandle ?? null,
    shown: shownBefore(state, command),
    isBrief: command.lines === 'brief',
  }
}

/** Null: a memory of the guide is not in the state. */
function entriesAgain(
  state: ActorState,
  { exposure, decision }: ExplainedGuide,
  command: GuideCommand,
  isWeak: boolean,
): PrintedBefore | null {
  const folded = new Map<string, number>()
  for (const { omitted, intoId } of decision.omitted) {
    if (omitted === 'folded' && intoId !== null) folded.set(intoId, (folded.get(intoId) ?? 0) + 1)
  }
  const entryOf = (memory: DecidedMemory, rank: number): GuideEntry | null => {
    const record = state.memories.get(memory.memoryId)
    if (record === undefined) return null
    const others = folded.get(memory.memoryId)
    const standsFor = others === undefined ? null : others + 1
    const then = recordThen(record, exposure.seq)
    return { ...entryThen(state, memory, then, command, exposure.seq), rank, isWeak, standsFor }
  }
  const printed = decision.printed.map(entryOf)
  const omitted = decision.omitted
    .filter((memory) => memory.omitted === 'budget' || memory.omitted === 'shown_before')
    .map((memory, at) => ({
      entry: entryOf(memory, printed.length + at),
      reason: memory.omitted,
      intoId: null,
    }))
  if (![...printed, ...omitted.map(({ entry }) => entry)].every((entry) => entry !== null)) return null
  return {
    printed: printed.filter((entry) => entry !== null),
    omitted: omitted.flatMap(({ entry, ...rest }) => (entry === null ? [] : [{ entry, ...rest }])),
  }
}

function entryThen(
  state: ActorState,
  memory: DecidedMemory,
  record: MemoryRecord,
  { consumer, taskSignature }: GuideCommand,
  seq: number,
): Omit<GuideEntry, 'rank' | 'isWeak' | 'standsFor'> {
  const [reasonCode = '', ...notes] = memory.reasonCodes
  const disputes = disputesThen(state, memory)
  const mark = fileMarkOf(state, record, consumer)
  return {
    record: citingKnown(state, record, consumer),
    surface: memory.surface,
    ruleId: memory.ruleId,
    reasonCode,
    notes,
    reason: memory.reason,
    disputes,
    recallSources: memory.signals,
    relevantWarning: false,
    lifecycleState: memory.lifecycleState,
    pastUse: pastUseThen(state, record, seq),
    disputedBy: disputeMark(state, disputes),
    fileMark: mark === null || mark.sinceSeq > seq ? null : mark,
    isOtherTask: isOtherTask({ record, askedSignature: taskSignature }),
  }
}

/** The memory with the content that it had after turn `seq`, as far as it keeps it. */
function recordThen(record: MemoryRecord, seq: number): MemoryRecord {
  if (record.seq <= seq) return record
  const then = record.revisions.findLast((earlier) => earlier.seq <= seq)
  if (then === undefined) return record
  const revisions = record.revisions.filter(({ revision }) => revision < then.revision)
  return { ...plainRecord(record), content: then.content, seq: then.seq, revision: then.revision, revisions }
}

/** The disputes that its reasons name, whatever became of them since. */
function disputesThen(state: ActorState, { memoryId, reasonCodes }: DecidedMemory): readonly DisputeSide[] {
  const told = disputesTold(reasonCodes)
  if (told.size === 0) return []
  return (state.disputesByMemory.get(memoryId) ?? []).flatMap(({ earlierId, laterId, kind, seq }) => {
    const isOtherLater = earlierId === memoryId
    const other = isOtherLater ? laterId : earlierId
    const yields = told.get(other)
    return yields === undefined ? [] : [{ memoryId: other, kind, yields, isOtherLater, seq }]
  })
}

function pastUseThen({ evidence }: ActorState, record: MemoryRecord, seq: number): string | null {
  const ledger = evidence.get(record.memoryId)
  if (ledger === undefined) return null
  const entries = ledger.entries.filter((entry) => entry.seq <= seq)
  return pastUseIn(
    entries.length === ledger.entries.length ? ledger : ledgerFrom(ledger.settled, entries, record),
  )
}

function workedThen(
  state: ActorState,
  { exposure: { seq, atMs } }: ExplainedGuide,
  { consumer, taskSignature }: GuideCommand,
  { printed, omitted }: PrintedBefore,
): ReadonlyMap<string, MemoryRecord> {
  const ask = { nowMs: atMs, askedSignature: taskSignature, consumer }
  const isUsable = (record: MemoryRecord): boolean =>
    record.seq <= seq && admissionIn(state, record, ask).surface === 'use_now'
  return workedElsewhere(state, [...printed, ...omitted.map(({ entry }) => entry)], consumer, isUsable)
}
