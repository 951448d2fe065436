import {
  AVAILABILITIES,
  LANES,
  LIFECYCLE_STATES,
  type LifecycleState,
  MEMORY_DOMAINS,
  MEMORY_TYPES,
  STANDINGS,
  TRUSTS,
  VALIDITIES,
} from '../base/closed-sets.ts'
import { eachInSteps, recordOf, resultOf } from '../base/collections.ts'
import type { StoredGuide } from '../guide/decision.ts'
import { partOf, type WireObject } from '../measure/wire-object.ts'
import { isSuppressed, lifecycleStateAt, validityAt } from '../model/lifecycle.ts'
import {
  type Content,
  counted,
  type FacetChange,
  type MemoryRecord,
  NO_COUNTS,
  type TaskRef,
} from '../model/record.ts'
import { contentAt, denialOf, isHeldBack, isHurting, isInForce, type StatedMemory } from './memory-state.ts'
import { type ReportView, seenRecord, seenRecords } from './viewer.ts'

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
    const then = record?.domain === 'execution' ? contentAt(record, exposure.seq).content : null
    const stateThen = decision?.printed[at]?.lifecycleState
    return {
      memoryId,
      surface: exposure.surfaces[at] ?? 'do_not_use',
      hadFailed: then !== null && (hasFailed(then) || stateThen === 'failed'),
    }
  })
}

/** Reads an execution context, given bare or inside another object. */
export function executionContextIn(value: WireObject): WireObject {
  const inner = partOf(value, 'execution_context')
  return Object.keys(inner).length > 0 ? inner : value
}

/** Facet changes that are listed, the latest. */
const CHANGES_KEPT = 50

const SUPPRESSIONS = ['none', 'suppressed'] as const

/** A change of one facet of one memory. */
interface MemoryChange {
  readonly record: MemoryRecord
  readonly change: FacetChange
}

/**
 * All memories that a viewer sees, gone through once: what there is how often, and those few that a report goes on with.
 * What was erased is counted, and is nothing to go on with.
 */
export class MemorySurvey {
  readonly view: ReportView
  readonly #task: SnapshotTask
  total = 0
  erased = 0
  readonly byDomain = tallyOf(MEMORY_DOMAINS)
  readonly byType = tallyOf(MEMORY_TYPES)
  readonly byLane = tallyOf(LANES)
  readonly byLifecycleState = tallyOf(LIFECYCLE_STATES)
  readonly byFacet = {
    trust: tallyOf(TRUSTS),
    standing: tallyOf(STANDINGS),
    validity: tallyOf(VALIDITIES),
    availability: tallyOf(AVAILABILITIES),
    suppression: tallyOf(SUPPRESSIONS),
  }
  outcomes = NO_COUNTS
  /** Memories of which an operator changed something. */
  controlled = 0
  changeCount = 0
  readonly #changes: MemoryChange[] = []
  /** Work of the task: runs, handoffs, procedures, and whatever names a workflow. */
  readonly work: StatedMemory[] = []
  /** Held back now, or spoken against by more outcomes than for. */
  readonly incidents: StatedMemory[] = []
  readonly claims: StatedMemory[] = []
  #candidates = 0
  #blockedClaims = 0
  readonly #denials = new Set<string>()

  constructor(view: ReportView, task: SnapshotTask) {
    this.view = view
    this.#task = task
  }

  add(record: MemoryRecord): void {
    const memory = { record, lifecycleState: lifecycleStateAt(record.facets, this.view.nowMs) }
    this.#count(memory)
    this.#follow(record)
    if (this.view.state.erasures.has(record.memoryId)) this.erased += 1
    else this.#keep(memory)
  }

  countIn(...states: readonly LifecycleState[]): number {
    return states.reduce((sum, state) => sum + this.byLifecycleState[state], 0)
  }

  /** The latest first. */
  get latestChanges(): readonly MemoryChange[] {
    return latest(this.#changes)
  }

  /** What is not trusted yet, and what keeps it from being trusted. */
  get learning() {
    return {
      isVisible: this.#candidates > 0 || this.#blockedClaims > 0,
      candidateCount: this.#candidates,
      blockedClaimCount: this.#blockedClaims,
      denialReasons: [...this.#denials].sort(),
    }
  }

  #count({ record, lifecycleState }: StatedMemory): void {
    const { facets, counters } = record
    const { nowMs } = this.view
    this.total += 1
    this.byDomain[record.domain] += 1
    this.byType[record.memoryType] += 1
    this.byLane[record.audience.lane] += 1
    this.byLifecycleState[lifecycleState] += 1
    this.byFacet.trust[facets.trust] += 1
    this.byFacet.standing[facets.standing] += 1
    this.byFacet.validity[validityAt(facets, nowMs)] += 1
    this.byFacet.availability[facets.availability] += 1
    this.byFacet.suppression[isSuppressed(facets, nowMs) ? 'suppressed' : 'none'] += 1
    this.outcomes = counted(this.outcomes, counters)
  }

  #follow(record: MemoryRecord): void {
    const { changes } = record
    if (changes.length === 0) return
    this.changeCount += changes.length
    if (changes.some(({ cause }) => cause.startsWith('operator_') || cause === 'settled'))
      this.controlled += 1
    for (const change of changes) this.#changes.push({ record, change })
    if (this.#changes.length < 10 * CHANGES_KEPT) return
    const kept = latest(this.#changes)
    this.#changes.splice(0, this.#changes.length, ...kept)
  }

  #keep(memory: StatedMemory): void {
    const { record } = memory
    if (isWork(record) && concerns(record, this.#task)) this.work.push(memory)
    if (isHeldBack(memory) || isHurting(memory)) this.incidents.push(memory)
    if (record.claim !== null) {
      this.claims.push(memory)
      if (record.claim.authority === 'blocked') this.#blockedClaims += 1
    }
    if (record.facets.trust !== 'candidate') return
    this.#candidates += 1
    this.#denials.add(denialOf(record))
  }
}

/** Goes through the memories of this moment at once. */
export function surveyOf(view: ReportView, task: SnapshotTask): MemorySurvey {
  return resultOf(surveySteps(view, task, Number.POSITIVE_INFINITY))
}

/** The same with a pause behind so many. */
export function* surveySteps(
  view: ReportView,
  task: SnapshotTask,
  stepMemories: number,
): Generator<void, MemorySurvey> {
  const survey = new MemorySurvey(view, task)
  yield* eachInSteps(seenRecords(view), stepMemories, (record) => survey.add(record))
  return survey
}

function isWork({ domain, handoff, memoryType, workflowSignature }: MemoryRecord): boolean {
  return (
    domain === 'execution' || handoff !== null || memoryType === 'procedure' || workflowSignature !== null
  )
}

/** The latest changes first; those of one turn in the order in which they were met. */
function latest(changes: readonly MemoryChange[]): readonly MemoryChange[] {
  return changes.toSorted((a, b) => b.change.seq - a.change.seq).slice(0, CHANGES_KEPT)
}

function tallyOf<Word extends string>(words: readonly Word[]): Record<Word, number> {
  return recordOf(words, () => 0)
}
