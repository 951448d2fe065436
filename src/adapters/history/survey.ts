import { basename, dirname, join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import { createPacker } from '../binary/msgpack.ts'
import { decodeRecord } from '../binary/record-frame.ts'
import { actorKeyHashOf } from '../files/actor-folders.ts'
import { damageOf, type FileDamage } from '../files/damage.ts'
import { createDurably, TEMPORARY_SUFFIX } from '../files/durable-file.ts'
import { readWhole } from '../files/whole-file.ts'
import {
  decodeRunEntry,
  HistoryDamage,
  type HistoryFooter,
  HistoryVersionError,
  historyNameOf,
  RUN_ENTRY_BYTES,
  type RunEntry,
  START_BYTES,
  segmentSeqOfName,
} from './format.ts'
import { actorKeyOfFrame, atMsOfFrame, createdAtOfName, NOTE_HEADER_BYTES, splitNotes } from './note-log.ts'
import { verifyHistory } from './reader.ts'
import { type SourceRun, writeHistory } from './writer.ts'

/** One file of turns that the journal has let go. */
export interface SurveyedHistory {
  readonly path: string
  readonly segmentSeq: number
  readonly bytes: number
  readonly footer: HistoryFooter | null
  /** With the owner's key; empty when the file is damaged. */
  readonly runs: readonly (RunEntry & { readonly actorKey: string })[]
  readonly damage: FileDamage | null
}

/** One file of audit notes. */
export interface SurveyedNotes {
  readonly path: string
  readonly bytes: number
  readonly notes: number
  /** Bytes behind the last whole note, as a crash leaves them. */
  readonly tornBytes: number
  readonly damage: FileDamage | null
}

export interface HistorySurvey {
  /** By segment, oldest first. */
  readonly files: readonly SurveyedHistory[]
  readonly notes: readonly SurveyedNotes[]
  readonly drafts: readonly string[]
  readonly others: readonly string[]
}

/** Told of every record: its key, its sequence and the encoded turn. Throws what is wrong with it. */
export type OnHistoryRecord = (actorKey: string, actorSeq: number, payload: Uint8Array) => void

export interface HistorySurveyOptions {
  readonly onFile?: (path: string) => void
  readonly onRecord?: OnHistoryRecord
}

/** Reads every byte of the history. Changes nothing; damage is told, never thrown. */
export async function surveyHistory(
  files: Files,
  dir: string,
  options: HistorySurveyOptions = {},
): Promise<HistorySurvey> {
  const folder = join(dir, 'hist')
  const names = (await files.stat(folder)) === null ? [] : await files.readdir(folder)
  const histories: SurveyedHistory[] = []
  const notes: SurveyedNotes[] = []
  const drafts: string[] = []
  const others: string[] = []
  for (const name of names) {
    const path = join(folder, name)
    const segmentSeq = segmentSeqOfName(name)
    if (segmentSeq !== null || createdAtOfName(name) !== null) options.onFile?.(path)
    if (segmentSeq !== null) histories.push(await surveyed(files, path, segmentSeq, options))
    else if (createdAtOfName(name) !== null) notes.push(await surveyedNotes(files, path))
    else if (name.endsWith(TEMPORARY_SUFFIX)) drafts.push(path)
    else others.push(path)
  }
  histories.sort((a, b) => a.segmentSeq - b.segmentSeq)
  return { files: histories, notes, drafts, others }
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
    const footer = await verifyHistory(files, path)
    if (historyNameOf(footer.segmentSeq) !== historyNameOf(segmentSeq)) {
      throw new HistoryDamage('the content is of another name')
    }
    const runs = await readRuns(files, path, footer, onRecord)
    return { path, segmentSeq, bytes, footer, runs, damage: null }
  } catch (error) {
    const damage = damageOf(error, path, { damaged: HistoryDamage, newer: HistoryVersionError })
    return { path, segmentSeq, bytes, footer: null, runs: [], damage }
  }
}

/** Index, starts and every record, and that they name each other. */
async function readRuns(
  files: Files,
  path: string,
  footer: HistoryFooter,
  onRecord: OnHistoryRecord | undefined,
): Promise<SurveyedHistory['runs']> {
  const content = Buffer.from((await readWhole(files, path)) ?? new Uint8Array(0))
  const index = content.subarray(footer.indexOffset, footer.indexOffset + footer.runs * RUN_ENTRY_BYTES)
  const runs: (RunEntry & { actorKey: string })[] = []
  let end = 0
  let starts = footer.startsOffset
  for (let place = 0; place < footer.runs; place += 1) {
    const run = decodeRunEntry(index, place)
    if (run.offset !== end || run.starts !== starts)
      throw new HistoryDamage('index: a run is out of its place')
    end += run.bytes
    starts += run.count * START_BYTES
    runs.push({ ...run, actorKey: readRun(content, run, onRecord) })
  }
  if (end !== footer.startsOffset || starts !== footer.indexOffset) {
    throw new HistoryDamage('index: not all records are in a run')
  }
  return runs
}

/** The encoded turns of one actor in a whole file, in order. */
export async function turnsInHistory(
  files: Files,
  file: SurveyedHistory,
  keyHash: string,
): Promise<readonly { readonly seq: number; readonly payload: Uint8Array }[]> {
  const ours = file.runs.filter((run) => run.keyHash === keyHash)
  if (ours.length === 0) return []
  const content = Buffer.from((await readWhole(files, file.path)) ?? new Uint8Array(0))
  const turns: { seq: number; payload: Uint8Array }[] = []
  for (const run of ours) readRun(content, run, (_key, seq, payload) => turns.push({ seq, payload }))
  return turns
}

/** The owner of a run, every record of which is whole and in its place. */
function readRun(content: Buffer, run: RunEntry, onRecord: OnHistoryRecord | undefined): string {
  let actorKey = ''
  for (let i = 0; i < run.count; i += 1) {
    const start = content.readUInt32LE(run.starts + i * START_BYTES)
    const isLast = i + 1 === run.count
    const end = isLast ? run.offset + run.bytes : content.readUInt32LE(run.starts + (i + 1) * START_BYTES)
    const record = decodeRecord(content.subarray(start, end))
    const seq = run.firstSeq + i
    if (record === null || record.actorSeq !== seq || actorKeyHashOf(record.actorKey) !== run.keyHash) {
      throw new HistoryDamage(`record ${seq} of its run is not whole`)
    }
    actorKey = record.actorKey
    onRecord?.(actorKey, seq, record.payload)
  }
  return actorKey
}

async function surveyedNotes(files: Files, path: string): Promise<SurveyedNotes> {
  const failed = (damage: FileDamage, bytes: number): SurveyedNotes => {
    return { path, bytes, notes: 0, tornBytes: 0, damage }
  }
  try {
    const content = Buffer.from((await readWhole(files, path)) ?? new Uint8Array(0))
    const bytes = content.length
    const { frames, end, isNewer } = splitNotes(content)
    const offset = end
    if (isNewer)
      return failed({ kind: 'newer', path, offset, what: 'a newer program wrote these notes' }, bytes)
    const packer = createPacker({ isTabular: false })
    for (const frame of frames) atMsOfFrame(packer, frame)
    const rest = bytes - end
    if (rest === 0 || isTorn(content, end)) {
      return { path, bytes, notes: frames.length, tornBytes: rest, damage: null }
    }
    const what = end === 0 ? 'not a file of audit notes' : 'a note fails its checksum, and more follows'
    return { ...failed({ kind: 'damaged', path, offset, what }, bytes), notes: frames.length }
  } catch (error) {
    return failed(damageOf(error, path, { damaged: RangeError, newer: HistoryVersionError }), 0)
  }
}

/** A write that was cut off: the last note goes beyond the end, or zeros follow that were never written. */
function isTorn(content: Buffer, end: number): boolean {
  const rest = content.subarray(end)
  if (rest.every((byte) => byte === 0)) return true
  return end > 0 && (rest.length < 8 || rest.readUInt32LE(0) + 8 > rest.length)
}

/**
 * Puts a history file without some turns in the place of a whole one. `lastSeqOf` tells the last turn that is kept of
 * an actor, by the hash of its key.
 */
export async function trimHistory(
  files: Files,
  file: SurveyedHistory,
  lastSeqOf: (keyHash: string) => number,
): Promise<void> {
  const { path, footer, runs } = file
  const content = Buffer.from((await readWhole(files, path)) ?? new Uint8Array(0))
  if (footer === null) throw new HistoryDamage('only a whole file can be trimmed')
  const kept = runs.flatMap((run) => keptPart(content, run, lastSeqOf(run.keyHash)))
  await replaced(files, path, (out) =>
    writeHistory(out, footer, kept, async (offset, bytes) => content.subarray(offset, offset + bytes)),
  )
}

function keptPart(content: Buffer, run: RunEntry, lastSeq: number): readonly SourceRun[] {
  const count = Math.min(run.count, lastSeq - run.firstSeq + 1)
  if (count <= 0) return []
  const starts = Array.from({ length: run.count }, (_, i) =>
    content.readUInt32LE(run.starts + i * START_BYTES),
  )
  const ends = [...starts.slice(1), run.offset + run.bytes]
  const offsets = starts.slice(0, count)
  const sizes = offsets.map((offset, i) => (ends[i] ?? offset) - offset)
  return [{ keyHash: run.keyHash, firstSeq: run.firstSeq, offsets, sizes }]
}

/** Puts a file of the notes before the first damaged one in the place of the whole file; none when there are none. */
export async function trimNotes(files: Files, path: string): Promise<void> {
  const content = Buffer.from((await readWhole(files, path)) ?? new Uint8Array(0))
  const { end } = splitNotes(content)
  await replaced(files, path, (out) => out.append(content.subarray(0, end)))
}

/**
 * Takes every turn of some actors out of the history, and removes files that are damaged, which may hold some, or hold nothing
 * else. By the hashes of their keys. Resolves when it is durable.
 */
export async function dropFromHistory(
  files: Files,
  dir: string,
  keyHashes: ReadonlySet<string>,
  onFile: (path: string) => void = () => undefined,
): Promise<void> {
  const folder = join(dir, 'hist')
  if ((await files.stat(folder)) === null) return
  for (const name of await files.readdir(folder)) {
    const segmentSeq = segmentSeqOfName(name)
    if (segmentSeq === null) continue
    const path = join(folder, name)
    onFile(path)
    const file = await surveyed(files, path, segmentSeq, {})
    if (file.damage !== null && file.damage.kind !== 'damaged')
      throw new Error(`${path}: ${file.damage.what}`)
    const isConcerned = file.damage !== null || file.runs.some(({ keyHash }) => keyHashes.has(keyHash))
    if (!isConcerned) continue
    const isKept = file.runs.some(({ keyHash }) => !keyHashes.has(keyHash))
    const lastSeqOf = (keyHash: string): number => (keyHashes.has(keyHash) ? 0 : Number.MAX_SAFE_INTEGER)
    if (isKept) await trimHistory(files, file, lastSeqOf)
    else await files.unlink(path)
  }
  await files.fsyncDir(folder)
}

/** Takes every audit note of some actors out; resolves when it is durable. */
export async function dropFromNotes(
  files: Files,
  dir: string,
  actorKeys: ReadonlySet<string>,
  onFile: (path: string) => void = () => undefined,
): Promise<void> {
  const folder = join(dir, 'hist')
  if ((await files.stat(folder)) === null) return
  for (const name of await files.readdir(folder)) {
    if (createdAtOfName(name) === null) continue
    const path = join(folder, name)
    onFile(path)
    const content = Buffer.from((await readWhole(files, path)) ?? new Uint8Array(0))
    const { frames, end, isNewer } = splitNotes(content)
    if (isNewer) throw new Error(`${path}: a newer program wrote these audit notes`)
    const kept = frames.filter((frame) => !actorKeys.has(actorKeyOfFrame(frame)))
    if (kept.length === frames.length && end === content.length) continue
    // Bytes behind the last whole note may be of any actor.
    await replaced(files, path, (out) =>
      out.append(Buffer.concat([content.subarray(0, NOTE_HEADER_BYTES), ...kept])),
    )
  }
}

async function replaced(
  files: Files,
  path: string,
  write: Parameters<typeof createDurably>[2],
): Promise<void> {
  const draft = path + TEMPORARY_SUFFIX
  if ((await files.stat(draft)) !== null) await files.unlink(draft)
  const name = basename(path)
  await createDurably(files, { folder: dirname(path), draftName: name, nameOf: () => name }, write)
}
