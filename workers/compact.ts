import { createCodec } from '../src/adapters/codec/codec.ts'
import { actorKeyHashOf } from '../src/adapters/files/actor-folders.ts'
import { createDurably } from '../src/adapters/files/durable-file.ts'
import { nodeFiles } from '../src/adapters/files/node-files.ts'
import { type ActorPositions, readPositions } from '../src/adapters/journal/positions.ts'
import { draftNameOf, snapshotNameOf } from '../src/adapters/snapshot/file-name.ts'
import { readSnapshot } from '../src/adapters/snapshot/reader.ts'
import { writeSnapshot } from '../src/adapters/snapshot/writer.ts'
import { assert } from '../src/domain/assert.ts'
import { evolve } from '../src/domain/memory/evolve.ts'
import { type ActorState, emptyState } from '../src/domain/memory/state.ts'
import { imageOf, type RecordDigests, stateFrom, stateHash } from '../src/domain/memory/state-image.ts'
import { yieldProcessor } from './background-thread.ts'

export interface CompactJob {
  readonly actorKey: string
  readonly tenantId: string
  readonly scope: string
  readonly folder: string
  /** Null: from the first turn on. */
  readonly basePath: string | null
  readonly positions: ActorPositions
}

export interface CompactResult {
  readonly seq: number
  readonly bytes: number
  readonly name: string
  /** Digest of the state in it. */
  readonly stateHash: string
}

/** Old snapshot and journal records in, new durable snapshot out, through the same `evolve` as live turns. */
export default async function compactTask(job: CompactJob): Promise<CompactResult> {
  yieldProcessor()
  const codec = createCodec()
  // Most records are those of the base: they are digested once.
  const known: RecordDigests = new Map()
  const { actorKey, tenantId, scope, basePath } = job
  const state = basePath === null ? emptyState(tenantId, scope) : await stateAt(basePath, known)
  for await (const { payload } of readPositions(nodeFiles, job.positions)) {
    evolve(state, codec.decodeTurn(payload))
  }
  const image = { ...imageOf(state), stateHash: stateHash(state, known) }
  const hash = actorKeyHashOf(actorKey)
  const target = {
    folder: job.folder,
    draftName: draftNameOf(hash, state.seq),
    nameOf: (bytes: number) => snapshotNameOf(hash, state.seq, bytes, actorKey),
  }
  const { name, bytes } = await createDurably(nodeFiles, target, (file) =>
    writeSnapshot(file, actorKey, image),
  )
  return { seq: state.seq, bytes, name, stateHash: image.stateHash }
}

/** A base that is not what it was written as would get a fresh digest that matches it. */
async function stateAt(path: string, known: RecordDigests): Promise<ActorState> {
  const { image } = await readSnapshot(nodeFiles, path)
  const state = stateFrom(image)
  assert(
    stateHash(state, known) === image.stateHash,
    `the snapshot ${path} does not have the digest it was given`,
  )
  return state
}
