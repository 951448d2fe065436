import { RECALL_SCHEMA, recallImageFrom, sectionsOf } from '../../core/search/index-image.ts'
import type { Files } from '../../ports/files.ts'
import type { StoredRecallImage } from '../../ports/recall-images.ts'
import { DamagedFileError, NewerFileError } from '../files/damage.ts'
import type { GrowingFile } from '../files/durable-file.ts'
import { type Head, namedNumbers } from '../record-file/format.ts'
import { withRecordFile } from '../record-file/reader.ts'
import { RecordWriter } from '../record-file/writer.ts'

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

interface Section {
  readonly name: string
  readonly bytes: number
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

/** Zeros that follow so many bytes. */
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
      if (section === undefined || body.length !== section.bytes + paddingAfter(section.bytes)) {
        throw new DamagedFileError('sections that the header does not list')
      }
      sections.set(section.name, body.subarray(0, section.bytes))
      place += 1
    }
    const image = place === listed.length ? recallImageFrom(sections) : null
    if (image === null) throw new DamagedFileError('sections that do not belong together')
    return { actorKey: head.actorKey, seq: head.seq, stateHash: String(head.facts['stateHash']), image }
  })
}

function sectionsIn(head: Head, maker: IndexMaker): readonly Section[] {
  const { schema, builtBy, byteOrder } = head.facts
  if (schema !== RECALL_SCHEMA || builtBy !== maker.builtBy || byteOrder !== maker.byteOrder) {
    throw new NewerFileError(`schema ${String(schema)} by ${String(builtBy)}, ${String(byteOrder)}`)
  }
  return namedNumbers(head, 'sections').map(({ name, number: bytes }) => ({ name, bytes }))
}
