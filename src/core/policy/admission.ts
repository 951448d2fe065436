import { assert } from '../base/assert.ts'
import type { Surface } from '../base/closed-sets.ts'
import { type DisputeSide, disputesOf, type FileMark, fileMarkOf } from '../model/dispute.ts'
import { isSuppressed, validityAt } from '../model/lifecycle.ts'
import type { Consumer, HandoffFacts, MemoryRecord } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import type { FindingKind } from '../screening/finding.ts'
import { maskSecrets } from '../screening/secrets.ts'
import { isTrustedThrough } from './lineage.ts'

/** Confidence below this is not enough to act on. */
export const CONFIDENCE_MIN = 0.6

const DISPUTED_BY = 'disputed_by'
/** The finding of a text that says of itself that it is not to be gone by any more. */
const OBSOLETE: FindingKind = 'declared_obsolete'

/** What is asked of a stored memory. */
export interface AdmissionAsk {
  readonly nowMs: number
  /** The task signature that was asked for; null: none, so signatures are not compared. */
  readonly askedSignature: string | null
  /** Who asks; null: an operator who sees the whole actor, to whom nothing is addressed elsewhere. */
  readonly consumer: Consumer | null
  /** What the memory is beside the query; absent: nothing was asked. */
  readonly match?: Match
}

/** What the gates may see. A caller's hint is not here: it is evidence, not authority. */
export interface GateFacts extends AdmissionAsk {
  readonly record: MemoryRecord
  /** Trusted itself and through everything it was derived from. */
  readonly isTrusted: boolean
  /** In force, as far as the consumer may know. */
  readonly disputes: readonly DisputeSide[]
  /** What happened to a file that it names; absent or null: nothing that the consumer may know. */
  readonly fileMark?: FileMark | null
}

export interface Match {
  /** Found only by a match that is weak, or weak beside the best one. */
  readonly isWeak: boolean
  /** It names entities of a kind that the query names, and none of those. */
  readonly isOtherEntity: boolean
  /** A newer text that was found with it may say it anew; absent: none does. */
  readonly isSaidAnew?: boolean
}

export interface SurfaceRule {
  readonly id: string
  /** Of the dispute rule the id of the other memory follows. */
  readonly reasonCode: string
  readonly surface: Surface
  /** The law in one sentence, for docs/reference/rules.md. */
  readonly law: string
  readonly holds: (facts: GateFacts) => boolean
  /** One sentence about this memory: why. */
  readonly reason: (facts: GateFacts) => string
}

/** Order is the policy: the first rule that holds decides. */
export const SURFACE_RULES: readonly SurfaceRule[] = [
  {
    id: 'S1',
    reasonCode: 'suppressed',
    surface: 'do_not_use',
    law: 'A memory under suppression is do_not_use, whatever else holds.',
    holds: (f) => isSuppressed(f.record.facets, f.nowMs),
    reason: (f) => `suppressed: ${maskSecrets(f.record.facets.suppression?.reason || 'no reason given')}`,
  },
  {
    id: 'S2',
    reasonCode: 'failed',
    surface: 'do_not_use',
    law: 'A memory that failed, or whose run failed or was blocked, is do_not_use.',
    holds: (f) => f.record.facets.standing === 'failed' || isFailedOutcome(f.record),
    reason: (f) =>
      isFailedOutcome(f.record)
        ? `the run ${f.record.content.outcome === 'blocked' ? 'was blocked' : 'failed'}`
        : standingReason(f.record, 'failed repeatedly when it was used'),
  },
  {
    id: 'S3',
    reasonCode: 'superseded_or_expired',
    surface: 'do_not_use',
    law: 'A superseded or expired memory is do_not_use.',
    holds: (f) => validityAt(f.record.facets, f.nowMs) !== 'live',
    reason: (f) =>
      f.record.facets.validity === 'superseded' ? supersededReason(f.record) : 'its validity has ended',
  },
  {
    id: 'S4',
    reasonCode: 'contested',
    surface: 'inspect_before_use',
    law: 'A contested memory is inspect_before_use.',
    holds: (f) => f.record.facets.standing === 'contested',
    reason: (f) => standingReason(f.record, 'contested by evidence against it'),
  },
  {
    id: 'S12',
    reasonCode: DISPUTED_BY,
    surface: 'inspect_before_use',
    law: 'A memory that yields in a dispute in force is inspect_before_use.',
    holds: (f) => f.disputes.some(({ yields }) => yields),
    reason: (f) =>
      f.disputes.findLast(({ yields }) => yields)?.isOtherLater === true
        ? 'a newer memory says otherwise'
        : 'a memory of more authority says otherwise',
  },
  {
    id: 'S5',
    reasonCode: 'not_trusted_enough',
    surface: 'inspect_before_use',
    law: 'A candidate, a demoted memory or one with confidence below 0.6 is inspect_before_use.',
    holds: (f) =>
      !f.isTrusted || f.record.facets.standing === 'demoted' || f.record.content.confidence < CONFIDENCE_MIN,
    reason: (f) => untrustedReason(f),
  },
  {
    id: 'S20',
    reasonCode: 'declared_obsolete',
    surface: 'inspect_before_use',
    law: 'A memory whose own text says that it is obsolete is inspect_before_use.',
    holds: (f) => f.record.findings.includes(OBSOLETE),
    reason: () => 'its own text says that it is obsolete',
  },
  {
    id: 'S6',
    reasonCode: 'screening_finding',
    surface: 'inspect_before_use',
    law: 'A memory with a screening finding is inspect_before_use.',
    holds: (f) => f.record.findings.length > 0,
    reason: (f) => screeningReason(f.record),
  },
  {
    id: 'S7',
    reasonCode: 'rehydrate_first',
    surface: 'rehydrate',
    law: 'An archived memory, or one that only points to a payload, is rehydrate.',
    holds: (f) => f.record.facets.availability === 'archived' || isPayloadOnly(f.record),
    reason: (f) =>
      f.record.facets.availability === 'archived' ? 'it is archived' : 'only a pointer to stored evidence',
  },
  {
    id: 'S11',
    reasonCode: 'addressed_elsewhere',
    surface: 'inspect_before_use',
    law: 'A handoff to an agent or team that the consumer is not is inspect_before_use.',
    holds: (f) => isAddressedElsewhere(f.record, f.consumer),
    reason: () => 'a handoff addressed to somebody else',
  },
  {
    id: 'S8',
    reasonCode: 'execution_not_confirmed',
    surface: 'inspect_before_use',
    law: 'A run that did not succeed, and a run or handoff of another task signature than asked, is inspect_before_use.',
    holds: (f) => (isRun(f.record) && f.record.content.outcome !== 'succeeded') || isOtherTask(f),
    reason: (f) =>
      isOtherTask(f)
        ? 'it belongs to another task'
        : f.record.content.outcome === 'interrupted'
          ? 'the run was interrupted'
          : 'how the run ended is not known',
  },
  {
    id: 'S9',
    reasonCode: 'observation_only',
    surface: 'inspect_before_use',
    law: 'An event or a piece of evidence is inspect_before_use.',
    holds: (f) => f.record.memoryType === 'event' || f.record.memoryType === 'evidence',
    reason: () => 'an observation, not guidance',
  },
  {
    id: 'S13',
    reasonCode: 'weak_match',
    surface: 'inspect_before_use',
    law: 'A memory that only a weak match brought here is inspect_before_use.',
    holds: (f) => f.match?.isWeak === true,
    reason: () => 'it shares little with what is asked',
  },
  {
    id: 'S14',
    reasonCode: 'other_entity',
    surface: 'inspect_before_use',
    law: 'A memory that names other entities of the kind that the query names, and none of those, is inspect_before_use.',
    holds: (f) => f.match?.isOtherEntity === true,
    reason: () => 'it is about somebody or something else than what is asked',
  },
  {
    id: 'S15',
    reasonCode: 'file_gone',
    surface: 'inspect_before_use',
    law: 'A memory that names a file of which one with no less authority said since that it is gone is inspect_before_use.',
    holds: (f) => f.fileMark?.isGone === true,
    reason: () => 'a file that it names is gone',
  },
  {
    id: 'S16',
    reasonCode: 'said_anew',
    surface: 'inspect_before_use',
    law: 'A short text that a newer one of its kind, with no less authority and found with it, may say anew is inspect_before_use; the newer one is no weak match.',
    holds: (f) => f.match?.isSaidAnew === true,
    reason: () => 'a newer memory speaks of the same and may say otherwise',
  },
  {
    id: 'S10',
    reasonCode: 'clear',
    surface: 'use_now',
    law: 'A memory that no other rule holds back is use_now.',
    holds: () => true,
    reason: () => 'live, trusted and not contested',
  },
]

export interface Admission {
  readonly surface: Surface
  readonly ruleId: string
  readonly reasonCode: string
  /** Told beside it, change nothing: the other disputes of the memory. */
  readonly notes: readonly string[]
  /** One sentence. */
  readonly reason: string
  /** In force, as far as the consumer may know. */
  readonly disputes: readonly DisputeSide[]
  /** What happened to a file that it names, as far as the consumer may know. */
  readonly fileMark: FileMark | null
}

/** Disputes of one memory that are named, the newest. */
const DISPUTES_TOLD_MAX = 3
const NO_NOTES: readonly string[] = []

/** Decides what a stored memory may do now. Pure: the same facts give the same surface. */
export function admit(facts: GateFacts): Admission {
  for (const rule of SURFACE_RULES) {
    if (rule.holds(facts)) {
      const { reasonCode, notes } = codesOf(rule, facts.disputes)
      return {
        surface: rule.surface,
        ruleId: rule.id,
        reasonCode,
        notes,
        reason: withFindings(rule, facts),
        disputes: facts.disputes,
        fileMark: facts.fileMark ?? null,
      }
    }
  }
  return assert(false, 'the last rule holds always') as never
}

function codesOf(
  rule: SurfaceRule,
  disputes: readonly DisputeSide[],
): Pick<Admission, 'reasonCode' | 'notes'> {
  const { reasonCode } = rule
  if (disputes.length === 0) return { reasonCode, notes: NO_NOTES }
  const told = disputes.toReversed().slice(0, DISPUTES_TOLD_MAX)
  const codes = told.map(({ yields, memoryId }) => `${yields ? DISPUTED_BY : 'disputes'}:${memoryId}`)
  if (reasonCode !== DISPUTED_BY) return { reasonCode, notes: codes }
  const last = disputes.findLast(({ yields }) => yields)
  const first = `${DISPUTED_BY}:${last?.memoryId ?? ''}`
  return { reasonCode: first, notes: codes.filter((code) => code !== first) }
}

/** The other memories of the disputes that reason codes name, and whether the memory yields to them. */
export function disputesTold(reasonCodes: readonly string[]): ReadonlyMap<string, boolean> {
  const told = new Map<string, boolean>()
  for (const code of reasonCodes) {
    const [, word, id] = /^(disputed_by|disputes):(.+)$/.exec(code) ?? []
    if (id !== undefined) told.set(id, word === DISPUTED_BY)
  }
  return told
}

/** What a stored memory may do now, by the state of its actor. */
export function admissionIn(state: ActorState, record: MemoryRecord, ask: AdmissionAsk): Admission {
  const { nowMs, askedSignature, consumer, match } = ask
  const isTrusted = isTrustedThrough(state, record, consumer)
  const disputes = disputesOf(state, record, nowMs, consumer)
  const fileMark = fileMarkOf(state, record, consumer)
  // Written out: to spread an object for each candidate takes longer than all rules.
  return admit(
    match === undefined
      ? { record, nowMs, isTrusted, askedSignature, consumer, disputes, fileMark }
      : { record, nowMs, isTrusted, askedSignature, consumer, disputes, fileMark, match },
  )
}

/** Whatever held a text back first, who may still read it is told what screening found in it. */
function withFindings(rule: SurfaceRule, facts: GateFacts): string {
  const reason = rule.reason(facts)
  if (rule.id === 'S6' || rule.surface === 'do_not_use') return reason
  const findings = facts.record.findings.filter((kind) => rule.id !== 'S20' || kind !== OBSOLETE)
  return findings.length === 0 ? reason : `${screeningReason({ findings })}; ${reason}`
}

function screeningReason({ findings }: Pick<MemoryRecord, 'findings'>): string {
  return `content screening found ${findings.map((kind) => kind.replaceAll('_', ' ')).join(', ')}`
}

/** Text that is nowhere but in the payload or behind a reference. */
export function isPayloadOnly(record: MemoryRecord): boolean {
  const { content } = record
  if (content.text !== '' || content.summary !== null) return false
  return content.payload !== null || content.rawRef !== null || content.evidenceRefs.length > 0
}

export function isFailedOutcome(record: MemoryRecord): boolean {
  return record.content.outcome === 'failed' || record.content.outcome === 'blocked'
}

/** A role is not asked: it never changes a surface. Whoever is named as agent or as team is meant. */
function isAddressedElsewhere({ handoff }: MemoryRecord, consumer: Consumer | null): boolean {
  if (handoff === null || consumer === null) return false
  if (handoff.targetAgentId === null && handoff.targetTeamId === null) return false
  return !isAddressedTo(handoff, consumer)
}

/** True when a handoff names this consumer, as agent or as team. */
export function isAddressedTo({ targetAgentId, targetTeamId }: HandoffFacts, consumer: Consumer): boolean {
  return targetAgentId === consumer.agentId || (targetTeamId !== null && targetTeamId === consumer.teamId)
}

/** A handoff is an active path, not a run: how it ended is not asked. */
function isRun(record: MemoryRecord): boolean {
  return record.domain === 'execution' && record.source !== 'handoff'
}

/** True for a run or handoff of another task than the one asked for; without a task asked for, of none. */
export function isOtherTask({
  record,
  askedSignature,
}: Pick<GateFacts, 'record' | 'askedSignature'>): boolean {
  return askedSignature !== null && record.domain === 'execution' && !isOfTask(record, askedSignature)
}

/** A handoff without a signature may name its task in its anchor: `task`, or `task:run:agent`. */
export function isOfTask(
  { taskSignature, handoff }: Pick<MemoryRecord, 'taskSignature' | 'handoff'>,
  signature: string,
): boolean {
  if (taskSignature !== null) return taskSignature === signature
  const anchor = handoff?.anchor ?? null
  return anchor !== null && (anchor === signature || anchor.startsWith(`${signature}:`))
}

/** What won by a verdict may be older, and no business of whoever reads this. */
function supersededReason({ changes }: MemoryRecord): string {
  const isSettled = changes.findLast(({ facet }) => facet === 'validity')?.cause === 'settled'
  return isSettled ? 'an operator decided against it' : 'a newer memory replaced it'
}

const SAID_BY_OTHERS: Readonly<Record<string, string>> = {
  corrected: 'corrected by a newer memory',
  contradicted: 'contradicted by another memory',
  same_text: 'the same text failed before',
}

/** Why a standing is as it is; one that was written so has no change that tells. */
function standingReason({ facets: { standing }, changes, claim }: MemoryRecord, byEvidence: string): string {
  const change = changes.findLast(({ facet, to }) => facet === 'standing' && to === standing)
  if (change !== undefined && change.cause !== 'declared') return SAID_BY_OTHERS[change.cause] ?? byEvidence
  return claim === null ? `declared ${standing}` : 'the claim still needs a decision'
}

function untrustedReason(facts: GateFacts): string {
  if (!facts.isTrusted) {
    const { facets, changes } = facts.record
    const last = changes.findLast(({ facet }) => facet === 'trust')
    if (facets.trust === 'candidate' && last?.cause === 'suppressed_before')
      return 'suppressed before: the same text is suppressed'
    return facts.record.facets.trust === 'candidate'
      ? `not yet confirmed (origin: ${facts.record.origin})`
      : 'derived from a source that is not confirmed'
  }
  if (facts.record.facets.standing === 'demoted')
    return standingReason(facts.record, 'it did not help when it was last used')
  return `low confidence (${facts.record.content.confidence})`
}
