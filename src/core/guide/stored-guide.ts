import type { ExposureRecord } from '../model/exposure.ts'
import type { Consumer } from '../model/record.ts'
import type { GuideDecision } from './decision.ts'

/** What the journal holds of one guide: facts, whatever a caller supplies about it. */
export interface StoredGuide {
  readonly exposure: ExposureRecord
  /** Null: the explanation is kept no longer, or is older than explanations. */
  readonly decision: GuideDecision | null
}

/** The consumer for whom a guide was made: a report about it sees what that consumer may see. */
export function viewerOf({ exposure }: Pick<StoredGuide, 'exposure'>): Consumer {
  return { agentId: exposure.consumerAgentId, teamId: exposure.consumerTeamId }
}
