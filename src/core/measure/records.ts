import { idsBySurface, type Outcome, SURFACES } from '../base/closed-sets.ts'
import { guideTimeOf } from '../base/ids.ts'
import type { StoredGuide } from '../guide/decision.ts'
import { guideErasureKey } from '../model/erasure.ts'
import type { ExposureRecord } from '../model/events.ts'
import type { MemoryRecord, TaskRef } from '../model/record.ts'
import { statusOf, stepsDigest } from '../model/skill-candidate.ts'
import { type ActorState, MARKS_MAX, memoriesOfRun } from '../model/state.ts'
import { canSee, consumerKey, LOCAL_AGENT, type Viewer } from '../model/visibility.ts'
import type { RecordedEnd, RecordedFeedback, RecordedGuide } from './evidence.ts'
import type { MemoryFacts } from './memory-drift.ts'
import type { OutcomeRun } from './paired-outcomes.ts'
import {
  isStep,
  lastOutcome,
  type MarkedMemory,
  RUNS_MAX,
  type RunVerdict,
  recordedRuns,
  runMarks,
  runVerdicts,
  STEPS_MAX,
  signedSteps,
  type VerdictOf,
} from './recorded-runs.ts'

/** Guides that are looked through to learn which runs had memory. */
export const GUIDES_MAX = 10_000

/** Whether the guides of a run gave it memory for direct use, withheld memory, or neither. */
type RunArm = 'guided' | 'withheld' | 'neither'

/** Which runs had memory, by the guides that were looked through. */
export interface GuideArms {
  readonly ofRun: ReadonlyMap<string, RunArm>
  /** Guides that name no run, by agent: the sequence of the first one. A run of that agent may be theirs. */
  readonly runlessSince: ReadonlyMap<string, number>
  /** Guides before this sequence were not looked at; 0: all were. */
  readonly fromSeq: number
  /** There are more guides than are looked through. */
  readonly isCut: boolean
}

/** Adds up guides, each once, in any order. */
export class GuideArmsSum {
  readonly #ofRun = new Map<string, RunArm>()
  readonly #runlessSince = new Map<string, number>()
  #oldestSeq = Number.MAX_SAFE_INTEGER
  #count = 0

  get count(): number {
    return this.#count
  }

  add({ runId, heldOut, surfaces, consumerAgentId, seq }: ExposureRecord): void {
    this.#count += 1
    this.#oldestSeq = Math.min(this.#oldestSeq, seq)
    if (runId !== null) {
      const own: RunArm = surfaces.includes('use_now') ? 'guided' : heldOut ? 'withheld' : 'neither'
      this.#ofRun.set(runId, together(this.#ofRun.get(runId) ?? own, own))
    } else if (!heldOut) {
      const since = this.#runlessSince.get(consumerAgentId) ?? seq
      this.#runlessSince.set(consumerAgentId, Math.min(since, seq))
    }
  }

  /** @param known how many guides the actor has made; those that are kept no longer were not added */
  arms(known: number): GuideArms {
    const isWhole = this.#count >= known
    return {
      ofRun: this.#ofRun,
      runlessSince: this.#runlessSince,
      fromSeq: isWhole ? 0 : this.#oldestSeq,
      isCut: this.#count >= GUIDES_MAX && !isWhole,
    }
  }
}

/** One guide with memory makes a run guided; without one, all of them must have withheld it. */
function together(one: RunArm, other: RunArm): RunArm {
  if (one === other) return one
  return one === 'guided' || other === 'guided' ? 'guided' : 'neither'
}

export interface RecordsQuery {
  readonly task: TaskRef
  /** Those that the actor holds of the guides that are measured, the one before first. */
  readonly guides: readonly RecordedGuide[]
  readonly arms: GuideArms
  /** The memory of the guides and what stands beside it. */
  readonly memories: readonly MemoryFacts[]
  readonly eyes: Viewer
}

/** What was derived for somebody else says nothing here. */
function rejectedSteps({ skills }: ActorState, eyes: Viewer): readonly string[] {
  return [...skills.values()]
    .filter((candidate) => statusOf(candidate) === 'rejected')
    .filter(
      ({ derivedFor }) =>
        derivedFor === null || (eyes !== null && consumerKey(derivedFor) === consumerKey(eyes)),
    )
    .map(({ skill }) => stepsDigest(skill))
}

/** Everything that the actor holds about a measurement, bounded. */
export function runtimeRecords(state: ActorState, query: RecordsQuery, nowMs: number) {
  const { task, guides, arms, eyes } = query
  const { taskSignature } = task
  const steps = signedSteps(state, task)
  const compared = outcomeRunIds(state, taskSignature)
  const guideRuns = guides.flatMap(({ runId }) => runId ?? [])
  const marks = runMarks(state, new Set([...guideRuns, ...steps.byRun.keys(), ...compared.runIds]), guides)
  const verdictOf = runVerdicts(marks)
  const runs = recordedRuns(state, steps, verdictOf, eyes, nowMs)
  const cuts: readonly (readonly [boolean, string])[] = [
    [arms.isCut, `the newest ${GUIDES_MAX} guides were looked at; older runs are not compared`],
    [compared.isCut, `the newest ${OUTCOME_RUNS_MAX} runs are compared`],
    [runs.isCut, `the newest ${RUNS_MAX} runs, ${STEPS_MAX} steps at most, were looked at for skills`],
  ]
  return {
    records: {
      guides,
      feedback: recordedFeedback(marks, guides, eyes),
      ends: guides.flatMap((guide, at) => recordedEnd(state, guide, guides[at + 1] ?? null, eyes) ?? []),
      runs: runs.runs,
      rejectedSteps: rejectedSteps(state, eyes),
      memories: query.memories,
      relationTargetIds: relationTargets(state, guides, eyes),
      outcomes: recordedOutcomes(state, {
        runIds: compared.runIds,
        verdictOf,
        arms,
        taskSignature,
        eyes,
      }),
    },
    warnings: cuts.flatMap(([isCut, sentence]) => (isCut ? [sentence] : [])),
  }
}

/**
 * Outcomes that name one of the guides, or a run of one, whatever memory they name, in journal order. A memory that the
 * eyes do not see keeps its outcome and loses its id, so that harm is never overlooked.
 */
export function recordedFeedback(
  marks: readonly MarkedMemory[],
  guides: readonly RecordedGuide[],
  eyes: Viewer,
): readonly RecordedFeedback[] {
  const traceIds = new Set(guides.map(({ guideTraceId }) => guideTraceId))
  const runIds = new Set(guides.flatMap(({ runId }) => runId ?? []))
  return marks
    .filter(
      ({ mark }) => runIds.has(mark.runId) || (mark.guideTraceId !== null && traceIds.has(mark.guideTraceId)),
    )
    .map(({ record, mark }) => ({
      memoryId: canSee(eyes, record) ? record.memoryId : null,
      runId: mark.runId,
      guideTraceId: mark.guideTraceId,
      seq: mark.seq,
      outcome: mark.outcome,
      isDirect: mark.direct,
      isStrong: mark.strong,
      isLowering:
        mark.outcome === 'negative' &&
        record.changes.some(({ facet, seq }) => facet === 'standing' && seq === mark.seq),
      verifierStatus: mark.verifierStatus,
    }))
    .sort((a, b) => a.seq - b.seq)
}

/** Null: nobody said how the run ended after the guide and, where the next guide is of the same run, before that. */
export function recordedEnd(
  state: ActorState,
  { guideTraceId, runId, seq }: RecordedGuide,
  next: RecordedGuide | null,
  eyes: Viewer,
): RecordedEnd | null {
  if (runId === null) return null
  const nextSeq = next !== null && next.runId === runId ? next.seq : Number.POSITIVE_INFINITY
  const steps = stepsOf(state, runId, null, eyes).filter((step) => step.seq > seq && step.seq < nextSeq)
  const isSuccess = SUCCESS_OF[lastOutcome(steps)]
  return isSuccess === null ? null : { guideTraceId, isSuccess }
}

/** What measuring needs of a recorded guide. */
export function recordedGuide({ exposure, decision }: StoredGuide): RecordedGuide {
  return {
    guideTraceId: exposure.guideTraceId,
    seq: exposure.seq,
    runId: exposure.runId,
    consumerAgentId: exposure.consumerAgentId,
    consumerTeamId: exposure.consumerTeamId,
    queryHash: decision?.queryHash ?? null,
    promptHash: decision?.promptHash ?? null,
    exposed: idsBySurface(exposure),
    reasons:
      decision === null
        ? null
        : {
            memoryIds: decision.printed.map(({ memoryId }) => memoryId),
            codes: decision.printed.map(({ reasonCodes }) => reasonCodes[0] ?? ''),
          },
  }
}

/** The newest runs that are compared. */
export const OUTCOME_RUNS_MAX = 500

/** The newest runs of one task signature or, without one, of the whole actor. Cut: there are more than are compared. */
export function outcomeRunIds(state: ActorState, taskSignature: string | null) {
  const all = taskSignature === null ? state.runLines : runIdsOf(state, taskSignature)
  const first = all.size - OUTCOME_RUNS_MAX
  const runIds: string[] = []
  let at = 0
  for (const runId of all.keys()) if (at++ >= first) runIds.push(runId)
  return { runIds, isCut: first > 0 }
}

function runIdsOf(state: ActorState, taskSignature: string): ReadonlySet<string> {
  const runIds = new Set<string>()
  for (const memoryId of state.bySignature.get(taskSignature) ?? []) {
    const record = state.memories.get(memoryId)
    if (record?.runId != null && record.taskSignature === taskSignature) runIds.add(record.runId)
  }
  return runIds
}

export interface OutcomesQuery {
  readonly runIds: readonly string[]
  readonly verdictOf: VerdictOf
  readonly arms: GuideArms
  readonly taskSignature: string | null
  readonly eyes: Viewer
}

/** A finished run, and when its last step was stored or revised. */
export interface EndedRun extends OutcomeRun {
  readonly endedAtMs: number
}

/**
 * Finished runs that had memory for direct use, and runs that had none. A run whose arm or end the records do not tell
 * is left out. A recorded failure counts for both arms alike: by the run's own word, or by feedback against it.
 */
export function recordedOutcomes(
  state: ActorState,
  { runIds, verdictOf, arms, taskSignature, eyes }: OutcomesQuery,
): readonly EndedRun[] {
  const runs: EndedRun[] = []
  const erased = erasedSpan(state)
  for (const runId of runIds) {
    const verdict = verdictOf(runId)
    const arm = shownArm(state, arms, verdict, runId)
    if (arm === null) continue
    const steps = stepsOf(state, runId, taskSignature, eyes)
    if (arm === 'unshown' && steps.some((step) => isWithin(erased, step))) continue
    if (isForgotten(state, runId, steps)) continue
    const run = steps.length === 0 ? null : outcomeRun(arms, steps, verdict, arm)
    if (run !== null) runs.push(run)
  }
  return runs
}

/** A memory keeps its newest marks only: whether an older run had feedback, and failed by it, is not known any more. */
function isForgotten(state: ActorState, runId: string, steps: readonly MemoryRecord[]): boolean {
  return [...(state.exposedByRun.get(runId)?.keys() ?? [])].some((memoryId) => {
    const { length, 0: oldest } = state.memories.get(memoryId)?.marks ?? []
    return length === MARKS_MAX && oldest !== undefined && steps.some(({ seq }) => seq < oldest.seq)
  })
}

interface ErasedSpan {
  fromMs: number
  untilSeq: number
}

/** From the time of the first guide that was erased to the last erasure: such a guide may have named no run. */
function erasedSpan({ erasedGuides }: ActorState): ErasedSpan {
  const span = { fromMs: Number.POSITIVE_INFINITY, untilSeq: 0 }
  for (const { kind, id, seq } of erasedGuides.values()) {
    if (kind === 'guide') span.fromMs = Math.min(span.fromMs, guideTimeOf(id))
    span.untilSeq = Math.max(span.untilSeq, seq)
  }
  return span
}

function isWithin({ fromMs, untilSeq }: ErasedSpan, { createdAtMs, seq }: MemoryRecord): boolean {
  return createdAtMs >= fromMs && seq < untilSeq
}

function stepsOf(
  state: ActorState,
  runId: string,
  taskSignature: string | null,
  eyes: Viewer,
): readonly MemoryRecord[] {
  const steps: MemoryRecord[] = []
  for (const memoryId of memoriesOfRun(state, runId)) {
    const record = state.memories.get(memoryId)
    if (record === undefined || record.runId !== runId || !isStep(record)) continue
    if (taskSignature !== null && record.taskSignature !== taskSignature) continue
    steps.push(record)
  }
  return steps.some((record) => canSee(eyes, record)) ? steps : []
}

function outcomeRun(
  arms: GuideArms,
  steps: readonly MemoryRecord[],
  verdict: RunVerdict,
  arm: OutcomeRun['arm'] | 'unshown',
): EndedRun | null {
  if (arm === 'unshown' && mayHaveBeenShown(arms, steps)) return null
  const isSuccess = successOf(steps, verdict)
  const taskKey = isSuccess === null ? null : taskKeyOf(steps)
  if (taskKey === null || isSuccess === null) return null
  const endedAtMs = Math.max(...steps.map(({ updatedAtMs }) => updatedAtMs))
  return { taskKey, arm: arm === 'guided' ? 'guided' : 'without_memory', isSuccess, endedAtMs }
}

/** Runs of one task share signature and task id; a run that names neither cannot be paired. */
function taskKeyOf(steps: readonly MemoryRecord[]): string | null {
  const taskId = steps.findLast((step) => step.taskId !== null)?.taskId ?? null
  const signature = steps.findLast((step) => step.taskSignature !== null)?.taskSignature ?? null
  if (taskId === null && signature === null) return null
  // The length keeps apart what only reads alike once it is put together.
  return signature === null
    ? `:${taskId}`
    : `${signature.length}:${signature}${taskId === null ? '' : `:${taskId}`}`
}

/** Null: shown something, but nothing for direct use, or by a guide that is not looked at. */
function shownArm(
  state: ActorState,
  arms: GuideArms,
  verdict: RunVerdict,
  runId: string,
): OutcomeRun['arm'] | 'unshown' | null {
  const arm = arms.ofRun.get(runId)
  if (arm === 'guided') return 'guided'
  if (arm === 'withheld') return 'without_memory'
  const isErased = state.erasedGuides.has(guideErasureKey({ kind: 'run', id: runId, madeFor: null }))
  const isShown = arm !== undefined || verdict.isTold || isErased || state.exposedByRun.has(runId)
  return isShown ? null : 'unshown'
}

/** No guide names the run. One that is kept no longer, or that named no run, may still have been its. */
function mayHaveBeenShown({ fromSeq, runlessSince }: GuideArms, steps: readonly MemoryRecord[]): boolean {
  return steps.some(({ producerAgentId, seq }) => {
    const since = runlessSince.get(producerAgentId ?? LOCAL_AGENT)
    return seq <= fromSeq || (since !== undefined && since < seq)
  })
}

/** Null: nobody said how the run ended. */
function successOf(steps: readonly MemoryRecord[], verdict: RunVerdict): boolean | null {
  if (verdict.isNegative) return false
  return SUCCESS_OF[lastOutcome(steps)] ?? (verdict.isDirectPositive ? true : null)
}

/** What an outcome says of the end of a run; null: nothing. */
const SUCCESS_OF: Readonly<Record<Outcome, boolean | null>> = {
  succeeded: true,
  failed: false,
  blocked: false,
  interrupted: null,
  unknown: null,
}

/** Memory of the guides that another one supersedes, invalidates or contradicts. */
function relationTargets(
  state: ActorState,
  guides: readonly RecordedGuide[],
  eyes: Viewer,
): readonly string[] {
  const ids = new Set(guides.flatMap(({ exposed }) => SURFACES.flatMap((surface) => exposed[surface])))
  return [...ids].filter((id) => {
    const relations = state.relationsByTarget.get(id) ?? []
    if (!relations.some(({ type, effective }) => effective && COUNTER_RELATIONS.includes(type))) return false
    const record = state.memories.get(id)
    return record !== undefined && canSee(eyes, record)
  })
}

const COUNTER_RELATIONS: readonly string[] = ['supersedes', 'invalidates', 'contradicts']
