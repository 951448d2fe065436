import { join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import { crcOf } from '../binary/bytes.ts'
import { actorKeyHashOf, type ListedFiles, listFiles, numberedNames } from '../files/actor-folders.ts'
import { forEachConcurrently } from '../files/concurrency.ts'
import {
  DamagedFileError,
  damageOf,
  type FileDamage,
  type GrowingFile,
  readWhole,
} from '../files/whole-file.ts'
import {
  decodeEntry,
  decodeFooter,
  decodeHead,
  ENTRY_BYTES,
  encodeRecord,
  FOOTER_BYTES,
  FRAME_BYTES,
  HEAD_FRAME_BYTES,
  type Head,
  headBytes,
  isContainer,
  NAME_AT,
  namedBody,
  namedNumbers,
  nameHead,
  RecordWriter,
} from '../record-file/format.ts'
import { withRecordFile } from '../record-file/reader.ts'

// packs/<number>.pack, 16 hex digits; a later one has the higher number. A record file of small files of actors, each as it
// lay in its folder. The header lists them as the fact files: [[name, bytes], ...] in the order of the records, so that a start
// reads headers only. A record says again whose content it is:
//
//   0        2        2+k
//   +--------+--------+---------+
//   | nameLen| name   | content |      name = the path inside of the data folder, parts apart by '/'
//   | u16    | utf8, k|         |
//   +--------+--------+---------+
//
// Its key in the directory is the hash of the name. So header and directory each lead to every file: where one of them is
// damaged, all are read by the other. The content has checksums of its own.
//
// Invariant: a pack is never changed. A file that went is in it until the rest was written into another pack.
export const PACK_SUFFIX = '.pack'
export const { nameOf: packNameOf, numberOf: parsePackName } = numberedNames('', PACK_SUFFIX)

export interface PackedPlace {
  readonly name: string
  readonly at: number
  readonly bytes: number
}

export async function writePack(
  file: GrowingFile,
  given: readonly { readonly name: string; readonly content: Uint8Array }[],
): Promise<readonly PackedPlace[]> {
  const sorted = given
    .map((each) => ({ ...each, key: actorKeyHashOf(each.name) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  const facts = { files: sorted.map(({ name, content }) => [name, content.length]) }
  const writer = await RecordWriter.begin(file, { kind: 'pack', actorKey: null, seq: 0, facts })
  const places: PackedPlace[] = []
  for (const { name, content, key } of sorted) {
    const head = nameHead(name)
    places.push({ name, at: file.bytes + FRAME_BYTES + head.length, bytes: content.length })
    await writer.append(encodeRecord(head, content), { key, number: 0 })
  }
  await writer.end()
  return places
}

/**
 * Reads the header; the rest only where the pack itself is damaged: then it says so. The contents are not looked at. Rejects
 * with NewerFileError and errors of the file system.
 */
export async function listPack(files: Files, path: string) {
  try {
    return await withRecordFile(files, path, 'pack', async ({ layout }) => {
      const { head, recordsAt, fileBytes, end } = layout
      const listed = placesIn(head, recordsAt)
      if (end?.directory !== endOf(listed, recordsAt))
        throw new DamagedFileError('header: not the files that the pack holds')
      return { files: listed, bytes: fileBytes, damage: null }
    })
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error
    const content = Buffer.from((await readWhole(files, path)) ?? [])
    const salvaged = tried(() => byHeader(content)) ?? tried(() => byDirectory(content)) ?? []
    return { files: salvaged, bytes: content.length, damage: error.message }
  }
}

/** Reads everything and compares every checksum. Rejects with DamagedFileError, and as `listPack`. */
export function checkPack(files: Files, path: string): Promise<void> {
  return withRecordFile(files, path, 'pack', async (file) => {
    const listed = placesIn(file.layout.head, file.layout.recordsAt)
    let place = 0
    for await (const body of file.records()) {
      const expected = listed[place]
      if (expected === undefined || namedBody(body).name.toString() !== expected.name)
        throw new DamagedFileError(`record ${place + 1}: not the file that the header lists`)
      const entry = await file.entryAt(place)
      if (entry.key !== actorKeyHashOf(expected.name))
        throw new DamagedFileError(`directory: not the file of record ${place + 1}`)
      place += 1
    }
    if (place !== listed.length) throw new DamagedFileError('header: files that are not there')
  })
}

function placesIn(head: Pick<Head, 'facts'>, recordsAt: number): readonly PackedPlace[] {
  let at = recordsAt
  return namedNumbers(head, 'files').map(({ name, number: bytes }) => {
    const place = { name, at: at + FRAME_BYTES + NAME_AT + Buffer.byteLength(name), bytes }
    at = place.at + bytes
    return place
  })
}

function endOf(listed: readonly PackedPlace[], recordsAt: number): number {
  const last = listed.at(-1)
  return last === undefined ? recordsAt : last.at + last.bytes
}

function tried<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof DamagedFileError) return null
    throw error
  }
}

function byHeader(content: Buffer): readonly PackedPlace[] {
  if (!isContainer(content.subarray(0, HEAD_FRAME_BYTES))) throw new DamagedFileError('not a pack')
  const recordsAt = headBytes(content)
  if (recordsAt > content.length) throw new DamagedFileError('the file ends too early')
  const listed = placesIn(decodeHead(content.subarray(0, recordsAt), 'pack'), recordsAt)
  return listed.filter(({ at, bytes }) => at + bytes <= content.length)
}

function byDirectory(content: Buffer): readonly PackedPlace[] {
  if (content.length < FOOTER_BYTES) throw new DamagedFileError('the file ends too early')
  const { directory, entries } = decodeFooter(content.subarray(content.length - FOOTER_BYTES), content.length)
  const bytes = content.subarray(directory, directory + entries * ENTRY_BYTES)
  return Array.from({ length: entries }, (_, place) => tried(() => placeOf(content, bytes, place))).filter(
    (place) => place !== null,
  )
}

function placeOf(content: Buffer, directory: Buffer, place: number): PackedPlace {
  const { offset, bytes } = decodeEntry(directory, place)
  const record = content.subarray(offset, offset + bytes)
  const body = record.subarray(FRAME_BYTES)
  if (record.length !== bytes || bytes < FRAME_BYTES || record.readUInt32LE(4) !== crcOf(body))
    throw new DamagedFileError('record: wrong checksum')
  const { name, rest } = namedBody(body)
  return { name: name.toString(), at: offset + bytes - rest.length, bytes: rest.length }
}

export const PACK_FOLDER = 'packs'
const PARALLEL_PACKS = 16

/** What lies in the folder of packs, in the order of the names, which is that of the numbers. */
export function packNames(files: Files, dir: string): Promise<ListedFiles<number>> {
  return listFiles(files, join(dir, PACK_FOLDER), parsePackName)
}

export type FoundPack = Awaited<ReturnType<typeof listPack>> & {
  readonly number: number
  readonly path: string
}

export async function listed(
  files: Files,
  { found: packs }: ListedFiles<number>,
  onError: (error: unknown) => void,
): Promise<readonly FoundPack[]> {
  const found: FoundPack[] = []
  await forEachConcurrently(packs, PARALLEL_PACKS, async ({ named: number, path }) => {
    const listing = await listPack(files, path).catch(onError)
    if (listing !== undefined) found.push({ number, path, ...listing })
  })
  return found.sort((a, b) => a.number - b.number)
}

/** Reads every pack to its end and compares every checksum. Changes nothing; damage is told, never thrown. */
export async function surveyPacks(
  files: Files,
  dir: string,
  onFile: (path: string) => void = () => undefined,
) {
  const { found: packs, ...rest } = await packNames(files, dir)
  const damages: FileDamage[] = []
  for (const { path } of packs) {
    onFile(path)
    await checkPack(files, path).catch((error: unknown) => damages.push(damageOf(error, path)))
  }
  return { damages, ...rest }
}
