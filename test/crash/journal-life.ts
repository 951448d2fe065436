import {
  type FileJournal,
  type JournalOptions,
  openJournal,
} from '../../src/adapters/journal/file-journal.ts'
import type { JournalRecord } from '../../src/ports/store.ts'
import type { Log, Schedule } from '../../src/ports/system.ts'
import { createInlineIo } from '../support/inline-io.ts'
import type { Process } from './simulated-disk.ts'

export const DIR = '/data'
export const GRANT = { shard: 0, epoch: 0 }

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/** Timers that fire when the test says so. */
export class ManualTimers {
  readonly #tasks = new Set<() => void>()

  readonly schedule: Schedule = (task) => {
    const entry = (): void => task()
    this.#tasks.add(entry)
    return () => this.#tasks.delete(entry)
  }

  get waiting(): number {
    return this.#tasks.size
  }

  fire(): void {
    const due = [...this.#tasks]
    this.#tasks.clear()
    for (const task of due) task()
  }
}

/** A journal on the simulated disk, with small segments. */
export function openOn(
  process: Process,
  timers: ManualTimers,
  options: Partial<JournalOptions> = {},
): Promise<FileJournal> {
  const { files } = process
  return openJournal({
    dir: DIR,
    log: silentLog,
    files,
    io: createInlineIo(files),
    segmentBytes: 64 * 1024,
    schedule: timers.schedule,
    nowMs: () => 0,
    ...options,
  })
}

export async function recordsOf(
  journal: FileJournal,
  actorKey: string,
  fromSeq = 1,
): Promise<readonly JournalRecord[]> {
  const records: JournalRecord[] = []
  for await (const record of journal.read(GRANT, actorKey, fromSeq)) records.push(record)
  return records
}

/** The records of all actors as text, to compare. `fromSeqOf` says where an actor's history must begin. */
export async function contentOf(
  journal: FileJournal,
  fromSeqOf: (actorKey: string) => number = () => 1,
): Promise<Record<string, readonly string[]>> {
  const content: Record<string, readonly string[]> = {}
  for (const key of [...journal.actorKeys()].toSorted()) {
    const records = await recordsOf(journal, key, fromSeqOf(key))
    content[key] = records.map((r) => `${r.actorSeq}:${Buffer.from(r.payload).toString('base64')}`)
  }
  return content
}

/** Lets everything that can go on in memory go on. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** The result, or null when the process died first. */
export function unlessDead<T>(process: Process, work: Promise<T>): Promise<T | null> {
  return Promise.race([work, process.died.then(() => null)])
}
