import type { HandoffInput, ObserveCommand } from '../model/commands.ts'
import type { HandoffFacts } from '../model/record.ts'
import { isSeenByAllWhoSee } from '../model/visibility.ts'
import { isOfTask } from '../policy/admission.ts'
import { isTrustedVoice, isVerified } from './confirm.ts'
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

/**
 * A succeeded run with a passed verifier finishes the open handoffs of its task that everyone who sees them also sees it
 * for, unless it says that it was over before they were written.
 * @param observedAtMs when the run says it was; null: now
 */
export function finishHandoffs(decision: Decision, run: Seen, observedAtMs: number | null): void {
  if (run.content.outcome !== 'succeeded' || !isVerified(run) || !isTrustedVoice(decision, run)) return
  for (const id of decision.state.handoffs) {
    const open = decision.seen(id)
    const before = decision.state.memories.get(id)
    if (open === null || before === undefined || !isFinishedBy(open, run)) continue
    if (observedAtMs !== null && observedAtMs < before.observedAtMs) continue
    if (!isSeenByAllWhoSee(run.audience, open.audience)) continue
    const reason = `the run ${run.memoryId} finished it and was verified`
    decision.supersede(id, run.memoryId, 'handoff_finished', reason)
  }
}

/** A handoff of a task is finished by a run of it; one without a task by a run that its anchor names. */
function isFinishedBy(open: Seen, { taskSignature, clientId }: Seen): boolean {
  if (taskSignature !== null && isOfTask(open, taskSignature)) return true
  const anchor = open.taskSignature === null ? (open.handoff?.anchor ?? null) : null
  return anchor !== null && anchor === clientId
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
    decision.supersede(id, memoryId, 'handoff_replaced', reason)
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
