import type { Actor, Decided, DecideInSteps } from '../actor/actor.ts'
import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { DomainError } from '../core/base/errors.ts'
import { withoutHandles } from '../core/guide/handles.ts'
import type { ExposureRecord } from '../core/model/events.ts'
import { screen } from '../core/screening/screen.ts'
import { type FinishEffect, finishSteps } from '../core/write/finish.ts'
import { attributionStrengthOf, feedbackEffectOf } from './lifecycle-wire.ts'
import { type FinishReading, finishCommand } from './normalise/finish.ts'
import { sentConsumerOf } from './normalise/identity.ts'
import {
  type Call,
  envelopeOf,
  exposureFor,
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
import { isLarge, screenerFor, screenJobsOf } from './screening.ts'

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
    return taken(actor, screener, onceInSteps(parts.codec, call.operationKey, finishOnce), by)
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
  const exposure = await exposureFor(parts, actor, request.guide_trace_id, sentConsumerOf(request))
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
  return actor.turn((state, nowMs) => lastOf(decide(state, nowMs)), by)
}

function lastOf(steps: Generator<void, Decided<Answer>>): Decided<Answer> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
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
