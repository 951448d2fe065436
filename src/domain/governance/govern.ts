import type { AgentRole, MemoryDomain, MemoryType, Profile, Surface } from '../closed-sets.ts'
import type { Consumer } from '../memory/record.ts'
import type { SelfClaim } from './govern-signal.ts'
import type {
  EvidenceRequirement,
  GovernMode,
  HistoryState,
  LifecycleHint,
  SourceTrust,
} from './govern-words.ts'

/** Content of an external backend, as one request brings it. Nothing of it is ever stored. */
export interface Candidate {
  /** Unique within a request. */
  readonly externalId: string
  readonly sourceBackend: string
  readonly text: string
  /** Only a title that the caller gave; none is made of the text. */
  readonly title: string | null
  readonly hint: LifecycleHint
  readonly sourceTrust: SourceTrust
  /** How far the source says it reaches. Audit only. */
  readonly authorityScope: string
  readonly requirement: EvidenceRequirement
  /** The scope its metadata names; null when it names none. */
  readonly metadataScope: string | null
  readonly domain: MemoryDomain
  /** The type its metadata declares; null when it declares none that is known. */
  readonly declaredType: MemoryType | null
  /** True when what the text says of its own lifecycle counts: work, not facts and preferences. */
  readonly readsSelfClaims: boolean
  readonly targetFiles: readonly string[]
  readonly evidenceRefs: readonly string[]
}

/** Something in a text that no memory should hold. */
export interface ContentFinding {
  readonly kind: string
  /** Where in the screened text, in UTF-16 units. */
  readonly start: number
  readonly end: number
  readonly sentence: string
}

/** Where a candidate holds what was found. */
export interface PlacedFinding extends ContentFinding {
  readonly place: 'text' | 'title'
}

export interface ScreenContext {
  readonly domain: MemoryDomain
  readonly declaredType: MemoryType | null
  readonly queryText: string
}

/** Screens the whole of a text. Pure. */
export type Screen = (text: string, context: ScreenContext) => readonly ContentFinding[]

export interface HistoryMatch {
  readonly state: HistoryState
  readonly memoryId: string
}

/** Two texts of a list that cannot both hold, and what they disagree about, in a word without their own words. */
export interface TextContradiction {
  readonly first: number
  readonly second: number
  readonly dispute: string
}

/** What is known of contents beyond their own text. */
export interface ContentLookups {
  /** The gravest thing that the actor, through the eyes of the consumer, knows against the same content. */
  history(text: string): HistoryMatch | null
  /** A list, not a pair, so that each text is read once. */
  contradictionsAmong(texts: readonly string[]): readonly TextContradiction[]
}

export interface GovernCommand {
  readonly tenantId: string
  readonly scope: string
  readonly queryText: string
  readonly consumer: Consumer
  readonly mode: GovernMode
  readonly isCompact: boolean
  /** Posture lines only. */
  readonly profile: Profile
  readonly role: AgentRole
  readonly runId: string | null
  readonly taskSignature: string | null
  readonly includeRecords: boolean
  readonly candidates: readonly Candidate[]
}

/** A candidate with what its own text tells, before the actor is asked. */
export interface ExaminedCandidate {
  readonly candidate: Candidate
  readonly findings: readonly PlacedFinding[]
  readonly selfClaim: SelfClaim | null
}

/** What the rows of the table may see of one candidate. */
export interface CandidateFacts extends ExaminedCandidate {
  /** Its metadata names another scope than the request. */
  readonly hasOtherScope: boolean
  readonly history: HistoryMatch | null
}

export interface CandidateDecision {
  readonly facts: CandidateFacts
  readonly surface: Surface
  readonly ruleId: string
  readonly reasonCode: string
  /** One sentence without a word of the candidate's text. */
  readonly reason: string
  /** A visible memory of the actor with the candidate's own id. */
  readonly storedMemoryId: string | null
  /** Candidates of the same request that cannot hold together with this one, in the order of their ids. */
  readonly contradictedIds: readonly string[]
}
