import { claimLedgerProjection } from '../../core/guide/claims.ts'
import type { StoredGuide } from '../../core/guide/decision.ts'
import type { WireObject } from '../../core/measure/wire-object.ts'
import { admissionIn } from '../../core/policy/admission.ts'
import { compareObject } from '../../core/report/comparison.ts'
import {
  erasedSince,
  type GuideRecord,
  outcomesOf,
  recordedGuide,
  UNKNOWN_GUIDE,
  withoutErased,
} from '../../core/report/guide-record.ts'
import { proceduresIn, type StatedMemory } from '../../core/report/memory-state.ts'
import type { MemorySurvey, SnapshotTask } from '../../core/report/memory-survey.ts'
import { guideInObjects } from '../../core/report/supplied-guide.ts'
import type { Artifact } from '../../core/report/supplied-objects.ts'
import { traceInputOf } from '../../core/report/trace-input.ts'
import { isNamed, type ReportView, ROWS_MAX } from '../../core/report/viewer.ts'
import { isoOf } from '../parts.ts'
import { guideReceipt } from './decision-trace-rows.ts'
import { calibrationSummary, judgedMemories } from './memory-decision-rows.ts'
import { erasedRow, idLists, mismatchRow, viewerRow } from './rows.ts'
import {
  effectSection,
  executionSection,
  incidents,
  learningSection,
  lifecycleSection,
  memoryCounts,
  procedureSection,
  type Snapshot,
  snapshotClaims,
} from './snapshot-sections.ts'

/** One object that the caller handed in, and what it says of a guide. */
export interface SuppliedObject {
  readonly artifact: Artifact
  readonly value: WireObject
}

/** What a snapshot is made of. */
export interface SnapshotInput {
  /** The memories, gone through for this task. */
  readonly survey: MemorySurvey
  readonly task: SnapshotTask & { readonly agentRole: string | null }
  /** The guide that was asked for; null: none was named. */
  readonly guideTraceId: string | null
  /** The guide that it is about, from the record; null: none is held. */
  readonly stored: StoredGuide | null
  readonly supplied: readonly SuppliedObject[]
  /** Whether a consumer asks, and no operator. */
  readonly isConsumer: boolean
}

/**
 * The state of an actor for an operator: counts, where the work stands, one guide and what became of it, what was held
 * back and why. Ids, reason codes and titles only; neither memory text nor prompt.
 */
export function operatorSnapshotReport(input: SnapshotInput): Snapshot {
  const { survey, task, supplied } = input
  const { view, learning } = survey
  const stored = input.stored === null ? null : withoutErased(input.stored, view.state)
  const outcomes = stored === null ? [] : outcomesOf(view.state, stored.exposure)
  const objects = supplied.map(({ artifact, value }) => compareObject(artifact, value, stored, outcomes))
  const guide = guideSection(view, stored, input)
  const { receipt, calibration } = tracedSections(view, stored, input.isConsumer)
  const execution = executionSection(view, survey.work, stored, suppliedValue(supplied, 'execution_context'))
  const procedure = procedureSection(proceduresIn(survey.work), guide.use_now_memory_ids, receipt !== null)
  const ledger = claimLedger(view, survey.claims)
  const effect = effectSection(suppliedValue(supplied, 'effect_report'))
  const lifecycle = lifecycleSection(survey, guide)
  return {
    contract_version: 'svc_operator_snapshot_v1',
    intended_use: 'operator_snapshot',
    agent_prompt_included: false,
    runtime_mutation: false,
    at: isoOf(view.nowMs),
    task: {
      run_id: task.runId ?? guide.run_id,
      task_signature: task.taskSignature ?? guide.task_signature,
      task_family: task.taskFamily,
      workflow_signature: task.workflowSignature,
      agent_role: task.agentRole,
    },
    seen_as: viewerRow(view.viewer),
    memory_counts: memoryCounts(survey),
    execution_state: execution,
    trace_to_procedure: procedure,
    guide_trace: guide,
    judgment_calibration: calibration,
    memory_use_receipt: receipt,
    ...(ledger === null ? {} : { claim_ledger_projection: ledger }),
    memory_lifecycle: lifecycle,
    incidents: incidents(view, survey.incidents),
    learning_control: learningSection(learning),
    effect,
    claims: snapshotClaims({
      execution,
      guide,
      receipt,
      calibration,
      learning,
      procedure,
      hasLedger: ledger !== null,
      effect,
    }),
    risks: risksOf(guide, stored, execution.branch_isolation, lifecycle.blocked_or_suppressed_count),
    artifacts: objects.map(({ artifact, status, memoryIds }) => ({
      artifact: artifact.name,
      status,
      guide_trace_id: artifact.guideTraceId,
      run_id: artifact.runId,
      memory_ids: memoryIds,
    })),
    artifact_mismatch: objects.flatMap(({ mismatches }) => mismatches.map(mismatchRow)).slice(0, ROWS_MAX),
  }
}

function suppliedValue(supplied: readonly SuppliedObject[], name: string): WireObject | null {
  return supplied.find(({ artifact }) => artifact.name === name)?.value ?? null
}

type Guide = Snapshot['guide_trace']

/** The guide of the record; without one, what the caller supplied of a guide. */
function guideSection(
  view: ReportView,
  stored: StoredGuide | null,
  { supplied, guideTraceId }: SnapshotInput,
): Guide {
  if (stored !== null) {
    const outcomes = outcomesOf(view.state, stored.exposure)
    return {
      present: true,
      provenance: 'runtime_record',
      ...guideFields(
        recordedGuide(stored),
        erasedSince(stored, view.state).map(erasedRow),
        outcomes.map(({ memoryId }) => memoryId),
        outcomes.at(-1)?.mark.outcome ?? null,
      ),
      reason:
        stored.exposure.external !== undefined
          ? 'Read from the record of a govern request.'
          : stored.decision === null
            ? 'Read from the record; its explanation is kept no longer.'
            : 'Read from the record of the guide.',
    }
  }
  const artifacts = supplied.map(({ artifact }) => artifact)
  const told = guideInObjects(artifacts, guideTraceId)
  return {
    present: told !== null,
    provenance: told === null ? 'none' : 'as_supplied',
    ...guideFields(told?.guide ?? UNKNOWN_GUIDE, [], told?.usedIds ?? [], told?.outcome ?? null),
    reason:
      told === null
        ? 'No guide is recorded for what was asked.'
        : 'No record of this guide is held here: shown as supplied, not verified.',
  }
}

/** Hashes and lengths stand for query and prompt. */
function guideFields(
  guide: GuideRecord,
  erased: Guide['erased_memories'],
  namedIds: readonly string[],
  outcome: string | null,
): Omit<Guide, 'present' | 'provenance' | 'reason'> {
  const attributed = [...new Set(namedIds)]
  return {
    guide_trace_id: guide.guideTraceId,
    consumer_agent_id: guide.consumerAgentId,
    consumer_team_id: guide.consumerTeamId,
    run_id: guide.runId,
    task_signature: guide.taskSignature,
    at: isoOf(guide.atMs),
    held_out: guide.isHeldOut,
    query_hash: guide.queryHash,
    query_chars: guide.queryChars,
    prompt_hash: guide.promptHash,
    prompt_char_count: guide.promptChars,
    ...idLists(guide.exposedIds, guide.idsBySurface),
    erased_memories: erased,
    attributed_memory_ids: attributed,
    unattributed_memory_ids: guide.exposedIds.filter((id) => !attributed.includes(id)),
    feedback_attribution_present: attributed.length > 0,
    feedback_outcome: outcome,
  }
}

/** What the decision trace of a recorded guide says, from the record alone. */
function tracedSections(
  { state, viewer, nowMs }: ReportView,
  stored: StoredGuide | null,
  isConsumer: boolean,
): {
  readonly receipt: Snapshot['memory_use_receipt']
  readonly calibration: Snapshot['judgment_calibration']
} {
  if (stored === null) return { receipt: null, calibration: null }
  const input = traceInputOf(
    state,
    {
      after: { holding: 'held', stored, artifact: null },
      before: { holding: 'not_supplied', stored: null, artifact: null },
      answers: [],
      reader: { viewer, ownGuideIds: new Set([stored.exposure.guideTraceId]), isConsumer },
      history: null,
      claims: { sufficientEvidence: null, evidenceIdCount: 0 },
      // Nothing was supplied to it, so that there is no text to hash.
      hashOf: (text) => text,
    },
    nowMs,
  )
  return { receipt: guideReceipt(input), calibration: calibrationSummary(judgedMemories(input)) }
}

/** Claims as a guide without a task would show them; of private claims only for somebody who sees them. */
function claimLedger(view: ReportView, memories: readonly StatedMemory[]) {
  const { state, viewer, nowMs } = view
  const claims = memories.filter(({ record }) => isNamed(view, record))
  return claimLedgerProjection(
    claims.map(({ record, lifecycleState }) => {
      const { surface } = admissionIn(state, record, { nowMs, askedSignature: null, consumer: viewer })
      return { record, surface, lifecycleState }
    }),
  )
}

function risksOf(
  guide: Guide,
  stored: StoredGuide | null,
  isolation: Snapshot['execution_state']['branch_isolation'],
  blockedCount: number,
): Snapshot['risks'] {
  const held = stored?.decision?.printed.filter(({ surface }) => surface !== 'use_now') ?? []
  const attributed = new Set(guide.attributed_memory_ids)
  return {
    negative_transfer_risk: riskLevel(guide, isolation.failed_branch_leaked_to_use_now),
    blocked_or_suppressed_count: blockedCount,
    unresolved_inspection_count: guide.inspect_before_use_memory_ids.filter((id) => !attributed.has(id))
      .length,
    reasons: [...new Set(held.flatMap(({ reasonCodes }) => reasonCodes))],
  }
}

/** High: what failed was given for use, or there was nothing but warnings. Medium: something was held back. */
function riskLevel(guide: Guide, hasLeaked: boolean): 'low' | 'medium' | 'high' {
  const warned = guide.do_not_use_memory_ids.length
  if (hasLeaked) return 'high'
  if (warned > 0 && warned === guide.exposed_memory_ids.length) return 'high'
  return warned > 0 || guide.inspect_before_use_memory_ids.length > 0 ? 'medium' : 'low'
}
