import { breathe } from '../actor/breathe.ts'
import type { GovernRequest } from '../contract/govern.ts'
import type {
  CandidateDecision,
  ExaminedCandidate,
  GovernCommand,
  Screen,
} from '../domain/governance/govern.ts'
import { governContext, governReceipt } from '../domain/governance/govern-context.ts'
import { decideCandidates, examine } from '../domain/governance/govern-decision.ts'
import { contradictionsIn, heldBackHistory } from '../domain/governance/govern-history.ts'
import { admissionRecord, admissionRecordObject } from '../domain/governance/govern-record.ts'
import { admissionSummary, firewallSummary } from '../domain/governance/govern-summary.ts'
import { actorKeyOf } from '../domain/ids.ts'
import { type RenderedAdmission, renderAdmission } from '../domain/prompt/govern-prompt.ts'
import { screen } from '../domain/screening/screen.ts'
import { governNote } from './govern-note.ts'
import { governCommand } from './normalise/govern.ts'
import { envelopeOf, type RuntimeParts, sourceMap, warningsOf } from './parts.ts'
import { POOLED_TEXT_MIN, pooledScreener } from './screening.ts'

/** Text examined between two yields: a few milliseconds. */
const BREATH_CHARS = 256 * 1024

/**
 * Sorts candidates of an external backend onto the four surfaces. Reads the actor with the eyes of the consumer and
 * decides no event: no memory, facet, exposure or index changes.
 */
export async function govern(parts: RuntimeParts, request: GovernRequest): Promise<object> {
  const { command, warnings } = governCommand(request)
  const examined = await examineAll(command, await screenFor(parts, command))
  const decisions = await parts.registry.use(command.tenantId, command.scope, async (actor) => {
    await actor.similarReady()
    return actor.turn((state, nowMs) => {
      const lookups = {
        history: heldBackHistory(state, actor.similar, command.consumer, nowMs),
        contradictionsAmong: contradictionsIn,
      }
      return { events: [], reply: decideCandidates(state, command, examined, lookups, nowMs) }
    })
  })
  const rendered = renderAdmission(decisions, command)
  const note = governNote(command, decisions, rendered.promptText, parts)
  parts.history.note(actorKeyOf(command.tenantId, command.scope), note)
  return { ...replyOf(command, decisions, rendered), ...warningsOf(warnings) }
}

/** Screening is most of the work: above the bound of one text it is done in the worker pool. */
async function screenFor(parts: RuntimeParts, { candidates, queryText }: GovernCommand): Promise<Screen> {
  const chars = candidates.reduce((sum, { text }) => sum + text.length, 0)
  if (chars <= POOLED_TEXT_MIN) return screen
  const jobs = candidates.map(({ text, domain, declaredType }) => ({
    text,
    context: { domain, declaredType, queryText },
  }))
  return pooledScreener(parts, jobs)
}

/** Reading the texts needs nothing of the actor, so nobody waits for it there; long ones let others have a turn. */
async function examineAll(command: GovernCommand, screen: Screen): Promise<readonly ExaminedCandidate[]> {
  const examined: ExaminedCandidate[] = []
  let sinceBreathChars = 0
  for (const candidate of command.candidates) {
    examined.push(examine(candidate, command.queryText, screen))
    sinceBreathChars += candidate.text.length
    if (sinceBreathChars < BREATH_CHARS) continue
    sinceBreathChars = 0
    await breathe()
  }
  return examined
}

function replyOf(
  command: GovernCommand,
  decisions: readonly CandidateDecision[],
  rendered: RenderedAdmission,
): object {
  const firewall = firewallSummary(decisions, command)
  const used = [
    'external_candidate_admission',
    'content_screening',
    'runtime_history',
    'agent_context_compiler',
  ]
  return {
    ...envelopeOf('svc_memory_admission_result_v1', command),
    run_id: command.runId,
    mode: command.mode,
    agent_context: governContext(decisions, rendered, command),
    memory_use_receipt: governReceipt(decisions, rendered),
    ...recordsOf(command, decisions, rendered),
    memory_firewall_summary: firewall,
    memory_firewall: firewall,
    admission_summary: admissionSummary(decisions, command),
    source_map: sourceMap(
      '/v1/memory/govern',
      used,
      command.includeRecords ? [] : ['memory_admission_records'],
    ),
  }
}

function recordsOf(
  command: GovernCommand,
  decisions: readonly CandidateDecision[],
  rendered: RenderedAdmission,
): object {
  if (!command.includeRecords) return {}
  const records = decisions.map((decision) => admissionRecord(decision, rendered, command))
  return {
    memory_admission_records: records,
    memory_admission_record: admissionRecordObject(records, rendered, command),
  }
}
