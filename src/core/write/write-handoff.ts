import type { HandoffInput, ObserveCommand } from '../model/commands.ts'
import type { HandoffFacts } from '../model/record.ts'
import { isSeenByAllWhoSee } from '../model/visibility.ts'
import type { Decision, Seen } from './decision.ts'
import { type Written, writeMemory } from './write-memory.ts'

/** A handoff is the active path of its anchor (else of its task signature); older ones are superseded. */
export function writeHandoff(decision: Decision, command: ObserveCommand, handoff: HandoffInput): Written {
  const facts = (memoryId: string): HandoffFacts => ({ handoffId: `handoff:${memoryId}`, ...handoff.facts })
  const extras = { source: 'handoff', claim: () => null, handoff: facts } as const
  const written = writeMemory(decision, handoff.memory, command.viewpoint, extras)
  if (written.hasChanged) replaceOlder(decision, written.memoryId)
  return written
}

function replaceOlder(decision: Decision, memoryId: string): void {
  const newest = decision.seen(memoryId)
  const path = newest === null ? null : pathOf(newest)
  if (newest === null || path === null) return
  for (const id of decision.state.handoffs) {
    const older = decision.seen(id)
    if (older === null || id === memoryId || pathOf(older) !== path) continue
    if (!isSeenByAllWhoSee(newest.audience, older.audience)) continue
    const reason = `${newest.handoff?.handoffId ?? memoryId} is the newer handoff of the same path`
    decision.move(id, {
      facet: 'validity',
      to: 'superseded',
      cause: 'handoff_replaced',
      reason,
      byMemoryId: memoryId,
    })
  }
  const reason = 'the newest handoff of its path'
  decision.move(memoryId, { facet: 'validity', to: 'live', cause: 'handoff_revised', reason })
}

/** Anchors and signatures are different names, so they never meet by accident. */
function pathOf(seen: Seen): string | null {
  if (seen.handoff === null) return null
  if (seen.handoff.anchor !== null) return `anchor:${seen.handoff.anchor}`
  return seen.taskSignature === null ? null : `task:${seen.taskSignature}`
}
