import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Files } from '../../ports/files.ts'
import { crcOf } from '../binary/bytes.ts'
import { isDictionary } from '../binary/msgpack.ts'
import { oneByOne } from './concurrency.ts'
import {
  DamagedFileError,
  type DataFolder,
  jsonIn,
  NewerFileError,
  readWhole,
  replaceWhole,
} from './whole-file.ts'

/** Says how far the store had come, so that parts of it that are missing or older are noticed. */
export const MANIFEST_FILE = 'MANIFEST.json'
const MANIFEST_VERSION = 1

const COUNT = z.int().min(0)
const MANIFEST = z
  .object({
    storeId: z.string(),
    /** The newest segment of the journal that is in use, and the turns of all actors up to its end, over the store's life. */
    journal: z.object({ segment: COUNT, turns: COUNT }),
    /** Actors with a snapshot, and the turns that their newest ones cover, added up. */
    snapshots: z.object({ actors: COUNT, turns: COUNT }),
    /** Whether the ledger holds anything. */
    ledger: z.object({ isUsed: z.boolean() }),
  })
  .transform(({ storeId, ...position }) => ({ storeId, position }))

export type Manifest = z.infer<typeof MANIFEST>

/**
 * What is known to be durable of each part. Always a lower bound: it is written after what it claims, and only what
 * takes something out of the folder in order lowers it.
 */
export type StorePosition = Manifest['position']

/** The content of MANIFEST.json. `crc32` covers the JSON of everything before it, without spaces. */
export function manifestText({ storeId, position }: Manifest): Uint8Array {
  const { journal, snapshots, ledger } = position
  const content = {
    manifestVersion: MANIFEST_VERSION,
    storeId,
    journal: { segment: journal.segment, turns: journal.turns },
    snapshots: { actors: snapshots.actors, turns: snapshots.turns },
    ledger: { isUsed: ledger.isUsed },
  }
  const crc32 = crcOf(Buffer.from(JSON.stringify(content)))
  return Buffer.from(`${JSON.stringify({ ...content, crc32 }, null, 2)}\n`)
}

/** Null where there is none. Rejects with DamagedFileError, NewerFileError or the error of a read. Changes nothing. */
export async function readManifest(files: Files, dir: string): Promise<Manifest | null> {
  const path = join(dir, MANIFEST_FILE)
  const bytes = await readWhole(files, path)
  if (bytes === null) return null
  const found = jsonIn(bytes)
  const version = isDictionary(found) ? found['manifestVersion'] : null
  if (typeof version === 'number' && version > MANIFEST_VERSION) {
    throw new NewerFileError(
      `${path}: the manifest has version ${version}; this version reads ${MANIFEST_VERSION}`,
    )
  }
  const manifest = MANIFEST.safeParse(found).data
  // One way to write it: every other byte is damage.
  if (manifest === undefined || Buffer.compare(manifestText(manifest), bytes) !== 0) {
    throw new DamagedFileError('the manifest does not have its checksum')
  }
  return manifest
}

/** Puts a manifest in place of the one before; resolves when it is durable. */
export function writeManifest(files: Files, dir: string, manifest: Manifest): Promise<void> {
  return replaceWhole(files, join(dir, MANIFEST_FILE), manifestText(manifest))
}

interface KeeperOptions extends DataFolder {
  readonly storeId: string
  readonly positionNow: () => StorePosition
}

export type ManifestKeeper = Awaited<ReturnType<typeof keepManifest>>

/**
 * Writes where the store is after its start, and rejects when that fails; then keeps the manifest of an open store near to where
 * the store is, without a flush that anybody waits for.
 */
export async function keepManifest({ files, dir, log, storeId, positionNow }: KeeperOptions) {
  let written = positionNow()
  let turnsSeen = written.journal.turns
  let isFailing = false
  await writeManifest(files, dir, { storeId, position: written })
  const write = async (position: StorePosition): Promise<void> => {
    try {
      await writeManifest(files, dir, { storeId, position })
      written = position
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ error }, 'the manifest could not be written; the one before stays')
      isFailing = true
    }
  }
  /** Writes follow each other: all have one draft. */
  const inTurn = oneByOne()
  return {
    /**
     * Call it now and then. Writes when a segment was begun or a snapshot made since, and when the journal was quiet since
     * the last call. Never rejects: an older manifest claims less.
     */
    look: () =>
      inTurn(async () => {
        const now = positionNow()
        const isQuiet = now.journal.turns === turnsSeen
        turnsSeen = now.journal.turns
        const { turns } = written.journal
        const isElsewhere = !isDeepStrictEqual({ ...now, journal: { ...now.journal, turns } }, written)
        if (isElsewhere || (isQuiet && now.journal.turns !== turns)) await write(now)
      }),
    /** Call it when the journal is closed. Never rejects. */
    close: () => inTurn(() => write(positionNow())),
  }
}
