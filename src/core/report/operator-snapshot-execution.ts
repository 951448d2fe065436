import {
  fieldOf,
  isObject,
  objectsOf,
  partOf,
  textOf,
  textsOf,
  type WireObject,
} from '../measure/wire-object.ts'
import type { Content, MemoryRecord } from '../model/record.ts'
import { isKnownName } from '../model/references.ts'
import { clip } from '../text/escape.ts'
import type { FocusGuide } from './operator-snapshot-guide.ts'
import { isInForce, type StatedMemory } from './operator-snapshot-memory.ts'
import { ENTRIES_MAX, isNamed, type ReportView, seenRecord, shownTitle } from './operator-snapshot-view.ts'

const SUPPLIED_CHARS_MAX = 360

/** Which work a snapshot is about; everything null: all of the actor's. */
export interface SnapshotTask {
  readonly runId: string | null
  readonly taskSignature: string | null
  readonly taskFamily: string | null
  readonly workflowSignature: string | null
}

const PATHS = ['active_path', 'passed_solutions', 'failed_branches'] as const
type Path = (typeof PATHS)[number]

/** The signature decides; a run is asked for only where no signature is. */
export function concerns(record: MemoryRecord, task: SnapshotTask): boolean {
  if (task.taskSignature !== null) {
    return record.taskSignature === task.taskSignature || (task.runId !== null && record.runId === task.runId)
  }
  if (task.workflowSignature !== null) return record.workflowSignature === task.workflowSignature
  if (task.runId !== null) return record.runId === task.runId
  return task.taskFamily === null || record.taskFamily === task.taskFamily
}

/** Where the work stands: what is being followed, what succeeded, what failed, and whether a guide kept them apart. */
export function executionState(
  view: ReportView,
  memories: readonly StatedMemory[],
  focus: FocusGuide | null,
  supplied: WireObject | null,
) {
  const paths = pathsOf(memories)
  const decision = focus?.story.decision ?? null
  const list = (path: Path) => pathList(view, paths[path], supplied, path)
  return {
    history_used: (focus?.story.exposure.memoryIds.length ?? 0) > 0,
    actionable_history_used: decision?.actionableHistoryUsed ?? false,
    recommended_posture: decision?.posture ?? null,
    authority: decision?.authority ?? null,
    active_path: list('active_path'),
    passed_solutions: list('passed_solutions'),
    failed_branches: list('failed_branches'),
    branch_isolation: branchIsolation(view, paths, focus),
  }
}

type Paths = Readonly<Record<Path, readonly StatedMemory[]>>

/** Newest first. The active path is every handoff in force and the latest run, if that did not fail. */
function pathsOf(memories: readonly StatedMemory[]): Paths {
  const newest = memories.toSorted((a, b) => b.record.ordinal - a.record.ordinal)
  const runs = newest.filter(({ record }) => record.domain === 'execution' && record.handoff === null)
  const latest = runs[0]
  const isOpen = latest !== undefined && isInForce(latest) && !hasFailed(latest.record.content)
  const handoffs = newest.filter((memory) => memory.record.handoff !== null && isInForce(memory))
  return {
    active_path: isOpen ? [...handoffs, latest] : handoffs,
    passed_solutions: runs.filter(
      (memory) => memory.record.content.outcome === 'succeeded' && isInForce(memory),
    ),
    failed_branches: newest.filter(
      ({ record }) =>
        record.domain === 'execution' && (hasFailed(record.content) || record.facets.standing === 'failed'),
    ),
  }
}

function hasFailed({ outcome }: Content): boolean {
  return outcome === 'failed' || outcome === 'blocked'
}

function pathList(
  view: ReportView,
  memories: readonly StatedMemory[],
  supplied: WireObject | null,
  path: Path,
) {
  const own = memories.slice(0, ENTRIES_MAX).map((memory) => recordedEntry(view, memory))
  const others = supplied === null ? [] : suppliedRows(supplied, path)
  return {
    count: memories.length + others.length,
    entries: [...own, ...others.map(suppliedEntry)].slice(0, ENTRIES_MAX),
  }
}

function recordedEntry(view: ReportView, { record, lifecycleState }: StatedMemory) {
  const { outcome, evidenceRefs } = record.content
  const noun = record.handoff === null ? `Run ${outcome ?? 'unknown'}` : 'Handoff'
  return {
    entry_id: record.memoryId,
    title: shownTitle(view, record),
    summary: `${noun}, ${lifecycleState}.`,
    source: 'runtime_record' as const,
    memory_ids: [record.memoryId],
    evidence_refs: isNamed(view, record)
      ? evidenceRefs.filter((name) => isKnownName(view.state, name, view.eyes))
      : [],
    lifecycle_state: lifecycleState,
    outcome,
    run_id: record.runId,
    at: view.isoTime(record.observedAtMs),
  }
}

/** Entries of an execution context, as a list or under `entries`. */
function suppliedRows(supplied: WireObject, path: Path): readonly WireObject[] {
  const value = fieldOf(supplied, path)
  return isObject(value) ? objectsOf(value, 'entries') : objectsOf(supplied, path)
}

function suppliedEntry(row: WireObject, at: number) {
  const title = textOf(row, 'title')
  return {
    entry_id: textOf(row, 'entry_id') ?? textOf(row, 'id') ?? `supplied:${at}`,
    title: title === null ? null : clip(title, SUPPLIED_CHARS_MAX),
    summary: clip(textOf(row, 'summary') ?? 'As supplied.', SUPPLIED_CHARS_MAX),
    source: 'execution_context' as const,
    memory_ids: textsOf(row, 'memory_ids').slice(0, ENTRIES_MAX),
    evidence_refs: textsOf(row, 'evidence_refs').slice(0, ENTRIES_MAX),
    lifecycle_state: null,
    outcome: null,
    run_id: null,
    at: null,
  }
}

/** Whether the guide of this work showed what failed as anything but a warning. */
function branchIsolation(view: ReportView, paths: Paths, focus: FocusGuide | null) {
  const shown = focus === null ? [] : shownMemories(view, focus)
  const idsOf = (path: Path) => new Set(paths[path].map(({ record }) => record.memoryId))
  const isUsable = ({ surface }: Shown) => surface !== 'do_not_use'
  const active = idsOf('active_path')
  const passed = idsOf('passed_solutions')
  const failed = shown.filter(({ failedThen }) => failedThen)
  const leaked = failed.some(({ surface }) => surface === 'use_now')
  const status =
    focus === null || (failed.length === 0 && paths.failed_branches.length === 0)
      ? ('not_applicable' as const)
      : leaked
        ? ('fail' as const)
        : ('pass' as const)
  return {
    active_path_visible: shown.some((memory) => isUsable(memory) && active.has(memory.memoryId)),
    passed_solution_visible: shown.some((memory) => isUsable(memory) && passed.has(memory.memoryId)),
    failed_branch_visible_in_do_not_use: failed.some(({ surface }) => surface === 'do_not_use'),
    failed_branch_leaked_to_use_now: leaked,
    status,
    reason: ISOLATION_REASONS[status],
  }
}

const ISOLATION_REASONS = {
  pass: 'The guide gave nothing that had failed for direct use.',
  fail: 'The guide gave a branch for direct use that had failed by then.',
  not_applicable: 'There is no guide for this work, or nothing in it failed.',
} as const

interface Shown {
  readonly memoryId: string
  readonly surface: string
  readonly failedThen: boolean
}

/** What failed after the guide was made is no leak: the content and the state of that moment count. */
function shownMemories(view: ReportView, { story }: FocusGuide): readonly Shown[] {
  const { exposure, decision } = story
  return exposure.memoryIds.map((memoryId, at) => {
    const record = seenRecord(view, memoryId)
    const isRun = record?.domain === 'execution'
    const then = record === null ? null : contentAt(record, exposure.seq)
    return {
      memoryId,
      surface: exposure.surfaces[at] ?? 'do_not_use',
      failedThen:
        isRun && ((then !== null && hasFailed(then)) || decision?.printed[at]?.lifecycleState === 'failed'),
    }
  })
}

/** The content in force after turn `seq`; the oldest one kept when that is gone. */
function contentAt(record: MemoryRecord, seq: number): Content {
  if (record.seq <= seq) return record.content
  const then = record.revisions.findLast((earlier) => earlier.seq <= seq) ?? record.revisions[0]
  return then?.content ?? record.content
}

/** Reads an execution context, given bare or inside another object. */
export function executionContextIn(value: WireObject): WireObject {
  const inner = partOf(value, 'execution_context')
  return Object.keys(inner).length > 0 ? inner : value
}
