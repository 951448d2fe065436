import {
  bySurface,
  FEEDBACK_OUTCOMES,
  GUIDANCE_AUTHORITIES,
  LIFECYCLE_STATES,
  RECOMMENDED_POSTURES,
  SURFACES,
  type Surface,
} from '../base/closed-sets.ts'
import { readGuideSnapshot } from '../measure/guide-snapshot.ts'
import {
  amountOf,
  fieldOf,
  firstOf,
  flagOf,
  objectsOf,
  partOf,
  textOf,
  textsOf,
  type WireObject,
  wordOf,
} from '../measure/wire-object.ts'
import type { RecallSource } from '../rerank/signals.ts'
import { type GuideMemory, type GuideRecord, UNKNOWN_GUIDE, unexplained } from './guide-record.ts'
import { type Attribution, HELD_BACK_STATES, type HeldBack } from './replay.ts'
import { type Artifact, readArtifact, type Supplied, type SuppliedArtifacts } from './supplied-objects.ts'
import { ROWS_MAX } from './viewer.ts'

// A guide that the actor does not hold, as a caller tells of it: ids and surfaces, codes and scores. Its sentences and
// texts are not repeated, and nothing proves any of it.

/** Ids of a list, and characters of an id, that are taken from a supplied object at most. */
const IDS_MAX = 200
const ID_CHARS_MAX = 256
const CODES_MAX = 16
const FILES_MAX = 8
/** What may be repeated of a caller's words: codes. A sentence may be memory text. */
const CODE = /^[\w:./-]{1,120}$/

/**
 * A guide response, whole or in part.
 * @param hashOf the hash that the records use for prompt texts
 */
export function suppliedGuide(value: WireObject, hashOf: (text: string) => string): GuideRecord {
  const { guideTraceId, exposed, promptHash, promptChars, targetFiles } = readGuideSnapshot(value, hashOf)
  const context = partOf(value, 'agent_context')
  const receipt = partOf(value, 'memory_use_receipt')
  const summaries = new Map(
    objectsOf(receipt, 'decision_summaries').map((row) => [textOf(row, 'memory_id'), row]),
  )
  const shown = new Map<string, GuideMemory>()
  for (const surface of SURFACES) {
    for (const id of exposed?.[surface] ?? []) {
      if (id.length > ID_CHARS_MAX || shown.has(id) || shown.size === IDS_MAX) continue
      shown.set(id, suppliedMemory(id, surface, summaries.get(id) ?? {}))
    }
  }
  return {
    ...UNKNOWN_GUIDE,
    guideTraceId,
    runId: textOf(value, 'run_id'),
    isHeldOut: Object.keys(partOf(receipt, 'hold_out')).length > 0,
    isExplained: summaries.size > 0,
    promptHash,
    promptChars: promptChars === null ? null : Math.floor(promptChars),
    posture: wordOf(RECOMMENDED_POSTURES, textOf(context, 'recommended_posture')),
    authority: wordOf(GUIDANCE_AUTHORITIES, textOf(context, 'authority')),
    isActionable: flagOf(context, 'actionable_history_used') ?? flagOf(receipt, 'actionable_history_used'),
    targetFiles: targetFiles.filter((path) => path.length <= ID_CHARS_MAX).slice(0, FILES_MAX),
    shown: [...shown.values()],
  }
}

function suppliedMemory(memoryId: string, surface: Surface, row: WireObject): GuideMemory {
  const ruleId = textOf(row, 'rule_id')
  return {
    ...unexplained(memoryId, surface),
    ruleId: ruleId !== null && CODE.test(ruleId) ? ruleId : null,
    reasonCodes: textsOf(row, 'reason_codes')
      .filter((code) => CODE.test(code))
      .slice(0, CODES_MAX),
    signals: objectsOf(row, 'recall_sources').slice(0, CODES_MAX).flatMap(codedSignal),
  }
}

function codedSignal(row: WireObject): readonly RecallSource[] {
  const [kind, reason, score] = [textOf(row, 'kind'), textOf(row, 'reason'), amountOf(row, 'score')]
  if (kind === null || reason === null || score === null) return []
  return CODE.test(kind) && CODE.test(reason) ? [{ kind, reason, score }] : []
}

/** Objects of a snapshot request that tell of one guide; the others tell of claims, effects and paths. */
const GUIDE_OBJECTS: readonly string[] = [
  'agent_context',
  'guide_packet',
  'memory_use_receipt',
  'memory_decision_trace',
  'memory_decision_audit',
]

export function tellsOfGuide({ name, guideTraceId, exposed }: Artifact): boolean {
  return GUIDE_OBJECTS.includes(name) && (guideTraceId !== null || exposed !== null)
}

/**
 * What all objects of a snapshot request together say of one guide; null when none tells of a guide.
 * @param named the guide that they are said to be of, where they do not say it themselves
 */
export function guideInObjects(artifacts: readonly Artifact[], named: string | null) {
  const telling = artifacts.filter(tellsOfGuide)
  if (telling.length === 0) return null
  const exposed = firstOf(telling, (artifact) => artifact.exposed)
  // A guide of ours shows 200 memories at most; an object of a caller may name any number.
  const idsBySurface = bySurface((surface) => (exposed?.[surface] ?? []).slice(0, ROWS_MAX))
  const guide: GuideRecord = {
    ...UNKNOWN_GUIDE,
    guideTraceId: firstOf(telling, (artifact) => artifact.guideTraceId) ?? named,
    runId: firstOf(telling, (artifact) => artifact.runId),
    exposedIds: [...new Set(SURFACES.flatMap((surface) => idsBySurface[surface]))],
    idsBySurface,
  }
  const outcome = firstOf(telling, (artifact) => artifact.outcome)
  const usedIds = firstOf(telling, (artifact) => artifact.usedMemoryIds)?.slice(0, ROWS_MAX) ?? []
  return { guide, outcome, usedIds: outcome === null ? [] : usedIds }
}

/** A guide and what became of it: the union of what the artifacts of a flight recorder request say. */
export interface SuppliedReplay {
  readonly guide: GuideRecord
  readonly attribution: Attribution
  readonly heldBack: readonly HeldBack[]
  /** Memory whose recall sources are told. */
  readonly recalled: readonly Pick<GuideMemory, 'memoryId' | 'signals'>[]
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
  const ids = bySurface((surface) => idsIn(read.flatMap(({ exposed }) => exposed?.[surface] ?? [])))
  const named = lists.flatMap(({ name, value }) =>
    textsOf(value, name.endsWith('agent_context') ? 'memory_ids' : 'exposed_memory_ids'),
  )
  const exposedIds = idsIn([...named, ...SURFACES.flatMap((surface) => ids[surface])])
  const ownChars = textOf(agentContext?.value ?? {}, 'prompt_text')?.length ?? null
  const every = artifacts.all.map(({ name, value }) => readArtifact(name, value, hashOf))
  const rows = rowsIn(lists)
  return {
    guide: {
      ...UNKNOWN_GUIDE,
      guideTraceId: firstOf(every, (one) => one.guideTraceId),
      runId: firstOf(every, (one) => one.runId),
      isHistoryUsed: firstOf(scalars, (value) => flagOf(value, 'history_used')),
      isActionable: firstOf(scalars, (value) => flagOf(value, 'actionable_history_used')),
      posture: firstOf(scalars, (value) =>
        wordOf(RECOMMENDED_POSTURES, textOf(value, 'recommended_posture')),
      ),
      authority: firstOf(scalars, (value) => wordOf(GUIDANCE_AUTHORITIES, textOf(value, 'authority'))),
      promptChars: firstOf(scalars, (value) => amountOf(value, 'prompt_char_count')) ?? ownChars,
      promptHash: firstOf(read, (one) => one.promptHash),
      targetFiles: idsIn(ordered.flatMap(({ value }) => textsOf(value, 'target_files'))).slice(0, FILES_MAX),
      exposedIds,
      idsBySurface: ids,
    },
    attribution: suppliedAttribution(artifacts, exposedIds, hashOf),
    heldBack: heldBackIn(rows, ids.do_not_use),
    recalled: rows.filter(({ signals }) => signals.length > 0),
    disputedIds: exposedIds.filter(
      (id) => SURFACES.filter((surface) => ids[surface].includes(id)).length > 1,
    ),
  }
}

/** The trace first, then the snapshot, then the feedback answer: the first that tells an outcome. */
function suppliedAttribution(
  { decisionTrace, snapshot, feedback }: SuppliedArtifacts,
  exposedIds: readonly string[],
  hashOf: (promptText: string) => string,
): Attribution {
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

/** Used ids under the name that older clients give them. */
function nodeIds({ value }: Supplied): readonly string[] {
  return [value, partOf(value, 'feedback_effect')].flatMap((part) => textsOf(part, 'node_ids'))
}

type SuppliedRow = ReturnType<typeof suppliedRow>

/** What rows say, the first row of a memory before later ones. */
function rowsIn(lists: readonly Supplied[]): readonly SuppliedRow[] {
  const found = new Map<string, SuppliedRow>()
  const names = ['decision_summaries', 'memory_decisions', 'entries']
  for (const row of lists.flatMap(({ value }) => names.flatMap((name) => objectsOf(value, name)))) {
    const [memoryId] = idsIn([textOf(row, 'memory_id') ?? ''])
    if (memoryId === undefined || found.has(memoryId) || found.size >= IDS_MAX) continue
    found.set(memoryId, suppliedRow(memoryId, row))
  }
  return [...found.values()]
}

function suppliedRow(memoryId: string, row: WireObject) {
  return {
    memoryId,
    surface: wordOf(SURFACES, textOf(row, 'agent_surface') ?? textOf(row, 'prompt_surface')),
    lifecycleState: wordOf(LIFECYCLE_STATES, textOf(row, 'lifecycle_state')),
    authority: wordOf(GUIDANCE_AUTHORITIES, textOf(row, 'authority')),
    reasonCodes: idsIn(textsOf(row, 'reason_codes')).slice(0, CODES_MAX),
    signals: objectsOf(row, 'recall_sources').slice(0, CODES_MAX).flatMap(signalOf),
  }
}

function signalOf(row: WireObject): readonly RecallSource[] {
  const [kind, reason] = idsIn([textOf(row, 'kind') ?? '', textOf(row, 'reason') ?? 'unknown'])
  const score = fieldOf(row, 'score')
  if (kind === undefined || reason === undefined) return []
  return [{ kind, reason, score: typeof score === 'number' && Number.isFinite(score) ? score : 0 }]
}

/** The code of memory that a list names as blocked, while nothing says why. */
export const BLOCKED_WITHOUT_REASON = 'agent_context_do_not_use'

/** Rows that say so, then ids that a list names as blocked without a row. Titles are not repeated. */
function heldBackIn(rows: readonly SuppliedRow[], blockedIds: readonly string[]): readonly HeldBack[] {
  const said = rows.filter(
    (row) =>
      row.surface === 'do_not_use' ||
      row.authority === 'blocked' ||
      HELD_BACK_STATES.includes(row.lifecycleState) ||
      blockedIds.includes(row.memoryId),
  )
  const known = new Set(said.map(({ memoryId }) => memoryId))
  const bare = blockedIds
    .filter((id) => !known.has(id))
    .map((memoryId) => ({ ...unexplained(memoryId, 'do_not_use'), authority: null }))
  return [...said, ...bare].map((row) => ({
    ...unexplained(row.memoryId, row.surface ?? 'do_not_use'),
    title: null,
    lifecycleState: row.lifecycleState,
    authority: row.authority ?? 'blocked',
    reasonCodes: row.reasonCodes.length === 0 ? [BLOCKED_WITHOUT_REASON] : row.reasonCodes,
    signals: row.signals,
    omitted: null,
  }))
}

function idsIn(ids: readonly string[]): readonly string[] {
  const short = ids.filter((id) => id !== '' && id.length <= ID_CHARS_MAX)
  return [...new Set(short)].slice(0, IDS_MAX)
}
