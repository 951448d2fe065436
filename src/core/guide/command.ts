import type {
  AgentRole,
  Compaction,
  ContextMode,
  GuideLines,
  GuideMode,
  Profile,
} from '../base/closed-sets.ts'
import type { Consumer } from '../model/record.ts'

export const GUIDE_LIMIT_DEFAULT = 30
export const BUDGET_CHARS_DEFAULT = 8000

/** What a guide request asks for, once its wire form is forgotten. */
export interface GuideCommand {
  readonly queryText: string
  readonly consumer: Consumer
  readonly mode: GuideMode
  readonly contextMode: ContextMode
  /** True when mode or context mode asks for structured execution memory. */
  readonly fullPower: boolean
  /** Changes posture lines only. */
  readonly profile: Profile
  /** Never widens what is visible. */
  readonly role: AgentRole
  /** Bounds all exposed memory, 1 to 200. */
  readonly limit: number
  /** Bounds the prompt text, 200 to 1 000 000 characters. */
  readonly budgetChars: number
  readonly compaction: Compaction
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
  readonly workflowSignature: string | null
  readonly taskId: string | null
  readonly taskFamily: string | null
  /** The five above that were given, without repetition: a warning that names one of them is relevant. */
  readonly identifiers: readonly string[]
}
