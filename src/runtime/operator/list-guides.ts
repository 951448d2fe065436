import type { Actor } from '../../actor/actor.ts'
import type { AnswerOf, RequestOf } from '../../contract/operations.ts'
import { bySurface } from '../../core/base/closed-sets.ts'
import { compilePrompt } from '../../core/guide/compile.ts'
import { isMadeFor, type StoredGuide } from '../../core/guide/decision.ts'
import { handlesOf } from '../../core/guide/handles.ts'
import { type ExposureRecord, shownIn } from '../../core/model/events.ts'
import { namesIn, standingFor } from '../../core/model/external-memory.ts'
import type { ExternalShown } from '../../core/model/record.ts'
import type { ActorState } from '../../core/model/state.ts'
import type { Viewer } from '../../core/model/visibility.ts'
import { erasedSince, outcomesOf, recordedGuide, withoutErased } from '../../core/report/guide-record.ts'
import { gapBefore, type PromptAgain, type PromptGap, promptAgain } from '../../core/report/prompt-again.ts'
import { commandAgain, guideNow } from '../../core/report/replay.ts'
import { maskSecrets } from '../../core/screening/secrets.ts'
import { recallFor } from '../guide.ts'
import { sentConsumerOf } from '../normalise/identity.ts'
import { envelopeOf, type Handler, isoOf, type RuntimeParts, sourceMap } from '../parts.ts'
import { guidesNewestFirst, storedGuide } from '../reports/guide-records.ts'
import { erasedRow } from '../reports/rows.ts'
import { cursorAt, numberAt, type OperatorRead, operatorRead } from './read.ts'

type Answer = AnswerOf<'listGuides'>
type GuideItem = Answer['items'][number]
type GuideDetail = NonNullable<GuideItem['detail']>
type Page = Pick<Answer, 'items' | 'next_cursor'>

/** Guides looked at for one page. */
const SCANNED_MAX = 5000

/** Guides of a scope, the newest first; one that is named, whole. @throws guide_trace_not_found */
export const listGuides: Handler<'listGuides'> = async (parts, { request, principal }) => {
  const read = operatorRead('guides', request)
  const named = request.guide_trace_id ?? null
  const page = await parts.registry.look(read.tenantId, read.scope, async (actor): Promise<Page> => {
    if (named === null) return guidesPage(parts, actor, read, request)
    const stored = await storedGuide(parts, actor, named, sentConsumerOf(request, principal))
    const now = request.as_now === true ? { now: await guideAsNow(parts, actor, stored) } : {}
    const asked = { viewer: read.viewer, withPrompt: request.with_prompt ?? true, now }
    return { items: [await wholeGuide(parts, actor, stored, asked)], next_cursor: null }
  })
  return {
    ...envelopeOf('svc_operator_guides_v1', read),
    ...page,
    source_map: sourceMap('/v1/operator/guides', ['exposure_ledger', 'guide_history']),
  }
}

/** Guides have an order of their own, by time and turn: those that come meanwhile are before the first page. */
async function guidesPage(
  parts: RuntimeParts,
  actor: Actor,
  { viewer, limit, cursor }: OperatorRead,
  request: RequestOf<'listGuides'>,
): Promise<Page> {
  const items: GuideItem[] = []
  const { position } = cursor
  const lastMs = position === null ? Number.MAX_SAFE_INTEGER : numberAt(position, 0)
  const lastSeq = position === null ? Number.MAX_SAFE_INTEGER : numberAt(position, 1)
  const fromMs = request.made_from ?? null
  let scanned = 0
  let last: ExposureRecord | null = null
  for await (const guide of guidesNewestFirst(parts, actor, lastMs)) {
    if (guide.atMs === lastMs && guide.seq >= lastSeq) continue
    if (fromMs !== null && guide.atMs < fromMs) return { items, next_cursor: null }
    if (last !== null && (items.length === limit || scanned === SCANNED_MAX)) {
      return { items, next_cursor: cursorAt(cursor, [last.atMs, last.seq]) }
    }
    scanned += 1
    last = guide
    if (isMadeFor(guide, viewer) && isAskedFor(guide, request))
      items.push(guideItem(actor.state, guide, viewer))
  }
  return { items, next_cursor: null }
}

function isAskedFor(guide: ExposureRecord, request: RequestOf<'listGuides'>): boolean {
  const { run_id, task_signature, memory_id, made_to } = request
  if (run_id != null && guide.runId !== run_id) return false
  if (task_signature != null && guide.taskSignature !== task_signature) return false
  if (memory_id != null && !shownIn(guide).ids.includes(memory_id)) return false
  return made_to == null || guide.atMs < made_to
}

function guideItem(state: ActorState, guide: ExposureRecord, viewer: Viewer): GuideItem {
  const { surfaces } = shownIn(guide)
  return {
    guide_trace_id: guide.guideTraceId,
    at: isoOf(guide.atMs),
    seq: guide.seq,
    consumer_agent_id: guide.consumerAgentId,
    consumer_team_id: guide.consumerTeamId,
    run_id: guide.runId,
    task_signature: guide.taskSignature,
    held_out: guide.heldOut,
    shown: bySurface((surface) => surfaces.filter((each) => each === surface).length),
    ...(guide.external === undefined ? {} : { external: externalRows(state, guide.external, viewer) }),
  }
}

function externalRows(state: ActorState, shown: ExternalShown, viewer: Viewer): GuideItem['external'] {
  return namesIn(shown).map(({ sourceBackend, externalId, surface }) => ({
    source_backend: sourceBackend,
    external_memory_id: externalId,
    surface,
    standing: standingFor(state.external.get(sourceBackend, externalId), viewer),
  }))
}

async function wholeGuide(
  parts: RuntimeParts,
  actor: Actor,
  stored: StoredGuide,
  asked: { readonly viewer: Viewer; readonly withPrompt: boolean; readonly now: Pick<GuideDetail, 'now'> },
): Promise<GuideItem> {
  const { viewer, withPrompt, now } = asked
  const prompt = withPrompt ? await promptOf(parts, actor, stored) : promptRow(stored, 'not_asked')
  return actor.read((state) => ({
    ...guideItem(state, stored.exposure, viewer),
    detail: { ...detailOf(state, stored, prompt), ...now },
  }))
}

function detailOf(state: ActorState, whole: StoredGuide, prompt: GuideDetail['prompt']): GuideDetail {
  const stored = withoutErased(whole, state)
  const guide = recordedGuide(stored)
  const erased = new Map(erasedSince(stored, state).map((erasure) => [erasure.memoryId, erasure]))
  const handles = new Map([...handlesOf(stored.exposure)].map(([handle, { memoryId }]) => [memoryId, handle]))
  const row = (
    memory: (typeof guide.shown)[number],
  ): Omit<GuideDetail['memories'][number], 'omitted' | 'into'> => {
    const erasure = erased.get(memory.memoryId) ?? null
    return {
      memory_id: memory.memoryId,
      handle: handles.get(memory.memoryId) ?? null,
      surface: memory.surface,
      rule_id: memory.ruleId,
      reason_codes: memory.reasonCodes,
      reason: memory.reason,
      lifecycle_state: memory.lifecycleState,
      recall_sources: memory.signals,
      erased: erasure === null ? null : erasedRow(erasure),
    }
  }
  return {
    is_explained: guide.isExplained,
    asked: askedOf(stored),
    recommended_posture: guide.posture,
    prompt,
    memories: [
      ...guide.shown.map((memory) => ({ ...row(memory), omitted: null, into: null })),
      ...guide.omitted.map((memory) => ({ ...row(memory), omitted: memory.omitted, into: memory.intoId })),
    ],
    outcomes: outcomesOf(state, stored.exposure).map(({ memoryId, mark }) => ({
      at: isoOf(mark.atMs),
      memory_id: memoryId,
      run_id: mark.runId,
      outcome: mark.outcome,
      used_surface: mark.usedSurface,
      reason: maskSecrets(mark.reason),
    })),
  }
}

function askedOf({ decision }: StoredGuide): GuideDetail['asked'] {
  if (decision === null) return null
  const { ask } = decision
  return {
    query_text: ask.queryText === '' ? null : maskSecrets(ask.queryText),
    mode: ask.mode,
    context_mode: ask.contextMode,
    profile: ask.profile,
    agent_role: ask.role,
    limit: ask.limit,
    context_char_budget: ask.budgetChars,
    workflow_signature: ask.workflowSignature,
    task_id: ask.taskId,
    task_family: ask.taskFamily,
  }
}

/** @param gap why the text is not the one that was answered; null: it is */
function promptRow(
  { decision }: StoredGuide,
  gap: PromptGap | null,
  text: string | null = null,
): GuideDetail['prompt'] {
  const [hash, char_count] = [decision?.promptHash ?? null, decision?.promptChars ?? null]
  return { reproduced: gap === null, text, gap, hash, char_count }
}

/** The prompt as it was answered, from what is known now or else from the state of that moment; or why it is not. */
async function promptOf(
  parts: RuntimeParts,
  actor: Actor,
  stored: StoredGuide,
): Promise<GuideDetail['prompt']> {
  const { exposure, decision } = stored
  if (decision === null) return promptRow(stored, 'explanation_gone')
  const guide = { exposure, decision }
  const sha256 = (text: string) => parts.codec.sha256(text)
  const gap = gapBefore(stored, actor.state)
  if (gap !== null) return promptRow(stored, gap)
  const again = await actor.read((state) => promptAgain(state, guide, sha256))
  if (again?.isReproduced === true) return promptWith(stored, again)
  return parts.past.at(actor.key, exposure.seq - 1, (past) =>
    typeof past === 'string' ? promptRow(stored, past) : promptWith(stored, promptAgain(past, guide, sha256)),
  )
}

function promptWith(stored: StoredGuide, again: PromptAgain | null): GuideDetail['prompt'] {
  return promptRow(stored, again?.isReproduced === true ? null : 'differs', again?.text)
}

/** What the ask of a guide would show now. Null: the ask is gone. Nothing is exposed by looking. */
async function guideAsNow(
  parts: RuntimeParts,
  actor: Actor,
  stored: StoredGuide,
): Promise<NonNullable<GuideDetail['now']> | null> {
  const { exposure, decision } = stored
  if (decision === null || decision.ask.queryText === '') return null
  // What its run had seen by then says nothing of now.
  const command = { ...commandAgain(decision, exposure), omitShownIn: null }
  const recall = recallFor(parts, actor, command)
  const early = recall.early === null ? null : await recall.early
  const tools = { isoTime: isoOf, sha256: (text: string) => parts.codec.sha256(text) }
  return actor.read((state, nowMs) => {
    if (erasedSince(stored, state).length > 0) return null
    const { guideTraceId, heldOut } = exposure
    const recalled = recall.recalled(early)
    const occasion = { nowMs, guideTraceId, heldOut, queryHash: decision.queryHash }
    const { body } = compilePrompt(state, command, recalled, occasion, tools)
    const { printed } = guideNow(state, command, recalled, occasion, tools).decision
    const memories = printed.map((memory) => ({
      memory_id: memory.memoryId,
      surface: memory.surface,
      rule_id: memory.ruleId,
      reason_codes: memory.reasonCodes,
      reason: memory.reason,
      lifecycle_state: memory.lifecycleState,
    }))
    return { text: body.agent_context.prompt_text, memories }
  })
}
