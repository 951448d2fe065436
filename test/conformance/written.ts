import { expect } from 'vitest'
import type { Actor } from '../../src/actor/actor.ts'
import { LiveTurns } from '../../src/actor/live-turns.ts'
import { Registry } from '../../src/actor/registry.ts'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { silentTelemetry } from '../../src/adapters/files/null-ports.ts'
import { lruResidency } from '../../src/adapters/residency/lru-residency.ts'
import type { Redaction } from '../../src/core/model/erasure.ts'
import type { ExposureRecord } from '../../src/core/model/events.ts'
import type { StateImage } from '../../src/core/model/image.ts'
import { imageOf, stateHash } from '../../src/core/model/state-image.ts'
import type { Grant, JournalRecord, Store, VectorRow } from '../../src/ports/store.ts'
import { manualClock, memoryLog, START_MS } from '../harness/system.ts'
import { EVERYONE, memoryOf } from '../support/commands.ts'
import { search } from '../support/search.ts'
import { World } from '../support/world.ts'

/** What a store has to be opened by, to be tried. */
export interface StoreUnderTest {
  /** Opens it; what was written before is there. Nodes with different names are different owners. */
  open(node?: string): Promise<Store>
  /** The node is not heard of any more: others may take its actors. Null: the store has one owner at a time. */
  readonly expire: ((node: string) => Promise<void>) | null
}

export const KEY = 'default/default'
export const OTHER = 'b/y'
export const SECRET = 'the-word-that-has-to-go'
const codec = createCodec()

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

export function recordOf(actorKey: string, actorSeq: number): JournalRecord {
  return { actorKey, actorSeq, payload: Buffer.from(`turn ${actorSeq} of ${actorKey}`) }
}

/** Acquires the actor and appends so many turns. */
export async function appended(store: Store, key: string, fromSeq: number, count: number): Promise<Grant> {
  const grant = await store.ownership.acquire(key)
  await Promise.all(
    range(fromSeq, fromSeq + count - 1).map((seq) => store.journal.append(grant, recordOf(key, seq))),
  )
  return grant
}

export async function reopened(under: StoreUnderTest, store: Store): Promise<Store> {
  await store.close()
  return under.open()
}

export async function collected<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = []
  for await (const value of values) all.push(value)
  return all
}

export async function seqsOf(store: Store, grant: Grant, key: string, fromSeq: number): Promise<number[]> {
  return (await collected(store.journal.read(grant, key, fromSeq))).map(({ actorSeq }) => actorSeq)
}

/** An actor of so many memories, each a turn of its own. */
export async function written(store: Store, memories: number): Promise<{ world: World; grant: Grant }> {
  const world = new World()
  for (let at = 0; at < memories; at += 1) world.write(memoryOf({ text: `memory number ${at}` }))
  return { world, grant: await journaled(store, world) }
}

export async function journaled(store: Store, world: World): Promise<Grant> {
  const grant = await store.ownership.acquire(KEY)
  for (const turn of world.turns) {
    await store.journal.append(grant, { actorKey: KEY, actorSeq: turn.seq, payload: codec.encodeTurn(turn) })
  }
  return grant
}

/** The image of an actor after its first turns. */
export function digested(world: World, turns: number): StateImage {
  const early = new World()
  for (const { events } of world.turns.slice(0, turns)) early.commit(events)
  return { ...imageOf(early.state), stateHash: stateHash(early.state) }
}

/** An actor that has erased a memory: in the journal and in a snapshot from before. */
export async function erasedIn(store: Store): Promise<{ world: World; grant: Grant; seq: number }> {
  const world = new World()
  world.write(memoryOf({ text: 'what stays' }))
  const id = world.write(memoryOf({ text: `has ${SECRET} inside` }, { audience: EVERYONE }))
  const { seq } = world.state
  world.commit([{ type: 'memory_erased', memoryIds: [id], reason: 'asked for', actorName: null }])
  const grant = await journaled(store, world)
  const image = digested(world, seq)
  await store.snapshots.put(grant, KEY, image)
  store.journal.covered(grant, KEY, seq)
  expect(await textsIn(store, grant)).toContain(SECRET)
  return { world, grant, seq: world.state.seq }
}

/** Cut off behind the mark and the turn; then the store is opened again. */
export async function finishedErasure(
  under: StoreUnderTest,
  resume: (registry: Registry) => Promise<void>,
  around = (store: Store): Store => store,
): Promise<void> {
  const store = await under.open()
  const { grant, seq } = await erasedIn(store)
  await store.erasureMarks.put(grant, KEY)
  const again = await reopened(under, store)
  const registry = await registryOver(around(again))
  await resume(registry)
  await until(async () => !(await again.erasureMarks.has(KEY)))
  expect(again.snapshots.coveredSeqOf(KEY)).toBeGreaterThanOrEqual(seq)
  expect(await textsIn(again, await again.ownership.acquire(KEY))).not.toContain(SECRET)
  await registry.close(10_000)
  await again.close()
}

export function redactionOf({ state }: World): Redaction {
  return {
    memoryIds: [...state.erasures.keys()],
    guides: [...state.erasedGuides.values()],
    external: [...state.external.erasures.values()],
    externalKey: state.external.key,
    untilSeq: state.seq,
  }
}

export function helpOf(store: Store, grant: Grant, world: World) {
  return {
    began: () => undefined,
    snapshot: async () => {
      const image = { ...imageOf(world.state), stateHash: stateHash(world.state) }
      await store.snapshots.put(grant, KEY, image)
      store.journal.covered(grant, KEY, image.seq)
    },
  }
}

/** Everything that can be read of the actor, as text. */
export async function textsIn(store: Store, grant: Grant): Promise<string> {
  const image = (await store.snapshots.get(KEY))?.image
  const above = await collected(store.journal.read(grant, KEY, (image?.seq ?? 0) + 1))
  const kept = await collected(store.history.read(KEY, 1, Number.MAX_SAFE_INTEGER))
  const turns = [...above, ...kept].map(({ payload }) => codec.decodeTurn(payload))
  const rows = (image?.sections ?? []).flatMap(({ rows: all }) => all.map((row) => textOf(row)))
  return [JSON.stringify(turns), ...rows].join('\n')
}

/** Fields of records are getters, which JSON leaves out. */
export function textOf(row: unknown): string {
  if (typeof row !== 'object' || row === null || !('content' in row)) return JSON.stringify(row)
  const { content } = row
  const text = typeof content === 'object' && content !== null && 'text' in content ? content.text : ''
  return `${JSON.stringify(row)} ${String(text)}`
}

export async function rowsIn(store: Store): Promise<string[]> {
  const rows: string[] = []
  await store.vectorStore?.load(KEY, ({ memoryId, vector }) => {
    rows.push(vector === null ? `${memoryId} unwanted` : memoryId)
  })
  return rows
}

export function exposureOf(at: number, memoryIds: readonly string[]): ExposureRecord {
  const world = new World()
  world.write(memoryOf({ text: 'shown' }))
  world.guide()
  const [shown] = world.guides
  expect(shown).toBeDefined()
  const time = (START_MS + at).toString(16).padStart(12, '0')
  const guideTraceId = `guide_trace:${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(at).padStart(12, '0')}`
  return { ...(shown as ExposureRecord), guideTraceId, memoryIds, atMs: START_MS + at, seq: at }
}

/** Every write that can be refused. */
export function writesOf(store: Store, grant: Grant, world: World): readonly (() => Promise<unknown>)[] {
  const row: VectorRow = { memoryId: 'a', ordinal: 0, updatedAtMs: 1, vector: null }
  return [
    () => store.journal.append(grant, recordOf(KEY, 3)),
    () => store.snapshots.put(grant, KEY, digested(world, 2)),
    () => store.ledger.append(grant, KEY, 0, 1, [exposureOf(1, world.memoryIds)]),
    () => store.erasureMarks.put(grant, KEY),
    () => store.erasureMarks.remove(grant, KEY),
    () => store.removal.erase(grant, KEY, redactionOf(world), helpOf(store, grant, world)),
    () => store.recallImages.dropBefore(grant, KEY, 1),
    () => store.vectorStore?.append(grant, KEY, [row]) ?? Promise.resolve(),
    () => store.vectorStore?.keepOnly(grant, KEY, () => false) ?? Promise.resolve(),
  ]
}

/** The port with one method that says when it is called. */
export function told<Port extends object>(port: Port, method: keyof Port & string, calls: string[]): Port {
  return new Proxy(port, {
    get(from, name) {
      const found: unknown = Reflect.get(from, name)
      if (typeof found !== 'function') return found
      return (...args: unknown[]) => {
        if (name === method) calls.push(method)
        return found.apply(from, args)
      }
    },
  })
}

export function registryOver(store: Store, liveTurns = new LiveTurns(), residentMax = 8): Promise<Registry> {
  return Registry.over({
    ...store,
    codec,
    clock: manualClock(),
    log: memoryLog().log,
    telemetry: silentTelemetry,
    liveTurns,
    scopesMax: 100,
    scopesPerTenantMax: 100,
    search,
    embedding: null,
    residency: lruResidency<Actor>({ countMax: residentMax, weightBytesMax: 2 ** 30 }),
    mailboxDepthMax: 8,
    concurrentLoadsMax: 2,
    waitingLoadsMax: 16,
    snapshotBytesMin: 1 << 20,
    workerMemoriesMin: 1000,
  })
}

/** Waits for what is done behind an answer. Rejects when it does not come about. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 1_500; looks += 1) {
    if (await isSo()) return
    await new Promise((resolve) => {
      setTimeout(resolve, 10)
    })
  }
  throw new Error('what was waited for did not come about')
}
