import { countBySurface, type Surface } from '../base/closed-sets.ts'
import {
  idLists,
  POSTURE_OF,
  type RouteEntry,
  riskReasons,
  routeContract,
  targetFilesOf,
} from '../guide/agent-context.ts'
import { DECISION_OF } from '../guide/decision.ts'
import { foldedTargets } from '../guide/entry.ts'
import type { CandidateDecision, GovernCommand } from './govern.ts'
import type { RenderedAdmission } from './govern-prompt.ts'
import { isUnsafe } from './govern-record.ts'
import { isHeldAgainst } from './govern-rules.ts'

const POSTURE_ROWS_MAX = 14

const INSTRUCTIONS = {
  use_now: 'Continue from this candidate.',
  inspect_before_use: 'Verify this candidate against the current state before use.',
  do_not_use: 'Do not act on this candidate.',
  rehydrate: 'Fetch the evidence of this candidate before you rely on it.',
} as const satisfies Record<Surface, string>

/** What the agent may read of a governed request. The id lists hold every candidate once, as the records do. */
export function governContext(
  decisions: readonly CandidateDecision[],
  rendered: RenderedAdmission,
  command: GovernCommand,
) {
  const memoryIds = decisions.map(idOf)
  const entries = decisions.map(routeEntryOf)
  return {
    contract_version: 'svc_agent_context_v1' as const,
    tenant_id: command.tenantId,
    scope: command.scope,
    agent_role: command.role,
    agent_context_mode: command.isCompact ? ('compact_agent' as const) : ('standard' as const),
    task_context_profile: command.profile,
    prompt_text: rendered.promptText,
    summary: summaryOf(decisions),
    history_used: true,
    actionable_history_used: decisions.some(({ surface }) => surface !== 'do_not_use'),
    recommended_posture: postureFor(decisions),
    authority: authorityFor(decisions),
    target_files: targetFilesOf(entries),
    use_now: rendered.lines.use_now,
    inspect_before_use: rendered.lines.inspect_before_use,
    do_not_use: rendered.lines.do_not_use,
    memory_ids: memoryIds,
    ...idListsOf(decisions),
    rehydrate_hints: decisions
      .filter(({ surface }) => surface === 'rehydrate')
      .map((decision) => ({ memory_id: idOf(decision), reason: decision.reason, required: true })),
    command_posture: decisions.slice(0, POSTURE_ROWS_MAX).map(commandPostureOf),
    route_contract: routeContract(entries),
    risk: riskOf(decisions),
    evidence_refs: {
      memory_ids: memoryIds,
      workflow_ids: [] as readonly string[],
      evidence_count: entries.reduce(
        (sum, { surface, record }) =>
          surface === 'do_not_use' ? sum : sum + record.content.evidenceRefs.length,
        0,
      ),
    },
  }
}

/** Ids and reason codes for an operator. Only what is recorded has a trace that feedback can name. */
export function governReceipt(
  decisions: readonly CandidateDecision[],
  rendered: RenderedAdmission,
  guideTraceId: string | null = null,
) {
  const memoryIds = decisions.map(idOf)
  return {
    contract_version: 'svc_memory_use_receipt_v1' as const,
    intended_use: 'memory_use_audit' as const,
    agent_prompt_included: false as const,
    runtime_mutation: false as const,
    guide_trace_id: guideTraceId,
    history_used: true,
    actionable_history_used: decisions.some(({ surface }) => surface !== 'do_not_use'),
    prompt_char_count: rendered.promptText.length,
    exposed_memory_ids: memoryIds,
    ...idListsOf(decisions),
    attributed_memory_ids: [] as readonly string[],
    unattributed_recalled_memory_ids: [] as readonly string[],
    read_only_signal_memory_ids: [] as readonly string[],
    decision_summaries: decisions.map((decision) => ({
      memory_id: idOf(decision),
      agent_surface: decision.surface,
      decision_kind: DECISION_OF[decision.surface],
      actionable: decision.surface === 'use_now',
      rule_id: decision.ruleId,
      reason_codes: [decision.reasonCode],
      recall_sources: [] as readonly never[],
    })),
    omitted: [] as readonly never[],
    risk_flags: riskReasons(decisions),
    summary: summaryOf(decisions),
  }
}

function idOf(decision: CandidateDecision): string {
  return decision.facts.candidate.externalId
}

function idListsOf(decisions: readonly CandidateDecision[]) {
  return idLists((surface) => decisions.filter((decision) => decision.surface === surface).map(idOf))
}

/** Paths and references of a text in which screening found something lead nowhere. */
function routeEntryOf({ facts, surface, reason, reasonCode }: CandidateDecision): RouteEntry {
  const { externalId, targetFiles, evidenceRefs } = facts.candidate
  const isClean = facts.findings.length === 0
  return {
    surface,
    reason,
    reasonCode,
    record: {
      memoryId: externalId,
      content: { targetFiles: isClean ? targetFiles : [], evidenceRefs: isClean ? evidenceRefs : [] },
    },
  }
}

function commandPostureOf(decision: CandidateDecision) {
  return {
    posture: POSTURE_OF[decision.surface],
    surface: decision.surface,
    memory_id: idOf(decision),
    instruction: INSTRUCTIONS[decision.surface],
    reason: decision.reason,
    target_files: decision.surface === 'do_not_use' ? [] : foldedTargets(routeEntryOf(decision)),
  }
}

function postureFor(decisions: readonly CandidateDecision[]) {
  const counts = countBySurface(decisions)
  if (counts.use_now > 0) return 'reuse_supported_history' as const
  if (counts.rehydrate > 0) return 'rehydrate_before_use' as const
  return counts.inspect_before_use > 0 ? ('inspect_before_use' as const) : ('ignore_history' as const)
}

/** The least that holds for what the agent may look at. */
function authorityFor(decisions: readonly CandidateDecision[]) {
  const counts = countBySurface(decisions)
  if (counts.inspect_before_use + counts.rehydrate > 0) return 'advisory' as const
  return counts.do_not_use > 0 ? ('blocked' as const) : ('trusted' as const)
}

function riskOf(decisions: readonly CandidateDecision[]) {
  const counts = countBySurface(decisions)
  const isHigh = counts.do_not_use > 0 || decisions.some(isUnsafe)
  const level = isHigh ? 'high' : counts.inspect_before_use + counts.rehydrate > 0 ? 'medium' : 'low'
  return {
    negative_transfer_risk: level,
    blocked_authority_count: counts.do_not_use,
    stale_memory_count: decisions.filter(isStale).length,
    reasons: riskReasons(decisions),
  } as const
}

function isStale({ facts }: CandidateDecision): boolean {
  const { hint } = facts.candidate
  return (
    hint === 'stale' ||
    hint === 'archived' ||
    facts.selfClaim === 'stale' ||
    facts.history?.state === 'superseded'
  )
}

function summaryOf(decisions: readonly CandidateDecision[]): string {
  const counts = countBySurface(decisions)
  return (
    `Candidates: ${counts.use_now} usable now, ${counts.inspect_before_use} to verify first, ` +
    `${counts.do_not_use} as warnings, ${counts.rehydrate} to rehydrate.`
  )
}

/** Counts of one pass, for an operator. */
export function admissionSummary(decisions: readonly CandidateDecision[], { mode }: GovernCommand) {
  const counts = countBySurface(decisions)
  const backends = new Set(decisions.map(({ facts }) => facts.candidate.sourceBackend))
  return {
    contract_version: 'svc_external_memory_admission_summary_v1' as const,
    candidate_count: decisions.length,
    use_now_count: counts.use_now,
    inspect_before_use_count: counts.inspect_before_use,
    do_not_use_count: counts.do_not_use,
    rehydrate_count: counts.rehydrate,
    source_backends: [...backends].sort(),
    agent_prompt_included: false as const,
    runtime_mutation: false as const,
    reason: `${decisions.length} candidates went through the ${mode} table; none was written or changed.`,
  }
}

type ClaimStatus = 'pass' | 'warn' | 'fail'

/** The risk reading of one pass. Its claims are counted from the decisions, not assumed. */
export function firewallSummary(decisions: readonly CandidateDecision[], { mode }: GovernCommand) {
  const counts = countBySurface(decisions)
  const unsafe = decisions.filter(isUnsafe)
  const unsafeDirect = unsafe.filter(({ surface }) => surface === 'use_now').length
  const unverified = decisions.filter(isUnverified).length
  return {
    contract_version: 'svc_memory_firewall_summary_v1' as const,
    intended_use: 'memory_firewall_audit' as const,
    mode,
    candidate_count: decisions.length,
    direct_use_count: counts.use_now,
    inspect_count: counts.inspect_before_use,
    blocked_count: counts.do_not_use,
    rehydrate_count: counts.rehydrate,
    unsafe_candidate_count: unsafe.length,
    unsafe_direct_use_count: unsafeDirect,
    agent_prompt_included: false as const,
    runtime_mutation: false as const,
    risk_flags: [
      flag('unsafe_candidate_count', unsafe.length),
      flag('blocked_count', counts.do_not_use),
      flag('untrusted_or_unknown_count', unverified),
      flag('screening_finding_count', decisions.filter(({ facts }) => facts.findings.length > 0).length),
      flag('runtime_history_count', decisions.filter(({ facts }) => isHeldAgainst(facts)).length),
      flag('scope_mismatch_count', decisions.filter(({ facts }) => facts.hasOtherScope).length),
      flag('contradiction_count', decisions.filter((each) => each.disputes.length > 0).length),
    ].filter((each) => each !== null),
    claims: claimsOf(decisions, unsafeDirect),
    summary:
      `${unsafe.length} of ${decisions.length} candidates were unsafe for direct use; ` +
      `${unsafeDirect} of them reached it.`,
  }
}

function claimsOf(decisions: readonly CandidateDecision[], unsafeDirect: number) {
  const forbidden = decisions.filter(isForbidden)
  const unverified = decisions.filter(isUnverified)
  const pointers = decisions.filter(({ facts }) => facts.candidate.requirement === 'rehydrate_before_use')
  return [
    claim('unsafe_candidates_never_in_direct_use', unsafeDirect === 0 ? 'pass' : 'fail', unsafeDirect),
    every(
      'suppressed_archived_and_blocked_are_blocked',
      forbidden,
      ({ surface }) => surface === 'do_not_use',
    ),
    every('unknown_or_untrusted_never_in_direct_use', unverified, ({ surface }) => surface !== 'use_now'),
    every(
      'rehydrate_required_stays_a_pointer',
      pointers,
      ({ surface }) => surface === 'rehydrate' || surface === 'do_not_use',
    ),
    { claim: 'read_only', status: 'pass' as ClaimStatus, evidence: 'no event was decided' },
  ]
}

/** Warns when there was nothing to prove the claim on. */
function every(
  name: string,
  concerned: readonly CandidateDecision[],
  holds: (decision: CandidateDecision) => boolean,
) {
  const broken = concerned.filter((decision) => !holds(decision)).length
  if (broken > 0) return claim(name, 'fail', broken)
  return claim(name, concerned.length === 0 ? 'warn' : 'pass', concerned.length)
}

function claim(name: string, status: ClaimStatus, count: number) {
  return { claim: name, status, evidence: `${count} candidates` }
}

function isForbidden({ facts: { candidate } }: CandidateDecision): boolean {
  return (
    candidate.requirement === 'blocked' || candidate.hint === 'suppressed' || candidate.hint === 'archived'
  )
}

function isUnverified({ facts: { candidate } }: CandidateDecision): boolean {
  return candidate.sourceTrust === 'unknown' || candidate.sourceTrust === 'untrusted'
}

function flag(name: string, count: number): string | null {
  return count === 0 ? null : `${name}:${count}`
}
