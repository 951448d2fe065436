import fc from 'fast-check'
import type { RecordedEnd, RecordedFeedback, RecordedGuide } from '../../src/core/measure/evidence.ts'
import type { Exposed } from '../../src/core/measure/guide-snapshot.ts'
import {
  type ManualPair,
  type MeasureJob,
  type RuntimeRecords,
  readMeasureInput,
} from '../../src/core/measure/job.ts'
import { DEFAULT_THRESHOLDS } from '../../src/core/measure/kernel-report.ts'
import {
  AMOUNT_METRICS,
  type AmountMetric,
  FLAG_METRICS,
  type FlagMetric,
} from '../../src/core/measure/metrics.ts'
import { NO_OBSERVATION, type Observation, readObservation } from '../../src/core/measure/observation.ts'
import type { RunFacts, RunStep } from '../../src/core/measure/recorded-runs.ts'

/** A run without memory: it finds everything out again, uses no workflow, and stale memory reaches it. */
export const POOR = {
  repeatedDiscoverySteps: 4,
  continuityGuidanceCorrect: false,
  recoveredStateFacts: 2,
  expectedStateFacts: 8,
  verifiedFactsCarried: 1,
  verifiedFactsExpected: 4,
  workflowReused: false,
  stableWorkflowReused: false,
  provisionalMemoriesWritten: 0,
  trustedPromotions: 0,
  weakEvidencePromoted: 0,
  counterEvidenceDemotions: 0,
  contextItems: 20,
  usefulContextItems: 8,
  staleMemorySurfaced: 3,
  staleMemorySuppressed: 1,
  archivedMemoryRehydratedOnDemand: 0,
  unnecessaryRehydrations: 0,
  weakEvidenceBlocked: 0,
  authorityRequiresEvidence: true,
  blockedAuthorityVisible: false,
  unverifiedAuthorityApplied: 0,
}

/** A run with memory that works as it should. */
export const GOOD = {
  ...POOR,
  repeatedDiscoverySteps: 0,
  continuityGuidanceCorrect: true,
  recoveredStateFacts: 8,
  verifiedFactsCarried: 4,
  workflowReused: true,
  stableWorkflowReused: true,
  trustedPromotions: 1,
  contextItems: 10,
  usefulContextItems: 9,
  staleMemorySurfaced: 0,
  staleMemorySuppressed: 4,
  archivedMemoryRehydratedOnDemand: 1,
  weakEvidenceBlocked: 2,
  blockedAuthorityVisible: true,
}

export function observed(wire: Readonly<Record<string, unknown>>): Observation {
  return readObservation(wire, 'baseline').observation
}

export const NO_RECORDS: RuntimeRecords = {
  guides: [],
  feedback: [],
  ends: [],
  runs: [],
  rejectedSteps: [],
  memories: [],
  relationTargetIds: [],
  outcomes: [],
}

export const TASK = {
  taskId: null,
  runId: 'run-2',
  taskSignature: 'fix-login',
  taskFamily: null,
  workflowSignature: 'repair-loop',
}

const JOB: Omit<MeasureJob, 'input'> = {
  task: TASK,
  thresholds: DEFAULT_THRESHOLDS,
  comparison: { mode: null, baselineRunId: null, guidedRunId: null, sufficientEvidence: null },
  evidenceIds: [],
  records: NO_RECORDS,
  seed: 1,
}

export function manualJob(baseline: object, guided: object, more: Partial<MeasureJob> = {}): MeasureJob {
  const input: ManualPair = {
    source: 'manual_observations',
    baseline: observed({ ...baseline }),
    guided: observed({ ...guided }),
  }
  return { ...JOB, input, ...more }
}

export const hashOf = (text: string): string => `hash of ${text}`

/** A job over a product trace as it comes in a request. */
export function traceJob(productTrace: object, more: Partial<MeasureJob> = {}): MeasureJob {
  const read = readMeasureInput({ product_trace: productTrace }, hashOf)
  return {
    ...JOB,
    input: read.input,
    evidenceIds: read.evidenceIds,
    ...more,
    comparison: { ...JOB.comparison, sufficientEvidence: read.sufficientEvidence, ...more.comparison },
  }
}

export const NOTHING: Exposed = { use_now: [], inspect_before_use: [], rehydrate: [], do_not_use: [] }
export const SHOWN: Exposed = { ...NOTHING, use_now: ['m1'], do_not_use: ['m9'] }

/** The guide before and the guide after, as the actor holds them. */
export const BEFORE: RecordedGuide = {
  guideTraceId: 'guide_trace:before',
  seq: 10,
  runId: 'run-2',
  consumerAgentId: 'worker-1',
  consumerTeamId: null,
  queryHash: 'q',
  promptHash: hashOf('nothing'),
  exposed: NOTHING,
  reasons: { memoryIds: [], codes: [] },
}
export const AFTER: RecordedGuide = {
  ...BEFORE,
  guideTraceId: 'guide_trace:after',
  seq: 20,
  promptHash: hashOf('use m1'),
  exposed: SHOWN,
  reasons: { memoryIds: ['m1', 'm9'], codes: ['clear', 'suppressed'] },
}

/** A guide response of this project, as far as measure reads it. */
export function response(guide: RecordedGuide, promptText: string): Readonly<Record<string, unknown>> {
  const { exposed } = guide
  const isUsed = Object.values(exposed).some((ids) => ids.length > 0)
  return {
    contract_version: 'svc_guide_result_v1',
    guide_trace_id: guide.guideTraceId,
    agent_context: {
      prompt_text: promptText,
      history_used: isUsed,
      actionable_history_used: isUsed,
      target_files: [],
      use_now_memory_ids: exposed.use_now,
      inspect_before_use_memory_ids: exposed.inspect_before_use,
      rehydrate_memory_ids: exposed.rehydrate,
      do_not_use_memory_ids: exposed.do_not_use,
      evidence_refs: { memory_ids: [], workflow_ids: [], evidence_count: 0 },
      risk: { stale_memory_count: 0 },
    },
  }
}

export const TRACE = {
  before_guide: response(BEFORE, 'nothing'),
  after_guide: response(AFTER, 'use m1'),
}

export const PASSED: RecordedFeedback = {
  memoryId: 'm1',
  runId: 'run-2',
  guideTraceId: AFTER.guideTraceId,
  seq: 30,
  outcome: 'positive',
  isDirect: true,
  isStrong: false,
  isLowering: false,
  verifierStatus: 'passed',
}
export const FAILED: RecordedFeedback = {
  ...PASSED,
  outcome: 'negative',
  isStrong: true,
  isLowering: true,
  verifierStatus: 'failed',
}

/** The run of the guide before failed. */
export const LOST: RecordedEnd = { guideTraceId: BEFORE.guideTraceId, isSuccess: false }

export const HELD: RuntimeRecords = {
  ...NO_RECORDS,
  guides: [BEFORE, AFTER],
  feedback: [PASSED],
  ends: [LOST],
}

export const STEP: RunStep = {
  memoryId: 'm1',
  summary: 'Injected the clock',
  workflowSteps: ['Reproduce the failure', 'Inject the clock'],
  acceptanceChecks: ['npm test -- login'],
  targetFiles: ['src/auth/session.ts'],
  evidenceRefs: ['ci://42'],
  preconditions: [],
  isFailed: false,
  isUsable: true,
}
export const RUN: RunFacts = {
  runId: 'run-1',
  seq: 5,
  taskId: null,
  taskFamily: null,
  taskSignature: 'fix-login',
  workflowSignature: 'repair-loop',
  outcome: 'succeeded',
  steps: [STEP],
  hasPassedVerifier: true,
  hasDirectPositive: true,
  hasNegative: false,
}

const amounts: Record<AmountMetric, fc.Arbitrary<number | null>> = { ...NO_OBSERVATION.amounts } as never
for (const name of AMOUNT_METRICS) amounts[name] = fc.option(fc.integer({ min: 0, max: 12 }), { freq: 5 })
const flags: Record<FlagMetric, fc.Arbitrary<boolean | null>> = { ...NO_OBSERVATION.flags } as never
for (const name of FLAG_METRICS) flags[name] = fc.option(fc.boolean(), { freq: 5 })

/** Observations without a word on success, so that the kernels alone decide. */
export const anyObservation: fc.Arbitrary<Observation> = fc
  .record({ amounts: fc.record(amounts), flags: fc.record(flags) })
  .map((metrics) => ({ ...NO_OBSERVATION, ...metrics }))
