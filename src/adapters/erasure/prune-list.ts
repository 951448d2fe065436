import { basename, dirname, join } from 'node:path'
import { StartError } from '../../core/base/errors.ts'
import type { Files } from '../../ports/files.ts'
import { actorKeyHashOf } from '../files/actor-folders.ts'
import { createNamed } from '../files/durable-file.ts'
import { namesIn, readWhole } from '../files/whole-file.ts'
import { ERASING_FOLDER } from './marks.ts'

// erasing/<hash of the content>.pruning holds a JSON array of actor keys. The name is the checksum, as that of a mark. From
// the moment it is durable these actors do not exist any more, whatever lies on disk of them; it goes when nothing does.
const NAME = /^([0-9a-f]{32})\.pruning$/

/** Actors that are gone, and of which something may still be on disk. Empty when there are none. */
export async function readPruned(files: Files, dir: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  for (const path of await listed(files, dir)) {
    const content = Buffer.from((await readWhole(files, path)) ?? new Uint8Array(0))
    for (const key of keysIn(content, path)) keys.add(key)
  }
  return keys
}

/** Resolves when it is durable that the actors are gone: all of them, or a crash has left none so. */
export async function putPruned(files: Files, dir: string, keys: readonly string[]): Promise<void> {
  const folder = join(dir, ERASING_FOLDER)
  await files.mkdir(folder)
  await files.fsyncDir(dirname(folder))
  const content = JSON.stringify(keys)
  const path = join(folder, `${actorKeyHashOf(content)}.pruning`)
  await createNamed(files, path, (file) => file.append(Buffer.from(content, 'utf8')))
}

/** Call it when nothing of the actors is left. Resolves when it is durable. */
export async function clearPruned(files: Files, dir: string): Promise<void> {
  for (const path of await listed(files, dir)) await files.unlink(path)
  await files.fsyncDir(join(dir, ERASING_FOLDER))
}

async function listed(files: Files, dir: string): Promise<readonly string[]> {
  const folder = join(dir, ERASING_FOLDER)
  return (await namesIn(files, folder)).filter((name) => NAME.test(name)).map((name) => join(folder, name))
}

/** A list that is not what its name says would take the wrong actors: nothing goes on before somebody has looked. */
function keysIn(content: Buffer, path: string): readonly string[] {
  const [, hash] = NAME.exec(basename(path)) ?? []
  const text = content.toString('utf8')
  if (actorKeyHashOf(text) !== hash) {
    throw new StartError(
      'store_damaged',
      `${path} is damaged: it names scopes that are pruned. Move it away to keep what is left of them`,
    )
  }
  const keys: unknown = JSON.parse(text)
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
}
