import {
  type BySurface,
  type GuidanceAuthority,
  idsBySurface,
  type LifecycleState,
  type OmittedReason,
  type RecommendedPosture,
  type Surface,
} from '../base/closed-sets.ts'
import { type DecidedMemory, type StoredGuide, viewerOf } from '../guide/decision.ts'
import { type ExposureRecord, shownIn } from '../model/events.ts'
import { namesIn, opinionsFor } from '../model/external-memory.ts'
import type { Erasure, FeedbackMark } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'

/** One memory of a guide. Null and empty: the explanation is not there. */
export interface GuideMemory extends Pick<DecidedMemory, 'memoryId' | 'surface' | 'reasonCodes' | 'signals'> {
  readonly ruleId: string | null
  readonly reason: string | null
  /** At that moment. */
  readonly lifecycleState: LifecycleState | null
}

export interface OmittedGuideMemory extends GuideMemory {
  readonly omitted: OmittedReason
  /** The memory whose line stands for it; null: there is none. */
  readonly intoId: string | null
}

/**
 * One guide as every report tells it. It has two sources: what the journal holds, and, for a guide that the actor does
 * not hold, what a caller supplied. Null: not known, or never supplied.
 */
export interface GuideRecord {
  readonly source: 'runtime_record' | 'supplied_artifacts'
  readonly guideTraceId: string | null
  readonly runId: string | null
  readonly taskSignature: string | null
  readonly consumerAgentId: string | null
  readonly consumerTeamId: string | null
  readonly atMs: number | null
  /** Journal order. */
  readonly seq: number | null
  readonly isHeldOut: boolean
  /** False: why it showed what it showed is kept no longer, or was never here. */
  readonly isExplained: boolean
  readonly queryHash: string | null
  readonly queryChars: number | null
  readonly promptHash: string | null
  readonly promptChars: number | null
  readonly posture: RecommendedPosture | null
  readonly authority: GuidanceAuthority | null
  readonly isHistoryUsed: boolean | null
  readonly isActionable: boolean | null
  readonly targetFiles: readonly string[]
  /** In rank order, as far as that is known. */
  readonly exposedIds: readonly string[]
  readonly idsBySurface: BySurface<readonly string[]>
  /** In rank order. */
  readonly shown: readonly GuideMemory[]
  readonly omitted: readonly OmittedGuideMemory[]
}

/** A guide of which nothing is known. */
export const UNKNOWN_GUIDE: GuideRecord = {
  source: 'supplied_artifacts',
  guideTraceId: null,
  runId: null,
  taskSignature: null,
  consumerAgentId: null,
  consumerTeamId: null,
  atMs: null,
  seq: null,
  isHeldOut: false,
  isExplained: false,
  queryHash: null,
  queryChars: null,
  promptHash: null,
  promptChars: null,
  posture: null,
  authority: null,
  isHistoryUsed: null,
  isActionable: null,
  targetFiles: [],
  exposedIds: [],
  idsBySurface: { use_now: [], inspect_before_use: [], rehydrate: [], do_not_use: [] },
  shown: [],
  omitted: [],
}

/** The exposure of a govern request told as that of a guide: its candidates by their external ids. */
export function toldExposure(exposure: ExposureRecord): ExposureRecord {
  const { ids, surfaces } = shownIn(exposure)
  return exposure.external === undefined ? exposure : { ...exposure, memoryIds: ids, surfaces }
}

/** A guide as the journal holds it, its exposure as it is told. */
export function recordedGuide({ exposure, decision }: StoredGuide): GuideRecord {
  return {
    source: 'runtime_record',
    guideTraceId: exposure.guideTraceId,
    runId: exposure.runId,
    taskSignature: exposure.taskSignature,
    consumerAgentId: exposure.consumerAgentId,
    consumerTeamId: exposure.consumerTeamId,
    atMs: exposure.atMs,
    seq: exposure.seq,
    isHeldOut: exposure.heldOut,
    isExplained: decision !== null,
    queryHash: decision?.queryHash ?? null,
    // Zero: the query went with an erased memory.
    queryChars: decision?.ask.queryText.length || null,
    promptHash: decision?.promptHash ?? null,
    promptChars: decision?.promptChars ?? null,
    posture: decision?.posture ?? null,
    authority: decision?.authority ?? null,
    isHistoryUsed: exposure.memoryIds.length > 0,
    isActionable: decision?.actionableHistoryUsed ?? null,
    targetFiles: decision?.targetFiles ?? [],
    exposedIds: exposure.memoryIds,
    idsBySurface: idsBySurface(exposure),
    shown:
      decision?.printed.map(explained) ??
      exposure.memoryIds.map((id, at) => unexplained(id, exposure.surfaces[at] ?? 'do_not_use')),
    omitted: (decision?.omitted ?? []).map(explained),
  }
}

/** Of an erased memory no sentence is left. */
function explained<Memory extends DecidedMemory>(memory: Memory): Memory & Pick<GuideMemory, 'reason'> {
  return { ...memory, reason: memory.reason || null }
}

export function unexplained(memoryId: string, surface: Surface): GuideMemory {
  return {
    memoryId,
    surface,
    ruleId: null,
    reasonCodes: [],
    reason: null,
    lifecycleState: null,
    signals: [],
  }
}

type Erasures = Pick<ActorState, 'erasures'>

/** Memory that a guide decided about and that was erased since: shown in rank order, then omitted. None of another store. */
export function erasedSince({ exposure, decision }: StoredGuide, { erasures }: Erasures): readonly Erasure[] {
  if (erasures.size === 0 || exposure.external !== undefined) return []
  const ids = [...exposure.memoryIds, ...(decision?.omitted ?? []).map(({ memoryId }) => memoryId)]
  return ids.flatMap((id) => erasures.get(id) ?? [])
}

/**
 * The guide as it may be told after an erasure: ids, rules, codes, scores and hashes. Its query may quote what it found
 * and its files may be those of the erased memory, so they go, as they do in history; until history is redacted, and
 * for a turn that was read just before, this does it.
 */
export function withoutErased(guide: StoredGuide, erasures: Erasures): StoredGuide {
  const { exposure, decision } = guide
  const erased = new Set(erasedSince(guide, erasures).map(({ memoryId }) => memoryId))
  if (decision === null || erased.size === 0) return guide
  const unsaid = <Memory extends DecidedMemory>(memory: Memory): Memory =>
    erased.has(memory.memoryId) ? { ...memory, reason: '' } : memory
  return {
    exposure,
    decision: {
      ...decision,
      ask: { ...decision.ask, queryText: '' },
      targetFiles: [],
      printed: decision.printed.map(unsaid),
      omitted: decision.omitted.map(unsaid),
    },
  }
}

/** One outcome attributed to one memory. */
export interface MemoryOutcome {
  readonly memoryId: string
  readonly mark: FeedbackMark
}

/**
 * What is known of each memory that a guide showed. Of memory of another store each opinion that the consumer of the guide may know of, and nothing of a
 * stored memory of that id.
 */
export function heardOf(state: Pick<ActorState, 'memories' | 'external'>, exposure: ExposureRecord) {
  if (exposure.external === undefined) {
    return exposure.memoryIds.flatMap((memoryId) => {
      const record = state.memories.get(memoryId)
      return record === undefined ? [] : [{ memoryId, marks: record.marks, changes: record.changes }]
    })
  }
  const viewer = viewerOf({ exposure })
  return namesIn(exposure.external).flatMap(({ sourceBackend, externalId }) => {
    const memory = state.external.get(sourceBackend, externalId)
    const opinions = memory === undefined ? [] : opinionsFor(memory, viewer)
    return opinions.map(({ marks, changes }) => ({ memoryId: externalId, marks, changes }))
  })
}

/**
 * Outcomes that belong to a guide, in journal order: those that name it, and those of its run that name no guide and
 * came after it. A memory keeps its last 256 outcomes; older ones live in its counters only.
 */
export function outcomesOf(
  state: Pick<ActorState, 'memories' | 'external'>,
  exposure: ExposureRecord,
): readonly MemoryOutcome[] {
  const found: MemoryOutcome[] = []
  for (const { memoryId, marks } of heardOf(state, exposure)) {
    for (const mark of marks) if (belongsTo(mark, exposure)) found.push({ memoryId, mark })
  }
  return found.sort((a, b) => a.mark.seq - b.mark.seq)
}

function belongsTo(mark: FeedbackMark, exposure: ExposureRecord): boolean {
  if (mark.guideTraceId !== null) return mark.guideTraceId === exposure.guideTraceId
  return mark.runId === exposure.runId && mark.seq > exposure.seq
}
