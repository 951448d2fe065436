import { join } from 'node:path'
import type { AuditNote, History } from '../../ports/store.ts'
import type { Schedule } from '../../ports/system.ts'
import { withoutDrafts } from '../files/actor-folders.ts'
import { repeatedly, systemSchedule } from '../files/concurrency.ts'
import { doomedFiles, type KeptFile, type RetainedFolder } from '../files/retention.ts'
import { makeFolder, removeFromQuarantine } from '../files/whole-file.ts'
import { Archive, type RecentRecords, readThrough, recordThrough } from './archive.ts'
import { historyNameOf, segmentSeqOfName } from './format.ts'
import { createdAtOfName, NoteLog } from './note-log.ts'

export interface HistoryOptions extends RetainedFolder {
  /** Default: a timer that does not keep the process alive. */
  readonly schedule?: Schedule
}

export interface ArchivePlace {
  readonly folder: string
  readonly segmentSeq: number
  readonly archivedAtMs: number
}

/**
 * What became of a history file.
 * - archived: it is whole and durable, written now or earlier.
 * - file_damaged: one is there already and is damaged; nothing was written.
 * - segment_damaged: the segment cannot be read as it was written; nothing was written.
 */
export type ArchiveOutcome =
  | { readonly kind: 'archived' }
  | { readonly kind: 'file_damaged' | 'segment_damaged'; readonly damage: string }

export interface RedactPlace {
  readonly folder: string
  readonly name: string
}

/**
 * What became of it.
 * - unchanged: nothing in it had to go.
 * - rewritten: the new one is durable under its name.
 * - file_damaged: it cannot be read as it was written; nothing was written.
 * - gone: retention was faster.
 */
export type RedactOutcome =
  | { readonly kind: 'unchanged' | 'rewritten' | 'gone' }
  | { readonly kind: 'file_damaged'; readonly damage: string }

const SWEEP_EVERY_MS = 3_600_000

/** Lists the history files, reads their headers and footers, moves damaged ones out of the way, and applies retention. */
export async function openHistory(options: HistoryOptions): Promise<FileHistory> {
  const { files } = options
  const folder = join(options.dir, 'hist')
  await makeFolder(files, folder)
  const names = await withoutDrafts(files, folder, await files.readdir(folder))
  const archive = new Archive(options, folder)
  await archive.open(names)
  const notes = new NoteLog(options, folder)
  await notes.open(names)
  const history = new FileHistory(options, folder, archive, notes)
  await history.sweep()
  return history
}

export class FileHistory {
  readonly #options: HistoryOptions
  readonly #folder: string
  readonly #archive: Archive
  readonly #notes: NoteLog
  #sweeping: Promise<void> | null = null
  readonly #stopSweeps: () => void
  #closed: Promise<void> | null = null

  constructor(options: HistoryOptions, folder: string, archive: Archive, notes: NoteLog) {
    this.#options = options
    this.#folder = folder
    this.#archive = archive
    this.#notes = notes
    const { schedule = systemSchedule } = options
    this.#stopSweeps = repeatedly(schedule, SWEEP_EVERY_MS, () => this.sweep())
  }

  /**
   * Has `write` make the history file of a segment that is about to go, and takes the file in. Resolves when all
   * that the segment held is durable here; rejects when it is not, and the segment has to stay.
   */
  async keep(segmentSeq: number, write: (place: ArchivePlace) => Promise<ArchiveOutcome>): Promise<void> {
    const name = historyNameOf(segmentSeq)
    const place = { folder: this.#folder, segmentSeq, archivedAtMs: this.#options.clock.nowMs() }
    let outcome = await write(place)
    if (outcome.kind === 'file_damaged') {
      await this.#archive.condemn(name, outcome.damage)
      outcome = await write(place)
    }
    if (outcome.kind !== 'archived') {
      this.#options.log.error(
        { segmentSeq, damage: outcome.damage },
        'a segment could not be kept as history',
      )
      throw new Error(outcome.damage)
    }
    await this.#archive.adopt(name)
    await this.sweep()
  }

  /**
   * Has `rewrite` take out of every file with turns of the actor what they may not say any more, and removes damaged
   * files that were set aside. Resolves with the number of files changed or removed; rejects when one has to stay.
   */
  async redact(actorKey: string, rewrite: (place: RedactPlace) => Promise<RedactOutcome>): Promise<number> {
    let changed = 0
    // The folder, not the list: a damaged file that could not be moved is only there.
    const names = await this.#options.files.readdir(this.#folder)
    for (const name of names.filter((each) => segmentSeqOfName(each) !== null)) {
      if (!(await this.#archive.mayHold(name, actorKey))) continue
      const outcome = await rewrite({ folder: this.#folder, name })
      if (outcome.kind === 'rewritten') await this.#archive.adopt(name)
      if (outcome.kind === 'file_damaged') {
        this.#options.log.error(
          { file: name, damage: outcome.damage },
          'a damaged history file is removed by an erasure',
        )
        await this.#archive.remove(name)
        await this.#options.files.fsyncDir(this.#folder)
      }
      if (outcome.kind === 'rewritten' || outcome.kind === 'file_damaged') changed += 1
    }
    const isOurs = (name: string): boolean => segmentSeqOfName(name) !== null
    return changed + (await removeFromQuarantine(this.#options, isOurs))
  }

  /** The same for notes. */
  async redactNotes(actorKey: string, leftOf: (note: AuditNote) => AuditNote): Promise<number> {
    const changed = await this.#notes.redact(actorKey, leftOf)
    return changed + (await removeFromQuarantine(this.#options, (name) => createdAtOfName(name) !== null))
  }

  /** The port, over these files and the journal. */
  over(recent: RecentRecords): History {
    const sources = [recent, this.#archive] as const
    const notes = this.#notes
    return {
      recordAt: (actorKey, seq) => recordThrough(sources, actorKey, seq),
      read: (actorKey, fromSeq, toSeq) => readThrough(sources, actorKey, fromSeq, toSeq),
      note: (_grant, actorKey, note) => notes.append(actorKey, note),
      notes: (actorKey, max) => notes.notes(actorKey, max),
      settled: () => notes.settled(),
    }
  }

  /** Applies retention now; done at the start, with every new file and once an hour too. Never rejects. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#applyRetention()
      .catch((error: unknown) =>
        this.#options.log.error({ cause: String(error) }, 'retention of history failed'),
      )
      .finally(() => {
        this.#sweeping = null
      })
    return this.#sweeping
  }

  /** Stops the timer, writes and flushes the notes that wait. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#stopSweeps()
    await this.#sweeping
    await this.#notes.close()
  }

  async #applyRetention(): Promise<void> {
    await this.#notes.endOld()
    const [archive, notes] = [this.#archive, this.#notes]
    const records = archive.list.map(({ name, layout, facts }) => {
      return { name, bytes: layout.fileBytes, atMs: facts.archivedAtMs, of: archive }
    })
    const doomed = doomedFiles<KeptFile & { readonly of: Pick<NoteLog, 'remove'> }>(
      [records, notes.closedFiles().map((file) => ({ ...file, of: notes }))],
      {
        keptFromMs: this.#options.clock.nowMs() - this.#options.retentionMs,
        budgetBytes: this.#options.budgetBytes,
        fixedBytes: notes.openBytes,
      },
    )
    if (doomed.length === 0) return
    for (const { name, of } of doomed) await of.remove(name)
    await this.#options.files.fsyncDir(this.#folder)
    this.#options.log.info({ files: doomed.length }, 'history beyond retention removed')
  }
}
