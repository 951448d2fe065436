import type { Actor, Decide, DecideInSteps } from '../actor/actor.ts'
import { yieldToLoop } from '../actor/waiting.ts'
import { CHAR_BUDGET_MAX, CHAR_BUDGET_MIN, type GuidePromptResponse } from '../contract/guide.ts'
import type { AnswerOf, AnyAnswerOf, RequestOf } from '../contract/operations.ts'
import { AGENT_ROLES, type AgentRole } from '../core/base/closed-sets.ts'
import { GUIDE_TRACE_PREFIX } from '../core/base/ids.ts'
import { isLongJson } from '../core/base/json-pieces.ts'
import { compileGuide, compilePrompt, type Recalled } from '../core/guide/compile.ts'
import { BUDGET_CHARS_DEFAULT, GUIDE_LIMIT_DEFAULT, type GuideCommand } from '../core/guide/entry.ts'
import type { NearHit } from '../core/rerank/signals.ts'
import { estimateKnnNs, type KnnResult, knn, VECTORS_MIN } from '../core/search/knn.ts'
import { estimateCostNs, rankLimitFor } from '../core/search/rank-job.ts'
import type { RankResult } from '../core/search/rank-result.ts'
import { consumerOf, distinct, firstOf, type Reading, taskOf } from './normalise/identity.ts'
import {
  type Call,
  envelopeOf,
  type Handler,
  isHeldOut,
  isoOf,
  type RuntimeParts,
  sourceMap,
  turnInSlicesOnce,
  turnOnce,
  warningsOf,
} from './parts.ts'
import { inPool } from './pooled.ts'
import { missWarning, type Semantic, type SemanticMiss } from './semantic.ts'

const CHARS_PER_TOKEN = 4

/** What a guide request means. */
export function guideCommand(request: RequestOf<'guide'>): Reading<GuideCommand> {
  const warnings: string[] = []
  const omitShownIn = firstOf(request.omit_shown_in)
  const said = taskOf(request)
  const task = { ...said, runId: said.runId ?? omitShownIn }
  const mode = request.mode ?? 'standard'
  const contextMode = request.context_mode ?? 'standard'
  const isPromptView = request.view === 'prompt'
  if (isPromptView && request.handles === false)
    warnings.push('handles: false was ignored: view prompt names memory by handles')
  if (isPromptView && request.include_packets === true)
    warnings.push('include_packets was ignored: view prompt answers the prompt and its handles only')
  if (request.restart === true && omitShownIn === null)
    warnings.push('restart was ignored: it prints again what omit_shown_in leaves out')
  const command: GuideCommand = {
    queryText: request.query_text,
    consumer: consumerOf(request),
    mode,
    contextMode,
    fullPower: mode === 'full_power' || contextMode !== 'standard',
    profile: request.task_context_profile ?? request.context?.task_context_profile ?? 'general',
    role: roleOf(firstOf(request.agent_role, request.context?.agent_role), warnings),
    limit: request.limit ?? GUIDE_LIMIT_DEFAULT,
    budgetChars: budgetOf(request),
    compaction: request.context_compaction_profile ?? request.context_optimization_profile ?? 'balanced',
    includePackets: request.include_packets ?? false,
    handles: isPromptView || request.handles === true,
    omitShownIn,
    isRestart: request.restart === true,
    lines: request.lines ?? 'full',
    ...task,
    identifiers: distinct([
      task.taskSignature,
      task.workflowSignature,
      task.taskId,
      task.taskFamily,
      task.runId,
    ]),
  }
  return { command, warnings }
}

function budgetOf(request: RequestOf<'guide'>): number {
  if (request.context_char_budget !== undefined && request.context_char_budget !== null) {
    return request.context_char_budget
  }
  const tokens = request.context_token_budget ?? null
  if (tokens === null) return BUDGET_CHARS_DEFAULT
  return Math.min(CHAR_BUDGET_MAX, Math.max(CHAR_BUDGET_MIN, tokens * CHARS_PER_TOKEN))
}

/** Roles are an open set on the wire; one that has no posture of its own gets that of an agent. */
export function roleOf(said: string | null, warnings: string[]): AgentRole {
  if (said === null) return 'agent'
  const known = AGENT_ROLES.find((role) => role === said.toLowerCase())
  if (known !== undefined) return known
  warnings.push(`agent_role is treated as agent: the roles with a posture are ${AGENT_ROLES.join(', ')}`)
  return 'agent'
}

/** What was found before the turn, while the actor served others. */
interface Early {
  /** Null: the ranking is small and done in the turn. */
  readonly ranked: RankResult | null
  readonly semantic: FoundNear
}

/** Memories near the query, for the turn; or why there are none. */
interface FoundNear {
  readonly hits: () => readonly NearHit[]
  /** Null: the embeddings took part. */
  readonly miss: SemanticMiss | null
}

type Parts = Pick<RuntimeParts, 'compute' | 'inlineRankNs' | 'log' | 'semantic'>

/** An actor, as far as a ranking reads it. */
type Recalling = Pick<Actor, 'state' | 'recall' | 'vectors'>

/** A ranking of what the consumer of a guide may see. */
export function recallFor(parts: Parts, actor: Recalling, command: GuideCommand) {
  const ask = () => {
    const query = actor.recall.query(command.queryText)
    const limit = rankLimitFor(command.limit)
    return { query, job: actor.recall.job(actor.state, query, command.consumer, limit) }
  }
  const { query, job } = ask()
  const isLarge = estimateCostNs(job) > parts.inlineRankNs
  const ranked = isLarge
    ? inPool(
        () => parts.compute.rank(job),
        () => actor.recall.rank(job),
        parts.log,
      )
    : null
  const near = parts.semantic === null ? null : nearFor(parts, parts.semantic, actor, command)
  return {
    // A large ranking in the pool, an answer of the provider of embeddings; null: all is done in the turn.
    early: ranked === null && near === null ? null : both(ranked, near),
    // For the turn. Nothing may wait between making a small ranking and this, so that the two see the same state.
    recalled: (early: Early | null): Recalled & { readonly miss: SemanticMiss | null } => ({
      // After a wait for the provider a small ranking is made on the state of now.
      hits: actor.recall.hitsOf(early?.ranked ?? actor.recall.rank(early === null ? job : ask().job)),
      near: early?.semantic.hits() ?? [],
      identifiers: [...query.identifiers, ...command.identifiers],
      miss: early?.semantic.miss ?? null,
    }),
  }
}

async function both(ranked: Promise<RankResult> | null, near: Promise<FoundNear> | null): Promise<Early> {
  const [lexical, semantic] = await Promise.all([ranked, near])
  return { ranked: lexical, semantic: semantic ?? without('no_vectors') }
}

/** Never rejects: what goes wrong here costs a guide nothing but its embeddings. */
async function nearFor(
  parts: Parts,
  semantic: Semantic,
  { vectors }: Recalling,
  command: GuideCommand,
): Promise<FoundNear> {
  const { consumer, limit, queryText } = command
  // Among fewer vectors than that nothing is near: there is nothing to send the query for.
  if (vectors === null || vectors.visibleTo(consumer) < VECTORS_MIN) return without('no_vectors')
  const { vector, miss } = await semantic.vectorOf(queryText)
  if (miss !== null) return without(miss)
  const question = vectors.question(vector, consumer, rankLimitFor(limit))
  if (question === null) return without('other_model')
  const result = await knnIn(parts, question.job)
  return result === null ? without('busy') : { hits: () => question.hitsOf(result), miss: null }
}

/** Null when the pool did not do it: a long scan must not stop the thread that serves. */
async function knnIn(
  { compute, inlineRankNs, log }: Parts,
  job: Parameters<typeof knn>[0],
): Promise<KnnResult | null> {
  if (estimateKnnNs(job) <= inlineRankNs) return knn(job)
  try {
    return await compute.knn(job)
  } catch (error) {
    log.warn({ cause: String(error) }, 'vectors were not compared')
    return null
  }
}

function without(miss: SemanticMiss): FoundNear {
  return { hits: () => [], miss }
}

/** Compiles governed context and records what it exposed. */
export const guide: Handler<'guide'> = async (parts, call) => {
  const { command, warnings } = guideCommand(call.request)
  const isPromptView = call.request.view === 'prompt'
  const tools = { isoTime: isoOf, sha256: (text: string) => parts.codec.sha256(text) }
  const queryHash = tools.sha256(command.queryText)
  // Of megabytes the hash takes as long as the rest of the guide, and so does the record of the turn.
  const isLong = isLongJson(command.queryText)
  if (isLong) await yieldToLoop()
  return parts.registry.use(call.tenantId, call.scope, async (actor) => {
    const recall = recallFor(parts, actor, command)
    const early = recall.early === null ? null : await recall.early
    const decide: Decide<AnyAnswerOf<'guide'>> = (state, nowMs) => {
      const recalled = recall.recalled(early)
      const guideTraceId = `${GUIDE_TRACE_PREFIX}${parts.entropy.uuid(nowMs)}`
      const heldOut = isHeldOut(parts.holdOut, call, command.runId, guideTraceId)
      const occasion = { nowMs, guideTraceId, heldOut, queryHash }
      const semantic = parts.semantic === null ? null : { miss: recalled.miss }
      const told = withMiss(warnings, semantic)
      if (isPromptView) {
        const { events, body } = compilePrompt(state, command, recalled, occasion, tools)
        return { events, reply: promptOf(call, body, told) }
      }
      const { events, body } = compileGuide(state, command, recalled, occasion, tools)
      return { events, reply: replyOf(call, command, body, told, semantic) }
    }
    if (!isLong) return turnOnce(parts, actor, call, decide, withoutPackets)
    return turnInSlicesOnce(parts, actor, call, inOneStep(decide), withoutPackets)
  })
}

/** Nothing may wait between making a ranking and deciding by it; what is decided is recorded in steps. */
function inOneStep<Reply>(decide: Decide<Reply>): DecideInSteps<Reply> {
  // oxlint-disable-next-line require-yield
  return function* (state, nowMs) {
    return decide(state, nowMs)
  }
}

/** Whether the embeddings took part. Null: there is no provider of them. */
type Semantically = { readonly miss: SemanticMiss | null } | null

function withMiss(warnings: readonly string[], semantic: Semantically): readonly string[] {
  const warning = semantic === null || semantic.miss === null ? null : missWarning(semantic.miss)
  return warning === null ? warnings : [...warnings, warning]
}

function promptOf(
  call: Call<RequestOf<'guide'>>,
  { guide_trace_id, agent_context }: ReturnType<typeof compilePrompt>['body'],
  warnings: readonly string[],
): GuidePromptResponse {
  const { contract_version, tenant_id, scope } = envelopeOf('svc_guide_prompt_v1', call)
  const said = warningsOf(warnings)
  return { contract_version, tenant_id, scope, guide_trace_id, ...said, agent_context }
}

function replyOf(
  call: Call<RequestOf<'guide'>>,
  command: GuideCommand,
  body: ReturnType<typeof compileGuide>['body'],
  warnings: readonly string[],
  semantic: Semantically,
): AnswerOf<'guide'> {
  const used = ['lexical_recall', 'admission', 'agent_context_compiler', 'exposure_ledger']
  if (command.fullPower) used.push('structured_execution_recall')
  const isSemantic = semantic !== null && semantic.miss === null
  if (isSemantic) used.push('semantic_recall')
  const omitted = [
    ...(isSemantic ? [] : ['semantic_recall']),
    ...(command.includePackets ? [] : ['memory_packet', 'guide_packet']),
  ]
  return Object.assign(
    envelopeOf('svc_guide_result_v1', call),
    body,
    { source_map: sourceMap('/v1/guide', used, omitted) },
    warningsOf(warnings),
  )
}

/** Packets are for debugging and large: a repeated request gets its answer without them. */
function withoutPackets(reply: object): object {
  return Object.fromEntries(
    Object.entries(reply).filter(([field]) => field !== 'memory_packet' && field !== 'guide_packet'),
  )
}
