import { digested } from '../../actor/snapshotting.ts'
import { createCodec } from '../../adapters/codec/codec.ts'
import { partsOfActorKey } from '../../core/base/ids.ts'
import { evolve } from '../../core/model/evolve.ts'
import { type ActorState, emptyState } from '../../core/model/state.ts'
import { imageOf, stateFrom } from '../../core/model/state-image.ts'
import type { Grant, Store } from '../../ports/store.ts'
import type { StoreReader } from '../../ports/store-reader.ts'
import { exposureSets } from '../store/actor-facts.ts'

/** Told before each step: it may throw, and then nothing more is written. */
export type BeforeStep = (step: string) => void

/** Turns that are stored together: a process that is cut off loses no more than these. */
const PIECE_BYTES = 1024 * 1024
const PIECE_TURNS = 500
const PIECE_SETS = 2_000
const PIECE_NOTES = 500

const codec = createCodec()

interface Copying {
  readonly source: StoreReader
  readonly target: Store
  readonly grant: Grant
  readonly actorKey: string
  readonly beforeStep: BeforeStep
}

/**
 * Copies an actor, or what is missing of it: the snapshot comes last, so that an actor whose snapshot reaches its last turn has
 * everything. Null: it had. `notesThere`: how many notes the target had before. Rejects when the target is ahead of the source.
 */
export async function copyActor(
  source: StoreReader,
  target: Store,
  actorKey: string,
  notesThere: number,
  beforeStep: BeforeStep,
) {
  const grant = await target.ownership.acquire(actorKey)
  const copying = { source, target, grant, actorKey, beforeStep }
  try {
    const headSeq = await source.headOf(actorKey)
    const coveredSeq = target.snapshots.coveredSeqOf(actorKey)
    if (Math.max(coveredSeq, target.journal.headOf(actorKey)) > headSeq) {
      throw new SourceChanged(`${actorKey} ends at turn ${headSeq}, and more of it was moved before`)
    }
    if (coveredSeq === headSeq) return null
    if (await source.isErasing(actorKey)) {
      beforeStep('mark')
      await target.erasureMarks.put(grant, actorKey)
    }
    const { state, turns } = await copyTurns(copying)
    if (state.seq !== headSeq)
      throw new Error(`${actorKey} ends at turn ${state.seq}, and ${source.place} tells of turn ${headSeq}`)
    const exposures = await copyExposures(copying, state)
    const vectors = await copyVectors(copying)
    const notes = await copyNotes(copying, notesThere)
    beforeStep('snapshot')
    const image = imageOf(state)
    await target.snapshots.put(grant, actorKey, { ...image, stateHash: await digested(image) })
    target.journal.covered(grant, actorKey, headSeq)
    return { turns, exposures, vectors, notes }
  } finally {
    target.ownership.release(grant, actorKey)
  }
}

/** The source is not what it was when the move began. */
export class SourceChanged extends Error {
  override readonly name = 'SourceChanged'
}

/** The state at the end of the turns, which it also is a proof of: each of them is applied. */
async function copyTurns({ source, target: { journal }, grant, actorKey, beforeStep }: Copying) {
  const { tenantId, scope } = partsOfActorKey(actorKey)
  const stored = await source.snapshot(actorKey)
  const state = stored === null ? emptyState(tenantId, scope) : stateFrom(stored.image)
  const begunSeq = journal.headOf(actorKey)
  let waiting: Promise<void>[] = []
  let bytes = 0
  let turns = 0
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return
    beforeStep('turns')
    await Promise.all(waiting)
    waiting = []
    bytes = 0
  }
  let isFirst = true
  for await (const { actorSeq, payload } of source.turns(actorKey, 1)) {
    const turn = codec.decodeTurn(payload)
    if (actorSeq > state.seq) evolve(state, turn)
    // Retention has taken those before it.
    if (isFirst && begunSeq === 0 && actorSeq > 1) journal.covered(grant, actorKey, actorSeq - 1)
    isFirst = false
    if (actorSeq <= begunSeq) continue
    const appended = journal.append(grant, { actorKey, actorSeq, payload, atMs: turn.atMs })
    // Whoever waits for all of them hears of it.
    appended.catch(() => undefined)
    waiting.push(appended)
    bytes += payload.length
    turns += 1
    if (bytes >= PIECE_BYTES || waiting.length >= PIECE_TURNS) await flush()
  }
  await flush()
  return { state, turns }
}

/** Those of turns that no snapshot of the source covers are in its memory only: the snapshot that is made here does not hold them. */
async function copyExposures(
  { source, target, grant, actorKey, beforeStep }: Copying,
  state: ActorState,
): Promise<number> {
  const oldestFirst = await exposureSets(source.exposures(actorKey), state.exposures)
  for (let from = 0; from < oldestFirst.length; from += PIECE_SETS) {
    const piece = oldestFirst.slice(from, from + PIECE_SETS)
    const firstSeq = piece.reduce((least, { seq }) => Math.min(least, seq), Number.MAX_SAFE_INTEGER)
    beforeStep('exposures')
    await target.ledger.append(grant, actorKey, firstSeq - 1, state.seq, piece)
  }
  return oldestFirst.length
}

async function copyVectors({ source, target, grant, actorKey, beforeStep }: Copying): Promise<number> {
  const { vectorStore } = target
  if (vectorStore === null) return 0
  const rows = await source.vectors(actorKey)
  if (rows.length === 0) return 0
  beforeStep('vectors')
  await vectorStore.append(grant, actorKey, rows)
  return rows.length
}

async function copyNotes(
  { source, target: { history }, grant, actorKey, beforeStep }: Copying,
  notesThere: number,
): Promise<number> {
  const notes = (await source.notes(actorKey)).slice(notesThere)
  for (let from = 0; from < notes.length; from += PIECE_NOTES) {
    beforeStep('notes')
    for (const note of notes.slice(from, from + PIECE_NOTES)) history.note(grant, actorKey, note)
    await history.settled()
  }
  return notes.length
}
