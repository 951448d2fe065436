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
