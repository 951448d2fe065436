import type { Actor, Decided } from '../actor/actor.ts'
import { yieldToLoop } from '../actor/yield-to-loop.ts'
import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { actorKeyOf, GUIDE_TRACE_PREFIX } from '../core/base/ids.ts'
import type { Candidate, CandidateDecision, Examination, GovernCommand } from '../core/external/govern.ts'
import { governContext, governReceipt } from '../core/external/govern-context.ts'
import { decideCandidates } from '../core/external/govern-decision.ts'
import { heldBackHistory } from '../core/external/govern-history.ts'
import { type RenderedAdmission, renderingOf } from '../core/external/govern-prompt.ts'
import { admissionRecord, admissionRecordObject } from '../core/external/govern-record.ts'
import { admissionSummary, firewallSummary } from '../core/external/govern-summary.ts'
import { type CandidateHashes, recordedEvents, refText } from '../core/external/recorded-candidates.ts'
import { comparerFor, examinationOf, type GovernParts } from './govern-examination.ts'
import { governNote } from './govern-note.ts'
import { onceBehind } from './idempotency.ts'
import { governCommand } from './normalise/govern.ts'
import { type Call, envelopeOf, principalIdOf, type RuntimeParts, sourceMap, warningsOf } from './parts.ts'

/** Text read for lines of the prompt between two yields: about a millisecond. */
const BREATH_CHARS = 16 * 1024

/**
 * Sorts candidates of an external backend onto the four surfaces. Reads the actor with the eyes of the consumer: no memory,
 * facet or index changes, and nothing is kept unless the request asks for a record. What needs the texts alone is done before the actor
 * is asked, what needs the actor in one turn on the state of now.
 */
export async function govern(
  parts: GovernParts,
  call: Call<RequestOf<'govern'>>,
): Promise<AnswerOf<'govern'>> {
  const reading = governCommand(call.request)
  const { tenantId, scope, recordFor } = reading.command
  // What only reads needs no memory of its answer.
  if (recordFor === null || call.operationKey === null) {
    const examination = await examinationOf(parts, reading.command)
    return parts.registry.use(tenantId, scope, (actor) => governed(parts, actor, reading, examination, call))
  }
  return parts.registry.use(tenantId, scope, (actor) =>
    onceBehind(parts.codec, call.operationKey, actor, principalIdOf(call), async () =>
      governed(parts, actor, reading, await examinationOf(parts, reading.command), call),
    ),
  )
}

async function governed(
  parts: GovernParts,
  actor: Actor,
  { command, warnings }: ReturnType<typeof governCommand>,
  examination: Examination,
  call: Call<RequestOf<'govern'>>,
): Promise<AnswerOf<'govern'>> {
  const { tenantId, scope, recordFor, candidates, consumer } = command
  await actor.similarReady()
  const compare = await comparerFor(parts, actor, command, examination)
  // Long texts are hashed before the turn; the key of an actor never changes.
  const early = recordFor === null ? null : hashesOf(parts, actor.state.external.key, candidates)
  const { decisions, guideTraceId } = await actor.turn((state, nowMs): Decided<Governed> => {
    const history = heldBackHistory(state, actor.similar, consumer, nowMs, compare)
    const decided = decideCandidates(state, command, examination, history, nowMs)
    if (recordFor === null || early === null)
      return { events: [], reply: { decisions: decided, guideTraceId: null } }
    const known = state.external.key
    const hashes = known === null || known === early.key ? early : hashesOf(parts, known, candidates)
    const traceId = `${GUIDE_TRACE_PREFIX}${parts.entropy.uuid(nowMs)}`
    return {
      events: recordedEvents(command, recordFor, decided, hashes, { guideTraceId: traceId, known }),
      reply: { decisions: decided, guideTraceId: traceId },
    }
  }, principalIdOf(call))
  const prompt = await rendered(decisions, command)
  const note = governNote(command, decisions, prompt.promptText, guideTraceId, parts)
  parts.history.note(actor.grant, actorKeyOf(tenantId, scope), note)
  return { ...replyOf(command, decisions, prompt, guideTraceId), ...warningsOf(warnings) }
}

interface Governed {
  readonly decisions: readonly CandidateDecision[]
  /** Null: nothing was recorded. */
  readonly guideTraceId: string | null
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
  guideTraceId: string | null,
): AnswerOf<'govern'> {
  const firewall = firewallSummary(decisions, command)
  const used = [
    'external_candidate_admission',
    'content_screening',
    'runtime_history',
    'agent_context_compiler',
    ...(guideTraceId === null ? [] : ['exposure_ledger']),
  ]
  return {
    ...envelopeOf('svc_memory_admission_result_v1', command),
    run_id: command.runId,
    ...(guideTraceId === null ? {} : { guide_trace_id: guideTraceId }),
    mode: command.mode,
    agent_context: governContext(decisions, prompt, command),
    memory_use_receipt: governReceipt(decisions, prompt, guideTraceId),
    ...recordsOf(command, decisions, prompt, guideTraceId),
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
  guideTraceId: string | null,
): Pick<AnswerOf<'govern'>, 'memory_admission_record' | 'memory_admission_records'> {
  if (!command.includeRecords) return {}
  const records = decisions.map((decision) => admissionRecord(decision, prompt, command))
  return {
    memory_admission_records: records,
    memory_admission_record: admissionRecordObject(records, prompt, command, guideTraceId),
  }
}

type Hashing = Pick<RuntimeParts, 'codec' | 'entropy' | 'clock'>

/**
 * Hashes of candidates under the key of their actor. Each actor has a key of its own, so that nobody who reads two of
 * them learns that they hold the same; it moves with the actor, wherever that is stored.
 * @param key null: the actor has none yet, and one is made
 */
function hashesOf(
  { codec, entropy, clock }: Hashing,
  key: string | null,
  candidates: readonly Candidate[],
): CandidateHashes {
  const nowMs = clock.nowMs()
  const own = key ?? `${entropy.uuid(nowMs)}${entropy.uuid(nowMs)}`
  return {
    key: own,
    refs: candidates.map((candidate) => codec.keyedHash(own, refText(candidate))),
    textHashes: candidates.map(({ text }) => codec.keyedHash(own, text)),
  }
}
