import { join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import type { Log } from '../../ports/log.ts'
import type { Grant } from '../../ports/ownership.ts'
import type { VectorKey, VectorRow, VectorStore } from '../../ports/vectors.ts'
import { type ActorFolders, actorKeyHashOf, openActorFolders } from '../files/actor-folders.ts'
import { createDurably, type GrowingFile } from '../files/durable-file.ts'
import { KeyQueue } from '../files/key-queue.ts'
import { writeAll } from '../files/whole-file.ts'
import {
  encodeHeader,
  encodeRow,
  modelHashOf,
  type ReadVectors,
  readVectors,
  type TakeRow,
} from './format.ts'

export interface VectorStoreOptions {
  /** The data folder; vectors lie in `vec/`. */
  readonly dir: string
  readonly files: Files
  readonly log: Log
  /** Whose vectors are wanted; null: nobody's, and rows are only taken away. */
  readonly model: string | null
}

const FOLDER = 'vec'
const SUFFIX = '.vec'
/** A file is written anew at its load when it has more rows of the past than of today, and more than this. */
const STALE_ROWS_MIN = 256
/** Rows written with one call when a file is written anew. */
const ROWS_AT_ONCE = 64

/** The store over `vec/`. Null without a model when no earlier process has left any vectors. */
export async function openVectorStore(options: VectorStoreOptions): Promise<VectorStore | null> {
  const root = join(options.dir, FOLDER)
  if (options.model === null && (await options.files.stat(root)) === null) return null
  const { folders, fileNames } = await openActorFolders(options.files, root)
  return new FileVectorStore(options, folders, fileNames)
}

/** Calls for one actor take turns. */
class FileVectorStore implements VectorStore {
  readonly #files: Files
  readonly #log: Log
  readonly #modelHash: string
  readonly #folders: ActorFolders
  readonly #turns = new KeyQueue()
  /** Where the next row goes, by actor; null until the file has been read. */
  readonly #ends = new Map<string, number | null>()

  constructor({ files, log, model }: VectorStoreOptions, folders: ActorFolders, names: readonly string[]) {
    this.#files = files
    this.#log = log
    this.#modelHash = modelHashOf(model ?? '')
    this.#folders = folders
    for (const name of names) if (name.endsWith(SUFFIX)) this.#ends.set(name.slice(0, -SUFFIX.length), null)
  }

  load(actorKey: string, take: (row: VectorRow) => void): Promise<void> {
    const hash = actorKeyHashOf(actorKey)
    return this.#turns.run(hash, () => this.#load(hash, take))
  }

  append(_grant: Grant, actorKey: string, rows: readonly VectorRow[]): Promise<void> {
    const hash = actorKeyHashOf(actorKey)
    return this.#turns.run(hash, async () => {
      const bytes = Buffer.concat(rows.map(encodeRow))
      if (this.#ends.get(hash) === null) await this.#load(hash, () => undefined)
      const end = this.#ends.get(hash)
      if (end === undefined || end === null) {
        await this.#create(hash, this.#modelHash, (file) => file.append(bytes))
        return
      }
      const fd = await this.#files.open(this.#pathOf(hash), 'write')
      try {
        await writeAll(this.#files, fd, bytes, end)
        await this.#files.fdatasync(fd)
      } finally {
        await this.#files.close(fd)
      }
      this.#ends.set(hash, end + bytes.length)
    })
  }

  keepOnly(_grant: Grant, actorKey: string, keeps: (key: VectorKey) => boolean): Promise<number> {
    const hash = actorKeyHashOf(actorKey)
    return this.#turns.run(hash, async () => {
      if (!this.#ends.has(hash)) return 0
      let others = 0
      const { modelHash, damagedRows, endsAt, fileBytes } = await this.#read(hash, (row) => {
        if (!keeps(row)) others += 1
      })
      if (modelHash === null) return 1
      // What is damaged could be of a memory that is to go.
      if (others === 0 && damagedRows === 0 && endsAt === fileBytes) return 0
      await this.#rewrite(hash, modelHash, keeps)
      return 1
    })
  }

  async #load(hash: string, take: (row: VectorRow) => void): Promise<void> {
    if (!this.#ends.has(hash)) return
    const newest = new Map<string, VectorKey>()
    let rows = 0
    const { modelHash } = await this.#read(hash, (row, rowModelHash) => {
      rows += 1
      if (row.vector !== null && rowModelHash !== this.#modelHash) return
      const { memoryId, ordinal, updatedAtMs } = row
      newest.set(memoryId, { memoryId, ordinal, updatedAtMs })
      take(row)
    })
    if (modelHash === null) return
    const isStale = rows > 2 * newest.size + STALE_ROWS_MIN
    if (modelHash === this.#modelHash && !isStale) return
    const isOther = modelHash !== this.#modelHash
    await this.#rewrite(hash, this.#modelHash, (row) => {
      return isSame(row, newest.get(row.memoryId)) && (row.vector === null || !isOther)
    })
  }

  /** Reads the file and notes its end; what is no file of the actor is removed, since all of it can be made again. */
  async #read(hash: string, take: TakeRow): Promise<ReadVectors> {
    const path = this.#pathOf(hash)
    const read = await readVectors(this.#files, path, hash, take)
    const { modelHash, damagedRows, endsAt, fileBytes } = read
    if (modelHash === null) {
      this.#log.error({ file: path }, 'a file of vectors is not what it should be and is removed')
      await this.#files.unlink(path)
      await this.#files.fsyncDir(this.#folders.folderOf(hash))
      this.#ends.delete(hash)
      return read
    }
    if (damagedRows > 0 || endsAt < fileBytes) {
      this.#log.warn({ file: path, damagedRows, endsAt, fileBytes }, 'damaged vectors are made again')
    }
    this.#ends.set(hash, endsAt)
    return read
  }

  /** Replaces the file by one with some of its rows. */
  #rewrite(hash: string, modelHash: string, keeps: (row: VectorRow) => boolean): Promise<void> {
    return this.#create(hash, modelHash, async (file) => {
      const waiting: Uint8Array[] = []
      await readVectors(this.#files, this.#pathOf(hash), hash, async (row) => {
        if (!keeps(row)) return
        waiting.push(encodeRow(row))
        if (waiting.length === ROWS_AT_ONCE) await file.append(Buffer.concat(waiting.splice(0)))
      })
      await file.append(Buffer.concat(waiting))
    })
  }

  async #create(hash: string, modelHash: string, write: (file: GrowingFile) => Promise<void>): Promise<void> {
    await this.#folders.ensureFolder(hash)
    const target = { folder: this.#folders.folderOf(hash), draftName: hash, nameOf: () => hash + SUFFIX }
    const { bytes } = await createDurably(this.#files, target, async (file) => {
      await file.append(encodeHeader(modelHash, hash))
      await write(file)
    })
    this.#ends.set(hash, bytes)
  }

  #pathOf(hash: string): string {
    return join(this.#folders.folderOf(hash), hash + SUFFIX)
  }
}

function isSame(row: VectorKey, other: VectorKey | undefined): boolean {
  return other?.ordinal === row.ordinal && other.updatedAtMs === row.updatedAtMs
}
