import { type BySurface, bySurface, SURFACES } from '../base/closed-sets.ts'
import { isObject } from '../base/collections.ts'
import { readLifecycleResult } from '../measure/guide-snapshot.ts'
import {
  fieldOf,
  firstOf,
  objectsOf,
  partOf,
  textOf,
  textsOf,
  type WireObject,
  wordOf,
} from '../measure/wire-object.ts'

/** What one object that a caller hands back says about a guide. Believed only where there is no record. */
export type Artifact = ReturnType<typeof readArtifact>

/**
 * Reads what a caller supplied: a whole guide response, an agent context, a receipt, a decision trace, an operator
 * snapshot, an admission record or a feedback response.
 * @param name the field that it came in
 * @param hashOf the hash that the records use for prompt texts
 */
export function readArtifact(name: string, value: WireObject, hashOf: (promptText: string) => string) {
  const shown = shownPart(value)
  const promptText = textOf(shown, 'prompt_text')
  const lifecycle = readLifecycleResult(value)
  const attribution = partOf(partOf(value, 'forget_effect'), 'attribution')
  const told = [value, partOf(value, 'feedback_effect'), attribution, partOf(value, 'feedback_attribution')]
  return {
    name,
    guideTraceId:
      textOf(value, 'guide_trace_id') ?? textOf(shown, 'guide_trace_id') ?? lifecycle.guideTraceId,
    runId: lifecycle.runId ?? textOf(partOf(value, 'task'), 'run_id'),
    exposed: exposedIn(value, shown),
    promptHash: promptText === null ? null : hashOf(promptText),
    outcome: firstOf(told, (part) => textOf(part, 'outcome')),
    usedMemoryIds: firstList(told, ['used_memory_ids', 'attributed_memory_ids', 'memory_ids']),
  }
}

/** The part that holds the lists: an agent context, a receipt, the guide trace of a snapshot, or the object itself. */
function shownPart(value: WireObject): WireObject {
  for (const name of ['agent_context', 'memory_use_receipt', 'guide_trace']) {
    const part = fieldOf(value, name)
    if (isObject(part)) return part
  }
  return value
}

/** Null: it names none. */
function exposedIn(value: WireObject, shown: WireObject): BySurface<readonly string[]> | null {
  const decisions = objectsOf(value, 'memory_decisions')
  const entries = decisions.length > 0 ? decisions : objectsOf(value, 'entries')
  if (entries.length > 0) {
    const found = bySurface((): string[] => [])
    for (const row of entries) {
      const on = textOf(row, 'agent_surface') ?? textOf(row, 'prompt_surface')
      const surface = wordOf(SURFACES, on)
      const id = textOf(row, 'memory_id')
      if (surface !== null && id !== null) found[surface].push(id)
    }
    return found
  }
  if (!SURFACES.some((surface) => Array.isArray(fieldOf(shown, `${surface}_memory_ids`)))) return null
  return bySurface((surface) => textsOf(shown, `${surface}_memory_ids`))
}

function firstList(parts: readonly WireObject[], names: readonly string[]): readonly string[] | null {
  return firstOf(parts, (part) =>
    firstOf(names, (name) => (Array.isArray(fieldOf(part, name)) ? textsOf(part, name) : null)),
  )
}

/** An object that a caller handed back, under the path that it came in. */
export interface Supplied {
  readonly name: string
  readonly value: WireObject
}

/** What a caller supplied of one guide; null: not there. */
export type SuppliedArtifacts = ReturnType<typeof suppliedArtifacts>

const LEDGER = 'claim_ledger_projection'
const GUIDE_PARTS = ['memory_use_receipt', 'agent_context', 'memory_decision_trace'] as const

/**
 * Reads the artifacts of a request, top-level ones before those of its product trace. A whole answer stands for the
 * object that it holds.
 */
export function suppliedArtifacts(request: WireObject) {
  const trace = partOf(request, 'product_trace')
  const after = wholeGuide(partOf(trace, 'after_guide'), 'product_trace.after_guide')
  const decisionTrace = topLevel(request, 'memory_decision_trace') ?? named(after, 'memory_decision_trace')
  const snapshot = topLevel(request, 'operator_snapshot')
  const inner = [decisionTrace, snapshot].flatMap((outer) => {
    const names = outer === null ? [] : ['memory_use_receipt', 'guide_trace']
    return names.flatMap((name) => partIn(outer?.value ?? {}, name, `${outer?.name}.${name}`))
  })
  const told = feedbacks(trace)
  const feedback = topLevel(request, 'feedback_result') ?? told[0] ?? null
  const agentContext = topLevel(request, 'agent_context') ?? named(after, 'agent_context')
  const receipt = topLevel(request, 'memory_use_receipt') ?? named([...after, ...inner], 'memory_use_receipt')
  const admissionRecord = topLevel(request, 'memory_admission_record')
  const own = [receipt, agentContext, decisionTrace, snapshot, admissionRecord, feedback]
  return {
    receipt,
    agentContext,
    decisionTrace,
    snapshot,
    admissionRecord,
    feedback,
    // The one of the request, then those inside of the guide and of the snapshot.
    claimLedgers: [
      topLevel(request, LEDGER) ?? [],
      partIn(partOf(trace, 'after_guide'), LEDGER, `product_trace.after_guide.${LEDGER}`),
      snapshot === null ? [] : partIn(snapshot.value, LEDGER, `operator_snapshot.${LEDGER}`),
    ].flat(),
    // Everything above and what lies inside of it: each is compared with the record.
    all: [...new Set([...own.filter((one) => one !== null), ...after, ...inner, ...told])],
    // Another guide, which has a record of its own.
    beforeGuide: wholeGuide(partOf(trace, 'before_guide'), 'product_trace.before_guide'),
  }
}

/** A guide answer is several artifacts; its own id belongs to each of them. */
function wholeGuide(value: WireObject, path: string): readonly Supplied[] {
  const parts = GUIDE_PARTS.flatMap((name) => partIn(value, name, `${path}.${name}`))
  if (parts.length > 0) return parts
  return textOf(value, 'guide_trace_id') === null ? [] : [{ name: path, value }]
}

function partIn(value: WireObject, name: string, path: string): readonly Supplied[] {
  const part = fieldOf(value, name)
  return isObject(part) ? [{ name: path, value: withTraceId(part, value) }] : []
}

function topLevel(request: WireObject, name: string): Supplied | null {
  const value = fieldOf(request, name)
  if (!isObject(value)) return null
  const inner = fieldOf(value, name)
  return { name, value: isObject(inner) ? withTraceId(inner, value) : value }
}

function withTraceId(inner: WireObject, outer: WireObject): WireObject {
  const guideTraceId = textOf(inner, 'guide_trace_id') ?? textOf(outer, 'guide_trace_id')
  return guideTraceId === null ? inner : { ...inner, guide_trace_id: guideTraceId }
}

function named(parts: readonly Supplied[], name: string): Supplied | null {
  return parts.find((part) => part.name.endsWith(`.${name}`)) ?? null
}

/** Older clients send the feedback answer as `forget_result`. */
function feedbacks(trace: WireObject): readonly Supplied[] {
  return ['feedback_result', 'forget_result'].flatMap((name) => {
    const value = fieldOf(trace, name)
    if (!isObject(value) || readLifecycleResult(value).operation !== 'activate') return []
    return [{ name: `product_trace.${name}`, value }]
  })
}
