import type {
  AgentRole,
  Compaction,
  ContextMode,
  GuidanceAuthority,
  GuideLines,
  GuideMode,
  OmittedReason,
  Profile,
  RecommendedPosture,
  Surface,
} from '../base/closed-sets.ts'

/** What a guide was asked beside consumer, run and task signature: with those it can be asked again. */
export interface GuideAsk {
  readonly queryText: string
  readonly mode: GuideMode
  readonly contextMode: ContextMode
  readonly fullPower: boolean
  readonly profile: Profile
  readonly role: AgentRole
  readonly limit: number
  readonly budgetChars: number
  readonly compaction: Compaction
  readonly workflowSignature: string | null
  readonly taskId: string | null
  readonly taskFamily: string | null
  /** Absent, as what follows: it was not asked for. */
  readonly lines?: GuideLines
  readonly omitShownIn?: string
  readonly isRestart?: boolean
}

export interface DecidedHead {
  readonly guideTraceId: string
  readonly ask: GuideAsk
  /** SHA-256, hex. */
  readonly queryHash: string
  readonly promptHash: string
  readonly promptChars: number
  readonly posture: RecommendedPosture
  readonly authority: GuidanceAuthority
  readonly actionableHistoryUsed: boolean
  /** Paths that the agent was given, at most 8. */
  readonly targetFiles: readonly string[]
}

/**
 * The record as the journal holds it: columns over the memories, printed ones first in the order of the exposure, then
 * the unprinted. Repeated words stand once in `words`; columns hold their places there.
 */
export interface DecidedColumns extends DecidedHead {
  readonly unprintedIds: readonly string[]
  readonly unprintedSurfaces: readonly Surface[]
  readonly unprintedReasons: readonly OmittedReason[]
  /** Of each the memory whose line stands for it, null: none does. Absent where no line stands for another memory. */
  readonly unprintedInto?: readonly (string | null)[]
  readonly words: readonly string[]
  readonly rules: readonly number[]
  readonly codes: readonly number[]
  readonly reasons: readonly number[]
  readonly lifecycleStates: readonly number[]
  /** Its rules count. Absent in events of before they did: replayed, those leave the state as it was stored. */
  readonly isCounted?: true
  /** Per memory: place of the signal's kind, place of its reason, score, and so on for each signal. */
  readonly signals: readonly (readonly number[])[]
}
