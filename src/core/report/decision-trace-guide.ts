import {
  GUIDANCE_AUTHORITIES,
  type GuidanceAuthority,
  type LifecycleState,
  RECOMMENDED_POSTURES,
  type RecommendedPosture,
  SURFACES,
  type Surface,
} from '../base/closed-sets.ts'
import type { DecidedMemory, DecidedSignal, OmittedMemory } from '../guide/decision.ts'
import type { GuideStory } from '../guide/story.ts'
import { readGuideSnapshot } from '../measure/guide-snapshot.ts'
import {
  amountOf,
  flagOf,
  objectsOf,
  partOf,
  textOf,
  textsOf,
  type WireObject,
} from '../measure/wire-object.ts'
import type { OmittedReason } from '../model/guide-decided.ts'

/** Memories of a trace: as many as a guide can show. */
export const TRACED_MAX = 200
const CODES_MAX = 16
const SIGNALS_MAX = 16
const TARGETS_MAX = 8
const ID_CHARS_MAX = 256
/** What may be repeated of a caller's words: codes. A sentence may be memory text. */
const CODE = /^[\w:./-]{1,120}$/

/** One memory of a guide. Null and empty: the explanation is not there. */
export interface TracedMemory {
  readonly memoryId: string
  readonly surface: Surface
  readonly ruleId: string | null
  readonly reasonCodes: readonly string[]
  readonly reason: string | null
  /** At that moment. */
  readonly lifecycleState: LifecycleState | null
  readonly signals: readonly DecidedSignal[]
}

export interface TracedOmission extends TracedMemory {
  readonly omitted: OmittedReason
}

/** One guide as a trace tells it: from the record, or from what a caller supplied about a guide that is not held. */
export interface TracedGuide {
  readonly source: 'runtime_record' | 'supplied_artifacts'
  readonly guideTraceId: string | null
  readonly runId: string | null
  /** Journal order; null: supplied. */
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
  readonly isActionable: boolean | null
  readonly targetFiles: readonly string[]
  /** In rank order. */
  readonly shown: readonly TracedMemory[]
  readonly omitted: readonly TracedOmission[]
}

/** What is asked of the guide before the traced one: what it had shown where. */
export interface EarlierGuide extends Pick<TracedGuide, 'guideTraceId' | 'seq'> {
  readonly shown: readonly Pick<TracedMemory, 'memoryId' | 'surface'>[]
}

/** A guide as the record holds it. */
export function recordedGuide({ exposure, decision }: GuideStory): TracedGuide {
  const codes = new Map<string, readonly string[]>()
  const shown =
    decision?.printed.map((memory) => explained(memory, codes)) ??
    exposure.memoryIds.map((id, at) => unexplained(id, exposure.surfaces[at] ?? 'do_not_use'))
  return {
    source: 'runtime_record',
    guideTraceId: exposure.guideTraceId,
    runId: exposure.runId,
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
    isActionable: decision?.actionableHistoryUsed ?? null,
    targetFiles: decision?.targetFiles ?? [],
    shown,
    omitted: (decision?.omitted ?? []).slice(0, TRACED_MAX).map((memory) => omission(memory, codes)),
  }
}

/**
 * A guide that is not held here, as supplied: ids and surfaces, codes and scores of its receipt. Its sentences and texts
 * are not repeated.
 * @param hashOf the hash that the records use for prompt texts
 */
export function suppliedGuide(value: WireObject, hashOf: (text: string) => string): TracedGuide {
  const snapshot = readGuideSnapshot(value, hashOf)
  const context = partOf(value, 'agent_context')
  const receipt = partOf(value, 'memory_use_receipt')
  const { exposed } = snapshot
  const summaries = new Map(
    objectsOf(receipt, 'decision_summaries').map((row) => [textOf(row, 'memory_id'), row]),
  )
  const shown = new Map<string, TracedMemory>()
  for (const surface of SURFACES) {
    for (const id of exposed?.[surface] ?? []) {
      if (id.length > ID_CHARS_MAX || shown.has(id) || shown.size === TRACED_MAX) continue
      shown.set(id, suppliedMemory(id, surface, summaries.get(id) ?? {}))
    }
  }
  const posture = textOf(context, 'recommended_posture')
  const authority = textOf(context, 'authority')
  return {
    source: 'supplied_artifacts',
    guideTraceId: snapshot.guideTraceId,
    runId: textOf(value, 'run_id'),
    seq: null,
    isHeldOut: Object.keys(partOf(receipt, 'hold_out')).length > 0,
    isExplained: summaries.size > 0,
    queryHash: null,
    queryChars: null,
    promptHash: snapshot.promptHash,
    promptChars: snapshot.promptChars === null ? null : Math.floor(snapshot.promptChars),
    posture: RECOMMENDED_POSTURES.find((word) => word === posture) ?? null,
    authority: GUIDANCE_AUTHORITIES.find((word) => word === authority) ?? null,
    isActionable: flagOf(context, 'actionable_history_used') ?? flagOf(receipt, 'actionable_history_used'),
    targetFiles: snapshot.targetFiles.filter((path) => path.length <= ID_CHARS_MAX).slice(0, TARGETS_MAX),
    shown: [...shown.values()],
    omitted: [],
  }
}

/** @param codes one list for all memories of a code: a worker is sent it once */
function explained(memory: DecidedMemory, codes: Map<string, readonly string[]>): TracedMemory {
  const { memoryId, surface, ruleId, reasonCode, reason, lifecycleState, signals } = memory
  const reasonCodes = codes.get(reasonCode) ?? [reasonCode]
  codes.set(reasonCode, reasonCodes)
  // Of an erased memory no sentence is left.
  return {
    memoryId,
    surface,
    ruleId,
    reasonCodes,
    reason: reason || null,
    lifecycleState,
    signals,
  }
}

function omission(memory: OmittedMemory, codes: Map<string, readonly string[]>): TracedOmission {
  return { ...explained(memory, codes), omitted: memory.omitted }
}

function unexplained(memoryId: string, surface: Surface): TracedMemory {
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

function suppliedMemory(memoryId: string, surface: Surface, row: WireObject): TracedMemory {
  const ruleId = textOf(row, 'rule_id')
  return {
    ...unexplained(memoryId, surface),
    ruleId: ruleId !== null && CODE.test(ruleId) ? ruleId : null,
    reasonCodes: textsOf(row, 'reason_codes')
      .filter((code) => CODE.test(code))
      .slice(0, CODES_MAX),
    signals: objectsOf(row, 'recall_sources').slice(0, SIGNALS_MAX).flatMap(suppliedSignal),
  }
}

function suppliedSignal(row: WireObject): readonly DecidedSignal[] {
  const [kind, reason, score] = [textOf(row, 'kind'), textOf(row, 'reason'), amountOf(row, 'score')]
  if (kind === null || reason === null || score === null) return []
  return CODE.test(kind) && CODE.test(reason) ? [{ kind, reason, score }] : []
}
