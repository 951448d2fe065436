import { bytesOver, crcOf, getU64 } from '../binary/bytes.ts'
import { isDictionary } from '../binary/msgpack.ts'
import { DamagedFileError, NewerFileError } from '../files/whole-file.ts'
import {
  ENTRY_BYTES,
  type End,
  encodeEntry,
  FRAME_BYTES,
  type Head,
  type Kind,
  type Layout,
  newerFile,
  RECORD_FRAME,
  type ReadExactly,
  unpacked,
} from './format.ts'

// Version 1 had a layout for each kind. Each is read as the same stream of records. Nothing
// writes them any more: a file is written anew in the container when it is next written as a whole.
//
//   kind       header            records                 directory                   footer
//   snapshot   16 + map          n | crc | body of n + 4                             20 bytes
//   exposures                    crc | body              28 bytes a record           92 bytes
//   history                      as now                  starts, 44 bytes a run      56 bytes
//   vectors    64 bytes          as now
//   notes      8 bytes           as now
//
// A recall index of version 1 is of an earlier program in any case, and is built again.
const VERSION = 1

type OpenLayout = (read: ReadExactly, fileBytes: number, first: Buffer) => Promise<Layout>

/** The layout of a file that is no container. Each throws DamagedFileError or NewerFileError. */
export const OLD_LAYOUTS: Readonly<Record<Kind, OpenLayout>> = {
  snapshot,
  exposures,
  history,
  vectors,
  notes,
  pack: async () => {
    throw new DamagedFileError('not a pack')
  },
  recall_index: async (_read, _fileBytes, first) => {
    checked(isMarked(first, 0, 'MGIX'), 'not a recall index')
    throw new NewerFileError('a recall index of another program')
  },
}

function checkVersion(kind: Kind, version: number): void {
  if (version !== VERSION) throw newerFile(kind, version)
}

function isMarked(bytes: Buffer, at: number, mark: string): boolean {
  return bytes.toString('latin1', at, at + mark.length) === mark
}

function checked(isWhole: boolean, what: string): asserts isWhole {
  if (!isWhole) throw new DamagedFileError(what)
}

const CHUNK_FRAME = { ...RECORD_FRAME, bodyBytesOf: (frame: Buffer) => frame.readUInt32LE(0) + 4 }

async function snapshot(read: ReadExactly, fileBytes: number, first: Buffer): Promise<Layout> {
  const END_BYTES = 20
  checked(first.length >= 16 && isMarked(first, 0, 'MGSN'), 'not a snapshot')
  const recordsAt = 16 + first.readUInt32LE(8)
  const bytes = await read(0, recordsAt)
  checked(
    bytes.readUInt32LE(12) === crcOf(bytes.subarray(16), crcOf(bytes.subarray(0, 12))),
    'header: wrong checksum',
  )
  checkVersion('snapshot', bytes.readUInt16LE(4))
  const map = unpacked(bytes.subarray(16))
  const { actorKey, seq, ...facts } = isDictionary(map) ? map : {}
  checked(typeof actorKey === 'string' && typeof seq === 'number', 'header: a field is missing')
  checked(fileBytes >= recordsAt + END_BYTES, 'the file ends too early')
  const directory = fileBytes - END_BYTES
  const footer = await read(directory, END_BYTES)
  const isWhole = footer.readUInt32LE(0) === 0 && isMarked(footer, 16, 'NSGM')
  checked(isWhole && footer.readUInt32LE(12) === crcOf(footer.subarray(0, 12)), 'footer: wrong checksum')
  const chain = footer.readUInt32LE(8)
  const end: End = { records: null, directory, entries: 0, bytes: END_BYTES, chain, seed: crcOf(bytes) }
  const head: Head = { kind: 'snapshot', actorKey, seq, facts }
  return { isOld: true, head, recordsAt, fileBytes, frame: CHUNK_FRAME, end, directory: null }
}

async function notes(_read: ReadExactly, fileBytes: number, first: Buffer): Promise<Layout> {
  checked(first.length >= 8 && isMarked(first, 0, 'MGHN'), 'not a file of audit notes')
  checkVersion('notes', first.readUInt16LE(4))
  return growing({ kind: 'notes', actorKey: null, seq: 0, facts: {} }, 8, fileBytes)
}

async function vectors(_read: ReadExactly, fileBytes: number, first: Buffer): Promise<Layout> {
  const isWhole = first.length >= 64 && first.readUInt32LE(60) === crcOf(first.subarray(0, 60))
  checked(isWhole && isMarked(first, 0, 'AMV1'), 'not a file of vectors')
  checkVersion('vectors', first.readUInt16LE(4))
  const facts = { modelHash: first.toString('hex', 8, 24), actorKeyHash: first.toString('hex', 24, 40) }
  return growing({ kind: 'vectors', actorKey: null, seq: 0, facts }, 64, fileBytes)
}

function growing(head: Head, recordsAt: number, fileBytes: number): Layout {
  return { isOld: true, head, recordsAt, fileBytes, frame: RECORD_FRAME, end: null, directory: null }
}

/** The last bytes of a file whose footer says what it is; `covered` of them are under its checksum. */
async function footerOf(read: ReadExactly, fileBytes: number, bytes: number, covered: number, mark: string) {
  checked(fileBytes >= bytes, 'the file ends too early')
  const footer = await read(fileBytes - bytes, bytes)
  const isMagic =
    isMarked(footer, 0, mark) && isMarked(footer, bytes - 4, Buffer.from(mark).reverse().toString())
  checked(
    isMagic && footer.readUInt32LE(covered) === crcOf(footer.subarray(0, covered)),
    'footer: wrong checksum',
  )
  return footer
}

/** Exposures had no length in their frame: their directory tells it. */
const EXPOSURE_FRAME = { bytes: 4, bodyBytesOf: null, crcOf: (frame: Buffer) => frame.readUInt32LE(0) }

async function exposures(read: ReadExactly, fileBytes: number): Promise<Layout> {
  const END_BYTES = 92
  const OLD_ENTRY = 28
  const footer = await footerOf(read, fileBytes, END_BYTES, 84, 'MGLE')
  checkVersion('exposures', footer.readUInt16LE(4))
  const { view } = bytesOver(footer)
  const [at, entries] = [footer.readUInt32LE(8), footer.readUInt32LE(12)]
  checked(at + entries * OLD_ENTRY + END_BYTES === fileBytes, 'the size is not the one that the footer tells')
  const facts = { fromSeq: getU64(view, 20), actorKeyHash: footer.toString('hex', 68, 84) }
  const head: Head = { kind: 'exposures', actorKey: null, seq: getU64(view, 28), facts }
  const directory = async (again: ReadExactly): Promise<Buffer> => {
    const old = await again(at, entries * OLD_ENTRY)
    checked(crcOf(old) === footer.readUInt32LE(16), 'directory: wrong checksum')
    const made = Buffer.alloc(entries * ENTRY_BYTES)
    for (let place = 0; place < entries; place += 1) {
      const entry = old.subarray(place * OLD_ENTRY, (place + 1) * OLD_ENTRY)
      const [offset, bytes] = [entry.readUInt32LE(16), entry.readUInt32LE(20)]
      const key = entry.toString('hex', 0, 16)
      encodeEntry({ key, number: 0, offset, bytes }, made.subarray(place * ENTRY_BYTES))
    }
    return made
  }
  const end: End = { records: entries, directory: at, entries, bytes: END_BYTES, chain: 0, seed: 0 }
  return { isOld: true, head, recordsAt: 0, fileBytes, frame: EXPOSURE_FRAME, end, directory }
}

const OLD_RUN = 44

async function history(read: ReadExactly, fileBytes: number): Promise<Layout> {
  const END_BYTES = 56
  const footer = await footerOf(read, fileBytes, END_BYTES, 48, 'MGHI')
  checkVersion('history', footer.readUInt16LE(4))
  const { view } = bytesOver(footer)
  const facts = { archivedAtMs: getU64(view, 16), salt: footer.readUInt32LE(44) }
  const head: Head = { kind: 'history', actorKey: null, seq: getU64(view, 8), facts }
  const [entries, runs] = [footer.readUInt32LE(24), footer.readUInt32LE(28)]
  const [startsAt, runsAt] = [footer.readUInt32LE(32), footer.readUInt32LE(36)]
  const isFitting = startsAt + entries * 4 === runsAt && runsAt + runs * OLD_RUN + END_BYTES === fileBytes
  checked(isFitting, 'the size is not the one that the footer tells')
  const chain = footer.readUInt32LE(40)
  const end: End = { records: entries, directory: startsAt, entries, bytes: END_BYTES, chain, seed: 0 }
  const directory = async (again: ReadExactly) =>
    entriesOfRuns(await again(startsAt, entries * 4), await again(runsAt, runs * OLD_RUN), startsAt)
  return { isOld: true, head, recordsAt: 0, fileBytes, frame: RECORD_FRAME, end, directory }
}

/** Where each record starts, and the runs that they are in, become an entry for each record; the last one ends at `end`. */
function entriesOfRuns(starts: Buffer, runs: Buffer, end: number): Buffer {
  const entries = starts.length / 4
  const directory = Buffer.alloc(entries * ENTRY_BYTES)
  let place = 0
  for (let at = 0; at < runs.length; at += OLD_RUN) {
    const run = runs.subarray(at, at + OLD_RUN)
    checked(run.readUInt32LE(40) === crcOf(run.subarray(0, 40)), 'directory: wrong checksum')
    const [key, firstSeq] = [run.toString('hex', 0, 16), getU64(bytesOver(run).view, 16)]
    for (let i = 0; i < run.readUInt32LE(24); i += 1) {
      checked(place < entries, 'directory: more records than there are')
      const offset = starts.readUInt32LE(place * 4)
      const next = place + 1 < entries ? starts.readUInt32LE(place * 4 + 4) : end
      checked(next >= offset + FRAME_BYTES, 'directory: a record is out of its place')
      const entry = { key, number: firstSeq + i, offset, bytes: next - offset }
      encodeEntry(entry, directory.subarray(place * ENTRY_BYTES))
      place += 1
    }
  }
  checked(place === entries, 'directory: not all records are in a run')
  return directory
}
