import { join } from 'node:path'
import { RECALL_SCHEMA, recallImageFrom, sectionsOf } from '../../core/search/index-image.ts'
import type { Files } from '../../ports/files.ts'
import type { Grant, RecallImages, StoredRecallImage } from '../../ports/store.ts'
import { type ActorFolders, actorKeyHashOf, openActorFolders } from '../files/actor-folders.ts'
import {
  createNamed,
  DamagedFileError,
  type DataFolder,
  type GrowingFile,
  NewerFileError,
} from '../files/whole-file.ts'
import { type Head, type NamedNumber, namedNumbers, RecordWriter } from '../record-file/format.ts'
import { withRecordFile } from '../record-file/reader.ts'

// An index file is a record file: the header has actor and turn of the snapshot that the index belongs to, and as facts
// stateHash, schema (version of the sections' meaning), builtBy, byteOrder and sections, which lists [name, bytes] in order.
// Each section is a record, filled up with zeros to a multiple of 8, so that it can be read where it lies; its numbers are in
// the byte order that the header names.
const ALIGNMENT = 8

/** What must be the same for whoever wrote the file and whoever reads it. */
export interface IndexMaker {
  /** Program, and whatever else decides about words. */
  readonly builtBy: string
  readonly byteOrder: string
}

/** Bytes copied and written at a time: under half a millisecond. */
const STEP_BYTES = 1 << 20
const ZEROS = new Uint8Array(ALIGNMENT)

/** Writes a whole index file, giving the event loop a turn after every piece. */
export async function writeIndexFile(
  file: GrowingFile,
  actorKey: string,
  { seq, stateHash, image }: StoredRecallImage,
  maker: IndexMaker,
): Promise<void> {
  const sections = sectionsOf(image).map(({ name, pieces }) => {
    return { name, pieces, bytes: pieces.reduce((sum, piece) => sum + piece.length, 0) }
  })
  const listed = sections.map(({ name, bytes }) => [name, bytes])
  const facts = { stateHash, schema: RECALL_SCHEMA, ...maker, sections: listed }
  const writer = await RecordWriter.begin(file, { kind: 'recall_index', actorKey, seq, facts })
  // One for all pieces: hundreds of buffers would have the collector go through the whole heap for their sake.
  const copy = new Uint8Array(STEP_BYTES)
  for (const { bytes, pieces } of sections) {
    const padding = paddingAfter(bytes)
    await writer.appendPieces(bytes + padding, steps([...pieces, ZEROS.subarray(0, padding)], copy))
  }
  await writer.end()
}

/** A copy of each step: the index goes on in these pages, and what is checked must be what is written. */
function* steps(pieces: readonly Uint8Array[], copy: Uint8Array): Generator<Uint8Array> {
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; from += STEP_BYTES) {
      const step = piece.subarray(from, from + STEP_BYTES)
      copy.set(step)
      yield copy.subarray(0, step.length)
    }
  }
}

function paddingAfter(bytes: number): number {
  return (ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT
}

/** A whole index file in shared memory of its own. Rejects as `RecordFile`; also of another program it is a newer one. */
export function readIndexFile(
  files: Files,
  path: string,
  maker: IndexMaker,
): Promise<StoredRecallImage & { readonly actorKey: string | null }> {
  return withRecordFile(files, path, 'recall_index', async (file) => {
    const { head, fileBytes, recordsAt } = file.layout
    const listed = sectionsIn(head, maker)
    const sections = new Map<string, Uint8Array>()
    let place = 0
    for await (const body of file.records(new SharedArrayBuffer(fileBytes - recordsAt))) {
      const section = listed[place]
      if (section === undefined || body.length !== section.number + paddingAfter(section.number)) {
        throw new DamagedFileError('sections that the header does not list')
      }
      sections.set(section.name, body.subarray(0, section.number))
      place += 1
    }
    const image = place === listed.length ? recallImageFrom(sections) : null
    if (image === null) throw new DamagedFileError('sections that do not belong together')
    return { actorKey: head.actorKey, seq: head.seq, stateHash: String(head.facts['stateHash']), image }
  })
}

function sectionsIn(head: Head, maker: IndexMaker): readonly NamedNumber[] {
  const { schema, builtBy, byteOrder } = head.facts
  if (schema !== RECALL_SCHEMA || builtBy !== maker.builtBy || byteOrder !== maker.byteOrder) {
    throw new NewerFileError(`schema ${String(schema)} by ${String(builtBy)}, ${String(byteOrder)}`)
  }
  return namedNumbers(head, 'sections')
}

export interface RecallImagesOptions extends DataFolder {
  readonly maker: IndexMaker
}

// <actorKeyHash>.<seq>.idx
const NAME = /^([0-9a-f]{32})\.(\d{1,16})\.idx$/

interface IndexName {
  readonly hash: string
  readonly seq: number
  readonly name: string
}

/** Lists the index files in `dir`, opening none; of an actor's the newest counts. */
export async function openRecallImages(options: RecallImagesOptions): Promise<RecallImages> {
  const { folders, fileNames } = await openActorFolders(options.files, join(options.dir, 'idx'))
  const images = new LocalRecallImages(options, folders)
  await images.list(fileNames)
  return images
}

/** Writes and reads of one actor take turns; actors do not wait for each other. */
class LocalRecallImages implements RecallImages {
  readonly #options: RecallImagesOptions
  readonly #folders: ActorFolders
  /** By hash of the actor's key. */
  readonly #newest = new Map<string, IndexName>()
  /** Images that are to be written: a newer one takes the place of one that waits. */
  readonly #wanted = new Map<string, StoredRecallImage>()
  readonly #writes = new Set<Promise<void>>()

  constructor(options: RecallImagesOptions, folders: ActorFolders) {
    this.#options = options
    this.#folders = folders
  }

  async list(fileNames: readonly string[]): Promise<void> {
    for (const found of fileNames.flatMap((name) => parsedName(name) ?? [])) {
      const known = this.#newest.get(found.hash)
      const isNewer = known === undefined || found.seq > known.seq
      if (isNewer) this.#newest.set(found.hash, found)
      // A crash between the new name and the removal of the old one leaves both.
      const older = isNewer ? known : found
      if (older !== undefined) await this.#remove(older)
    }
  }

  keep(_grant: Grant, actorKey: string, stored: StoredRecallImage): void {
    const hash = actorKeyHashOf(actorKey)
    this.#wanted.set(hash, stored)
    const write = this.#folders.turns
      .run(hash, () => this.#write(hash, actorKey, stored))
      .catch((cause: unknown) => {
        this.#options.log.warn(
          { actor: actorKey, seq: stored.seq, cause: String(cause) },
          'the recall index could not be stored: a load builds it again',
        )
      })
      .finally(() => this.#writes.delete(write))
    this.#writes.add(write)
  }

  get(actorKey: string): Promise<StoredRecallImage | null> {
    return this.#folders.inTurn(actorKey, async (hash) => {
      const found = this.#newest.get(hash)
      return found === undefined ? null : this.#read(found, actorKey)
    })
  }

  dropBefore(_grant: Grant, actorKey: string, seq: number): Promise<void> {
    return this.#folders.inTurn(actorKey, async (hash) => {
      const known = this.#newest.get(hash)
      const kept = known !== undefined && known.seq >= seq ? known.name : null
      if (kept === null) this.#newest.delete(hash)
      const folder = this.#folders.folderOf(hash)
      if ((await this.#options.files.stat(folder)) === null) return
      await this.#removeOthers(hash, kept)
      await this.#folders.scrub(hash)
      // In any case: an earlier removal may not be durable yet.
      await this.#options.files.fsyncDir(folder)
    })
  }

  async settled(): Promise<void> {
    while (this.#writes.size > 0) await Promise.all(this.#writes)
  }

  async #write(hash: string, actorKey: string, stored: StoredRecallImage): Promise<void> {
    if (this.#wanted.get(hash) !== stored) return
    this.#wanted.delete(hash)
    const name = `${hash}.${stored.seq}.idx`
    const path = join(await this.#folders.madeFolder(hash), name)
    const { bytes } = await createNamed(this.#options.files, path, (file) =>
      writeIndexFile(file, actorKey, stored, this.#options.maker),
    )
    this.#newest.set(hash, { hash, seq: stored.seq, name })
    await this.#removeOthers(hash, name)
    this.#options.log.debug({ actor: actorKey, seq: stored.seq, bytes }, 'recall index is stored')
  }

  async #read(found: IndexName, actorKey: string): Promise<StoredRecallImage | null> {
    const path = this.#folders.pathOf(found.hash, found.name)
    try {
      const stored = await readIndexFile(this.#options.files, path, this.#options.maker)
      if (stored.actorKey === actorKey && stored.seq === found.seq) return stored
      throw new DamagedFileError('the content belongs to another name')
    } catch (error) {
      const cause = String(error)
      // What could not be used is not asked for again, and an erasure takes it for a stranger.
      this.#newest.delete(found.hash)
      if (error instanceof NewerFileError) {
        this.#options.log.info(
          { actor: actorKey, cause },
          'the stored recall index is of another program: built again',
        )
        return null
      }
      this.#options.log.warn(
        { actor: actorKey, file: found.name, cause },
        'the stored recall index cannot be read: built again',
      )
      if (error instanceof DamagedFileError) await this.#remove(found)
      return null
    }
  }

  /** By the folder, not by the list: a file that could not be removed earlier is only there. */
  async #removeOthers(hash: string, kept: string | null): Promise<void> {
    const folder = this.#folders.folderOf(hash)
    for (const name of await this.#options.files.readdir(folder)) {
      if (name.startsWith(`${hash}.`) && name !== kept) await this.#options.files.unlink(join(folder, name))
    }
  }

  /** A file that stays is removed with the next one, at the next start or by a purge. */
  async #remove({ hash, name }: IndexName): Promise<void> {
    await this.#options.files.unlink(this.#folders.pathOf(hash, name)).catch((cause: unknown) => {
      this.#options.log.warn({ file: name, cause: String(cause) }, 'an index file could not be removed')
    })
  }
}

function parsedName(name: string): IndexName | null {
  const [, hash, seq] = NAME.exec(name) ?? []
  return hash === undefined ? null : { hash, seq: Number(seq), name }
}
