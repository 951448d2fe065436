import { join } from 'node:path'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { Files } from '../../ports/files.ts'
import { createPacker } from '../binary/msgpack.ts'
import { type ListedFiles, listActorFolders } from '../files/actor-folders.ts'
import { DamagedFileError, damageOf, type FileDamage } from '../files/damage.ts'
import { decodeExposure, type LedgerFile, parseLedgerName, readLedger } from './format.ts'
import { removedUntilMsOf } from './retention.ts'

export interface SurveyedLedger {
  readonly path: string
  readonly file: LedgerFile
  readonly records: readonly ExposureRecord[]
  readonly damage: FileDamage | null
}

export interface LedgerListing extends ListedFiles<LedgerFile> {
  /** Time of the newest guide that retention removed, 0 before the first removal. */
  readonly removedUntilMs: number
}

/** The files of the ledger by their names. Opens none, changes nothing. */
export async function listLedger(files: Files, dir: string): Promise<LedgerListing> {
  const listed = await listActorFolders(files, join(dir, 'ledger'), parseLedgerName)
  const others = listed.others.filter((path) => removedUntilMsOf(path) === null)
  const removedUntilMs = Math.max(0, ...listed.others.map((path) => removedUntilMsOf(path) ?? 0))
  return { ...listed, others, removedUntilMs }
}

/** Reads every record of a file. Changes nothing; damage is told, never thrown. */
export async function surveyLedger(files: Files, path: string, file: LedgerFile): Promise<SurveyedLedger> {
  const records: ExposureRecord[] = []
  const packer = createPacker({ isTabular: false })
  try {
    const content = await readLedger(files, path, file)
    let damage = content.damage === null ? null : damageOf(new DamagedFileError(content.damage), path)
    for (const stored of content.records) {
      try {
        records.push(decodeExposure(packer, stored))
      } catch (error) {
        damage ??= damageOf(error, path)
      }
    }
    return { path, file, records, damage }
  } catch (error) {
    return { path, file, records, damage: damageOf(error, path) }
  }
}
