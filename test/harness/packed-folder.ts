import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { openPackedFiles, PACKED_PARTS } from '../../src/adapters/packs/packed-files.ts'
import { memoryLog } from './system.ts'

/** Packs every small file of a folder that nobody has open, as a service with many actors does. Answers the packs. */
export async function packFolder(dir: string): Promise<readonly string[]> {
  const { log } = memoryLog()
  const files = await openPackedFiles({ dir, files: nodeFiles, log, looseMax: 0, packBytes: 16 * 1024 })
  for (const part of PACKED_PARTS) {
    const root = join(dir, part)
    if (!existsSync(root)) continue
    for (const name of await files.readdir(root)) await files.readdir(join(root, name)).catch(() => [])
  }
  files.start()
  await files.idle()
  await files.stop()
  return readdirSync(join(dir, 'packs')).map((name) => join(dir, 'packs', name))
}
