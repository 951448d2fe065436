import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { JournalRecord } from '../../ports/store.ts'
import { actorKeyHashOf } from '../files/actor-folders.ts'
import { forEachConcurrently } from '../files/concurrency.ts'
import {
  DamagedFileError,
  type DataFolder,
  isMissing,
  moveToQuarantine,
  NewerFileError,
} from '../files/whole-file.ts'
import { type DirectoryPages, RecordFile } from '../record-file/reader.ts'
import {
  type HistoryFile,
  historyNameOf,
  readHistoryFile,
  recordsOf,
  runsOf,
  type StoredRun,
  segmentSeqOfName,
} from './format.ts'

/** Sequences from `fromSeq` to `toSeq`, both included. */
interface SeqRange {
  readonly fromSeq: number
  readonly toSeq: number
}

interface Found {
  readonly file: HistoryFile
  readonly run: StoredRun
}

const PAGES_BYTES_MAX = 8 * 1024 * 1024
const PARALLEL_OPENS = 8

/**
 * The history files of a folder. Of each only name, header and footer stay in memory. A file that turns out to be damaged
 * goes to quarantine, and what was in it counts as not kept; an error of the file system is passed on.
 */
export class Archive {
  readonly #data: DataFolder
  readonly #folder: string
  readonly #pages: DirectoryPages = new LRUCache({
    maxSize: PAGES_BYTES_MAX,
    sizeCalculation: (page) => page.length,
  })
  /** By segment, oldest first. Replaced, never changed: a search goes on over the list that it began with. */
  #list: readonly HistoryFile[] = []

  constructor(data: DataFolder, folder: string) {
    this.#data = data
    this.#folder = folder
  }

  get list(): readonly HistoryFile[] {
    return this.#list
  }

  async open(names: readonly string[]): Promise<void> {
    const ours = names.filter((name) => segmentSeqOfName(name) !== null)
    await forEachConcurrently(ours, PARALLEL_OPENS, async (name) => {
      try {
        await this.adopt(name)
      } catch (error) {
        if (error instanceof DamagedFileError) await this.condemn(name, error.message)
        else if (error instanceof NewerFileError) this.#data.log.error({ file: name }, error.message)
        else throw error
      }
    })
  }

  /** Takes in one file. Rejects as `readHistoryFile`. */
  async adopt(name: string): Promise<void> {
    const file = { name, ...(await readHistoryFile(this.#data.files, join(this.#folder, name))) }
    if (historyNameOf(file.facts.segmentSeq) !== name)
      throw new DamagedFileError('the content is of another name')
    this.#forget(name)
    this.#list = [...this.#list, file].sort((a, b) => a.facts.segmentSeq - b.facts.segmentSeq)
  }

  /** Removes a file whose time is over; durable with the next flush of the folder. */
  async remove(name: string): Promise<void> {
    this.#forget(name)
    await this.#data.files.unlink(join(this.#folder, name))
  }

  async condemn(name: string, damage: string): Promise<void> {
    this.#forget(name)
    await moveToQuarantine(this.#data, this.#folder, name, damage)
  }

  /** Records from `fromSeq` on, as far as the file that holds it goes, at most to `toSeq`; none when none holds it. */
  async *records(actorKey: string, fromSeq: number, toSeq: number): AsyncGenerator<JournalRecord> {
    let next = fromSeq
    for (let isReplaced = true; isReplaced; ) {
      isReplaced = false
      const found = await this.#find(actorKey, next)
      if (found === null) return
      const { file, run } = found
      const reader = this.#readerOf(file)
      try {
        for await (const record of recordsOf(reader, run, actorKey, next, Math.min(toSeq, run.lastSeq))) {
          next = record.actorSeq + 1
          yield record
        }
      } catch (error) {
        isReplaced = await this.#judge(file, error)
      } finally {
        await reader.close()
      }
    }
  }

  async rangeHolding(actorKey: string, seq: number): Promise<SeqRange | null> {
    const found = await this.#find(actorKey, seq)
    return found === null ? null : { fromSeq: found.run.firstSeq, toSeq: found.run.lastSeq }
  }

  /** Highest sequence of the actor in any file, 0 when there is none. */
  async lastSeqOf(actorKey: string): Promise<number> {
    const hash = actorKeyHashOf(actorKey)
    for (const file of this.#list.toReversed()) {
      const run = (await this.#runsIn(file, hash)).at(-1)
      if (run !== undefined) return run.lastSeq
    }
    return 0
  }

  /** True when a file has turns of the actor, or is not on the list, so that nobody knows. */
  async mayHold(name: string, actorKey: string): Promise<boolean> {
    const file = this.#named(name)
    return file === undefined || (await this.#runsIn(file, actorKeyHashOf(actorKey))).length > 0
  }

  /** Sequences of an actor grow from file to file, so a file that knows the actor halves the search. */
  async #find(actorKey: string, seq: number): Promise<Found | null> {
    const hash = actorKeyHashOf(actorKey)
    const list = this.#list
    let low = 0
    let high = list.length
    // Invariant: the file, if there is one, has its place in [low, high).
    while (low < high) {
      const middle = (low + high) >>> 1
      let at = middle
      let runs = await this.#runsAt(list, at, hash)
      while (runs.length === 0 && at > low) {
        at -= 1
        runs = await this.#runsAt(list, at, hash)
      }
      const file = list[at]
      const run = runs.find((each) => each.firstSeq <= seq && seq <= each.lastSeq)
      if (run !== undefined && file !== undefined) return { file, run }
      if (seq < (runs[0]?.firstSeq ?? 0)) high = at
      else low = middle + 1
    }
    return null
  }

  #runsAt(list: readonly HistoryFile[], place: number, hash: string): Promise<readonly StoredRun[]> {
    const file = list[place]
    return file === undefined ? Promise.resolve([]) : this.#runsIn(file, hash)
  }

  async #runsIn(file: HistoryFile, hash: string): Promise<readonly StoredRun[]> {
    const reader = this.#readerOf(file)
    try {
      return await runsOf(reader, hash)
    } catch (error) {
      const replaced = (await this.#judge(file, error)) ? this.#named(file.name) : undefined
      return replaced === undefined ? [] : await this.#runsIn(replaced, hash)
    } finally {
      await reader.close()
    }
  }

  #named(name: string): HistoryFile | undefined {
    return this.#list.find((file) => file.name === name)
  }

  #readerOf({ path, layout }: HistoryFile): RecordFile {
    return new RecordFile(this.#data.files, path, layout, this.#pages)
  }

  /**
   * Takes a damaged or missing file off the list; rejects with any other error. True when the reader only met another
   * whole file under the name, because an erasure has rewritten it: then it reads again.
   */
  async #judge(file: HistoryFile, error: unknown): Promise<boolean> {
    const isListed = this.#list.includes(file)
    if (error instanceof DamagedFileError) {
      if (!isListed) return this.#named(file.name) !== undefined
      if (await this.#isRewritten(file)) return true
      await this.condemn(file.name, error.message)
      return false
    }
    if (!isMissing(error)) throw error
    // Retention takes a file off the list first; a reader may come later.
    if (!isListed) return false
    this.#forget(file.name)
    this.#data.log.error({ file: file.name }, 'a history file is gone')
    return false
  }

  /** True when the file on disk is not the one on the list any more; then it is taken in. */
  async #isRewritten(file: HistoryFile): Promise<boolean> {
    try {
      const { layout } = await readHistoryFile(this.#data.files, file.path)
      if (layout.end?.chain === file.layout.end?.chain) return false
      await this.adopt(file.name)
      return true
    } catch {
      return false
    }
  }

  #forget(name: string): void {
    this.#list = this.#list.filter((file) => file.name !== name)
  }
}

/** The part of the journal that history needs. */
export interface RecentRecords {
  /** Sequences of the actor that are there now, oldest first. */
  heldSeqs(actorKey: string): readonly SeqRange[]
  /** Records from `fromSeq` on. May fail when a segment is removed meanwhile: then history has it. */
  read(actorKey: string, fromSeq: number): AsyncIterable<JournalRecord>
}

/** Records that a reader was promised are gone: retention, or damage, took them while it read. */
export class HistoryGapError extends Error {
  override readonly name = 'HistoryGapError'
}

/** The journal, and the history files for what it has no more. */
type Sources = readonly [recent: RecentRecords, archive: Archive]

export async function recordThrough(
  sources: Sources,
  actorKey: string,
  seq: number,
): Promise<JournalRecord | null> {
  for await (const record of recordsFrom(sources, actorKey, seq, seq)) return record
  return null
}

/** The port's `read`. Rejects with HistoryGapError, or with the file system's error. */
export async function* readThrough(
  sources: Sources,
  actorKey: string,
  fromSeq: number,
  toSeq: number,
): AsyncGenerator<JournalRecord> {
  let part = await keptPart(sources, actorKey, fromSeq, toSeq)
  let next = part.fromSeq
  while (next <= part.toSeq) {
    const before = next
    for await (const record of recordsFrom(sources, actorKey, next, part.toSeq)) {
      yield record
      next += 1
    }
    if (next > before) continue
    if (next > part.fromSeq) throw new HistoryGapError(`record ${next} of ${actorKey} is kept no longer`)
    part = await keptPart(sources, actorKey, next + 1, part.toSeq)
    next = part.fromSeq
  }
}

/** The last piece of [fromSeq, toSeq] without a hole; empty when nothing is left of it. */
async function keptPart(
  [recent, archive]: Sources,
  actorKey: string,
  fromSeq: number,
  toSeq: number,
): Promise<SeqRange> {
  const held = recent.heldSeqs(actorKey)
  const lastSeq = Math.min(toSeq, held.at(-1)?.toSeq ?? (await archive.lastSeqOf(actorKey)))
  let first = lastSeq + 1
  while (first > fromSeq) {
    const range = holding(held, first - 1) ?? (await archive.rangeHolding(actorKey, first - 1))
    if (range === null) break
    first = Math.max(range.fromSeq, fromSeq)
  }
  return { fromSeq: first, toSeq: lastSeq }
}

/** Records in order from `fromSeq` on; ends where the source ends that it began with, or that went away. */
async function* recordsFrom(
  [recent, archive]: Sources,
  actorKey: string,
  fromSeq: number,
  toSeq: number,
): AsyncGenerator<JournalRecord> {
  let next = fromSeq
  if (holding(recent.heldSeqs(actorKey), next) !== null) {
    try {
      for await (const record of recent.read(actorKey, next)) {
        next = record.actorSeq + 1
        yield record
        if (next > toSeq) return
      }
      return
    } catch (error) {
      // A segment may have gone under the reader: what was in it was archived before.
      if ((await archive.rangeHolding(actorKey, next)) === null) throw error
    }
  }
  yield* archive.records(actorKey, next, toSeq)
}

function holding(ranges: readonly SeqRange[], seq: number): SeqRange | null {
  return ranges.find((range) => range.fromSeq <= seq && seq <= range.toSeq) ?? null
}
