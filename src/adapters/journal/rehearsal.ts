import { join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import type { Log } from '../../ports/log.ts'
import { writelessFiles } from '../files/writeless-files.ts'
import { ActorIndex } from './actor-index.ts'
import { JournalCorruptError } from './failure.ts'
import { openLayout } from './layout.ts'
import { type OnFound, recover } from './recovery.ts'

const QUIET: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore }

function ignore(): void {
  return undefined
}

/**
 * What the next start would say of the journal, by the very code of a start, without changing anything: null when it
 * would begin. Rejects as a start does for anything but damage.
 */
export async function rehearseStart(
  files: Files,
  dir: string,
  onFound: OnFound = ignore,
): Promise<JournalCorruptError | null> {
  if ((await files.stat(join(dir, 'wal'))) === null) return null
  const writeless = writelessFiles(files)
  try {
    await recover(writeless, await openLayout(writeless, dir), new ActorIndex(), { log: QUIET, onFound })
    return null
  } catch (error) {
    if (error instanceof JournalCorruptError) return error
    throw error
  }
}
