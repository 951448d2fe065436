import type { Actor, Decide, DecideInSteps } from '../actor/actor.ts'
import { isSent } from '../contract/fields.ts'
import { FORGET_RULES } from '../contract/forget.ts'
import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { DomainError, invalidRequest } from '../core/base/errors.ts'
import { withHandleAdvice } from '../core/guide/handles.ts'
import type { FeedbackCommand, LifecycleCommand } from '../core/model/commands.ts'
import { isSuppressed } from '../core/model/lifecycle.ts'
import { resolveReferences } from '../core/model/references.ts'
import type { ActorState } from '../core/model/state.ts'
import { LOCAL_AGENT } from '../core/model/visibility.ts'
import { facetMoves } from '../core/report/turn-events.ts'
import { decideLifecycle, isOperatorActivation, refusePastEnd } from '../core/write/forget.ts'
import { ambiguityOf, attributed } from './feedback.ts'
import { actByFilter, type ByFilter, filteredEffectOf, lifecycleEffectOf } from './lifecycle-wire.ts'
import { forgetCommand } from './normalise/lifecycle.ts'
import { filterOf } from './operator/list-memories.ts'
import {
  type Call,
  envelopeOf,
  type Handler,
  onceBehind,
  principalIdOf,
  type RuntimeParts,
  sourceMap,
  turnInSlicesOnce,
  warningsOf,
} from './parts.ts'
import { lifecycleDecision, rehydratedResult } from './rehydrate.ts'

/** What a request would do, as the facets of memories would move. */
type Tried = Required<Pick<AnswerOf<'settle'>, 'dry_run' | 'changes'>>

/** The answer that a decision would give, with what it would move. Nothing is written, and no operation id is kept. */
export async function tried<Reply extends object>(
  { registry }: Pick<RuntimeParts, 'registry'>,
  place: { readonly tenantId: string; readonly scope: string },
  decideIn: (actor: Actor) => Promise<DecideInSteps<Reply>>,
): Promise<Reply & Tried> {
  return registry.look(place.tenantId, place.scope, async (actor) => {
    const decide = await decideIn(actor)
    return actor.turnInSlices(function* (state, nowMs) {
      const { events, reply } = yield* decide(state, nowMs)
      const changes = facetMoves(events).map(({ memoryId, facet, to, cause }) => ({
        memory_id: memoryId,
        facet,
        to,
        cause,
      }))
      return { events: [], reply: { ...reply, dry_run: true as const, changes } }
    })
  })
}

/** A decision that is short, for what takes one in steps. */
export function inOneStep<Reply>(decide: Decide<Reply>): DecideInSteps<Reply> {
  return function* (state, nowMs) {
    yield
    return decide(state, nowMs)
  }
}

const OWN_WORDS =
  'This key wrote it, and whoever writes a memory does not approve it: ask with the key of another operator.'

/** Refuses, inside a turn, what the key of a request may not approve. */
export type ApprovalCheck = (state: ActorState) => void

/**
 * The four-eyes rule: a key does not approve what it wrote itself. Who wrote a memory stands in the turn that wrote it,
 * for as long as history keeps that. Without keys nobody knows who writes, and there is no such rule.
 * @param approvedIn memories that the request would approve, by id
 * @returns a check that throws operator_key_required, or overloaded where one was written anew meanwhile
 */
export async function approvalCheck(
  { history, codec }: Pick<RuntimeParts, 'history' | 'codec'>,
  actor: Actor,
  { principal }: Pick<Call<unknown>, 'principal'>,
  approvedIn: (state: ActorState) => readonly string[],
): Promise<ApprovalCheck> {
  if (principal === null) return () => {}
  const written = await actor.read((state) =>
    approvedIn(state).map((memoryId) => ({ memoryId, seq: state.memories.get(memoryId)?.seq ?? 0 })),
  )
  const own: string[] = []
  for (const { memoryId, seq } of written) {
    const record = seq === 0 ? null : await history.recordAt(actor.key, seq)
    if (record !== null && codec.decodeTurn(record.payload).principal === principal.keyId) own.push(memoryId)
  }
  return (state) => {
    const isSame = written.every(({ memoryId, seq }) => (state.memories.get(memoryId)?.seq ?? 0) === seq)
    if (!isSame) throw new DomainError('overloaded', { where: 'review' })
    if (own.length > 0)
      throw new DomainError('operator_key_required', { four_eyes: true, memory_ids: own }, OWN_WORDS)
  }
}

type ForgetCall = Call<RequestOf<'forget'>>

const CONTRACT = 'svc_forget_result_v1'

/** Suppresses, restores, activates or rehydrates memory with an audit reason. Operators see the whole actor. */
export const forget: Handler<'forget'> = async (parts, call) => {
  const { command, warnings } = forgetCommand(call.request, call.principal)
  if (isSent(call.request.filter)) return forgetByFilter(parts, call, command, warnings)
  const isByFeedback = command.operation === 'activate' && !isOperatorActivation(command)
  const decideIn = (actor: Actor) => decisionIn(parts, actor, call, command, warnings)
  if (call.request.dry_run === true) {
    if (isByFeedback) throw invalidRequest([{ path: 'dry_run', message: FORGET_RULES.dry }])
    return tried(parts, call, decideIn)
  }
  return parts.registry.use(call.tenantId, call.scope, async (actor) => {
    if (isByFeedback) return activatedByFeedback(parts, actor, call, command, warnings)
    const decide = await decideIn(actor)
    return turnInSlicesOnce(parts, actor, call, decide)
  })
}

async function decisionIn(
  parts: RuntimeParts,
  actor: Actor,
  call: ForgetCall,
  command: LifecycleCommand,
  warnings: readonly string[],
): Promise<DecideInSteps<AnswerOf<'forget'>>> {
  const decide = await lifecycleDecision(parts, actor, call, command)
  const check = await approvalCheck(parts, actor, call, (state) => activatedIn(state, command))
  return function* (state, nowMs) {
    check(state)
    const { events, ...decided } = decide(state, nowMs)
    const { effect } = decided
    const isRehydrate = command.operation === 'rehydrate'
    const reply = {
      ...envelopeOf(CONTRACT, call),
      operation: command.operation,
      target: command.target,
      forget_effect: lifecycleEffectOf(command, effect, nowMs),
      ...(isRehydrate ? { result: yield* rehydratedResult(state, command, decided, nowMs) } : {}),
      source_map: sourceMap('/v1/forget', ['memory_lifecycle']),
      ...warningsOf(withHandleAdvice(warnings, effect.missing, command.guideTraceId)),
    }
    return { events, reply }
  }
}

/** What an operator approves by its activation. */
function activatedIn(state: ActorState, command: LifecycleCommand): readonly string[] {
  if (command.operation !== 'activate') return []
  return resolveReferences(state, command, command.viewpoint).records.map(({ memoryId }) => memoryId)
}

/** Suppresses or restores what a filter finds, piece by piece. */
async function forgetByFilter(
  parts: RuntimeParts,
  call: ForgetCall,
  command: LifecycleCommand,
  warnings: readonly string[],
): Promise<AnswerOf<'forget'>> {
  const { filter, dry_run: dryRun } = call.request
  const isSuppress = command.operation === 'suppress'
  const asked: ByFilter = {
    filter: filterOf(filter ?? {}),
    viewer: command.viewpoint,
    isDryRun: dryRun ?? false,
    isDue(state, { memoryId, facets }, nowMs) {
      if (state.erasures.has(memoryId)) return false
      if (!isSuppressed(facets, nowMs)) return isSuppress
      // What would come back before the end that is asked for is not suppressed yet.
      return !isSuppress || (facets.suppression?.untilMs ?? Infinity) < (command.untilMs ?? Infinity)
    },
    act(state, memoryIds, nowMs) {
      const { events, effect } = decideLifecycle(state, { ...command, memoryIds }, command.viewpoint, nowMs)
      return { events, reply: effect.changedMemoryIds.length }
    },
  }
  const run = async (actor: Actor): Promise<AnswerOf<'forget'>> => {
    refusePastEnd(command, parts.clock.nowMs())
    const filtered = await actByFilter(actor, asked, principalIdOf(call))
    return {
      ...envelopeOf(CONTRACT, call),
      operation: command.operation,
      target: command.target,
      forget_effect: filteredEffectOf(command, filtered),
      filter_effect: filtered,
      source_map: sourceMap('/v1/forget', ['memory_lifecycle']),
      ...warningsOf(warnings),
    }
  }
  if (asked.isDryRun) return parts.registry.look(call.tenantId, call.scope, run)
  return parts.registry.use(call.tenantId, call.scope, (actor) =>
    onceBehind(parts.codec, call.operationKey, actor, principalIdOf(call), () => run(actor)),
  )
}

/** Without an operator's assertion, `activate` is feedback and follows its rules. */
async function activatedByFeedback(
  parts: RuntimeParts,
  actor: Actor,
  call: ForgetCall,
  command: LifecycleCommand,
  warnings: readonly string[],
): Promise<AnswerOf<'forget'>> {
  const said = feedbackOf(command)
  return attributed(
    parts,
    actor,
    () => said,
    call,
    (effect) => ({
      ...envelopeOf(CONTRACT, call),
      operation: 'activate',
      target: command.target,
      forget_effect: effect.view,
      source_map: sourceMap('/v1/forget', ['feedback_attribution', 'memory_lifecycle']),
      ...warningsOf([...warnings, ...ambiguityOf(said), ...effect.warnings]),
    }),
  )
}

const ACTIVATION_HINT =
  'An operator activation sends outcome positive, used_surface explicit_host_assertion and actor, without guide_trace_id; otherwise activate is feedback and needs this field.'

function feedbackOf(command: LifecycleCommand): FeedbackCommand {
  const { runId, outcome, usedSurface } = command
  const issues = Object.entries({ run_id: runId, outcome, used_surface: usedSurface })
    .filter(([, value]) => value === null)
    .map(([path]) => ({ path, message: ACTIVATION_HINT }))
  if (runId === null || outcome === null || usedSurface === null) throw invalidRequest(issues)
  return {
    viewpoint: command.viewpoint ?? { agentId: LOCAL_AGENT, teamId: null },
    runId,
    outcome,
    usedSurface,
    guideTraceId: command.guideTraceId,
    memoryIds: [...command.memoryIds, ...command.anchors],
    clientIds: command.clientIds,
    reason: command.reason,
    actorName: command.actorName,
    verifierStatus: command.verifierStatus,
    toolStatus: command.toolStatus,
    runtimeSignalRefs: command.runtimeSignalRefs,
  }
}
