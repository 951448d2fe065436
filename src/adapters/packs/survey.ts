import { join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import { forEachConcurrently } from '../files/concurrency.ts'
import { damageOf, type FileDamage } from '../files/damage.ts'
import { TEMPORARY_SUFFIX } from '../files/durable-file.ts'
import { checkPack, listPack, type PackListing, parsePackName } from './format.ts'
import { PACK_FOLDER } from './packer.ts'

const PARALLEL_PACKS = 16

/** A pack with what it holds. */
export interface FoundPack {
  readonly number: number
  readonly path: string
  readonly listing: PackListing
}

/** The packs among these names, in the order of their numbers. Rejects as `listPack`. */
export async function listed(
  files: Files,
  folder: string,
  names: readonly string[],
): Promise<readonly FoundPack[]> {
  const found: FoundPack[] = []
  const numbered = names.flatMap((name) => {
    const number = parsePackName(name)
    return number === null ? [] : [{ number, path: join(folder, name) }]
  })
  await forEachConcurrently(numbered, PARALLEL_PACKS, async ({ number, path }) => {
    found.push({ number, path, listing: await listPack(files, path) })
  })
  return found.sort((a, b) => a.number - b.number)
}

/** A pack whose content does not hold, and what else lies in the folder. */
export interface PackSurvey {
  readonly damages: readonly FileDamage[]
  readonly drafts: readonly string[]
  readonly others: readonly string[]
}

/** Reads every pack to its end and compares every checksum. Changes nothing; damage is told, never thrown. */
export async function surveyPacks(
  files: Files,
  dir: string,
  onFile: (path: string) => void = () => undefined,
): Promise<PackSurvey> {
  const folder = join(dir, PACK_FOLDER)
  const survey = { damages: [] as FileDamage[], drafts: [] as string[], others: [] as string[] }
  if ((await files.stat(folder)) === null) return survey
  for (const name of await files.readdir(folder)) {
    const path = join(folder, name)
    if (name.endsWith(TEMPORARY_SUFFIX)) survey.drafts.push(path)
    else if (parsePackName(name) === null) survey.others.push(path)
    else {
      onFile(path)
      await checkPack(files, path).catch((error: unknown) => survey.damages.push(damageOf(error, path)))
    }
  }
  return survey
}
