import { decisionOf, type StoredGuide } from '../../src/core/guide/decision.ts'
import type { ExposureRecord } from '../../src/core/model/events.ts'
import type { Consumer } from '../../src/core/model/record.ts'
import type { ActorState } from '../../src/core/model/state.ts'
import type { ReportView } from '../../src/core/report/viewer.ts'
import type { World } from './world.ts'

/** A report on a world, for somebody or for an operator. */
export function viewOf(world: World, viewer: Consumer | null, state: ActorState = world.state): ReportView {
  return { state, viewer, nowMs: world.nowMs }
}

/** What the journal of a world says of a guide. */
export function storedIn(world: World, exposure: ExposureRecord): StoredGuide {
  const turn = world.turns.find(({ seq }) => seq === exposure.seq)
  for (const event of turn?.events ?? []) {
    if (event.type === 'guide_decided') return { exposure, decision: decisionOf(event, exposure) }
  }
  return { exposure, decision: null }
}

/** The latest guide of somebody, or of anybody. */
export function latestGuide(world: World, viewer: Consumer | null): StoredGuide | null {
  const latest = world.guides.findLast(
    (guide) =>
      viewer === null || (guide.consumerAgentId === viewer.agentId && guide.consumerTeamId === viewer.teamId),
  )
  return latest === undefined ? null : storedIn(world, latest)
}
