import { join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import { type ListedFiles, listActorFolders } from '../files/actor-folders.ts'
import { DamagedFileError, damageOf, type FileDamage } from '../files/damage.ts'
import {
  parseSnapshotName,
  readSnapshot,
  requireOfStore,
  requireOfTurns,
  type SnapshotName,
} from './format.ts'

export interface SurveyedSnapshot {
  readonly path: string
  readonly actorKeyHash: string
  /** Null when neither the name nor a whole header tells it. */
  readonly actorKey: string | null
  /** Null when a whole header does not tell it. */
  readonly storeId: string | null
  readonly seq: number
  readonly bytes: number
  readonly memories: number
  readonly damage: FileDamage | null
}

export interface SnapshotSurvey extends Omit<ListedFiles<SnapshotName>, 'found'> {
  /** By actor, oldest first. */
  readonly snapshots: readonly SurveyedSnapshot[]
}

interface Whose {
  /** Null: it is not known. */
  readonly storeId: string | null
  /** Of a turn that the journal holds; null: it does not. */
  readonly turnCrcOf: (actorKey: string, seq: number) => Promise<number | null>
}

/**
 * Reads every snapshot to its end and compares every checksum. Changes nothing; damage is told, never thrown.
 */
export async function surveySnapshots(
  files: Files,
  dir: string,
  whose: Whose,
  onFile: (path: string) => void = () => undefined,
): Promise<SnapshotSurvey> {
  const { found, ...rest } = await listActorFolders(files, join(dir, 'snap'), parseSnapshotName)
  const snapshots: SurveyedSnapshot[] = []
  for (const { path, named } of found) {
    onFile(path)
    snapshots.push(await surveyed(files, path, named, whose))
  }
  snapshots.sort((a, b) => (a.actorKeyHash === b.actorKeyHash ? a.seq - b.seq : a.path < b.path ? -1 : 1))
  return { snapshots, ...rest }
}

async function surveyed(
  files: Files,
  path: string,
  named: SnapshotName,
  { storeId, turnCrcOf }: Whose,
): Promise<SurveyedSnapshot> {
  const { actorKeyHash, seq } = named
  const bytes = (await files.stat(path))?.bytes ?? 0
  const known = { path, actorKeyHash, seq, bytes }
  try {
    const found = await readSnapshot(files, path)
    const { actorKey, image, bytes: read } = found
    const memories = image.sections.find(({ name }) => name === 'memories')?.rows.length ?? 0
    const isTheNamed = image.seq === seq && read === named.bytes && (named.actorKey ?? actorKey) === actorKey
    if (!isTheNamed) throw new DamagedFileError('the content belongs to another name')
    requireOfStore(found, storeId)
    requireOfTurns(found, await turnCrcOf(actorKey, seq))
    return { ...known, actorKey, storeId: found.storeId, memories, damage: null }
  } catch (error) {
    return { ...known, actorKey: named.actorKey, storeId: null, memories: 0, damage: damageOf(error, path) }
  }
}
