import type { Outcome } from '../base/closed-sets.ts'
import { eachInSteps, listAt, resultOf } from '../base/collections.ts'
import { OUR_ID } from '../base/ids.ts'
import { isMadeFor } from '../guide/decision.ts'
import type { ExposureRecord } from '../model/events.ts'
import { type ExternalMemory, namesIn, opinionsFor } from '../model/external-memory.ts'
import type { FeedbackMark, MemoryRecord } from '../model/record.ts'
import { byId, sourcesOf } from '../model/references.ts'
import { memoriesOfRun } from '../model/state.ts'
import { isOwnRun } from './credit.ts'
import type { Listed } from './difference.ts'
import { externalPage } from './memory-list.ts'
import { type ReportView, ROWS_MAX, seenRecord, seenRecords } from './viewer.ts'

/** How a blast radius names what it is about. */
export const BLAST_SUBJECTS = ['memory_id', 'client_id', 'external_memory_id', 'source', 'origin'] as const
export interface BlastSubject {
  readonly by: (typeof BLAST_SUBJECTS)[number]
  readonly value: string
}

/** What was found in the guides on record. */
export interface GuideScan {
  /** At least every guide that showed one of the memories, newest first. */
  readonly exposures: readonly ExposureRecord[]
  /** Guides looked at of which the viewer may know. */
  readonly scannedCount: number
  /** True: there are older guides that were not looked at. */
  readonly isCut: boolean
}

/** The memories that a report is about, and everything that came out of them. */
export interface Blast {
  readonly roots: readonly MemoryRecord[]
  readonly derivatives: readonly Derivative[]
  /** Of other stores: nothing that the actor holds came out of them. */
  readonly external: readonly ExternalMemory[]
  readonly rootIds: ReadonlySet<string>
  /** Every memory whose guides a blast radius has to know: the ids of those held here, and the refs of others. */
  readonly ids: ReadonlySet<string>
}

/** A memory that came out of another one, directly or through others. */
export interface Derivative {
  readonly record: MemoryRecord
  /** Steps from the nearest memory that was asked about, 1 or more. */
  readonly depth: number
  /** Its sources among the memories asked about and their derivatives. */
  readonly sourceIds: readonly string[]
}

/**
 * Finds the memories. A `source` is whoever or whatever a memory came from: producer agent or team, actor name, raw or
 * evidence reference, or what it was derived from. Empty when the viewer sees none.
 */
export function blastOf(view: ReportView, subject: BlastSubject): Blast {
  return resultOf(blastSteps(view, subject, Number.POSITIVE_INFINITY))
}

/** The same with a pause behind so many memories. What changes meanwhile is found or not: look again when anything did. */
export function* blastSteps(
  view: ReportView,
  subject: BlastSubject,
  stepMemories: number,
): Generator<void, Blast> {
  const roots = yield* rootSteps(view, subject, stepMemories)
  const external = subject.by === 'external_memory_id' ? externalOf(view, subject.value) : []
  const rootIds = new Set<string>()
  yield* eachInSteps(roots, stepMemories, ({ memoryId }) => void rootIds.add(memoryId))
  const derivatives = roots.length === 0 ? [] : yield* derivativeSteps(view, rootIds, stepMemories)
  const others = [...derivatives.map(({ record }) => record.memoryId), ...external.map(({ ref }) => ref)]
  const ids = others.length === 0 ? rootIds : new Set([...rootIds, ...others])
  return { roots, derivatives, external, rootIds, ids }
}

/** At most one of each store. */
function externalOf({ state, viewer }: ReportView, externalId: string): readonly ExternalMemory[] {
  const filter = { sourceBackend: null, externalId, standing: null }
  return externalPage(state, filter, viewer, null, ROWS_MAX).items
}

function* rootSteps(
  view: ReportView,
  { by, value }: BlastSubject,
  stepMemories: number,
): Generator<void, readonly MemoryRecord[]> {
  switch (by) {
    case 'memory_id':
      return byId(view.state, value).filter((record) => seenRecord(view, record.memoryId) !== null)
    case 'client_id':
      return [...(view.state.byClientId.get(value) ?? [])].flatMap((id) => seenRecord(view, id) ?? [])
    case 'external_memory_id':
      return []
    case 'source':
    case 'origin': {
      const roots: MemoryRecord[] = []
      yield* eachInSteps(seenRecords(view), stepMemories, (record) => {
        if (by === 'origin' ? record.origin === value : isFrom(view, record, value)) roots.push(record)
      })
      return roots
    }
  }
}

// What looks like an id of ours is a source for a consumer only if it is a memory that the consumer sees: an answer
// would tell whether it exists.
function isFrom(view: ReportView, record: MemoryRecord, source: string): boolean {
  const { producerAgentId, producerTeamId, actorName, content } = record
  if ([producerAgentId, producerTeamId, actorName, content.rawRef].includes(source)) return true
  if (content.evidenceRefs.includes(source)) return true
  if (!record.derivedFrom.includes(source)) return false
  return view.viewer === null || !OUR_ID.test(source) || seenRecord(view, source) !== null
}

/**
 * Everything that was derived from the roots, by a `derived_from` list or an effective relation, as far as the viewer
 * sees it: nearest first, then in order of first writing. Each memory stands once, also in a cycle; no root is its own
 * derivative. Linear in the memories of the actor.
 */
function* derivativeSteps(
  view: ReportView,
  rootIds: ReadonlySet<string>,
  stepMemories: number,
): Generator<void, readonly Derivative[]> {
  const derivedBy = yield* derivedBySteps(view, stepMemories)
  const depths = new Map<string, number>()
  const isKnown = (id: string): boolean => rootIds.has(id) || depths.has(id)
  let edge = rootIds
  for (let depth = 1; edge.size > 0; depth++) {
    const next = new Set<string>()
    yield* eachInSteps(edge, stepMemories, (sourceId) => {
      for (const id of directDerivatives(view, derivedBy, sourceId)) if (!isKnown(id)) next.add(id)
    })
    for (const id of next) depths.set(id, depth)
    edge = next
  }
  return [...depths]
    .flatMap(([id, depth]) => {
      const record = seenRecord(view, id)
      if (record === null) return []
      return [{ record, depth, sourceIds: [...new Set(sourcesOf(view.state, record))].filter(isKnown) }]
    })
    .sort((a, b) => a.depth - b.depth || a.record.slot - b.record.slot)
}

const NONE: readonly string[] = []

/** Who names a memory as its source, for every memory that is named. */
function* derivedBySteps(
  view: ReportView,
  stepMemories: number,
): Generator<void, ReadonlyMap<string, readonly string[]>> {
  const derivedBy = new Map<string, string[]>()
  yield* eachInSteps(view.state.memories.values(), stepMemories, ({ memoryId, derivedFrom }) => {
    if (derivedFrom.length === 0 || seenRecord(view, memoryId) === null) return
    for (const sourceId of derivedFrom) listAt(derivedBy, sourceId).push(memoryId)
  })
  return derivedBy
}

function directDerivatives(
  view: ReportView,
  derivedBy: ReadonlyMap<string, readonly string[]>,
  sourceId: string,
): readonly string[] {
  const listed = derivedBy.get(sourceId) ?? NONE
  const relations = view.state.relationsByTarget.get(sourceId)
  if (relations === undefined) return listed
  const related = relations
    .filter(({ type, effective }) => type === 'derived_from' && effective)
    .map(({ srcId }) => srcId)
    .filter((id) => seenRecord(view, id) !== null)
  return [...listed, ...related]
}

/** True when a guide that the viewer may know of showed one of the memories. */
export function isTouched(view: ReportView, exposure: ExposureRecord, ids: ReadonlySet<string>): boolean {
  if (!isMadeFor(exposure, view.viewer)) return false
  return (exposure.external?.refs ?? exposure.memoryIds).some((id) => ids.has(id))
}

export type BlastReach = ReturnType<typeof reachOf>

/** Who was shown any of the memories, how those runs ended, and what suppression would have changed. Newest first. */
export function reachOf(view: ReportView, blast: Blast, scan: GuideScan) {
  const { ids, rootIds } = blast
  const exposures = scan.exposures
    .filter((exposure) => isTouched(view, exposure, ids))
    .sort((a, b) => b.seq - a.seq)
  const considered = exposures
    .filter(({ memoryIds }) => memoryIds.some((id) => rootIds.has(id)))
    .slice(0, ROWS_MAX)
  return {
    guides: exposures.map((exposure) => ({
      exposure,
      // Of the memories, in rank order.
      lines: linesAbout(exposure, ids).map((line) => ({
        ...line,
        isDerivative: exposure.external === undefined && !rootIds.has(line.memoryId),
      })),
    })),
    runs: runsOf(view, blast, new Set(exposures.map(({ guideTraceId }) => guideTraceId))),
    // The newest guides that showed one of the roots.
    consideredCount: considered.length,
    differing: considered
      .map((exposure) => ({
        exposure,
        changed: linesOf(exposure).filter((line) => isLowered(line, rootIds)),
        left: linesOf(exposure).filter((line) => !isLowered(line, rootIds)),
      }))
      .filter(({ changed }) => changed.length > 0),
  }
}

/** Of candidates each by its external id. */
function linesAbout(exposure: ExposureRecord, ids: ReadonlySet<string>): readonly Listed[] {
  if (exposure.external === undefined) return linesOf(exposure).filter(({ memoryId }) => ids.has(memoryId))
  return namesIn(exposure.external)
    .filter(({ ref }) => ids.has(ref))
    .map(({ externalId, surface }) => ({ memoryId: externalId, surface }))
}

function linesOf({ memoryIds, surfaces }: ExposureRecord): readonly Listed[] {
  return memoryIds.map((memoryId, at) => ({ memoryId, surface: surfaces[at] ?? 'do_not_use' }))
}

function isLowered({ memoryId, surface }: Listed, rootIds: ReadonlySet<string>): boolean {
  return rootIds.has(memoryId) && surface !== 'do_not_use'
}

/**
 * Runs that told an outcome of one of the memories. A consumer is told of the outcomes of its own guides only: the runs
 * of others are theirs.
 * @param guideIds guides that the viewer may know of
 */
function runsOf(view: ReportView, { roots, derivatives, external }: Blast, guideIds: ReadonlySet<string>) {
  const byRun = new Map<string, { readonly memoryId: string; readonly mark: FeedbackMark }[]>()
  const heard = external.flatMap((memory) =>
    opinionsFor(memory, view.viewer).map(({ marks }) => ({ memoryId: memory.externalId, marks })),
  )
  for (const { memoryId, marks } of [...roots, ...derivatives.map(({ record }) => record), ...heard]) {
    for (const mark of marks) {
      if (view.viewer !== null && !isOwnRun(mark, guideIds)) continue
      listAt(byRun, mark.runId).push({ memoryId, mark })
    }
  }
  return [...byRun]
    .map(([runId, outcomes]) => ({ runId, outcomes: outcomes.sort((a, b) => a.mark.seq - b.mark.seq) }))
    .sort((a, b) => (b.outcomes.at(-1)?.mark.seq ?? 0) - (a.outcomes.at(-1)?.mark.seq ?? 0))
    .map(({ runId, outcomes }) => ({
      runId,
      // What its last recorded step says; null: no step that the viewer sees tells.
      ended: endOf(view, runId),
      outcomes: outcomes.slice(-ROWS_MAX),
    }))
}

function endOf(view: ReportView, runId: string): Outcome | null {
  const steps = memoriesOfRun(view.state, runId)
    .flatMap((id) => seenRecord(view, id) ?? [])
    .filter((record) => record.runId === runId && record.domain === 'execution')
    .sort((a, b) => a.ordinal - b.ordinal)
  return steps.findLast(({ content }) => content.outcome !== null)?.content.outcome ?? null
}
