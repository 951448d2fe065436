import { endianness } from 'node:os'
import { describe, expect, test } from 'vitest'
import type { Actor } from '../../src/actor/actor.ts'
import { Erasures, Purge } from '../../src/actor/erasures.ts'
import { RecallView } from '../../src/actor/recall-view.ts'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { openErasureMarks } from '../../src/adapters/erasure/marks.ts'
import { openPackedFiles, type PackedFiles } from '../../src/adapters/packs/packed-files.ts'
import { openRecallImages } from '../../src/adapters/recall/store.ts'
import { type FileSnapshotStore, openSnapshotStore } from '../../src/adapters/snapshot/store.ts'
import { fileRemoval } from '../../src/app/stores/file-removal.ts'
import type { ActorState } from '../../src/core/model/state.ts'
import { imageOf, stateHash } from '../../src/core/model/state-image.ts'
import type { RecallImages, Removed } from '../../src/ports/store.ts'
import { redactFile } from '../../workers/redact.ts'
import { enough, stride } from '../harness/scale.ts'
import { EVERYONE, memoryOf } from '../support/commands.ts'
import { search } from '../support/search.ts'
import { World } from '../support/world.ts'
import type { FaultKind } from './disk-faults.ts'
import { endLife, type HistoryLife, readAll, startLife } from './history-life.ts'
import { DIR, GRANT, ManualTimers, silentLog, turns, unlessDead } from './journal-life.ts'
import { type Process, type ProcessOptions, SimulatedDisk, seededRandom } from './simulated-disk.ts'

/** Every so manieth call is a place to die; 1 tries all of them. */
const STRIDE = stride(8)
const ERASER = 'a/x'
const OTHER = 'b/y'
const SECRET = 'the-word-that-has-to-go'
/** Index files hold their words in UTF-16. */
const FORMS = [Buffer.from(SECRET), Buffer.from(SECRET, 'utf16le')]
const codec = createCodec()

interface Actors {
  readonly eraser: World
  readonly other: World
}

interface Life extends HistoryLife {
  readonly files: PackedFiles
  readonly snapshots: FileSnapshotStore
  readonly recallImages: RecallImages
}

/** Two files by themselves, whatever their size; the others go into packs. */
const PACKING = { looseMax: 4, packBytes: 256 * 1024, fileBytesMax: 1024 * 1024 }

/** Journal, snapshots, stored indexes, packs and history as the application wires them, with the workers' tasks inline. */
async function startAll(process: Process): Promise<Life> {
  const life = await startLife(process, new ManualTimers())
  const files = await openPackedFiles({ dir: DIR, files: process.files, log: silentLog, ...PACKING })
  const storage = { dir: DIR, files, log: silentLog, clock: { nowMs: () => 0 } }
  const snapshots = await openSnapshotStore(storage)
  for (const key of snapshots.actorKeys()) {
    for (const seq of snapshots.seqsOf(key)) life.journal.covered(GRANT, key, seq)
  }
  const maker = { builtBy: 'test', byteOrder: endianness() }
  const recallImages = await openRecallImages({ ...storage, maker })
  files.start()
  return { ...life, files, snapshots, recallImages }
}

const stateOf = (actors: Actors, key: string): ActorState =>
  key === ERASER ? actors.eraser.state : actors.other.state

async function snapshot(life: Life, actors: Actors, key: string): Promise<void> {
  const state = stateOf(actors, key)
  const image = { ...imageOf(state), stateHash: stateHash(state) }
  const recall = (await RecallView.over(state, search)).image()
  await life.snapshots.put(GRANT, key, image)
  life.journal.covered(GRANT, key, state.seq)
  if (recall !== null) life.recallImages.keep(GRANT, key, { ...image, image: recall })
}

async function purge(process: Process, life: Life, actors: Actors): Promise<Removed> {
  const { journal, snapshots, recallImages, past } = life
  const redactHistory = (actorKey: string, redaction: Parameters<typeof redactFile>[1]['redaction']) =>
    past.redact(actorKey, (place) => redactFile(process.files, { place, actorKey, redaction }))
  const one = new Purge({
    removal: fileRemoval({
      journal,
      snapshots,
      recallImages,
      ledger: { rewrite: async () => 0 },
      redactHistory,
    }),
    log: silentLog,
    vectorStore: null,
    isDiskFull: () => false,
    withdraw: async () => undefined,
    snapshot: (key) => snapshot(life, actors, key),
  })
  const recall = await RecallView.over(actors.eraser.state, search)
  return one.run({ key: ERASER, grant: GRANT, state: actors.eraser.state, recall })
}

/** A disk with the secret in snapshots, in history, in complete segments and in the one being written; erased, not purged. */
async function erasedDisk(): Promise<{ readonly disk: SimulatedDisk; readonly actors: Actors }> {
  const disk = new SimulatedDisk()
  const process = disk.start()
  const life = await startAll(process)
  const actors = { eraser: new World('a', 'x'), other: new World('b', 'y') }
  const written = new Map([ERASER, OTHER].map((key) => [key, 0]))
  const flush = async () => {
    for (const [key, world] of [
      [ERASER, actors.eraser],
      [OTHER, actors.other],
    ] as const) {
      for (const turn of world.turns.slice(written.get(key) ?? 0)) {
        await life.journal.append(GRANT, {
          actorKey: key,
          actorSeq: turn.seq,
          payload: codec.encodeTurn(turn),
        })
      }
      written.set(key, world.turns.length)
    }
  }
  const padding = 'and so on '.repeat(900)
  let id = ''
  for (let step = 0; step < 14; step += 1) {
    const text = step % 3 === 0 ? `${step} ${SECRET} ${padding}` : `${step} harmless ${padding}`
    const clientId = step % 3 === 0 ? 'secret' : null
    const written = actors.eraser.write(memoryOf({ text }, { clientId, audience: EVERYONE }))
    if (clientId !== null) id = written
    actors.other.write(memoryOf({ text: `other ${step} ${padding}` }))
    await flush()
    if (step === 5 || step === 8) for (const key of [ERASER, OTHER]) await snapshot(life, actors, key)
    if (step === 8) await turns(80)
  }
  actors.eraser.commit([{ type: 'memory_erased', memoryIds: [id], reason: 'asked for', actorName: null }])
  await flush()
  expect(disk.namesIn(`${DIR}/hist`).length).toBeGreaterThan(0)
  await life.recallImages.settled()
  await life.files.idle()
  for (const folder of ['wal', 'packs', 'hist'])
    expect(placesOf(disk).some((path) => path.includes(folder))).toBe(true)
  await endLife(life)
  return { disk: disk.copy(), actors }
}

/** Files of the disk in which the secret stands. */
function placesOf(disk: SimulatedDisk): readonly string[] {
  const walk = (path: string): readonly string[] => {
    let names: readonly string[]
    try {
      names = disk.namesIn(path)
    } catch {
      const content = Buffer.from(disk.contentOf(path))
      return FORMS.some((form) => content.includes(form)) ? [path] : []
    }
    return names.flatMap((name) => walk(`${path}/${name}`))
  }
  return walk(DIR)
}

/** Everything that was not erased is still told, by a start after the power failed. */
async function expectWhole(disk: SimulatedDisk, actors: Actors, what: string): Promise<void> {
  const process = disk.start()
  const life = await startAll(process)
  for (const key of [ERASER, OTHER]) {
    const state = stateOf(actors, key)
    const records = await readAll(life.history, key, 1, state.seq)
    expect(
      records.map(({ actorSeq }) => actorSeq),
      what,
    ).toEqual(Array.from({ length: state.seq }, (_, i) => i + 1))
    const again = new World(state.tenantId, state.scope)
    for (const { payload } of records) again.commit(codec.decodeTurn(payload).events)
    expect(again.memoryIds, what).toEqual([...state.memories.keys()])
    for (const record of again.records()) {
      expect(record.content, what).toEqual(state.memories.get(record.memoryId)?.content)
    }
    const stored = await life.snapshots.get(key)
    expect(stored === null || stored.image.stateHash !== '', what).toBe(true)
  }
  process.kill()
}

/** A start on what a crash left, the purge again, and the power fails. */
async function repeated(disk: SimulatedDisk, actors: Actors, what: string): Promise<void> {
  const process = disk.start()
  const life = await startAll(process)
  await purge(process, life, actors)
  process.kill()
  disk.losePower(() => 1, 0)
  expect(placesOf(disk), what).toEqual([])
  await expectWhole(disk, actors, what)
}

/** Marks and purge as the registry wires them. */
async function erasuresOf(process: Process, life: Life, actors: Actors): Promise<Erasures> {
  const erasureMarks = await openErasureMarks({ dir: DIR, files: process.files, log: silentLog })
  const work = () => purge(process, life, actors)
  const actor = { key: ERASER, state: actors.eraser.state } as Actor
  return new Erasures({
    erasureMarks,
    log: silentLog,
    purge: work,
    use: (_key, run) => run(actor),
  })
}

/** Marks of erasures that are not finished. */
function marksOn(disk: SimulatedDisk): readonly string[] {
  return disk.namesIn(`${DIR}/erasing`).filter((name) => name !== 'reserve')
}

/** A start on what a crash left that nobody asks for anything, and the power fails. */
async function resumed(disk: SimulatedDisk, actors: Actors, what: string): Promise<void> {
  const process = disk.start()
  const life = await startAll(process)
  await (await erasuresOf(process, life, actors)).resume()
  process.kill()
  disk.losePower(() => 1, 0)
  expect(placesOf(disk), what).toEqual([])
  expect(marksOn(disk), what).toEqual([])
  await expectWhole(disk, actors, what)
}

/** How many calls the disk sees until the purge begins, and until it ends. */
async function callsOf(base: SimulatedDisk, actors: Actors) {
  const disk = base.copy()
  const process = disk.start()
  const life = await startAll(process)
  const from = process.calls.length
  await purge(process, life, actors)
  const to = process.calls.length
  process.kill()
  disk.losePower(() => 1, 0)
  expect(placesOf(disk)).toEqual([])
  await expectWhole(disk, actors, 'without a crash')
  return { from, to }
}

async function attempt(disk: SimulatedDisk, actors: Actors, options: ProcessOptions): Promise<boolean> {
  const process = disk.start(options)
  const work = async (): Promise<boolean> => {
    const life = await startAll(process)
    await purge(process, life, actors)
    return true
  }
  const done = await unlessDead(process, work()).catch(() => false)
  process.kill()
  return done ?? false
}

describe('a purge on a disk that forgets', () => {
  test('killed in any call behind the mark, then the power: the next start alone finishes it', async () => {
    const { disk: base, actors } = await erasedDisk()
    const process = base.start()
    const life = await startAll(process)
    const erasures = await erasuresOf(process, life, actors)
    await erasures
      .run({ key: ERASER, grant: GRANT }, () => Promise.reject(new Error('cut off')))
      .catch(() => undefined)
    process.kill()
    base.losePower(() => 1, 0)
    expect(marksOn(base)).toHaveLength(1)
    const work = async (disk: SimulatedDisk, options: ProcessOptions) => {
      const again = disk.start(options)
      const task = async (): Promise<number> => {
        const one = await startAll(again)
        const from = again.calls.length
        await (await erasuresOf(again, one, actors)).resume()
        return from
      }
      const from = await unlessDead(again, task()).catch(() => null)
      again.kill()
      return { from: from ?? 0, to: again.calls.length }
    }
    const { from, to } = await work(base.copy(), {})
    expect(to - from).toBeGreaterThan(60)
    for (let dieAt = from + 1; dieAt <= to; dieAt += STRIDE) {
      const disk = base.copy()
      await work(disk, { dieAt })
      if (dieAt % 2 === 0) disk.losePower(seededRandom(dieAt), 0.5)
      await resumed(disk, actors, `killed in call ${dieAt}`)
    }
  })

  test('killed in any call, then the power: a repeat leaves nothing of what was erased and all of the rest', async () => {
    const { disk: base, actors } = await erasedDisk()
    const { from, to } = await callsOf(base, actors)
    expect(to - from).toBeGreaterThan(60)
    for (let dieAt = from + 1; dieAt <= to; dieAt += STRIDE) {
      const disk = base.copy()
      await attempt(disk, actors, { dieAt })
      if (dieAt % 2 === 0) disk.losePower(seededRandom(dieAt), 0.5)
      await repeated(disk, actors, `killed in call ${dieAt}`)
    }
  })

  test.each<FaultKind>(['EIO', 'ENOSPC'])(
    'whichever call fails with %s: it says so or has done all',
    async (kind) => {
      const { disk: base, actors } = await erasedDisk()
      const { from, to } = await callsOf(base, actors)
      let refused = 0
      for (let call = from + 1; call <= to; call += 2 * STRIDE) {
        const disk = base.copy()
        const isDone = await attempt(disk, actors, { failAt: { call, kind } })
        if (!isDone) refused += 1
        disk.losePower(() => 1, 0)
        if (isDone) expect(placesOf(disk), `call ${call} failed`).toEqual([])
        await repeated(disk, actors, `call ${call} failed`)
      }
      expect(refused).toBeGreaterThanOrEqual(enough(1))
    },
  )
})
