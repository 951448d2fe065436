import type {
  AgentRole,
  Compaction,
  ContextMode,
  GuideMode,
  LifecycleState,
  OmittedReason,
  Origin,
  Profile,
  Surface,
} from '../base/closed-sets.ts'
import type { DisputeSide } from '../model/dispute.ts'
import type { FileMark } from '../model/file-mark.ts'
import type { Consumer, MemoryRecord } from '../model/record.ts'
import type { RecallSource } from '../rerank/signals.ts'

/** One memory that a guide decided about: surface, rule and rank are settled, the limit has been applied. */
export interface GuideEntry {
  readonly record: MemoryRecord
  readonly surface: Surface
  readonly ruleId: string
  readonly reasonCode: string
  /** Reason codes told beside it. */
  readonly notes: readonly string[]
  /** One sentence. */
  readonly reason: string
  readonly recallSources: readonly RecallSource[]
  /** 0 is the best; unique within a guide. */
  readonly rank: number
  /** A do_not_use memory that touches what is asked or what may be used; see `markRelevantWarnings`. */
  readonly relevantWarning: boolean
  readonly lifecycleState: LifecycleState
  /** Only a weak match of the query brings it here: its line is short and stands behind all others. */
  readonly isWeak: boolean
  /** How many runs its line stands for, its own among them; null: for itself alone. */
  readonly standsFor: number | null
  /** A run or handoff of another task than the one asked for: its next step is no advice here. */
  readonly isOtherTask: boolean
  /** What its verified uses say, when one of the last failed; null otherwise. */
  readonly pastUse: string | null
  /** In force, as far as the consumer may know. */
  readonly disputes: readonly DisputeSide[]
  /** What its line says of them. */
  readonly disputedBy: DisputeMark | null
  /** What happened to a file that it names, as far as the consumer may know. */
  readonly fileMark: FileMark | null
}

/** The newest memory that says otherwise than one that was said before it, or has more authority. */
export interface DisputeMark {
  readonly memoryId: string
  readonly origin: Origin
  readonly observedAtMs: number
}

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
export interface GuideView {
  readonly queryText: string
  /** Paths, symbols and ids that the query names. */
  readonly queryIdentifiers: readonly string[]
  readonly role: AgentRole
  readonly profile: Profile
  readonly contextMode: ContextMode
  readonly mode: GuideMode
  readonly compaction: Compaction
  /** Most UTF-16 units of the prompt text, 200 or more. */
  readonly budgetChars: number
  readonly tenantId: string
  readonly scope: string
  readonly consumer: Consumer
  readonly runId: string | null
  readonly taskSignature: string | null
  readonly workflowSignature: string | null
  readonly includePackets: boolean
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
