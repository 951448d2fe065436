import type { Actor } from '../actor/actor.ts'
import { FILTERED_LISTED_MAX, FILTERED_MAX } from '../contract/by-filter.ts'
import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { DomainError } from '../core/base/errors.ts'
import { guideErasureKey } from '../core/model/erasure.ts'
import type { ActorEvent } from '../core/model/events.ts'
import type { ActorState } from '../core/model/state.ts'
import type { Viewer } from '../core/report/viewer.ts'
import { decideEraseGuides, type EraseGuidesCommand } from '../core/write/erase.ts'
import { distinct } from './normalise/absence.ts'
import { exposureOf, type RuntimeParts } from './parts.ts'
import { guidesNewestFirst, isMadeFor, isNotFound } from './reports/guide-records.ts'

// Guides that an erasure names, by trace or by run. They are looked up before the turn: most lie in the ledger.

export interface NamedGuides {
  readonly command: EraseGuidesCommand
  readonly effect: NonNullable<AnswerOf<'erase'>['guide_effect']>
}

/**
 * What a request to erase guides means.
 * @throws guide_trace_not_found when nothing that it names was ever there
 */
export async function namedGuides(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  request: RequestOf<'erase'>,
  asked: { readonly viewer: Viewer; readonly reason: string; readonly actorName: string | null },
): Promise<NamedGuides> {
  const { viewer, reason, actorName } = asked
  const already: string[] = []
  const missing: string[] = []
  const found = new Set<string>()
  for (const id of distinct(request.guide_trace_ids)) {
    const state = await stateOfGuide(parts, actor, id, viewer)
    if (state === 'there') found.add(id)
    else (state === 'erased' ? already : missing).push(id)
  }
  const ofRuns = await guidesOfRuns(parts, actor, new Set(distinct(request.run_ids)), viewer)
  for (const [runId, guideTraceIds] of ofRuns) {
    if (guideTraceIds.length > 0) for (const id of guideTraceIds) found.add(id)
    else (isErasedRun(actor.state, runId, viewer) ? already : missing).push(runId)
  }
  if (found.size + already.length === 0) throw new DomainError('guide_trace_not_found', { missing })
  const guideTraceIds = [...found]
  const runIds = [...ofRuns].flatMap(([runId, guides]) => (guides.length > 0 ? [runId] : []))
  return {
    command: { guideTraceIds, runIds, madeFor: viewer, reason, actorName },
    effect: {
      erased_guide_count: guideTraceIds.length,
      erased_guide_trace_ids: guideTraceIds.slice(0, FILTERED_LISTED_MAX),
      erased_run_ids: runIds,
      already_erased: already,
      missing,
    },
  }
}

export function eventsOf(named: NamedGuides | null): readonly ActorEvent[] {
  return named === null ? [] : decideEraseGuides(named.command)
}

/** Of one that the ledger keeps no longer history may still tell: an operator takes that away, too. */
async function stateOfGuide(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  guideTraceId: string,
  viewer: Viewer,
): Promise<'there' | 'erased' | 'missing'> {
  try {
    return isMadeFor(await exposureOf(parts, actor, guideTraceId), viewer) ? 'there' : 'missing'
  } catch (error) {
    if (!isNotFound(error)) throw error
    if (viewer !== null) return 'missing'
    if (error.details['erased'] === true) return 'erased'
    return error.details['expired'] === true ? 'there' : 'missing'
  }
}

/** Guides of each run; of more than the bound the oldest are not named one by one, and go with their run. */
async function guidesOfRuns(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  runIds: ReadonlySet<string>,
  viewer: Viewer,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const ofRuns = new Map<string, string[]>([...runIds].map((runId) => [runId, []]))
  if (runIds.size === 0) return ofRuns
  let count = 0
  for await (const shown of guidesNewestFirst(parts, actor)) {
    const guides = shown.runId === null ? undefined : ofRuns.get(shown.runId)
    if (guides === undefined || !isMadeFor(shown, viewer)) continue
    if (count < FILTERED_MAX || guides.length === 0) guides.push(shown.guideTraceId)
    count += 1
  }
  return ofRuns
}

function isErasedRun({ erasedGuides }: ActorState, id: string, madeFor: Viewer): boolean {
  return erasedGuides.has(guideErasureKey({ kind: 'run', id, madeFor }))
}
