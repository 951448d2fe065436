import { crcOf } from '../src/adapters/binary/bytes.ts'
import { createCodec } from '../src/adapters/codec/codec.ts'
import { nodeFiles } from '../src/adapters/files/node-files.ts'
import { type ActorPositions, readPositions } from '../src/adapters/journal/record-index.ts'
import { createSnapshot, readSnapshot, type SnapshotFile } from '../src/adapters/snapshot/format.ts'
import { assert } from '../src/core/base/assert.ts'
import { evolve } from '../src/core/model/evolve.ts'
import { type ActorState, emptyState } from '../src/core/model/state.ts'
import {
  digestSteps,
  imageOf,
  type RecordDigests,
  stateSteps,
  type UndigestedImage,
} from '../src/core/model/state-image.ts'
import { makeWay, makingWay, yieldProcessor } from './background-thread.ts'

/** Rows of an image between two rests: some tenths of a millisecond. */
const STEP_ROWS = 50

export interface CompactJob {
  readonly actorKey: string
  readonly storeId: string | null
  readonly tenantId: string
  readonly scope: string
  readonly folder: string
  /** Null: from the first turn on. */
  readonly basePath: string | null
  readonly positions: ActorPositions
}

export interface CompactResult extends SnapshotFile {
  /** Digest of the state in it. */
  readonly stateHash: string
}

/** Old snapshot and journal records in, new durable snapshot out, through the same `evolve` as live turns. */
export default async function compactTask(job: CompactJob): Promise<CompactResult> {
  yieldProcessor()
  const codec = createCodec()
  // Most records are those of the base: they are digested once.
  const known: RecordDigests = new Map()
  const { actorKey, storeId, tenantId, scope, basePath } = job
  const state = basePath === null ? emptyState(tenantId, scope) : await stateAt(basePath, known)
  let last: Uint8Array = new Uint8Array(0)
  for await (const { payload } of readPositions(nodeFiles, job.positions)) {
    evolve(state, codec.decodeTurn(payload))
    last = payload
    makeWay()
  }
  const undigested = imageOf(state)
  const image = { ...undigested, stateHash: digestOf(undigested, known) }
  const written = await createSnapshot(
    nodeFiles,
    job.folder,
    { actorKey, storeId, turnCrc: crcOf(last) },
    image,
  )
  return { ...written, stateHash: image.stateHash }
}

/** A base that is not what it was written as would get a fresh digest that matches it. */
async function stateAt(path: string, known: RecordDigests): Promise<ActorState> {
  const { image } = await readSnapshot(nodeFiles, path)
  const state = makingWay(stateSteps(image, STEP_ROWS))
  assert(
    digestOf(imageOf(state), known) === image.stateHash,
    `the snapshot ${path} does not have the digest it was given`,
  )
  return state
}

function digestOf(image: UndigestedImage, known: RecordDigests): string {
  return makingWay(digestSteps(image, STEP_ROWS, known))
}
