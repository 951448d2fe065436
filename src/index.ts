// What an embedder may use: `import { createRuntime } from 'memgov'`. The package brings generated types along, which a
// test holds against these.

import type { BodyOf } from './app/create-runtime.ts'
import type { AnswerOf } from './contract/operations.ts'

export { ConfigError } from './app/config/config.ts'
export {
  createRuntime,
  type MemgovLogger,
  type MemgovRuntime,
  type RuntimeOptions,
} from './app/create-runtime.ts'
export { type ErrorCode, MemgovError, type StartErrorCode } from './core/base/errors.ts'

export type ObserveBody = BodyOf<'observe'>
export type GuideBody = BodyOf<'guide'>
export type GovernBody = BodyOf<'govern'>
export type FeedbackBody = BodyOf<'feedback'>
export type FinishBody = BodyOf<'finish'>
export type ListActorsBody = BodyOf<'listActors'>
export type ListMemoriesBody = BodyOf<'listMemories'>
export type SearchMemoriesBody = BodyOf<'searchMemories'>
export type ListGuidesBody = BodyOf<'listGuides'>
export type ListExternalBody = BodyOf<'listExternal'>
export type ListReviewBody = BodyOf<'listReview'>
export type CountRulesBody = BodyOf<'countRules'>
export type CompareEffectBody = BodyOf<'compareEffect'>
export type ForgetBody = BodyOf<'forget'>
export type EraseBody = BodyOf<'erase'>
export type RehydrateBody = BodyOf<'rehydrate'>
export type ResolveBody = BodyOf<'resolve'>
export type MeasureBody = BodyOf<'measure'>
export type ProposeSkillsBody = BodyOf<'proposeSkills'>
export type ListSkillsBody = BodyOf<'listSkills'>
export type ReviewSkillBody = BodyOf<'promoteSkill'>
export type SettleBody = BodyOf<'settle'>
export type OperatorSnapshotBody = BodyOf<'operatorSnapshot'>
export type BlastRadiusBody = BodyOf<'blastRadius'>
export type DecisionTraceBody = BodyOf<'decisionTrace'>
export type DecisionReportBody = BodyOf<'decisionReport'>
export type FlightRecorderBody = BodyOf<'flightRecorder'>

export type ObserveResponse = AnswerOf<'observe'>
export type GuideResponse = AnswerOf<'guide'>
export type { GuidePromptResponse } from './contract/guide.ts'
export type GovernResponse = AnswerOf<'govern'>
export type FeedbackResponse = AnswerOf<'feedback'>
export type FinishResponse = AnswerOf<'finish'>
export type ListActorsResponse = AnswerOf<'listActors'>
export type ListMemoriesResponse = AnswerOf<'listMemories'>
export type SearchMemoriesResponse = AnswerOf<'searchMemories'>
export type ListGuidesResponse = AnswerOf<'listGuides'>
export type ListExternalResponse = AnswerOf<'listExternal'>
export type ListReviewResponse = AnswerOf<'listReview'>
export type CountRulesResponse = AnswerOf<'countRules'>
export type CompareEffectResponse = AnswerOf<'compareEffect'>
export type ForgetResponse = AnswerOf<'forget'>
export type EraseResponse = AnswerOf<'erase'>
export type RehydrateResponse = AnswerOf<'rehydrate'>
export type ResolveResponse = AnswerOf<'resolve'>
export type MeasureResponse = AnswerOf<'measure'>
export type ProposeSkillsResponse = AnswerOf<'proposeSkills'>
export type ListSkillsResponse = AnswerOf<'listSkills'>
export type ReviewSkillResponse = AnswerOf<'promoteSkill'>
export type SettleResponse = AnswerOf<'settle'>
export type OperatorSnapshotResponse = AnswerOf<'operatorSnapshot'>
export type BlastRadiusResponse = AnswerOf<'blastRadius'>
export type DecisionTraceResponse = AnswerOf<'decisionTrace'>
export type DecisionReportResponse = AnswerOf<'decisionReport'>
export type FlightRecorderResponse = AnswerOf<'flightRecorder'>
export type HealthResponse = AnswerOf<'health'>
