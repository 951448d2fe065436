// What an embedder may use: `import { createRuntime } from 'memgov'`.

export { ConfigError } from './app/config/config.ts'
export {
  type BlastRadiusBody,
  createRuntime,
  type DecisionReportBody,
  type DecisionTraceBody,
  type FeedbackBody,
  type FinishBody,
  type FlightRecorderBody,
  type ForgetBody,
  type GovernBody,
  type GuideBody,
  type ListSkillsBody,
  type MeasureBody,
  type MemgovRuntime,
  type ObserveBody,
  type OperatorSnapshotBody,
  type ProposeSkillsBody,
  type RehydrateBody,
  type ResolveBody,
  type ReviewSkillBody,
  type RuntimeOptions,
  type SettleBody,
} from './app/create-runtime.ts'
export type { BlastRadiusResponse } from './contract/blast-radius.ts'
export type { DecisionReportResponse } from './contract/decision-report.ts'
export type { DecisionTraceResponse } from './contract/decision-trace.ts'
export type { FeedbackResponse } from './contract/feedback.ts'
export type { FinishResponse } from './contract/finish.ts'
export type { FlightRecorderResponse } from './contract/flight-recorder.ts'
export type { ForgetResponse } from './contract/forget.ts'
export type { GovernResponse } from './contract/govern.ts'
export type { GuidePromptResponse, GuideResponse } from './contract/guide.ts'
export type { HealthResponse } from './contract/health.ts'
export type { MeasureResponse } from './contract/measure.ts'
export type { ObserveResponse } from './contract/observe.ts'
export type { OperatorSnapshotResponse } from './contract/operator-snapshot.ts'
export type { RehydrateResponse } from './contract/rehydrate.ts'
export type { ResolveResponse } from './contract/resolve.ts'
export type { SettleResponse } from './contract/settle.ts'
export type {
  ListSkillsResponse,
  ProposeSkillsResponse,
  ReviewSkillResponse,
} from './contract/skills.ts'
/** Every refusal: `code`, `status` and `details`. Whatever else is thrown is a fault of the service. */
export { DomainError as MemgovError, type ErrorCode } from './core/base/errors.ts'
