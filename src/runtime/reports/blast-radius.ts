import type { Actor } from '../../actor/actor.ts'
import { runInSlices, yieldToLoop } from '../../actor/waiting.ts'
import type { BlastRadius } from '../../contract/blast-radius.ts'
import type { RequestOf } from '../../contract/operations.ts'
import type { Answer } from '../../contract/vocabulary.ts'
import { assert } from '../../core/base/assert.ts'
import { DomainError } from '../../core/base/errors.ts'
import { isMadeFor } from '../../core/guide/decision.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import { lifecycleStateAt } from '../../core/model/lifecycle.ts'
import type { MemoryRecord } from '../../core/model/record.ts'
import {
  BLAST_SUBJECTS,
  type Blast,
  type BlastReach,
  type BlastSubject,
  blastOf,
  blastSteps,
  type GuideScan,
  isTouched,
  reachOf,
} from '../../core/report/blast-radius.ts'
import { type ReportView, ROWS_MAX, seenRecord, shownTitle } from '../../core/report/viewer.ts'
import { identityOf, viewerIn } from '../normalise/identity.ts'
import { externalItem } from '../operator/list-memories.ts'
import { envelopeOf, type Handler, isoOf, type RuntimeParts, sourceMap } from '../parts.ts'
import { GUIDES_SCANNED_MAX, guidesNewestFirst } from './guide-records.ts'
import { reported, viewerRow } from './rows.ts'

type Report = Answer<typeof BlastRadius>

/** Everything that a memory, or everything of one source, has touched. Changes nothing. @throws memory_not_found */
export const blastRadius: Handler<'blastRadius'> = async (parts, { request }) => {
  const query = blastQuery(request)
  const { subject, viewer } = query
  return parts.registry.look(query.tenantId, query.scope, async (actor) => {
    const viewAt = (nowMs: number): ReportView => ({ state: actor.state, viewer, nowMs })
    const before = viewAt(parts.clock.nowMs())
    const { seq } = actor.state
    // Everything of one origin may be all that the actor holds.
    const blast = known(await runInSlices(blastSteps(before, subject, STEP_MEMORIES)), subject)
    const scan = await scanGuides(parts, actor, before, blast)
    await yieldToLoop()
    return actor.read((state, nowMs) => {
      const view = viewAt(nowMs)
      const used = ['memory_lookup', 'exposure_ledger']
      // Memory may have come while the guides were read.
      const current = state.seq === seq ? blast : known(blastOf(view, subject), subject)
      return {
        ...envelopeOf('svc_blast_radius_result_v1', query),
        blast_radius: blastRadiusReport(view, subject, current, scan),
        source_map: sourceMap('/v1/audit/blast-radius', used, ['agent_prompt_text', 'raw_payloads']),
      }
    })
  })
}

/** Memories gone through between two breaths. */
const STEP_MEMORIES = 5000

function known(blast: Blast, subject: BlastSubject): Blast {
  if (blast.roots.length + blast.external.length > 0) return blast
  const { by, value } = subject
  const why = `No memory that this consumer can see has this ${by}: send one that it has in the same tenant_id and scope.`
  throw new DomainError('memory_not_found', { [by]: value }, why)
}

async function scanGuides(
  parts: RuntimeParts,
  actor: Actor,
  view: ReportView,
  blast: Blast,
): Promise<GuideScan> {
  const { ids } = blast
  const exposures: ExposureRecord[] = []
  let readCount = 0
  // Guides of others are read and not told of: their number would say what others do.
  let scannedCount = 0
  for await (const exposure of guidesNewestFirst(parts, actor)) {
    if (readCount === GUIDES_SCANNED_MAX) return { exposures, scannedCount, isCut: true }
    readCount += 1
    if (!isMadeFor(exposure, view.viewer)) continue
    scannedCount += 1
    if (isTouched(view, exposure, ids)) exposures.push(exposure)
  }
  return { exposures, scannedCount, isCut: false }
}

/**
 * Who wrote the memories, what was derived from them, who was shown any of it, how those runs ended, and what
 * suppressing them would have changed in the guides on record. Ids, codes and titles only.
 */
export function blastRadiusReport(
  view: ReportView,
  subject: BlastSubject,
  blast: Blast,
  scan: GuideScan,
): Report {
  const { roots, derivatives, external } = blast
  const reach = reachOf(view, blast, scan)
  const { guides, runs } = reach
  return {
    contract_version: 'svc_blast_radius_report_v1',
    intended_use: 'blast_radius_audit',
    agent_prompt_included: false,
    runtime_mutation: false,
    at: isoOf(view.nowMs),
    asked: { by: subject.by, value: subject.value },
    seen_as: viewerRow(view.viewer),
    memory_count: roots.length,
    memories: roots.slice(0, ROWS_MAX).map((record) => memoryRow(view, record)),
    ...(external.length === 0
      ? {}
      : { external_memories: external.map((memory) => externalItem(memory, view.viewer)) }),
    derivative_count: derivatives.length,
    derivatives: derivatives.slice(0, ROWS_MAX).map(({ record, depth, sourceIds }) => ({
      memory_id: record.memoryId,
      title: shownTitle(view, record),
      depth,
      derived_from: sourceIds,
      outcome: record.content.outcome,
      lifecycle_state: lifecycleStateAt(record.facets, view.nowMs),
      erased: view.state.erasures.has(record.memoryId),
      trust: record.facets.trust,
      // Suppression is a facet of its own and moves no other one, so that a derivative keeps the trust it has.
      trust_if_suppressed: record.facets.trust,
    })),
    guides: {
      count: guides.length,
      scanned_count: scan.scannedCount,
      is_cut: scan.isCut,
      entries: guides.slice(0, ROWS_MAX).map(guideRow),
    },
    runs: { count: runs.length, entries: runs.slice(0, ROWS_MAX).map(runRow) },
    dry_run: dryRun(reach),
  }
}

function memoryRow(view: ReportView, record: MemoryRecord): Report['memories'][number] {
  return {
    memory_id: record.memoryId,
    client_id: record.clientId,
    title: shownTitle(view, record),
    memory_type: record.memoryType,
    memory_lane: record.audience.lane,
    outcome: record.content.outcome,
    lifecycle_state: lifecycleStateAt(record.facets, view.nowMs),
    erased: view.state.erasures.has(record.memoryId),
    trust: record.facets.trust,
    written: {
      producer_agent_id: record.producerAgentId,
      producer_team_id: record.producerTeamId,
      actor: record.actorName,
      origin: record.origin,
      source: record.source,
      run_id: record.runId,
      at: isoOf(record.createdAtMs),
      revision: record.revision,
      revised_at: record.revision === 1 ? null : isoOf(record.updatedAtMs),
    },
    derived_from: record.derivedFrom.filter((id) => seenRecord(view, id) !== null),
  }
}

function guideRow({ exposure, lines }: BlastReach['guides'][number]): Report['guides']['entries'][number] {
  return {
    guide_trace_id: exposure.guideTraceId,
    consumer_agent_id: exposure.consumerAgentId,
    consumer_team_id: exposure.consumerTeamId,
    run_id: exposure.runId,
    task_signature: exposure.taskSignature,
    at: isoOf(exposure.atMs),
    held_out: exposure.heldOut,
    exposed: lines.map(({ memoryId, surface, isDerivative }) => ({
      memory_id: memoryId,
      surface,
      is_derivative: isDerivative,
    })),
  }
}

function runRow({ runId, ended, outcomes }: BlastReach['runs'][number]): Report['runs']['entries'][number] {
  return {
    run_id: runId,
    ended,
    outcomes: outcomes.map(({ memoryId, mark }) => ({
      memory_id: memoryId,
      ...reported(mark),
      strong: mark.strong,
      direct: mark.direct,
      guide_trace_id: mark.guideTraceId,
      at: isoOf(mark.atMs),
    })),
  }
}

const DRY_RUN_NOTE =
  'Computed from the recorded guides, not by running them again: each line of a suppressed memory is taken as do_not_use. What would have stood in its place is not computed. Memory derived from it is not touched by suppression.'

function dryRun({ consideredCount, differing }: BlastReach): Report['dry_run'] {
  return {
    operation: 'suppress',
    basis: 'recorded_guides',
    note: DRY_RUN_NOTE,
    guides_considered: consideredCount,
    differing_count: differing.length,
    changed_line_count: differing.reduce((sum, { changed }) => sum + changed.length, 0),
    entries: differing.map(({ exposure, changed, left }) => ({
      guide_trace_id: exposure.guideTraceId,
      consumer_agent_id: exposure.consumerAgentId,
      run_id: exposure.runId,
      at: isoOf(exposure.atMs),
      lines: changed.map(({ memoryId, surface }) => ({
        memory_id: memoryId,
        surface,
        surface_if_suppressed: 'do_not_use',
      })),
      use_now_left: left.filter(({ surface }) => surface === 'use_now').length,
      usable_left: left.filter(({ surface }) => surface !== 'do_not_use').length,
    })),
  }
}

/** What a blast radius is asked about; without a viewer by an operator, who sees the whole actor. */
export function blastQuery(request: RequestOf<'blastRadius'>) {
  const { tenantId, scope } = identityOf(request)
  const [subject] = BLAST_SUBJECTS.flatMap((by): readonly BlastSubject[] => {
    const value = request[by] ?? null
    return value === null ? [] : [{ by, value }]
  })
  assert(subject !== undefined, 'the schema demands one subject')
  return { tenantId, scope, viewer: viewerIn(request), subject }
}
