import { join } from 'node:path'
import { assert } from '../../core/base/assert.ts'
import type { StateImage } from '../../core/model/image.ts'
import type { Grant, SnapshotStore, StoredSnapshot } from '../../ports/store.ts'
import type { Clock } from '../../ports/system.ts'
import { type ActorFolders, actorKeyHashOf, openActorFolders } from '../files/actor-folders.ts'
import { forEachConcurrently } from '../files/concurrency.ts'
import {
  DamagedFileError,
  type DataFolder,
  moveToQuarantine,
  removeFromQuarantine,
  TEMPORARY_SUFFIX,
} from '../files/whole-file.ts'
import {
  checkSnapshot,
  createSnapshot,
  parseSnapshotName,
  readSnapshot,
  readSnapshotKey,
  requireOurs,
  type SnapshotFile,
  type SnapshotIdentity,
  type Whose,
} from './format.ts'

export interface SnapshotStoreOptions extends DataFolder {
  readonly clock: Clock
}

const KEPT_PER_ACTOR = 2
const PARALLEL_HEADERS = 16

interface ActorSnapshots {
  /** Null until a header tells it. */
  actorKey: string | null
  /** Oldest first. */
  files: readonly SnapshotFile[]
}

/** Where a snapshot is to be written that somebody else makes, and from what. Plain data. */
export interface SnapshotPlace {
  readonly folder: string
  readonly storeId: string | null
  readonly basePath: string | null
  readonly baseSeq: number
}

/** Lists the snapshots in `dir`, opening only those whose actor key is too long for a file name. */
export async function openSnapshotStore(options: SnapshotStoreOptions): Promise<FileSnapshotStore> {
  const { folders, fileNames } = await openActorFolders(options.files, join(options.dir, 'snap'))
  const store = new FileSnapshotStore(options, folders)
  await store.list(fileNames)
  return store
}

/** Writes and reads of one actor take turns; actors do not wait for each other. */
export class FileSnapshotStore implements SnapshotStore {
  readonly #options: SnapshotStoreOptions
  readonly #folders: ActorFolders
  readonly #actors = new Map<string, ActorSnapshots>()
  /** Turns that the newest snapshots cover. */
  #coveredTurns = 0
  #lastAtMs: number | null = null
  #whose: Whose = { storeId: null, turnCrcOf: async () => null }

  constructor(options: SnapshotStoreOptions, folders: ActorFolders) {
    this.#options = options
    this.#folders = folders
  }

  /**
   * Says which store this is, before the first snapshot is read or written: one of another store counts as damaged, and one of
   * other turns than its journal holds.
   */
  ofStore(storeId: string, turnCrcOf = this.#whose.turnCrcOf): void {
    this.#whose = { storeId, turnCrcOf }
  }

  async list(fileNames: readonly string[]): Promise<void> {
    for (const name of fileNames) {
      const parsed = parseSnapshotName(name)
      if (parsed === null) {
        this.#options.log.warn({ file: name }, 'not a snapshot: left alone')
        continue
      }
      const actor = this.#actors.get(parsed.actorKeyHash)
      const file = { seq: parsed.seq, bytes: parsed.bytes, name }
      this.#hold(parsed.actorKeyHash, {
        actorKey: actor?.actorKey ?? parsed.actorKey,
        files: [...(actor?.files ?? []), file].sort((a, b) => a.seq - b.seq),
      })
    }
    const nameless = [...this.#actors].filter(([, actor]) => actor.actorKey === null)
    await forEachConcurrently(nameless, PARALLEL_HEADERS, async ([hash, actor]) => {
      actor.actorKey = await this.#keyFromHeaders(hash, actor)
    })
  }

  async put(_grant: Grant, actorKey: string, image: StateImage): Promise<{ readonly bytes: number }> {
    const { bytes } = await this.adopt(actorKey, async ({ folder, storeId, baseSeq }) => {
      assert(Number.isSafeInteger(image.seq) && image.seq >= 0, 'a snapshot stands at a sequence')
      assert(image.seq >= baseSeq, 'a snapshot is not older than the one before it')
      const turnCrc = await this.#whose.turnCrcOf(actorKey, image.seq)
      return createSnapshot(this.#options.files, folder, { actorKey, storeId, turnCrc }, image)
    })
    return { bytes }
  }

  /**
   * Takes a snapshot that `write` makes durable in `place.folder`, in turn with the other writes of the actor. Null
   * when it wrote none.
   */
  adopt<Written extends SnapshotFile | null>(
    actorKey: string,
    write: (place: SnapshotPlace) => Promise<Written>,
  ): Promise<Written> {
    return this.#folders.inTurn(actorKey, async (hash) => {
      const folder = await this.#folders.madeFolder(hash)
      const newest = this.#newest(actorKey)
      const basePath = newest === undefined ? null : join(folder, newest.name)
      const { storeId } = this.#whose
      const written = await write({ folder, storeId, basePath, baseSeq: newest?.seq ?? 0 })
      if (written === null) return written
      this.#lastAtMs = this.#options.clock.nowMs()
      await this.#keepNewest(hash, actorKey, written)
      return written
    })
  }

  async get(actorKey: string): Promise<StoredSnapshot | null> {
    const whole = await this.#newestWhole(actorKey, (path) => readSnapshot(this.#options.files, path))
    return whole === null ? null : { seq: whole.seq, image: whole.image }
  }

  /** Sequence of the snapshot that `get` gives; 0 without one. Compares checksums and decodes nothing. */
  async wholeSeqOf(actorKey: string): Promise<number> {
    return (await this.#newestWhole(actorKey, (path) => checkSnapshot(this.#options.files, path)))?.seq ?? 0
  }

  /**
   * Removes every snapshot of the actor from before turn `seq`, also drafts of it and damaged ones that were set aside.
   * Resolves with their number when that is durable; rejects when there is no later one, or one cannot be removed.
   */
  dropBefore(actorKey: string, seq: number): Promise<number> {
    return this.#folders.inTurn(actorKey, async (hash) => {
      if (this.coveredSeqOf(actorKey) < seq) throw new Error(`no snapshot of ${actorKey} covers turn ${seq}`)
      const isOlder = (name: string): boolean => {
        if (!name.startsWith(`${hash}.`)) return false
        return name.endsWith(TEMPORARY_SUFFIX) || (parseSnapshotName(name)?.seq ?? seq) < seq
      }
      const folder = this.#folders.folderOf(hash)
      // The folder, not the list: a file that could not be removed earlier is only there.
      const names = (await this.#options.files.readdir(folder)).filter(isOlder)
      const actor = this.#actors.get(hash)
      if (actor !== undefined) actor.files = actor.files.filter(({ name }) => !names.includes(name))
      for (const name of names) await this.#options.files.unlink(join(folder, name))
      await this.#folders.scrub(hash)
      // In any case: an earlier removal may not be durable yet.
      await this.#options.files.fsyncDir(folder)
      const isOurs = (name: string): boolean => parseSnapshotName(name)?.actorKeyHash === hash
      return names.length + (await removeFromQuarantine(this.#options, isOurs))
    })
  }

  bytesOf(actorKey: string): number {
    return this.#newest(actorKey)?.bytes ?? 0
  }

  coveredSeqOf(actorKey: string): number {
    return this.#newest(actorKey)?.seq ?? 0
  }

  /** Sequences of the snapshots that are kept, oldest first. */
  seqsOf(actorKey: string): readonly number[] {
    return this.#actors.get(actorKeyHashOf(actorKey))?.files.map((file) => file.seq) ?? []
  }

  /** Every actor with a snapshot whose key is known. */
  *actorKeys(): Generator<string> {
    for (const { actorKey } of this.#actors.values()) if (actorKey !== null) yield actorKey
  }

  /** Actors with a snapshot, and the turns that their newest ones cover, added up. */
  extent(): { readonly actors: number; readonly turns: number } {
    return { actors: this.#actors.size, turns: this.#coveredTurns }
  }

  /** Counts from the start of this process. */
  lastAtMs(): number | null {
    return this.#lastAtMs
  }

  #newest(actorKey: string): SnapshotFile | undefined {
    return this.#actors.get(actorKeyHashOf(actorKey))?.files.at(-1)
  }

  #newestWhole<Read extends SnapshotIdentity>(
    actorKey: string,
    read: (path: string) => Promise<Read>,
  ): Promise<Read | null> {
    return this.#folders.inTurn(actorKey, async (hash) => {
      for (;;) {
        const newest = this.#actors.get(hash)?.files.at(-1)
        if (newest === undefined) return null
        const folder = this.#folders.folderOf(hash)
        try {
          const whole = await read(join(folder, newest.name))
          await requireOurs(whole, { ...newest, actorKey }, this.#whose)
          return whole
        } catch (error) {
          // A file that cannot be read is no damage.
          if (!(error instanceof DamagedFileError)) throw error
          await moveToQuarantine(this.#options, folder, newest.name, error.message)
        }
        this.#forget(hash, newest)
        const { seq } = newest
        this.#options.log.warn(
          { actorKey, seq, olderSeq: this.coveredSeqOf(actorKey) },
          'falling back to an older snapshot',
        )
      }
    })
  }

  async #keyFromHeaders(hash: string, actor: ActorSnapshots): Promise<string | null> {
    for (const file of actor.files.toReversed()) {
      try {
        const path = this.#folders.pathOf(hash, file.name)
        const actorKey = await readSnapshotKey(this.#options.files, path)
        if (actorKeyHashOf(actorKey) === hash) return actorKey
      } catch (error) {
        // Damage is dealt with when the actor is loaded by its key.
        if (!(error instanceof DamagedFileError)) throw error
      }
    }
    return null
  }

  async #keepNewest(hash: string, actorKey: string, written: SnapshotFile): Promise<void> {
    const older = (this.#actors.get(hash)?.files ?? []).filter((file) => file.name !== written.name)
    const files = [...older.filter((file) => file.seq < written.seq), written]
    const kept = files.slice(-KEPT_PER_ACTOR)
    const dropped = older.filter((file) => !kept.includes(file))
    this.#hold(hash, { actorKey, files: kept })
    for (const file of dropped) {
      // A file that stays is found and dropped after the next start.
      await this.#options.files.unlink(this.#folders.pathOf(hash, file.name)).catch((cause: unknown) => {
        const told = { file: file.name, cause: String(cause) }
        this.#options.log.warn(told, 'an old snapshot could not be removed')
      })
    }
  }

  #forget(hash: string, damaged: SnapshotFile): void {
    const actor = this.#actors.get(hash)
    if (actor === undefined) return
    const { actorKey, files } = actor
    this.#hold(hash, { actorKey, files: files.filter((file) => file !== damaged) })
  }

  #hold(hash: string, actor: ActorSnapshots): void {
    const before = this.#actors.get(hash)?.files.at(-1)?.seq ?? 0
    this.#coveredTurns += (actor.files.at(-1)?.seq ?? 0) - before
    if (actor.files.length === 0) this.#actors.delete(hash)
    else this.#actors.set(hash, actor)
  }
}
