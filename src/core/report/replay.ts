import { assert } from '../base/assert.ts'
import type { FeedbackOutcome, GuidanceAuthority, UsedSurface } from '../base/closed-sets.ts'
import { gatherCandidates } from '../guide/candidates.ts'
import { decideGuide, type GuideOccasion, type GuideTools, type Recalled } from '../guide/compile.ts'
import { decisionOf, type GuideDecision, type StoredGuide } from '../guide/decision.ts'
import type { GuideCommand } from '../guide/entry.ts'
import { told } from '../guide/line.ts'
import type { ExposedSet, ExposureRecord } from '../model/events.ts'
import { EVIDENCE_CAUSES } from '../model/lifecycle.ts'
import type { FacetChange, MemoryRecord } from '../model/record.ts'
import { type ActorState, CHANGES_MAX, MARKS_MAX } from '../model/state.ts'
import {
  type GuideMemory,
  type GuideRecord,
  heardOf,
  type MemoryOutcome,
  type OmittedGuideMemory,
  outcomesOf,
  recordedGuide,
} from './guide-record.ts'
import { contentThen } from './memory-state.ts'

/** Memory that a guide held back, shown as a warning or not shown at all. */
export interface HeldBack extends GuideMemory {
  /** As a caller had given it by then. */
  readonly title: string | null
  readonly authority: GuidanceAuthority
  /** Why it had no line either; null: it had one. */
  readonly omitted: OmittedGuideMemory['omitted'] | null
}

/** In which a guide holds memory back, on whatever surface. */
export const HELD_BACK_STATES: readonly (string | null)[] = ['suppressed', 'archived']

/**
 * What a recorded guide held back: shown in rank order, then omitted.
 * @param known the guide, where more is known of it than its record holds
 */
export function heldBackBy(
  guide: StoredGuide,
  state: Pick<ActorState, 'memories'>,
  known: GuideRecord = recordedGuide(guide),
): readonly HeldBack[] {
  const { exposure } = guide
  const { shown, omitted } = known
  return [...shown.map((row) => ({ ...row, omitted: null })), ...omitted]
    .filter((row) => row.surface === 'do_not_use' || HELD_BACK_STATES.includes(row.lifecycleState))
    .map((row) => ({
      ...row,
      // A candidate of another store may have the id of a memory that its consumer does not see.
      title:
        exposure.external === undefined ? titleThen(state.memories.get(row.memoryId), exposure.seq) : null,
      authority: row.surface === 'do_not_use' ? 'blocked' : 'candidate',
    }))
}

/** The title that a caller had given it by then. One that was derived is text of the memory. */
function titleThen(record: MemoryRecord | undefined, seq: number): string | null {
  if (record === undefined) return null
  const content = contentThen(record, seq)
  const title = content?.titleIsCallers === true ? content.title : null
  return title === null ? null : told(record, title)
}

/** Rows of each list of effects at most; the newest are kept. */
export const EFFECT_ROWS_MAX = 200

/** What is known of how the run of a guide went. */
export interface Attribution {
  /** Of the last outcome in journal order; null: none is known. */
  readonly outcome: FeedbackOutcome | null
  /** Named by an outcome as used. */
  readonly usedIds: readonly string[]
  /** Named by any outcome. */
  readonly attributedIds: readonly string[]
  /** Shown, and named by no outcome. */
  readonly unattributedIds: readonly string[]
  readonly supportedIds: readonly string[]
  readonly contradictedIds: readonly string[]
  /** One sentence. */
  readonly reason: string
}

export interface EffectChange extends FacetChange {
  readonly memoryId: string
  /** True: an outcome of this very guide moved it; false: one of another guide that came later. */
  readonly isOwn: boolean
}

const USED: readonly UsedSurface[] = ['use_now', 'explicit_host_assertion']

/** What a guide led to, as far as records tell. */
export function effectOf(state: Pick<ActorState, 'memories' | 'external'>, exposure: ExposureRecord) {
  const outcomes = outcomesOf(state, exposure)
  // What a success of the task raises, its outcome does not name.
  const own = new Set(
    outcomes.flatMap(({ memoryId, mark }) => [`${memoryId} ${mark.seq}`, `task_successes ${mark.seq}`]),
  )
  const changes: EffectChange[] = []
  let isCut = false
  for (const heard of heardOf(state, exposure)) {
    const { memoryId } = heard
    for (const change of heard.changes) {
      if (change.seq <= exposure.seq || !EVIDENCE_CAUSES.includes(change.cause)) continue
      const isOwn = [memoryId, change.cause].some((of) => own.has(`${of} ${change.seq}`))
      changes.push({ ...change, memoryId, isOwn })
    }
    isCut ||= isFullSince(heard.changes, CHANGES_MAX, exposure.seq)
    isCut ||= isFullSince(heard.marks, MARKS_MAX, exposure.seq)
  }
  changes.sort((a, b) => a.seq - b.seq)
  return {
    attribution: attributionOf(outcomes, exposure.memoryIds),
    outcomes: outcomes.slice(-EFFECT_ROWS_MAX),
    changes: changes.slice(-EFFECT_ROWS_MAX),
    // A memory keeps 256 outcomes and 64 changes, or there are more rows than a list holds.
    isCut: isCut || outcomes.length > EFFECT_ROWS_MAX || changes.length > EFFECT_ROWS_MAX,
  }
}

/** True when a full list begins after the guide: what came before its first entry is not there any more. */
export function isFullSince(
  list: readonly { readonly seq: number }[],
  max: number,
  fromSeq: number,
): boolean {
  return list.length >= max && (list[0]?.seq ?? 0) > fromSeq
}

function attributionOf(outcomes: readonly MemoryOutcome[], exposedIds: readonly string[]): Attribution {
  const idsWhere = (holds: (one: MemoryOutcome) => boolean): readonly string[] => [
    ...new Set(outcomes.filter(holds).map(({ memoryId }) => memoryId)),
  ]
  const attributedIds = idsWhere(() => true)
  const attributed = new Set(attributedIds)
  return {
    outcome: outcomes.at(-1)?.mark.outcome ?? null,
    usedIds: idsWhere(({ mark }) => USED.includes(mark.usedSurface)),
    attributedIds,
    unattributedIds: exposedIds.filter((id) => !attributed.has(id)),
    // A positive that was only observed speaks for nothing.
    supportedIds: idsWhere(({ mark }) => mark.direct),
    contradictedIds: idsWhere(({ mark }) => mark.outcome === 'negative'),
    reason: reasonOf(outcomes.length, attributedIds.length, exposedIds.length),
  }
}

function reasonOf(outcomes: number, attributed: number, exposed: number): string {
  if (outcomes === 0) return `No outcome is recorded for the ${exposed} memories that were shown.`
  return `${outcomes} recorded outcomes name ${attributed} of the ${exposed} memories that were shown.`
}

/** What a recorded ask would give now. */
export interface GuideNow {
  readonly exposed: ExposedSet
  readonly decision: GuideDecision
  /** Whatever was considered, shown or not. */
  readonly candidateIds: ReadonlySet<string>
}

/** The ask of a recorded guide, as the request that it was. */
export function commandAgain({ ask }: GuideDecision, exposed: ExposedSet): GuideCommand {
  const { consumerAgentId, consumerTeamId, runId, taskSignature } = exposed
  const names = [taskSignature, ask.workflowSignature, ask.taskId, ask.taskFamily, runId]
  return {
    ...ask,
    consumer: { agentId: consumerAgentId, teamId: consumerTeamId },
    runId,
    taskSignature,
    includePackets: false,
    handles: exposed.firstHandle !== undefined,
    omitShownIn: ask.omitShownIn ?? null,
    isRestart: ask.isRestart ?? false,
    lines: ask.lines ?? 'full',
    identifiers: [...new Set(names.filter((name) => name !== null))],
  }
}

/** Compiles as a guide does and drops the events: nothing is exposed by looking. */
export function guideNow(
  state: ActorState,
  command: GuideCommand,
  recalled: Recalled,
  occasion: GuideOccasion,
  tools: GuideTools,
): GuideNow {
  const [exposed, decided] = decideGuide(state, command, recalled, occasion, tools)
  assert(exposed?.type === 'exposed' && decided?.type === 'guide_decided', 'a guide has two events')
  const candidateIds = new Set<string>()
  const { hits, near } = recalled
  for (const { record } of gatherCandidates(state, command, hits, occasion.nowMs, near)) {
    candidateIds.add(record.memoryId)
  }
  return { exposed, decision: decisionOf(decided, exposed), candidateIds }
}
