import { dirname, join } from 'node:path'
import type { ErasureMarks } from '../../ports/erasures.ts'
import type { Files } from '../../ports/files.ts'
import { actorKeyHashOf } from '../files/actor-folders.ts'
import { createNamed, type GrowingFile, TEMPORARY_SUFFIX } from '../files/durable-file.ts'
import { isDiskFull } from '../files/free-space.ts'
import { KeyQueue } from '../files/key-queue.ts'
import type { DataFolder } from '../files/quarantine.ts'
import { namesIn, readWhole } from '../files/whole-file.ts'

// erasing/<actorKeyHash>.erasing holds the key of the actor as UTF-8 and nothing else. The name is the checksum: a file
// whose content has another hash is no mark.
const NAME = /^([0-9a-f]{32})\.erasing$/
export const ERASING_FOLDER = 'erasing'
/** Lies there too, see prune-list.ts. */
const PRUNE_LIST = /\.pruning$/
/** Zeros that make room on a full disk: for a mark, so that no erasure is forgotten there, and for a small one to be finished. */
const RESERVE = 'reserve'
const RESERVE_BYTES = 64 * 1024

/** What lies in the folder of marks. */
export interface ListedMarks {
  readonly keys: readonly string[]
  readonly drafts: readonly string[]
  /** Files that are no marks. */
  readonly others: readonly string[]
}

/** Reads the marks of a data folder; changes nothing. */
export async function listErasureMarks(files: Files, dir: string): Promise<ListedMarks> {
  const folder = join(dir, ERASING_FOLDER)
  const listed = { keys: [] as string[], drafts: [] as string[], others: [] as string[] }
  for (const name of await namesIn(files, folder)) {
    const path = join(folder, name)
    const [, hash] = NAME.exec(name) ?? []
    if (name.endsWith(TEMPORARY_SUFFIX)) listed.drafts.push(path)
    else if (PRUNE_LIST.test(name) || name === RESERVE) continue
    else if (hash === undefined) listed.others.push(path)
    else {
      const key = Buffer.from((await readWhole(files, path)) ?? new Uint8Array(0)).toString('utf8')
      if (actorKeyHashOf(key) === hash) listed.keys.push(key)
      else listed.others.push(path)
    }
  }
  return listed
}

/** Reads the marks that an earlier process left, and removes drafts of a crash. */
export async function openErasureMarks({ dir, files, log }: DataFolder): Promise<ErasureMarks> {
  const folder = join(dir, ERASING_FOLDER)
  await files.mkdir(folder)
  await files.fsyncDir(dirname(folder))
  // A name that is visible may not be durable yet: the last process may have ended before its own flush.
  await files.fsyncDir(folder)
  const { keys, drafts, others } = await listErasureMarks(files, dir)
  for (const draft of drafts) await files.unlink(draft)
  for (const file of others) log.warn({ file }, 'not the mark of an erasure: left alone')
  const marked = new Set(keys)
  const turns = new KeyQueue()
  const create = (name: string, write: (file: GrowingFile) => Promise<void>): Promise<unknown> =>
    createNamed(files, join(folder, name), write)
  const layReserve = async (): Promise<void> => {
    if ((await files.stat(join(folder, RESERVE))) !== null) return
    await create(RESERVE, (file) => file.append(new Uint8Array(RESERVE_BYTES)))
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
        const name = `${actorKeyHashOf(actorKey)}.erasing`
        const write = () => create(name, (file) => file.append(Buffer.from(actorKey, 'utf8')))
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
