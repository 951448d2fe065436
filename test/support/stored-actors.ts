import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { SEGMENT_HEADER_BYTES } from '../../src/adapters/journal/format.ts'
import { crashImageOf, dataFolder, filesBelow } from '../harness/data-folder.ts'
import { startEmbedded } from '../harness/embedded.ts'

/** Small bounds, so that a short life leaves files of every kind. */
const SMALL = { segmentBytes: 65_536, snapshotMinBytes: 4096, residentActorsMax: 2 } as const
const TENANT = 'verify'
const TEXT = 'the valve is opened before the pump is started '

export interface MadeStore {
  /** After a clean stop. */
  readonly closed: string
  /** As a crash of the process leaves it: nothing is sealed, no snapshot covers the last turns. */
  readonly crashed: string
}

/** A data folder with segments, snapshots, ledger, history and notes of three actors, and a fourth that slept long. */
export async function makeStore(rounds = 40): Promise<MadeStore> {
  const service = await startEmbedded({ dir: dataFolder(), config: SMALL })
  for (let round = 0; round < rounds; round += 1) {
    for (const scope of round < 2 ? ['a', 'b', 'c', 'sleeper'] : ['a', 'b', 'c']) {
      const place = { tenant_id: TENANT, scope }
      await service.ok('observe', {
        ...place,
        input_text: `Fact ${round} of ${scope}: ${TEXT.repeat(12)}`,
        memory: { kind: 'fact' },
      })
      if (round % 5 === 1) await service.ok('guide', { ...place, query_text: 'start the pump' })
      if (round % 9 === 1)
        await service.ok('govern', { ...place, query_text: 'pump', candidates: [CANDIDATE] })
    }
  }
  await service.restart(SMALL)
  for (const scope of ['a', 'b', 'c', 'a', 'b', 'c']) {
    await service.ok('observe', {
      tenant_id: TENANT,
      scope,
      input_text: `Late fact of ${scope}.`,
      memory: { kind: 'fact' },
    })
  }
  const crashed = crashImageOf(service.dir)
  await service.close()
  return { closed: service.dir, crashed }
}

const CANDIDATE = {
  external_memory_id: 'x-1',
  source_backend: 'notes',
  text: 'Open the valve first.',
  lifecycle_hint: 'current',
  authority: { source_trust: 'known', evidence_requirement: 'none' },
}

/**
 * A place inside the first turn of every segment with a turn. Only the first batch is sure to hold one: a seal may stand anywhere
 * behind it, and what pads a batch may hold any bytes.
 */
export const FIRST_TURN_AT = SEGMENT_HEADER_BYTES + 200

/** Paths inside a folder, with the hash of their content: for comparing a folder with itself. */
export function contentOf(dir: string): ReadonlyMap<string, string> {
  return new Map(filesBelow(dir).map((path) => [relative(dir, path), hash('sha256', readFileSync(path))]))
}
