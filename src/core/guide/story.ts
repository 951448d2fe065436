import type { ExposureRecord } from '../model/exposure.ts'
import type { Consumer } from '../model/record.ts'
import type { GuideDecision } from './decision.ts'

/** What the records hold of one guide: facts, whatever a caller supplies about it. */
export interface GuideStory {
  readonly exposure: ExposureRecord
  /** Null: the explanation is kept no longer, or is older than explanations. */
  readonly decision: GuideDecision | null
}

/** A report about a guide sees what the consumer saw for whom it was made. */
export function eyesOf({ exposure }: GuideStory): Consumer {
  return { agentId: exposure.consumerAgentId, teamId: exposure.consumerTeamId }
}
