import type {
  AgentRole,
  Compaction,
  ContextMode,
  GuideMode,
  LifecycleState,
  Profile,
  Surface,
} from '../base/closed-sets.ts'
import type { Consumer, MemoryRecord } from '../model/record.ts'
import type { RecallSource } from '../rerank/signals.ts'

/** One memory that a guide decided about: surface, rule and rank are settled, the limit has been applied. */
export interface GuideEntry {
  readonly record: MemoryRecord
  readonly surface: Surface
  readonly ruleId: string
  readonly reasonCode: string
  /** One sentence. */
  readonly reason: string
  readonly recallSources: readonly RecallSource[]
  /** 0 is the best; unique within a guide. */
  readonly rank: number
  /** Found only by a match that is weak, or weak beside the best one. */
  readonly isWeak: boolean
  /** A do_not_use memory that touches what is asked or what may be used; see `markRelevantWarnings`. */
  readonly relevantWarning: boolean
  readonly lifecycleState: LifecycleState
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
}

/** The better rank first. Ids break a tie, so that the order never depends on the order of arrival. */
export function byRank(a: GuideEntry, b: GuideEntry): number {
  if (a.rank !== b.rank) return a.rank - b.rank
  return a.record.memoryId < b.record.memoryId ? -1 : 1
}
