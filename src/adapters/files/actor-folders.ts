import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import { forEachConcurrently, KeyQueue } from './concurrency.ts'
import { makeFolder, namesIn, TEMPORARY_SUFFIX } from './whole-file.ts'

const ACTOR_KEY_HASH_CHARS = 32
const SHARD_CHARS = 2
const SHARD_NAME = /^[0-9a-f]{2}$/
const PARALLEL_FOLDERS = 8

/** First half of the SHA-256 of an actor key, 32 hex digits: the name under which an actor's files are kept. */
export function actorKeyHashOf(actorKey: string): string {
  return hash('sha256', actorKey, 'hex').slice(0, ACTOR_KEY_HASH_CHARS)
}

export function shardOf(actorKeyHash: string): string {
  return actorKeyHash.slice(0, SHARD_CHARS)
}

export type ActorFolders = ReturnType<typeof actorFolders>

/** Files of actors at `root/ab/name`, ab = the first two digits of the actor key's hash. */
function actorFolders(files: Files, root: string, known: Set<string>) {
  /** By the hash of an actor's key. */
  const turns = new KeyQueue()

  const folderOf = (hash: string): string => join(root, shardOf(hash))

  const pathOf = (hash: string, name: string): string => join(folderOf(hash), name)

  return {
    turns,
    /** Runs a task with the hash of the actor's key. Tasks of one actor take turns; actors do not wait for each other. */
    inTurn<T>(actorKey: string, task: (hash: string) => Promise<T>): Promise<T> {
      const hash = actorKeyHashOf(actorKey)
      return turns.run(hash, () => task(hash))
    },
    folderOf,
    pathOf,
    /** The actor's folder, which exists and is durable. */
    async madeFolder(hash: string): Promise<string> {
      const folder = folderOf(hash)
      if (!known.has(shardOf(hash))) await makeFolder(files, folder)
      known.add(shardOf(hash))
      return folder
    },
    /** Nothing of removed files of the actor is on disk any more. */
    scrub: (hash: string): Promise<void> => files.scrub(pathOf(hash, hash)),
  }
}

/** Lists `root` in one pass without opening a file; makes it where it is missing; removes drafts of a crash. */
export async function openActorFolders(files: Files, root: string) {
  await makeFolder(files, root)
  // A name that is visible may not be durable yet: the last process may have ended before its own flush.
  await files.fsyncDir(root)
  const names = await files.readdir(root)
  const known = new Set(names.filter((name) => SHARD_NAME.test(name)))
  const fileNames: string[] = []
  await forEachConcurrently([...known], PARALLEL_FOLDERS, async (shard) => {
    const folder = join(root, shard)
    fileNames.push(...(await withoutDrafts(files, folder, await files.readdir(folder))))
    await files.fsyncDir(folder)
  })
  const others = names.filter((name) => !SHARD_NAME.test(name))
  const otherNames = await withoutDrafts(files, root, others)
  return { folders: actorFolders(files, root, known), fileNames, otherNames }
}

/** What lies in a folder, in the order of its names. */
export interface ListedFiles<Named> {
  readonly found: readonly FoundFile<Named>[]
  readonly drafts: readonly string[]
  /** Paths of what is nothing of ours. */
  readonly others: readonly string[]
}

export interface FoundFile<Named> {
  readonly path: string
  readonly name: string
  readonly named: Named
}

/** Lists a folder without opening a file; changes nothing. `parse`: what a name says; null: it is none of ours. */
export async function listFiles<Named>(
  files: Files,
  folder: string,
  parse: (name: string) => Named | null,
): Promise<ListedFiles<Named>> {
  const found: FoundFile<Named>[] = []
  const rest = { drafts: [] as string[], others: [] as string[] }
  for (const name of await namesIn(files, folder)) {
    const path = join(folder, name)
    const named = parse(name)
    if (named !== null) found.push({ path, name, named })
    else rest[name.endsWith(TEMPORARY_SUFFIX) ? 'drafts' : 'others'].push(path)
  }
  return { found, ...rest }
}

export async function listActorFolders<Named>(
  files: Files,
  root: string,
  parse: (name: string) => Named | null,
): Promise<ListedFiles<Named>> {
  const top = await listFiles(files, root, (name) => (SHARD_NAME.test(name) ? name : null))
  const shards: ListedFiles<Named>[] = []
  for (const { path } of top.found) shards.push(await listFiles(files, path, parse))
  return {
    found: shards.flatMap(({ found }) => found),
    drafts: [top, ...shards].flatMap(({ drafts }) => drafts),
    others: [top, ...shards].flatMap(({ others }) => others),
  }
}

/** The names of a folder without those of drafts, which are removed: a crash has left them. */
export async function withoutDrafts(
  files: Files,
  folder: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const drafts = names.filter((name) => name.endsWith(TEMPORARY_SUFFIX))
  for (const draft of drafts) await files.unlink(join(folder, draft))
  return drafts.length === 0 ? names : names.filter((name) => !drafts.includes(name))
}

const DIGITS = 16

/** Names that say a number in 16 hex digits between the same two parts, so that a folder listing is in its order. */
export function numberedNames(start: string, end: string) {
  const length = start.length + DIGITS + end.length
  return {
    nameOf: (number: number): string => `${start}${number.toString(16).padStart(DIGITS, '0')}${end}`,
    numberOf: (name: string): number | null => {
      if (name.length !== length || !name.startsWith(start) || !name.endsWith(end)) return null
      const digits = name.slice(start.length, start.length + DIGITS)
      return /^[0-9a-f]+$/.test(digits) ? Number.parseInt(digits, 16) : null
    },
  }
}
