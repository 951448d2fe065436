import { admit, isTrustedThrough } from '../governance/admission.ts'
import { lifecycleStateAt } from '../governance/lifecycle.ts'
import { isVisibleTo } from '../governance/visibility.ts'
import type { ActorEvent } from '../memory/events.ts'
import type { MemoryRecord } from '../memory/record.ts'
import type { ActorState } from '../memory/state.ts'
import { type RenderedPrompt, renderPrompt } from '../prompt/render.ts'
import { agentContext } from './agent-context.ts'
import { gatherCandidates, type TextHit } from './candidates.ts'
import { claimLedgerProjection } from './claims.ts'
import type { GuideCommand } from './command.ts'
import type { GuideEntry, GuideView, RecallSource } from './entry.ts'
import { guidePacket } from './guide-packet.ts'
import { type IsoTime, memoryPacket } from './memory-packet.ts'
import { memoryUseReceipt } from './receipt.ts'
import { markRelevantWarnings } from './relevance.ts'
import { selectWithin } from './selection.ts'
import { workedElsewhere } from './worked-instead.ts'

/** Claims looked at for the ledger projection, the newest first. */
const PROJECTED_CLAIMS_MAX = 200

/** What recall found for the query before the turn. */
export interface Recalled {
  readonly hits: readonly TextHit[]
  /** Paths, symbols and ids that the query names. */
  readonly identifiers: readonly string[]
}

/**
 * Compiles governed context on the state of now: what was suppressed while a worker ranked cannot pass. The one event
 * is the exposure of exactly what was printed.
 */
export function compileGuide(
  state: ActorState,
  command: GuideCommand,
  recalled: Recalled,
  nowMs: number,
  guideTraceId: string,
  isoTime: IsoTime,
): { readonly events: readonly ActorEvent[]; readonly body: object } {
  const view = viewOf(state, command, recalled)
  const ranked = entriesOf(state, command, recalled.hits, nowMs)
  const chosen = markRelevantWarnings(selectWithin(ranked, command.limit), view)
  const isUsable = (record: MemoryRecord) =>
    entryOf(state, command, record, [], 0, nowMs).surface === 'use_now'
  const worked = workedElsewhere(state, chosen, command.consumer, isUsable)
  const rendered = renderPrompt(chosen, view, worked)
  return {
    events: [exposureOf(command, rendered, guideTraceId)],
    body: { ...bodyOf(rendered, view, guideTraceId, isoTime), ...claimsOf(state, command, nowMs) },
  }
}

function viewOf(state: ActorState, command: GuideCommand, recalled: Recalled): GuideView {
  return {
    queryText: command.queryText,
    queryIdentifiers: recalled.identifiers,
    role: command.role,
    profile: command.profile,
    contextMode: command.contextMode,
    mode: command.mode,
    compaction: command.compaction,
    budgetChars: command.budgetChars,
    tenantId: state.tenantId,
    scope: state.scope,
    consumer: command.consumer,
    runId: command.runId,
    taskSignature: command.taskSignature,
    workflowSignature: command.workflowSignature,
    includePackets: command.includePackets,
  }
}

/** Admission of a candidate when it is asked for. */
function* entriesOf(
  state: ActorState,
  command: GuideCommand,
  hits: readonly TextHit[],
  nowMs: number,
): Generator<GuideEntry> {
  let rank = 0
  for (const { record, recallSources } of gatherCandidates(state, command, hits, nowMs)) {
    yield entryOf(state, command, record, recallSources, rank, nowMs)
    rank += 1
  }
}

function entryOf(
  state: ActorState,
  command: GuideCommand,
  record: MemoryRecord,
  recallSources: readonly RecallSource[],
  rank: number,
  nowMs: number,
): GuideEntry {
  const isTrusted = isTrustedThrough(state, record, command.consumer)
  const admission = admit({
    record,
    nowMs,
    isTrusted,
    askedSignature: command.taskSignature,
    consumer: command.consumer,
  })
  const lifecycleState = lifecycleStateAt(record.facets, nowMs)
  return { record, ...admission, recallSources, rank, relevantWarning: false, lifecycleState }
}

function exposureOf(command: GuideCommand, rendered: RenderedPrompt, guideTraceId: string): ActorEvent {
  return {
    type: 'exposed',
    guideTraceId,
    memoryIds: rendered.printed.map((entry) => entry.record.memoryId),
    surfaces: rendered.printed.map((entry) => entry.surface),
    consumerAgentId: command.consumer.agentId,
    consumerTeamId: command.consumer.teamId,
    runId: command.runId,
    taskSignature: command.taskSignature,
  }
}

function bodyOf(rendered: RenderedPrompt, view: GuideView, guideTraceId: string, isoTime: IsoTime): object {
  const { agentId, teamId } = view.consumer
  return {
    consumer_agent_id: agentId,
    ...(teamId === null ? {} : { consumer_team_id: teamId }),
    guide_trace_id: guideTraceId,
    agent_context: agentContext(rendered, view),
    memory_use_receipt: memoryUseReceipt(rendered, guideTraceId),
    ...(view.includePackets
      ? { memory_packet: memoryPacket(rendered, view, isoTime), guide_packet: guidePacket(rendered, view) }
      : {}),
  }
}

function claimsOf(state: ActorState, command: GuideCommand, nowMs: number): object {
  const views: GuideEntry[] = []
  for (let at = state.claims.length - 1; at >= 0 && views.length < PROJECTED_CLAIMS_MAX; at--) {
    const record = state.memories.get(state.claims[at] ?? '')
    if (record === undefined || !isVisibleTo(record.audience, command.consumer)) continue
    views.push(entryOf(state, command, record, [], views.length, nowMs))
  }
  const projection = claimLedgerProjection(views)
  return projection === null ? {} : { claim_ledger_projection: projection }
}
