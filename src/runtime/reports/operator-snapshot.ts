import type { Actor } from '../../actor/actor.ts'
import { runInSlices } from '../../actor/yield-to-loop.ts'
import type { RequestOf } from '../../contract/operations.ts'
import { type StoredGuide, viewerOf } from '../../core/guide/decision.ts'
import type { Viewer } from '../../core/model/visibility.ts'
import type { SnapshotTask } from '../../core/report/execution-paths.ts'
import { type MemorySurvey, surveyOf, surveySteps } from '../../core/report/memory-survey.ts'
import { guideInObjects } from '../../core/report/supplied-guide.ts'
import { readArtifact } from '../../core/report/supplied-objects.ts'
import { firstOf } from '../normalise/absence.ts'
import { identityOf, sentConsumerOf, taskOf, viewerIn } from '../normalise/identity.ts'
import { envelopeOf, type Handler, type RuntimeParts, sourceMap } from '../parts.ts'
import {
  GUIDES_SCANNED_MAX,
  guidesNewestFirst,
  isMadeFor,
  isNotFound,
  storedGuide,
  withDecision,
} from './guide-records.ts'
import { operatorSnapshotReport, type SuppliedObject } from './operator-snapshot-report.ts'
import { snapshotMarkdown } from './snapshot-markdown.ts'

/** The state of an actor for an operator. Reads; changes nothing. @throws guide_trace_not_found */
export const operatorSnapshot: Handler<'operatorSnapshot'> = async (parts, { request }) => {
  const query = snapshotQuery(request)
  const { task, guideTraceId } = query
  const supplied = query.supplied.map(({ name, value }) => ({
    value,
    artifact: readArtifact(name, value, (text) => parts.codec.sha256(text)),
  }))
  const snapshot = await parts.registry.look(query.tenantId, query.scope, async (actor) => {
    const { stored, viewer } = await focusOf(parts, actor, query, supplied)
    return surveyed(actor, viewer, task, (survey) =>
      operatorSnapshotReport({ survey, task, guideTraceId, stored, supplied }),
    )
  })
  const used = ['memory_lookup', 'exposure_ledger', 'guide_history']
  return {
    ...envelopeOf('svc_operator_snapshot_result_v1', query),
    operator_snapshot: snapshot,
    ...(query.includeMarkdown ? { markdown: snapshotMarkdown(snapshot) } : {}),
    source_map: sourceMap('/v1/operator/snapshot', used, ['agent_prompt_text', 'raw_payloads']),
  }
}

/** Memories gone through between two breaths. */
const STEP_MEMORIES = 2000
const SURVEYS_MAX = 3

/** What was erased while memories were gone through must not be told: they are gone through again, at last in one turn. */
async function surveyed<Report>(
  actor: Actor,
  viewer: Viewer,
  task: SnapshotTask,
  reportOn: (survey: MemorySurvey) => Report,
): Promise<Report> {
  for (let tries = 0; tries < SURVEYS_MAX; tries += 1) {
    const { view, erased } = await actor.read((state, nowMs) => ({
      view: { state, viewer, nowMs },
      erased: state.erasures.size,
    }))
    const survey = await runInSlices(surveySteps(view, task, STEP_MEMORIES))
    const report = await actor.read((state) =>
      state.erasures.size === erased ? { on: reportOn(survey) } : null,
    )
    if (report !== null) return report.on
  }
  return actor.read((state, nowMs) => reportOn(surveyOf({ state, viewer, nowMs }, task)))
}

interface Focus {
  /** Null: this actor holds no such guide, and the supplied objects have to do. */
  readonly stored: StoredGuide | null
  readonly viewer: Viewer
}

/** The guide that a snapshot is about. Whoever names one acts as the consumer that it was made for. */
async function focusOf(
  parts: RuntimeParts,
  actor: Actor,
  { viewer, sent, task, guideTraceId }: SnapshotQuery,
  supplied: readonly SuppliedObject[],
): Promise<Focus> {
  const artifacts = supplied.map(({ artifact }) => artifact)
  const told = guideInObjects(artifacts, guideTraceId)?.guide ?? null
  const named = guideTraceId ?? told?.guideTraceId ?? null
  if (named !== null) {
    try {
      const stored = await storedGuide(parts, actor, named, sent)
      return { stored, viewer: viewerOf(stored) }
    } catch (error) {
      if (!isNotFound(error) || told?.guideTraceId !== named) throw error
      return { stored: null, viewer }
    }
  }
  const runId = task.runId ?? told?.runId ?? null
  // Objects that name neither guide nor run could be of any guide: they are shown as they are.
  const isLoose = told !== null && runId === null && task.taskSignature === null
  const stored = isLoose ? null : await latestGuide(parts, actor, viewer, runId, task.taskSignature)
  return { stored, viewer }
}

async function latestGuide(
  parts: RuntimeParts,
  actor: Actor,
  viewer: Viewer,
  runId: string | null,
  taskSignature: string | null,
): Promise<StoredGuide | null> {
  let scanned = 0
  for await (const exposure of guidesNewestFirst(parts, actor)) {
    const isOfTask = taskSignature === null || exposure.taskSignature === taskSignature
    const isMeant = runId === null ? isOfTask : exposure.runId === runId
    if (isMeant && isMadeFor(exposure, viewer)) return withDecision(parts, actor, exposure)
    scanned += 1
    if (scanned === GUIDES_SCANNED_MAX) return null
  }
  return null
}

const SUPPLIED = [
  'agent_context',
  'guide_packet',
  'memory_use_receipt',
  'memory_decision_trace',
  'memory_decision_audit',
  'effect_report',
  'claim_ledger_projection',
  'execution_context',
] as const

type SnapshotQuery = ReturnType<typeof snapshotQuery>

/** What an operator snapshot is asked for; without a viewer by an operator, or by whoever the guide was made for. */
export function snapshotQuery(request: RequestOf<'operatorSnapshot'>) {
  const { tenantId, scope } = identityOf(request)
  return {
    tenantId,
    scope,
    viewer: viewerIn(request),
    sent: sentConsumerOf(request),
    task: { ...taskOf(request), agentRole: firstOf(request.agent_role, request.context?.agent_role) },
    guideTraceId: request.guide_trace_id ?? null,
    supplied: SUPPLIED.flatMap((name) => {
      const value = request[name] ?? null
      return value === null ? [] : [{ name, value }]
    }),
    includeMarkdown: request.include_markdown ?? false,
  }
}
