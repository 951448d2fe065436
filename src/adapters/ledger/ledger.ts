import { join } from 'node:path'
import { assert } from '../../core/base/assert.ts'
import { atMsOf, guideTimeOf, parseTraceId } from '../../core/base/ids.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { ExposureLedger, Grant } from '../../ports/store.ts'
import { createPacker, type Packer } from '../binary/msgpack.ts'
import { type ActorFolders, actorKeyHashOf, openActorFolders } from '../files/actor-folders.ts'
import { doomedFiles, type RetainedFolder } from '../files/retention.ts'
import { DamagedFileError, moveToQuarantine, removeFromQuarantine } from '../files/whole-file.ts'
import {
  createLedgerFile,
  decodeExposure,
  findInLedger,
  inFileOrder,
  type LedgerFile,
  openRemovalMark,
  packExposures,
  parseLedgerName,
  type RemovalMark,
  readLedger,
  type StoredExposure,
  type TraceUuid,
} from './format.ts'

/** Nothing is removed. */
export const KEPT_FOREVER = {
  retentionMs: Number.POSITIVE_INFINITY,
  budgetBytes: Number.POSITIVE_INFINITY,
}

const SWEEP_EVERY_MS = 3_600_000
/** Only files under this size are merged, so that a record is rewritten a bounded number of times. */
const SMALL_FILE_BYTES = 1024 ** 2
const SMALL_FILES_MAX = 8
/** Removing goes down to this part of the budget, so that not every append removes a file. */
const BUDGET_PART_LEFT = 0.95

/** Lists the files of the ledger without opening one, and applies retention. */
export async function openExposureLedger(options: RetainedFolder): Promise<FileLedger> {
  const root = join(options.dir, 'ledger')
  const { folders, fileNames, otherNames } = await openActorFolders(options.files, root)
  const mark = await openRemovalMark(options.files, root, otherNames)
  const ledger = new FileLedger(options, folders, mark)
  ledger.adopt(fileNames)
  await ledger.sweep()
  return ledger
}

/** The ledger in files of this machine. Calls for one actor take turns; actors do not wait for each other. */
export class FileLedger implements ExposureLedger {
  readonly #options: RetainedFolder
  readonly #folders: ActorFolders
  readonly #mark: RemovalMark
  readonly #packer: Packer = createPacker({ isTabular: false })
  /** By the hash of the actor key; oldest sequence first. */
  readonly #actors = new Map<string, readonly LedgerFile[]>()
  #totalBytes = 0
  #sweptAtMs = 0
  #sweep: Promise<void> | null = null

  constructor(options: RetainedFolder, folders: ActorFolders, mark: RemovalMark) {
    this.#options = options
    this.#folders = folders
    this.#mark = mark
  }

  adopt(fileNames: readonly string[]): void {
    for (const name of fileNames) {
      const file = parseLedgerName(name)
      if (file === null) this.#options.log.warn({ file: name }, 'not a ledger file: left alone')
      else this.#replace(file.actorKeyHash, [], [file])
    }
  }

  async append(
    _grant: Grant,
    actorKey: string,
    fromSeq: number,
    toSeq: number,
    records: readonly ExposureRecord[],
  ): Promise<void> {
    assert(fromSeq >= 0 && fromSeq <= toSeq && Number.isSafeInteger(toSeq), 'a ledger file covers sequences')
    if (records.length === 0) return
    await this.#folders.inTurn(actorKey, async (hash) => {
      const packed = await packExposures(this.#packer, records)
      this.#replace(hash, [], [await this.#write(actorKey, fromSeq, toSeq, packed)])
      await this.#logged('a merge of ledger files failed', () => this.#mergeSmall(actorKey))
    })
    // A clock that was ahead is set back: then the last sweep lies in the future.
    const sweptAgoMs = Math.abs(this.#options.clock.nowMs() - this.#sweptAtMs)
    if (this.#totalBytes > this.#options.budgetBytes || sweptAgoMs >= SWEEP_EVERY_MS) await this.sweep()
  }

  find(actorKey: string, guideTraceId: string): Promise<ExposureRecord | null> {
    const uuid = parseTraceId(guideTraceId)
    if (uuid === null) return Promise.resolve(null)
    const atMs = atMsOf(uuid)
    return this.#folders.inTurn(actorKey, async (hash) => {
      const files = this.#actors.get(hash) ?? []
      for (const file of files.toReversed()) {
        if (atMs < file.oldestMs || atMs > file.newestMs) continue
        const record = await this.#findIn(file, uuid)
        if (record !== null) return record
      }
      return null
    })
  }

  async *newestFirst(actorKey: string, notAfterMs = Number.MAX_SAFE_INTEGER): AsyncGenerator<ExposureRecord> {
    const hash = actorKeyHashOf(actorKey)
    const read = new Set<LedgerFile>()
    const seen = new Set<string>()
    // Records of the files read so far, oldest first. A merged file may lie around others in time.
    let open: StoredExposure[] = []
    for (;;) {
      const last = open.at(-1)
      // Asked again each time: meanwhile a merge may have taken files away.
      const file = newestUnread(this.#actors.get(hash) ?? [], read, notAfterMs)
      if (file !== undefined && (last === undefined || atMsOf(last.uuid) <= file.newestMs)) {
        read.add(file)
        const records = await this.#folders.turns.run(hash, () => this.#recordsOf(hash, file))
        const kept = records.filter(({ uuid }) => atMsOf(uuid) <= notAfterMs)
        open = [...inFileOrder([...open, ...kept])]
        continue
      }
      if (last === undefined) return
      open.pop()
      if (seen.has(last.uuid)) continue
      seen.add(last.uuid)
      yield decodeExposure(this.#packer, last)
    }
  }

  /**
   * Rewrites every file in which something of a record of the actor has to go, all of it where null is left, and removes
   * damaged ones that were set aside. Resolves with their number when that is durable; rejects when one has to stay. Doing it
   * again changes nothing.
   */
  rewrite(actorKey: string, leftOf: (shown: ExposureRecord) => ExposureRecord | null): Promise<number> {
    return this.#folders.inTurn(actorKey, async (hash) => {
      let changed = 0
      for (const file of this.#actors.get(hash) ?? []) {
        const { records, damage } = await this.#read(file)
        const kept = records.flatMap((stored) => this.#leftOf(stored, leftOf))
        const isUnchanged = kept.length === records.length && kept.every((each, at) => each === records[at])
        // What cannot be read of a damaged file may have to go too.
        if (damage === null && isUnchanged) continue
        const added = kept.length === 0 ? [] : [await this.#write(actorKey, file.fromSeq, file.toSeq, kept)]
        this.#replace(hash, [file], added)
        if (added[0]?.name !== file.name) await this.#options.files.unlink(this.#pathOf(file))
        changed += 1
      }
      await this.#folders.scrub(hash)
      if (changed > 0) await this.#options.files.fsyncDir(this.#folders.folderOf(hash))
      const isOurs = (name: string): boolean => parseLedgerName(name)?.actorKeyHash === hash
      return changed + (await removeFromQuarantine(this.#options, isOurs))
    })
  }

  #leftOf(
    stored: StoredExposure,
    leftOf: (shown: ExposureRecord) => ExposureRecord | null,
  ): readonly StoredExposure[] {
    const shown = decodeExposure(this.#packer, stored)
    const left = leftOf(shown)
    if (left === null) return []
    return left === shown ? [stored] : [{ uuid: stored.uuid, body: this.#packer.pack(left) }]
  }

  keptFromMs(): number {
    return this.#options.clock.nowMs() - this.#options.retentionMs
  }

  /** Told by the time in the id alone; files removed for their size count for every actor. */
  isBeyondRetention(_actorKey: string, guideTraceId: string): boolean {
    const atMs = guideTimeOf(guideTraceId)
    return atMs < this.keptFromMs() || atMs <= this.#mark.removedUntilMs
  }

  isUsed(): boolean {
    return this.#actors.size > 0 || this.#mark.removedUntilMs > 0
  }

  /** Applies retention now. Appends do so too, at most once an hour for age. Never rejects. */
  sweep(): Promise<void> {
    this.#sweep ??= this.#logged('retention of the ledger failed', () => this.#applyRetention()).finally(
      () => {
        this.#sweep = null
      },
    )
    return this.#sweep
  }

  #read(file: LedgerFile): ReturnType<typeof readLedger> {
    return readLedger(this.#options.files, this.#pathOf(file), file)
  }

  /** None where the file is gone meanwhile. */
  async #recordsOf(hash: string, file: LedgerFile): Promise<readonly StoredExposure[]> {
    if (this.#actors.get(hash)?.includes(file) !== true) return []
    const { records, damage } = await this.#read(file)
    if (damage !== null) this.#options.log.error({ file: file.name, damage }, 'damaged ledger file')
    return records
  }

  /** A damaged file is told of and left where it is: its other records may be whole. */
  async #findIn(file: LedgerFile, uuid: TraceUuid): Promise<ExposureRecord | null> {
    try {
      const found = await findInLedger(this.#options.files, this.#pathOf(file), file, uuid)
      return found === null ? null : decodeExposure(this.#packer, found)
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error
      this.#options.log.error({ file: file.name, damage: error.message }, 'damaged ledger file')
      return null
    }
  }

  async #write(
    actorKey: string,
    fromSeq: number,
    toSeq: number,
    records: readonly StoredExposure[],
  ): Promise<LedgerFile> {
    const folder = await this.#folders.madeFolder(actorKeyHashOf(actorKey))
    return createLedgerFile(this.#options.files, folder, actorKey, { fromSeq, toSeq }, records)
  }

  /** One file in place of many small ones, without what is beyond retention. A crash leaves records twice. */
  async #mergeSmall(actorKey: string): Promise<void> {
    const hash = actorKeyHashOf(actorKey)
    const small = (this.#actors.get(hash) ?? []).filter((file) => file.bytes < SMALL_FILE_BYTES)
    if (small.length <= SMALL_FILES_MAX) return
    const merged = new Map<TraceUuid, StoredExposure>()
    const damaged = new Map<LedgerFile, string>()
    const keptFromMs = this.keptFromMs()
    for (const file of small) {
      const content = await this.#read(file)
      if (content.damage !== null) damaged.set(file, content.damage)
      for (const stored of content.records) {
        if (atMsOf(stored.uuid) >= keptFromMs) merged.set(stored.uuid, stored)
      }
    }
    const added: LedgerFile[] = []
    if (merged.size > 0) {
      const fromSeq = Math.min(...small.map((file) => file.fromSeq))
      const toSeq = Math.max(...small.map((file) => file.toSeq))
      added.push(await this.#write(actorKey, fromSeq, toSeq, inFileOrder(merged.values())))
    }
    this.#replace(hash, small, added)
    for (const file of small) {
      // A repetition of a file may have had the very name of the merged one.
      if (added.some(({ name }) => name === file.name)) continue
      const damage = damaged.get(file)
      if (damage === undefined) await this.#options.files.unlink(this.#pathOf(file))
      else await moveToQuarantine(this.#options, this.#folders.folderOf(hash), file.name, damage)
    }
  }

  async #applyRetention(): Promise<void> {
    const nowMs = this.#options.clock.nowMs()
    this.#sweptAtMs = nowMs
    const { retentionMs, budgetBytes } = this.#options
    const isOver = this.#totalBytes > budgetBytes
    const files = [...this.#actors.values()].flat().map((file) => ({ ...file, atMs: file.newestMs, file }))
    const doomed = doomedFiles([files.sort((a, b) => a.atMs - b.atMs)], {
      keptFromMs: nowMs - retentionMs,
      budgetBytes: isOver ? budgetBytes * BUDGET_PART_LEFT : budgetBytes,
      fixedBytes: 0,
    }).map(({ file }) => file)
    const newest = doomed.at(-1)
    if (newest === undefined) return
    // First the mark: a trace that is gone must never look like one that never was.
    await this.#mark.raise(newest.newestMs)
    for (const file of doomed) {
      await this.#folders.turns.run(file.actorKeyHash, async () => {
        if (!this.#actors.get(file.actorKeyHash)?.includes(file)) return
        await this.#options.files.unlink(this.#pathOf(file))
        this.#replace(file.actorKeyHash, [file], [])
      })
    }
    this.#options.log.info(
      { files: doomed.length, bytesLeft: this.#totalBytes },
      'ledger files beyond retention removed',
    )
  }

  #replace(hash: string, removed: readonly LedgerFile[], added: readonly LedgerFile[]): void {
    const before = this.#actors.get(hash) ?? []
    const addedNames = new Set(added.map((file) => file.name))
    const kept = before.filter((file) => !removed.includes(file) && !addedNames.has(file.name))
    const after = [...kept, ...added].sort((a, b) => a.toSeq - b.toSeq)
    this.#totalBytes += bytesOf(after) - bytesOf(before)
    if (after.length === 0) this.#actors.delete(hash)
    else this.#actors.set(hash, after)
  }

  #pathOf(file: LedgerFile): string {
    return this.#folders.pathOf(file.actorKeyHash, file.name)
  }

  async #logged(failure: string, task: () => Promise<void>): Promise<void> {
    try {
      await task()
    } catch (error) {
      this.#options.log.error({ cause: String(error) }, failure)
    }
  }
}

function newestUnread(
  files: readonly LedgerFile[],
  read: ReadonlySet<LedgerFile>,
  notAfterMs: number,
): LedgerFile | undefined {
  let newest: LedgerFile | undefined
  for (const file of files) {
    if (read.has(file) || file.oldestMs > notAfterMs) continue
    if (newest === undefined || file.newestMs > newest.newestMs) newest = file
  }
  return newest
}

function bytesOf(files: readonly LedgerFile[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0)
}
