import type { MemoryWrite, ObserveCommand } from '../model/commands.ts'
import type { ActorEvent } from '../model/events.ts'
import type { Consumer } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import { screen } from '../screening/screen.ts'
import { confirmSame, confirmUsed } from './confirm.ts'
import type { Screener } from './content-screening.ts'
import { Decision } from './decision.ts'
import { disputeOthers } from './dispute.ts'
import { echoOf } from './echo.ts'
import { applyEdge, eyesOf } from './lineage.ts'
import { carryFromSame } from './same-text.ts'
import { NOTHING_SIMILAR, type Similar } from './similar.ts'
import { noteTaskSuccess } from './task-success.ts'
import { writeClaim } from './write-claim.ts'
import { finishHandoffs, writeHandoff } from './write-handoff.ts'
import { applySupersedes, PLAIN, type Written, writeMemory } from './write-memory.ts'

export interface ObserveEffect {
  /** In order of writing: memories, then the handoff, then claims. A repeated memory names the one already known. */
  readonly memoryIds: readonly string[]
  readonly clientIds: Readonly<Record<string, string>>
  readonly handoffId: string | null
  readonly claimIds: readonly string[]
  readonly isMemoryWritten: boolean
  readonly generalCount: number
  readonly executionCount: number
  readonly claimCount: number
  /** Memories that only repeat what a guide has shown; their ids are those of the shown ones. */
  readonly echoCount: number
  readonly warnings: readonly string[]
}

/** Records evidence. Everything in one request is written together or not at all. */
export function decideObserve(
  state: ActorState,
  command: ObserveCommand,
  nowMs: number,
  newId: () => string,
  screener: Screener = screen,
  similar: Similar = NOTHING_SIMILAR,
): { readonly events: readonly ActorEvent[]; readonly effect: ObserveEffect } {
  const decision = new Decision(state, nowMs, newId, screener)
  const memories = command.memories.map((input) => ({
    input,
    written: writeOrEcho(decision, similar, input, command),
  }))
  const handoff = command.handoff === null ? null : writeHandoff(decision, command, command.handoff)
  const firstId = memories[0]?.written.memoryId ?? handoff?.memoryId ?? null
  const claims = command.claims.map((claim) => writeClaim(decision, command, claim, firstId))
  const edgeWarnings = applyEdges(decision, command)
  const others: readonly Written[] = handoff === null ? claims : [handoff, ...claims]
  const disputeWarnings = judgeOthers(decision, similar, memories, others, command.viewpoint)
  const memoryIds: string[] = []
  const warnings: string[] = []
  const counts = { general: 0, execution: 0 }
  let echoCount = 0
  for (const { input, written } of memories) {
    memoryIds.push(written.memoryId)
    warnings.push(...written.warnings)
    if (written.hasChanged) counts[input.domain] += 1
    if (written.isEcho) echoCount += 1
  }
  for (const written of others) {
    memoryIds.push(written.memoryId)
    warnings.push(...written.warnings)
  }
  warnings.push(...edgeWarnings, ...disputeWarnings)
  const effect: ObserveEffect = {
    memoryIds,
    clientIds: clientIdsOf(decision, memories, others),
    handoffId: handoff === null ? null : `handoff:${handoff.memoryId}`,
    claimIds: claims.map((claim) => `claim:${claim.memoryId}`),
    isMemoryWritten: counts.general + counts.execution > 0,
    generalCount: counts.general,
    executionCount: counts.execution,
    claimCount: claims.filter((claim) => claim.hasChanged).length,
    echoCount,
    warnings,
  }
  return { events: decision.events, effect }
}

/** An edge sees what the request may see: its consumer, and whoever it writes for. */
function applyEdges(decision: Decision, command: ObserveCommand): readonly string[] {
  if (command.edges.length === 0) return []
  const audiences = [command.claimAudience, ...command.memories.map((input) => input.audience)]
  const eyes = audiences.flatMap((audience) => eyesOf(command.viewpoint, audience))
  return command.edges.flatMap((edge) => applyEdge(decision, edge, eyes, command.claimAudience))
}

interface WrittenInput {
  readonly input: MemoryWrite
  readonly written: Written & { readonly isEcho: boolean }
}

/** Writes a memory, unless it only says what a guide has shown its writer. */
function writeOrEcho(
  decision: Decision,
  similar: Similar,
  input: MemoryWrite,
  { viewpoint, isOperator }: ObserveCommand,
): WrittenInput['written'] {
  const eyes = eyesOf(viewpoint, input.audience)
  const { exactId, sourceIds } = echoOf(decision, similar, input, eyes)
  if (exactId !== null) {
    const warnings = applySupersedes(decision, input, exactId, eyes)
    return { memoryId: exactId, hasChanged: false, isEcho: true, warnings }
  }
  const sources = sourceIds.map((id) => ({ id }))
  const derived = sources.length === 0 ? input : { ...input, derivedFrom: [...input.derivedFrom, ...sources] }
  const { memoryId, hasChanged, warnings } = writeMemory(decision, derived, viewpoint, PLAIN)
  if (hasChanged) carryFromSame(decision, similar, input, memoryId, isOperator)
  return { memoryId, hasChanged, isEcho: false, warnings }
}

/** What the written memories say of others, once all of the request is known. */
function judgeOthers(
  decision: Decision,
  similar: Similar,
  memories: readonly WrittenInput[],
  others: readonly Written[],
  viewpoint: Consumer,
): readonly string[] {
  const warnings: string[] = []
  for (const { input, written } of memories) {
    const seen = decision.seen(written.memoryId)
    if (seen === null || written.isEcho) continue
    confirmSame(decision, similar, seen)
    confirmUsed(decision, seen, eyesOf(viewpoint, input.audience))
    if (input.runId !== null) noteTaskSuccess(decision, seen, input.runId, viewpoint)
    warnings.push(...disputeOthers(decision, similar, seen))
    if (written.hasChanged && input.domain === 'execution') finishHandoffs(decision, seen, input.observedAtMs)
  }
  for (const other of others) {
    const seen = decision.seen(other.memoryId)
    if (seen !== null) confirmSame(decision, similar, seen)
  }
  return warnings
}

function clientIdsOf(
  decision: Decision,
  memories: readonly WrittenInput[],
  others: readonly Written[],
): Readonly<Record<string, string>> {
  const pairs: [clientId: string, memoryId: string][] = []
  const add = (memoryId: string): void => {
    const clientId = decision.seen(memoryId)?.clientId ?? null
    if (clientId !== null) pairs.push([clientId, memoryId])
  }
  // The shown memory of an echo may have a client id, which is not that of this caller.
  for (const { written } of memories) if (!written.isEcho) add(written.memoryId)
  for (const { memoryId } of others) add(memoryId)
  return Object.fromEntries(pairs)
}
