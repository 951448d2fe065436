import type { BlastRadiusResponse } from '../../../contract/blast-radius.ts'
import type { FlightRecorderResponse } from '../../../contract/flight-recorder.ts'
import type { HealthResponse } from '../../../contract/health.ts'
import type { ListActorsResponse } from '../../../contract/operator-actors.ts'
import type { CompareEffectResponse, CountRulesResponse } from '../../../contract/operator-counts.ts'
import type { OperatorEvent as FollowedEvent } from '../../../contract/operator-events.ts'
import type { ListGuidesResponse } from '../../../contract/operator-guides.ts'
import type { ListMemoriesResponse } from '../../../contract/operator-memories.ts'
import type { ListReviewResponse } from '../../../contract/operator-review.ts'
import type { OperatorSnapshotResponse } from '../../../contract/operator-snapshot.ts'

// The shapes are those of the contract, so that a screen cannot drift from what is answered.

export type Health = HealthResponse
export type Actors = ListActorsResponse
export type Scope = Actors['items'][number]
export type Memories = ListMemoriesResponse
export type Memory = Memories['items'][number]
export type MemoryDetail = NonNullable<Memory['detail']>
export type Guides = ListGuidesResponse
export type Guide = Guides['items'][number]
export type GuideDetail = NonNullable<Guide['detail']>
export type Decided = GuideDetail['memories'][number]
export type Review = ListReviewResponse
export type Waiting = Review['items'][number]
export type Rules = CountRulesResponse
export type Rule = Rules['items'][number]
export type Effects = CompareEffectResponse
export type Effect = Effects['items'][number]
export type Radius = BlastRadiusResponse['blast_radius']
export type RadiusAnswer = BlastRadiusResponse
export type Recorded = FlightRecorderResponse['agent_flight_recorder']
export type RecordedAnswer = FlightRecorderResponse
export type Snapshot = OperatorSnapshotResponse['operator_snapshot']
export type SnapshotAnswer = OperatorSnapshotResponse
export type Surface = Memory['surface']
export type LifecycleState = Memory['lifecycle_state']
export type OperatorEvent = FollowedEvent
