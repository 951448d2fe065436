import type { Actor, Decided } from '../actor/actor.ts'
import { yieldToLoop } from '../actor/waiting.ts'
import { FILTERED_LISTED_MAX, FILTERED_MAX } from '../contract/forget.ts'
import type { AnswerOf } from '../contract/operations.ts'
import { bySurface } from '../core/base/closed-sets.ts'
import type { FeedbackCommand, LifecycleCommand } from '../core/model/commands.ts'
import { type ExposureRecord, shownIn } from '../core/model/events.ts'
import { lifecycleStateAt } from '../core/model/lifecycle.ts'
import type { Facets, MemoryRecord } from '../core/model/record.ts'
import type { ActorState } from '../core/model/state.ts'
import type { Viewer } from '../core/model/visibility.ts'
import { listedOn, type MemoryFilter, type MemoryWalk } from '../core/report/memory-list.ts'
import type { ExternalState, FeedbackEffect } from '../core/write/attribution.ts'
import { isVerifiedNegative } from '../core/write/feedback.ts'
import type { LifecycleEffect } from '../core/write/forget.ts'
import { isoOf } from './parts.ts'

/** What one turn may spend on looking, in units of looking at one memory, and how many memories it may act on. */
const SLICE_UNITS = 2_000
const SLICE_MEMORIES = 50

/** Memories to act on, and what is done with each piece of them. */
export interface ByFilter {
  readonly filter: MemoryFilter
  readonly viewer: Viewer
  readonly isDryRun: boolean
  /** False for what is already as it is asked for. */
  readonly isDue: (state: ActorState, record: MemoryRecord, nowMs: number) => boolean
  /** What goes with what was found, whether or not the filter finds it; left out: nothing. */
  readonly alsoDue?: (state: ActorState, memoryIds: ReadonlySet<string>) => readonly MemoryRecord[]
  /** The reply is how many of them changed. */
  readonly act: (state: ActorState, memoryIds: readonly string[], nowMs: number) => Decided<number>
}

export type FilteredEffect = NonNullable<AnswerOf<'forget'>['filter_effect']>

/**
 * Acts on what a filter finds, the newest first, in turns of their own: others are served between them, and what they
 * write is not met. Cut off, it has done what it has done: a repeat finds the rest.
 */
export async function actByFilter(
  actor: Actor,
  asked: ByFilter,
  principalId: string | null,
): Promise<FilteredEffect> {
  const { isDryRun } = asked
  /** In the order in which they were found. */
  const found = new Set<string>()
  let changedCount = 0
  let walk: MemoryWalk | null = null
  do {
    if (walk !== null) await yieldToLoop()
    const left = FILTERED_MAX + 1 - found.size
    const piece: Piece = await nextPiece(actor, asked, walk, left, found, principalId)
    walk = piece.walk
    for (const id of piece.memoryIds) found.add(id)
    changedCount += piece.changedCount
  } while (walk.slot >= 0 && found.size <= FILTERED_MAX)
  return {
    dry_run: isDryRun,
    matched_count: Math.min(found.size, FILTERED_MAX),
    changed_count: changedCount,
    memory_ids: [...found].slice(0, FILTERED_LISTED_MAX),
    more: found.size > FILTERED_MAX,
  }
}

interface Piece {
  readonly walk: MemoryWalk
  readonly memoryIds: readonly string[]
  readonly changedCount: number
}

/**
 * @param left one more than may still be acted on: the last one only tells that there are more
 * @param seen what earlier pieces had
 */
function nextPiece(
  actor: Actor,
  { filter, viewer, isDryRun, isDue, alsoDue, act }: ByFilter,
  before: MemoryWalk | null,
  left: number,
  seen: ReadonlySet<string>,
  principalId: string | null,
): Promise<Piece> {
  return actor.turnInSlices(function* (state, nowMs) {
    yield
    const walk = { slot: before?.slot ?? state.records.length - 1, allowance: SLICE_UNITS }
    const found = listedOn({ state, viewer, nowMs }, filter, walk, Math.min(SLICE_MEMORIES, left))
    const due = found.filter(({ record }) => isDue(state, record, nowMs) && !seen.has(record.memoryId))
    const foundIds = due.map(({ record }) => record.memoryId)
    const meantIds = due.length === left ? foundIds.slice(0, -1) : foundIds
    const others = (alsoDue?.(state, new Set(meantIds)) ?? []).filter(({ memoryId }) => !seen.has(memoryId))
    const otherIds = others.map(({ memoryId }) => memoryId)
    const [memoryIds, acted] = [
      [...foundIds, ...otherIds],
      [...meantIds, ...otherIds],
    ]
    if (isDryRun || acted.length === 0) return { events: [], reply: { walk, memoryIds, changedCount: 0 } }
    yield
    const { events, reply: changedCount } = act(state, acted, nowMs)
    return { events, reply: { walk, memoryIds, changedCount } }
  }, principalId)
}

export type ForgetEffect = AnswerOf<'forget'>['forget_effect']

/** The audit record of suppress, unsuppress, rehydrate and operator activation. */
export function lifecycleEffectOf(
  command: LifecycleCommand,
  effect: LifecycleEffect,
  nowMs: number,
): ForgetEffect {
  const { records, changedMemoryIds } = effect
  return {
    agent_prompt_included: false,
    action: command.operation,
    target: command.target,
    reason: command.reason,
    changed_count: changedMemoryIds.length,
    reversible: command.operation !== 'activate',
    affected_memory_ids: records.map((record) => record.memoryId),
    affected_client_ids: records.flatMap(({ clientId }) => clientId ?? []),
    ...missingOf(command, effect),
    anchor_id: command.anchors[0] ?? null,
    anchor_uri: null,
    ...(command.operation === 'suppress' ? { until: isoOf(command.untilMs) } : {}),
    memory_states: records.map((record) => ({
      memory_id: record.memoryId,
      before: lifecycleStateAt(record.facets, nowMs),
      after: lifecycleStateAt(facetsAfter(command, record, nowMs), nowMs),
    })),
  }
}

/** The same for what a filter found: of many memories the newest are named. */
export function filteredEffectOf(command: LifecycleCommand, filtered: FilteredEffect): ForgetEffect {
  return {
    agent_prompt_included: false,
    action: command.operation,
    target: command.target,
    reason: command.reason,
    changed_count: filtered.changed_count,
    reversible: true,
    affected_memory_ids: filtered.dry_run ? [] : filtered.memory_ids,
    affected_client_ids: [],
    ...NOTHING_MISSING,
    ...(command.operation === 'suppress' ? { until: isoOf(command.untilMs) } : {}),
  }
}

/** What was named and is not there, by the way in which it was named. */
export function missingOf({ clientIds }: LifecycleCommand, { missing }: LifecycleEffect) {
  const isClientId = new Set(clientIds)
  return {
    missing_memory_ids: missing.filter((id) => !isClientId.has(id)),
    missing_client_ids: missing.filter((id) => isClientId.has(id)),
  }
}

const NOTHING_MISSING = {
  missing_memory_ids: [],
  missing_client_ids: [],
  anchor_id: null,
  anchor_uri: null,
}

function facetsAfter(command: LifecycleCommand, record: MemoryRecord, nowMs: number): Facets {
  const { facets } = record
  switch (command.operation) {
    case 'suppress': {
      const suppression = {
        reason: command.reason,
        by: command.actorName,
        sinceMs: nowMs,
        untilMs: command.untilMs,
      }
      return { ...facets, suppression }
    }
    case 'unsuppress':
      return { ...facets, suppression: null }
    case 'rehydrate':
      return { ...facets, availability: 'resident' }
    case 'activate':
      return { ...facets, standing: 'active', trust: 'trusted' }
  }
}

/** The audit record of attributed feedback. */
export function feedbackEffectOf(
  command: FeedbackCommand,
  effect: FeedbackEffect,
  exposure: ExposureRecord | null,
): ForgetEffect {
  return {
    agent_prompt_included: false,
    action: 'activate',
    target: 'memory',
    reason: command.reason,
    changed_count: effect.affectedMemoryIds.length,
    reversible: false,
    affected_memory_ids: effect.memoryIds,
    affected_client_ids: effect.clientIds,
    ...NOTHING_MISSING,
    ...(effect.externalStates === null
      ? {}
      : { external_states: effect.externalStates.map(externalStateRow) }),
    attribution: attributionOf(command, effect),
    ...(exposure === null ? {} : { guide_trace: guideTraceOf(exposure, effect) }),
  }
}

function externalStateRow({ sourceBackend, externalId, before, after }: ExternalState) {
  return { source_backend: sourceBackend, external_memory_id: externalId, before, after }
}

function attributionOf(command: FeedbackCommand, effect: FeedbackEffect): ForgetEffect['attribution'] {
  return {
    run_id: command.runId,
    outcome: command.outcome,
    used_surface: command.usedSurface,
    ...(command.verifierStatus === null ? {} : { verifier_status: command.verifierStatus }),
    ...(command.toolStatus === null ? {} : { tool_status: command.toolStatus }),
    ...(command.runtimeSignalRefs.length === 0 ? {} : { runtime_signal_refs: command.runtimeSignalRefs }),
    attribution_strength: attributionStrengthOf(command, effect, effect.affectedMemoryIds.length > 0),
  }
}

/** @param hasChanged whether it changed anything of what is asked about */
export function attributionStrengthOf(
  command: FeedbackCommand,
  effect: FeedbackEffect,
  hasChanged: boolean,
): NonNullable<NonNullable<ForgetEffect['attribution']>['attribution_strength']> {
  if (!hasChanged || command.outcome === 'neutral') return 'observed_feedback'
  if (command.outcome === 'positive') return effect.isDirect ? 'positive_attribution' : 'observed_feedback'
  return isVerifiedNegative(command) && effect.memoryIds.length === 1
    ? 'strong_counter_signal'
    : 'weak_counter_signal'
}

function guideTraceOf(exposure: ExposureRecord, effect: FeedbackEffect): ForgetEffect['guide_trace'] {
  const attributed = new Set(effect.memoryIds)
  const shown = shownIn(exposure)
  const left = shown.ids.map((id, rank) => ({ id, surface: shown.surfaces[rank] ?? 'do_not_use' }))
  const unattributed = left.filter(({ id }) => !attributed.has(id))
  const on = bySurface((surface) => unattributed.filter((row) => row.surface === surface).map(({ id }) => id))
  return {
    guide_trace_id: exposure.guideTraceId,
    exposed_memory_ids: shown.ids,
    exposed_memory_count: shown.ids.length,
    attributed_memory_ids: effect.memoryIds,
    attributed_memory_count: effect.memoryIds.length,
    unattributed_recalled_memory_ids: unattributed.map(({ id }) => id),
    unattributed_recalled_memory_count: unattributed.length,
    unattributed_use_now_memory_ids: on.use_now,
    unattributed_inspect_before_use_memory_ids: on.inspect_before_use,
    unattributed_do_not_use_memory_ids: on.do_not_use,
    unattributed_rehydrate_memory_ids: on.rehydrate,
    boundary_ignored_memory_ids: effect.boundaryIgnoredMemoryIds,
  }
}
