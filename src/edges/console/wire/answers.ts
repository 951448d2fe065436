import type { AnswerOf } from '../../../contract/operations.ts'
import type { OperatorEvent as FollowedEvent } from '../../../contract/operator-events.ts'

// The shapes are those of the contract, so that a screen cannot drift from what is answered.

export type Health = AnswerOf<'health'>
export type Actors = AnswerOf<'listActors'>
export type Scope = Actors['items'][number]
export type Memories = AnswerOf<'listMemories'>
export type Memory = Memories['items'][number]
export type MemoryDetail = NonNullable<Memory['detail']>
export type Guides = AnswerOf<'listGuides'>
export type Guide = Guides['items'][number]
export type GuideDetail = NonNullable<Guide['detail']>
export type Decided = GuideDetail['memories'][number]
export type Review = AnswerOf<'listReview'>
export type Waiting = Review['items'][number]
export type Rules = AnswerOf<'countRules'>
export type Rule = Rules['items'][number]
export type Effects = AnswerOf<'compareEffect'>
export type Effect = Effects['items'][number]
export type Radius = AnswerOf<'blastRadius'>['blast_radius']
export type RadiusAnswer = AnswerOf<'blastRadius'>
export type Recorded = AnswerOf<'flightRecorder'>['agent_flight_recorder']
export type RecordedAnswer = AnswerOf<'flightRecorder'>
export type Snapshot = AnswerOf<'operatorSnapshot'>['operator_snapshot']
export type SnapshotAnswer = AnswerOf<'operatorSnapshot'>
export type Surface = Memory['surface']
export type LifecycleState = Memory['lifecycle_state']
export type OperatorEvent = FollowedEvent
