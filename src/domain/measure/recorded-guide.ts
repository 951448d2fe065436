import type { GuideStory } from '../audit/story.ts'
import type { Surface } from '../closed-sets.ts'
import type { RecordedGuide } from './evidence.ts'

/** What measuring needs of a recorded guide. */
export function recordedGuide({ exposure, decision }: GuideStory): RecordedGuide {
  const on = (surface: Surface): readonly string[] =>
    exposure.memoryIds.filter((_id, at) => exposure.surfaces[at] === surface)
  return {
    guideTraceId: exposure.guideTraceId,
    seq: exposure.seq,
    runId: exposure.runId,
    consumerAgentId: exposure.consumerAgentId,
    consumerTeamId: exposure.consumerTeamId,
    queryHash: decision?.queryHash ?? null,
    promptHash: decision?.promptHash ?? null,
    exposed: {
      use_now: on('use_now'),
      inspect_before_use: on('inspect_before_use'),
      rehydrate: on('rehydrate'),
      do_not_use: on('do_not_use'),
    },
    reasons:
      decision === null
        ? null
        : {
            memoryIds: decision.printed.map(({ memoryId }) => memoryId),
            codes: decision.printed.map(({ reasonCode }) => reasonCode),
          },
  }
}
