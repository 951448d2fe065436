import { type BySurface, bySurface } from '../base/by-surface.ts'
import {
  FEEDBACK_OUTCOMES,
  GUIDANCE_AUTHORITIES,
  type GuidanceAuthority,
  LIFECYCLE_STATES,
  type LifecycleState,
  RECOMMENDED_POSTURES,
  type RecommendedPosture,
  SURFACES,
  type Surface,
} from '../base/closed-sets.ts'
import type { DecidedSignal } from '../guide/decision.ts'
import {
  amountOf,
  fieldOf,
  flagOf,
  objectsOf,
  partOf,
  textOf,
  textsOf,
  type WireObject,
} from '../measure/wire-object.ts'
import { readArtifact } from './artifact.ts'
import type { Supplied, SuppliedArtifacts } from './recorder-artifacts.ts'
import type { Attribution } from './replay-effect.ts'

/** Ids of a list, and characters of an id, that are taken from a supplied object at most. */
const IDS_MAX = 200
const ID_CHARS_MAX = 256
const CODES_MAX = 16
const FILES_MAX = 8

/** What a supplied object says of one memory. */
export interface SuppliedMemory {
  readonly memoryId: string
  readonly surface: Surface | null
  readonly lifecycleState: LifecycleState | null
  readonly authority: GuidanceAuthority | null
  readonly reasonCodes: readonly string[]
  readonly signals: readonly DecidedSignal[]
}

/** A guide as a caller tells of it: the union of what the artifacts say. Proven by nothing. */
export interface SuppliedReplay {
  readonly guideTraceId: string | null
  readonly runId: string | null
  readonly exposedIds: readonly string[]
  readonly idsBySurface: BySurface<readonly string[]>
  readonly memories: readonly SuppliedMemory[]
  readonly historyUsed: boolean | null
  readonly actionableHistoryUsed: boolean | null
  readonly posture: RecommendedPosture | null
  readonly authority: GuidanceAuthority | null
  readonly promptChars: number | null
  readonly promptHash: string | null
  readonly targetFiles: readonly string[]
  readonly attribution: Attribution
  /** Ids that the artifacts show on more than one surface. */
  readonly disputedIds: readonly string[]
}

/** Scalars are taken from the receipt, then the agent context, the trace, the snapshot; lists are their union. */
export function suppliedReplay(
  artifacts: SuppliedArtifacts,
  hashOf: (promptText: string) => string,
): SuppliedReplay {
  const { receipt, agentContext, decisionTrace, snapshot, admissionRecord } = artifacts
  const ordered = [receipt, agentContext, decisionTrace, snapshot].filter((one) => one !== null)
  const listed = artifacts.all.filter(({ name }) => /(guide_trace|receipt)$/.test(name))
  const lists = [...new Set([...ordered, ...listed])]
  const read = (lists.length > 0 ? lists : [admissionRecord].filter((one) => one !== null)).map((one) =>
    readArtifact(one.name, one.value, hashOf),
  )
  const scalars = ordered.flatMap(({ value }) => [value, partOf(value, 'summary')])
  const idsBySurface = bySurface((surface) => idsIn(read.flatMap(({ exposed }) => exposed?.[surface] ?? [])))
  const named = lists.flatMap(({ name, value }) =>
    textsOf(value, name.endsWith('agent_context') ? 'memory_ids' : 'exposed_memory_ids'),
  )
  const exposedIds = idsIn([...named, ...SURFACES.flatMap((surface) => idsBySurface[surface])])
  const surfacesOf = (id: string): readonly Surface[] => SURFACES.filter((s) => idsBySurface[s].includes(id))
  const ownChars = textOf(agentContext?.value ?? {}, 'prompt_text')?.length ?? null
  const every = artifacts.all.map(({ name, value }) => readArtifact(name, value, hashOf))
  return {
    guideTraceId: every.find((one) => one.guideTraceId !== null)?.guideTraceId ?? null,
    runId: every.find((one) => one.runId !== null)?.runId ?? null,
    exposedIds,
    idsBySurface,
    memories: memoriesIn(lists),
    historyUsed: first(scalars, (value) => flagOf(value, 'history_used')),
    actionableHistoryUsed: first(scalars, (value) => flagOf(value, 'actionable_history_used')),
    posture: first(scalars, (value) => wordOf(RECOMMENDED_POSTURES, textOf(value, 'recommended_posture'))),
    authority: first(scalars, (value) => wordOf(GUIDANCE_AUTHORITIES, textOf(value, 'authority'))),
    promptChars: first(scalars, (value) => amountOf(value, 'prompt_char_count')) ?? ownChars,
    promptHash: read.find((one) => one.promptHash !== null)?.promptHash ?? null,
    targetFiles: idsIn(ordered.flatMap(({ value }) => textsOf(value, 'target_files'))).slice(0, FILES_MAX),
    attribution: suppliedAttribution(artifacts, exposedIds, hashOf),
    disputedIds: exposedIds.filter((id) => surfacesOf(id).length > 1),
  }
}

/** The trace first, then the snapshot, then the feedback answer: the first that tells an outcome. */
function suppliedAttribution(
  artifacts: SuppliedArtifacts,
  exposedIds: readonly string[],
  hashOf: (promptText: string) => string,
): Attribution {
  const { decisionTrace, snapshot, feedback } = artifacts
  const guideTrace = snapshot === null ? {} : partOf(snapshot.value, 'guide_trace')
  const told = [decisionTrace, snapshot, feedback].flatMap((one) => {
    if (one === null) return []
    const artifact = readArtifact(one.name, one.value, hashOf)
    const isSnapshot = one === snapshot
    const said = artifact.outcome ?? (isSnapshot ? textOf(guideTrace, 'feedback_outcome') : null)
    const outcome = wordOf(FEEDBACK_OUTCOMES, said)
    const own = artifact.usedMemoryIds ?? (isSnapshot ? textsOf(guideTrace, 'attributed_memory_ids') : [])
    return outcome === null ? [] : [{ name: one.name, outcome, usedIds: idsIn([...own, ...nodeIds(one)]) }]
  })
  const { name, outcome, usedIds } = told[0] ?? { name: null, outcome: null, usedIds: [] }
  const used = new Set(usedIds)
  return {
    outcome,
    usedIds,
    attributedIds: usedIds,
    unattributedIds: exposedIds.filter((id) => !used.has(id)),
    supportedIds: outcome === 'positive' ? usedIds : [],
    contradictedIds: outcome === 'negative' ? usedIds : [],
    reason:
      name === null
        ? 'No supplied artifact tells an outcome.'
        : `The supplied ${name} tells it; no record of this runtime confirms it.`,
  }
}

function nodeIds({ value }: Supplied): readonly string[] {
  return [value, partOf(value, 'feedback_effect')].flatMap((part) => textsOf(part, 'node_ids'))
}

const ROW_LISTS = ['decision_summaries', 'memory_decisions', 'entries'] as const

/** What rows say, the first row of a memory before later ones. */
function memoriesIn(lists: readonly Supplied[]): readonly SuppliedMemory[] {
  const found = new Map<string, SuppliedMemory>()
  for (const { value } of lists) {
    for (const row of ROW_LISTS.flatMap((name) => objectsOf(value, name))) {
      const [memoryId] = idsIn([textOf(row, 'memory_id') ?? ''])
      if (memoryId === undefined || found.has(memoryId) || found.size >= IDS_MAX) continue
      found.set(memoryId, {
        memoryId,
        surface: wordOf(SURFACES, textOf(row, 'agent_surface') ?? textOf(row, 'prompt_surface')),
        lifecycleState: wordOf(LIFECYCLE_STATES, textOf(row, 'lifecycle_state')),
        authority: wordOf(GUIDANCE_AUTHORITIES, textOf(row, 'authority')),
        reasonCodes: idsIn(textsOf(row, 'reason_codes')).slice(0, CODES_MAX),
        signals: objectsOf(row, 'recall_sources').slice(0, CODES_MAX).flatMap(signalOf),
      })
    }
  }
  return [...found.values()]
}

function signalOf(row: WireObject): readonly DecidedSignal[] {
  const [kind, reason] = idsIn([textOf(row, 'kind') ?? '', textOf(row, 'reason') ?? 'unknown'])
  const score = fieldOf(row, 'score')
  if (kind === undefined || reason === undefined) return []
  return [{ kind, reason, score: typeof score === 'number' && Number.isFinite(score) ? score : 0 }]
}

function idsIn(ids: readonly string[]): readonly string[] {
  const short = ids.filter((id) => id !== '' && id.length <= ID_CHARS_MAX)
  return [...new Set(short)].slice(0, IDS_MAX)
}

function first<T>(values: readonly WireObject[], read: (value: WireObject) => T | null): T | null {
  for (const value of values) {
    const found = read(value)
    if (found !== null) return found
  }
  return null
}

function wordOf<T extends string>(words: readonly T[], said: string | null): T | null {
  return words.find((word) => word === said) ?? null
}
