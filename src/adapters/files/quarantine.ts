import { dirname, join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import type { Log } from '../../ports/log.ts'
import { namesIn } from './whole-file.ts'

/** The folder of what was set aside of a data folder. */
export function quarantineIn(dir: string): string {
  return join(dir, 'quarantine')
}

/** Where damaged files are kept for an operator to look at. */
export class Quarantine {
  readonly #files: Files
  readonly #log: Log
  readonly #folder: string

  /** @param dir the data folder */
  constructor(files: Files, log: Log, dir: string) {
    this.#files = files
    this.#log = log
    this.#folder = quarantineIn(dir)
  }

  /** Moves a damaged file out of the way and tells the operator. Never rejects: a file that cannot move stays. */
  async take(folder: string, name: string, damage: string): Promise<void> {
    this.#log.error({ file: name, damage }, 'damaged file: moved to quarantine')
    try {
      await this.#files.mkdir(this.#folder)
      await this.#files.fsyncDir(dirname(this.#folder))
      await this.#files.rename(join(folder, name), join(this.#folder, name))
      await this.#files.fsyncDir(this.#folder)
      await this.#files.fsyncDir(folder)
    } catch (error) {
      this.#log.error({ file: name, cause: String(error) }, 'a damaged file could not be moved to quarantine')
    }
  }
}

/**
 * Removes files of a data folder that were set aside, by their names. Resolves with their number when that is durable; rejects when one
 * has to stay.
 */
export async function removeFromQuarantine(
  files: Files,
  dir: string,
  isMeant: (name: string) => boolean,
): Promise<number> {
  const folder = quarantineIn(dir)
  const names = (await namesIn(files, folder)).filter(isMeant)
  for (const name of names) await files.unlink(join(folder, name))
  if (names.length > 0) await files.fsyncDir(folder)
  return names.length
}
