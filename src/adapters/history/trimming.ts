import { basename, dirname } from 'node:path'
import type { Files } from '../../ports/files.ts'
import { createDurably, TEMPORARY_SUFFIX } from '../files/durable-file.ts'
import { readWhole } from '../files/whole-file.ts'
import { HistoryDamage, type RunEntry, START_BYTES } from './format.ts'
import { splitNotes } from './note-format.ts'
import type { SurveyedHistory } from './survey.ts'
import { type SourceRun, writeHistory } from './writer.ts'

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
