import type { AgentRole, MemoryDomain, MemoryType, Profile } from '../base/closed-sets.ts'
import type { Audience, Consumer } from '../model/record.ts'
import type { Admission } from '../policy/admission.ts'
import type { Finding } from '../screening/finding.ts'
import type { ListedDispute } from '../similarity/disputes-among.ts'
import type { TextSignature } from '../similarity/text-signature.ts'
import type { SelfClaim } from './govern-signal.ts'

// The words of a govern request. Hint and authority are what the source says of its own record: evidence, never
// authority over the runtime's own gates.

/** How strict a pass is, the least strict first. */
export const GOVERN_MODES = ['standard', 'strict', 'firewall'] as const
export type GovernMode = (typeof GOVERN_MODES)[number]

/** The most trusted first; a missing word counts as the last. */
export const SOURCE_TRUSTS = ['trusted', 'known', 'untrusted', 'unknown'] as const
export type SourceTrust = (typeof SOURCE_TRUSTS)[number]

/** The least demanding first. */
export const EVIDENCE_REQUIREMENTS = [
  'none',
  'inspect_before_use',
  'rehydrate_before_use',
  'blocked',
] as const
export type EvidenceRequirement = (typeof EVIDENCE_REQUIREMENTS)[number]

export const LIFECYCLE_HINTS = [
  'current',
  'procedure',
  'unknown',
  'stale',
  'contested',
  'failed',
  'archived',
  'suppressed',
] as const
export type LifecycleHint = (typeof LIFECYCLE_HINTS)[number]

/** Hints by which a source speaks against its own record. */
export const NEGATIVE_HINTS: ReadonlySet<LifecycleHint> = new Set([
  'stale',
  'contested',
  'failed',
  'archived',
  'suppressed',
])

/** Words of `metadata.scope` that say how wide a memory reaches and name no place: they are no other scope. */
export const GENERIC_SCOPES: ReadonlySet<string> = new Set([
  'user',
  'project',
  'team',
  'org',
  'global',
  'unknown',
])

/** What runs may have said against a memory of another store, the gravest first. */
export const OUTCOME_STATES = ['failed', 'contested', 'demoted'] as const
export type OutcomeState = (typeof OUTCOME_STATES)[number]

/** What the runtime may hold against a content, the gravest first. */
export const HISTORY_STATES = ['suppressed', 'failed', 'superseded', 'contested'] as const
export type HistoryState = (typeof HISTORY_STATES)[number]

/** Content of an external backend, as one request brings it. Its text is never stored. */
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
  /**
   * As what its text is screened: as a run only when its source declares one. Neither a path in the text nor a hint
   * makes it one, or an attack could ask for the milder reading.
   */
  readonly screenedAs: MemoryDomain
  /** The type its metadata declares; null when it declares none that is known. */
  readonly declaredType: MemoryType | null
  /** True when what the text says of its own lifecycle counts: work, not facts and preferences. */
  readonly readsSelfClaims: boolean
  readonly targetFiles: readonly string[]
  readonly evidenceRefs: readonly string[]
  /** By place in `TIME_KEYS`, in milliseconds; null where its metadata gives none. */
  readonly times: readonly (number | null)[]
}

/** Where a candidate holds what was found. */
export interface PlacedFinding extends Finding {
  readonly place: 'text' | 'title'
}

export interface HistoryMatch {
  readonly state: HistoryState
  /** True: the memory says nearly the same, which is a reason to look, and none to refuse. */
  readonly isNear: boolean
  readonly memoryId: string
}

/** Two texts of a list that cannot both hold. */
export interface TextContradiction extends Omit<ListedDispute, 'dispute'> {
  /** What they disagree about, in a word without their own words. */
  readonly dispute: string
}

/** Names another candidate of the request, and what each of the two says. */
export interface CandidateDispute {
  readonly externalId: string
  readonly kind: string
  readonly statement: string
  readonly otherStatement: string
}

/** Keys of the metadata that tell when a candidate was true, the most telling first. */
export const TIME_KEYS = ['observed_at', 'updated_at', 'valid_at', 'created_at'] as const

/**
 * The gravest thing that the actor, through the eyes of the consumer, knows against the same content.
 * @param signature that of the candidate's text
 */
export type ContentHistory = (text: string, signature: TextSignature) => HistoryMatch | null

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
  /** Whose later requests the outcomes count for; null: nothing is recorded. */
  readonly recordFor: Audience | null
  readonly candidates: readonly Candidate[]
}

/** What of a request its examination depends on. Plain data. */
export type ExaminationJob = Pick<GovernCommand, 'scope' | 'mode' | 'queryText' | 'candidates'>

/** What a candidate tells of itself, before the actor is asked. */
export interface CandidateReading {
  readonly findings: readonly PlacedFinding[]
  readonly selfClaim: SelfClaim | null
  /** Its metadata names another scope than the request. */
  readonly hasOtherScope: boolean
  /** Of the text as a memory would hold it: of a very long one the compact form. */
  readonly signature: TextSignature
}

/** What a request tells without its actor. Plain data. */
export interface Examination {
  /** In the order of the request. */
  readonly readings: readonly CandidateReading[]
  /** By place in the request: pairs of candidates that only the actor can still hold back. */
  readonly contradictions: readonly TextContradiction[]
}

/** What the rows of the table may see of one candidate. */
export interface CandidateFacts extends Omit<CandidateReading, 'signature'> {
  readonly candidate: Candidate
  readonly history: HistoryMatch | null
  /** What runs said against this very memory, as far as the consumer may know; null: nothing. */
  readonly outcome: OutcomeState | null
  /** One failure among verified uses, as the line says it; null: there is none to tell. */
  readonly pastUse: string | null
}

export interface CandidateDecision extends Pick<Admission, 'surface' | 'ruleId' | 'reasonCode'> {
  readonly facts: CandidateFacts
  /** One sentence without a word of the candidate's text. */
  readonly reason: string
  /** A visible memory of the actor with the candidate's own id. */
  readonly storedMemoryId: string | null
  /** Candidates of the same request that cannot hold together with this one, in the order of their ids. */
  readonly disputes: readonly CandidateDispute[]
}
