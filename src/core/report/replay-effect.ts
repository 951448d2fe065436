import type { FeedbackOutcome, UsedSurface } from '../base/closed-sets.ts'
import type { ExposureRecord } from '../model/exposure.ts'
import type { Cause } from '../model/lifecycle.ts'
import type { FacetChange } from '../model/record.ts'
import { type ActorState, CHANGES_MAX, MARKS_MAX } from '../model/state.ts'
import { type MemoryOutcome, outcomesOf } from './outcomes.ts'

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

/** What a guide led to, as far as records tell. */
export interface GuideEffect {
  readonly attribution: Attribution
  readonly outcomes: readonly MemoryOutcome[]
  readonly changes: readonly EffectChange[]
  /** True: a memory keeps 256 outcomes and 64 changes, or there are more rows than a list holds. */
  readonly isCut: boolean
}

const USED: readonly UsedSurface[] = ['use_now', 'explicit_host_assertion']
const BY_FEEDBACK: readonly string[] = [
  'weak_negative',
  'repeated_weak_negative',
  'strong_negative',
  'repeated_strong_negative',
  'direct_positive',
  'verified_positives',
] satisfies readonly Cause[]

export function effectOf(state: Pick<ActorState, 'memories'>, exposure: ExposureRecord): GuideEffect {
  const outcomes = outcomesOf(state, exposure)
  const own = new Set(outcomes.map(({ memoryId, mark }) => `${memoryId} ${mark.seq}`))
  const changes: EffectChange[] = []
  let isCut = false
  for (const memoryId of exposure.memoryIds) {
    const record = state.memories.get(memoryId)
    if (record === undefined) continue
    for (const change of record.changes) {
      if (change.seq <= exposure.seq || !BY_FEEDBACK.includes(change.cause)) continue
      changes.push({ ...change, memoryId, isOwn: own.has(`${memoryId} ${change.seq}`) })
    }
    isCut ||= isFullSince(record.changes, CHANGES_MAX, exposure.seq)
    isCut ||= isFullSince(record.marks, MARKS_MAX, exposure.seq)
  }
  changes.sort((a, b) => a.seq - b.seq)
  return {
    attribution: attributionOf(outcomes, exposure.memoryIds),
    outcomes: outcomes.slice(-EFFECT_ROWS_MAX),
    changes: changes.slice(-EFFECT_ROWS_MAX),
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
    supportedIds: idsWhere(({ mark }) => mark.outcome === 'positive'),
    contradictedIds: idsWhere(({ mark }) => mark.outcome === 'negative'),
    reason: reasonOf(outcomes.length, attributedIds.length, exposedIds.length),
  }
}

function reasonOf(outcomes: number, attributed: number, exposed: number): string {
  if (outcomes === 0) return `No outcome is recorded for the ${exposed} memories that were shown.`
  return `${outcomes} recorded outcomes name ${attributed} of the ${exposed} memories that were shown.`
}
