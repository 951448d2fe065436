import type { FacetName, LifecycleState, RelationType, Surface } from '../base/closed-sets.ts'
import { authorityOf } from '../guide/agent-context.ts'
import { callersTitle, told } from '../guide/line.ts'
import type { MemoryFacts } from '../measure/memory-drift.ts'
import { lifecycleStateAt } from '../model/lifecycle.ts'
import type { Consumer, FacetChange, FeedbackMark, MemoryRecord, Relation } from '../model/record.ts'
import { isKnownName } from '../model/references.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { canSee, isVisibleTo, type Viewer } from '../model/visibility.ts'
import { maskSecrets } from '../screening/secrets.ts'
import { clip, foldText } from '../text/escape.ts'
import { type Credit, creditOf, creditSeenBy, isOwnRun, type OutcomeCredit } from './credit.ts'
import type { GuideMemory, GuideRecord } from './guide-record.ts'
import { contentThen, seenCause } from './memory-state.ts'
import { seenRecord } from './viewer.ts'

/** Outcomes listed with each memory of a trace. */
export const TRACE_RUNS_MAX = 4
const RELATIONS_MAX = 200
const FORGOTTEN_MAX = 200
const EVIDENCE_MAX = 32
const TITLE_CHARS_MAX = 160

/** Who a trace is for. */
export interface TraceViewer {
  /** An operator gets titles of memory that everyone sees. */
  readonly viewer: Viewer
  /** Guides that were made for the viewer, of those that outcomes on the traced memory name. */
  readonly ownGuideIds: ReadonlySet<string>
  /** Whether a consumer asks: how often others were shown a memory is not told to it. */
  readonly isConsumer: boolean
}

/** Guides that a trace of this memory may name: those of its latest outcomes and of those that moved it. */
export function namedGuides({ marks, changes }: MemoryRecord, runsMax = TRACE_RUNS_MAX): readonly string[] {
  const moved = new Set(changes.map(({ seq }) => seq))
  const first = marks.length - runsMax
  const named = marks.filter((mark, at) => at >= first || moved.has(mark.seq))
  return named.flatMap(({ guideTraceId }) => guideTraceId ?? [])
}

/** One memory as the viewer may see it, at the moment of a guide as far as it can be told. */
export type TracedView = ReturnType<typeof viewOf>

/** What an operator did to traced memory after the guide. */
export interface TracedForget {
  readonly action: 'suppress' | 'unsuppress' | 'rehydrate' | 'activate'
  readonly affectedMemoryIds: readonly string[]
  readonly cause: string
}

/** The views of everything that a guide decided about; memory that is not here or not visible has none. */
export function tracedViews(
  state: ActorState,
  guide: GuideRecord,
  reader: TraceViewer,
  nowMs: number,
): ReadonlyMap<string, TracedView> {
  const views = new Map<string, TracedView>()
  for (const memory of [...guide.shown, ...guide.omitted]) {
    const record = seenRecord({ state, viewer: reader.viewer }, memory.memoryId)
    if (record === null) continue
    views.set(memory.memoryId, viewOf(state, record, memory, guide.seq ?? state.seq + 1, reader, nowMs))
  }
  return views
}

/** Relations in force that touch these memories and of which the viewer sees both ends, in journal order. */
export function tracedRelations(
  state: ActorState,
  memoryIds: Iterable<string>,
  reader: TraceViewer,
): readonly Relation[] {
  const found = new Set<Relation>()
  const isKnown = (id: string): boolean => seenRecord({ state, viewer: reader.viewer }, id) !== null
  for (const id of memoryIds) {
    for (const lookup of [state.relationsBySource, state.relationsByTarget]) {
      for (const relation of lookup.get(id) ?? []) {
        if (relation.effective && isKnown(relation.srcId) && isKnown(relation.dstId)) found.add(relation)
      }
    }
  }
  return [...found].sort((a, b) => a.seq - b.seq).slice(-RELATIONS_MAX)
}

const FORGET_ACTIONS: Readonly<Record<string, TracedForget['action']>> = {
  operator_suppress: 'suppress',
  operator_unsuppress: 'unsuppress',
  operator_activation: 'activate',
  rehydrated: 'rehydrate',
}

/** Operator actions on the shown memory since the guide, one for each turn, oldest first. */
export function tracedForgets(state: ActorState, guide: GuideRecord): readonly TracedForget[] {
  if (guide.seq === null) return []
  const bySeq = new Map<
    number,
    { readonly action: TracedForget['action']; cause: string; ids: Set<string> }
  >()
  for (const { memoryId } of guide.shown) {
    for (const { seq, cause } of state.memories.get(memoryId)?.changes ?? []) {
      const action = FORGET_ACTIONS[cause]
      if (action === undefined || seq <= guide.seq) continue
      const known = bySeq.get(seq)
      if (known === undefined) bySeq.set(seq, { action, cause, ids: new Set([memoryId]) })
      else known.ids.add(memoryId)
    }
  }
  return [...bySeq]
    .sort(([a], [b]) => a - b)
    .slice(-FORGOTTEN_MAX)
    .map(([, { action, cause, ids }]) => ({ action, cause, affectedMemoryIds: [...ids] }))
}

function viewOf(
  state: ActorState,
  record: MemoryRecord,
  memory: GuideMemory,
  seq: number,
  reader: TraceViewer,
  nowMs: number,
) {
  const isErased = state.erasures.has(record.memoryId)
  const lifecycleNow = isErased ? null : lifecycleStateAt(record.facets, nowMs)
  const credit = creditOf(state, record, TRACE_RUNS_MAX)
  return {
    title: titleOf(record, memory, lifecycleNow, reader),
    domain: record.domain,
    memoryType: record.memoryType,
    lifecycleNow,
    authority: authorityOf({ surface: memory.surface, record }),
    // Null when that revision is kept no longer.
    confidence: isErased ? null : (contentThen(record, seq - 1)?.confidence ?? null),
    evidenceRefs: record.content.evidenceRefs
      .slice(0, EVIDENCE_MAX)
      .filter((name) => isKnownName(state, name, reader.viewer))
      .map(maskSecrets),
    hasPayload: isErased ? null : record.content.payload !== null,
    hasFullText: record.content.fullTextChars !== null,
    isRevisedSince: record.seq > seq,
    heldBack: heldBackBy(
      state,
      record,
      memory.lifecycleState ?? lifecycleStateAt(record.facets, nowMs),
      seq,
      reader,
    ),
    // Negatives by journal order: the first of each run.
    weakSeqs: negativeSeqs(record.marks, false),
    strongSeqs: negativeSeqs(record.marks, true),
    credit: creditFor(credit, reader),
  }
}

function creditFor(credit: Credit, { viewer, ownGuideIds, isConsumer }: TraceViewer): Credit | OutcomeCredit {
  if (viewer === null) return credit
  const seen = creditSeenBy(credit, ownGuideIds)
  return isConsumer ? seen : { ...credit, ...seen }
}

/** A run may say the same twice, of fewer memories. */
function negativeSeqs(marks: readonly FeedbackMark[], isStrong: boolean): readonly number[] {
  const negative = marks.filter((mark) => mark.outcome === 'negative' && mark.strong === isStrong)
  const byRun = new Map(negative.toReversed().map(({ runId, seq }) => [runId, seq]))
  return [...byRun.values()]
}

/** Sees what everyone sees. */
const NOBODY: Consumer = { agentId: '', teamId: null }

/** A blocked memory shows the title that its caller gave, never one made of its text. */
function titleOf(
  record: MemoryRecord,
  memory: GuideMemory,
  lifecycleNow: LifecycleState | null,
  { viewer }: TraceViewer,
): string | null {
  if (!isVisibleTo(record.audience, viewer ?? NOBODY)) return null
  const isBlocked = memory.surface === 'do_not_use' || lifecycleNow === 'suppressed'
  const title = isBlocked ? callersTitle(record) : record.content.title
  return title === null ? null : clip(foldText(told(record, title)), TITLE_CHARS_MAX) || null
}

const FACET_BEHIND: Readonly<Partial<Record<LifecycleState, FacetName>>> = {
  suppressed: 'suppression',
  failed: 'standing',
  contested: 'standing',
  demoted: 'standing',
  superseded: 'validity',
  expired: 'validity',
  candidate: 'trust',
  archived: 'availability',
}

/** The change that brought the memory into the state which it had for the guide, and what stands behind it. */
function heldBackBy(
  state: ActorState,
  record: MemoryRecord,
  stateThen: LifecycleState,
  seq: number,
  reader: TraceViewer,
) {
  const facet = FACET_BEHIND[stateThen]
  const change = record.changes.findLast(
    (each) => each.seq < seq && each.facet === facet && each.to === stateThen,
  )
  if (change === undefined) return null
  const byMemoryId = seenCause({ state, viewer: reader.viewer }, change)
  return {
    cause: change.cause,
    byMemoryId,
    relation: byMemoryId === null ? null : relationBehind(state, byMemoryId, record.memoryId, change),
    // Of the outcome that moved it, when the viewer may know of it.
    runId: runBehind(record.marks, change, reader),
  }
}

function relationBehind(
  state: ActorState,
  byMemoryId: string,
  memoryId: string,
  change: FacetChange,
): RelationType | null {
  // Contradicting memories contest each other: either may be the source.
  const between = [
    ...(state.relationsBySource.get(byMemoryId) ?? []).filter((each) => each.dstId === memoryId),
    ...(state.relationsByTarget.get(byMemoryId) ?? []).filter((each) => each.srcId === memoryId),
  ]
  return between.find((each) => each.seq === change.seq)?.type ?? null
}

function runBehind(marks: readonly FeedbackMark[], change: FacetChange, reader: TraceViewer): string | null {
  const mark = marks.find((each) => each.seq === change.seq)
  if (mark === undefined) return null
  return reader.viewer === null || isOwnRun(mark, reader.ownGuideIds) ? mark.runId : null
}

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
  viewer: Viewer,
  nowMs: number,
): readonly MemoryFacts[] {
  const shown: MemoryRecord[] = []
  for (const id of surfaces.keys()) {
    const record = liveRecord(state, id)
    if (record !== undefined && canSee(viewer, record)) shown.push(record)
  }
  if (shown.length === 0) return []
  const paths = new Set(shown.flatMap(({ content }) => content.targetFiles))
  const beside: MemoryRecord[] = []
  let freshest: MemoryRecord | null = null
  const first = Math.max(0, state.records.length - SCANNED_MAX)
  for (let at = state.records.length - 1; at >= first; at--) {
    const record = state.records[at]
    if (record === undefined || state.erasures.has(record.memoryId)) continue
    if (surfaces.has(record.memoryId) || !canSee(viewer, record)) continue
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
