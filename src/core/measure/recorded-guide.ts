import { idsBySurface } from '../base/by-surface.ts'
import type { StoredGuide } from '../guide/stored-guide.ts'
import type { RecordedGuide } from './evidence.ts'

/** What measuring needs of a recorded guide. */
export function recordedGuide({ exposure, decision }: StoredGuide): RecordedGuide {
  return {
    guideTraceId: exposure.guideTraceId,
    seq: exposure.seq,
    runId: exposure.runId,
    consumerAgentId: exposure.consumerAgentId,
    consumerTeamId: exposure.consumerTeamId,
    queryHash: decision?.queryHash ?? null,
    promptHash: decision?.promptHash ?? null,
    exposed: idsBySurface(exposure),
    reasons:
      decision === null
        ? null
        : {
            memoryIds: decision.printed.map(({ memoryId }) => memoryId),
            codes: decision.printed.map(({ reasonCode }) => reasonCode),
          },
  }
}
