import type { OperatorSnapshot } from '../../contract/operator-snapshot.ts'
import type { Answer } from '../../contract/vocabulary.ts'
import type { LifecycleState } from '../../core/base/closed-sets.ts'
import { isObject } from '../../core/base/collections.ts'
import type { StoredGuide } from '../../core/guide/decision.ts'
import {
  fieldOf,
  flagOf,
  objectsOf,
  partOf,
  textOf,
  textsOf,
  type WireObject,
} from '../../core/measure/wire-object.ts'
import type { MemoryRecord } from '../../core/model/record.ts'
import { isKnownName } from '../../core/model/references.ts'
import {
  inState,
  mostHurting,
  type Procedures,
  type StatedMemory,
  seenCause,
} from '../../core/report/memory-state.ts'
import {
  branchIsolation,
  executionContextIn,
  type MemorySurvey,
  type Path,
  pathsOf,
} from '../../core/report/memory-survey.ts'
import { ENTRIES_MAX, isNamed, type ReportView, ROWS_MAX, shownTitle } from '../../core/report/viewer.ts'
import { maskSecrets } from '../../core/screening/secrets.ts'
import { clip } from '../../core/text/escape.ts'
import { countersView } from '../memory-view.ts'
import { isoOf } from '../parts.ts'

// What an operator snapshot says of memories and of the work, whatever guide it is about.

export type Snapshot = Answer<typeof OperatorSnapshot>

/** How many memories there are of each kind. Every group adds up to `total`. */
export function memoryCounts(survey: MemorySurvey): Snapshot['memory_counts'] {
  return {
    total: survey.total,
    erased: survey.erased,
    by_domain: survey.byDomain,
    by_type: survey.byType,
    by_lane: survey.byLane,
    by_lifecycle_state: survey.byLifecycleState,
    by_facet: survey.byFacet,
  }
}

type Execution = Snapshot['execution_state']
type Entry = Execution['active_path']['entries'][number]

const ISOLATION_REASONS = {
  pass: 'The guide gave nothing that had failed for direct use.',
  fail: 'The guide gave a branch for direct use that had failed by then.',
  not_applicable: 'There is no guide for this work, or nothing in it failed.',
} as const

/** Where the work stands, and whether a guide kept what failed apart. */
export function executionSection(
  view: ReportView,
  memories: readonly StatedMemory[],
  stored: StoredGuide | null,
  context: WireObject | null,
): Execution {
  const paths = pathsOf(memories)
  const decision = stored?.decision ?? null
  const isolation = branchIsolation(view, paths, stored)
  const list = (path: Path): Execution[Path] => {
    const others = context === null ? [] : suppliedRows(executionContextIn(context), path)
    const own = paths[path].slice(0, ENTRIES_MAX).map((memory) => recordedEntry(view, memory))
    return {
      count: paths[path].length + others.length,
      entries: [...own, ...others.map(suppliedEntry)].slice(0, ENTRIES_MAX),
    }
  }
  return {
    history_used: (stored?.exposure.memoryIds.length ?? 0) > 0,
    actionable_history_used: decision?.actionableHistoryUsed ?? false,
    recommended_posture: decision?.posture ?? null,
    authority: decision?.authority ?? null,
    active_path: list('active_path'),
    passed_solutions: list('passed_solutions'),
    failed_branches: list('failed_branches'),
    branch_isolation: {
      active_path_visible: isolation.isActiveVisible,
      passed_solution_visible: isolation.isPassedVisible,
      failed_branch_visible_in_do_not_use: isolation.isFailedBlocked,
      failed_branch_leaked_to_use_now: isolation.hasLeaked,
      status: isolation.status,
      reason: ISOLATION_REASONS[isolation.status],
    },
  }
}

function recordedEntry(view: ReportView, { record, lifecycleState }: StatedMemory): Entry {
  const { outcome, evidenceRefs } = record.content
  const noun = record.handoff === null ? `Run ${outcome ?? 'unknown'}` : 'Handoff'
  return {
    entry_id: record.memoryId,
    title: shownTitle(view, record),
    summary: `${noun}, ${lifecycleState}.`,
    source: 'runtime_record',
    memory_ids: [record.memoryId],
    evidence_refs: isNamed(view, record)
      ? evidenceRefs.filter((name) => isKnownName(view.state, name, view.viewer)).map(maskSecrets)
      : [],
    lifecycle_state: lifecycleState,
    outcome,
    run_id: record.runId,
    at: isoOf(record.observedAtMs),
  }
}

/** Entries of an execution context, as a list or under `entries`. */
function suppliedRows(context: WireObject, path: Path): readonly WireObject[] {
  const value = fieldOf(context, path)
  return isObject(value) ? objectsOf(value, 'entries') : objectsOf(context, path)
}

const SUPPLIED_CHARS_MAX = 360

function suppliedEntry(row: WireObject, at: number): Entry {
  const title = textOf(row, 'title')
  return {
    entry_id: textOf(row, 'entry_id') ?? textOf(row, 'id') ?? `supplied:${at}`,
    title: title === null ? null : clip(title, SUPPLIED_CHARS_MAX),
    summary: clip(textOf(row, 'summary') ?? 'As supplied.', SUPPLIED_CHARS_MAX),
    source: 'execution_context',
    memory_ids: textsOf(row, 'memory_ids').slice(0, ENTRIES_MAX),
    evidence_refs: textsOf(row, 'evidence_refs').slice(0, ENTRIES_MAX),
    lifecycle_state: null,
    outcome: null,
    run_id: null,
    at: null,
  }
}

const PROMOTION_REASONS: Readonly<Record<Procedures['status'], string>> = {
  stable_ready: 'At least one procedure is trusted and active.',
  candidate_only: 'Procedures are there, but none is both trusted and active.',
  blocked: 'Every procedure is suppressed, failed, superseded or expired.',
  insufficient_evidence: 'Runs are recorded, but none tells its steps.',
  not_applicable: 'No work is recorded.',
}

export function procedureSection(
  procedures: Procedures,
  useNowIds: readonly string[],
  hasDecision: boolean,
): Snapshot['trace_to_procedure'] {
  const { memoryIds, stableIds, workflowIds, hasRuns, status } = procedures
  return {
    present: memoryIds.length > 0,
    runtime_mutation: false,
    source_surfaces: [
      ...(hasRuns ? (['execution_tree'] as const) : []),
      ...(workflowIds.length > 0 ? (['workflow_projection'] as const) : []),
      ...(memoryIds.length > 0 ? (['replay_playbook'] as const) : []),
      ...(hasDecision ? (['memory_decision_trace'] as const) : []),
    ],
    procedure_memory_ids: memoryIds.slice(0, ROWS_MAX),
    workflow_ids: workflowIds.slice(0, ROWS_MAX),
    candidate_visible: procedures.hasCandidates,
    stable_reuse_visible: stableIds.some((id) => useNowIds.includes(id)),
    promotion_status: status,
    promotion_blocked_count: procedures.blockedCount,
    reason: PROMOTION_REASONS[status],
  }
}

/** What happened to the memories since they were written: outcomes counted together, and the last facet changes. */
export function lifecycleSection(
  survey: MemorySurvey,
  guide: Snapshot['guide_trace'],
): Snapshot['memory_lifecycle'] {
  const { view, outcomes, latestChanges } = survey
  return {
    used_count: guide.use_now_memory_ids.length,
    inspect_before_use_count: guide.inspect_before_use_memory_ids.length,
    do_not_use_count: guide.do_not_use_memory_ids.length,
    rehydrate_count: guide.rehydrate_memory_ids.length,
    controlled_memory_count: survey.controlled,
    blocked_or_suppressed_count: survey.countIn('suppressed', 'failed'),
    stale_memory_count: survey.countIn('superseded', 'expired'),
    outcomes: countersView({ counters: outcomes }),
    change_count: survey.changeCount,
    recent_changes: latestChanges.map(({ record, change }) => ({
      ...namedRow(view, record),
      facet: change.facet,
      from: change.from,
      to: change.to,
      cause: change.cause,
      by_memory_id: seenCause(view, change),
      at: isoOf(change.atMs),
    })),
    learning_control_visible: survey.learning.isVisible,
  }
}

function namedRow(view: ReportView, record: MemoryRecord) {
  return { memory_id: record.memoryId, title: shownTitle(view, record) }
}

/** Memories that something went wrong with: those held back now, the latest first, and those that hurt most. */
export function incidents(view: ReportView, memories: readonly StatedMemory[]): Snapshot['incidents'] {
  return {
    contested: heldBack(view, memories, 'contested'),
    failed: heldBack(view, memories, 'failed'),
    suppressed: heldBack(view, memories, 'suppressed'),
    most_hurting: mostHurting(memories).map((memory) => hurtingRow(view, memory)),
  }
}

function heldBack(
  view: ReportView,
  memories: readonly StatedMemory[],
  state: LifecycleState,
): Snapshot['incidents']['failed'] {
  const found = inState(memories, state)
  return {
    count: found.length,
    entries: found.slice(0, ENTRIES_MAX).map(({ record, change }) => ({
      ...namedRow(view, record),
      cause: change?.cause ?? null,
      by_memory_id: seenCause(view, change),
      since: isoOf(change?.atMs ?? record.createdAtMs),
    })),
  }
}

function hurtingRow(
  view: ReportView,
  { record, lifecycleState, credit }: ReturnType<typeof mostHurting>[number],
): Snapshot['incidents']['most_hurting'][number] {
  return {
    ...namedRow(view, record),
    lifecycle_state: lifecycleState,
    credit,
    positive: record.counters.positive,
    negative_weak: record.counters.negativeWeak,
    negative_strong: record.counters.negativeStrong,
  }
}

export function learningSection(learning: MemorySurvey['learning']): Snapshot['learning_control'] {
  return {
    visible: learning.isVisible,
    runtime_mutation: false,
    stable_promotion_allowed: learning.candidateCount === 0 ? null : false,
    candidate_count: learning.candidateCount,
    blocked_authority_count: learning.blockedClaimCount,
    promotion_denied_reasons: learning.denialReasons,
    reason: learning.isVisible
      ? 'A candidate becomes trusted by independent confirmation, by a verified run that used it, or by an operator.'
      : 'Nothing waits for confirmation and no claim is blocked.',
  }
}

/** Effects are measured elsewhere: without a supplied report there is nothing to say. */
export function effectSection(supplied: WireObject | null): Snapshot['effect'] {
  const inner = supplied === null ? null : fieldOf(supplied, 'effect_report')
  const report = isObject(inner) ? inner : (supplied ?? {})
  const impact = partOf(report, 'history_impact')
  const efficiency = partOf(report, 'efficiency')
  return {
    present: supplied !== null,
    impact_direction: textOf(impact, 'impact_direction'),
    changed_future_behavior: flagOf(impact, 'changed_future_behavior'),
    token_delta: numberIn(efficiency, 'token_delta'),
    context_size_delta: numberIn(efficiency, 'context_size_delta'),
    repeated_discovery_delta: numberIn(efficiency, 'repeated_discovery_delta'),
    reason:
      supplied === null
        ? 'No effect report was supplied.'
        : 'As the supplied effect report says; it was not measured again.',
  }
}

function numberIn(value: WireObject, name: string): number | null {
  const found = fieldOf(value, name)
  return typeof found === 'number' && Number.isFinite(found) ? found : null
}

type Claim = Snapshot['claims'][number]

/** What the claims rest on: parts of the snapshot. */
interface ClaimGround {
  readonly execution: Snapshot['execution_state']
  readonly guide: Snapshot['guide_trace']
  readonly receipt: Snapshot['memory_use_receipt']
  readonly calibration: Snapshot['judgment_calibration']
  readonly learning: MemorySurvey['learning']
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
