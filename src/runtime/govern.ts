import type { Actor, Decide } from '../actor/actor.ts'
import { inBreaths, runAtPace } from '../actor/waiting.ts'
import { epochMsOf } from '../contract/fields.ts'
import type { WireCandidate } from '../contract/govern.ts'
import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { countBySurface, MEMORY_DOMAINS, MEMORY_TYPES } from '../core/base/closed-sets.ts'
import { GUIDE_TRACE_PREFIX } from '../core/base/ids.ts'
import {
  type Candidate,
  type CandidateDecision,
  type Examination,
  type GovernCommand,
  TIME_KEYS,
} from '../core/external/govern.ts'
import {
  admissionSummary,
  firewallSummary,
  governContext,
  governReceipt,
} from '../core/external/govern-context.ts'
import { decideCandidates, heldBackHistory } from '../core/external/govern-decision.ts'
import { examineCandidates } from '../core/external/govern-examination.ts'
import { type RenderedAdmission, renderingOf } from '../core/external/govern-prompt.ts'
import {
  admissionRecord,
  admissionRecordObject,
  type CandidateHashes,
  noteOfNow,
  reasonCodesOf,
  recordedEvents,
  refText,
} from '../core/external/govern-record.ts'
import { isAboutWork } from '../core/external/govern-signal.ts'
import { compareTexts, NotedComparisons, type TextComparer } from '../core/similarity/near-duplicate.ts'
import type { AuditNote } from '../ports/store.ts'
import { roleOf } from './guide.ts'
import {
  consumerOf,
  declaredTypeOf,
  firstOf,
  identityOf,
  outcomeAudience,
  type Reading,
  taskOf,
} from './normalise/identity.ts'
import {
  type Call,
  envelopeOf,
  principalIdOf,
  type RuntimeParts,
  sourceMap,
  turnInSlicesOnce,
  warningsOf,
} from './parts.ts'
import { inPool } from './pooled.ts'

const TARGET_FILES_MAX = 32

/** What a govern request means. What a source left unsaid counts as its least trusted word. */
export function governCommand(request: RequestOf<'govern'>): Reading<GovernCommand> {
  const warnings: string[] = []
  const { tenantId, scope } = identityOf(request)
  const { runId, taskSignature } = taskOf(request)
  const consumer = consumerOf(request)
  const mode = request.mode ?? 'standard'
  const command: GovernCommand = {
    tenantId,
    scope,
    queryText: request.query_text,
    consumer,
    mode: mode === 'admission' ? 'standard' : mode,
    isCompact: request.context_mode !== 'standard',
    profile: request.task_context_profile ?? request.context?.task_context_profile ?? 'general',
    role: roleOf(firstOf(request.agent_role, request.context?.agent_role), warnings),
    runId,
    taskSignature,
    includeRecords: request.include_records ?? false,
    recordFor: request.record === true ? outcomeAudience(request, consumer) : null,
    candidates: request.candidates.map(candidateOf),
  }
  return { command, warnings }
}

function candidateOf(wire: WireCandidate): Candidate {
  const metadata = wire.metadata ?? {}
  const hint = wire.lifecycle_hint ?? 'unknown'
  const targetFiles = filesOf(metadata)
  const declaredType =
    MEMORY_TYPES.find((type) => type === wordOf(metadata['memory_type'])) ??
    declaredTypeOf(textOf(metadata['kind']))
  const declaredDomain = MEMORY_DOMAINS.find((domain) => domain === wordOf(metadata['domain'])) ?? null
  const isWork = isAboutWork(wire.text, declaredType, hint === 'procedure', targetFiles.length > 0)
  return {
    externalId: wire.external_memory_id,
    sourceBackend: wire.source_backend,
    text: wire.text,
    title: textOf(metadata['title']) ?? textOf(metadata['name']),
    hint,
    sourceTrust: wire.authority?.source_trust ?? 'unknown',
    authorityScope: firstOf(wire.authority?.scope) ?? 'unknown',
    requirement: wire.authority?.evidence_requirement ?? 'inspect_before_use',
    metadataScope: scopeOf(metadata['scope']),
    domain: declaredDomain ?? (isWork ? 'execution' : 'general'),
    screenedAs: declaredDomain ?? (declaredType === 'execution_memory' ? 'execution' : 'general'),
    declaredType,
    // A declared domain cannot take back what the content shows.
    readsSelfClaims: isWork || declaredDomain === 'execution',
    targetFiles,
    evidenceRefs: (wire.evidence_refs ?? []).filter((ref) => ref !== ''),
    times: TIME_KEYS.map((key) => timeOf(metadata[key])),
  }
}

function filesOf(metadata: Readonly<Record<string, unknown>>): readonly string[] {
  for (const key of ['target_files', 'files', 'paths']) {
    const said = metadata[key]
    const files = (Array.isArray(said) ? said : [said]).map(textOf).filter((file) => file !== null)
    if (files.length > 0) return files.slice(0, TARGET_FILES_MAX)
  }
  return []
}

/** Something that is no text still says that it is not the scope of the request. */
function scopeOf(said: unknown): string | null {
  if (said === undefined || said === null) return null
  if (typeof said !== 'string') return JSON.stringify(said)
  return textOf(said)
}

const EPOCH_SECONDS = /^\d{1,11}(?:\.\d+)?$/

/** ISO 8601, in UTC where it names no zone, or seconds since 1970; null for anything else. */
function timeOf(said: unknown): number | null {
  const text = typeof said === 'number' ? String(said) : textOf(said)
  if (text === null) return null
  if (EPOCH_SECONDS.test(text)) return Math.round(Number(text) * 1_000)
  return epochMsOf(text.replace(' ', 'T'))
}

function wordOf(said: unknown): string | null {
  return textOf(said)?.toLowerCase() ?? null
}

function textOf(said: unknown): string | null {
  if (typeof said !== 'string') return null
  const text = said.trim()
  return text === '' ? null : text
}

/**
 * Sorts candidates of an external backend onto the four surfaces. Reads the actor with the eyes of the consumer: no memory,
 * facet or index changes, and nothing is kept unless the request asks for a record. What needs the texts alone is done before the actor
 * is asked, what needs the actor in one turn on the state of now.
 */
export async function govern(
  parts: GovernParts,
  call: Call<RequestOf<'govern'>>,
): Promise<AnswerOf<'govern'>> {
  const { command, warnings } = governCommand(call.request)
  const { tenantId, scope } = command
  const examination = await examinationOf(parts, command)
  return parts.registry.use(tenantId, scope, async (actor) => {
    await actor.similarReady()
    const compare = await comparerFor(parts, actor, command, examination)
    // Long texts are hashed before the turn; the key of an actor never changes.
    const early =
      command.recordFor === null ? null : hashesOf(parts, actor.state.external.key, command.candidates)
    const decide = decisionOf(parts, actor, command, examination, compare, early)
    const notes: AuditNote[] = []
    const told = (governed: Governed, prompt: RenderedAdmission): AnswerOf<'govern'> => {
      notes.push(governNote(command, governed, prompt.promptText, parts))
      return { ...replyOf(command, governed, prompt), ...warningsOf(warnings) }
    }
    const answer = await answered(parts, call, actor, decide, command, told)
    for (const note of notes)
      parts.history.note(actor.grant, actor.key, noteOfNow(note, actor.state.external, parts.codec))
    return answer
  })
}

/** What only reads needs no memory of its answer. */
async function answered(
  { codec }: GovernParts,
  call: Call<RequestOf<'govern'>>,
  actor: Actor,
  decide: Decide<Governed>,
  command: GovernCommand,
  told: (governed: Governed, prompt: RenderedAdmission) => AnswerOf<'govern'>,
): Promise<AnswerOf<'govern'>> {
  if (command.recordFor === null || call.operationKey === null) {
    const governed = await actor.turn(decide, principalIdOf(call))
    return told(governed, await runAtPace(renderingOf(governed.decisions, command)))
  }
  // What is recorded and its answer are one turn: a repeat beside it waits, and nothing is erased in between.
  return turnInSlicesOnce({ codec }, actor, call, function* (state, nowMs) {
    const { events, reply } = decide(state, nowMs)
    return { events, reply: told(reply, yield* inBreaths(renderingOf(reply.decisions, command))) }
  })
}

interface Governed {
  readonly decisions: readonly CandidateDecision[]
  /** Null: nothing was recorded. */
  readonly guideTraceId: string | null
  /** The last turn before it. */
  readonly seq: number
}

/** @param early hashes of the candidates; null: nothing is recorded */
function decisionOf(
  parts: GovernParts,
  { similar }: Actor,
  command: GovernCommand,
  examination: Examination,
  compare: TextComparer,
  early: CandidateHashes | null,
): Decide<Governed> {
  const { recordFor, candidates, consumer } = command
  return (state, nowMs) => {
    const history = heldBackHistory(state, similar, consumer, nowMs, compare)
    const decisions = decideCandidates(state, command, examination, history, nowMs)
    const governed = { decisions, guideTraceId: null, seq: state.seq }
    if (recordFor === null || early === null) return { events: [], reply: governed }
    const known = state.external.key
    const hashes = known === null || known === early.key ? early : hashesOf(parts, known, candidates)
    const guideTraceId = `${GUIDE_TRACE_PREFIX}${parts.entropy.uuid(nowMs)}`
    return {
      events: recordedEvents(command, recordFor, decisions, hashes, { guideTraceId, known }),
      reply: { ...governed, guideTraceId },
    }
  }
}

function replyOf(
  command: GovernCommand,
  { decisions, guideTraceId }: Governed,
  prompt: RenderedAdmission,
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

/** A key for an actor that has none. */
export function newExternalKey({ entropy, clock }: Pick<RuntimeParts, 'entropy' | 'clock'>): string {
  const nowMs = clock.nowMs()
  return `${entropy.uuid(nowMs)}${entropy.uuid(nowMs)}`
}

/**
 * Hashes of candidates under the key of their actor. Each actor has a key of its own, so that nobody who reads two of
 * them learns that they hold the same; it moves with the actor, wherever that is stored.
 * @param key null: the actor has none yet, and one is made
 */
function hashesOf(parts: Hashing, key: string | null, candidates: readonly Candidate[]): CandidateHashes {
  const { codec } = parts
  const own = key ?? newExternalKey(parts)
  return {
    key: own,
    refs: candidates.map((candidate) => codec.keyedHash(own, refText(candidate))),
    textHashes: candidates.map(({ text }) => codec.keyedHash(own, text)),
  }
}

/** One govern request for the audit: hashes, counts, ids and codes, no text. A request has at most 200 candidates. */
function governNote(
  command: GovernCommand,
  { decisions, guideTraceId, seq }: Governed,
  promptText: string,
  { clock, codec }: Pick<RuntimeParts, 'clock' | 'codec'>,
): AuditNote {
  const { agentId, teamId } = command.consumer
  return {
    atMs: clock.nowMs(),
    runId: command.runId,
    body: {
      kind: 'govern',
      seq,
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

// A pool answers 0.1 ms later than this thread would, whatever the size, and takes 0.1 ms of it: these bounds say for
// how long a request may hold the thread, about 2 ms. An idle pool first has to start a thread, which takes 50 ms.

/** Characters of all candidates above which their texts are examined in the worker pool. */
const POOLED_TEXT_MIN = 8 * 1024
/** The same in candidates, however short: each is compared with each. */
const POOLED_CANDIDATES_MIN = 32
/** Characters of all pairs above which texts are compared in the worker pool. */
const POOLED_PAIRS_MIN = 32 * 1024
/** Characters that go to the pool at once: copying them takes less than a millisecond. */
const BATCH_CHARS = 512 * 1024

/** What govern works with. */
export type GovernParts = Pick<
  RuntimeParts,
  'registry' | 'clock' | 'codec' | 'compute' | 'entropy' | 'history' | 'log'
>

/**
 * What the texts tell by themselves, read in the pool when they are long or many. Nobody waits for it in the actor.
 * @throws overloaded, shutting_down
 */
async function examinationOf(parts: GovernParts, command: GovernCommand): Promise<Examination> {
  const { scope, mode, queryText, candidates } = command
  const job = { scope, mode, queryText, candidates }
  const chars = candidates.reduce((sum, { text, title }) => sum + text.length + (title?.length ?? 0), 0)
  if (chars <= POOLED_TEXT_MIN && candidates.length <= POOLED_CANDIDATES_MIN) return examineCandidates(job)
  return inPool(
    () => parts.compute.examine(job),
    () => examineCandidates(job),
    parts.log,
  )
}

/**
 * A comparer for the turn that follows: the pairs of texts that its look-ups will ask about now are compared in the
 * pool when they are long. What another turn has changed meanwhile is compared when it is asked.
 * @throws overloaded, shutting_down
 */
async function comparerFor(
  parts: GovernParts,
  actor: Actor,
  { candidates, consumer }: GovernCommand,
  { readings }: Examination,
): Promise<TextComparer> {
  const noted = new NotedComparisons()
  const history = heldBackHistory(actor.state, actor.similar, consumer, parts.clock.nowMs(), noted.comparer)
  for (const [at, { text }] of candidates.entries()) {
    const reading = readings[at]
    if (reading !== undefined) history(text, reading.signature)
  }
  if (noted.chars <= POOLED_PAIRS_MIN) return noted.answered([])
  const answers: boolean[] = []
  for (const job of noted.jobs(BATCH_CHARS)) {
    const some = await inPool(
      () => parts.compute.compare(job),
      () => compareTexts(job),
      parts.log,
    )
    for (const answer of some) answers.push(answer)
  }
  return noted.answered(answers)
}
