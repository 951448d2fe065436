import type { Actor } from '../actor/actor.ts'
import { DomainError } from '../core/base/errors.ts'
import { eyesOf, type GuideStory } from '../core/guide/story.ts'
import type { ExposureRecord } from '../core/model/exposure.ts'
import type { Consumer } from '../core/model/record.ts'
import { consumerKey } from '../core/model/visibility.ts'
import { type FeedbackReport, reportsOfTurn } from '../core/report/decision-trace-feedback.ts'
import { isoOf } from './iso-time.ts'
import type { RecorderQuery } from './normalise/flight-recorder.ts'
import type { RuntimeParts } from './parts.ts'
import { guidesNewestFirst, storyOf, withDecision } from './story.ts'

type Records = Pick<RuntimeParts, 'ledger' | 'history' | 'codec'>

/** Guides looked through for a run, the newest first. */
export const GUIDES_SCANNED_MAX = 10_000
/** Other guides of a run that are listed. */
const OTHER_GUIDES_MAX = 20
/** Turns after a guide that are looked through for later guides of its run. */
const LATER_TURNS_MAX = 256

/** The guide that a request means, as the records tell it. */
export interface FoundGuide {
  readonly story: GuideStory
  /** Earlier guides of the run that was asked for, the newest first. */
  readonly others: readonly ExposureRecord[]
  /** True: there may be more of them. */
  readonly isCut: boolean
}

/**
 * The guide of a request, null when this actor does not hold it for whoever asks and the request brings artifacts.
 * @param suppliedId the guide that the artifacts name
 * @throws guide_trace_not_found when a moment of the journal was asked for, with `expired` when it is kept no longer
 */
export async function findGuide(
  parts: Records,
  actor: Actor,
  query: RecorderQuery,
  suppliedId: string | null,
): Promise<FoundGuide | null> {
  const named = query.guideTraceId ?? (query.isFromJournal ? null : suppliedId)
  if (named === null) return query.isFromJournal ? foundByMoment(parts, actor, query) : null
  try {
    const story = await storyFor(parts, actor, named, query.consumer)
    return { story, others: [], isCut: false }
  } catch (error) {
    if (query.isFromJournal || !isNotFound(error)) throw error
    return null
  }
}

/** The story of a guide for whoever asks. A guide of another consumer is unknown. @throws guide_trace_not_found */
export async function storyFor(
  parts: Records,
  actor: Actor,
  guideTraceId: string,
  consumer: Consumer | null,
): Promise<GuideStory> {
  const story = await storyOf(parts, actor, guideTraceId)
  if (consumer !== null && consumerKey(eyesOf(story)) !== consumerKey(consumer)) {
    throw new DomainError('guide_trace_not_found', { guide_trace_id: guideTraceId })
  }
  return story
}

export function isNotFound(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'guide_trace_not_found'
}

/** The last guide at or before the decision time, of the run and consumer if they are named. */
async function foundByMoment(parts: Records, actor: Actor, query: RecorderQuery): Promise<FoundGuide> {
  const { runId, decisionTimeMs, consumer } = query
  const found: ExposureRecord[] = []
  let scanned = 0
  for await (const exposure of guidesNewestFirst(parts, actor, decisionTimeMs ?? undefined)) {
    scanned += 1
    const eyes = { agentId: exposure.consumerAgentId, teamId: exposure.consumerTeamId }
    const isOfConsumer = consumer === null || consumerKey(eyes) === consumerKey(consumer)
    if (isOfConsumer && (runId === null || exposure.runId === runId)) found.push(exposure)
    if (found.length > (runId === null ? 0 : OTHER_GUIDES_MAX) || scanned === GUIDES_SCANNED_MAX) break
  }
  const [guide, ...others] = found
  if (guide === undefined) throw await notFoundAt(parts, actor, query)
  const isCut = others.length === OTHER_GUIDES_MAX || scanned === GUIDES_SCANNED_MAX
  return { story: await withDecision(parts, actor, guide), others, isCut: runId !== null && isCut }
}

async function notFoundAt(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  { runId, decisionTimeMs, consumer }: RecorderQuery,
): Promise<DomainError> {
  const { exposureCount, exposedByRun } = actor.state
  let kept = 0
  for await (const _exposure of guidesNewestFirst(parts, actor)) {
    kept += 1
    if (kept === GUIDES_SCANNED_MAX) break
  }
  const isScanCut = kept === GUIDES_SCANNED_MAX
  // Whether a run was ever there is told to an operator only: it may be another consumer's.
  const isKnown = runId === null || (consumer === null && exposedByRun.has(runId))
  // The oldest go first, so what is gone may have been of this moment.
  const isExpired = isKnown && !isScanCut && kept < exposureCount
  return new DomainError(
    'guide_trace_not_found',
    {
      ...(runId === null ? {} : { run_id: runId }),
      ...(decisionTimeMs === null ? {} : { decision_time: isoOf(decisionTimeMs) }),
      ...(isExpired ? { expired: true } : {}),
      ...(isScanCut ? { guides_scanned: kept } : {}),
    },
    isExpired
      ? 'The guides of this moment are kept no longer: send a later decision_time, or the artifacts of the guide.'
      : 'No guide was made at or before this moment: send a later decision_time, or the run_id of a guide.',
  )
}

/** What the turns after a guide tell of it, beside what memories and the ledger hold. */
export interface LaterTurns {
  /** Guides of the same run and consumer: a run goes on right after its guide. */
  readonly guides: readonly ExposureRecord[]
  /** Outcomes about the guide that name no memory: they are neutral, and no memory holds them. */
  readonly unnamed: readonly UnnamedOutcome[]
  /** True: there are turns that were not looked through. */
  readonly isCut: boolean
}

export interface UnnamedOutcome extends FeedbackReport {
  readonly atMs: number
}

/** The next turns of an actor. Agents may share a run; what one asked is no part of the replay of another. */
export async function laterTurns(
  parts: Pick<RuntimeParts, 'history' | 'codec'>,
  actor: Actor,
  exposure: ExposureRecord,
): Promise<LaterTurns> {
  const headSeq = actor.state.seq
  const toSeq = Math.min(headSeq, exposure.seq + LATER_TURNS_MAX)
  const guides: ExposureRecord[] = []
  const unnamed: UnnamedOutcome[] = []
  let next = exposure.seq + 1
  if (next > toSeq) return { guides, unnamed, isCut: false }
  for await (const record of parts.history.read(actor.key, next, toSeq)) {
    // What retention removed leaves no gap but the first.
    if (record.actorSeq !== next || next > toSeq) break
    next += 1
    const turn = parts.codec.decodeTurn(record.payload)
    for (const event of turn.events) {
      if (event.type !== 'exposed' || !isContinued(event, exposure)) continue
      guides.push({ ...event, atMs: turn.atMs, seq: turn.seq })
    }
    for (const report of reportsOfTurn(turn, exposure)) {
      if (report.memoryIds.length === 0) unnamed.push({ ...report, atMs: turn.atMs })
    }
    if (guides.length === OTHER_GUIDES_MAX || next > toSeq) break
  }
  return { guides, unnamed, isCut: next <= headSeq }
}

type Asked = Pick<ExposureRecord, 'runId' | 'consumerAgentId' | 'consumerTeamId'>

function isContinued(later: Asked, { runId, consumerAgentId, consumerTeamId }: Asked): boolean {
  const isSameConsumer = later.consumerAgentId === consumerAgentId && later.consumerTeamId === consumerTeamId
  return isSameConsumer && runId !== null && later.runId === runId
}
