import { type Outcome, SURFACES } from '../base/closed-sets.ts'
import { listAt } from '../base/collections.ts'
import { disputesOf } from '../model/dispute.ts'
import { isSuppressed, validityAt } from '../model/lifecycle.ts'
import type { FeedbackMark, MemoryRecord, TaskRef } from '../model/record.ts'
import { citingKnown } from '../model/references.ts'
import type { ActorState } from '../model/state.ts'
import { canRead, canSee, type Viewer } from '../model/visibility.ts'
import { isTrustedThrough } from '../policy/lineage.ts'
import type { RecordedGuide } from './evidence.ts'
import { objectOf, partOf, textsOf } from './wire-object.ts'

/** The newest steps of a signature that are looked at, and the newest runs that are told of. */
export const STEPS_MAX = 1000
export const RUNS_MAX = 200

export type SignatureRef = Pick<TaskRef, 'taskSignature' | 'workflowSignature'>

export type SignedSteps = ReturnType<typeof signedSteps>

/** The newest steps of a task or workflow, by run, in the order of first writing. */
export function signedSteps(state: ActorState, signature: SignatureRef) {
  const ids = [...signedIds(state, signature)]
  const stepsByRun = new Map<string, MemoryRecord[]>()
  for (const id of ids.slice(-STEPS_MAX)) {
    const record = state.memories.get(id)
    if (record === undefined || !isStepOf(record, signature)) continue
    listAt(stepsByRun, record.runId ?? '').push(record)
  }
  for (const steps of stepsByRun.values()) steps.sort((a, b) => a.slot - b.slot)
  return { byRun: stepsByRun, isCut: ids.length > STEPS_MAX }
}

/** The recorded runs of a task or workflow. Their outcomes are facts for everyone; steps are those that the eyes know. */
export function recordedRuns(
  state: ActorState,
  { byRun, isCut }: SignedSteps,
  verdictOf: VerdictOf,
  eyes: Viewer,
  nowMs: number,
) {
  const read = (record: MemoryRecord): RunStep =>
    stepOf(citingKnown(state, record, eyes), isUsable(state, record, eyes, nowMs))
  const runs = Array.from(byRun, ([runId, steps]) => {
    const known = steps.filter((record) => canSee(eyes, record)).map(read)
    return runFacts(runId, steps, known, verdictOf(runId))
  })
    .filter((run) => eyes === null || run.steps.length > 0)
    .sort((a, b) => a.seq - b.seq)
  return { runs: runs.slice(-RUNS_MAX), isCut: isCut || runs.length > RUNS_MAX }
}

/** A step of work: what an agent recorded of a run. Handoffs and claims tell of one, they are none. */
export function isStep(record: MemoryRecord): boolean {
  const isOther = record.handoff !== null || record.claim !== null
  return record.domain === 'execution' && record.runId !== null && !isOther
}

/** How a run ended: the last outcome that says something, in the order of writing. */
export function lastOutcome(steps: readonly MemoryRecord[]): Outcome {
  let outcome: Outcome = 'unknown'
  let seq = -1
  for (const { content, seq: at } of steps) {
    if (content.outcome === null || content.outcome === 'unknown' || at < seq) continue
    outcome = content.outcome
    seq = at
  }
  return outcome
}

function signedIds(
  state: ActorState,
  { taskSignature, workflowSignature }: SignatureRef,
): ReadonlySet<string> {
  const ofTask = taskSignature === null ? undefined : state.bySignature.get(taskSignature)
  const ofWorkflow = workflowSignature === null ? undefined : state.byWorkflow.get(workflowSignature)
  return new Set([...(ofTask ?? []), ...(ofWorkflow ?? [])])
}

function isStepOf(record: MemoryRecord, { taskSignature, workflowSignature }: SignatureRef): boolean {
  const isOfTask = taskSignature !== null && record.taskSignature === taskSignature
  const isOfWorkflow = workflowSignature !== null && record.workflowSignature === workflowSignature
  return isStep(record) && (isOfTask || isOfWorkflow)
}

function runFacts(
  runId: string,
  steps: readonly MemoryRecord[],
  known: readonly RunStep[],
  verdict: RunVerdict,
) {
  const last = <T>(pick: (record: MemoryRecord) => T | null): T | null =>
    steps.reduce<T | null>((found, record) => pick(record) ?? found, null)
  return {
    runId,
    // Journal order of its last step.
    seq: steps.reduce((latest, { seq }) => Math.max(latest, seq), 0),
    taskId: last(({ taskId }) => taskId),
    taskFamily: last(({ taskFamily }) => taskFamily),
    taskSignature: last(({ taskSignature }) => taskSignature),
    workflowSignature: last(({ workflowSignature }) => workflowSignature),
    outcome: lastOutcome(steps),
    // In the order of recording.
    steps: known,
    hasPassedVerifier: verdict.isVerified || hasPassed(steps),
    // A positive outcome was credited to memory that was given for direct use.
    hasDirectPositive: steps.some(({ counters }) => counters.positive > 0),
    // What feedback lowered and nothing raised again speaks against the run as well.
    hasNegative: verdict.isNegative || steps.some(({ facets }) => facets.standing !== 'active'),
  }
}

function stepOf({ memoryId, content }: MemoryRecord, usable: boolean) {
  return {
    memoryId,
    summary: content.summary ?? content.title,
    workflowSteps: content.workflowSteps,
    acceptanceChecks: content.acceptanceChecks,
    targetFiles: content.targetFiles,
    evidenceRefs: content.evidenceRefs,
    // What it said must hold beforehand.
    preconditions: textsOf(partOf(objectOf(content.payload), 'slots'), 'preconditions'),
    // Itself, however its run ended: what not to do.
    isFailed: content.outcome === 'failed' || content.outcome === 'blocked',
    // False: its text is used for nothing.
    isUsable: usable,
  }
}

/** Whether its text may stand in a report: a lowered step may, as what not to do. */
export function isUsable(state: ActorState, record: MemoryRecord, eyes: Viewer, nowMs: number): boolean {
  const { facets, findings } = record
  const isLive = validityAt(facets, nowMs) === 'live' && !isSuppressed(facets, nowMs)
  const isDoubtful =
    facets.standing === 'contested' ||
    findings.length > 0 ||
    disputesOf(state, record, nowMs, null).some(({ yields }) => yields)
  return isLive && !isDoubtful && canRead(eyes, record) && isTrustedThrough(state, record, eyes)
}

/** The last step that a verifier looked at passed it. */
function hasPassed(steps: readonly MemoryRecord[]): boolean {
  const verifier = steps.findLast(({ content }) => content.verifier.length > 0)?.content.verifier ?? []
  return (
    verifier.some(({ status }) => status === 'passed') && !verifier.some(({ status }) => status === 'failed')
  )
}

export interface MarkedMemory {
  readonly record: MemoryRecord
  readonly mark: FeedbackMark
}

/**
 * Outcomes that name one of the runs or guides, whatever memory they stand at: feedback may name memory that another
 * run was shown. A guide can only be named at memory that it exposed.
 */
export function runMarks(
  state: Pick<ActorState, 'memories' | 'markedByRun'>,
  runIds: ReadonlySet<string>,
  guides: readonly RecordedGuide[],
): readonly MarkedMemory[] {
  const memoryIds = new Set(guides.flatMap(({ exposed }) => SURFACES.flatMap((surface) => exposed[surface])))
  for (const runId of runIds) for (const id of state.markedByRun.get(runId) ?? []) memoryIds.add(id)
  const traceIds = new Set(guides.map(({ guideTraceId }) => guideTraceId))
  // In order of writing: that of a lookup differs after a reload.
  const records = [...memoryIds]
    .flatMap((memoryId) => state.memories.get(memoryId) ?? [])
    .sort((a, b) => a.slot - b.slot)
  const marks: MarkedMemory[] = []
  for (const record of records) {
    for (const mark of record.marks) {
      const isNamed = mark.guideTraceId !== null && traceIds.has(mark.guideTraceId)
      if (isNamed || runIds.has(mark.runId)) marks.push({ record, mark })
    }
  }
  return marks
}

/** What feedback said of one run. */
export interface RunVerdict {
  /** Feedback names the run, so some guide gave it memory. */
  readonly isTold: boolean
  readonly isNegative: boolean
  /** A positive outcome was credited to memory that the run was given for direct use. */
  readonly isDirectPositive: boolean
  /** Such a positive, with a passed verifier, and no negative beside it. */
  readonly isVerified: boolean
}

const NOTHING_SAID: RunVerdict = {
  isTold: false,
  isNegative: false,
  isDirectPositive: false,
  isVerified: false,
}

export type VerdictOf = (runId: string) => RunVerdict

export function runVerdicts(marks: readonly MarkedMemory[]): VerdictOf {
  const verdicts = new Map<string, RunVerdict>()
  for (const { mark } of marks) {
    const known = verdicts.get(mark.runId) ?? NOTHING_SAID
    const isNegative = known.isNegative || mark.outcome === 'negative'
    const isPassed = mark.direct && mark.verifierStatus === 'passed'
    verdicts.set(mark.runId, {
      isTold: true,
      isNegative,
      isDirectPositive: known.isDirectPositive || mark.direct,
      isVerified: !isNegative && (known.isVerified || isPassed),
    })
  }
  return (runId) => verdicts.get(runId) ?? NOTHING_SAID
}

/** One recorded run, from real records only. */
export type RunFacts = ReturnType<typeof runFacts>
export type RunStep = ReturnType<typeof stepOf>

/** A run whose steps may be followed: it succeeded, and no negative outcome speaks against it. */
export function isExemplary(run: RunFacts): boolean {
  return run.outcome === 'succeeded' && !run.hasNegative
}

/** A run that shows what not to do. */
export function isCounterExample(run: RunFacts): boolean {
  return run.outcome === 'failed' || run.outcome === 'blocked' || run.hasNegative
}
