import { createCodec } from '../../src/adapters/codec/codec.ts'
import { decisionOf, type StoredGuide, viewerOf } from '../../src/core/guide/decision.ts'
import type { GuideCommand } from '../../src/core/guide/entry.ts'
import { confidenceDecay, neighborhoodDrift } from '../../src/core/measure/memory-drift.ts'
import type { FeedbackCommand } from '../../src/core/model/commands.ts'
import type { Consumer } from '../../src/core/model/record.ts'
import type { ActorState } from '../../src/core/model/state.ts'
import { consumerKey } from '../../src/core/model/visibility.ts'
import { type ReportHistory, reportsOfTurn } from '../../src/core/report/feedback-report.ts'
import {
  type NamedGuide,
  type TraceInput,
  type TraceSources,
  traceInputOf,
} from '../../src/core/report/trace-input.ts'
import type { FeedbackEffect } from '../../src/core/write/attribution.ts'
import { feedbackEffectOf } from '../../src/runtime/lifecycle-wire.ts'
import { decisionReport } from '../../src/runtime/reports/decision-report-rows.ts'
import { type DecisionTrace, decisionTrace } from '../../src/runtime/reports/decision-trace-rows.ts'
import { feedbackOf } from './commands.ts'
import type { NamedHit } from './named-hit.ts'
import { type GuideAnswer, World } from './world.ts'

const codec = createCodec()
export type Wire = Record<string, unknown>

export interface FeedbackAnswer {
  readonly guideTraceId: string | null
  readonly runId: string
  readonly seq: number
  readonly body: Wire
}

/** A world that keeps what it answered, as it went over the wire. */
export class TracedWorld extends World {
  readonly guideAnswers = new Map<string, Wire>()
  readonly feedbackAnswers: FeedbackAnswer[] = []

  override guide(command?: Partial<GuideCommand>, hits?: readonly NamedHit[]): GuideAnswer {
    const answer = super.guide(command, hits)
    this.guideAnswers.set(answer.guide_trace_id, wireOf(answer))
    return answer
  }

  /** A guide that withholds memory. */
  heldOutGuide(command: Partial<GuideCommand>): GuideAnswer {
    const { events, answer } = this.compiled(command, [], this.state, true)
    this.commit(events)
    this.guideAnswers.set(answer.guide_trace_id, wireOf(answer))
    return answer
  }

  override feedback(parts: Partial<FeedbackCommand>): FeedbackEffect {
    const command = feedbackOf(parts)
    const effect = super.feedback(command)
    const { runId, outcome, usedSurface, guideTraceId } = command
    const body = wireOf({
      contract_version: 'svc_feedback_result_v1',
      operation: 'activate',
      target: 'memory',
      run_id: runId,
      outcome,
      used_surface: usedSurface,
      guide_trace_id: guideTraceId,
      used_memory_ids: effect.memoryIds,
      forget_effect: feedbackEffectOf(command, effect, this.exposure(guideTraceId)),
    })
    this.feedbackAnswers.push({ guideTraceId, runId, seq: this.state.seq, body })
    return effect
  }
}

export function wireOf(value: unknown): Wire {
  return JSON.parse(JSON.stringify(value)) as Wire
}

export function storedIn(world: World, guideTraceId: string): StoredGuide {
  const exposure = world.exposure(guideTraceId)
  if (exposure === null) throw new Error(`no guide ${guideTraceId}`)
  const events = world.turns.find((turn) => turn.seq === exposure.seq)?.events ?? []
  const decided = events.find((event) => event.type === 'guide_decided')
  return { exposure, decision: decided === undefined ? null : decisionOf(decided, exposure) }
}

/** Artifacts of one loop, as a caller hands them back. */
export interface Supplied {
  readonly after?: Wire | null
  readonly before?: Wire | null
  readonly feedback?: Wire | null
  readonly forget?: Wire | null
}

export interface Asked {
  readonly state?: ActorState
  /** History as it is known; the default is all of it. */
  readonly history?: ReportHistory | null
  readonly before?: string | null
  /** Who asks about a guide that is not held. */
  readonly consumer?: Consumer | null
}

export function historyOf(world: World, guideTraceId: string): ReportHistory {
  const { exposure } = storedIn(world, guideTraceId)
  return { isComplete: true, reports: world.turns.flatMap((turn) => reportsOfTurn(turn, exposure)) }
}

/** What the runtime reads for a trace, from a world. A null id: the guide is not held. */
export function sourcesIn(
  world: World,
  guideTraceId: string | null,
  supplied: Supplied = {},
  asked: Asked = {},
): TraceSources {
  const stored = guideTraceId === null ? null : storedIn(world, guideTraceId)
  const viewer = stored === null ? (asked.consumer ?? null) : viewerOf(stored)
  const isOwn = (id: string): boolean => {
    const exposure = world.exposure(id)
    if (exposure === null || viewer === null) return false
    return consumerKey(viewerOf({ exposure })) === consumerKey(viewer)
  }
  const before: NamedGuide =
    asked.before == null
      ? { holding: 'not_supplied', stored: null, artifact: supplied.before ?? null }
      : { holding: 'held', stored: storedIn(world, asked.before), artifact: supplied.before ?? null }
  return {
    after: { holding: stored === null ? 'not_held' : 'held', stored, artifact: supplied.after ?? null },
    before,
    answers: [
      ...(supplied.feedback == null ? [] : [{ name: 'feedback_result', value: supplied.feedback }]),
      ...(supplied.forget == null ? [] : [{ name: 'forget_result', value: supplied.forget }]),
    ],
    reader: {
      viewer,
      ownGuideIds: new Set(world.guides.map((each) => each.guideTraceId).filter(isOwn)),
      isConsumer: false,
    },
    history:
      asked.history === undefined && guideTraceId !== null
        ? historyOf(world, guideTraceId)
        : (asked.history ?? null),
    claims: { sufficientEvidence: null, evidenceIdCount: 0 },
    hashOf: (text) => codec.sha256(text),
  }
}

export function traceIn(
  world: World,
  guideTraceId: string | null,
  supplied: Supplied = {},
  asked: Asked = {},
): DecisionTrace {
  const sources = sourcesIn(world, guideTraceId, supplied, asked)
  return toldBy(traceInputOf(asked.state ?? world.state, sources, world.nowMs))
}

/** The trace of an input, with its own drift. */
export function toldBy(input: TraceInput): DecisionTrace {
  return decisionTrace(input, neighborhoodDrift(input.driftFacts), confidenceDecay(input.driftFacts))
}

export function auditIn(world: World, guideTraceId: string, supplied: Supplied = {}) {
  return decisionReport(traceIn(world, guideTraceId, supplied))
}
