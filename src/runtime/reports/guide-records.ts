import type { Actor } from '../../actor/actor.ts'
import { yieldToLoop } from '../../actor/waiting.ts'
import { DomainError } from '../../core/base/errors.ts'
import { decisionOf, isMadeFor, type StoredGuide, viewerOf } from '../../core/guide/decision.ts'
import { guidesGone } from '../../core/model/erasure.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { Consumer } from '../../core/model/record.ts'
import { type FeedbackReport, type ReportHistory, reportsOfTurn } from '../../core/report/feedback-report.ts'
import { toldExposure } from '../../core/report/guide-record.ts'
import { namedGuides } from '../../core/report/traced-memory.ts'
import type { SentConsumer } from '../normalise/identity.ts'
import { exposureFor, exposureOf, type RuntimeParts } from '../parts.ts'

// Guides as memory, ledger, journal and history hold them.

/** Guides looked through for the ones that a report is about, the newest first. */
export const GUIDES_SCANNED_MAX = 10_000
/** Turns read for reports of outcomes about a guide. */
const TURNS_READ_MAX = 10_000
/** Turns after a guide that are looked through for later guides of its run. */
const LATER_TURNS_MAX = 256
/** Other guides of a run that are listed. */
export const OTHER_GUIDES_MAX = 20
/** Guides looked up to tell whose outcomes are. */
const GUIDES_LOOKED_UP_MAX = 256

/** Guides read between two breaths: a few milliseconds. */
const BREATH_GUIDES = 250

export type Records = Pick<RuntimeParts, 'ledger' | 'history' | 'codec'>

/**
 * A guide with its explanation. One that was made for another consumer than the request says is unknown.
 * @throws guide_trace_not_found
 */
export async function storedGuide(
  parts: Records,
  actor: Actor,
  guideTraceId: string,
  sent: SentConsumer,
): Promise<StoredGuide> {
  return withDecision(parts, actor, await exposureFor(parts, actor, guideTraceId, sent))
}

/** Null for a guide that is not found. */
export async function orNotFound<Found>(finding: Promise<Found>): Promise<Found | null> {
  return finding.catch((error: unknown) => {
    if (isNotFound(error)) return null
    throw error
  })
}

export function isNotFound(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === 'guide_trace_not_found'
}

/** The exposure with its explanation. */
export async function withDecision(parts: Records, actor: Actor, of: ExposureRecord): Promise<StoredGuide> {
  const exposure = toldExposure(of)
  const record = await parts.history.recordAt(actor.key, exposure.seq)
  const events = record === null ? [] : parts.codec.decodeTurn(record.payload).events
  for (const event of events) {
    if (event.type !== 'guide_decided' || event.guideTraceId !== exposure.guideTraceId) continue
    return { exposure, decision: decisionOf(event, exposure) }
  }
  return { exposure, decision: null }
}

/** Guides that the actor made, without erased ones; some may be kept no longer. */
export function guideCount({ state }: Actor): number {
  const erased = [...state.erasedGuides.values()].filter(({ kind }) => kind === 'guide')
  return state.exposureCount - erased.length
}

/**
 * Every guide of the actor that is kept and was made at `notAfterMs` or before, each once, the newest first by its time;
 * of one instant the last in journal order first. Those in memory up to the sequence `sinceSeq` are left out.
 */
export async function* guidesNewestFirst(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  notAfterMs = Number.MAX_SAFE_INTEGER,
  sinceSeq = 0,
): AsyncGenerator<ExposureRecord> {
  const isGone = guidesGone(actor.state.erasedGuides.values())
  for await (const exposure of heldNewestFirst(parts, actor, notAfterMs, sinceSeq)) {
    if (exposure.atMs >= parts.ledger.keptFromMs() && !isGone(exposure, exposure.seq)) yield exposure
  }
}

/** The same with those that are kept no longer and still stand somewhere. */
export async function* heldNewestFirst(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  notAfterMs = Number.MAX_SAFE_INTEGER,
  sinceSeq = 0,
): AsyncGenerator<ExposureRecord> {
  let told = 0
  for await (const exposure of inOneOrder(parts, actor, notAfterMs, sinceSeq)) {
    // What is read from one piece of a file comes without a wait.
    if (++told % BREATH_GUIDES === 0) await yieldToLoop()
    yield exposure
  }
}

async function* inOneOrder(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  notAfterMs: number,
  sinceSeq: number,
): AsyncGenerator<ExposureRecord> {
  const resident: ExposureRecord[] = []
  for (const exposure of actor.state.exposures.values()) {
    if (exposure.seq > sinceSeq && exposure.atMs <= notAfterMs) resident.push(exposure)
  }
  const isResident = new Set(resident.map(({ guideTraceId }) => guideTraceId))
  let waiting = resident.sort(byTime)
  for await (const stored of lastFirst(parts.ledger.newestFirst(actor.key, notAfterMs))) {
    // What is in memory is newer, unless the clock was set back.
    const newer = waiting.findIndex((exposure) => byTime(exposure, stored) > 0)
    const first = newer === -1 ? waiting : waiting.slice(0, newer)
    yield* first
    waiting = waiting.slice(first.length)
    if (!isResident.has(stored.guideTraceId)) yield stored
  }
  yield* waiting
}

/** The same records; of one instant the last in journal order first, whatever their ids. */
async function* lastFirst(records: AsyncIterable<ExposureRecord>): AsyncGenerator<ExposureRecord> {
  let instant: ExposureRecord[] = []
  for await (const record of records) {
    const [first] = instant
    if (first !== undefined && first.atMs !== record.atMs) {
      yield* instant.sort(byTime)
      instant = []
    }
    instant.push(record)
  }
  yield* instant.sort(byTime)
}

function byTime(a: ExposureRecord, b: ExposureRecord): number {
  return b.atMs - a.atMs || b.seq - a.seq
}

/** Guides made for a consumer, among those that the latest outcomes on these memories name; none for an operator. */
export async function ownGuides(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  memoryIds: readonly string[],
  consumer: Consumer | null,
  runsMax?: number,
): Promise<ReadonlySet<string>> {
  const own = new Set<string>()
  if (consumer === null) return own
  const named = new Set<string>()
  for (const id of memoryIds) {
    const record = actor.state.memories.get(id)
    if (record !== undefined) for (const guide of namedGuides(record, runsMax)) named.add(guide)
  }
  for (const guideTraceId of [...named].slice(0, GUIDES_LOOKED_UP_MAX)) {
    const exposure = await orNotFound(exposureOf(parts, actor, guideTraceId))
    if (exposure !== null && isMadeFor(exposure, consumer)) own.add(guideTraceId)
  }
  return own
}

/** Reports of outcomes about a guide, as far as history goes. */
export async function reportsAbout(
  parts: Records,
  actor: Actor,
  exposure: ExposureRecord,
): Promise<ReportHistory> {
  const first = exposure.seq + 1
  const last = Math.min(actor.state.seq, exposure.seq + TURNS_READ_MAX)
  const reports: FeedbackReport[] = []
  let expected = first
  let isGapless = true
  if (first > last) return { isComplete: true, reports }
  for await (const record of parts.history.read(actor.key, first, last)) {
    if (record.actorSeq > last) break
    if (record.actorSeq !== expected) isGapless = false
    expected = record.actorSeq + 1
    reports.push(...reportsOfTurn(parts.codec.decodeTurn(record.payload), exposure))
  }
  return { isComplete: isGapless && expected > actor.state.seq, reports }
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
      if (event.type !== 'exposed') continue
      const later = { ...event, atMs: turn.atMs, seq: turn.seq }
      const isSameRun = exposure.runId !== null && later.runId === exposure.runId
      if (isSameRun && isMadeFor(later, viewerOf({ exposure }))) guides.push(later)
    }
    for (const report of reportsOfTurn(turn, exposure)) {
      if (report.memoryIds.length === 0) unnamed.push({ ...report, atMs: turn.atMs })
    }
    if (guides.length === OTHER_GUIDES_MAX || next > toSeq) break
  }
  return { guides, unnamed, isCut: next <= headSeq }
}
