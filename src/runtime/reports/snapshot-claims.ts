import type { LearningControl } from '../../core/report/memory-state.ts'
import type { Snapshot } from './snapshot-sections.ts'

type Claim = Snapshot['claims'][number]

/** What the claims rest on: parts of the snapshot. */
interface ClaimGround {
  readonly execution: Snapshot['execution_state']
  readonly guide: Snapshot['guide_trace']
  readonly receipt: Snapshot['memory_use_receipt']
  readonly calibration: Snapshot['judgment_calibration']
  readonly learning: LearningControl
  readonly procedure: Snapshot['trace_to_procedure']
  readonly hasLedger: boolean
  readonly effect: Snapshot['effect']
}

/** Bounded claims that a snapshot makes, each with what it rests on, in a fixed order. */
export function snapshotClaims(ground: ClaimGround): readonly Claim[] {
  const { execution, guide, receipt, calibration, learning, procedure, hasLedger, effect } = ground
  const { active_path: path, branch_isolation: isolation } = execution
  const anchoredCount = calibration?.window.anchored_count ?? 0
  const procedureCount = procedure.procedure_memory_ids.length
  const isMeasured = effect.impact_direction !== null && effect.impact_direction !== 'insufficient_evidence'
  return [
    {
      claim: 'active_path_visible',
      status: passOrWarn(guide.present && path.count > 0, isolation.active_path_visible),
      evidence: `${path.count} memories are on the active path.`,
    },
    { claim: 'failed_branch_isolated', status: isolation.status, evidence: isolation.reason },
    {
      claim: 'feedback_attribution_visible',
      status: passOrWarn(guide.present, guide.feedback_attribution_present),
      evidence: `${guide.attributed_memory_ids.length} memories have an outcome of this guide.`,
    },
    {
      claim: 'learning_control_visible',
      status: passOrWarn(learning.isVisible, true),
      evidence: 'Counted from the trust of each memory and the authority of each claim.',
    },
    {
      claim: 'memory_use_receipt_visible',
      status: passOrWarn(guide.present, receipt !== null),
      evidence:
        receipt === null ? 'No explanation of a guide is held.' : 'Made from the record of the guide.',
    },
    {
      claim: 'judgment_calibration_visible',
      status: passOrWarn(guide.present, anchoredCount > 0),
      evidence: `Outcomes decide about ${anchoredCount} memories of this guide.`,
    },
    {
      claim: 'trace_to_procedure_visible',
      status: passOrWarn(procedureCount > 0, true),
      evidence: `${procedureCount} procedures are recorded.`,
    },
    {
      claim: 'claim_ledger_projection_visible',
      status: passOrWarn(hasLedger, true),
      evidence: hasLedger ? 'Projected from the claims on record.' : 'No claims are on record.',
    },
    {
      claim: 'runtime_read_only',
      status: 'pass',
      evidence: 'The snapshot was read in a turn without events.',
    },
    {
      claim: 'effect_measured',
      status: passOrWarn(effect.present, isMeasured),
      evidence: effect.reason,
    },
  ]
}

function passOrWarn(isAsked: boolean, isGood: boolean): Claim['status'] {
  if (!isAsked) return 'not_applicable'
  return isGood ? 'pass' : 'warning'
}
