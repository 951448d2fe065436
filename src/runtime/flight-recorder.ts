import type { Actor } from '../actor/actor.ts'
import type { FlightRecorderRequest } from '../contract/flight-recorder.ts'
import type { GuideCommand } from '../core/guide/command.ts'
import type { GuideStory } from '../core/guide/story.ts'
import type { ActorEvent } from '../core/model/events.ts'
import type { ActorState } from '../core/model/state.ts'
import { type ArtifactMismatch, readArtifact } from '../core/report/artifact.ts'
import { ledgerMismatches } from '../core/report/claim-replay.ts'
import { erasedSince } from '../core/report/erased-guide.ts'
import { outcomesOf } from '../core/report/outcomes.ts'
import { recordMismatches } from '../core/report/recorder-mismatch.ts'
import { commandAgain, guideNow } from '../core/report/replay-now.ts'
import { suppliedReplay } from '../core/report/replay-supplied.ts'
import { findGuide, isNotFound, laterTurns, storyFor } from './flight-recorder-guides.ts'
import { governDecisions } from './flight-recorder-notes.ts'
import { recordedReport } from './flight-recorder-recorded.ts'
import { suppliedReport } from './flight-recorder-supplied.ts'
import { isHeldOut } from './hold-out.ts'
import { isoOf } from './iso-time.ts'
import { type RecorderQuery, recorderQuery } from './normalise/flight-recorder.ts'
import { envelopeOf, type RuntimeParts, warningsOf } from './parts.ts'
import { recallFor } from './recalled.ts'
import { missWarning, type SemanticMiss } from './semantic.ts'

/** What looking decides. */
const NO_EVENTS: readonly ActorEvent[] = []

/**
 * Replays a guide: from the records where this actor holds it, else as it was supplied. Reads only.
 * @throws guide_trace_not_found when a moment of the journal is not there
 */
export async function flightRecorder(parts: RuntimeParts, request: FlightRecorderRequest): Promise<object> {
  const query = recorderQuery(request)
  const hashOf = (text: string): string => parts.codec.sha256(text)
  const supplied = suppliedReplay(query.artifacts, hashOf)
  const report = await parts.registry.use(query.tenantId, query.scope, async (actor) => {
    const found = await findGuide(parts, actor, query, supplied.guideTraceId)
    if (found === null) {
      return actor.turn((state, nowMs) => ({
        events: NO_EVENTS,
        reply: suppliedReport(query, supplied, state, nowMs, NO_EVENTS.length),
      }))
    }
    const { story } = found
    const before = await beforeStory(parts, actor, query, hashOf)
    const later = await laterTurns(parts, actor, story.exposure)
    const governed = await governDecisions(parts.history, actor.key, story.exposure)
    const { decision, exposure } = story
    const isAskKept = decision !== null && decision.ask.queryText !== ''
    const command = isAskKept && query.includesNow ? commandAgain(decision, exposure) : null
    const recall = command === null ? null : recallFor(parts, actor, command)
    const early = recall?.early == null ? null : await recall.early
    return actor.turn((state, nowMs) => {
      const seqBefore = state.seq
      const recalled = recall?.recalled(early) ?? null
      const now =
        command === null || recalled === null || erasedSince(story, state).length > 0
          ? null
          : guideNow(state, command, recalled, occasionNow(parts, query, command, story, nowMs), {
              isoTime: isoOf,
              sha256: hashOf,
            })
      const { mismatches, comparedCount } = compared(query, story, before, state, hashOf)
      const eventsDecided = NO_EVENTS.length
      const facts = { mismatches, comparedCount, now, eventsDecided, seqBefore }
      const replay = { query, found, later, governed, ...facts }
      const isSemantic = parts.semantic !== null && recalled?.miss === null
      const notes = now === null ? [] : recallNotes(story, isSemantic, recalled?.miss ?? null)
      return { events: NO_EVENTS, reply: { ...recordedReport(replay, state, nowMs), ...warningsOf(notes) } }
    })
  })
  return { ...envelopeOf('svc_agent_flight_recorder_result_v1', query), ...report }
}

/** Says where the ask of now recalls otherwise than the recorded guide may have done. */
function recallNotes(
  { decision }: GuideStory,
  isSemantic: boolean,
  miss: SemanticMiss | null,
): readonly string[] {
  const warning = miss === null ? null : missWarning(miss)
  if (warning !== null) return [warning]
  const memories = decision === null ? [] : [...decision.printed, ...decision.omitted]
  const wasSemantic = memories.some(({ signals }) => signals.some(({ kind }) => kind === 'semantic'))
  if (isSemantic || !wasSemantic) return []
  return ['The recorded guide recalled by embeddings too; asked now it recalls by words alone.']
}

/** A guide asked now would be held out like all of its run; one without a run stays as it was drawn. */
function occasionNow(
  { holdOut }: Pick<RuntimeParts, 'holdOut'>,
  query: RecorderQuery,
  { runId }: GuideCommand,
  { exposure }: GuideStory,
  nowMs: number,
) {
  const { guideTraceId } = exposure
  const heldOut = runId === null ? exposure.heldOut : isHeldOut(holdOut, query, runId, guideTraceId)
  return { nowMs, guideTraceId, heldOut }
}

/** The record of the guide before, which a product trace may hold too; null: none, or not held here. */
async function beforeStory(
  parts: Pick<RuntimeParts, 'ledger' | 'history' | 'codec'>,
  actor: Actor,
  { artifacts, consumer }: RecorderQuery,
  hashOf: (text: string) => string,
): Promise<GuideStory | null> {
  const ids = artifacts.beforeGuide.map(({ name, value }) => readArtifact(name, value, hashOf).guideTraceId)
  const named = ids.find((id) => id !== null) ?? null
  if (named === null) return null
  try {
    return await storyFor(parts, actor, named, consumer)
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

function compared(
  { artifacts, runId }: RecorderQuery,
  story: GuideStory,
  before: GuideStory | null,
  state: ActorState,
  hashOf: (text: string) => string,
): { readonly mismatches: readonly ArtifactMismatch[]; readonly comparedCount: number } {
  const beforeGuide = before === null ? [] : artifacts.beforeGuide
  const { exposure } = story
  const isOtherRun =
    runId !== null &&
    runId !== exposure.runId &&
    !outcomesOf(state, exposure).some(({ mark }) => mark.runId === runId)
  const mismatches = [
    ...(isOtherRun ? [{ artifact: 'request', field: 'run_id', guide_trace_id: exposure.guideTraceId }] : []),
    ...ledgerMismatches(artifacts.claimLedgers, story, state),
    ...artifacts.all.flatMap((one) => recordMismatches(one, story, state, hashOf)),
    ...beforeGuide.flatMap((one) => (before === null ? [] : recordMismatches(one, before, state, hashOf))),
  ]
  const comparedCount = artifacts.all.length + artifacts.claimLedgers.length + beforeGuide.length
  return { mismatches, comparedCount }
}
