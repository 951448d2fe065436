import type { SurveyedLedger } from '../../adapters/ledger/survey.ts'
import type { ExposureRecord } from '../../domain/governance/exposure.ts'
import type { Turn } from '../../domain/memory/events.ts'
import { rebuildActor } from './actor-states.ts'
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
  /** Exposure sets of journal turns that the snapshot leaves to the ledger. */
  readonly exposures: readonly ExposureRecord[]
}

/** Finds out how far an actor can be rebuilt, without the snapshots that prove to be wrong. */
export async function fateOf(
  store: Store,
  actor: StoredActor,
  ledger: readonly SurveyedLedger[],
): Promise<ActorFate> {
  const bad = new Set(actor.snapshots.flatMap(({ path, damage }) => (damage === null ? [] : [path])))
  for (;;) {
    const view = { ...actor, snapshots: actor.snapshots.filter(({ path }) => !bad.has(path)) }
    const exposures: ExposureRecord[] = []
    const onTurn = (turn: Turn): void => {
      for (const event of turn.events) {
        if (event.type !== 'exposed') continue
        const { type: _, ...set } = event
        exposures.push({ ...set, atMs: turn.atMs, seq: turn.seq })
      }
    }
    const { state, damages } = await rebuildActor(store.files, view, { isChecked: true, onTurn })
    const wrong = damages.flatMap(({ path, seq }) => (seq === null && path !== null ? [path] : []))
    if (wrong.length > 0) {
      for (const path of wrong) bad.add(path)
      continue
    }
    const coveredSeq = coveredSeqOf(view)
    const stops = damages.flatMap(({ seq }) => seq ?? [])
    return {
      key: actor.key,
      keyHash: actor.keyHash,
      untilSeq: Math.min(state.seq, ...stops.filter((seq) => seq > coveredSeq).map((seq) => seq - 1)),
      headSeq: headSeqOf(store, actor, ledger),
      badSnapshots: [...bad],
      unreadableUntilSeq: Math.max(0, ...stops.filter((seq) => seq <= coveredSeq)),
      coveredSeq,
      exposures: exposures.filter(({ seq }) => seq <= coveredSeq),
    }
  }
}

function headSeqOf(store: Store, actor: StoredActor, ledger: readonly SurveyedLedger[]): number {
  const { keyHash, held, snapshots } = actor
  const history = store.history.files.flatMap(({ runs }) => runs.filter((run) => run.keyHash === keyHash))
  return Math.max(
    0,
    ...held.map(({ toSeq }) => toSeq),
    ...snapshots.map(({ seq }) => seq),
    ...history.map(({ firstSeq, count }) => firstSeq + count - 1),
    ...ledger.filter(({ file }) => file.actorKeyHash === keyHash).map(({ file }) => file.toSeq),
  )
}
