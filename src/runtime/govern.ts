import { yieldToLoop } from '../actor/yield-to-loop.ts'
import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { actorKeyOf } from '../core/base/ids.ts'
import type { CandidateDecision, GovernCommand } from '../core/external/govern.ts'
import { governContext, governReceipt } from '../core/external/govern-context.ts'
import { decideCandidates } from '../core/external/govern-decision.ts'
import { heldBackHistory } from '../core/external/govern-history.ts'
import { type RenderedAdmission, renderingOf } from '../core/external/govern-prompt.ts'
import { admissionRecord, admissionRecordObject } from '../core/external/govern-record.ts'
import { admissionSummary, firewallSummary } from '../core/external/govern-summary.ts'
import { comparerFor, examinationOf, type GovernParts } from './govern-examination.ts'
import { governNote } from './govern-note.ts'
import { governCommand } from './normalise/govern.ts'
import { envelopeOf, sourceMap, warningsOf } from './parts.ts'

/** Text read for lines of the prompt between two yields: about a millisecond. */
const BREATH_CHARS = 16 * 1024

/**
 * Sorts candidates of an external backend onto the four surfaces. Reads the actor with the eyes of the consumer and
 * decides no event: no memory, facet, exposure or index changes. What needs the texts alone is done before the actor
 * is asked, what needs the actor in one turn on the state of now.
 */
export async function govern(parts: GovernParts, request: RequestOf<'govern'>): Promise<AnswerOf<'govern'>> {
  const { command, warnings } = governCommand(request)
  const examination = await examinationOf(parts, command)
  const { decisions, grant } = await parts.registry.use(command.tenantId, command.scope, async (actor) => {
    await actor.similarReady()
    const compare = await comparerFor(parts, actor, command, examination)
    const decided = await actor.turn((state, nowMs) => {
      const history = heldBackHistory(state, actor.similar, command.consumer, nowMs, compare)
      return { events: [], reply: decideCandidates(state, command, examination, history, nowMs) }
    })
    return { decisions: decided, grant: actor.grant }
  })
  const prompt = await rendered(decisions, command)
  const note = governNote(command, decisions, prompt.promptText, parts)
  parts.history.note(grant, actorKeyOf(command.tenantId, command.scope), note)
  return { ...replyOf(command, decisions, prompt), ...warningsOf(warnings) }
}

async function rendered(
  decisions: readonly CandidateDecision[],
  command: GovernCommand,
): Promise<RenderedAdmission> {
  const rendering = renderingOf(decisions, command)
  let sinceBreathChars = 0
  for (;;) {
    const step = rendering.next()
    if (step.done === true) return step.value
    sinceBreathChars += step.value
    if (sinceBreathChars < BREATH_CHARS) continue
    sinceBreathChars = 0
    await yieldToLoop()
  }
}

function replyOf(
  command: GovernCommand,
  decisions: readonly CandidateDecision[],
  prompt: RenderedAdmission,
): AnswerOf<'govern'> {
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
    agent_context: governContext(decisions, prompt, command),
    memory_use_receipt: governReceipt(decisions, prompt),
    ...recordsOf(command, decisions, prompt),
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
  prompt: RenderedAdmission,
): Pick<AnswerOf<'govern'>, 'memory_admission_record' | 'memory_admission_records'> {
  if (!command.includeRecords) return {}
  const records = decisions.map((decision) => admissionRecord(decision, prompt, command))
  return {
    memory_admission_records: records,
    memory_admission_record: admissionRecordObject(records, prompt, command),
  }
}
