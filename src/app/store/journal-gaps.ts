import { lastSeqOf, type Run } from '../../adapters/journal/actor-index.ts'
import type { JournalDamage } from '../../adapters/journal/survey-report.ts'
import type { ConcernedActor } from './problem.ts'
import type { Store, StoredActor } from './read-store.ts'

/** A place in the journal, in the order of writing. */
type Place = readonly [segmentSeq: number, offset: number]

const BEGINNING: Place = [-1, 0]

/** Turns of an actor that the journal does not have, and the records around them. */
export interface Gap {
  readonly key: string
  readonly fromSeq: number
  readonly toSeq: number
  /** A whole snapshot holds what these turns did. */
  readonly isCovered: boolean
  readonly after: Place
  readonly before: Place
}

/**
 * Turns that are missing between two records of an actor, or before its first one: there only as far as the journal
 * must have had them.
 */
export function gapsOf(store: Store): readonly Gap[] {
  const isFromTheFirst = store.journal.segments[0]?.header?.firstLsn === 1
  return [...store.actors.values()].flatMap((actor) => actorGaps(actor, isFromTheFirst))
}

function actorGaps(actor: StoredActor, isFromTheFirst: boolean): readonly Gap[] {
  const gaps: Gap[] = []
  const coveredSeq = coveredSeqOf(actor)
  let known = isFromTheFirst ? 0 : coveredSeq
  let after = BEGINNING
  for (const run of actor.entry?.runs ?? []) {
    if (run.firstSeq > known + 1) {
      const toSeq = run.firstSeq - 1
      const isCovered = toSeq <= coveredSeq
      gaps.push({ key: actor.key, fromSeq: known + 1, toSeq, isCovered, after, before: placeOf(run, 0) })
    }
    known = lastSeqOf(run)
    after = placeOf(run, run.offsets.length - 1)
  }
  return gaps
}

/** Sequence of the newest whole snapshot, 0 without one. */
export function coveredSeqOf(actor: StoredActor): number {
  return actor.snapshots.findLast(({ damage }) => damage === null)?.seq ?? 0
}

/** Whom a damaged place of the journal concerns: owners of what is left there, and actors with a gap around it. */
export function concernedBy(
  { actors }: Store,
  damage: JournalDamage,
  gaps: readonly Gap[],
): readonly ConcernedActor[] {
  const place: Place = [damage.segmentSeq, damage.offset ?? 0]
  const around = gaps.filter(({ after, before }) => compare(after, place) <= 0 && compare(place, before) <= 0)
  const named = new Set(around.map(({ key }) => key))
  return [
    ...around.map(({ key, fromSeq, toSeq }) => ({ key, turns: { fromSeq, toSeq } })),
    ...damage.actorKeys
      .filter((key) => actors.has(key) && !named.has(key))
      .map((key) => ({ key, turns: null })),
  ]
}

function placeOf(run: Run, at: number): Place {
  return [run.segment.seq, run.offsets[at] ?? 0]
}

function compare([segmentA, offsetA]: Place, [segmentB, offsetB]: Place): number {
  if (segmentA !== segmentB) return segmentA - segmentB
  return offsetA - offsetB
}
