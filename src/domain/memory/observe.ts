import { screen } from '../screening/screen.ts'
import type { ObserveCommand } from './commands.ts'
import type { Screener } from './content-screening.ts'
import { Decision } from './decision.ts'
import type { ActorEvent } from './events.ts'
import { applyEdge, eyesOf } from './lineage.ts'
import type { ActorState } from './state.ts'
import { writeClaim } from './write-claim.ts'
import { writeHandoff } from './write-handoff.ts'
import { PLAIN, type Written, writeMemory } from './write-memory.ts'

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
  readonly warnings: readonly string[]
}

/** Records evidence. Everything in one request is written together or not at all. */
export function decideObserve(
  state: ActorState,
  command: ObserveCommand,
  nowMs: number,
  newId: () => string,
  screener: Screener = screen,
): { readonly events: readonly ActorEvent[]; readonly effect: ObserveEffect } {
  const decision = new Decision(state, nowMs, newId, screener)
  const memories = command.memories.map((input) => ({
    input,
    written: writeMemory(decision, input, command.viewpoint, PLAIN),
  }))
  const handoff = command.handoff === null ? null : writeHandoff(decision, command, command.handoff)
  const firstId = memories[0]?.written.memoryId ?? handoff?.memoryId ?? null
  const claims = command.claims.map((claim) => writeClaim(decision, command, claim, firstId))
  // An edge sees what the request may see: its consumer, and whoever it writes for.
  const audiences = [command.claimAudience, ...command.memories.map((input) => input.audience)]
  const eyes = audiences.flatMap((audience) => eyesOf(command.viewpoint, audience))
  const edgeWarnings = command.edges.flatMap((edge) => applyEdge(decision, edge, eyes, command.claimAudience))
  const changed = memories.filter(({ written }) => written.hasChanged)
  const all: readonly Written[] = [
    ...memories.map(({ written }) => written),
    ...(handoff ? [handoff] : []),
    ...claims,
  ]
  const effect: ObserveEffect = {
    memoryIds: all.map((written) => written.memoryId),
    clientIds: clientIdsOf(decision, all),
    handoffId: handoff === null ? null : `handoff:${handoff.memoryId}`,
    claimIds: claims.map((claim) => `claim:${claim.memoryId}`),
    isMemoryWritten: changed.length > 0,
    generalCount: changed.filter(({ input }) => input.domain === 'general').length,
    executionCount: changed.filter(({ input }) => input.domain === 'execution').length,
    claimCount: claims.filter((claim) => claim.hasChanged).length,
    warnings: [...all.flatMap((written) => written.warnings), ...edgeWarnings],
  }
  return { events: decision.events, effect }
}

function clientIdsOf(decision: Decision, all: readonly Written[]): Readonly<Record<string, string>> {
  const pairs = all.flatMap(({ memoryId }) => {
    const clientId = decision.seen(memoryId)?.clientId ?? null
    return clientId === null ? [] : [[clientId, memoryId] as const]
  })
  return Object.fromEntries(pairs)
}
