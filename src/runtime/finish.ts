import type { Actor, DecideInSteps } from '../actor/actor.ts'
import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import type { FeedbackOutcome, Outcome } from '../core/base/closed-sets.ts'
import { resultOf } from '../core/base/collections.ts'
import { DomainError } from '../core/base/errors.ts'
import { GUIDE_TRACE_PREFIX } from '../core/base/ids.ts'
import { viewerOf } from '../core/guide/decision.ts'
import { withoutHandles } from '../core/guide/handles.ts'
import type { ExposureRecord } from '../core/model/events.ts'
import type { Principal } from '../core/model/principal.ts'
import { screen } from '../core/screening/screen.ts'
import { type FinishEffect, finishSteps } from '../core/write/finish.ts'
import { attributionStrengthOf, feedbackEffectOf } from './lifecycle-wire.ts'
import {
  distinct,
  firstOf,
  namesLane,
  outcomeAudience,
  sentConsumerOf,
  taskOf,
} from './normalise/identity.ts'
import { observeCommand } from './normalise/observe.ts'
import { isLarge, screenerFor, screenJobsOf } from './observe.ts'
import {
  type Call,
  envelopeOf,
  exposureFor,
  freeKey,
  type Handler,
  type OperationKey,
  onceInSteps,
  operationKeyFor,
  principalIdOf,
  type RuntimeParts,
  sourceMap,
  turnOnce,
  warningsOf,
} from './parts.ts'

/** What the end of a run says of the memory that it used. */
const SAID_BY: Readonly<Record<Outcome, FeedbackOutcome>> = {
  succeeded: 'positive',
  failed: 'negative',
  blocked: 'neutral',
  interrupted: 'neutral',
  unknown: 'neutral',
}

type FinishReading = ReturnType<typeof finishCommand>

/** What a finish request means: who acted, for which task and in which run its guide says. */
export function finishCommand(
  request: RequestOf<'finish'>,
  exposure: ExposureRecord,
  principal: Principal | null = null,
) {
  const runId = runIdOf(request, exposure)
  const consumer = viewerOf({ exposure })
  const { command: run, warnings } = observeCommand(asObserved(request, exposure, runId), principal, 'finish')
  const outcome = run.memories[0]?.content.outcome ?? 'unknown'
  const use = {
    viewpoint: run.viewpoint,
    runId,
    outcome: SAID_BY[outcome],
    guideTraceId: exposure.guideTraceId,
    memoryIds: distinct(request.used_memory_ids),
    clientIds: [],
    reason: firstOf(request.reason) ?? `the run ended: ${outcome}`,
    actorName: firstOf(request.actor),
    verifierStatus: request.verifier_status ?? null,
    toolStatus: null,
    runtimeSignalRefs: [],
    ...(namesLane(request) ? { audience: outcomeAudience(request, consumer) } : {}),
  }
  const stays =
    outcome === 'unknown' && run.memories[0]?.content.outcomeRaw !== null ? [staysUnknown(runId)] : []
  return {
    command: { run, use },
    outcome,
    warnings: [...warnings, ...stays, ...overruled(request, exposure)],
  }
}

/** A finish is said once, so that the right word comes too late for it. */
function staysUnknown(runId: string): string {
  return `the run ${runId} is finished and stays unknown: send feedback for it, positive or negative, or finish under another run_id`
}

/** One guide gives one run where nobody names any: a repeat means the same one. */
export function runIdOf(request: Pick<RequestOf<'finish'>, 'run_id'>, exposure: ExposureRecord): string {
  const { runId, guideTraceId } = exposure
  return request.run_id ?? runId ?? `run:${guideTraceId.slice(GUIDE_TRACE_PREFIX.length)}`
}

/** The run as observe takes it. */
function asObserved(
  request: RequestOf<'finish'>,
  exposure: ExposureRecord,
  runId: string,
): RequestOf<'observe'> {
  const { consumerAgentId, consumerTeamId, taskSignature } = exposure
  const { actor, context, workflow_signature, task_id, task_family } = request
  const { memory_lane, owner_agent_id, owner_team_id, verifier_status } = request
  const { title, summary, outcome, target_files, acceptance_checks, workspace_changes } = request
  return {
    actor,
    context,
    workflow_signature,
    task_id,
    task_family,
    run_id: runId,
    task_signature: taskSignature ?? request.task_signature,
    consumer_agent_id: consumerAgentId,
    consumer_team_id: consumerTeamId,
    memory_lane,
    owner_agent_id,
    owner_team_id,
    workspace_changes,
    execution: {
      title,
      summary,
      outcome,
      target_files,
      acceptance_checks,
      verifier: verifier_status == null ? null : { status: verifier_status },
    },
  }
}

function overruled(request: RequestOf<'finish'>, { taskSignature }: ExposureRecord): readonly string[] {
  const said = taskOf(request).taskSignature
  if (said === null || taskSignature === null || said === taskSignature) return []
  return ['task_signature differs from that of the guide, which counts']
}

type Answer = AnswerOf<'finish'>
type FinishCall = Call<RequestOf<'finish'>>

/** Records how a run ended and attributes it to what the run used of its guide: one turn, once for a guide and run. */
export const finish: Handler<'finish'> = async (parts, call) => {
  const { request } = call
  const by = principalIdOf(call)
  return parts.registry.use(call.tenantId, call.scope, async (actor) => {
    let read: Read
    try {
      read = await readingOf(parts, actor, call)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      // A repeat gets its stored answer also when the guide is kept no longer.
      const refuse = (): never => {
        throw error
      }
      return turnOnce(parts, actor, call, refuse)
    }
    const { run } = read.said.command
    const screener = isLarge(run) ? await screenerFor(parts, screenJobsOf(run)) : null
    const decide: DecideInSteps<Answer> = function* (state, nowMs) {
      const { said, exposure } = read
      const use = withoutHandles(state, said.command.use, exposure)
      const newId = (): string => parts.entropy.uuid(nowMs)
      const { events, effect } = yield* finishSteps(
        state,
        { ...said.command, use },
        exposure,
        nowMs,
        newId,
        screener ?? screen,
        actor.similar,
      )
      return { events, reply: answerOf(call, said, exposure, effect) }
    }
    const finishOnce = onceInSteps(parts.codec, await finishKey(parts, request, read), decide)
    return taken(actor, screener, onceInSteps(parts.codec, freeKey(actor, call), finishOnce), by)
  })
}

interface Read {
  readonly said: FinishReading
  readonly exposure: ExposureRecord
}

async function readingOf(
  parts: RuntimeParts,
  actor: Actor,
  { request, principal }: FinishCall,
): Promise<Read> {
  const sent = sentConsumerOf(request, principal)
  const exposure = await exposureFor(parts, actor, request.guide_trace_id, sent)
  return { said: finishCommand(request, exposure, principal), exposure }
}

/** In slices where its texts are large. */
async function taken(
  actor: Actor,
  screener: object | null,
  decide: DecideInSteps<Answer>,
  by: string | null,
): Promise<Answer> {
  if (!actor.isSimilarReady) await actor.similarReady()
  if (screener !== null) return actor.turnInSlices(decide, by)
  return actor.turn((state, nowMs) => resultOf(decide(state, nowMs)), by)
}

/**
 * Guide and run stand for the operation: their finish is stored as an operation is, and known as long. Callers' ids are
 * trimmed, so that none of them is one of these.
 */
async function finishKey(
  { codec }: Pick<RuntimeParts, 'codec'>,
  request: FinishCall['request'],
  { said, exposure }: Read,
): Promise<OperationKey | null> {
  const { guideTraceId } = exposure
  const { runId } = said.command.use
  const key = await operationKeyFor(
    codec,
    'finish',
    request,
    ` finish ${codec.sha256(`${guideTraceId}\n${runId}`)}`,
  )
  return key === null
    ? null
    : {
        ...key,
        named: {
          details: { guide_trace_id: guideTraceId, run_id: runId },
          message:
            'This guide and run are finished already: repeat the same body to get the answer again, send another run_id for another run, or send feedback for another outcome.',
        },
      }
}

function answerOf(
  call: FinishCall,
  { outcome, warnings }: FinishReading,
  exposure: ExposureRecord,
  { runMemoryId, feedback, use, warnings: decided }: FinishEffect,
): Answer {
  return {
    ...envelopeOf('svc_finish_result_v1', call),
    guide_trace_id: exposure.guideTraceId,
    run_id: feedback.runId,
    run_memory_id: runMemoryId,
    outcome,
    feedback_outcome: feedback.outcome,
    used_memory_ids: use.memoryIds,
    evidence: use.attributions.map(({ memoryId, exposedOn, usedSurface }) => ({
      memory_id: memoryId,
      surface: exposedOn ?? 'do_not_use',
      used_surface: usedSurface,
      attribution_strength: attributionStrengthOf(feedback, use, use.affectedMemoryIds.includes(memoryId)),
    })),
    boundary_ignored_memory_ids: use.boundaryIgnoredMemoryIds,
    forget_effect: feedbackEffectOf(feedback, use, exposure),
    source_map: sourceMap('/v1/finish', [
      'memory_write',
      'exposure_ledger',
      'feedback_attribution',
      'memory_lifecycle',
    ]),
    ...warningsOf([...warnings, ...decided]),
  }
}
