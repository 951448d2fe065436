import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import type { Grant, VectorKey, VectorRow, VectorStore } from '../../ports/store.ts'
import { alignUp, bytesOver, getU64, putU64 } from '../binary/bytes.ts'
import { type ActorFolders, actorKeyHashOf, openActorFolders, shardOf } from '../files/actor-folders.ts'
import {
  createDurably,
  DamagedFileError,
  type DataFolder,
  type GrowingFile,
  NewerFileError,
  withFile,
  writeAll,
} from '../files/whole-file.ts'
import { encodeHead, encodeRecord, type Head } from '../record-file/format.ts'
import { withRecordFile } from '../record-file/reader.ts'

// A file of vectors is a record file that grows: the header has the actor and as fact modelHash, the body of a record is a
// row, in the order of writing.
//
//   0         8             16        20      24             24+k'
//   +---------+-------------+---------+-------+--------------+--------------+
//   | ordinal | updatedAtMs | numbers | idLen | memory id, k | numbers, f32 |
//   | u64     | u64         | u32     | u32   | utf8, to 4   |              |
//   +---------+-------------+---------+-------+--------------+--------------+
//
// numbers 0: no vector is wanted.
const ROW_HEAD_BYTES = 24
const HASH_CHARS = 32

/** First half of the SHA-256 of a model's name, 32 hex digits. */
export function modelHashOf(model: string): string {
  return hash('sha256', model, 'hex').slice(0, HASH_CHARS)
}

export function vectorsHead(actorKey: string, modelHash: string): Head {
  return { kind: 'vectors', actorKey, seq: 0, facts: { modelHash } }
}

export function encodeRow({ memoryId, ordinal, updatedAtMs, vector }: VectorRow): Uint8Array {
  const id = Buffer.from(memoryId, 'utf8')
  const numbersAt = ROW_HEAD_BYTES + alignUp(id.length, 4)
  const numbers = vector?.length ?? 0
  const { bytes, view } = bytesOver(new Uint8Array(numbersAt + numbers * 4))
  putU64(view, 0, ordinal)
  putU64(view, 8, updatedAtMs)
  view.setUint32(16, numbers, true)
  view.setUint32(20, id.length, true)
  bytes.set(id, ROW_HEAD_BYTES)
  for (let at = 0; at < numbers; at += 1) view.setFloat32(numbersAt + at * 4, vector?.[at] ?? 0, true)
  return encodeRecord(bytes)
}

function decodeRow(body: Uint8Array): VectorRow | null {
  if (body.length < ROW_HEAD_BYTES) return null
  const { bytes, view } = bytesOver(body)
  const numbers = view.getUint32(16, true)
  const idBytes = view.getUint32(20, true)
  const numbersAt = ROW_HEAD_BYTES + alignUp(idBytes, 4)
  if (numbersAt + numbers * 4 !== bytes.length) return null
  const memoryId = Buffer.from(bytes.buffer, bytes.byteOffset + ROW_HEAD_BYTES, idBytes).toString('utf8')
  const vector = numbers === 0 ? null : new Float32Array(numbers)
  if (vector !== null) {
    for (let at = 0; at < numbers; at += 1) vector[at] = view.getFloat32(numbersAt + at * 4, true)
  }
  return { memoryId, ordinal: getU64(view, 0), updatedAtMs: getU64(view, 8), vector }
}

export type TakeRow = (row: VectorRow, modelHash: string) => Promise<void> | void

/**
 * Reads a file row by row; a damaged row is passed over, and what cannot be a row ends the file. Null when this is no file
 * of the actor.
 */
export async function readVectors(files: Files, path: string, actorKey: string, take: TakeRow) {
  try {
    return await withRecordFile(files, path, 'vectors', async (file) => {
      const { head, recordsAt, fileBytes, isOld } = file.layout
      const { modelHash, actorKeyHash } = head.facts
      const isOurs = isOld ? actorKeyHash === actorKeyHashOf(actorKey) : head.actorKey === actorKey
      if (!isOurs || typeof modelHash !== 'string') return null
      let damagedRows = 0
      /** What follows was not written whole. */
      let endsAt = recordsAt
      for await (const { body, end } of file.grown()) {
        const row = body === null ? null : decodeRow(body)
        if (row === null) {
          damagedRows += 1
          continue
        }
        endsAt = end
        await take(row, modelHash)
      }
      return { modelHash, isOld, endsAt, fileBytes, damagedRows }
    })
  } catch (error) {
    if (error instanceof DamagedFileError || error instanceof NewerFileError) return null
    throw error
  }
}

/** The newest row of each memory in the file of an actor, of this model or wanting no vector. `model` null: only those. */
export async function storedRows(
  files: Files,
  dir: string,
  actorKey: string,
  model: string | null,
): Promise<readonly VectorRow[]> {
  const path = vectorPathOf(dir, actorKeyHashOf(actorKey))
  if ((await files.stat(path)) === null) return []
  const wanted = model === null ? null : modelHashOf(model)
  const newest = new Map<string, VectorRow>()
  await readVectors(files, path, actorKey, (row, modelHash) => {
    if (row.vector === null || modelHash === wanted) newest.set(row.memoryId, row)
  })
  return [...newest.values()]
}

export interface VectorStoreOptions extends DataFolder {
  /** Whose vectors are wanted; null: nobody's, and rows are only taken away. */
  readonly model: string | null
}

const FOLDER = 'vec'
const SUFFIX = '.vec'
/** A file is written anew at its load when it has more rows of the past than of today, and more than this. */
const STALE_ROWS_MIN = 256

export function vectorPathOf(dir: string, actorKeyHash: string): string {
  return join(dir, FOLDER, shardOf(actorKeyHash), actorKeyHash + SUFFIX)
}

/** The store over `vec/`. Null without a model when no earlier process has left any vectors. */
export async function openVectorStore(options: VectorStoreOptions): Promise<VectorStore | null> {
  const root = join(options.dir, FOLDER)
  if (options.model === null && (await options.files.stat(root)) === null) return null
  const { folders, fileNames } = await openActorFolders(options.files, root)
  return new FileVectorStore(options, folders, fileNames)
}

/** Calls for one actor take turns. */
class FileVectorStore implements VectorStore {
  readonly #options: VectorStoreOptions
  readonly #modelHash: string
  readonly #folders: ActorFolders
  /** Where the next row goes, by actor; null until the file has been read. */
  readonly #ends = new Map<string, number | null>()

  constructor(options: VectorStoreOptions, folders: ActorFolders, names: readonly string[]) {
    this.#options = options
    this.#modelHash = modelHashOf(options.model ?? '')
    this.#folders = folders
    for (const name of names) if (name.endsWith(SUFFIX)) this.#ends.set(name.slice(0, -SUFFIX.length), null)
  }

  load(actorKey: string, take: (row: VectorRow) => void): Promise<void> {
    return this.#folders.inTurn(actorKey, () => this.#load(actorKey, take))
  }

  append(_grant: Grant, actorKey: string, rows: readonly VectorRow[]): Promise<void> {
    return this.#folders.inTurn(actorKey, async (hash) => {
      const bytes = Buffer.concat(rows.map(encodeRow))
      if (this.#ends.get(hash) === null) await this.#load(actorKey, () => undefined)
      const end = this.#ends.get(hash)
      if (end === undefined || end === null) {
        await this.#create(actorKey, this.#modelHash, (file) => file.append(bytes))
        return
      }
      const { files } = this.#options
      await withFile(files, this.#pathOf(hash), 'write', async (fd) => {
        await writeAll(files, fd, bytes, end)
        await files.fdatasync(fd)
      })
      this.#ends.set(hash, end + bytes.length)
    })
  }

  keepOnly(_grant: Grant, actorKey: string, keeps: (key: VectorKey) => boolean): Promise<number> {
    return this.#folders.inTurn(actorKey, async (hash) => {
      const changed = await this.#keepOnly(actorKey, keeps)
      await this.#options.files.scrub(this.#pathOf(hash))
      return changed
    })
  }

  async #keepOnly(actorKey: string, keeps: (key: VectorKey) => boolean): Promise<0 | 1> {
    if (!this.#ends.has(actorKeyHashOf(actorKey))) return 0
    let others = 0
    const read = await this.#read(actorKey, (row) => {
      if (!keeps(row)) others += 1
    })
    if (read === null) return 1
    // What is damaged could be of a memory that is to go.
    const isClean = others === 0 && read.damagedRows === 0 && read.endsAt === read.fileBytes
    if (!isClean) await this.#rewrite(actorKey, read.modelHash, keeps)
    // Rows of this model do not go into a file of another one: the next write reads it first.
    if (read.modelHash !== this.#modelHash) this.#ends.set(actorKeyHashOf(actorKey), null)
    return isClean ? 0 : 1
  }

  async #load(actorKey: string, take: (row: VectorRow) => void): Promise<void> {
    if (!this.#ends.has(actorKeyHashOf(actorKey))) return
    /** By memory, the number of the last row of it. */
    const newest = new Map<string, number>()
    let rows = 0
    const read = await this.#read(actorKey, (row, rowModelHash) => {
      rows += 1
      if (row.vector !== null && rowModelHash !== this.#modelHash) return
      newest.set(row.memoryId, rows)
      take(row)
    })
    if (read === null) return
    const isStale = read.isOld || rows > 2 * newest.size + STALE_ROWS_MIN
    const isOther = read.modelHash !== this.#modelHash
    if (!isOther && !isStale) return
    let at = 0
    await this.#rewrite(actorKey, this.#modelHash, ({ memoryId }) => {
      at += 1
      return newest.get(memoryId) === at
    })
  }

  /** Reads the file and notes its end; what is no file of the actor is removed, since all of it can be made again. */
  async #read(actorKey: string, take: TakeRow) {
    const hash = actorKeyHashOf(actorKey)
    const path = this.#pathOf(hash)
    const read = await readVectors(this.#options.files, path, actorKey, take)
    if (read === null) {
      this.#options.log.error({ file: path }, 'a file of vectors is not what it should be and is removed')
      await this.#options.files.unlink(path)
      await this.#options.files.fsyncDir(this.#folders.folderOf(hash))
      this.#ends.delete(hash)
      return null
    }
    const { damagedRows, endsAt, fileBytes } = read
    if (damagedRows > 0 || endsAt < fileBytes) {
      this.#options.log.warn({ file: path, damagedRows, endsAt, fileBytes }, 'damaged vectors are made again')
    }
    this.#ends.set(hash, endsAt)
    return read
  }

  #rewrite(actorKey: string, modelHash: string, keeps: (row: VectorRow) => boolean): Promise<void> {
    return this.#create(actorKey, modelHash, async (file) => {
      await readVectors(
        this.#options.files,
        this.#pathOf(actorKeyHashOf(actorKey)),
        actorKey,
        async (row) => {
          if (keeps(row)) await file.append(encodeRow(row))
        },
      )
    })
  }

  async #create(
    actorKey: string,
    modelHash: string,
    write: (file: GrowingFile) => Promise<void>,
  ): Promise<void> {
    const hash = actorKeyHashOf(actorKey)
    const target = {
      folder: await this.#folders.madeFolder(hash),
      draftName: hash,
      nameOf: () => hash + SUFFIX,
    }
    const { bytes } = await createDurably(this.#options.files, target, async (file) => {
      await file.append(encodeHead(vectorsHead(actorKey, modelHash)))
      await write(file)
    })
    this.#ends.set(hash, bytes)
  }

  #pathOf(hash: string): string {
    return this.#folders.pathOf(hash, hash + SUFFIX)
  }
}
