import { countBySurface } from '../base/closed-sets.ts'
import type { CandidateDecision, GovernCommand } from './govern.ts'
import { isUnsafe } from './govern-record.ts'
import { isHeldAgainst } from './govern-rules.ts'

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
