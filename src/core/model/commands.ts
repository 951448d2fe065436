import type {
  FeedbackOutcome,
  LifecycleOperation,
  LifecycleState,
  LifecycleTarget,
  Origin,
  RehydrateMode,
  RelationType,
  ToolStatus,
  UsedSurface,
} from '../base/closed-sets.ts'
import type { Provenance } from './memory-fields.ts'
import type { Principal } from './principal.ts'
import type { Audience, ClaimFacts, Consumer, Content, FeedbackMark, HandoffFacts, Json } from './record.ts'
import type { References } from './references.ts'
import type { PrintedEarlier } from './shown-lines.ts'
import type { FileChange } from './workspace.ts'

/** What a caller declared about the life of a memory. It may lower a surface, never raise one. */
export type DeclaredLifecycle = LifecycleState

/** How a request names a memory: by id or by client id; an unknown or invisible one is missing. */
export type MemoryRef = { readonly id: string } | { readonly clientId: string }

/** One memory to write, normalised from any of the wire forms. */
export interface MemoryWrite
  extends Omit<Provenance, 'derivedFrom' | 'source' | 'claim' | 'handoff' | 'findings'> {
  readonly clientId: string | null
  readonly audience: Audience
  readonly derivedFrom: readonly MemoryRef[]
  readonly supersedes: readonly MemoryRef[]
  /** Text of any length: a text above 32 000 characters is moved to the payload when it is written. */
  readonly content: Omit<Content, 'fullTextChars'>
  readonly declared: readonly DeclaredLifecycle[]
  readonly validUntilMs: number | null
  /** Null: the time of the request. */
  readonly observedAtMs: number | null
}

export interface EdgeInput {
  readonly type: RelationType
  readonly src: MemoryRef
  readonly dst: MemoryRef
  readonly confidence: number
}

export interface ClaimInput extends Omit<ClaimFacts, 'claimId'> {
  readonly clientId: string | null
  readonly valueText: string | null
  readonly confidence: number
  readonly evidenceRefs: readonly string[]
  readonly metadata: Json
}

export interface HandoffInput {
  readonly memory: MemoryWrite
  readonly facts: Omit<HandoffFacts, 'handoffId'>
}

/** What a request says of files, and whose word that is. */
export interface FileReports {
  readonly changes: readonly FileChange[]
  readonly origin: Origin
}

export interface ObserveCommand {
  /** Whose eyes resolve references: the consumer of the request. */
  readonly viewpoint: Consumer
  /** By whose key it came; null: without keys. */
  readonly principal: Principal | null
  /** In order of writing; general and execution memory, nodes included. */
  readonly memories: readonly MemoryWrite[]
  /** What they used, beside what they name as evidence. */
  readonly usedMemoryIds?: readonly string[]
  readonly edges: readonly EdgeInput[]
  readonly handoff: HandoffInput | null
  readonly claims: readonly ClaimInput[]
  /** Absent: it says nothing of files. */
  readonly files?: FileReports
  /** Lane, owner and producer of the request: claims take theirs from here. */
  readonly claimAudience: Audience
  readonly claimProducerAgentId: string | null
  readonly claimOrigin: Origin
  readonly runId: string | null
  readonly taskSignature: string | null
  readonly actorName: string | null
}

export interface FeedbackCommand
  extends Pick<
    FeedbackMark,
    'runId' | 'outcome' | 'usedSurface' | 'guideTraceId' | 'reason' | 'verifierStatus'
  > {
  readonly viewpoint: Consumer
  readonly memoryIds: readonly string[]
  /** Of those that a handle of an earlier guide of the run named: what that guide showed, by memory id. */
  readonly printedEarlier?: ReadonlyMap<string, PrintedEarlier>
  readonly clientIds: readonly string[]
  readonly actorName: string | null
  readonly toolStatus: ToolStatus | null
  readonly runtimeSignalRefs: readonly string[]
  /** Whose later govern requests it counts for, where it is about memory of another store. Absent: what the govern request said. */
  readonly audience?: Audience
}

export interface LifecycleCommand
  extends References,
    Pick<FeedbackCommand, 'reason' | 'actorName' | 'verifierStatus' | 'toolStatus' | 'runtimeSignalRefs'> {
  readonly operation: LifecycleOperation
  readonly target: LifecycleTarget
  /** Null: an operator without consumer fields sees the whole actor. */
  readonly viewpoint: Consumer | null
  /** By whose key it came; null: without keys. */
  readonly principal: Principal | null
  readonly untilMs: number | null
  readonly guideTraceId: string | null
  readonly mode: RehydrateMode
  readonly includeLinkedDecisions: boolean
  /** For `activate`: the fields of feedback, when the caller sent them. */
  readonly runId: string | null
  readonly outcome: FeedbackOutcome | null
  readonly usedSurface: UsedSurface | null
}
