import { type LifecycleState, TRUSTED_ORIGINS } from '../base/closed-sets.ts'
import type { Content, Counters, FacetChange, MemoryRecord, Revision } from '../model/record.ts'
import { ENTRIES_MAX, type MemoryView, seenRecord } from './viewer.ts'

/** A memory with the state that reports call it by at the moment of the report. */
export interface StatedMemory {
  readonly record: MemoryRecord
  readonly lifecycleState: LifecycleState
}

/** True when nothing has taken the memory out of use for good or for now. */
export function isInForce({ lifecycleState }: StatedMemory): boolean {
  return !['suppressed', 'failed', 'superseded', 'expired'].includes(lifecycleState)
}

/** The memory that caused a change, if the viewer knows it. */
export function seenCause(view: MemoryView, change: FacetChange | null): string | null {
  return seenRecord(view, change?.byMemoryId ?? '')?.memoryId ?? null
}

/** The content in force after turn `seq`; undefined when that is kept no longer. */
export function contentThen({ content, seq: at, revisions }: MemoryRecord, seq: number): Content | undefined {
  return at <= seq ? content : revisions.findLast((earlier) => earlier.seq <= seq)?.content
}

/** The same, or the oldest content that is kept when that is gone; with the number of its revision. */
export function contentAt(record: MemoryRecord, seq: number): Pick<Revision, 'revision' | 'content'> {
  if (record.seq <= seq) return record
  return record.revisions.findLast((earlier) => earlier.seq <= seq) ?? record.revisions[0] ?? record
}

/** Unknown for one whose first contents are gone, which is old. */
export function isWrittenAfter(record: MemoryRecord, seq: number): boolean {
  const first = record.revisions[0] ?? record
  return first.revision === 1 && first.seq > seq
}

/** Memories that are in a state now, with the change that brought them there, the latest first. */
export function inState(
  memories: readonly StatedMemory[],
  state: LifecycleState,
): readonly { readonly record: MemoryRecord; readonly change: FacetChange | null }[] {
  return memories
    .filter(({ lifecycleState }) => lifecycleState === state)
    .map(({ record }) => ({ record, change: record.changes.findLast(({ to }) => to === state) ?? null }))
    .sort((a, b) => (b.change?.seq ?? b.record.seq) - (a.change?.seq ?? a.record.seq))
}

/** States in which evidence or a person holds a memory back. */
const HELD_BACK = ['contested', 'failed', 'suppressed'] as const satisfies readonly LifecycleState[]

export function isHeldBack({ lifecycleState }: StatedMemory): boolean {
  return HELD_BACK.some((state) => state === lifecycleState)
}

export function isHurting({ record }: StatedMemory): boolean {
  return creditOf(record.counters) < 0
}

/** Memories that outcomes speak against: a positive counts one, a negative one against it, a strong one two. */
export function mostHurting(
  memories: readonly StatedMemory[],
): readonly (StatedMemory & { readonly credit: number })[] {
  return memories
    .map((memory) => ({ ...memory, credit: creditOf(memory.record.counters) }))
    .filter(({ credit }) => credit < 0)
    .sort((a, b) => a.credit - b.credit || b.record.ordinal - a.record.ordinal)
    .slice(0, ENTRIES_MAX)
}

function creditOf({ positive, negativeWeak, negativeStrong }: Counters): number {
  return positive - negativeWeak - 2 * negativeStrong
}

/** What keeps a candidate from being trusted. */
export function denialOf(record: MemoryRecord): string {
  if (record.findings.length > 0) return 'screening_finding'
  if (!TRUSTED_ORIGINS.includes(record.origin)) return 'untrusted_origin'
  return record.derivedFrom.length > 0 ? 'untrusted_source' : 'declared_candidate'
}

export type Procedures = ReturnType<typeof proceduresIn>

/** Which procedures came out of recorded work, and how far they may be relied on. */
export function proceduresIn(memories: readonly StatedMemory[]) {
  const procedures = memories.filter(({ record }) => isProcedure(record)).reverse()
  const stable = procedures.filter(isStable)
  const candidateCount = procedures.filter((memory) => isInForce(memory) && !isStable(memory)).length
  const blockedCount = procedures.length - stable.length - candidateCount
  const hasRuns = memories.some(({ record }) => record.domain === 'execution')
  const open = hasRuns ? 'insufficient_evidence' : 'not_applicable'
  return {
    memoryIds: procedures.map(({ record }) => record.memoryId),
    stableIds: stable.map(({ record }) => record.memoryId),
    workflowIds: [...new Set(memories.flatMap(({ record }) => record.workflowSignature ?? []))],
    hasRuns,
    hasCandidates: candidateCount > 0,
    blockedCount,
    status:
      stable.length > 0
        ? 'stable_ready'
        : candidateCount > 0
          ? 'candidate_only'
          : blockedCount > 0
            ? 'blocked'
            : open,
  } as const
}

/** A procedure as it was told, or a succeeded run that tells its steps. */
function isProcedure({ memoryType, domain, content }: MemoryRecord): boolean {
  if (memoryType === 'procedure') return true
  return domain === 'execution' && content.outcome === 'succeeded' && content.workflowSteps.length > 0
}

function isStable({ record, lifecycleState }: StatedMemory): boolean {
  return record.facets.trust === 'trusted' && (lifecycleState === 'active' || lifecycleState === 'archived')
}
