import { decisionOf } from '../../src/core/guide/decision.ts'
import type { GuideStory } from '../../src/core/guide/story.ts'
import type { ExposureRecord } from '../../src/core/model/exposure.ts'
import type { Consumer } from '../../src/core/model/record.ts'
import type { ActorState } from '../../src/core/model/state.ts'
import type { ReportView } from '../../src/core/report/operator-snapshot-view.ts'
import type { World } from './world.ts'

/** A report on a world, through the eyes of somebody or of an operator. */
export function viewOf(world: World, eyes: Consumer | null, state: ActorState = world.state): ReportView {
  return { state, eyes, nowMs: world.nowMs, isoTime: (atMs) => new Date(atMs).toISOString() }
}

/** What the journal of a world says of a guide. */
export function storyIn(world: World, exposure: ExposureRecord): GuideStory {
  const turn = world.turns.find(({ seq }) => seq === exposure.seq)
  for (const event of turn?.events ?? []) {
    if (event.type === 'guide_decided') return { exposure, decision: decisionOf(event, exposure) }
  }
  return { exposure, decision: null }
}

/** The latest guide of somebody, or of anybody. */
export function latestStory(world: World, eyes: Consumer | null): GuideStory | null {
  const latest = world.guides.findLast(
    (guide) =>
      eyes === null || (guide.consumerAgentId === eyes.agentId && guide.consumerTeamId === eyes.teamId),
  )
  return latest === undefined ? null : storyIn(world, latest)
}
