/** One value for each surface. */
export type BySurface<T> = Readonly<Record<Surface, T>>

export function bySurface<T>(of: (surface: Surface) => T): Record<Surface, T> {
  return {
    use_now: of('use_now'),
    inspect_before_use: of('inspect_before_use'),
    rehydrate: of('rehydrate'),
    do_not_use: of('do_not_use'),
  }
}

/** Ids of memories that stand beside their surfaces, in the same order. */
export function idsBySurface(shown: {
  readonly memoryIds: readonly string[]
  readonly surfaces: readonly Surface[]
}): BySurface<readonly string[]> {
  return bySurface((surface) => shown.memoryIds.filter((_id, at) => shown.surfaces[at] === surface))
}

export function countBySurface(rows: readonly { readonly surface: Surface }[]): BySurface<number> {
  const counts = bySurface(() => 0)
  for (const { surface } of rows) counts[surface] += 1
  return counts
}

// Every closed set of words that the wire, the rules and the journal share. Order is meaningful where a
// comment says so; a word here is public, so renaming one is a breaking change.

/** The four surfaces, from the most to the least usable. */
export const SURFACES = ['use_now', 'inspect_before_use', 'rehydrate', 'do_not_use'] as const
export type Surface = (typeof SURFACES)[number]

/**
 * Why a memory that was decided about has no line: the budget was used up, a hold-out withheld it, one line stands for
 * it and for runs like it, what replaced it or a line that says the same is there too, it warns of nothing that is asked or
 * may be used, or its run was shown the same line before.
 */
export const OMITTED_REASONS = [
  'budget',
  'hold_out',
  'folded',
  'successor',
  'same_text',
  'not_related',
  'shown_before',
] as const
export type OmittedReason = (typeof OMITTED_REASONS)[number]

export const LANES = ['private', 'shared'] as const
export type Lane = (typeof LANES)[number]

export const MEMORY_DOMAINS = ['general', 'execution'] as const
export type MemoryDomain = (typeof MEMORY_DOMAINS)[number]

export const MEMORY_TYPES = [
  'fact',
  'preference',
  'project_context',
  'procedure',
  'event',
  'evidence',
  'rule',
  'execution_memory',
] as const
export type MemoryType = (typeof MEMORY_TYPES)[number]

export const MEMORY_SOURCES = ['observe', 'handoff', 'claim'] as const
export type MemorySource = (typeof MEMORY_SOURCES)[number]

export const ORIGINS = ['user', 'agent', 'verifier', 'tool', 'document', 'external', 'unknown'] as const
export type Origin = (typeof ORIGINS)[number]

/** Origins whose word starts as trusted; the others start as candidates. */
export const TRUSTED_ORIGINS: readonly Origin[] = ['user', 'agent', 'verifier', 'tool']

export const OUTCOMES = ['succeeded', 'failed', 'blocked', 'interrupted', 'unknown'] as const
export type Outcome = (typeof OUTCOMES)[number]

export const FEEDBACK_OUTCOMES = ['positive', 'negative', 'neutral'] as const
export type FeedbackOutcome = (typeof FEEDBACK_OUTCOMES)[number]

export const USED_SURFACES = [
  'use_now',
  'inspect_before_use',
  'do_not_use',
  'explicit_host_assertion',
] as const
export type UsedSurface = (typeof USED_SURFACES)[number]

export const VERIFIER_STATUSES = ['passed', 'failed', 'not_run', 'unknown'] as const
export type VerifierStatus = (typeof VERIFIER_STATUSES)[number]

export const TOOL_STATUSES = ['succeeded', 'failed', 'not_run', 'unknown'] as const
export type ToolStatus = (typeof TOOL_STATUSES)[number]

// The five facets. None of them changes another.
export const TRUSTS = ['trusted', 'candidate'] as const
export type Trust = (typeof TRUSTS)[number]
export const STANDINGS = ['active', 'demoted', 'contested', 'failed'] as const
export type Standing = (typeof STANDINGS)[number]
/** What is stored; `expired` also follows from `validUntilMs` and the clock, without an event. */
export const VALIDITIES = ['live', 'superseded', 'expired'] as const
export type Validity = (typeof VALIDITIES)[number]
export const AVAILABILITIES = ['resident', 'archived'] as const
export type Availability = (typeof AVAILABILITIES)[number]
export const FACETS = ['trust', 'standing', 'validity', 'availability', 'suppression'] as const
export type FacetName = (typeof FACETS)[number]

/** The reported lifecycle state is the first of these that holds. */
export const LIFECYCLE_STATES = [
  'suppressed',
  'failed',
  'superseded',
  'expired',
  'contested',
  'demoted',
  'candidate',
  'archived',
  'active',
] as const
export type LifecycleState = (typeof LIFECYCLE_STATES)[number]

export const RELATION_TYPES = [
  'supersedes',
  'contradicts',
  'invalidates',
  'derived_from',
  'related_to',
  'part_of',
] as const
export type RelationType = (typeof RELATION_TYPES)[number]

export const CONFLICT_POLICIES = [
  'singleton_latest',
  'multi_value',
  'accumulative_evidence',
  'manual_or_inspect',
] as const
export type ConflictPolicy = (typeof CONFLICT_POLICIES)[number]
export const CLAIM_AUTHORITIES = ['evidence_only', 'advisory', 'trusted', 'blocked'] as const
export type ClaimAuthority = (typeof CLAIM_AUTHORITIES)[number]
export const CLAIM_KINDS = [
  'ordinary_fact',
  'preference',
  'project_fact',
  'execution_fact',
  'external_fact',
] as const
export type ClaimKind = (typeof CLAIM_KINDS)[number]

export const GUIDE_MODES = ['standard', 'full_power'] as const
export type GuideMode = (typeof GUIDE_MODES)[number]
export const CONTEXT_MODES = ['standard', 'full_power', 'compact_agent'] as const
export type ContextMode = (typeof CONTEXT_MODES)[number]
export const PROFILES = [
  'general',
  'coding_verifier',
  'document_integrity',
  'long_qa',
  'multi_agent_handoff',
  'loop_engineering',
] as const
export type Profile = (typeof PROFILES)[number]
export const AGENT_ROLES = ['agent', 'planner', 'worker', 'verifier', 'reviewer'] as const
export type AgentRole = (typeof AGENT_ROLES)[number]
/** brief: only what may be used now carries text of memory. */
export const GUIDE_LINES = ['full', 'brief'] as const
export type GuideLines = (typeof GUIDE_LINES)[number]

export const COMPACTIONS = ['balanced', 'aggressive'] as const
export type Compaction = (typeof COMPACTIONS)[number]

export const LIFECYCLE_OPERATIONS = ['suppress', 'unsuppress', 'rehydrate', 'activate'] as const
export type LifecycleOperation = (typeof LIFECYCLE_OPERATIONS)[number]
export const LIFECYCLE_TARGETS = ['pattern', 'archive', 'payload', 'memory'] as const
export type LifecycleTarget = (typeof LIFECYCLE_TARGETS)[number]
export const REHYDRATE_MODES = ['summary_only', 'partial', 'full', 'differential'] as const
export type RehydrateMode = (typeof REHYDRATE_MODES)[number]

/** How far the memories of a guide may be relied on, the best first. */
export const GUIDANCE_AUTHORITIES = ['trusted', 'advisory', 'candidate', 'blocked', 'none'] as const
export type GuidanceAuthority = (typeof GUIDANCE_AUTHORITIES)[number]
export const RECOMMENDED_POSTURES = [
  'reuse_supported_history',
  'use_as_context',
  'inspect_before_use',
  'rehydrate_before_use',
  'ignore_history',
] as const
export type RecommendedPosture = (typeof RECOMMENDED_POSTURES)[number]
