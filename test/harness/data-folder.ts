import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []

/** An empty folder of its own under the system's temporary folder. */
export function dataFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'memgov-test-'))
  made.push(dir)
  return dir
}

/** For `afterAll`. */
export function removeDataFolders(): void {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true })
}
