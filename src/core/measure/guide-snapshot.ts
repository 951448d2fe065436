import { type BySurface, SURFACES } from '../base/closed-sets.ts'
import { isObject } from '../base/collections.ts'
import { readMetrics } from './observation.ts'
import {
  amountOf,
  fieldOf,
  isTrue,
  objectOf,
  objectsOf,
  partOf,
  textOf,
  textsOf,
  type WireObject,
} from './wire-object.ts'

export type Exposed = BySurface<readonly string[]>

/** What a guide's artifacts say that it showed. Never prompt text, never memory text. */
export type GuideSnapshot = ReturnType<typeof readGuideSnapshot>

export type Contribution = ReturnType<typeof contribution>

/** What one lifecycle answer says that was done: a feedback, forget or rehydrate response. */
export type LifecycleResult = ReturnType<typeof readLifecycleResult>

/**
 * Reads a guide response, whole or in part.
 * @param hashOf the hash that the records use for prompt texts
 */
export function readGuideSnapshot(value: WireObject, hashOf: (promptText: string) => string) {
  const context = fieldOf(value, 'agent_context')
  const receipt = fieldOf(value, 'memory_use_receipt')
  const lists = isObject(context) ? context : objectOf(receipt)
  const promptText = textOf(lists, 'prompt_text')
  const ownChars = isObject(receipt) ? amountOf(receipt, 'prompt_char_count') : null
  return {
    guideTraceId:
      textOf(value, 'guide_trace_id') ?? textOf(partOf(value, 'memory_use_receipt'), 'guide_trace_id'),
    exposed: exposedIn(lists),
    promptHash: promptText === null ? null : hashOf(promptText),
    promptChars: promptText?.length ?? ownChars,
    historyUsed: isTrue(lists, 'history_used'),
    actionableHistoryUsed: isTrue(lists, 'actionable_history_used'),
    targetFiles: textsOf(lists, 'target_files'),
    workflowIds: textsOf(partOf(lists, 'evidence_refs'), 'workflow_ids'),
    evidenceCount: amountOf(partOf(lists, 'evidence_refs'), 'evidence_count') ?? 0,
    staleCount: amountOf(partOf(lists, 'risk'), 'stale_memory_count') ?? 0,
    packets: packetFacts(value),
    // Numbers that the caller wrote beside the guide; they win over what is derived from it.
    explicit: readMetrics(value, 'guide').observation,
  }
}

/** A guide without lists, with what the record of it says that it showed. */
export function withRecord(snapshot: GuideSnapshot, exposed: Exposed): GuideSnapshot {
  const usable = exposed.use_now.length + exposed.inspect_before_use.length + exposed.rehydrate.length
  return {
    ...snapshot,
    exposed,
    historyUsed: usable + exposed.do_not_use.length > 0,
    actionableHistoryUsed: usable > 0,
  }
}

/** Reads a feedback, forget or rehydrate response. An object with an outcome and no operation is a feedback. */
export function readLifecycleResult(value: WireObject) {
  const effect = partOf(value, 'forget_effect')
  const trace = partOf(effect, 'guide_trace')
  const said = textOf(value, 'operation') ?? textOf(effect, 'action')
  return {
    operation: said ?? 'activate',
    changedCount: amountOf(effect, 'changed_count') ?? 0,
    affectedMemoryIds: textsOf(effect, 'affected_memory_ids'),
    guideTraceId: textOf(value, 'guide_trace_id') ?? textOf(trace, 'guide_trace_id'),
    runId: textOf(value, 'run_id') ?? textOf(partOf(effect, 'attribution'), 'run_id'),
  }
}

const EXPOSED_LISTS = [...SURFACES.map((surface) => `${surface}_memory_ids`), 'rehydrate_hints']

/** Null: there is no list of what was shown, as in the answer to a guide that gave the prompt alone. */
function exposedIn(lists: WireObject): Exposed | null {
  if (!EXPOSED_LISTS.some((name) => Array.isArray(fieldOf(lists, name)))) return null
  const rehydrate = textsOf(lists, 'rehydrate_memory_ids')
  const required = objectsOf(lists, 'rehydrate_hints')
    .filter((hint) => isTrue(hint, 'required'))
    .flatMap((hint) => textOf(hint, 'memory_id') ?? [])
  return {
    use_now: textsOf(lists, 'use_now_memory_ids'),
    inspect_before_use: textsOf(lists, 'inspect_before_use_memory_ids'),
    rehydrate: rehydrate.length > 0 ? rehydrate : required,
    do_not_use: textsOf(lists, 'do_not_use_memory_ids'),
  }
}

/** Null: the guide was made without packets. */
function packetFacts(value: WireObject) {
  if (!isObject(fieldOf(value, 'guide_packet')) && !isObject(fieldOf(value, 'memory_packet'))) return null
  const guide = partOf(value, 'guide_packet')
  const memory = partOf(value, 'memory_packet')
  const recovered = partOf(guide, 'recovered_state')
  const lifecycle = partOf(memory, 'lifecycle')
  const contributions = partOf(guide, 'history_contributions')
  const applied = new Set(textsOf(partOf(value, 'agent_context'), 'use_now_memory_ids'))
  return {
    provenFactCount: objectsOf(guide, 'proven_facts').length,
    evidenceTrailCount: objectsOf(memory, 'evidence_trail').length,
    isResumable: isTrue(recovered, 'resumable'),
    acceptanceCheckCount: textsOf(recovered, 'acceptance_checks').length,
    reducesDiscovery: isTrue(
      partOf(partOf(guide, 'guide_brief'), 'expected_product_effects'),
      'reduces_repeated_discovery',
    ),
    workflows: objectsOf(partOf(guide, 'guidance'), 'workflow_candidates').flatMap(workflowFacts),
    handoff: contribution(partOf(contributions, 'handoff')),
    replay: contribution(partOf(contributions, 'replay')),
    suppressedIds: textsOf(lifecycle, 'suppressed_memory_ids'),
    archivedIds: textsOf(lifecycle, 'archived_memory_ids'),
    contradictionIds: objectsOf(memory, 'contradiction_warnings').flatMap(
      (warning) => textOf(warning, 'memory_id') ?? [],
    ),
    // Memory to use now whose authority is no more than candidate.
    unverifiedAppliedCount: objectsOf(memory, 'relevant_memories').filter((row) => {
      const id = textOf(row, 'memory_id')
      const authority = textOf(row, 'authority')
      return id !== null && applied.has(id) && (authority === 'candidate' || authority === 'none')
    }).length,
  }
}

function workflowFacts(row: WireObject) {
  const workflowId = textOf(row, 'workflow_id')
  if (workflowId === null) return []
  const authority = textOf(row, 'authority')
  const isProved = authority === 'trusted' || (amountOf(row, 'evidence_count') ?? 0) > 1
  // It succeeded last time, by trusted or repeated evidence.
  const isStable = textOf(row, 'last_outcome') === 'success' && authority !== 'blocked' && isProved
  return [{ workflowId, isBlocked: authority === 'blocked', isStable }]
}

function contribution(row: WireObject) {
  return { used: isTrue(row, 'used'), sourceIds: textsOf(row, 'source_ids') }
}
