import type { Actor } from '../actor/actor.ts'
import type { AnswerOf } from '../contract/operations.ts'
import { viewerOf } from '../core/guide/decision.ts'
import { withHandleAdvice, withoutHandles } from '../core/guide/handles.ts'
import type { LifecycleCommand } from '../core/model/commands.ts'
import { plainRecord } from '../core/model/compact-record.ts'
import type { ExposureRecord } from '../core/model/events.ts'
import { wholeTextOf } from '../core/model/memory-fields.ts'
import type { Consumer, Content, MemoryRecord } from '../core/model/record.ts'
import { citingKnown } from '../core/model/references.ts'
import type { ActorState } from '../core/model/state.ts'
import { isCutSince } from '../core/report/difference.ts'
import { contentAt } from '../core/report/memory-state.ts'
import { withoutSecretsSteps } from '../core/screening/secrets.ts'
import { decideLifecycle } from '../core/write/forget.ts'
import { lifecycleEffectOf, missingOf } from './lifecycle-wire.ts'
import { countersView, evidenceView, linkedDecisions, revisionsView, summaryView } from './memory-view.ts'
import { sentConsumerOf } from './normalise/identity.ts'
import { rehydrateCommand } from './normalise/lifecycle.ts'
import {
  type Call,
  envelopeOf,
  exposureOf,
  type Handler,
  namedExposure,
  type RuntimeParts,
  sourceMap,
  turnInSlicesOnce,
  warningsOf,
} from './parts.ts'
import { guidesNewestFirst, orNotFound } from './reports/guide-records.ts'

/** Expands evidence of memory that the consumer may see, and makes archived memory resident. */
export const rehydrate: Handler<'rehydrate'> = async (parts, call) => {
  const { command, warnings } = rehydrateCommand(call.request, call.principal)
  return parts.registry.use(call.tenantId, call.scope, async (actor) => {
    const decide = await lifecycleDecision(parts, actor, call, command)
    return turnInSlicesOnce(parts, actor, call, function* (state, nowMs) {
      const { events, ...decided } = decide(state, nowMs)
      const { effect } = decided
      const reply = {
        ...envelopeOf('svc_rehydrate_result_v1', call),
        operation: 'rehydrate' as const,
        target: command.target,
        forget_effect: lifecycleEffectOf(command, effect, nowMs),
        result: yield* rehydratedResult(state, command, decided, nowMs),
        source_map: sourceMap('/v1/rehydrate', ['memory_lifecycle', 'evidence_expansion']),
        ...warningsOf(withHandleAdvice(warnings, effect.missing, command.guideTraceId)),
      }
      return { events, reply }
    })
  })
}

/** Decides for the consumer of the guide that a request names, else for that of the command. */
export async function lifecycleDecision(
  parts: RuntimeParts,
  actor: Actor,
  { request, principal }: Call<Parameters<typeof sentConsumerOf>[0]>,
  command: LifecycleCommand,
) {
  const sent = sentConsumerOf(request, principal)
  const exposureNamed = await namedExposure(parts, actor, command.guideTraceId, sent)
  const guides = isLinking(command) ? await newestGuides(parts, actor) : []
  const earlier =
    command.mode === 'differential' ? await earlierGuides(parts, actor, command, exposureNamed) : NONE
  return (state: ActorState, nowMs: number): Decided => {
    const exposure = exposureNamed()
    const eyes: Consumer | null = exposure === null ? command.viewpoint : viewerOf({ exposure })
    return {
      ...decideLifecycle(state, withoutHandles(state, command, exposure), eyes, nowMs),
      exposure,
      earlier,
      eyes,
      guides,
    }
  }
}

interface Decided extends ReturnType<typeof decideLifecycle> {
  /** Null: the request names no guide. */
  readonly exposure: ExposureRecord | null
  /** By memory id, of those that a handle of an earlier guide of its run means. */
  readonly earlier: ReadonlyMap<string, ExposureRecord>
  readonly eyes: Consumer | null
  /** The newest of the actor; empty when none is asked for. */
  readonly guides: readonly ExposureRecord[]
}

const NONE: ReadonlyMap<string, ExposureRecord> = new Map()

/** The guides that printed what a request names by handles which its own guide did not print. */
async function earlierGuides(
  parts: RuntimeParts,
  actor: Actor,
  command: LifecycleCommand,
  exposureNamed: () => ExposureRecord | null,
): Promise<ReadonlyMap<string, ExposureRecord>> {
  const exposure = await orNotFound(Promise.resolve().then(exposureNamed))
  const guides = new Map<string, ExposureRecord>()
  const { printedEarlier = [] } = withoutHandles(actor.state, command, exposure)
  for (const [memoryId, { guideTraceId }] of printedEarlier) {
    const guide = await orNotFound(exposureOf(parts, actor, guideTraceId))
    if (guide !== null) guides.set(memoryId, guide)
  }
  return guides
}

/** Recent guides looked through for those that showed a memory. */
const GUIDES_LINKED_MAX = 512

function isLinking({ operation, mode, includeLinkedDecisions }: LifecycleCommand): boolean {
  return operation === 'rehydrate' && includeLinkedDecisions && (mode === 'partial' || mode === 'full')
}

/** Wherever they are kept: a snapshot moves them from memory to the ledger. */
async function newestGuides(parts: RuntimeParts, actor: Actor): Promise<readonly ExposureRecord[]> {
  const guides: ExposureRecord[] = []
  for await (const guide of guidesNewestFirst(parts, actor)) {
    if (guides.push(guide) === GUIDES_LINKED_MAX) break
  }
  return guides
}

/** The expanded evidence, as it stands once the rehydration is applied. */
export function* rehydratedResult(
  state: ActorState,
  command: LifecycleCommand,
  decided: Omit<Decided, 'events'>,
  nowMs: number,
): Generator<void, AnswerOf<'rehydrate'>['result']> {
  const { effect, eyes } = decided
  const moved = new Set(effect.changedMemoryIds)
  const memories = effect.records.map((record) => {
    const facets = { ...record.facets, availability: 'resident' as const }
    const resident = { ...plainRecord(record), facets }
    return expanded(state, command, citingKnown(state, resident, eyes), decided, nowMs)
  })
  return {
    mode: command.mode,
    memories: command.mode === 'full' ? memories : yield* withoutSecretsSteps(memories),
    ...missingOf(command, effect),
    rehydrated: {
      moved_ids: effect.changedMemoryIds,
      unchanged_ids: effect.records.map((record) => record.memoryId).filter((id) => !moved.has(id)),
    },
  }
}

/** Secrets are masked later, but in what is asked for in full. */
function expanded(
  state: ActorState,
  command: LifecycleCommand,
  record: MemoryRecord,
  { exposure, earlier, eyes, guides }: Omit<Decided, 'events'>,
  nowMs: number,
): AnswerOf<'rehydrate'>['result']['memories'][number] {
  const summary = summaryView(state, record, eyes, nowMs)
  const linked = command.includeLinkedDecisions
    ? { linked_decisions: linkedDecisions(record, guides, eyes) }
    : {}
  switch (command.mode) {
    case 'summary_only':
      return summary
    case 'partial':
      return { ...summary, text: wholeTextOf(record.content), ...linked }
    case 'full':
      return {
        ...summary,
        text: wholeTextOf(record.content),
        ...linked,
        payload: record.content.payload,
        revisions: revisionsView(record),
        evidence: evidenceView(record.content),
        counters: countersView(record),
      }
    case 'differential': {
      const shownIn = comparable(record, earlier.get(record.memoryId) ?? exposure)
      return { ...summary, differential: differentialView(record, shownIn) }
    }
  }
}

/** Null: the guide did not show the memory, or what it showed is kept no longer. */
function comparable(record: MemoryRecord, exposure: ExposureRecord | null): ExposureRecord | null {
  if (exposure?.memoryIds.includes(record.memoryId) !== true) return null
  return isCutSince(record, exposure.seq) ? null : exposure
}

/**
 * What changed since the guide that exposed the memory, or since its last revision, field by field. Facets are
 * compared by their recorded changes, content by its revisions.
 */
function differentialView(record: MemoryRecord, exposure: ExposureRecord | null) {
  if (exposure !== null) {
    const then = contentAt(record, exposure.seq)
    return {
      compared_with: 'guide' as const,
      from_revision: then.revision,
      guide_trace_id: exposure.guideTraceId,
      changes: [...facetChanges(record, exposure.seq), ...contentChanges(then.content, record.content)],
    }
  }
  const before = record.revisions.at(-1)
  if (before === undefined) {
    const changes = facetChanges(record, record.seq)
    return { compared_with: 'nothing' as const, from_revision: null, guide_trace_id: null, changes }
  }
  return {
    compared_with: 'revision' as const,
    from_revision: before.revision,
    guide_trace_id: null,
    changes: [...facetChanges(record, record.seq - 1), ...contentChanges(before.content, record.content)],
  }
}

function facetChanges(record: MemoryRecord, afterSeq: number) {
  const changes = new Map<string, { field: string; before: unknown; after: unknown }>()
  for (const change of record.changes) {
    if (change.seq <= afterSeq) continue
    const field = `lifecycle.${change.facet}`
    changes.set(field, { field, before: changes.get(field)?.before ?? change.from, after: change.to })
  }
  return [...changes.values()].filter(({ before, after }) => before !== after)
}

function contentChanges(before: Content, after: Content) {
  const then = flat(before)
  const now = flat(after)
  return Object.keys(now)
    .filter((field) => JSON.stringify(then[field]) !== JSON.stringify(now[field]))
    .map((field) => ({ field, before: then[field], after: now[field] }))
}

function flat(content: Content): Readonly<Record<string, unknown>> {
  const { title, summary, payload } = content
  return { title, text: wholeTextOf(content), summary, ...evidenceView(content), payload }
}
