import { SURFACES, type Surface } from '../closed-sets.ts'
import { lifecycleStateAt } from '../governance/lifecycle.ts'
import type { MemoryRecord } from '../memory/record.ts'
import type { ActorState } from '../memory/state.ts'
import type { RecordedGuide } from './evidence.ts'
import { type Eyes, isKnownTo } from './eyes.ts'
import type { MemoryFacts } from './memory-drift.ts'

/** Memories that drift and decay are looked for among. */
export const MEMORIES_MAX = 400
const TEXT_CHARS_MAX = 600

/**
 * The memory of the guides, the last guide's first, and the newest of the same task: what may have drifted, and what it
 * may have drifted from.
 */
export function recordedMemories(
  state: ActorState,
  guides: readonly RecordedGuide[],
  taskSignature: string | null,
  eyes: Eyes,
  nowMs: number,
): readonly MemoryFacts[] {
  const last = guides.at(-1)
  const surfaceOf = new Map(
    last === undefined
      ? []
      : SURFACES.flatMap((surface) => last.exposed[surface].map((id) => [id, surface] as const)),
  )
  const ids = new Set(surfaceOf.keys())
  for (const { exposed } of guides)
    for (const surface of SURFACES) for (const id of exposed[surface]) ids.add(id)
  const ofTask = taskSignature === null ? undefined : state.bySignature.get(taskSignature)
  for (const id of [...(ofTask ?? [])].slice(-MEMORIES_MAX).reverse()) ids.add(id)
  return [...ids].slice(0, MEMORIES_MAX).flatMap((id) => {
    const record = state.memories.get(id)
    if (record === undefined || !isKnownTo(eyes, record)) return []
    return [memoryFacts(record, surfaceOf.get(id) ?? null, nowMs)]
  })
}

/** Memory of the guides that another one supersedes, invalidates or contradicts. */
export function relationTargets(
  state: ActorState,
  guides: readonly RecordedGuide[],
  eyes: Eyes,
): readonly string[] {
  const ids = new Set(guides.flatMap(({ exposed }) => SURFACES.flatMap((surface) => exposed[surface])))
  return [...ids].filter((id) => {
    const record = state.memories.get(id)
    if (record === undefined || !isKnownTo(eyes, record)) return false
    const relations = state.relationsByTarget.get(id) ?? []
    return relations.some(({ type, effective }) => effective && COUNTER_RELATIONS.includes(type))
  })
}

const COUNTER_RELATIONS: readonly string[] = ['supersedes', 'invalidates', 'contradicts']

function memoryFacts(record: MemoryRecord, surface: Surface | null, nowMs: number): MemoryFacts {
  const { content, facets, counters } = record
  const text = `${content.title ?? ''} ${content.summary ?? content.text}`
  return {
    memoryId: record.memoryId,
    observedAtMs: record.observedAtMs,
    isActive: lifecycleStateAt(facets, nowMs) === 'active',
    isAuthoritative: facets.trust === 'trusted',
    surface,
    hasPositive: counters.positive > 0,
    targetFiles: content.targetFiles,
    text: text.slice(0, TEXT_CHARS_MAX),
  }
}
