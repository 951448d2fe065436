import { isDeepStrictEqual } from 'node:util'
import type { Arrival } from '../../adapters/files/arrival.ts'
import { forEachConcurrently } from '../../adapters/files/concurrency.ts'
import type { KeyPlace } from '../../adapters/keys/key-folder.ts'
import { MemoryData } from '../../adapters/memory/data.ts'
import type { Store } from '../../ports/store.ts'
import type { StoreReader } from '../../ports/store-reader.ts'
import type { Clock, Log } from '../../ports/system.ts'
import type { Config } from '../config/options.ts'
import { actorKeysOf, differenceOf, factsOf } from '../store/actor-facts.ts'
import { openMemoryStore } from '../stores/memory-store.ts'
import { type BeforeStep, copyActor, SourceChanged } from './copy-actor.ts'

/** The command was told to stop. What is there stays, and a repeat goes on behind it. */
export class MoveStopped extends Error {
  override readonly name = 'MoveStopped'
}

export interface MoveParts {
  /** As of the service; with embeddings, `embeddingsModel` is the name of their model. */
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
}

/** Which memories want no vector is kept also where no model is configured: under a model without a name. */
export function withModel(config: Config, hasVectors: boolean): Config {
  if (config.embeddingsUrl !== null || !hasVectors) return config
  return { ...config, embeddingsUrl: 'file:', embeddingsModel: '' }
}

/** Whether a part of a store has come here before. @throws an Error when it is of another store */
export function hasCome(before: Arrival | null, storeId: string, place: string, free: string): boolean {
  if (before === null || before.sourceId === storeId) return before !== null
  throw new Error(
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

export interface MoveTarget {
  readonly place: string
  readonly keys: KeyPlace
  /** True: a part of this source is here. Changes nothing. @throws an Error when something else is here */
  check(source: Pick<StoreReader, 'storeId'>): Promise<boolean>
  /** Writes so many bytes as durably as the store would, and leaves nothing of them. */
  trial(bytes: number): Promise<void>
  /** Notes from where a store is on its way here. True: that was noted before. @throws as `check` */
  begin(source: Pick<StoreReader, 'storeId' | 'place'>): Promise<boolean>
  /** Whether a store was made here: a move may have been cut off before. */
  hasStore(): boolean
  reader(): Promise<StoreReader>
  open(hasVectors: boolean): Promise<Store>
  /** All of it is here: from now on nodes may serve. */
  finish(): Promise<void>
  release(): Promise<void>
}

export interface MoveStep {
  readonly phase: 'copied' | 'compared'
  readonly done: number
  readonly of: number
}

export interface MoveOptions {
  readonly beforeStep?: BeforeStep
  readonly onStep?: (step: MoveStep) => void
}

export type MoveReport = Awaited<ReturnType<typeof moveStore>>

const AT_ONCE = 8

/**
 * Brings a whole store from one place to another: keys first, so that the target is never open to everybody, then actor by actor;
 * then every actor is read again on both sides and compared. Cut off anywhere, a repeat goes on. Rejects with
 * SourceChanged when nothing can be done about it here.
 */
export async function moveStore(
  source: MoveSource,
  target: MoveTarget,
  { beforeStep = () => undefined, onStep = () => undefined }: MoveOptions = {},
) {
  const isResumed = await target.begin(source.reader)
  beforeStep('keys')
  const keys = await copyKeys(source, target)
  const actors = await actorKeysOf(source.reader)
  const move = { source, target, actors, beforeStep, onStep }
  const copied = await copyAll(move, isResumed)
  await compareAll(move)
  const lost = source.whyLost()
  if (lost !== null) throw new SourceChanged(lost)
  beforeStep('finish')
  await target.finish()
  return { ...copied, actors: actors.length, keys, isResumed }
}

async function copyKeys(source: MoveSource, target: MoveTarget): Promise<number> {
  const { keys, damaged } = await source.keys.read()
  const [wrong] = damaged
  if (wrong !== undefined)
    throw new Error(`${wrong.file} cannot be read: ${wrong.cause}; mend or revoke the key first`)
  const there = new Map((await target.keys.read()).keys.map((key) => [key.keyId, key]))
  for (const { isRevoked, ...key } of keys) {
    const before = there.get(key.keyId)
    // First: it opens nothing, not even for a moment.
    if (isRevoked && before?.isRevoked !== true) await target.keys.revoke(key.keyId)
    if (!isDeepStrictEqual(before, { ...key, isRevoked })) await target.keys.write(key)
  }
  return keys.length
}

interface Move extends Required<MoveOptions> {
  readonly source: MoveSource
  readonly target: MoveTarget
  readonly actors: readonly string[]
}

async function copyAll({ source, target, actors, beforeStep, onStep }: Move, isResumed: boolean) {
  /** `skipped`: actors that an earlier run had brought. */
  const sum = { skipped: 0, turns: 0, exposures: 0, notes: 0, vectors: 0 }
  const before = isResumed && target.hasStore() ? await target.reader() : null
  const hasVectors = (await source.reader.sizes()).bytes.vectors > 0
  try {
    const store = await target.open(hasVectors)
    let done = 0
    try {
      const finished = before === null ? new Map<string, number>() : await finishedIn(store, actors)
      await forEachConcurrently(actors, AT_ONCE, async (actorKey) => {
        beforeStep('actor')
        const isThere = finished.get(actorKey) === (await source.reader.headOf(actorKey))
        const notesThere = isThere ? 0 : ((await before?.notes(actorKey))?.length ?? 0)
        const copied = isThere
          ? null
          : await copyActor(source.reader, store, actorKey, notesThere, beforeStep)
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

/** Actors that one question is about. */
const ASKED_ACTORS = 1_000

/** The last turn of each actor of which no more than its newest snapshot covers is there: the snapshot comes last. */
async function finishedIn({ directory }: Store, actors: readonly string[]): Promise<Map<string, number>> {
  const finished = new Map<string, number>()
  for (let from = 0; from < actors.length; from += ASKED_ACTORS) {
    const asked = actors.slice(from, from + ASKED_ACTORS)
    const stored = await directory.turnsOf(asked)
    for (const [at, { turns, snapshotTurns }] of stored.entries())
      if (turns > 0 && turns === snapshotTurns) finished.set(asked[at] ?? '', turns)
  }
  return finished
}

async function compareAll({ source, target, actors, beforeStep, onStep }: Move): Promise<void> {
  const there = await target.reader()
  try {
    const others = new Set(await actorKeysOf(there))
    for (const actorKey of actors) others.delete(actorKey)
    const [other] = others
    if (other !== undefined)
      throw new SourceChanged(`${target.place} has the actor ${other}, and the source has not`)
    let done = 0
    await forEachConcurrently(actors, AT_ONCE, async (actorKey) => {
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

const SAMPLE = 64

/** What a move would bring, and how long it would take here. */
export type Estimate = Awaited<ReturnType<typeof estimateMove>>

/** Nothing of the store is written anywhere: of the target only how fast it takes bytes is tried. */
export async function estimateMove(
  { reader, keys }: MoveSource,
  target: MoveTarget,
  { config, clock }: MoveParts,
) {
  const isResumed = await target.check(reader)
  const actors = await actorKeysOf(reader)
  const stride = Math.max(1, Math.ceil(actors.length / SAMPLE))
  const sample = actors.filter((_, at) => at % stride === 0)
  const store = openMemoryStore(config, clock, new MemoryData())
  const startedMs = performance.now()
  await forEachConcurrently(sample, AT_ONCE, async (actorKey) => {
    let writes = 0
    await copyActor(reader, store, actorKey, 0, () => {
      writes += 1
    })
    let bytes = 0
    for await (const { payload } of reader.turns(actorKey, 1)) bytes += payload.length
    for (let done = 0; done < writes; done += 1) await target.trial(Math.ceil(bytes / writes))
    // Both sides are read once more and compared.
    await factsOf(reader, actorKey)
    await factsOf(reader, actorKey)
  })
  const tookMs = performance.now() - startedMs
  await store.close()
  return {
    ...(await reader.sizes()),
    actors: actors.length,
    keys: (await keys.read()).keys.length,
    isResumed,
    /** Actors that were read for it, written into memory and, by size, to where they would go. */
    sampled: sample.length,
    ms: sample.length === 0 ? 0 : (tookMs / sample.length) * actors.length,
  }
}
