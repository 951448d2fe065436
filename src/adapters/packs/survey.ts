import { join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import { type ListedFiles, listFiles } from '../files/actor-folders.ts'
import { forEachConcurrently } from '../files/concurrency.ts'
import { damageOf, type FileDamage } from '../files/damage.ts'
import { checkPack, listPack, type PackListing, parsePackName } from './format.ts'

export const PACK_FOLDER = 'packs'
const PARALLEL_PACKS = 16

/** What lies in the folder of packs, in the order of the names, which is that of the numbers. */
export function packNames(files: Files, dir: string): Promise<ListedFiles<number>> {
  return listFiles(files, join(dir, PACK_FOLDER), parsePackName)
}

export interface FoundPack {
  readonly number: number
  readonly path: string
  readonly listing: PackListing
}

export async function listed(
  files: Files,
  { found: packs }: ListedFiles<number>,
  onError: (error: unknown) => void,
): Promise<readonly FoundPack[]> {
  const found: FoundPack[] = []
  await forEachConcurrently(packs, PARALLEL_PACKS, async ({ named: number, path }) => {
    const listing = await listPack(files, path).catch(onError)
    if (listing !== undefined) found.push({ number, path, listing })
  })
  return found.sort((a, b) => a.number - b.number)
}

/** A pack whose content does not hold, and what else lies in the folder. */
export interface PackSurvey extends Omit<ListedFiles<number>, 'found'> {
  readonly damages: readonly FileDamage[]
}

/** Reads every pack to its end and compares every checksum. Changes nothing; damage is told, never thrown. */
export async function surveyPacks(
  files: Files,
  dir: string,
  onFile: (path: string) => void = () => undefined,
): Promise<PackSurvey> {
  const { found: packs, ...rest } = await packNames(files, dir)
  const damages: FileDamage[] = []
  for (const { path } of packs) {
    onFile(path)
    await checkPack(files, path).catch((error: unknown) => damages.push(damageOf(error, path)))
  }
  return { damages, ...rest }
}
