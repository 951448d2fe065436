import { join } from 'node:path'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { openJournal } from '../../src/adapters/journal/file-journal.ts'
import { surveyLedger } from '../../src/adapters/ledger/format.ts'
import { exportStore } from '../../src/app/archive/export-store.ts'
import { importArchive } from '../../src/app/archive/import-archive.ts'
import { rebuildActor } from '../../src/app/store/actor-states.ts'
import { readStore } from '../../src/app/store/read-store.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { silentLog } from '../crash/journal-life.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { manualClock } from '../harness/system.ts'
import type { World } from './world.ts'

const GRANT = { shard: 0, epoch: 1 }
const codec = createCodec()

/** A data folder whose journal has the turns of these actors, as they came. */
export async function storeOf(worlds: readonly World[]): Promise<string> {
  const dir = dataFolder()
  const journal = await openJournal({ dir, log: silentLog, segmentBytes: 65_536, sealIdleMs: 60_000 })
  for (const { state, turns } of worlds) {
    const actorKey = `${state.tenantId}/${state.scope}`
    for (const turn of turns) {
      await journal.append(GRANT, { actorKey, actorSeq: turn.seq, payload: codec.encodeTurn(turn) })
    }
  }
  await journal.close()
  return dir
}

/** Exports everything in a folder into a new file; its path and what was told. */
export async function exported(dir: string, out = join(dataFolder(), 'archive.jsonl')) {
  const options = { out, tenantId: null, scope: null, isSkippingDamaged: false }
  const report = await exportStore(await readStore(dir), { ...options, nowMs: 0, packageVersion: 'test' })
  return { out, report }
}

export function imported(archive: string, dir = dataFolder()) {
  return importArchive(dir, archive, { clock: manualClock(0), log: silentLog })
}

/** Digest and exposure sets of every actor, wherever they are kept. */
export async function holdingsOf(dir: string): Promise<Readonly<Record<string, unknown>>> {
  const store = await readStore(dir)
  const holdings: Record<string, unknown> = {}
  for (const actor of store.actors.values()) {
    const { state, damages } = await rebuildActor(store.files, actor)
    const sets = new Map(state.exposures)
    for (const { path, named: file } of store.ledger.found) {
      if (file.actorKeyHash !== actor.keyHash) continue
      for (const record of (await surveyLedger(store.files, path, file)).records) {
        sets.set(record.guideTraceId, record)
      }
    }
    const exposures = [...sets.values()].sort((a, b) => (a.guideTraceId < b.guideTraceId ? -1 : 1))
    holdings[actor.key] = { digest: stateHash(state), exposures, damages }
  }
  return holdings
}
