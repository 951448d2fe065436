import { join } from 'node:path'
import { listAt } from '../../core/base/collections.ts'
import type { Files } from '../../ports/files.ts'
import type { AuditNote } from '../../ports/store.ts'
import { decodeRecord } from '../binary/bytes.ts'
import { createPacker } from '../binary/msgpack.ts'
import { actorKeyHashOf, listFiles } from '../files/actor-folders.ts'
import { DamagedFileError, damageOf, type FileDamage } from '../files/whole-file.ts'
import { type RecordFile, withRecordFile } from '../record-file/reader.ts'
import { copyHistory, historyFacts, recordsOf, runsOf, segmentSeqOfName } from './format.ts'
import {
  actorKeyOfNote,
  atMsOfNote,
  createdAtOfName,
  decodeNote,
  readNotes,
  rewriteNotes,
} from './note-log.ts'

interface ArchivedRun {
  readonly keyHash: string
  readonly actorKey: string
  readonly firstSeq: number
  lastSeq: number
  bytes: number
}

export interface SurveyedHistory {
  readonly path: string
  readonly segmentSeq: number
  readonly bytes: number
  /** Empty when the file is damaged. */
  readonly runs: readonly Readonly<ArchivedRun>[]
  readonly damage: FileDamage | null
}

export interface SurveyedNotes {
  readonly path: string
  readonly bytes: number
  readonly notes: number
  /** Bytes behind the last whole note, as a crash leaves them. */
  readonly tornBytes: number
  readonly damage: FileDamage | null
}

export type HistorySurvey = Awaited<ReturnType<typeof surveyHistory>>

/** Told of every record: its key, its sequence and the encoded turn. Throws what is wrong with it. */
export type OnHistoryRecord = (actorKey: string, actorSeq: number, payload: Uint8Array) => void

export interface HistorySurveyOptions {
  readonly onFile?: ((path: string) => void) | undefined
  readonly onRecord?: OnHistoryRecord | undefined
}

/** Reads every byte of the history. Changes nothing; damage is told, never thrown. */
export async function surveyHistory(files: Files, dir: string, options: HistorySurveyOptions = {}) {
  const { found, ...rest } = await listFiles(files, join(dir, 'hist'), historyNameIn)
  const histories: SurveyedHistory[] = []
  const notes: SurveyedNotes[] = []
  for (const { path, named } of found) {
    options.onFile?.(path)
    if (named.segmentSeq === null) notes.push(await surveyedNotes(files, path))
    else histories.push(await surveyed(files, path, named.segmentSeq, options))
  }
  histories.sort((a, b) => a.segmentSeq - b.segmentSeq)
  /** `files` by segment, oldest first. */
  return { files: histories, notes, ...rest }
}

/** Null for what is neither a history file nor, without a segment, a file of notes. */
function historyNameIn(name: string): { readonly segmentSeq: number | null } | null {
  const segmentSeq = segmentSeqOfName(name)
  return segmentSeq === null && createdAtOfName(name) === null ? null : { segmentSeq }
}

async function surveyed(
  files: Files,
  path: string,
  segmentSeq: number,
  { onRecord }: HistorySurveyOptions,
): Promise<SurveyedHistory> {
  let bytes = 0
  try {
    bytes = (await files.stat(path))?.bytes ?? 0
    const runs = await withRecordFile(files, path, 'history', async (file) => {
      for await (const _ of file.records());
      if (historyFacts(file.layout).segmentSeq !== segmentSeq)
        throw new DamagedFileError('the content is of another name')
      return runsIn(file, onRecord)
    })
    return { path, segmentSeq, bytes, runs, damage: null }
  } catch (error) {
    return { path, segmentSeq, bytes, runs: [], damage: damageOf(error, path) }
  }
}

/** Directory and every record, and that they name each other. */
async function runsIn(
  file: RecordFile,
  onRecord: OnHistoryRecord | undefined,
): Promise<SurveyedHistory['runs']> {
  const runs: ArchivedRun[] = []
  for await (const { entry, record } of file.stored()) {
    const found = decodeRecord(record)
    if (found?.actorSeq !== entry.number || actorKeyHashOf(found.actorKey) !== entry.key) {
      throw new DamagedFileError(`record ${entry.number} of its run is not whole`)
    }
    const { actorKey, actorSeq } = found
    onRecord?.(actorKey, actorSeq, found.payload)
    const last = runs.at(-1)
    if (last?.keyHash === entry.key && last.lastSeq + 1 === actorSeq) {
      last.lastSeq = actorSeq
      last.bytes += record.length
    } else {
      const seqs = { firstSeq: actorSeq, lastSeq: actorSeq }
      runs.push({ keyHash: entry.key, actorKey, ...seqs, bytes: record.length })
    }
  }
  return runs
}

export function turnsInHistory(
  files: Files,
  { path, runs }: SurveyedHistory,
  keyHash: string,
): Promise<readonly { readonly seq: number; readonly payload: Uint8Array }[]> {
  const actorKey = runs.find((run) => run.keyHash === keyHash)?.actorKey ?? ''
  return withRecordFile(files, path, 'history', async (file) => {
    const turns: { seq: number; payload: Uint8Array }[] = []
    for (const run of await runsOf(file, keyHash)) {
      for await (const { actorSeq: seq, payload } of recordsOf(file, run, actorKey))
        turns.push({ seq, payload })
    }
    return turns
  })
}

export async function storedNotes(
  files: Files,
  found: readonly SurveyedNotes[],
): Promise<ReadonlyMap<string, readonly AuditNote[]>> {
  const packer = createPacker({ isTabular: false })
  const byActor = new Map<string, AuditNote[]>()
  for (const { path } of found) {
    for (const body of (await readNotes(files, path)).notes) {
      const key = actorKeyOfNote(body)
      const note = decodeNote(packer, body, Buffer.from(key, 'utf8'))
      if (note !== null) listAt(byActor, key).push(note)
    }
  }
  return byActor
}

async function surveyedNotes(files: Files, path: string): Promise<SurveyedNotes> {
  const none = { path, bytes: 0, notes: 0, tornBytes: 0 }
  try {
    const { notes, end: offset, bytes, rest } = await readNotes(files, path)
    const packer = createPacker({ isTabular: false })
    for (const note of notes) atMsOfNote(packer, note)
    const found = { ...none, bytes, notes: notes.length }
    if (rest === 'newer') {
      const what = 'a newer program wrote these notes'
      return { ...found, damage: { kind: 'newer', path, offset, what } }
    }
    if (rest !== 'damaged') return { ...found, tornBytes: bytes - offset, damage: null }
    const what = offset === 0 ? 'not a file of audit notes' : 'a note fails its checksum, and more follows'
    return { ...found, damage: { kind: 'damaged', path, offset, what } }
  } catch (error) {
    return { ...none, damage: damageOf(error, path, RangeError) }
  }
}

/**
 * Takes every turn of some actors out of the history, and removes files that are damaged, which may hold some, or hold nothing
 * else. By the hashes of their keys. Resolves when it is durable.
 */
export async function dropFromHistory(
  files: Files,
  dir: string,
  keyHashes: ReadonlySet<string>,
): Promise<void> {
  const folder = join(dir, 'hist')
  const { found } = await listFiles(files, folder, segmentSeqOfName)
  for (const { path, named: segmentSeq } of found) {
    const file = await surveyed(files, path, segmentSeq, {})
    if (file.damage !== null && file.damage.kind !== 'damaged')
      throw new Error(`${path}: ${file.damage.what}`)
    const kept = file.runs.filter(({ keyHash }) => !keyHashes.has(keyHash))
    if (file.damage === null && kept.length === file.runs.length) continue
    if (kept.length === 0) await files.unlink(path)
    else await copyHistory(files, path, ({ key }, record) => (keyHashes.has(key) ? null : record))
  }
  if (found.length > 0) await files.fsyncDir(folder)
}

export async function dropFromNotes(
  files: Files,
  dir: string,
  actorKeys: ReadonlySet<string>,
): Promise<void> {
  for (const { path } of (await listFiles(files, join(dir, 'hist'), createdAtOfName)).found) {
    await rewriteNotes(files, path, (note) => (actorKeys.has(actorKeyOfNote(note)) ? null : note))
  }
}
