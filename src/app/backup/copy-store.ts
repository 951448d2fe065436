import { copyFile, mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { TEMPORARY_SUFFIX } from '../../adapters/files/durable-file.ts'
import { MANIFEST_FILE } from '../../adapters/files/manifest.ts'
import { nodeFiles } from '../../adapters/files/node-files.ts'
import { FORMAT_FILE } from '../../adapters/journal/layout.ts'
import { HeldJournal, nullWhenMissing } from './held-journal.ts'

/** Each part relies on what an earlier state of the later ones says: snapshots on the ledger, all of them on the journal. */
const IMMUTABLE = ['snap', 'ledger', 'hist'] as const

/**
 * Copies the files of a store in use, each durable, into an empty folder, so that they are what a crash of some moment
 * after the call would leave:
 *
 *   1. the journal is held open: from now on no turn can get lost that a snapshot does not cover yet;
 *   2. the manifest, which claims no more than what comes now;
 *   3. snapshots, then the ledger, which had their exposure sets before, then history. These files never change and appear
 *      by rename; one that goes while a folder is read was replaced by another, and the folder is read again;
 *   4. the journal itself, which has had every turn of the files of before, and goes on to now.
 *
 * A segment that came and went between two looks leaves a hole: verify the copy.
 */
export async function copyStore(from: string, to: string, onFile: (path: string) => void): Promise<void> {
  const journal = new HeldJournal(from)
  try {
    await journal.look()
    for (const name of [MANIFEST_FILE, FORMAT_FILE]) await copyDurably(join(from, name), join(to, name))
    for (const part of IMMUTABLE) {
      await copySettled(join(from, part), join(to, part), async (path) => {
        onFile(path)
        await journal.look()
      })
    }
    const wal = join(to, 'wal')
    await mkdir(wal)
    await journal.copyInto(wal)
  } finally {
    await journal.close()
  }
  await syncFolders(to)
}

/** Copies a folder with all that is below it, until nothing was missed. A file that was copied stays, also when it goes. */
async function copySettled(from: string, to: string, onFile: (path: string) => Promise<void>): Promise<void> {
  const copied = new Set<string>()
  for (let isMissed = true; isMissed; ) {
    isMissed = false
    for (const path of await filesBelow(from)) {
      if (copied.has(path)) continue
      await onFile(path)
      const target = join(to, path.slice(from.length))
      await mkdir(dirname(target), { recursive: true })
      if (await copyDurably(path, target)) copied.add(path)
      else isMissed = true
    }
  }
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(nullWhenMissing)
  return (entries ?? [])
    .filter((entry) => entry.isFile() && !entry.name.endsWith(TEMPORARY_SUFFIX))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** False when the file is gone. */
async function copyDurably(from: string, to: string): Promise<boolean> {
  if ((await copyFile(from, to).then(() => true, nullWhenMissing)) === null) return false
  const file = await open(to, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  return true
}

async function syncFolders(dir: string): Promise<void> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  for (const entry of entries)
    if (entry.isDirectory()) await nodeFiles.fsyncDir(join(entry.parentPath, entry.name))
  await nodeFiles.fsyncDir(dir)
}
