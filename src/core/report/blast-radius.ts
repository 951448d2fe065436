import { ORIGINS, type Surface } from '../base/closed-sets.ts'
import { OUR_ID } from '../base/ids.ts'
import type { ExposureRecord } from '../model/exposure.ts'
import { lifecycleStateAt } from '../model/lifecycle.ts'
import type { MemoryRecord } from '../model/record.ts'
import { byId } from '../model/references.ts'
import { type Derivative, derivativesOf } from './blast-radius-lineage.ts'
import { blastRuns } from './blast-radius-runs.ts'
import {
  type ReportView,
  ROWS_MAX,
  seenAs,
  seenRecord,
  seenRecords,
  shownTitle,
} from './operator-snapshot-view.ts'

/** How a blast radius names what it is about. */
export const BLAST_SUBJECTS = ['memory_id', 'client_id', 'source', 'origin'] as const
export interface BlastSubject {
  readonly by: (typeof BLAST_SUBJECTS)[number]
  readonly value: string
}

/** What was found in the guides on record. */
export interface GuideScan {
  /** At least every guide that showed one of the memories, newest first. */
  readonly exposures: readonly ExposureRecord[]
  /** Guides of these eyes that were looked at. */
  readonly scannedCount: number
  /** True: there are older guides that were not looked at. */
  readonly isCut: boolean
}

/** The memories that a report is about, and everything that came out of them. */
export interface Blast {
  readonly roots: readonly MemoryRecord[]
  readonly derivatives: readonly Derivative[]
}

/**
 * Finds the memories. A `source` is whoever or whatever a memory came from: producer agent or team, actor name, raw or
 * evidence reference, or what it was derived from. Empty when these eyes see none.
 */
export function blastOf(view: ReportView, subject: BlastSubject): Blast {
  const roots = rootsOf(view, subject)
  return { roots, derivatives: roots.length === 0 ? [] : derivativesOf(view, roots) }
}

function rootsOf(view: ReportView, { by, value }: BlastSubject): readonly MemoryRecord[] {
  switch (by) {
    case 'memory_id':
      return byId(view.state, value).filter((record) => seenRecord(view, record.memoryId) !== null)
    case 'client_id':
      return [...(view.state.byClientId.get(value) ?? [])].flatMap((id) => seenRecord(view, id) ?? [])
    case 'source':
      return seenRecords(view).filter((record) => isFrom(view, record, value))
    case 'origin':
      return seenRecords(view).filter((record) => record.origin === ORIGINS.find((word) => word === value))
  }
}

// What looks like an id of ours is a source for a consumer only if it is a memory that the consumer sees: an answer
// would tell whether it exists.
function isFrom(view: ReportView, record: MemoryRecord, source: string): boolean {
  const { producerAgentId, producerTeamId, actorName, content } = record
  if ([producerAgentId, producerTeamId, actorName, content.rawRef].includes(source)) return true
  if (content.evidenceRefs.includes(source)) return true
  if (!record.derivedFrom.includes(source)) return false
  return view.eyes === null || !OUR_ID.test(source) || seenRecord(view, source) !== null
}

/** Every memory whose guides a blast radius has to know. */
export function involvedIds({ roots, derivatives }: Blast): ReadonlySet<string> {
  return new Set([...roots, ...derivatives.map(({ record }) => record)].map(({ memoryId }) => memoryId))
}

/** True when these eyes may know of a guide: it was made for them, or they are an operator's. */
export function isOwnGuide({ eyes }: ReportView, exposure: ExposureRecord): boolean {
  if (eyes === null) return true
  return exposure.consumerAgentId === eyes.agentId && exposure.consumerTeamId === eyes.teamId
}

/** True when a guide that these eyes may know of showed one of the memories. */
export function isTouched(view: ReportView, exposure: ExposureRecord, ids: ReadonlySet<string>): boolean {
  return isOwnGuide(view, exposure) && exposure.memoryIds.some((id) => ids.has(id))
}

/**
 * Who wrote the memories, what was derived from them, who was shown any of it, how those runs ended, and what
 * suppressing them would have changed in the guides on record. In wire names; ids, codes and titles only. Pure.
 */
export function blastRadius(view: ReportView, subject: BlastSubject, blast: Blast, scan: GuideScan) {
  const { roots, derivatives } = blast
  const ids = involvedIds(blast)
  const rootIds = new Set(roots.map(({ memoryId }) => memoryId))
  const guides = scan.exposures
    .filter((exposure) => isTouched(view, exposure, ids))
    .sort((a, b) => b.seq - a.seq)
  const records = [...roots, ...derivatives.map(({ record }) => record)]
  return {
    contract_version: 'svc_blast_radius_report_v1' as const,
    intended_use: 'blast_radius_audit' as const,
    agent_prompt_included: false as const,
    runtime_mutation: false as const,
    at: view.isoTime(view.nowMs),
    asked: { by: subject.by, value: subject.value },
    seen_as: seenAs(view),
    memory_count: roots.length,
    memories: roots.slice(0, ROWS_MAX).map((record) => writtenRow(view, record)),
    derivative_count: derivatives.length,
    derivatives: derivatives.slice(0, ROWS_MAX).map((derivative) => derivativeRow(view, derivative)),
    guides: {
      count: guides.length,
      scanned_count: scan.scannedCount,
      is_cut: scan.isCut,
      entries: guides.slice(0, ROWS_MAX).map((exposure) => guideRow(view, exposure, ids, rootIds)),
    },
    runs: blastRuns(view, records, new Set(guides.map(({ guideTraceId }) => guideTraceId))),
    dry_run: dryRun(view, guides, rootIds),
  }
}

function writtenRow(view: ReportView, record: MemoryRecord) {
  return {
    memory_id: record.memoryId,
    client_id: record.clientId,
    title: shownTitle(view, record),
    memory_type: record.memoryType,
    memory_lane: record.audience.lane,
    lifecycle_state: lifecycleStateAt(record.facets, view.nowMs),
    trust: record.facets.trust,
    written: {
      producer_agent_id: record.producerAgentId,
      producer_team_id: record.producerTeamId,
      actor: record.actorName,
      origin: record.origin,
      source: record.source,
      run_id: record.runId,
      at: view.isoTime(record.createdAtMs),
      revision: record.revision,
      revised_at: record.revision === 1 ? null : view.isoTime(record.updatedAtMs),
    },
    derived_from: seenSources(view, record),
  }
}

/** Sources that are memories these eyes see. */
function seenSources(view: ReportView, { derivedFrom }: MemoryRecord): readonly string[] {
  return derivedFrom.filter((id) => seenRecord(view, id) !== null)
}

// Suppression is a facet of its own and moves no other one, so that a derivative keeps the trust it has.
function derivativeRow(view: ReportView, { record, depth, sourceIds }: Derivative) {
  const { trust } = record.facets
  return {
    memory_id: record.memoryId,
    title: shownTitle(view, record),
    depth,
    derived_from: sourceIds,
    lifecycle_state: lifecycleStateAt(record.facets, view.nowMs),
    trust,
    trust_if_suppressed: trust,
  }
}

function guideRow(
  view: ReportView,
  exposure: ExposureRecord,
  ids: ReadonlySet<string>,
  rootIds: ReadonlySet<string>,
) {
  return {
    guide_trace_id: exposure.guideTraceId,
    consumer_agent_id: exposure.consumerAgentId,
    consumer_team_id: exposure.consumerTeamId,
    run_id: exposure.runId,
    task_signature: exposure.taskSignature,
    at: view.isoTime(exposure.atMs),
    held_out: exposure.heldOut,
    exposed: linesOf(exposure)
      .filter(({ memoryId }) => ids.has(memoryId))
      .map(({ memoryId, surface }) => ({
        memory_id: memoryId,
        surface,
        is_derivative: !rootIds.has(memoryId),
      })),
  }
}

const DRY_RUN_NOTE =
  'Computed from the recorded guides, not by running them again: each line of a suppressed memory is taken as do_not_use. What would have stood in its place is not computed. Memory derived from it is not touched by suppression.'

/** What suppressing the memories would have made of the newest guides that showed them. */
function dryRun(view: ReportView, guides: readonly ExposureRecord[], rootIds: ReadonlySet<string>) {
  const considered = guides
    .filter(({ memoryIds }) => memoryIds.some((id) => rootIds.has(id)))
    .slice(0, ROWS_MAX)
  const differing = considered
    .map((exposure) => ({ exposure, changed: linesOf(exposure).filter((line) => isLowered(line, rootIds)) }))
    .filter(({ changed }) => changed.length > 0)
  return {
    operation: 'suppress' as const,
    basis: 'recorded_guides' as const,
    note: DRY_RUN_NOTE,
    guides_considered: considered.length,
    differing_count: differing.length,
    changed_line_count: differing.reduce((sum, { changed }) => sum + changed.length, 0),
    entries: differing.map(({ exposure, changed }) => {
      const left = linesOf(exposure).filter((line) => !isLowered(line, rootIds))
      return {
        guide_trace_id: exposure.guideTraceId,
        consumer_agent_id: exposure.consumerAgentId,
        run_id: exposure.runId,
        at: view.isoTime(exposure.atMs),
        lines: changed.map(({ memoryId, surface }) => ({
          memory_id: memoryId,
          surface,
          surface_if_suppressed: 'do_not_use' as const,
        })),
        use_now_left: left.filter(({ surface }) => surface === 'use_now').length,
        usable_left: left.filter(({ surface }) => surface !== 'do_not_use').length,
      }
    }),
  }
}

interface Line {
  readonly memoryId: string
  readonly surface: Surface
}

function linesOf({ memoryIds, surfaces }: ExposureRecord): readonly Line[] {
  return memoryIds.map((memoryId, at) => ({ memoryId, surface: surfaces[at] ?? 'do_not_use' }))
}

function isLowered({ memoryId, surface }: Line, rootIds: ReadonlySet<string>): boolean {
  return rootIds.has(memoryId) && surface !== 'do_not_use'
}
