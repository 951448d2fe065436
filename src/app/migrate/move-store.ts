import { isDeepStrictEqual } from 'node:util'
import type { Arrival } from '../../adapters/files/arrival.ts'
import { forEachConcurrently } from '../../adapters/files/concurrency.ts'
import { type KeyPlace, keyPlaceOf } from '../../adapters/keys/key-folder.ts'
import type { Store } from '../../ports/store.ts'
import type { StoreReader } from '../../ports/store-reader.ts'
import { actorKeysOf, differenceOf } from '../store/actor-facts.ts'
import { type BeforeStep, copyActor, SourceChanged } from './copy-actor.ts'

/** A store cannot be moved as it is; the message says what to do. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused'
}

/** The command was told to stop. What is there stays, and a repeat goes on behind it. */
export class MoveStopped extends Error {
  override readonly name = 'MoveStopped'
}

/** Whether a part of a store has come here before. @throws MoveRefused when it is of another store */
export function hasCome(before: Arrival | null, storeId: string, place: string, free: string): boolean {
  if (before === null || before.sourceId === storeId) return before !== null
  throw new MoveRefused(
    `${place} holds a part of another store, from ${before.source}: finish that move, or name ${free}`,
  )
}

/** A store that is moved from, which nobody serves from meanwhile. */
export interface MoveSource {
  readonly reader: StoreReader
  readonly keys: KeyPlace
  /** Why somebody else may have served from it; null: nobody has. */
  whyLost(): string | null
  release(): Promise<void>
}

/** A store that is moved to. */
export interface MoveTarget {
  readonly place: string
  readonly keys: KeyPlace
  /** True: a part of this source is here. Changes nothing. @throws MoveRefused when something else is here */
  check(source: Pick<StoreReader, 'storeId'>): Promise<boolean>
  /** Writes so many bytes as durably as the store would, and leaves nothing of them. */
  trial(bytes: number): Promise<void>
  /** Notes from where a store is on its way here. True: that was noted before. @throws as `check` */
  begin(source: Pick<StoreReader, 'storeId' | 'place'>): Promise<boolean>
  /** Whether a store was made here: a move may have been cut off before. */
  hasStore(): boolean
  /** What has come so far. */
  reader(): Promise<StoreReader>
  /** Opens it for writing. */
  open(hasVectors: boolean): Promise<Store>
  /** All of it is here: from now on nodes may serve. */
  finish(): Promise<void>
  release(): Promise<void>
}

/** How far a move has come. */
export interface MoveStep {
  readonly phase: 'copied' | 'compared'
  readonly done: number
  readonly of: number
}

export interface MoveOptions {
  readonly beforeStep?: BeforeStep
  readonly onStep?: (step: MoveStep) => void
}

export interface MoveReport {
  readonly actors: number
  /** Those that an earlier run had brought. */
  readonly skipped: number
  readonly keys: number
  readonly turns: number
  readonly exposures: number
  readonly notes: number
  readonly vectors: number
  readonly isResumed: boolean
}

/** Actors on their way at the same time. */
export const AT_ONCE = 8

/**
 * Brings a whole store from one place to another: keys first, so that the target is never open to everybody, then actor by actor;
 * then every actor is read again on both sides and compared. Cut off anywhere, a repeat goes on. Rejects with MoveRefused or
 * SourceChanged when nothing can be done about it here.
 */
export async function moveStore(
  source: MoveSource,
  target: MoveTarget,
  { beforeStep = () => undefined, onStep = () => undefined }: MoveOptions = {},
): Promise<MoveReport> {
  const isResumed = await target.begin(source.reader)
  beforeStep('keys')
  const keys = await copyKeys(source, target)
  const actors = await actorKeysOf(source.reader)
  const copied = await copyAll(source, target, actors, isResumed, beforeStep, onStep)
  await compareAll(source, target, actors, beforeStep, onStep)
  const lost = source.whyLost()
  if (lost !== null) throw new SourceChanged(lost)
  beforeStep('finish')
  await target.finish()
  return { ...copied, actors: actors.length, keys, isResumed }
}

async function copyKeys(source: MoveSource, target: MoveTarget): Promise<number> {
  const { keys, damaged } = await keyPlaceOf(source.keys).read()
  const [wrong] = damaged
  if (wrong !== undefined)
    throw new MoveRefused(`${wrong.file} cannot be read: ${wrong.cause}; mend or revoke the key first`)
  const there = new Map((await target.keys.read()).keys.map((key) => [key.keyId, key]))
  for (const { isRevoked, ...key } of keys) {
    const before = there.get(key.keyId)
    // First: it opens nothing, not even for a moment.
    if (isRevoked && before?.isRevoked !== true) await target.keys.revoke(key.keyId)
    if (!isDeepStrictEqual(before, { ...key, isRevoked })) await target.keys.write(key)
  }
  return keys.length
}

/** As `forEachConcurrently`, but nothing is under way any more when it rejects. */
async function forEachToTheEnd(
  actors: readonly string[],
  task: (actorKey: string) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  await forEachConcurrently(actors, AT_ONCE, async (actorKey) => {
    if (failures.length === 0) await task(actorKey).catch((error: unknown) => void failures.push(error))
  })
  if (failures.length > 0) throw failures[0]
}

async function copyAll(
  source: MoveSource,
  target: MoveTarget,
  actors: readonly string[],
  isResumed: boolean,
  beforeStep: BeforeStep,
  onStep: (step: MoveStep) => void,
) {
  const sum = { skipped: 0, turns: 0, exposures: 0, notes: 0, vectors: 0 }
  const before = isResumed && target.hasStore() ? await target.reader() : null
  const hasVectors = (await source.reader.sizes()).bytes.vectors > 0
  try {
    const store = await target.open(hasVectors)
    let done = 0
    try {
      await forEachToTheEnd(actors, async (actorKey) => {
        beforeStep('actor')
        const notesThere = (await before?.notes(actorKey))?.length ?? 0
        const copied = await copyActor(source.reader, store, actorKey, notesThere, beforeStep)
        if (copied === null) sum.skipped += 1
        else {
          sum.turns += copied.turns
          sum.exposures += copied.exposures
          sum.notes += copied.notes
          sum.vectors += copied.vectors
        }
        done += 1
        onStep({ phase: 'copied', done, of: actors.length })
      })
    } finally {
      await store.close()
    }
    return sum
  } finally {
    await before?.close()
  }
}

async function compareAll(
  source: MoveSource,
  target: MoveTarget,
  actors: readonly string[],
  beforeStep: BeforeStep,
  onStep: (step: MoveStep) => void,
): Promise<void> {
  const there = await target.reader()
  try {
    const others = new Set(await actorKeysOf(there))
    for (const actorKey of actors) others.delete(actorKey)
    const [other] = others
    if (other !== undefined)
      throw new SourceChanged(`${target.place} has the actor ${other}, and the source has not`)
    let done = 0
    await forEachToTheEnd(actors, async (actorKey) => {
      beforeStep('compare')
      const difference = await differenceOf(source.reader, there, actorKey)
      if (difference !== null)
        throw new SourceChanged(`${actorKey} is not the same in ${target.place}: ${difference}`)
      done += 1
      onStep({ phase: 'compared', done, of: actors.length })
    })
  } finally {
    await there.close()
  }
}
