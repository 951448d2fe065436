import { createCodec } from '../src/adapters/codec/codec.ts'
import { nodeFiles } from '../src/adapters/files/node-files.ts'
import { DamagedFileError, isMissing } from '../src/adapters/files/whole-file.ts'
import { rewriteHistory } from '../src/adapters/history/format.ts'
import type { RedactOutcome, RedactPlace } from '../src/adapters/history/history.ts'
import { payloadLeft, type Redaction, redactor } from '../src/core/model/erasure.ts'
import type { Files } from '../src/ports/files.ts'
import { yieldProcessor } from './background-thread.ts'

export interface RedactJob {
  readonly place: RedactPlace
  readonly actorKey: string
  readonly redaction: Redaction
}

export default function redactTask(job: RedactJob): Promise<RedactOutcome> {
  yieldProcessor()
  return redactFile(nodeFiles, job)
}

/** Rejects with the file system's error, or that of a file which a newer program wrote. */
export async function redactFile(files: Files, job: RedactJob): Promise<RedactOutcome> {
  const { place, actorKey, redaction } = job
  const codec = createCodec()
  const left = redactor(redaction)
  const rewrite = (payload: Uint8Array): Uint8Array | null => payloadLeft(payload, left, codec)
  try {
    const isChanged = await rewriteHistory(files, place.folder, place.name, actorKey, rewrite)
    // Its name is visible, but may not be durable: the last process may have ended before its own flush.
    if (!isChanged) await files.fsyncDir(place.folder)
    return { kind: isChanged ? 'rewritten' : 'unchanged' }
  } catch (error) {
    if (error instanceof DamagedFileError) return { kind: 'file_damaged', damage: error.message }
    if (isMissing(error)) return { kind: 'gone' }
    throw error
  }
}
