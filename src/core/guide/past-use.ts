import { type EvidenceLedger, isForgiven, recentUses } from '../model/evidence.ts'
import type { MemoryRecord } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'

/**
 * What the line of a memory says of its last verified uses when exactly one of them failed; null otherwise. A memory
 * that keeps its standing in spite of the failure is called proven.
 */
export function pastUse(state: Pick<ActorState, 'evidence'>, record: MemoryRecord): string | null {
  const ledger = state.evidence.get(record.memoryId)
  return ledger === undefined ? null : pastUseIn(ledger)
}

/** The same of a ledger alone. */
export function pastUseIn(ledger: EvidenceLedger): string | null {
  const { uses, failures } = recentUses(ledger.now)
  if (failures !== 1) return null
  const words = `failed in 1 of its last ${uses} verified uses`
  return isForgiven(ledger.now) ? `proven, ${words}` : words
}
