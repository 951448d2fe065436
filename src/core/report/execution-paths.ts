import type { StoredGuide } from '../guide/decision.ts'
import { partOf, type WireObject } from '../measure/wire-object.ts'
import type { Content, MemoryRecord } from '../model/record.ts'
import type { TaskRef } from '../model/task-ref.ts'
import { contentThen, isInForce, type StatedMemory } from './memory-state.ts'
import { type ReportView, seenRecord } from './viewer.ts'

/** Which work a snapshot is about; everything null: all of the actor's. */
export type SnapshotTask = Omit<TaskRef, 'taskId'>

export const PATHS = ['active_path', 'passed_solutions', 'failed_branches'] as const
export type Path = (typeof PATHS)[number]
export type Paths = Readonly<Record<Path, readonly StatedMemory[]>>

/** The signature decides; a run is asked for only where no signature is. */
export function concerns(record: MemoryRecord, task: SnapshotTask): boolean {
  if (task.taskSignature !== null) {
    return record.taskSignature === task.taskSignature || (task.runId !== null && record.runId === task.runId)
  }
  if (task.workflowSignature !== null) return record.workflowSignature === task.workflowSignature
  if (task.runId !== null) return record.runId === task.runId
  return task.taskFamily === null || record.taskFamily === task.taskFamily
}

/**
 * Where the work stands: what is being followed, what succeeded, what failed. Newest first. The active path is every
 * handoff in force and the latest run, if that did not fail.
 */
export function pathsOf(memories: readonly StatedMemory[]): Paths {
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

/** Whether the guide of this work showed what failed as anything but a warning. */
export function branchIsolation(view: ReportView, paths: Paths, guide: StoredGuide | null) {
  const shown = guide === null ? [] : shownMemories(view, guide)
  const isUsableOn = (path: Path): boolean => {
    const ids = new Set(paths[path].map(({ record }) => record.memoryId))
    return shown.some(({ memoryId, surface }) => surface !== 'do_not_use' && ids.has(memoryId))
  }
  const failed = shown.filter(({ hadFailed }) => hadFailed)
  const hasLeaked = failed.some(({ surface }) => surface === 'use_now')
  const isAsked = guide !== null && (failed.length > 0 || paths.failed_branches.length > 0)
  return {
    isActiveVisible: isUsableOn('active_path'),
    isPassedVisible: isUsableOn('passed_solutions'),
    isFailedBlocked: failed.some(({ surface }) => surface === 'do_not_use'),
    hasLeaked,
    status: !isAsked ? 'not_applicable' : hasLeaked ? 'fail' : 'pass',
  } as const
}

/** What failed after the guide was made is no leak: the content and the state of that moment count. */
function shownMemories(view: ReportView, { exposure, decision }: StoredGuide) {
  return exposure.memoryIds.map((memoryId, at) => {
    const record = seenRecord(view, memoryId)
    const then = record?.domain === 'execution' ? contentAt(record, exposure.seq) : null
    const stateThen = decision?.printed[at]?.lifecycleState
    return {
      memoryId,
      surface: exposure.surfaces[at] ?? 'do_not_use',
      hadFailed: then !== null && (hasFailed(then) || stateThen === 'failed'),
    }
  })
}

/** The oldest content that is kept when the one of that time is gone. */
function contentAt(record: MemoryRecord, seq: number): Content {
  return contentThen(record, seq) ?? record.revisions[0]?.content ?? record.content
}

/** Reads an execution context, given bare or inside another object. */
export function executionContextIn(value: WireObject): WireObject {
  const inner = partOf(value, 'execution_context')
  return Object.keys(inner).length > 0 ? inner : value
}
