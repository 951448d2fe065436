import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createPacker } from '../../src/adapters/binary/msgpack.ts'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { createLedgerFile, packExposures, surveyLedger } from '../../src/adapters/ledger/format.ts'
import { systemClock } from '../../src/adapters/system/clock-and-entropy.ts'
import { rebuildActor } from '../../src/app/store/actor-states.ts'
import { openFolderReader } from '../../src/app/store/folder-reader.ts'
import { headSeqOf, isNeeded, planRepair } from '../../src/app/store/plan-repair.ts'
import { runRepair } from '../../src/app/store/run-repair.ts'
import { verifyStore } from '../../src/app/store/verify-store.ts'
import { partsOfActorKey } from '../../src/core/base/ids.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import { emptyState } from '../../src/core/model/state.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import type { Files } from '../../src/ports/files.ts'
import { seededRandom } from '../crash/simulated-disk.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { startEmbedded } from '../harness/embedded.ts'
import { calling, place, SMALL, traffic } from '../harness/erasing-scopes.ts'
import { enough, scaled, stride } from '../harness/scale.ts'
import { Secrets } from '../harness/secrets.ts'
import { FIRST_TURN_AT, makeStore } from '../support/stored-actors.ts'

/** Damaged stores that are repaired. */
const STORES = scaled(16)
/** Every so manieth call of a repair is a place to be cut off; 1 tries all of them. */
const CUT_STRIDE = stride(20)
const YEAR_MS = 365 * 24 * 3_600_000

const made = await makeStore(34)

const limits = { exposureRetentionMs: YEAR_MS, nowMs: 0 }
const verified = (dir: string) => verifyStore(dir, { isDeep: true, ...limits })

/** Every state that an actor ever had, by its key: the digest after each turn. */
async function pastOf(dir: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const codec = createCodec()
  const past = new Map<string, readonly string[]>()
  const reader = await openFolderReader(dir, null)
  for await (const key of reader.actors()) {
    const { tenantId, scope } = partsOfActorKey(key)
    const state = emptyState(tenantId, scope)
    const digests = [stateHash(state)]
    for await (const { actorSeq, payload } of reader.turns(key, 1)) {
      expect(actorSeq, `a turn of ${key}`).toBe(digests.length)
      evolve(state, codec.decodeTurn(payload))
      digests.push(stateHash(state))
    }
    past.set(key, digests)
  }
  return past
}

function filesOf(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'LOCK')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** What is in the files, but for drafts: those any start removes. */
function contentsOf(dir: string): Set<string> {
  const paths = filesOf(dir).filter((path) => !path.endsWith('.tmp'))
  return new Set(paths.map((path) => readFileSync(path, 'base64')))
}

/** Damages one to three files of a copy. */
function damagedCopy(dir: string, random: () => number): { readonly copy: string; readonly what: string } {
  const copy = dataFolder()
  cpSync(dir, copy, { recursive: true })
  const paths = filesOf(copy)
  const done: string[] = []
  for (let i = 0; i < 1 + Math.floor(random() * 3); i += 1) {
    const path = paths[Math.floor(random() * paths.length)] ?? ''
    const kind = random()
    let bytes: Buffer
    try {
      bytes = readFileSync(path)
    } catch {
      continue
    }
    // Cut to nothing already.
    if (bytes.length === 0) continue
    const used = Math.max(
      1,
      bytes.findLastIndex((byte) => byte !== 0),
    )
    const at = Math.floor(random() * used)
    done.push(`${path.slice(copy.length)} ${kind.toFixed(2)} at ${at}`)
    if (kind < 0.1) rmSync(path)
    else if (kind < 0.3) writeFileSync(path, bytes.subarray(0, at))
    else if (kind < 0.5) writeFileSync(path, bytes.fill(0, at, Math.min(at + 512, bytes.length)))
    else writeFileSync(path, bytes.with(at, (bytes[at] ?? 0) ^ (1 << (at % 8))))
  }
  return { copy, what: done.join('; ') }
}

/** Files of a process that dies in the n-th call that changes something. */
function dyingFiles(dieAt: number): { readonly files: Files; readonly calls: () => number } {
  let calls = 0
  const change = <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1
    return calls >= dieAt ? Promise.reject(new Error('the process is dead')) : call()
  }
  const files: Files = {
    ...nodeFiles,
    open: (path, mode) => {
      const call = () => nodeFiles.open(path, mode)
      return mode === 'read' ? call() : change(call)
    },
    pwrite: (fd, bytes, position) => change(() => nodeFiles.pwrite(fd, bytes, position)),
    fsync: (fd) => change(() => nodeFiles.fsync(fd)),
    rename: (from, to) => change(() => nodeFiles.rename(from, to)),
    unlink: (path) => change(() => nodeFiles.unlink(path)),
    fsyncDir: (path) => change(() => nodeFiles.fsyncDir(path)),
    mkdir: (path) => change(() => nodeFiles.mkdir(path)),
  }
  return { files, calls: () => calls }
}

/** Damage of every kind that a repair mends. */
function muchDamaged(): string {
  const copy = dataFolder()
  cpSync(made.crashed, copy, { recursive: true })
  const flip = (path: string | undefined, at: number): void => {
    expect(path).toBeDefined()
    const bytes = readFileSync(path ?? '')
    writeFileSync(path ?? '', bytes.with(at, (bytes[at] ?? 0) ^ 8))
  }
  const paths = filesOf(copy)
  flip(
    paths.find((path) => path.endsWith('.wal')),
    FIRST_TURN_AT,
  )
  flip(
    paths.find((path) => path.endsWith('.led')),
    40,
  )
  for (const path of paths.filter((each) => each.includes('verify%2Fa'))) flip(path, 700)
  flip(
    paths.findLast((path) => path.endsWith('.hist')),
    500,
  )
  flip(
    paths.find((path) => path.endsWith('.log')),
    40,
  )
  flip(join(copy, 'FORMAT.json'), 60)
  return copy
}

async function repaired(dir: string, files: Files): Promise<void> {
  const before = await verifyStore(dir, { ...limits, isDeep: true, files })
  const plan = await planRepair(before, limits)
  await runRepair(before.store, plan, { clock: systemClock(), onDone: () => undefined })
}

async function statesOf(dir: string): Promise<Readonly<Record<string, string>>> {
  const { store, problems } = await verified(dir)
  expect(problems).toEqual([])
  const states: Record<string, string> = {}
  for (const actor of store.actors.values()) {
    states[actor.key] = stateHash((await rebuildActor(nodeFiles, actor)).state)
  }
  return states
}

describe('a repair of a store with random damage', () => {
  test('that is cut off in any call can be repeated: nothing is deleted, and the actors are as without the cut', async () => {
    const whole = muchDamaged()
    const { files, calls } = dyingFiles(Number.POSITIVE_INFINITY)
    await repaired(whole, files)
    const states = await statesOf(whole)
    expect(calls()).toBeGreaterThan(30)
    for (let dieAt = 2; dieAt <= calls(); dieAt += CUT_STRIDE) {
      const dir = muchDamaged()
      const contents = contentsOf(dir)
      await expect(repaired(dir, dyingFiles(dieAt).files)).rejects.toThrow('the process is dead')
      await repaired(dir, nodeFiles)
      expect(await statesOf(dir), `cut off in call ${dieAt}`).toEqual(states)
      for (const path of filesOf(dir)) contents.delete(readFileSync(path, 'base64'))
      expect(contents.size, `cut off in call ${dieAt}`).toBe(0)
      rmSync(dir, { recursive: true })
    }
  }, 60_000)

  test('leaves a store that is clean, deletes nothing, and gives each actor a state that it once had', async () => {
    const random = seededRandom(3)
    const past = await pastOf(made.crashed)
    expect([...past.values()].every((digests) => digests.length > 2)).toBe(true)
    let repaired = 0
    let unchanged = 0
    for (let i = 0; i < STORES; i += 1) {
      const { copy, what } = damagedCopy(i % 2 === 0 ? made.crashed : made.closed, random)
      const before = await verified(copy)
      const plan = await planRepair(before, limits)
      expect(plan.blockers, what).toEqual([])
      if (isNeeded(plan)) {
        const contents = contentsOf(copy)
        await runRepair(before.store, plan, { clock: systemClock(), onDone: () => undefined })
        for (const path of filesOf(copy)) contents.delete(readFileSync(path, 'base64'))
        expect(contents.size, what).toBe(0)
        repaired += 1
      }
      const { store, problems } = await verified(copy)
      expect(problems, what).toEqual([])
      for (const actor of store.actors.values()) {
        const { state } = await rebuildActor(nodeFiles, actor)
        expect(stateHash(state), `${actor.key}: ${what}`).toBe(past.get(actor.key)?.[state.seq])
        const repair = plan.actors.get(actor.key)
        expect(state.seq, `${actor.key}: ${what}`).toBe(repair?.untilSeq)
      }
      if (plan.losses.length === 0) unchanged += 1
      rmSync(copy, { recursive: true })
    }
    expect(repaired).toBeGreaterThanOrEqual(enough(5))
    expect(unchanged).toBeGreaterThanOrEqual(enough(1))
  }, 120_000)

  test('the ledger of an actor tells of no turn that is lost, however many files it has', async () => {
    const copy = dataFolder()
    cpSync(made.crashed, copy, { recursive: true })
    const { store } = await verified(copy)
    const actor = [...store.actors.values()].find(({ ledger }) => ledger.length > 0)
    const [found] = actor?.ledger ?? []
    if (actor === undefined || found === undefined) throw new Error('no actor has a ledger')
    const { state } = await rebuildActor(nodeFiles, actor)
    const { records } = await surveyLedger(nodeFiles, found.path, found.named)
    const [kept] = records
    if (kept === undefined) throw new Error('the ledger has no record')
    const lost = { ...kept, guideTraceId: kept.guideTraceId.replace(/.{4}$/, 'abcd'), seq: state.seq + 1 }
    for (let beyond = 1; beyond <= 12; beyond += 1) {
      const range = { fromSeq: 0, toSeq: state.seq + beyond }
      // The name alone tells of lost turns, or also a record.
      const sets = await packExposures(createPacker({ isTabular: false }), beyond < 8 ? [kept] : [kept, lost])
      await createLedgerFile(nodeFiles, dirname(found.path), actor.key, range, sets)
    }
    const what = `it tells of turn ${state.seq + 1} of ${actor.key}, and the actor ends at turn ${state.seq}`
    expect((await verified(copy)).problems).toContainEqual(expect.objectContaining({ what }))
    await repaired(copy, nodeFiles)
    const after = await verified(copy)
    expect(after.problems).toEqual([])
    const ends = [...after.store.actors.values()].map((each) => [each.key, headSeqOf(each)])
    expect(ends).toContainEqual([actor.key, state.seq])
    const left = await Promise.all(
      (after.store.actors.get(actor.key)?.ledger ?? []).map(({ path, named }) =>
        surveyLedger(nodeFiles, path, named),
      ),
    )
    expect(left.flatMap((file) => file.records)).toContainEqual(kept)
  })

  test('a scope that is rebuilt from history loses what erased guides had counted, and is said to', async () => {
    const service = await startEmbedded({ config: SMALL })
    await traffic(calling(service), 10, new Secrets('kept'))
    await service.ok('guide', { ...place, query_text: 'shift report', run_id: 'gone' })
    await service.ok('erase', { ...place, reason: 'asked for', run_ids: ['gone'] })
    await service.close()
    const snapshots = filesOf(service.dir).filter((path) => path.includes('one.snap'))
    for (const path of snapshots) writeFileSync(path, readFileSync(path).subarray(0, -20))
    const { losses } = await planRepair(await verified(service.dir), limits)
    expect(losses).toEqual([{ what: expect.stringContaining('of erased guides'), isTurns: false }])
  })
})
