import { GrowingFile } from '../../adapters/files/durable-file.ts'
import { MemoryFile } from '../../adapters/files/memory-file.ts'
import type { SnapshotFormat } from '../../adapters/postgres/options.ts'
import { readSnapshot, writeSnapshot } from '../../adapters/snapshot/format.ts'

/** A snapshot in a table has the bytes of one in a file. */
export const SNAPSHOT_FORMAT: SnapshotFormat = {
  async encode(actorKey, image) {
    const memory = new MemoryFile()
    const file = new GrowingFile(memory.files, 0)
    await writeSnapshot(file, { actorKey, storeId: null, turnCrc: null }, image)
    await file.flush()
    return memory.bytes
  },
  async decode(actorKey, bytes) {
    const found = await readSnapshot(new MemoryFile(bytes).files, 'snapshot')
    if (found.actorKey !== actorKey) throw new Error(`it is the snapshot of ${found.actorKey}`)
    return found.image
  },
}
