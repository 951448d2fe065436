import type {
  AgentRole,
  Availability,
  Compaction,
  ContextMode,
  GuidanceAuthority,
  GuideLines,
  GuideMode,
  LifecycleOperation,
  OmittedReason,
  Profile,
  RecommendedPosture,
  RehydrateMode,
  RelationType,
  Standing,
  Surface,
  Trust,
  Validity,
} from '../base/closed-sets.ts'
import type { History } from './memory-fields.ts'
import type {
  Consumer,
  Dispute,
  ExternalEvent,
  ExternalMove,
  ExternalShown,
  ExternalTaskSuccess,
  FeedbackMark,
  MemoryRecord,
  Relation,
  Said,
  Settlement,
  Suppression,
  TaskRef,
} from './record.ts'
import type { SkillDecision, SkillDraft, SkillReview } from './skill-candidate.ts'
import type { FilesReported } from './workspace.ts'

/** What a guide was asked beside consumer, run and task signature: with those it can be asked again. */
export interface GuideAsk extends Pick<TaskRef, 'workflowSignature' | 'taskId' | 'taskFamily'> {
  readonly queryText: string
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

/** What one guide exposed: the ground of every attribution. */
export interface ExposureRecord extends ExposedSet {
  readonly atMs: number
  readonly seq: number
}

/** What a guide showed, or a govern request of another store's: the ids by which requests with its trace name it. */
export function shownIn({ memoryIds, surfaces, external }: ExposedSet): {
  readonly ids: readonly string[]
  readonly surfaces: readonly Surface[]
} {
  return external === undefined
    ? { ids: memoryIds, surfaces }
    : { ids: external.externalIds, surfaces: external.surfaces }
}

/** A memory as it is first written; the state gives it slot, ordinal, sequence and empty counters. */
export type NewMemory = Omit<MemoryRecord, keyof History | 'slot' | 'ordinal' | 'seq' | 'updatedAtMs'>

/** How a memory names its task. */
export type NamedTask = Pick<MemoryRecord, 'taskSignature' | 'workflowSignature' | 'taskId' | 'taskFamily'>

/** What a revision says anew. */
type Revised = Pick<
  MemoryRecord,
  | 'memoryId'
  | 'content'
  | 'claim'
  | 'handoff'
  | 'origin'
  | 'derivedFrom'
  | 'runId'
  | 'observedAtMs'
  | 'findings'
> &
  /** Only where it names another task than before. */
  Partial<NamedTask>

/** Who did it, and why, as the request says. */
interface Asked {
  readonly reason: string
  readonly actorName: string | null
}

interface FacetEvent {
  readonly memoryId: string
  /** Reason code: which rule moved the facet. */
  readonly cause: string
  /** One sentence for an operator. */
  readonly reason: string
  readonly byMemoryId: string | null
}

type RelationFound = Omit<Relation, 'type' | 'seq'> & { readonly relationType: RelationType }

export interface ExposedSet {
  readonly guideTraceId: string
  /** Parallel lists in rank order. */
  readonly memoryIds: readonly string[]
  readonly surfaces: readonly Surface[]
  readonly consumerAgentId: string
  readonly consumerTeamId: string | null
  readonly runId: string | null
  readonly taskSignature: string | null
  /** True: memory was withheld, so that its run can be compared with those that had it. */
  readonly heldOut: boolean
  /** Number of its first handle; the others follow in printing order. Absent where lines were named by ids. */
  readonly firstHandle?: number
  /** Candidates of a govern request; the lists of memory are empty then. Absent: a guide. */
  readonly external?: ExternalShown
}

/**
 * Everything that can happen to an actor. State changes only by these, through `evolve`. The list is closed:
 * a new kind or a changed shape gets a new version and an upcaster.
 */
export type ActorEvent =
  | { readonly type: 'memory_written'; readonly draft: NewMemory }
  | ({ readonly type: 'memory_revised'; readonly validUntilMs: number | null } & Revised)
  | (FacetEvent & { readonly type: 'trust_changed'; readonly to: Trust })
  | (FacetEvent & { readonly type: 'standing_changed'; readonly to: Standing })
  | (FacetEvent & { readonly type: 'validity_changed'; readonly to: Validity })
  | (FacetEvent & { readonly type: 'availability_changed'; readonly to: Availability })
  | (FacetEvent & { readonly type: 'suppression_changed'; readonly to: Suppression | null })
  | ({ readonly type: 'relation_recorded' } & RelationFound)
  /** Two memories that cannot both hold. Never words of either. */
  | ({ readonly type: 'dispute_found' } & Omit<Dispute, 'seq' | 'settled'>)
  /** An operator decided a dispute, or decided it anew. What follows for the two memories stands in events of its own. */
  | ({
      readonly type: 'dispute_settled'
      readonly earlierId: string
      readonly laterId: string
      /** The one that stands, both or neither; null: it is open again. */
      readonly settled: Settlement | null
    } & Asked)
  /** Files of a workspace were found to be so. It changes no memory. */
  | ({ readonly type: 'workspace_changed' } & FilesReported)
  /** Somebody with more authority than their origin says so too. */
  | {
      readonly type: 'authority_given'
      readonly memoryIds: readonly string[]
      readonly authority: 'operator'
    }
  | ({
      readonly type: 'exposed'
      /** Of each line, for a later guide of its run that leaves out what is the same. Absent without a run, and in events of before. */
      readonly lineVersions?: readonly number[]
    } & ExposedSet)
  /** Why a guide showed what it showed: in the same turn as its exposure. Of the state it changes the counts of rules only. */
  | ({ readonly type: 'guide_decided' } & DecidedColumns)
  | ({
      readonly type: 'feedback_recorded'
      readonly memoryId: string
      /** False: host assertion about an unexposed memory, evidence without effect. */
      readonly attributed: boolean
    } & Said)
  /** A run that was shown the memory succeeded at its task, was verified, and nobody named the memory. */
  | { readonly type: 'task_succeeded'; readonly memoryId: string; readonly runId: string }
  | ({
      readonly type: 'run_feedback_recorded'
      readonly memoryIds: readonly string[]
      readonly boundaryIgnoredMemoryIds: readonly string[]
      /** Refs of the memory of other stores that it names; absent: it is about memory of the actor. */
      readonly externalRefs?: readonly string[]
    } & Pick<FeedbackMark, 'runId' | 'outcome' | 'usedSurface' | 'guideTraceId'> &
      Asked)
  /** The first govern request that is recorded: with this key names and texts of other stores are hashed from now on. */
  | { readonly type: 'external_keyed'; readonly key: string }
  | ({ readonly type: 'external_feedback_recorded' } & ExternalEvent & Said)
  | ({ readonly type: 'external_standing_changed' } & ExternalMove)
  /** As `task_succeeded`. */
  | ({ readonly type: 'external_task_succeeded' } & ExternalTaskSuccess)
  | ({ readonly type: 'external_erased'; readonly refs: readonly string[] } & Asked)
  | ({
      readonly type: 'lifecycle_requested'
      readonly operation: LifecycleOperation
      readonly memoryIds: readonly string[]
      readonly mode: RehydrateMode | null
    } & Asked)
  | ({ readonly type: 'memory_erased'; readonly memoryIds: readonly string[] } & Asked)
  /** What these guides, and those that the runs had until this turn, asked, showed and weighed is gone. */
  | ({
      readonly type: 'guides_erased'
      readonly guideTraceIds: readonly string[]
      readonly runIds: readonly string[]
      /** Of the runs only guides for this consumer; null: for whomever. */
      readonly madeFor: Consumer | null
    } & Asked)
  | {
      readonly type: 'operation_recorded'
      readonly operationId: string
      /** SHA-256 of operation name and canonical body, hex. */
      readonly requestHash: string
      /** The answer, compressed; null when it is too large to keep. */
      readonly answer: Uint8Array | null
    }
  /** A skill that the records give, for review. The same id again replaces one that is still pending. */
  | { readonly type: 'skill_proposed'; readonly draft: SkillDraft }
  | ({
      readonly type: 'skill_reviewed'
      readonly candidateId: string
      /** Of the candidate: what is said of it goes with them. */
      readonly sourceMemoryIds: readonly string[]
    } & Omit<SkillReview, 'atMs' | 'seq'>)
  /** An operator decided about a candidate, or decided anew. What follows for its procedure stands in events of its own. */
  | ({
      readonly type: 'skill_settled'
      readonly candidateId: string
      readonly sourceMemoryIds: readonly string[]
      /** Null: it waits for a review again. */
      readonly decision: SkillDecision | null
      /** The memory that holds the promoted procedure; null: none was ever written. */
      readonly procedureId: string | null
    } & Asked)

export type ActorEventType = ActorEvent['type']

/** How a kind of event is stored. */
export interface StoredKind {
  /** On disk: never reused. */
  readonly code: number
  /** Grows when the shape changes. */
  readonly version: number
  /**
   * The step of a shared store (`src/adapters/postgres/sql`) that every node has to know before an event of this kind is
   * written: nodes of an older version could not read it. Absent: any node reads it.
   */
  readonly sinceStep?: number
}

export const EVENT_TYPES = {
  memory_written: { code: 1, version: 1 },
  memory_revised: { code: 2, version: 1 },
  trust_changed: { code: 3, version: 1 },
  standing_changed: { code: 4, version: 1 },
  validity_changed: { code: 5, version: 1 },
  availability_changed: { code: 6, version: 1 },
  suppression_changed: { code: 7, version: 1 },
  relation_recorded: { code: 8, version: 1 },
  exposed: { code: 9, version: 2 },
  feedback_recorded: { code: 10, version: 2 },
  run_feedback_recorded: { code: 11, version: 1 },
  lifecycle_requested: { code: 12, version: 1 },
  operation_recorded: { code: 13, version: 1 },
  guide_decided: { code: 14, version: 1 },
  skill_proposed: { code: 15, version: 1 },
  skill_reviewed: { code: 16, version: 1 },
  memory_erased: { code: 17, version: 1 },
  task_succeeded: { code: 21, version: 1 },
  dispute_found: { code: 18, version: 1 },
  dispute_settled: { code: 29, version: 1 },
  authority_given: { code: 28, version: 1 },
  workspace_changed: { code: 30, version: 1 },
  guides_erased: { code: 41, version: 1 },
  skill_settled: { code: 42, version: 1 },
  external_keyed: { code: 50, version: 1 },
  external_feedback_recorded: { code: 51, version: 1 },
  external_standing_changed: { code: 52, version: 1 },
  external_task_succeeded: { code: 53, version: 1 },
  external_erased: { code: 54, version: 1 },
} as const satisfies Record<ActorEventType, StoredKind>

/**
 * One turn of an actor: the events that one request decided, applied together or not at all. One journal record
 * holds one turn, so that a crash can never split what a request wrote.
 */
export interface Turn {
  /** 1, 2, 3 … per actor, without gaps. */
  readonly seq: number
  /** Wall clock of the decision, milliseconds since the epoch; replay uses it, never the clock. */
  readonly atMs: number
  readonly events: readonly ActorEvent[]
  /** Id of the key by which it was asked for; absent without keys. */
  readonly principal?: string
}
