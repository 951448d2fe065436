import type { Actor } from '../../actor/actor.ts'
import { runInSlices } from '../../actor/waiting.ts'
import type { RequestOf } from '../../contract/operations.ts'
import { isMadeFor, type StoredGuide, viewerOf } from '../../core/guide/decision.ts'
import type { Principal } from '../../core/model/principal.ts'
import type { Viewer } from '../../core/model/visibility.ts'
import {
  type MemorySurvey,
  type SnapshotTask,
  surveyOf,
  surveySteps,
} from '../../core/report/memory-survey.ts'
import { guideInObjects } from '../../core/report/supplied-guide.ts'
import { readArtifact } from '../../core/report/supplied-objects.ts'
import { clip, foldText } from '../../core/text/escape.ts'
import { firstOf, identityOf, sentConsumerOf, taskOf, viewerIn } from '../normalise/identity.ts'
import { envelopeOf, type Handler, type RuntimeParts, sourceMap } from '../parts.ts'
import {
  GUIDES_SCANNED_MAX,
  guidesNewestFirst,
  isNotFound,
  storedGuide,
  withDecision,
} from './guide-records.ts'
import { operatorSnapshotReport, type SuppliedObject } from './operator-snapshot-report.ts'
import type { Snapshot } from './snapshot-sections.ts'

// Words of callers stand behind a word of ours on their line, folded to one line and with every mark of Markdown
// escaped: they can open no heading, list, link, table, code or HTML.

const TEXT_CHARS_MAX = 200
/** Ids listed on one line. */
const IDS_MAX = 24
const MARKS = /[\\`*_{}[\]<>#|~&!@$:]/g
const SAFE_ID = /^[\w:.-]{1,128}$/
/** What a renderer may turn into a link without any mark. */
const BARE_ADDRESS = /\bwww\./gi

/** The snapshot as a page for a person. Deterministic; every line break in it is ours. */
export function snapshotMarkdown(snapshot: Snapshot): string {
  const { task, seen_as: viewer, at } = snapshot
  return [
    '# Operator snapshot',
    lines([
      ['At', at],
      ['Run', plain(task.run_id)],
      ['Task', plain(task.task_signature)],
      ['Role', plain(task.agent_role)],
      ['Seen as', viewer.consumer_agent_id === null ? 'operator' : plain(viewer.consumer_agent_id)],
    ]),
    ...memorySection(snapshot),
    ...executionSection(snapshot),
    ...guideLines(snapshot),
    ...incidentSection(snapshot),
    '## Learning Control',
    learningLines(snapshot),
    '## Effect',
    effectLines(snapshot),
    '## Claims',
    snapshot.claims.map((row) => `- ${code(row.claim)}: ${code(row.status)}. ${row.evidence}`).join('\n'),
    ...mismatchSection(snapshot),
  ]
    .join('\n\n')
    .concat('\n')
}

function memorySection({ memory_counts: counts }: Snapshot): readonly string[] {
  const shown = (group: Readonly<Record<string, number>>) =>
    Object.entries(group)
      .filter(([, count]) => count > 0)
      .map(([word, count]) => `${count} ${code(word)}`)
      .join(', ') || 'none'
  return [
    '## Memory',
    lines([
      ['Memories', String(counts.total)],
      ['Erased', String(counts.erased)],
      ['State', shown(counts.by_lifecycle_state)],
      ['Type', shown(counts.by_type)],
      ['Lane', shown(counts.by_lane)],
    ]),
  ]
}

function executionSection({ execution_state: state }: Snapshot): readonly string[] {
  const { branch_isolation: isolation } = state
  return [
    '## Execution State',
    lines([
      ['Posture', word(state.recommended_posture)],
      ['Authority', word(state.authority)],
      ['Branch isolation', `${code(isolation.status)}. ${isolation.reason}`],
    ]),
    '### Current Active Path',
    entryLines(state.active_path.entries),
    '### Passed Solutions',
    entryLines(state.passed_solutions.entries),
    '### Failed Branches',
    entryLines(state.failed_branches.entries),
  ]
}

type Entry = Snapshot['execution_state']['active_path']['entries'][number]

function entryLines(entries: readonly Entry[]): string {
  if (entries.length === 0) return 'None.'
  return entries
    .map((entry) => {
      const title = entry.title === null ? '' : ` ${quoted(entry.title)}`
      return `- ${code(entry.entry_id)}:${title} ${plain(entry.summary)}`
    })
    .join('\n')
}

function guideLines({ guide_trace: guide }: Snapshot): readonly string[] {
  if (!guide.present) return ['## Guide Trace', guide.reason]
  return [
    '## Guide Trace',
    lines([
      ['Guide', word(guide.guide_trace_id)],
      ['Provenance', word(guide.provenance)],
      ['Consumer', plain(guide.consumer_agent_id)],
      ['Use now', ids(guide.use_now_memory_ids)],
      ['Inspect before use', ids(guide.inspect_before_use_memory_ids)],
      ['Rehydrate', ids(guide.rehydrate_memory_ids)],
      ['Do not use', ids(guide.do_not_use_memory_ids)],
      ['Erased since', ids(guide.erased_memories.map((row) => row.memory_id))],
      ['Outcome', word(guide.feedback_outcome)],
      ['Attributed', ids(guide.attributed_memory_ids)],
    ]),
  ]
}

function incidentSection({ incidents }: Snapshot): readonly string[] {
  const kinds = ['contested', 'failed', 'suppressed'] as const
  const rows = kinds.flatMap((kind) =>
    incidents[kind].entries.map((entry) => {
      const title = entry.title === null ? '' : ` ${quoted(entry.title)}`
      return `- ${kind} ${code(entry.memory_id)}:${title} since ${entry.since}, cause ${word(entry.cause)}`
    }),
  )
  return ['## Incidents', rows.length === 0 ? 'None.' : rows.join('\n')]
}

function learningLines({ learning_control: learning }: Snapshot): string {
  return lines([
    ['Candidates', String(learning.candidate_count)],
    ['Blocked claims', String(learning.blocked_authority_count)],
    ['Not promoted because of', ids(learning.promotion_denied_reasons)],
  ])
}

function effectLines({ effect }: Snapshot): string {
  if (!effect.present) return effect.reason
  return lines([
    ['Direction', word(effect.impact_direction)],
    ['Changed future behaviour', String(effect.changed_future_behavior ?? 'unknown')],
    ['Tokens', String(effect.token_delta ?? 'unknown')],
    ['Note', effect.reason],
  ])
}

function mismatchSection({ artifact_mismatch: rows }: Snapshot): readonly string[] {
  if (rows.length === 0) return []
  return [
    '## Artifact Mismatch',
    rows.map((row) => `- ${code(row.artifact)}: ${code(row.field)} differs from the record`).join('\n'),
  ]
}

function lines(rows: readonly (readonly [string, string])[]): string {
  return rows.map(([label, value]) => `- ${label}: ${value}`).join('\n')
}

function ids(list: readonly string[]): string {
  if (list.length === 0) return 'none'
  const rest = list.length - IDS_MAX
  return `${list.slice(0, IDS_MAX).map(code).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** An identifier; one with other characters than ours have is plain text. */
function code(id: string): string {
  return SAFE_ID.test(id) ? `\`${id}\`` : quoted(id)
}

function word(id: string | null): string {
  return id === null ? 'none' : code(id)
}

function quoted(text: string): string {
  return `"${escaped(text)}"`
}

function plain(text: string | null): string {
  return text === null ? 'none' : escaped(text)
}

function escaped(text: string): string {
  return clip(foldText(text), TEXT_CHARS_MAX)
    .replace(MARKS, '\\$&')
    .replace(BARE_ADDRESS, (word) => `${word.slice(0, -1)}\\.`)
}

/** The state of an actor for an operator. Reads; changes nothing. @throws guide_trace_not_found */
export const operatorSnapshot: Handler<'operatorSnapshot'> = async (parts, { request, principal }) => {
  const query = snapshotQuery(request, principal)
  const { task, guideTraceId } = query
  const supplied = query.supplied.map(({ name, value }) => ({
    value,
    artifact: readArtifact(name, value, (text) => parts.codec.sha256(text)),
  }))
  const snapshot = await parts.registry.look(query.tenantId, query.scope, async (actor) => {
    const { stored, viewer } = await focusOf(parts, actor, query, supplied)
    return surveyed(actor, viewer, task, (survey) =>
      operatorSnapshotReport({
        survey,
        task,
        guideTraceId,
        stored,
        supplied,
        isConsumer: query.viewer !== null,
      }),
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

/**
 * The guide that a snapshot is about; null: this actor holds no such guide, and the supplied objects have to do. Whoever
 * names one acts as the consumer that it was made for.
 */
async function focusOf(
  parts: RuntimeParts,
  actor: Actor,
  { viewer, sent, task, guideTraceId }: SnapshotQuery,
  supplied: readonly SuppliedObject[],
) {
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
export function snapshotQuery(request: RequestOf<'operatorSnapshot'>, principal: Principal | null = null) {
  const { tenantId, scope } = identityOf(request)
  return {
    tenantId,
    scope,
    viewer: viewerIn(request),
    sent: sentConsumerOf(request, principal),
    task: { ...taskOf(request), agentRole: firstOf(request.agent_role, request.context?.agent_role) },
    guideTraceId: request.guide_trace_id ?? null,
    supplied: SUPPLIED.flatMap((name) => {
      const value = request[name] ?? null
      return value === null ? [] : [{ name, value }]
    }),
    includeMarkdown: request.include_markdown ?? false,
  }
}
