import { countBySurface } from '../core/base/by-surface.ts'
import type { CandidateDecision, GovernCommand } from '../core/external/govern.ts'
import { reasonCodesOf } from '../core/external/govern-record.ts'
import type { AuditNote } from '../ports/history.ts'
import type { RuntimeParts } from './parts.ts'

/** One govern request for the audit: hashes, counts, ids and codes, no text. A request has at most 200 candidates. */
export function governNote(
  command: GovernCommand,
  decisions: readonly CandidateDecision[],
  promptText: string,
  guideTraceId: string | null,
  { clock, codec }: Pick<RuntimeParts, 'clock' | 'codec'>,
): AuditNote {
  const { agentId, teamId } = command.consumer
  return {
    atMs: clock.nowMs(),
    runId: command.runId,
    body: {
      kind: 'govern',
      mode: command.mode,
      guideTraceId,
      consumer: { agentId, teamId },
      querySha256: codec.sha256(command.queryText),
      promptSha256: codec.sha256(promptText),
      counts: countBySurface(decisions),
      candidates: decisions.map((decision) => ({
        sourceBackend: decision.facts.candidate.sourceBackend,
        externalId: decision.facts.candidate.externalId,
        surface: decision.surface,
        ruleId: decision.ruleId,
        reasonCodes: reasonCodesOf(decision, command),
      })),
    },
  }
}
