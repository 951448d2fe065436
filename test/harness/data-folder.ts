import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []
/** A part that is missing every time is not on its way: it does not exist. */
const IMAGE_TRIES_MAX = 100

/** An empty folder of its own under the system's temporary folder. */
export function dataFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'memgov-test-'))
  made.push(dir)
  return dir
}

/**
 * A copy of a folder in use, as a crash might leave it. The journal comes first, ledger, packs and history last: what a later
 * part relies on was durable before, so that the copy never holds less than some crash would.
 */
export function crashImageOf(dir: string): string {
  for (let tries = 1; ; tries += 1) {
    const image = dataFolder()
    try {
      for (const part of [
        'MANIFEST.json',
        'FORMAT.json',
        'LOCK',
        'wal',
        'snap',
        'idx',
        'ledger',
        'packs',
        'hist',
        'erasing',
        'quarantine',
      ]) {
        // There are packs only where there are many actors.
        if (part !== 'packs' || existsSync(join(dir, part)))
          cpSync(join(dir, part), join(image, part), { recursive: true })
      }
      return image
    } catch (error) {
      // A file was removed under the copy by work that goes on beside it.
      const isOvertaken = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      if (!isOvertaken || tries === IMAGE_TRIES_MAX) throw error
    }
  }
}

export function removeDataFolders(): void {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true })
}
