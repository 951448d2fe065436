import process from 'node:process'
import type { z } from 'zod'
import { systemClock } from '../adapters/system/clock.ts'
import { systemEntropy } from '../adapters/system/entropy.ts'
import { pinoLog } from '../adapters/system/log.ts'
import type { BlastRadiusRequest, BlastRadiusResponse } from '../contract/blast-radius.ts'
import type { DecisionReportRequest, DecisionReportResponse } from '../contract/decision-report.ts'
import type { DecisionTraceRequest, DecisionTraceResponse } from '../contract/decision-trace.ts'
import type { Frozen } from '../contract/envelope.ts'
import type { EraseRequest, EraseResponse } from '../contract/erase.ts'
import type { FeedbackRequest, FeedbackResponse } from '../contract/feedback.ts'
import type { FinishRequest, FinishResponse } from '../contract/finish.ts'
import type { FlightRecorderRequest, FlightRecorderResponse } from '../contract/flight-recorder.ts'
import type { ForgetRequest, ForgetResponse } from '../contract/forget.ts'
import type { GovernRequest, GovernResponse } from '../contract/govern.ts'
import type { GuidePromptResponse, GuideRequest, GuideResponse } from '../contract/guide.ts'
import type { HealthResponse } from '../contract/health.ts'
import type { MeasureRequest, MeasureResponse } from '../contract/measure.ts'
import type { ObserveRequest, ObserveResponse } from '../contract/observe.ts'
import type { RequestedName } from '../contract/operations.ts'
import type { OperatorSnapshotRequest, OperatorSnapshotResponse } from '../contract/operator-snapshot.ts'
import type { RehydrateRequest, RehydrateResponse } from '../contract/rehydrate.ts'
import type { ResolveRequest, ResolveResponse } from '../contract/resolve.ts'
import type { SettleRequest, SettleResponse } from '../contract/settle.ts'
import type {
  ListSkillsRequest,
  ListSkillsResponse,
  ProposeSkillsRequest,
  ProposeSkillsResponse,
  ReviewSkillRequest,
  ReviewSkillResponse,
} from '../contract/skills.ts'
import { compose } from './compose.ts'
import { readConfig } from './config/config.ts'
import type { Config } from './config/options.ts'
import { type DatedBody, plainBody } from './embedded-body.ts'

// Bodies as a caller writes them: times are dates or ISO 8601 text, every optional field may be left out.
export type ObserveBody = DatedBody<typeof ObserveRequest>
export type GuideBody = Frozen<z.input<typeof GuideRequest>>
export type GovernBody = Frozen<z.input<typeof GovernRequest>>
export type FeedbackBody = Frozen<z.input<typeof FeedbackRequest>>
export type FinishBody = Frozen<z.input<typeof FinishRequest>>
export type ForgetBody = DatedBody<typeof ForgetRequest>
export type EraseBody = Frozen<z.input<typeof EraseRequest>>
export type RehydrateBody = Frozen<z.input<typeof RehydrateRequest>>
export type ResolveBody = Frozen<z.input<typeof ResolveRequest>>
export type MeasureBody = Frozen<z.input<typeof MeasureRequest>>
export type ProposeSkillsBody = Frozen<z.input<typeof ProposeSkillsRequest>>
export type ListSkillsBody = Frozen<z.input<typeof ListSkillsRequest>>
export type ReviewSkillBody = Frozen<z.input<typeof ReviewSkillRequest>>
export type OperatorSnapshotBody = Frozen<z.input<typeof OperatorSnapshotRequest>>
export type SettleBody = Frozen<z.input<typeof SettleRequest>>
export type BlastRadiusBody = Frozen<z.input<typeof BlastRadiusRequest>>
export type DecisionTraceBody = Frozen<z.input<typeof DecisionTraceRequest>>
export type DecisionReportBody = Frozen<z.input<typeof DecisionReportRequest>>
export type FlightRecorderBody = DatedBody<typeof FlightRecorderRequest>

/** Options that only a server has. */
type ServerOption =
  | 'host'
  | 'port'
  | 'socket'
  | 'bodyLimitBytes'
  | 'connectionsMax'
  | 'requestTimeoutMs'
  | 'transitBytesMax'
  | 'shutdownDeadlineMs'
  | 'metricsHost'
  | 'metricsPort'
  // Read from the environment only.
  | 'embeddingsKey'
  | 'requestLogKey'

/**
 * The options of `memgov serve` as far as they do not concern the network, by their camelCase names. What is left out
 * comes from the environment (`MEMGOV_DATA_DIR` …), then from the defaults.
 */
export type RuntimeOptions = Partial<Omit<Config, ServerOption>>

/**
 * The service inside this process: the same request and response objects as over HTTP. Every operation rejects with
 * a `MemgovError` (`code`, `status`, `details`) when the request is refused, and then nothing was written. A body
 * may carry `operation_id`: repeated with the same body it gets the first answer again, also after a restart.
 */
export interface MemgovRuntime {
  /** Records memory, execution evidence, a handoff or claims: everything in the body or nothing. */
  observe(body: ObserveBody): Promise<ObserveResponse>
  /** Compiles governed context; `agent_context.prompt_text` is for the agent, the rest for its host. */
  guide(body: GuideBody & { readonly view?: null }): Promise<GuideResponse>
  /** With `view: "prompt"`: the prompt and what its handles stand for. */
  guide(body: GuideBody & { readonly view: 'prompt' }): Promise<GuidePromptResponse>
  guide(body: GuideBody): Promise<GuideResponse | GuidePromptResponse>
  /** Decides what candidates of another backend may do; writes nothing. */
  govern(body: GovernBody): Promise<GovernResponse>
  /** Attributes an outcome to memory that a guide exposed. */
  feedback(body: FeedbackBody): Promise<FeedbackResponse>
  /** Records how a run ended, and attributes it to what the run used of its guide: both or neither. */
  finish(body: FinishBody): Promise<FinishResponse>
  /** Suppresses, restores, activates or rehydrates memory, with an audit reason. Nothing is deleted. */
  forget(body: ForgetBody): Promise<ForgetResponse>
  /** Takes the content of memory away for good, from memory and from every file. Ids and counters stay. */
  erase(body: EraseBody): Promise<EraseResponse>
  /** Expands the evidence of memory. */
  rehydrate(body: RehydrateBody): Promise<RehydrateResponse>
  /** Resolves a memory URI. */
  resolve(body: ResolveBody): Promise<ResolveResponse>
  /** Reports what memory changed, as far as the records support it; changes nothing. */
  measure(body: MeasureBody): Promise<MeasureResponse>
  /** Stores skill candidates that recorded runs give, for review. */
  proposeSkills(body: ProposeSkillsBody): Promise<ProposeSkillsResponse>
  listSkills(body?: ListSkillsBody): Promise<ListSkillsResponse>
  /** Marks a candidate as promoted, and nothing else: to let agents use it, observe it. */
  promoteSkill(body: ReviewSkillBody): Promise<ReviewSkillResponse>
  rejectSkill(body: ReviewSkillBody): Promise<ReviewSkillResponse>
  /** The state of an actor, a run or a guide, for an operator; changes nothing. */
  operatorSnapshot(body?: OperatorSnapshotBody): Promise<OperatorSnapshotResponse>
  /** Decides which of two memories that dispute each other stands. For operators. */
  settle(body: SettleBody): Promise<SettleResponse>
  /** What a memory, or everything from one source, has touched; changes nothing. */
  blastRadius(body: BlastRadiusBody): Promise<BlastRadiusResponse>
  /** Tells why a guide showed what it showed, and what came of it. For operators; changes nothing. */
  decisionTrace(body: DecisionTraceBody): Promise<DecisionTraceResponse>
  /** The decision trace as a report. For operators; changes nothing. */
  decisionReport(body: DecisionReportBody): Promise<DecisionReportResponse>
  /** Replays what an agent was shown at a moment, why, and what would be shown now. Changes nothing. */
  flightRecorder(body: FlightRecorderBody): Promise<FlightRecorderResponse>
  /** Readiness, storage and bounds. Never waits for the disk. */
  health(): HealthResponse
  /**
   * The numbers of this runtime in the text format of Prometheus, all named memgov_: to be added to what the host
   * tells of its process. Rejects unless the option `metrics` is true.
   */
  metrics(): Promise<string>
  /**
   * Finishes what is inside, writes snapshots and releases the data folder; later calls are refused with
   * `shutting_down`. The process can then end by itself. Idempotent.
   */
  close(): Promise<void>
}

/**
 * Starts the service inside this process, over a data folder that no other process uses.
 * Rejects with a `ConfigError` that names the option, or an Error that names the folder and what is wrong with it:
 * in use and by whom, damaged, or of another format.
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<MemgovRuntime> {
  const { config, warnings } = readConfig(options)
  const log = pinoLog(config.logLevel, process.stderr)
  for (const warning of warnings) log.warn({}, warning)
  const composed = await compose(config, {
    clock: systemClock(),
    entropy: systemEntropy(),
    log,
  })
  const { runtime, metrics } = composed
  const executed = async <Name extends RequestedName>(operation: Name, body: object) =>
    runtime.execute(operation, plainBody(body), NO_CONTEXT)
  function guide(body: GuideBody & { readonly view?: null }): Promise<GuideResponse>
  function guide(body: GuideBody & { readonly view: 'prompt' }): Promise<GuidePromptResponse>
  function guide(body: GuideBody): Promise<GuideResponse | GuidePromptResponse> {
    return executed('guide', body)
  }
  return {
    observe: (body) => executed('observe', body),
    guide,
    govern: (body) => executed('govern', body),
    feedback: (body) => executed('feedback', body),
    finish: (body) => executed('finish', body),
    forget: (body) => executed('forget', body),
    erase: (body) => executed('erase', body),
    rehydrate: (body) => executed('rehydrate', body),
    resolve: (body) => executed('resolve', body),
    measure: (body) => executed('measure', body),
    proposeSkills: (body) => executed('proposeSkills', body),
    listSkills: (body = {}) => executed('listSkills', body),
    promoteSkill: (body) => executed('promoteSkill', body),
    rejectSkill: (body) => executed('rejectSkill', body),
    operatorSnapshot: (body = {}) => executed('operatorSnapshot', body),
    settle: (body) => executed('settle', body),
    blastRadius: (body) => executed('blastRadius', body),
    decisionTrace: (body) => executed('decisionTrace', body),
    decisionReport: (body) => executed('decisionReport', body),
    flightRecorder: (body) => executed('flightRecorder', body),
    health: () => runtime.health(),
    metrics: async () => {
      if (metrics === null)
        throw new Error('Nothing is counted: give createRuntime the option metrics: true.')
      return metrics.text()
    },
    close: () => composed.close(),
  }
}

const NO_CONTEXT = { requestId: 'embedded', operationId: null }
