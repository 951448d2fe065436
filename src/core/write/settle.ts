import { DomainError, invalidRequest } from '../base/errors.ts'
import type { Consumer, Dispute, MemoryRecord, Settlement, Suppression } from '../model/record.ts'
import { resolveReferences } from '../model/references.ts'
import { type ActorState, disputeKey, liveRecord } from '../model/state.ts'
import { canSee, type Viewer } from '../model/visibility.ts'
import { type Decided, Decision } from './decision.ts'
import { restoreCopies, suppressCopies } from './similar.ts'

/** Which memory of the two that a request names stands, in its order; reopen: nothing is decided any more. */
export const VERDICTS = ['a', 'b', 'both', 'neither', 'reopen'] as const
export type Verdict = (typeof VERDICTS)[number]

export interface SettleCommand {
  readonly memoryIds: readonly [string, string]
  readonly verdict: Verdict
  readonly reason: string
  readonly actorName: string | null
}

export interface SettleEffect {
  /** What was decided before; null: nothing. */
  readonly previous: Verdict | null
  /** Memories whose state changed. */
  readonly changedMemoryIds: readonly string[]
}

/**
 * Decides which side of a dispute stands. A later verdict takes back what the one before did, and only that; the same
 * one again changes nothing.
 * @param eyes null: an operator who sees the whole actor
 * @throws memory_not_found, invalid_request
 */
export function decideSettle(
  state: ActorState,
  command: SettleCommand,
  eyes: Consumer | null,
  nowMs: number,
): Decided<SettleEffect> {
  const [a, b] = recordsOf(state, command, eyes)
  const dispute = state.disputes.get(disputeKey(a.memoryId, b.memoryId))
  if (dispute === undefined) {
    const message =
      'Send two memories that dispute each other: resolve and rehydrate list the disputes of one.'
    throw invalidRequest([{ path: 'memory_ids', message }])
  }
  const isInOrder = dispute.earlierId === a.memoryId
  const settled = settlementOf(command.verdict, isInOrder)
  const previous = dispute.settled === undefined ? null : verdictOf(dispute.settled, isInOrder)
  if ((dispute.settled ?? null) === settled) return { events: [], effect: { previous, changedMemoryIds: [] } }
  const decision = new Decision(state, nowMs, () => '')
  const { earlierId, laterId } = dispute
  const { reason, actorName } = command
  decision.events.push({ type: 'dispute_settled', earlierId, laterId, settled, reason, actorName })
  takeBack(decision, dispute)
  carryOut(decision, dispute, settled, command)
  return { events: decision.events, effect: { previous, changedMemoryIds: changedBy(decision, eyes) } }
}

/** Every memory that the decision changed, what goes along with the named ones too, as far as these eyes see it. */
export function changedBy(decision: Decision, eyes: Viewer): readonly string[] {
  return decision.changedWhere((memory) => canSee(eyes, memory)).map(({ memoryId }) => memoryId)
}

function recordsOf(
  state: ActorState,
  { memoryIds }: SettleCommand,
  eyes: Consumer | null,
): readonly [MemoryRecord, MemoryRecord] {
  const { records, missing } = resolveReferences(state, { memoryIds, clientIds: [], anchors: [] }, eyes)
  const [a, b] = records.filter(({ memoryId }) => liveRecord(state, memoryId) !== undefined)
  // Named twice it is there, and in no dispute with itself.
  if (a === undefined || (b === undefined && memoryIds[0] !== memoryIds[1])) {
    const erased = records.flatMap(({ memoryId }) => (state.erasures.has(memoryId) ? memoryId : []))
    const details = erased.length === 0 ? {} : { erased_memory_ids: erased }
    throw new DomainError('memory_not_found', { missing_memory_ids: [...missing, ...erased], ...details })
  }
  return [a, b ?? a]
}

/** Ends what the settlement before did, where nothing else has happened to the memory since, and no other verdict says it. */
function takeBack(decision: Decision, dispute: Dispute): void {
  const { state } = decision
  const reason = 'the dispute was settled anew'
  for (const memoryId of [dispute.earlierId, dispute.laterId]) {
    if (dispute.settled !== 'neither') {
      decision.reinstate(memoryId, reason, (other) => other === dispute)
      continue
    }
    const changes = liveRecord(state, memoryId)?.changes ?? []
    const last = changes.findLast(({ facet }) => facet === 'suppression')
    const others = (state.disputesByMemory.get(memoryId) ?? []).filter((other) => other !== dispute)
    if (last?.cause !== 'settled' || others.some(({ settled }) => settled === 'neither')) continue
    unsuppressSettled(decision, memoryId, reason)
  }
}

function carryOut(
  decision: Decision,
  { earlierId, laterId }: Dispute,
  settled: Settlement | null,
  { reason, actorName }: SettleCommand,
): void {
  switch (settled) {
    case null:
    case 'both':
      return
    case 'neither': {
      const to = { reason, by: actorName, sinceMs: decision.nowMs, untilMs: null }
      suppressSettled(decision, earlierId, to, laterId)
      suppressSettled(decision, laterId, to, earlierId)
      return
    }
    default: {
      const [winner, loser] = settled === 'earlier' ? [earlierId, laterId] : [laterId, earlierId]
      decision.supersede(loser, winner, 'settled', reason)
    }
  }
}

/** What says the same and was suppressed with it goes with it, here as where an operator suppresses or restores it. */
export function suppressSettled(
  decision: Decision,
  memoryId: string,
  to: Suppression,
  otherId: string | null,
): boolean {
  const record = liveRecord(decision.state, memoryId)
  if (!decision.suppress(memoryId, to, 'settled', otherId)) return false
  if (record !== undefined) suppressCopies(decision, record, to.untilMs)
  return true
}

export function unsuppressSettled(decision: Decision, memoryId: string, reason: string): boolean {
  if (!decision.unsuppress(memoryId, reason, null, 'settled')) return false
  const record = liveRecord(decision.state, memoryId)
  const left = decision.seen(memoryId)?.facets.suppression ?? null
  if (left === null) restoreCopies(decision, memoryId)
  else if (record !== undefined) suppressCopies(decision, record, left.untilMs)
  return true
}

function settlementOf(verdict: Verdict, isInOrder: boolean): Settlement | null {
  if (verdict === 'reopen') return null
  if (verdict === 'both' || verdict === 'neither') return verdict
  return (verdict === 'a') === isInOrder ? 'earlier' : 'later'
}

function verdictOf(settled: Settlement, isInOrder: boolean): Verdict {
  if (settled === 'both' || settled === 'neither') return settled
  return (settled === 'earlier') === isInOrder ? 'a' : 'b'
}
