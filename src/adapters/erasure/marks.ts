import { basename, join } from 'node:path'
import { StartError } from '../../core/base/errors.ts'
import type { Files } from '../../ports/files.ts'
import type { ErasureMarks } from '../../ports/store.ts'
import { actorKeyHashOf, listFiles } from '../files/actor-folders.ts'
import { KeyQueue } from '../files/concurrency.ts'
import { isDiskFull } from '../files/folder-watch.ts'
import { type DataFolder, makeFolder, readWhole, replaceWhole } from '../files/whole-file.ts'

// erasing/<actorKeyHash>.erasing holds the key of the actor as UTF-8 and nothing else. The name is the checksum: a file
// whose content has another hash is no mark.
const NAME = /^([0-9a-f]{32})\.erasing$/
export const ERASING_FOLDER = 'erasing'
/** Lies there too, see below. */
const PRUNE_LIST = /^([0-9a-f]{32})\.pruning$/
/** Zeros that make room on a full disk: for a mark, so that no erasure is forgotten there, and for a small one to be finished. */
const RESERVE = 'reserve'
const RESERVE_BYTES = 64 * 1024

export async function listErasureMarks(files: Files, dir: string) {
  const listed = await listFiles(files, join(dir, ERASING_FOLDER), (name) => NAME.exec(name)?.[1] ?? null)
  const isOther = (path: string) => !path.endsWith('.pruning') && basename(path) !== RESERVE
  const others = listed.others.filter(isOther)
  const keys: string[] = []
  for (const { path, named: hash } of listed.found) {
    const bytes = await readWhole(files, path)
    // Its erasure has ended since, by a service that goes on.
    if (bytes === null) continue
    const key = Buffer.from(bytes).toString('utf8')
    if (actorKeyHashOf(key) === hash) keys.push(key)
    else others.push(path)
  }
  return { keys, drafts: listed.drafts, others }
}

/** Reads the marks that an earlier process left, and removes drafts of a crash. */
export async function openErasureMarks({ dir, files, log }: DataFolder): Promise<ErasureMarks> {
  const folder = join(dir, ERASING_FOLDER)
  await makeFolder(files, folder)
  // A name that is visible may not be durable yet: the last process may have ended before its own flush.
  await files.fsyncDir(folder)
  const { keys, drafts, others } = await listErasureMarks(files, dir)
  for (const draft of drafts) await files.unlink(draft)
  for (const file of others) log.warn({ file }, 'not the mark of an erasure: left alone')
  const marked = new Set(keys)
  const turns = new KeyQueue()
  const layReserve = async (): Promise<void> => {
    const path = join(folder, RESERVE)
    if ((await files.stat(path)) === null) await replaceWhole(files, path, new Uint8Array(RESERVE_BYTES))
  }
  const tryToLayReserve = (): Promise<void> =>
    turns.run(RESERVE, layReserve).catch((error: unknown) => {
      log.warn({ error }, 'there is no room to keep for marks of erasures')
    })
  await tryToLayReserve()
  return {
    marked: async function* () {
      yield* marked
    },
    has: async (actorKey) => marked.has(actorKey),
    put: (_grant, actorKey) =>
      turns.run(actorKey, async () => {
        if (marked.has(actorKey)) return
        const path = join(folder, `${actorKeyHashOf(actorKey)}.erasing`)
        const write = () => replaceWhole(files, path, Buffer.from(actorKey, 'utf8'))
        await write().catch(async (error: unknown) => {
          if (!isDiskFull(error)) throw error
          await files.unlink(join(folder, RESERVE))
          await write()
        })
        marked.add(actorKey)
      }),
    remove: (_grant, actorKey) =>
      turns.run(actorKey, async () => {
        if (!marked.has(actorKey)) return
        await files.unlink(join(folder, `${actorKeyHashOf(actorKey)}.erasing`))
        await files.fsyncDir(folder)
        marked.delete(actorKey)
        await tryToLayReserve()
      }),
  }
}

// erasing/<hash of the content>.pruning holds a JSON array of actor keys. The name is the checksum, as that of a mark. From
// the moment it is durable these actors do not exist any more, whatever lies on disk of them; it goes when nothing does.

/** Actors that are gone, and of which something may still be on disk. Empty when there are none. */
export async function readPruned(files: Files, dir: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  for (const path of await listed(files, dir)) {
    const bytes = (await readWhole(files, path)) ?? new Uint8Array(0)
    for (const key of keysIn(Buffer.from(bytes).toString('utf8'), path)) keys.add(key)
  }
  return keys
}

/** Resolves when it is durable that the actors are gone: all of them, or a crash has left none so. */
export async function putPruned(files: Files, dir: string, keys: readonly string[]): Promise<void> {
  const folder = join(dir, ERASING_FOLDER)
  await makeFolder(files, folder)
  const content = JSON.stringify(keys)
  const path = join(folder, `${actorKeyHashOf(content)}.pruning`)
  await replaceWhole(files, path, Buffer.from(content, 'utf8'))
}

/** Call it when nothing of the actors is left. Resolves when it is durable. */
export async function clearPruned(files: Files, dir: string): Promise<void> {
  for (const path of await listed(files, dir)) await files.unlink(path)
  await files.fsyncDir(join(dir, ERASING_FOLDER))
}

async function listed(files: Files, dir: string): Promise<readonly string[]> {
  const isList = (name: string) => (PRUNE_LIST.test(name) ? name : null)
  return (await listFiles(files, join(dir, ERASING_FOLDER), isList)).found.map(({ path }) => path)
}

/** A list that is not what its name says would take the wrong actors: nothing goes on before somebody has looked. */
function keysIn(text: string, path: string): readonly string[] {
  const [, hash] = PRUNE_LIST.exec(basename(path)) ?? []
  if (actorKeyHashOf(text) !== hash) {
    throw new StartError(
      'store_damaged',
      `${path} is damaged: it names scopes that are pruned. Move it away to keep what is left of them`,
    )
  }
  const keys: unknown = JSON.parse(text)
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
}
