import { digested } from '../../actor/snapshotting.ts'
import { createCodec } from '../../adapters/codec/codec.ts'
import { turnsInHistory } from '../../adapters/history/survey.ts'
import {
  durablePositions,
  lastSeqOf,
  type RecordSpan,
  type Run,
  readSpan,
  spanOf,
} from '../../adapters/journal/record-index.ts'
import type { JournalDamage } from '../../adapters/journal/scan-past-corruption.ts'
import { readSnapshot, type SurveyedSnapshot } from '../../adapters/snapshot/format.ts'
import { messageOf } from '../../core/base/errors.ts'
import { partsOfActorKey } from '../../core/base/ids.ts'
import type { ExposureRecord, Turn } from '../../core/model/events.ts'
import { evolve } from '../../core/model/evolve.ts'
import { type ActorState, emptyState } from '../../core/model/state.ts'
import { type RecordDigests, stateFrom, stateHash } from '../../core/model/state-image.ts'
import type { Files } from '../../ports/files.ts'
import type { ConcernedActor, Store, StoredActor } from './read-store.ts'

/** What stands in the way of the state of an actor. */
export interface StateDamage {
  /** The file that holds it; null when it is the journal as a whole. */
  readonly path: string | null
  readonly offset: number | null
  /** The first turn that cannot be had; null when it is a snapshot. */
  readonly seq: number | null
  readonly what: string
}

export interface RebuildOptions {
  /** Also replays what is older than the newest snapshot, and compares the digests. */
  readonly isChecked?: boolean
  /** Begin with this state instead of the beginning; it is taken on. */
  readonly base?: ActorState
}

const codec = createCodec()

/**
 * The state of an actor from its newest whole snapshot and every later turn, through the same `evolve` as a start.
 * Checked, it begins as early as the store allows and compares the digest at every snapshot on the way. The state goes as far as
 * the turns lead without a gap; exposures are those of turns of the journal, checked, those below the newest snapshot included.
 */
export async function rebuildActor(files: Files, actor: StoredActor, options: RebuildOptions = {}) {
  const { tenantId, scope } = partsOfActorKey(actor.key)
  const replay = new Replay(files, actor)
  const { damages, exposures } = replay
  const whole = actor.snapshots.filter(({ damage }) => damage === null)
  const steps = options.isChecked === true ? whole : whole.slice(-1)
  let state = options.base ?? emptyState(tenantId, scope)
  // Most records are those of the snapshot before.
  const known: RecordDigests = new WeakMap()
  const oldest = steps[0]?.seq ?? 0
  if (options.isChecked === true && !replay.leadsTo(state.seq, oldest)) await replay.decode(oldest)
  for (const snapshot of steps) {
    const { image } = await readSnapshot(files, snapshot.path)
    if (image.tenantId !== tenantId || image.scope !== scope) {
      damages.push(inSnapshot(snapshot, 'the snapshot belongs to another actor'))
      continue
    }
    if ((await digested(image, known)) !== image.stateHash) {
      damages.push(inSnapshot(snapshot, 'the rows do not have the digest that stands with them'))
      continue
    }
    const isReplayed = replay.leadsTo(state.seq, image.seq) && (await replay.run(state, image.seq))
    if (isReplayed && stateHash(state, known) !== image.stateHash) {
      damages.push(inSnapshot(snapshot, 'the turns of the journal give another digest than the snapshot has'))
    }
    state = stateFrom(image)
  }
  await replay.run(state, Number.MAX_SAFE_INTEGER)
  return { state, damages, exposures }
}

function inSnapshot({ path }: SurveyedSnapshot, what: string): StateDamage {
  return { path, offset: null, seq: null, what }
}

class Replay {
  readonly #files: Files
  readonly #actor: StoredActor
  readonly damages: StateDamage[] = []
  readonly exposures: ExposureRecord[] = []

  constructor(files: Files, actor: StoredActor) {
    this.#files = files
    this.#actor = actor
  }

  /** True when the journal holds every turn in (fromSeq, toSeq]. */
  leadsTo(fromSeq: number, toSeq: number): boolean {
    if (fromSeq === toSeq) return true
    return this.#actor.held.some((range) => range.fromSeq <= fromSeq + 1 && toSeq <= range.toSeq)
  }

  /** Reads the turns up to `toSeq`, which no state is there for, as far as each is one. */
  async decode(toSeq: number): Promise<void> {
    for (const run of this.#actor.entry?.runs ?? []) {
      if (run.firstSeq > toSeq) return
      await this.#read(spanOf(run, run.firstSeq, toSeq))
    }
  }

  /** Takes the state on to `toSeq`; false, and told, when a turn is missing or cannot be applied. */
  async run(state: ActorState, toSeq: number): Promise<boolean> {
    const { entry, held } = this.#actor
    const next = held.find((range) => range.toSeq > state.seq)
    if (entry === null || next === undefined) return true
    if (next.fromSeq > state.seq + 1) {
      this.#missing(state.seq + 1, next.fromSeq - 1)
      return false
    }
    const last = Math.min(toSeq, next.toSeq)
    for (const span of durablePositions(entry, state.seq + 1, last)) {
      if (!(await this.#read(span, (turn) => evolve(state, turn)))) return false
    }
    const behind = held.find((range) => range.fromSeq > next.toSeq)
    if (toSeq > last && behind !== undefined) this.#missing(next.toSeq + 1, behind.fromSeq - 1)
    return true
  }

  /** Hands over the turns of a span; false, and told, when one is none or is refused. */
  async #read(span: RecordSpan, apply?: (turn: Turn) => void): Promise<boolean> {
    let at = 0
    try {
      for await (const record of readSpan(this.#files, span)) {
        const turn = codec.decodeTurn(record.payload)
        if (turn.seq !== record.actorSeq) throw new Error(`it says that it is turn ${turn.seq}`)
        apply?.(turn)
        this.#note(turn)
        at += 1
      }
      return true
    } catch (error) {
      const reason = messageOf(error)
      const seq = span.firstSeq + at
      const what = `turn ${seq} of ${this.#actor.key} cannot be applied: ${reason}`
      this.damages.push({ path: span.path, offset: span.offsets[at] ?? null, seq, what })
      return false
    }
  }

  #note({ events, atMs, seq }: Turn): void {
    for (const event of events) {
      if (event.type !== 'exposed') continue
      const { type: _, ...set } = event
      this.exposures.push({ ...set, atMs, seq })
    }
  }

  #missing(fromSeq: number, toSeq: number): void {
    const what = missingTurns(this.#actor.key, fromSeq, toSeq)
    this.damages.push({ path: null, offset: null, seq: fromSeq, what })
  }
}

export function missingTurns(key: string, fromSeq: number, toSeq: number): string {
  const turns = fromSeq === toSeq ? `turn ${fromSeq}` : `turns ${fromSeq} to ${toSeq}`
  return `${turns} of ${key} are in no snapshot and not in the journal`
}

/**
 * The state of an actor from its first turn on, as far as history files lead without a gap. Null when they do not begin
 * with the first turn, or one of them cannot be applied.
 */
export async function stateFromHistory({ files }: Store, actor: StoredActor): Promise<ActorState | null> {
  const { tenantId, scope } = partsOfActorKey(actor.key)
  const state = emptyState(tenantId, scope)
  for (const { file } of actor.archived) {
    for (const { seq, payload } of await turnsInHistory(files, file, actor.keyHash)) {
      if (seq !== state.seq + 1) return state.seq === 0 ? null : state
      try {
        evolve(state, codec.decodeTurn(payload))
      } catch {
        // What was applied in part is no state.
        return null
      }
    }
  }
  return state.seq === 0 ? null : state
}

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
