import type { Turn } from '../../core/model/events.ts'
import type { ExposureRecord } from '../../core/model/exposure.ts'
import type { StateImage } from '../../core/model/image.ts'
import { imageOf, stateFrom, stateHash } from '../../core/model/state-image.ts'
import { rebuildActor, stateFromHistory } from './actor-states.ts'
import { coveredSeqOf } from './journal-gaps.ts'
import type { Store, StoredActor } from './read-store.ts'

/** What a repair can keep of one actor. */
export interface ActorFate {
  readonly key: string
  readonly keyHash: string
  /** The state is that after this turn; 0: nothing of the actor can be kept. */
  readonly untilSeq: number
  /** The last turn of the actor that any file tells of. */
  readonly headSeq: number
  /** Snapshots that are damaged, or that the turns contradict. */
  readonly badSnapshots: readonly string[]
  /** Journal records up to this turn cannot be read, and a snapshot covers them. */
  readonly unreadableUntilSeq: number
  /** Sequence of the newest snapshot that stays. */
  readonly coveredSeq: number
  /** A state from history that stands in for the snapshots that are gone; null when none is needed. */
  readonly fromHistory: StateImage | null
  /** Exposure sets of journal turns that the snapshot leaves to the ledger. */
  readonly exposures: readonly ExposureRecord[]
}

/** Finds out how far an actor can be rebuilt, without the snapshots that prove to be wrong. */
export async function fateOf(store: Store, actor: StoredActor): Promise<ActorFate> {
  const bad = new Set(actor.snapshots.flatMap(({ path, damage }) => (damage === null ? [] : [path])))
  const identity = { key: actor.key, keyHash: actor.keyHash, headSeq: headSeqOf(actor) }
  for (;;) {
    const view = { ...actor, snapshots: actor.snapshots.filter(({ path }) => !bad.has(path)) }
    const kept = await keptOf(store, view, null)
    const wrong = kept.wrongSnapshots
    if (wrong.length > 0) {
      for (const path of wrong) bad.add(path)
      continue
    }
    const isLost = kept.untilSeq === 0 && view.snapshots.length === 0
    const image = isLost ? await imageFromHistory(store, actor) : null
    const best = image === null ? kept : await keptOf(store, view, image)
    return { ...identity, ...best, badSnapshots: [...bad], fromHistory: image }
  }
}

async function imageFromHistory(store: Store, actor: StoredActor): Promise<StateImage | null> {
  const state = await stateFromHistory(store, actor)
  return state === null ? null : { ...imageOf(state), stateHash: stateHash(state) }
}

/** How far the turns lead from the snapshots, or from an image in their place. */
async function keptOf(store: Store, view: StoredActor, image: StateImage | null) {
  const exposures: ExposureRecord[] = []
  const onTurn = (turn: Turn): void => {
    for (const event of turn.events) {
      if (event.type !== 'exposed') continue
      const { type: _, ...set } = event
      exposures.push({ ...set, atMs: turn.atMs, seq: turn.seq })
    }
  }
  const base = image === null ? {} : { base: stateFrom(image) }
  const { state, damages } = await rebuildActor(store.files, view, { isChecked: true, onTurn, ...base })
  const coveredSeq = image?.seq ?? coveredSeqOf(view)
  const stops = damages.flatMap(({ seq }) => seq ?? [])
  return {
    untilSeq: Math.min(state.seq, ...stops.filter((seq) => seq > coveredSeq).map((seq) => seq - 1)),
    unreadableUntilSeq: Math.max(0, ...stops.filter((seq) => seq <= coveredSeq)),
    coveredSeq,
    exposures: exposures.filter(({ seq }) => seq <= coveredSeq),
    wrongSnapshots: damages.flatMap(({ path, seq }) => (seq === null && path !== null ? [path] : [])),
  }
}

/** The last turn of the actor that any file tells of. */
export function headSeqOf({ held, snapshots, archived, ledger }: StoredActor): number {
  return Math.max(
    0,
    ...held.map(({ toSeq }) => toSeq),
    ...snapshots.map(({ seq }) => seq),
    ...archived.map(({ lastSeq }) => lastSeq),
    ...ledger.map(({ file }) => file.toSeq),
  )
}
