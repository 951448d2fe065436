import { DomainError, ERRORS, invalidRequest } from '../base/errors.ts'
import { advised } from '../guide/handles.ts'
import type { LifecycleCommand } from '../model/commands.ts'
import { isSuppressed } from '../model/lifecycle.ts'
import { authoritiesOf, isLess, voiceOf as voiceIn } from '../model/principal.ts'
import type { Consumer, MemoryRecord } from '../model/record.ts'
import { resolveReferences } from '../model/references.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { isSeenByAllWhoSee } from '../model/visibility.ts'
import { type Decided, Decision } from './decision.ts'
import { voiceOf } from './lineage.ts'
import { restoreCopies, suppressCopies, suppressedCopies } from './similar.ts'

export interface LifecycleEffect {
  readonly records: readonly MemoryRecord[]
  /** Memories that the request really changed; the rest stood there already. */
  readonly changedMemoryIds: readonly string[]
  readonly missing: readonly string[]
}

/**
 * Suppresses, restores, activates or rehydrates memory. Nothing is deleted.
 * @param eyes null: an operator who sees the whole actor
 * @throws reference_required, memory_not_found, anchor_not_found, invalid_request
 */
export function decideLifecycle(
  state: ActorState,
  command: LifecycleCommand,
  eyes: Consumer | null,
  nowMs: number,
): Decided<LifecycleEffect> {
  refusePastEnd(command, nowMs)
  const { records, missing } = resolveOrRefuse(state, command, eyes)
  refuseAbove(state, command, records)
  const decision = new Decision(state, nowMs, () => '')
  const isAlong = command.operation === 'suppress' || command.operation === 'unsuppress'
  const copies: Copies = isAlong ? suppressedCopies(state) : new Map()
  // What a request names itself is suppressed for its own sake, in whatever order it names it.
  if (command.operation === 'suppress')
    for (const record of records)
      if (!isKeptByAnother(command, record, nowMs)) suppressCopies(decision, record, command.untilMs, copies)
  for (const record of records) change(decision, command, record, copies)
  const changed = new Set(decision.changedWhere(() => true).map(({ memoryId }) => memoryId))
  decision.events.push({
    type: 'lifecycle_requested',
    operation: command.operation,
    memoryIds: records.map((record) => record.memoryId),
    reason: command.reason,
    actorName: command.actorName,
    mode: command.operation === 'rehydrate' ? command.mode : null,
  })
  const changedMemoryIds = records.map(({ memoryId }) => memoryId).filter((id) => changed.has(id))
  return { events: decision.events, effect: { records, changedMemoryIds, missing } }
}

/** @throws invalid_request */
export function refusePastEnd({ operation, untilMs }: LifecycleCommand, nowMs: number): void {
  if (operation !== 'suppress' || untilMs === null || untilMs > nowMs) return
  const message = 'Send a time in the future, or leave until out to suppress until it is lifted.'
  throw invalidRequest([{ path: 'until', message }])
}

function resolveOrRefuse(state: ActorState, command: LifecycleCommand, eyes: Consumer | null) {
  const named = command.memoryIds.length + command.clientIds.length + command.anchors.length
  if (named === 0) throw new DomainError('reference_required')
  const { records, missing } = resolveReferences(state, command, eyes)
  // What was erased has nothing left to suppress, restore or show.
  const live = records.filter(({ memoryId }) => !state.erasures.has(memoryId))
  const erased = records.flatMap(({ memoryId }) => (state.erasures.has(memoryId) ? [memoryId] : []))
  if (live.length === 0) {
    const isAnchorOnly = command.memoryIds.length + command.clientIds.length === 0
    const code = isAnchorOnly ? 'anchor_not_found' : 'memory_not_found'
    throw new DomainError(
      code,
      {
        missing_memory_ids: [...missing, ...erased],
        ...(erased.length === 0 ? {} : { erased_memory_ids: erased }),
      },
      advised(ERRORS[code].message, missing, command.guideTraceId),
    )
  }
  return { records: live, missing: [...missing, ...erased] }
}

/**
 * Whoever is no operator suppresses nothing that stands above the words that the key may bring, and restores only what
 * that key suppressed.
 * @throws operator_key_required
 */
function refuseAbove(
  state: ActorState,
  { operation, principal }: LifecycleCommand,
  records: readonly MemoryRecord[],
): void {
  if (principal === null || principal.isOperator) return
  const isAbove = (record: MemoryRecord): boolean => {
    if (operation === 'unsuppress') {
      const { suppression } = record.facets
      return suppression !== null && suppression.principal !== principal.keyId
    }
    const { memoryType } = record
    return (
      operation === 'suppress' &&
      authoritiesOf(principal).every((authority) => isLess({ authority, memoryType }, voiceIn(state, record)))
    )
  }
  const above = records.filter(isAbove).map(({ memoryId }) => memoryId)
  if (above.length > 0) throw new DomainError('operator_key_required', { operation, memory_ids: above })
}

/**
 * What another key suppressed stays as that key left it, for whoever is no operator: to suppress it anew would make it that
 * key's own, to end or to lift.
 */
function isKeptByAnother({ principal }: LifecycleCommand, { facets }: MemoryRecord, nowMs: number): boolean {
  const isBound = principal !== null && !principal.isOperator
  return isBound && isSuppressed(facets, nowMs) && facets.suppression?.principal !== principal.keyId
}

type Copies = ReturnType<typeof suppressedCopies>

function change(decision: Decision, command: LifecycleCommand, record: MemoryRecord, copies: Copies): void {
  const { reason, actorName, principal, untilMs } = command
  const { memoryId } = record
  switch (command.operation) {
    case 'suppress': {
      if (isKeptByAnother(command, record, decision.nowMs)) return
      const by = principal === null ? { by: actorName } : { by: actorName, principal: principal.keyId }
      decision.suppress(memoryId, { reason, ...by, sinceMs: decision.nowMs, untilMs }, 'operator_suppress')
      return
    }
    case 'unsuppress':
      if (decision.unsuppress(memoryId, reason)) restoreCopies(decision, memoryId, copies)
      return
    case 'rehydrate':
      decision.move(memoryId, { facet: 'availability', to: 'resident', cause: 'rehydrated', reason })
      return
    case 'activate': {
      const cause = 'operator_activation'
      decision.move(memoryId, { facet: 'standing', to: 'active', cause, reason })
      decision.move(memoryId, { facet: 'trust', to: 'trusted', cause, reason })
      giveAuthority(decision, record)
    }
  }
}

/**
 * An activated memory is the operator's word: what it yielded to so far, of less authority, yields to it from now on,
 * where everyone who sees that one sees it.
 */
function giveAuthority(decision: Decision, record: MemoryRecord): void {
  const { state } = decision
  const { memoryId, memoryType } = record
  if (state.operatorMemories.has(memoryId)) return
  decision.events.push({ type: 'authority_given', memoryIds: [memoryId], authority: 'operator' })
  for (const { earlierId, laterId, kind, yields } of state.disputesByMemory.get(memoryId) ?? []) {
    const isEarlier = earlierId === memoryId
    const other = liveRecord(state, isEarlier ? laterId : earlierId)
    if (other === undefined || isEarlier !== (yields === 'earlier')) continue
    const isLower = isLess(voiceOf(decision, other), { authority: 'operator', memoryType })
    if (!isLower || !isSeenByAllWhoSee(record.audience, other.audience)) continue
    decision.dispute(earlierId, laterId, kind, isEarlier ? 'later' : 'earlier')
  }
}

/** An operator's own act: a person is named, asserts it, and attributes it to no guide. */
export function isOperatorActivation(command: LifecycleCommand): boolean {
  return (
    command.operation === 'activate' &&
    command.usedSurface === 'explicit_host_assertion' &&
    command.outcome === 'positive' &&
    command.actorName !== null &&
    command.guideTraceId === null
  )
}
