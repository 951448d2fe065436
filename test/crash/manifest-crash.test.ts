import { describe, expect, test } from 'vitest'
import { keepManifest, type ManifestKeeper, readManifest } from '../../src/adapters/files/manifest.ts'
import type { FileJournal } from '../../src/adapters/journal/file-journal.ts'
import { type FileSnapshotStore, openSnapshotStore } from '../../src/adapters/snapshot/store.ts'
import { derivedLacks, journalLacks } from '../../src/app/store/completeness.ts'
import { stride } from '../harness/scale.ts'
import { imageOf, NOW_MS } from '../unit/snapshot-fixtures.ts'
import { DIR, GRANT, ManualTimers, openOn, silentLog, turns, unlessDead } from './journal-life.ts'
import { type Process, SimulatedDisk, seededRandom } from './simulated-disk.ts'

const LEDGER = { isUsed: false }
/** Chance of what was not flushed to survive the loss of power. */
const SHARES = [0, 0.5, 1]

interface Life {
  readonly journal: FileJournal
  readonly snapshots: FileSnapshotStore
  readonly manifest: ManifestKeeper
}

/** Starts as the application does; what the manifest says and the disk does not have is a lack. */
async function start(process: Process, lacks: string[]): Promise<Life> {
  const { files } = process
  const known = (await readManifest(files, DIR))?.position ?? null
  const clock = { nowMs: () => NOW_MS }
  const snapshots = await openSnapshotStore({ dir: DIR, files, log: silentLog, clock })
  const extent = () => ({ snapshots: snapshots.extent(), ledger: LEDGER })
  const journal = await openOn(process, new ManualTimers(), {
    padTo: 512,
    onFound: (found) => {
      if (known === null) return
      for (const { what } of [...journalLacks(known, found), ...derivedLacks(known, extent())])
        lacks.push(what)
    },
  })
  const { storeId } = journal
  const positionNow = () => ({ journal: journal.durable(), ...extent() })
  const manifest = await keepManifest({ files, dir: DIR, log: silentLog, storeId, positionNow })
  return { journal, snapshots, manifest }
}

/** Writes, rotates and snapshots, with a look of the manifest beside all of it, then closes. */
async function live({ journal, snapshots, manifest }: Life): Promise<void> {
  for (let round = 0; round < 6; round += 1) {
    const key = `tenant/s${round % 2}`
    const appends: Promise<void>[] = []
    const head = journal.headOf(key)
    for (let seq = head + 1; seq <= head + 3; seq += 1) {
      appends.push(journal.append(GRANT, { actorKey: key, actorSeq: seq, payload: new Uint8Array(9000) }))
    }
    const looking = manifest.look()
    await turns(2)
    await manifest.look()
    await Promise.all([...appends, looking])
    await Promise.all([snapshots.put(GRANT, key, imageOf(key, head + 3)), manifest.look()])
    journal.covered(GRANT, key, head + 3)
    await manifest.look()
  }
  await journal.close()
  await manifest.close()
}

async function callsOfLives(): Promise<number> {
  const process = new SimulatedDisk().start()
  await live(await start(process, []))
  return process.calls.length
}

describe('the manifest', () => {
  test('killed in any call, with or without power, it never claims more than the disk has', async () => {
    const calls = await callsOfLives()
    expect(calls).toBeGreaterThan(100)
    for (const share of SHARES) {
      for (let dieAt = 1; dieAt <= calls; dieAt += stride(1)) {
        const disk = new SimulatedDisk()
        const process = disk.start({ dieAt })
        await unlessDead(process, start(process, []).then(live))
        disk.losePower(seededRandom(dieAt), share)
        const lacks: string[] = []
        await start(disk.start(), lacks)
        expect(lacks, `killed in call ${dieAt}, ${share} of what was not flushed survives`).toEqual([])
      }
    }
  })

  test('after a clean end it says exactly where the store is', async () => {
    const disk = new SimulatedDisk()
    const life = await start(disk.start(), [])
    await live(life)
    const { files } = disk.start()
    expect((await readManifest(files, DIR))?.position).toEqual({
      journal: { segment: life.journal.durable().segment, turns: 18 },
      snapshots: { actors: 2, turns: 18 },
      ledger: LEDGER,
    })
  })

  test('a call that fails while it is written leaves the one before, and is no failure of the store', async () => {
    const first = new SimulatedDisk()
    const lived = first.start()
    await live(await start(lived, []))
    const started = lived.calls.findIndex(({ name }) => name === 'rename')
    for (let call = started; call <= lived.calls.length; call += 7) {
      const disk = new SimulatedDisk()
      const process = disk.start({ failAt: { call, kind: 'ENOSPC' } })
      await start(process, [])
        .then(live)
        .catch(() => undefined)
      process.kill()
      const lacks: string[] = []
      await start(disk.start(), lacks)
      expect(lacks, `call ${call} fails`).toEqual([])
    }
  })
})
