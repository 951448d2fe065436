import { TRUSTED_ORIGINS } from '../base/closed-sets.ts'
import type { MemoryRecord } from '../model/record.ts'
import { isInForce, type StatedMemory } from './operator-snapshot-memory.ts'
import { ROWS_MAX } from './operator-snapshot-view.ts'

/** What is not trusted yet, and what keeps it from being trusted. */
export function learningControl(memories: readonly StatedMemory[]) {
  const candidates = memories.filter(({ record }) => record.facets.trust === 'candidate')
  const blocked = memories.filter(({ record }) => record.claim?.authority === 'blocked').length
  const reasons = new Set(candidates.map(({ record }) => denialOf(record)))
  const visible = candidates.length > 0 || blocked > 0
  return {
    visible,
    runtime_mutation: false as const,
    stable_promotion_allowed: candidates.length === 0 ? null : false,
    candidate_count: candidates.length,
    blocked_authority_count: blocked,
    promotion_denied_reasons: [...reasons].sort(),
    reason: visible
      ? 'A candidate becomes trusted by independent confirmation, by a verified run that used it, or by an operator.'
      : 'Nothing waits for confirmation and no claim is blocked.',
  }
}

function denialOf(record: MemoryRecord): string {
  if (record.findings.length > 0) return 'screening_finding'
  if (!TRUSTED_ORIGINS.includes(record.origin)) return 'untrusted_origin'
  return record.derivedFrom.length > 0 ? 'untrusted_source' : 'declared_candidate'
}

/** Which procedures came out of recorded work, and how far they may be relied on. */
export function traceToProcedure(
  memories: readonly StatedMemory[],
  useNowIds: ReadonlySet<string>,
  hasDecision: boolean,
) {
  const procedures = memories.filter(({ record }) => isProcedure(record)).reverse()
  const workflows = new Set(memories.flatMap(({ record }) => record.workflowSignature ?? []))
  const hasRuns = memories.some(({ record }) => record.domain === 'execution')
  const stable = procedures.filter(isStable)
  const candidates = procedures.filter((memory) => isInForce(memory) && !isStable(memory))
  const blocked = procedures.length - stable.length - candidates.length
  const surfaces = [
    ...(hasRuns ? ['execution_tree'] : []),
    ...(workflows.size > 0 ? ['workflow_projection'] : []),
    ...(procedures.length > 0 ? ['replay_playbook'] : []),
    ...(hasDecision ? ['memory_decision_trace'] : []),
  ]
  const status = promotionStatus(stable.length, candidates.length, blocked, hasRuns)
  return {
    present: procedures.length > 0,
    runtime_mutation: false as const,
    source_surfaces: surfaces,
    procedure_memory_ids: procedures.slice(0, ROWS_MAX).map(({ record }) => record.memoryId),
    workflow_ids: [...workflows].slice(0, ROWS_MAX),
    candidate_visible: candidates.length > 0,
    stable_reuse_visible: stable.some(({ record }) => useNowIds.has(record.memoryId)),
    promotion_status: status,
    promotion_blocked_count: blocked,
    reason: PROMOTION_REASONS[status],
  }
}

const PROMOTION_REASONS = {
  stable_ready: 'At least one procedure is trusted and active.',
  candidate_only: 'Procedures are there, but none is both trusted and active.',
  blocked: 'Every procedure is suppressed, failed, superseded or expired.',
  insufficient_evidence: 'Runs are recorded, but none tells its steps.',
  not_applicable: 'No work is recorded.',
} as const

function promotionStatus(
  stable: number,
  candidates: number,
  blocked: number,
  hasRuns: boolean,
): keyof typeof PROMOTION_REASONS {
  if (stable > 0) return 'stable_ready'
  if (candidates > 0) return 'candidate_only'
  if (blocked > 0) return 'blocked'
  return hasRuns ? 'insufficient_evidence' : 'not_applicable'
}

/** A procedure as it was told, or a succeeded run that tells its steps. */
function isProcedure({ memoryType, domain, content }: MemoryRecord): boolean {
  if (memoryType === 'procedure') return true
  return domain === 'execution' && content.outcome === 'succeeded' && content.workflowSteps.length > 0
}

function isStable({ record, lifecycleState }: StatedMemory): boolean {
  return record.facets.trust === 'trusted' && (lifecycleState === 'active' || lifecycleState === 'archived')
}
