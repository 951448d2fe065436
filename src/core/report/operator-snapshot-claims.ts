import type { EffectSection } from './operator-snapshot-artifacts.ts'

export type AuditStatus = 'pass' | 'fail' | 'warning' | 'not_applicable'

export const SNAPSHOT_CLAIMS = [
  'active_path_visible',
  'failed_branch_isolated',
  'feedback_attribution_visible',
  'learning_control_visible',
  'memory_use_receipt_visible',
  'judgment_calibration_visible',
  'trace_to_procedure_visible',
  'claim_ledger_projection_visible',
  'runtime_read_only',
  'effect_measured',
] as const

/** One bounded claim that a snapshot makes, and what it rests on. */
export interface SnapshotClaim {
  readonly claim: (typeof SNAPSHOT_CLAIMS)[number]
  readonly status: AuditStatus
  readonly evidence: string
}

/** What the claims rest on: parts of the snapshot, as far as they matter here. */
export interface ClaimGround {
  readonly activePathCount: number
  readonly isolation: {
    readonly active_path_visible: boolean
    readonly status: 'pass' | 'fail' | 'not_applicable'
    readonly reason: string
  }
  readonly guide: {
    readonly present: boolean
    readonly feedback_attribution_present: boolean
    readonly attributed_memory_ids: readonly string[]
  }
  readonly hasReceipt: boolean
  /** Memories of the guide that outcomes support or contradict. */
  readonly anchoredCount: number
  readonly learningVisible: boolean
  readonly procedureCount: number
  readonly hasClaims: boolean
  readonly effect: EffectSection
}

/** The claims of a snapshot, in a fixed order. */
export function snapshotClaims(ground: ClaimGround): readonly SnapshotClaim[] {
  const { guide, isolation, effect } = ground
  const visible = (isThere: boolean): AuditStatus => (isThere ? 'pass' : 'not_applicable')
  return [
    {
      claim: 'active_path_visible',
      status:
        !guide.present || ground.activePathCount === 0
          ? 'not_applicable'
          : passOrWarn(isolation.active_path_visible),
      evidence: `${ground.activePathCount} memories are on the active path.`,
    },
    { claim: 'failed_branch_isolated', status: isolation.status, evidence: isolation.reason },
    {
      claim: 'feedback_attribution_visible',
      status: guide.present ? passOrWarn(guide.feedback_attribution_present) : 'not_applicable',
      evidence: `${guide.attributed_memory_ids.length} memories have an outcome of this guide.`,
    },
    {
      claim: 'learning_control_visible',
      status: visible(ground.learningVisible),
      evidence: 'Counted from the trust of each memory and the authority of each claim.',
    },
    {
      claim: 'memory_use_receipt_visible',
      status: guide.present ? passOrWarn(ground.hasReceipt) : 'not_applicable',
      evidence: ground.hasReceipt
        ? 'Made from the record of the guide.'
        : 'No explanation of a guide is held.',
    },
    {
      claim: 'judgment_calibration_visible',
      status: guide.present ? passOrWarn(ground.anchoredCount > 0) : 'not_applicable',
      evidence: `Outcomes decide about ${ground.anchoredCount} memories of this guide.`,
    },
    {
      claim: 'trace_to_procedure_visible',
      status: visible(ground.procedureCount > 0),
      evidence: `${ground.procedureCount} procedures are recorded.`,
    },
    {
      claim: 'claim_ledger_projection_visible',
      status: visible(ground.hasClaims),
      evidence: ground.hasClaims ? 'Projected from the claims on record.' : 'No claims are on record.',
    },
    {
      claim: 'runtime_read_only',
      status: 'pass',
      evidence: 'The snapshot was read in a turn without events.',
    },
    {
      claim: 'effect_measured',
      status: effect.present ? passOrWarn(isMeasured(effect)) : 'not_applicable',
      evidence: effect.reason,
    },
  ]
}

function passOrWarn(isGood: boolean): AuditStatus {
  return isGood ? 'pass' : 'warning'
}

function isMeasured({ impact_direction: direction }: EffectSection): boolean {
  return direction !== null && direction !== 'insufficient_evidence'
}
