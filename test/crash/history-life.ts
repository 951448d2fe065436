import { type FileHistory, type HistoryOptions, openHistory } from '../../src/adapters/history/history.ts'
import type { FileJournal, JournalOptions } from '../../src/adapters/journal/file-journal.ts'
import type { FreeSegment } from '../../src/adapters/journal/retention.ts'
import type { History, JournalRecord } from '../../src/ports/store.ts'
import { archiveSegment, type ExplanationBound } from '../../workers/archive.ts'
import { RETENTION } from '../harness/system.ts'
import { DIR, GRANT, type ManualTimers, openOn, silentLog, turns } from './journal-life.ts'
import type { Process } from './simulated-disk.ts'

export interface HistoryLife {
  readonly journal: FileJournal
  readonly past: FileHistory
  readonly history: History
}

export interface LifeOptions {
  readonly history?: Partial<HistoryOptions>
  readonly journal?: Partial<JournalOptions>
  /** Explanations that are not archived. */
  readonly bounds?: readonly ExplanationBound[]
}

/** Journal and history on the simulated disk, wired as the application does, with the worker's task inline. */
export async function startLife(
  process: Process,
  timers: ManualTimers,
  options: LifeOptions = {},
): Promise<HistoryLife> {
  const { files } = process
  const clock = { nowMs: () => 0 }
  const base = { dir: DIR, files, log: silentLog, clock, schedule: timers.schedule }
  const past = await openHistory({ ...base, ...RETENTION, ...options.history })
  const beforeUnlink = archivingOn(process, past, options.bounds)
  const opening = openOn(process, timers, { padTo: 512, beforeUnlink, ...options.journal })
  const journal = await opening.catch(async (error: unknown) => {
    await past.close()
    throw error
  })
  const history = past.over({
    heldSeqs: (actorKey) => journal.heldSeqs(actorKey),
    read: (actorKey, fromSeq) => journal.read(GRANT, actorKey, fromSeq),
  })
  return { journal, past, history }
}

export function archivingOn(
  { files }: Process,
  past: FileHistory,
  bounds: readonly ExplanationBound[] = [],
): (segment: FreeSegment) => Promise<void> {
  return ({ seq, path, flushedEnd }) =>
    past.keep(seq, (place) => archiveSegment(files, { segmentPath: path, flushedEnd, place, bounds }))
}

export async function endLife({ journal, past }: HistoryLife): Promise<void> {
  await journal.close()
  await past.close()
}

/** Two snapshots cover the actor up to `seq`. */
export function coverTwice(journal: FileJournal, actorKey: string, seq: number): void {
  for (let i = 0; i < 2; i += 1) journal.covered(GRANT, actorKey, seq)
}

/** Lets memory and disk go on until something holds; fails when it never does. */
export async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 5000; i += 1) {
    if (holds()) return
    await turns(1)
  }
  throw new Error('it never came to that')
}

export async function readAll(
  history: History,
  actorKey: string,
  fromSeq: number,
  toSeq: number,
): Promise<readonly JournalRecord[]> {
  const records: JournalRecord[] = []
  for await (const record of history.read(actorKey, fromSeq, toSeq)) records.push(record)
  return records
}
