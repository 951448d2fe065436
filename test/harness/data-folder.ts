import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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

/** Every file below a folder, in order. Of a folder in use one may be gone when it is read: `contentsBelow`. */
export function filesBelow(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** What every file below a folder holds; one that a service takes away meanwhile is left out. */
export function contentsBelow(dir: string): ReadonlyMap<string, Buffer> {
  const contents = new Map<string, Buffer>()
  for (const path of filesBelow(dir)) {
    try {
      contents.set(path, readFileSync(path))
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
  return contents
}

/** All of that as one text, a byte a letter. */
export function textBelow(dir: string): string {
  return [...contentsBelow(dir).values()].map((bytes) => bytes.toString('latin1')).join('\n')
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
      if (!isGone(error) || tries === IMAGE_TRIES_MAX) throw error
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

export function removeDataFolders(): void {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true })
}
