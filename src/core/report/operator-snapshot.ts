import { type ClaimView, claimLedgerProjection } from '../guide/claims.ts'
import type { GuideStory } from '../guide/story.ts'
import type { WireObject } from '../measure/wire-object.ts'
import { admit, isTrustedThrough } from '../policy/admission.ts'
import { withoutErased } from './erased-guide.ts'
import {
  compareArtifacts,
  effectSection,
  type SuppliedObject,
  suppliedGuideIn,
} from './operator-snapshot-artifacts.ts'
import { snapshotClaims } from './operator-snapshot-claims.ts'
import {
  concerns,
  executionContextIn,
  executionState,
  type SnapshotTask,
} from './operator-snapshot-execution.ts'
import {
  type FocusGuide,
  type GuideSection,
  guideSection,
  riskCodes,
  traceOf,
} from './operator-snapshot-guide.ts'
import { learningControl, traceToProcedure } from './operator-snapshot-learning.ts'
import {
  incidents,
  lifecycleHistory,
  memoryCounts,
  type StatedMemory,
  stated,
} from './operator-snapshot-memory.ts'
import { isNamed, type ReportView, seenAs, seenRecords } from './operator-snapshot-view.ts'
import { outcomesOf } from './outcomes.ts'

/** What a snapshot is made of. */
export interface SnapshotInput {
  readonly view: ReportView
  readonly task: SnapshotTask & { readonly agentRole: string | null }
  /** The guide that was asked for; null: none was named. */
  readonly guideTraceId: string | null
  /** The guide that it is about, from the record; null: none is held. */
  readonly story: GuideStory | null
  readonly supplied: readonly SuppliedObject[]
}

export type OperatorSnapshot = ReturnType<typeof operatorSnapshot>

/**
 * The state of an actor for an operator, in wire names: counts, where the work stands, one guide and what became of it,
 * what was held back and why. Ids, reason codes and titles only; neither memory text nor prompt. Pure.
 */
export function operatorSnapshot({ view, task, guideTraceId, story: read, supplied }: SnapshotInput) {
  const story = read === null ? null : withoutErased(read, view.state)
  const memories = stated(view, seenRecords(view))
  const focus: FocusGuide | null =
    story === null ? null : { story, outcomes: outcomesOf(view.state, story.exposure) }
  // What was erased is counted, and is nothing to go on with.
  const present = memories.filter(({ record }) => !view.state.erasures.has(record.memoryId))
  const ofTask = present.filter(({ record }) => concerns(record, task))
  const artifacts = compareArtifacts(supplied, focus)
  const guide = guideSection(view, focus, suppliedGuideIn(supplied, guideTraceId))
  const trace = focus === null ? null : traceOf(view, focus)
  const receipt = trace?.memory_use_receipt ?? null
  const calibration = trace?.judgment_calibration_summary ?? null
  const context = suppliedValue(supplied, 'execution_context')
  const execution = executionState(view, ofTask, focus, context === null ? null : executionContextIn(context))
  const useNow = new Set(guide.use_now_memory_ids)
  const procedure = traceToProcedure(ofTask, useNow, receipt !== null)
  const learning = learningControl(present)
  const ledger = claimLedger(view, present)
  const effect = effectSection(suppliedValue(supplied, 'effect_report'))
  const history = lifecycleHistory(view, memories)
  return {
    contract_version: 'svc_operator_snapshot_v1' as const,
    intended_use: 'operator_snapshot' as const,
    agent_prompt_included: false as const,
    runtime_mutation: false as const,
    at: view.isoTime(view.nowMs),
    task: {
      run_id: task.runId ?? guide.run_id,
      task_signature: task.taskSignature ?? guide.task_signature,
      task_family: task.taskFamily,
      workflow_signature: task.workflowSignature,
      agent_role: task.agentRole,
    },
    seen_as: seenAs(view),
    memory_counts: memoryCounts(view, memories),
    execution_state: execution,
    trace_to_procedure: procedure,
    guide_trace: guide,
    judgment_calibration: calibration,
    memory_use_receipt: receipt,
    ...(ledger === null ? {} : { claim_ledger_projection: ledger }),
    memory_lifecycle: {
      used_count: guide.use_now_memory_ids.length,
      inspect_before_use_count: guide.inspect_before_use_memory_ids.length,
      do_not_use_count: guide.do_not_use_memory_ids.length,
      rehydrate_count: guide.rehydrate_memory_ids.length,
      ...history,
      learning_control_visible: learning.visible,
    },
    incidents: incidents(view, present),
    learning_control: learning,
    effect,
    claims: snapshotClaims({
      activePathCount: execution.active_path.count,
      isolation: execution.branch_isolation,
      guide,
      hasReceipt: receipt !== null,
      anchoredCount: calibration?.window.anchored_count ?? 0,
      learningVisible: learning.visible,
      procedureCount: procedure.procedure_memory_ids.length,
      hasClaims: ledger !== null,
      effect,
    }),
    risks: risksOf(guide, focus, execution.branch_isolation.failed_branch_leaked_to_use_now, history),
    artifacts: artifacts.rows,
    artifact_mismatch: artifacts.mismatches,
  }
}

function suppliedValue(supplied: readonly SuppliedObject[], name: string): WireObject | null {
  return supplied.find(({ artifact }) => artifact.name === name)?.value ?? null
}

/** Claims as a guide without a task would show them; of private claims only with the eyes of somebody who sees them. */
function claimLedger(view: ReportView, memories: readonly StatedMemory[]) {
  const claims = memories
    .filter(({ record }) => record.claim !== null && isNamed(view, record))
    .map(({ record, lifecycleState }): ClaimView => {
      const { state, eyes, nowMs } = view
      const isTrusted = isTrustedThrough(state, record, eyes)
      const { surface } = admit({ record, nowMs, isTrusted, askedSignature: null, consumer: eyes })
      return { record, surface, lifecycleState }
    })
  return claimLedgerProjection(claims)
}

function risksOf(
  guide: GuideSection,
  focus: FocusGuide | null,
  hasLeaked: boolean,
  history: ReturnType<typeof lifecycleHistory>,
) {
  const decision = focus?.story.decision ?? null
  const attributed = new Set(guide.attributed_memory_ids)
  return {
    negative_transfer_risk: riskLevel(guide, hasLeaked),
    blocked_or_suppressed_count: history.blocked_or_suppressed_count,
    unresolved_inspection_count: guide.inspect_before_use_memory_ids.filter((id) => !attributed.has(id))
      .length,
    reasons: decision === null ? [] : riskCodes(decision),
  }
}

/** High: what failed was given for use, or there was nothing but warnings. Medium: something was held back. */
function riskLevel(guide: GuideSection, hasLeaked: boolean): 'low' | 'medium' | 'high' {
  const warned = guide.do_not_use_memory_ids.length
  if (hasLeaked) return 'high'
  if (warned > 0 && warned === guide.exposed_memory_ids.length) return 'high'
  return warned > 0 || guide.inspect_before_use_memory_ids.length > 0 ? 'medium' : 'low'
}
