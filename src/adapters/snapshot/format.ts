import { join } from 'node:path'
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { type ImageSection, plainRow, type StateImage } from '../../core/model/image.ts'
import type { Files } from '../../ports/files.ts'
import { createPacker, type Packer } from '../binary/msgpack.ts'
import { actorKeyHashOf, listActorFolders } from '../files/actor-folders.ts'
import {
  createDurably,
  DamagedFileError,
  damageOf,
  type FileDamage,
  type GrowingFile,
} from '../files/whole-file.ts'
import {
  encodeRecord,
  type Head,
  type NamedNumber,
  namedNumbers,
  RecordWriter,
  unpackedPart,
} from '../record-file/format.ts'
import { withRecordFile } from '../record-file/reader.ts'
import { MemoryRows } from './memory-rows.ts'

// <actorKeyHash>.<seq>.<bytes>.<actor key, percent-encoded>.snap
//
// The name carries what a start must know of a snapshot, so that a start lists folders and opens no file. An actor
// key too long for a name is left out; it stands in the file's header in any case.
const NAME = /^([0-9a-f]{32})\.(\d{1,16})\.(\d{1,16})(?:\.(.+))?\.snap$/
const ENCODED_KEY_CHARS_MAX = 170

export interface SnapshotName {
  readonly actorKeyHash: string
  readonly seq: number
  readonly bytes: number
  /** Null when it does not fit into a name. */
  readonly actorKey: string | null
}

function snapshotNameOf(actorKeyHash: string, seq: number, bytes: number, actorKey: string): string {
  const encoded = encodedKey(actorKey)
  return `${actorKeyHash}.${seq}.${bytes}${encoded === null ? '' : `.${encoded}`}.snap`
}

export function parseSnapshotName(name: string): SnapshotName | null {
  const [, actorKeyHash, seq, bytes, encoded] = NAME.exec(name) ?? []
  if (actorKeyHash === undefined) return null
  const numbers = { seq: Number(seq), bytes: Number(bytes) }
  if (encoded === undefined) return { actorKeyHash, ...numbers, actorKey: null }
  const actorKey = decodedKey(encoded)
  if (actorKey === null || actorKeyHashOf(actorKey) !== actorKeyHash) return null
  return { actorKeyHash, ...numbers, actorKey }
}

function encodedKey(actorKey: string): string | null {
  try {
    const encoded = encodeURIComponent(actorKey)
    return encoded.length > ENCODED_KEY_CHARS_MAX ? null : encoded
  } catch {
    // A lone surrogate has no percent-encoding.
    return null
  }
}

function decodedKey(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}

// Facts of the header: tenantId, scope, schema, stateHash, storeId and turnCrc where they were known, and sections, which
// lists [name, row count] in order. turnCrc is the crc32 of what the journal holds as the turn with the sequence of the snapshot.
// The body of a record is a chunk: 1 to 200 rows of one section. Chunks stand in the order of sections and rows. The keys
// of rows of one shape are written once in a chunk and in no other place, so that it can be read on its own.
//
//   0         2       4
//   +---------+-------+--------------+
//   | section | rows  | msgpack list |      section = its place in the header
//   | u16     | u16   |              |
//   +---------+-------+--------------+
const CHUNK_HEAD_BYTES = 4
const CHUNK_ROWS_MAX = 200
/** A chunk ends with the row that has this many units or more together with those before it: it is packed in some milliseconds. */
const CHUNK_UNITS = 128 * 1024
/** What a value counts beside its characters. */
const VALUE_UNITS = 8

export interface SnapshotFile {
  readonly seq: number
  readonly bytes: number
  readonly name: string
}

export interface SnapshotOwner {
  readonly actorKey: string
  /** Null: of any store, as older files are, and those that lie in no folder. */
  readonly storeId: string | null
  /** Checksum of the last turn in it, as the journal has it; null: of any, as older files are, and those without a journal. */
  readonly turnCrc: number | null
}

/** Makes the image a snapshot in the folder of its actor, which is there. Resolves when it is durable. */
export async function createSnapshot(
  files: Files,
  folder: string,
  owner: SnapshotOwner,
  image: StateImage,
): Promise<SnapshotFile> {
  const { actorKey } = owner
  const hash = actorKeyHashOf(actorKey)
  const target = {
    folder,
    draftName: `${hash}.${image.seq}.snap`,
    nameOf: (bytes: number) => snapshotNameOf(hash, image.seq, bytes, actorKey),
  }
  const written = await createDurably(files, target, (file) => writeSnapshot(file, owner, image))
  return { seq: image.seq, ...written }
}

/**
 * Writes the image as a whole snapshot, giving the event loop a turn after every chunk. The image's lists are read
 * until it resolves and must not change. Rejects on a row that cannot be stored and on a failed write.
 */
export async function writeSnapshot(
  file: GrowingFile,
  { actorKey, storeId, turnCrc }: SnapshotOwner,
  image: StateImage,
): Promise<void> {
  const { sections, seq, ...identity } = image
  const packer = createPacker({ isTabular: true })
  const counts = sections.map(({ name, rows }) => [name, rows.length])
  const facts = {
    ...identity,
    sections: counts,
    ...(storeId === null ? {} : { storeId }),
    ...(turnCrc === null ? {} : { turnCrc }),
  }
  const writer = await RecordWriter.begin(file, { kind: 'snapshot', actorKey, seq, facts })
  for (const [section, { rows }] of sections.entries()) {
    for (let from = 0; from < rows.length; ) {
      const piece = pieceFrom(rows, from)
      const head = Buffer.alloc(CHUNK_HEAD_BYTES)
      head.writeUInt16LE(section, 0)
      head.writeUInt16LE(piece.length, 2)
      const chunk = encodeRecord(head, packer.pack(piece))
      await writer.append(chunk)
      await nextTurnOfLoop()
      from += piece.length
    }
  }
  await writer.end()
}

function pieceFrom(rows: readonly unknown[], from: number): readonly unknown[] {
  const piece: unknown[] = []
  const end = Math.min(rows.length, from + CHUNK_ROWS_MAX)
  for (let at = from, left = CHUNK_UNITS; at < end && left > 0; at += 1) {
    const row = plainRow(rows[at])
    left = unitsLeft(row, left)
    piece.push(row)
  }
  return piece
}

/** What is left of so many units behind a value; of one that takes more, only as much is read. */
function unitsLeft(value: unknown, units: number): number {
  if (typeof value === 'string') return units - value.length
  let left = units - VALUE_UNITS
  if (typeof value !== 'object' || value === null) return left
  if (ArrayBuffer.isView(value)) return left - value.byteLength
  for (const name in value) {
    if (left <= 0) break
    left = unitsLeft((value as Readonly<Record<string, unknown>>)[name], left)
  }
  return left
}

/** Whose snapshot a file is, as its content says. */
export interface SnapshotIdentity extends SnapshotOwner {
  readonly seq: number
  readonly bytes: number
}

/** What a snapshot is compared with. */
export interface Whose {
  /** Null: it is not known which store this is. */
  readonly storeId: string | null
  /** Checksum of a turn that the journal of the store holds; null: it does not. */
  readonly turnCrcOf: (actorKey: string, seq: number) => Promise<number | null>
}

/**
 * Throws DamagedFileError for a snapshot under another name, of another store, which says as many turns of the same actor and other
 * ones, and of other turns than those of the journal: of a copy of the store that went on by itself.
 */
export async function requireOurs(
  found: SnapshotIdentity,
  named: Pick<SnapshotName, 'actorKey' | 'seq' | 'bytes'>,
  { storeId, turnCrcOf }: Whose,
): Promise<void> {
  const { actorKey, seq, bytes, turnCrc } = found
  const isTheNamed = seq === named.seq && bytes === named.bytes && (named.actorKey ?? actorKey) === actorKey
  if (!isTheNamed) throw new DamagedFileError('the content belongs to another name')
  if (storeId !== null && found.storeId !== null && found.storeId !== storeId)
    throw new DamagedFileError(`the snapshot is of another store, ${found.storeId}`)
  const held = turnCrc === null ? null : await turnCrcOf(actorKey, seq)
  if (held !== null && held !== turnCrc)
    throw new DamagedFileError(
      'the snapshot is of other turns than the journal holds, as in a copy of the store',
    )
}

/**
 * The whole snapshot, every checksum compared, with a turn of the event loop after every chunk. Rejects as `RecordFile`.
 */
export async function readSnapshot(
  files: Files,
  path: string,
): Promise<SnapshotIdentity & { readonly image: StateImage }> {
  return withRecordFile(files, path, 'snapshot', async (file) => {
    const { head, fileBytes } = file.layout
    const { actorKey, storeId, turnCrc, sections: counts, ...identity } = headerIn(head)
    const sections = await readSections(file.records(), counts)
    const image = { ...identity, sections }
    return { actorKey, storeId, turnCrc, seq: head.seq, bytes: fileBytes, image }
  })
}

/** Compares every checksum and decodes no row: a small part of the work. Rejects as `readSnapshot` does. */
export async function checkSnapshot(files: Files, path: string): Promise<SnapshotIdentity> {
  return withRecordFile(files, path, 'snapshot', async (file) => {
    for await (const _ of file.records()) await nextTurnOfLoop()
    const { head, fileBytes } = file.layout
    return { ...headerIn(head), bytes: fileBytes }
  })
}

/** Only the header: whose snapshot it is. Rejects as `readSnapshot` does; says nothing of the rows. */
export async function readSnapshotKey(files: Files, path: string): Promise<string> {
  return withRecordFile(files, path, 'snapshot', async ({ layout }) => headerIn(layout.head).actorKey)
}

async function readSections(
  chunks: AsyncIterable<Buffer>,
  counts: readonly NamedNumber[],
): Promise<readonly ImageSection[]> {
  const packer = createPacker({ isTabular: true })
  const sections = counts.map(({ name }): { name: string; rows: unknown[] } => ({ name, rows: [] }))
  const memories = new MemoryRows()
  let current = 0
  for await (const chunk of chunks) {
    if (chunk.length < CHUNK_HEAD_BYTES) throw new DamagedFileError('chunk: too short')
    const place = chunk.readUInt16LE(0)
    const section = sections[place]
    if (section === undefined || place < current) throw new DamagedFileError('chunk: not in order')
    const body = chunk.subarray(CHUNK_HEAD_BYTES)
    const rows =
      section.name === 'memories'
        ? (memories.read(body) ?? (await unpackedInSteps(packer, body)))
        : unpackedPart(packer, 'chunk', body)
    if (!Array.isArray(rows) || rows.length !== chunk.readUInt16LE(2)) {
      throw new DamagedFileError('chunk: not the rows it announces')
    }
    current = place
    for (const row of rows) section.rows.push(row)
    await nextTurnOfLoop()
  }
  if (!sections.every((section, index) => section.rows.length === counts[index]?.number)) {
    throw new DamagedFileError('not as many rows as the header counts')
  }
  return sections
}

/** Rows with what callers gave: of one memory up to 20 000 values, each with a name of its own. */
async function unpackedInSteps(packer: Packer, body: Buffer): Promise<unknown> {
  const steps = packer.unpackSteps(body)
  try {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value
      await nextTurnOfLoop()
    }
  } catch (cause) {
    throw new DamagedFileError('chunk: not msgpack', { cause })
  }
}

/** An image without its rows, of which there are so many. */
function headerIn(head: Head) {
  const { actorKey, seq } = head
  const { tenantId, scope, schema, stateHash, storeId = null, turnCrc = null } = head.facts
  if (
    actorKey === null ||
    typeof tenantId !== 'string' ||
    typeof scope !== 'string' ||
    typeof schema !== 'number' ||
    typeof stateHash !== 'string' ||
    (typeof storeId !== 'string' && storeId !== null) ||
    (typeof turnCrc !== 'number' && turnCrc !== null)
  ) {
    throw new DamagedFileError('header: a field is missing')
  }
  const sections = namedNumbers(head, 'sections')
  return { actorKey, storeId, turnCrc, tenantId, scope, schema, seq, stateHash, sections }
}

export interface SurveyedSnapshot extends SnapshotName {
  readonly path: string
  /** Null when neither the name nor a whole header tells it. */
  readonly actorKey: string | null
  /** Null when a whole header does not tell it. */
  readonly storeId: string | null
  readonly memories: number
  readonly damage: FileDamage | null
}

export type SnapshotSurvey = Awaited<ReturnType<typeof surveySnapshots>>

/**
 * Reads every snapshot to its end and compares every checksum. Changes nothing; damage is told, never thrown.
 */
export async function surveySnapshots(
  files: Files,
  dir: string,
  whose: Whose,
  onFile: (path: string) => void = () => undefined,
) {
  const { found, ...rest } = await listActorFolders(files, join(dir, 'snap'), parseSnapshotName)
  const snapshots: SurveyedSnapshot[] = []
  for (const { path, named } of found) {
    onFile(path)
    snapshots.push(await surveyed(files, path, named, whose))
  }
  snapshots.sort((a, b) => (a.actorKeyHash === b.actorKeyHash ? a.seq - b.seq : a.path < b.path ? -1 : 1))
  /** By actor, oldest first. */
  return { snapshots, ...rest }
}

async function surveyed(
  files: Files,
  path: string,
  named: SnapshotName,
  whose: Whose,
): Promise<SurveyedSnapshot> {
  const { actorKeyHash, seq } = named
  const known = { path, actorKeyHash, seq, bytes: (await files.stat(path))?.bytes ?? 0 }
  try {
    const found = await readSnapshot(files, path)
    await requireOurs(found, named, whose)
    const { actorKey, storeId, image } = found
    const memories = image.sections.find(({ name }) => name === 'memories')?.rows.length ?? 0
    return { ...known, actorKey, storeId, memories, damage: null }
  } catch (error) {
    return { ...known, actorKey: named.actorKey, storeId: null, memories: 0, damage: damageOf(error, path) }
  }
}
