import type { Surface } from '../base/closed-sets.ts'
import type { MemoryFacts } from '../measure/memory-drift.ts'
import { lifecycleStateAt } from '../model/lifecycle.ts'
import type { Consumer, MemoryRecord } from '../model/record.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { isSeen } from './decision-trace-facts.ts'

/** Memories looked through for neighbours, the newest first. */
const SCANNED_MAX = 1_000
/** Neighbours compared with what was shown, the newest first. */
const NEIGHBOURS_MAX = 100
const READ_CHARS_MAX = 1200

/**
 * What drift and decay need: the shown memory, visible memory of the same paths, and the freshest visible memory. The
 * order of ids decides nothing.
 */
export function driftFacts(
  state: ActorState,
  surfaces: ReadonlyMap<string, Surface>,
  consumer: Consumer | null,
  nowMs: number,
): readonly MemoryFacts[] {
  const shown: MemoryRecord[] = []
  for (const id of surfaces.keys()) {
    const record = liveRecord(state, id)
    if (record !== undefined && isSeen(record, consumer)) shown.push(record)
  }
  if (shown.length === 0) return []
  const paths = new Set(shown.flatMap(({ content }) => content.targetFiles))
  const beside: MemoryRecord[] = []
  let freshest: MemoryRecord | null = null
  const first = Math.max(0, state.records.length - SCANNED_MAX)
  for (let at = state.records.length - 1; at >= first; at--) {
    const record = state.records[at]
    if (record === undefined || state.erasures.has(record.memoryId)) continue
    if (surfaces.has(record.memoryId) || !isSeen(record, consumer)) continue
    if (freshest === null || record.observedAtMs > freshest.observedAtMs) freshest = record
    if (beside.length < NEIGHBOURS_MAX && record.content.targetFiles.some((path) => paths.has(path))) {
      beside.push(record)
    }
  }
  const others = freshest === null || beside.includes(freshest) ? beside : [...beside, freshest]
  return [...shown, ...others].map((record) => factsOf(record, surfaces.get(record.memoryId) ?? null, nowMs))
}

function factsOf(record: MemoryRecord, surface: Surface | null, nowMs: number): MemoryFacts {
  const { content, facets, counters } = record
  return {
    memoryId: record.memoryId,
    observedAtMs: record.observedAtMs,
    isActive: lifecycleStateAt(facets, nowMs) === 'active',
    isAuthoritative: facets.trust === 'trusted',
    surface,
    hasPositive: counters.positive > 0,
    targetFiles: content.targetFiles,
    text: content.targetFiles.length === 0 ? '' : readTextOf(content),
  }
}

function readTextOf({ title, summary, text }: MemoryRecord['content']): string {
  return [title, summary, text]
    .filter((part) => part !== null)
    .join(' ')
    .slice(0, READ_CHARS_MAX)
}
