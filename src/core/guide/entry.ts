import type { GuideLines, LifecycleState, OmittedReason, Surface } from '../base/closed-sets.ts'
import type { GuideAsk } from '../model/events.ts'
import { type EvidenceLedger, isForgiven, recentUses } from '../model/evidence.ts'
import type { Consumer, Content, MemoryRecord } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import type { Admission } from '../policy/admission.ts'
import type { RecallSource } from '../rerank/signals.ts'
import type { FindingKind } from '../screening/finding.ts'
import { screen } from '../screening/screen.ts'
import { maskSecrets } from '../screening/secrets.ts'
import { clip, foldText } from '../text/escape.ts'
import { dayOf } from '../text/told.ts'

/** Confidence below this is told. */
const CONFIDENCE_TOLD_BELOW = 0.75

/**
 * What a line for use or inspection says of its memory before the text, for the reader to weigh: when it was seen, who
 * said it unless an agent did, and how sure that was when it was not sure. Every mark of such a line is made here; none
 * may depend on the time of the guide.
 */
export function marksOf({ record }: Pick<GuideEntry, 'record'>): readonly string[] {
  const marks = [dayOf(record.observedAtMs)]
  if (record.origin !== 'agent') marks.push(record.origin)
  const { confidence } = record.content
  if (confidence < CONFIDENCE_TOLD_BELOW) marks.push(`confidence ${Number(confidence.toFixed(3))}`)
  return marks
}

const REASON_CHARS_MAX = 240

/** The reason as one line, never empty: the reason code stands in. */
export function reasonText(entry: Pick<GuideEntry, 'reason' | 'reasonCode'>): string {
  return clip(foldText(tellableReason(entry)), REASON_CHARS_MAX) || entry.reasonCode
}

/** That a memory is obsolete is a reason, and a secret is masked. */
const HARMLESS_IN_REASONS: ReadonlySet<FindingKind> = new Set(['declared_obsolete', 'secret'])
const REASON_CONTEXT = { domain: 'general', declaredType: 'fact', queryText: null } as const

/**
 * The reason as an agent may read it: of a suppression the words of whoever suppressed it, unless screening finds an order
 * or a disguise in them.
 */
export function tellableReason({ reason, reasonCode }: Pick<Admission, 'reason' | 'reasonCode'>): string {
  return reasonCode === 'suppressed' && givesOrders(reason) ? reasonCode : reason
}

/** Whether screening finds an order or a disguise in words that a warning would print. */
export function givesOrders(words: string): boolean {
  return screen(words, REASON_CONTEXT).some(({ kind }) => !HARMLESS_IN_REASONS.has(kind))
}

/** The sections of a prompt in reading order. */
export const SECTIONS: readonly { readonly surface: Surface; readonly heading: string }[] = [
  { surface: 'use_now', heading: '## USE NOW: may guide the next action' },
  { surface: 'do_not_use', heading: '## DO NOT USE: warnings, never act on these' },
  { surface: 'inspect_before_use', heading: '## INSPECT BEFORE USE: verify first' },
  { surface: 'rehydrate', heading: '## REHYDRATE: fetch the evidence first' },
]

/** What was printed, given in rank order, in the order of its lines in the prompt. */
export function inPrintingOrder<Printed extends { readonly surface: Surface }>(
  printed: readonly Printed[],
): readonly Printed[] {
  return SECTIONS.flatMap(({ surface }) => printed.filter((each) => each.surface === surface))
}

/**
 * What the line of a memory says of its last verified uses when exactly one of them failed; null otherwise. A memory
 * that keeps its standing in spite of the failure is called proven.
 */
export function pastUse(state: Pick<ActorState, 'evidence'>, record: MemoryRecord): string | null {
  const ledger = state.evidence.get(record.memoryId)
  return ledger === undefined ? null : pastUseIn(ledger)
}

/** The same of a ledger alone. */
export function pastUseIn(ledger: EvidenceLedger): string | null {
  const { uses, failures } = recentUses(ledger.now)
  if (failures !== 1) return null
  const words = `failed in 1 of its last ${uses} verified uses`
  return isForgiven(ledger.now) ? `proven, ${words}` : words
}

const TARGETS_PER_MEMORY_MAX = 8
const PATH_CHARS_MAX = 256

/** What of an entry tells its target paths: a memory's, or a candidate's. */
export interface TargetEntry {
  readonly surface: Surface
  readonly record: { readonly memoryId: string; readonly content: Pick<Content, 'targetFiles'> }
}

interface TargetOwner<Entry> {
  readonly target: string
  readonly entry: Entry
}

/** Target paths of the memories of one surface, each path once with the best ranked memory that names it. */
export function targetsOf<Entry extends TargetEntry>(
  printed: readonly Entry[],
  surface: Surface,
  targetsMax: number,
): readonly TargetOwner<Entry>[] {
  const owners = new Map<string, Entry>()
  for (const entry of printed) {
    if (entry.surface !== surface) continue
    for (const target of foldedTargets(entry)) if (!owners.has(target)) owners.set(target, entry)
    if (owners.size >= targetsMax) break
  }
  if (owners.size === 0) return []
  return Array.from(owners, ([target, entry]) => ({ target, entry })).slice(0, targetsMax)
}

/** The first target paths of a memory, folded, without the values of secrets. */
export function foldedTargets(entry: Pick<TargetEntry, 'record'>): readonly string[] {
  const { targetFiles } = entry.record.content
  if (targetFiles.length === 0) return targetFiles
  return targetFiles
    .slice(0, TARGETS_PER_MEMORY_MAX)
    .map((path) => clip(foldText(maskSecrets(path)), PATH_CHARS_MAX))
    .filter((path) => path !== '')
}

export const GUIDE_LIMIT_DEFAULT = 30
export const BUDGET_CHARS_DEFAULT = 8000

/** What a guide request asks for, once its wire form is forgotten. */
export interface GuideCommand extends Omit<GuideAsk, 'lines' | 'omitShownIn' | 'isRestart'> {
  readonly consumer: Consumer
  readonly includePackets: boolean
  /** True: lines are named by handles, not by memory ids. */
  readonly handles: boolean
  /** A run whose guides showed the consumer lines that are not printed again as long as they are the same; null: none. */
  readonly omitShownIn: string | null
  /** True: they are printed again, once. */
  readonly isRestart: boolean
  readonly lines: GuideLines
  readonly runId: string | null
  readonly taskSignature: string | null
  /** Names of task and run that were given, without repetition: a warning that names one of them is relevant. */
  readonly identifiers: readonly string[]
}

export interface Candidate {
  readonly record: MemoryRecord
  readonly recallSources: readonly RecallSource[]
  /** Found only by a match that is weak, or weak beside the best one: its line is short and stands behind all others. */
  readonly isWeak: boolean
}

/** One memory that a guide decided about: surface, rule and rank are settled, the limit has been applied. */
export interface GuideEntry extends Admission, Candidate {
  /** 0 is the best; unique within a guide. */
  readonly rank: number
  /** A do_not_use memory that touches what is asked or what may be used; see `markRelevantWarnings`. */
  readonly relevantWarning: boolean
  readonly lifecycleState: LifecycleState
  /** How many runs its line stands for, its own among them; null: for itself alone. */
  readonly standsFor: number | null
  /** A run or handoff of another task than the one asked for: its next step is no advice here. */
  readonly isOtherTask: boolean
  /** What its verified uses say, when one of the last failed; null otherwise. */
  readonly pastUse: string | null
  /** What its line says of its disputes. */
  readonly disputedBy: DisputeMark | null
}

/**
 * The same entry but for some of its fields. Each by its name and in order, since a copy by `...` is an object of another kind
 * to the engine: whatever reads entries would be compiled anew for two kinds, and run slower from then on.
 */
export function changedEntry(
  entry: GuideEntry,
  change: Partial<
    Admission & Pick<GuideEntry, 'rank' | 'recallSources' | 'isWeak' | 'relevantWarning' | 'standsFor'>
  >,
): GuideEntry {
  return {
    record: entry.record,
    surface: change.surface ?? entry.surface,
    ruleId: change.ruleId ?? entry.ruleId,
    reasonCode: change.reasonCode ?? entry.reasonCode,
    notes: change.notes ?? entry.notes,
    reason: change.reason ?? entry.reason,
    disputes: entry.disputes,
    recallSources: change.recallSources ?? entry.recallSources,
    rank: change.rank ?? entry.rank,
    isWeak: change.isWeak ?? entry.isWeak,
    relevantWarning: change.relevantWarning ?? entry.relevantWarning,
    lifecycleState: entry.lifecycleState,
    pastUse: entry.pastUse,
    disputedBy: entry.disputedBy,
    fileMark: entry.fileMark,
    isOtherTask: entry.isOtherTask,
    standsFor: change.standsFor ?? entry.standsFor,
  }
}

/** The newest memory that says otherwise than one that was said before it, or has more authority. */
export type DisputeMark = Pick<MemoryRecord, 'memoryId' | 'origin' | 'observedAtMs'>

/** A memory that was decided about and has no line. */
export interface Omission {
  readonly entry: GuideEntry
  readonly reason: OmittedReason
  /** The memory whose line stands for it; null: there is none. */
  readonly intoId: string | null
}

/** What an earlier guide of a run leaves to a later one. */
export interface ShownBefore {
  /** Lines that are not printed again, by memory: the version in which each was shown. */
  readonly versions: ReadonlyMap<string, number>
  /** By memory the handle that its consumer knows already. */
  readonly handles: ReadonlyMap<string, string>
}

/** What a guide was asked, as far as what it shows depends on it. */
export interface GuideView
  extends Pick<GuideCommand, 'role' | 'profile' | 'contextMode' | 'mode' | 'compaction' | 'budgetChars'>,
    Pick<GuideCommand, 'consumer' | 'runId' | 'taskSignature' | 'workflowSignature' | 'includePackets'> {
  /** Paths, symbols and ids that the query names. */
  readonly queryIdentifiers: readonly string[]
  readonly tenantId: string
  readonly scope: string
  /** Number of the first handle; null: lines are named by memory ids. */
  readonly firstHandle: number | null
  /** What is not printed again; null: nothing was shown before that counts. */
  readonly shown: ShownBefore | null
  /** True: only what may be used now carries text of memory. */
  readonly isBrief: boolean
}

/** Weak matches last, the better rank first. Ids break a tie, so that the order never depends on the order of arrival. */
export function byRank(a: GuideEntry, b: GuideEntry): number {
  if (a.isWeak !== b.isWeak) return a.isWeak ? 1 : -1
  if (a.rank !== b.rank) return a.rank - b.rank
  return a.record.memoryId < b.record.memoryId ? -1 : 1
}

/** How much of a memory a line shows. What is shown never depends on the budget, the profile or the role. */
export interface Density {
  readonly isCompact: boolean
  readonly lineCharsMax: number
  /** A text of at most so many characters is shown whole … */
  readonly wholeCharsMax: number
  /** … with a longer one the line takes this part of the full line, but its text never less than `textCharsMin`. */
  readonly lineShare: number
  readonly textCharsMin: number
  readonly reasonCharsMax: number
  readonly warningReasonCharsMax: number
  readonly titleCharsMax: number
  /** Of the sentence by which a failed run without a title is told. */
  readonly sentenceCharsMax: number
  readonly workedCharsMax: number
  readonly pointerCharsMax: number
  readonly nextActionCharsMax: number
  /** For each name of a handoff's addressee. */
  readonly addresseeCharsMax: number
  /** Files and checks together. */
  readonly detailCharsMax: number
  readonly filesMax: number
  readonly checksMax: number
}

/** Nothing is shortened but what does not fit. */
export const FULL: Density = {
  isCompact: false,
  lineCharsMax: 400,
  wholeCharsMax: Number.POSITIVE_INFINITY,
  lineShare: 1,
  textCharsMin: 0,
  reasonCharsMax: 90,
  warningReasonCharsMax: 120,
  titleCharsMax: 80,
  sentenceCharsMax: 120,
  workedCharsMax: 80,
  pointerCharsMax: 120,
  nextActionCharsMax: 110,
  addresseeCharsMax: 40,
  detailCharsMax: 400,
  filesMax: 4,
  checksMax: 3,
}

const COMPACT: Density = {
  isCompact: true,
  lineCharsMax: 400,
  wholeCharsMax: 110,
  lineShare: 0.52,
  textCharsMin: 72,
  reasonCharsMax: 56,
  warningReasonCharsMax: 64,
  titleCharsMax: 40,
  sentenceCharsMax: 60,
  workedCharsMax: 40,
  pointerCharsMax: 60,
  nextActionCharsMax: 56,
  addresseeCharsMax: 24,
  detailCharsMax: 64,
  filesMax: 1,
  checksMax: 1,
}

const COMPACT_AGGRESSIVE: Density = {
  ...COMPACT,
  wholeCharsMax: 60,
  lineShare: 0.42,
  textCharsMin: 56,
  reasonCharsMax: 24,
  warningReasonCharsMax: 48,
  titleCharsMax: 24,
  sentenceCharsMax: 40,
  workedCharsMax: 24,
  pointerCharsMax: 48,
  nextActionCharsMax: 40,
  addresseeCharsMax: 16,
  detailCharsMax: 40,
}

/** A line for what only resembles the question: enough to ask for more. It is the same in every form of the prompt. */
export const WEAK: Density = {
  ...FULL,
  lineCharsMax: 120,
  reasonCharsMax: 24,
  warningReasonCharsMax: 32,
  titleCharsMax: 24,
  sentenceCharsMax: 24,
  workedCharsMax: 16,
  pointerCharsMax: 40,
  nextActionCharsMax: 0,
  addresseeCharsMax: 0,
  detailCharsMax: 0,
  filesMax: 0,
  checksMax: 0,
}

/** `compact_agent` and `aggressive` shorten; both together shorten more. */
export function densityOf(view: Pick<GuideView, 'contextMode' | 'compaction'>): Density {
  const isCompactMode = view.contextMode === 'compact_agent'
  if (view.compaction === 'aggressive') return isCompactMode ? COMPACT_AGGRESSIVE : COMPACT
  return isCompactMode ? COMPACT : FULL
}
