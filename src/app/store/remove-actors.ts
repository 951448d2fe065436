import { dirname, join } from 'node:path'
import { ERASING_FOLDER } from '../../adapters/erasure/marks.ts'
import { actorKeyHashOf, listActorFolders } from '../../adapters/files/actor-folders.ts'
import { readManifest, writeManifest } from '../../adapters/files/manifest.ts'
import { removeFromQuarantine } from '../../adapters/files/whole-file.ts'
import { dropFromHistory, dropFromNotes } from '../../adapters/history/survey.ts'
import type { Files } from '../../ports/files.ts'
import { derivedPosition } from './completeness.ts'

/** Folders with files of one actor each, whose names begin with the hash of its key. */
const PARTS = ['vec', 'idx', 'snap', 'ledger'] as const

/** Files of everybody, by their names. */
const SHARED = /\.(?:torn|hist|pack)$/

/**
 * Takes every file of the actors out of a folder that nobody has open, and what history and audit notes say of them. No turn
 * of them is in the journal any more. Cut off anywhere, it can be repeated.
 */
export async function removeActors(files: Files, dir: string, actorKeys: ReadonlySet<string>): Promise<void> {
  const hashes = new Set([...actorKeys].map(actorKeyHashOf))
  const isOurs = (name: string): boolean => hashes.has(name.split('.', 1)[0] ?? '')
  // It claims no less than is there: without this a start would miss what is about to go.
  const manifest = await readManifest(files, dir)
  if (manifest !== null) {
    const left = await derivedPosition(files, dir, (name) => !isOurs(name))
    await writeManifest(files, dir, { ...manifest, position: { ...manifest.position, ...left } })
  }
  for (const part of PARTS) {
    const { found } = await listActorFolders(files, join(dir, part), (name) => name)
    const doomed = found.filter(({ name }) => isOurs(name))
    const folders = new Set(doomed.map(({ path }) => dirname(path)))
    for (const { path } of doomed) await files.unlink(path)
    for (const folder of folders) await files.fsyncDir(folder)
  }
  await files.scrub(dir)
  const marks = join(dir, ERASING_FOLDER)
  for (const name of await files.readdir(marks)) {
    if (name.endsWith('.erasing') && isOurs(name)) await files.unlink(join(marks, name))
  }
  await dropFromHistory(files, dir, hashes)
  await dropFromNotes(files, dir, actorKeys)
  // What was set aside is damaged: whose it is only its name may tell, and segments and history are of everybody.
  await removeFromQuarantine({ files, dir }, (name) => isOurs(name) || SHARED.test(name))
}
