import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import type { ImageSection, StateImage } from '../../core/model/image.ts'
import type { Files } from '../../ports/files.ts'
import { crcOf } from '../binary/crc.ts'
import { createPacker, type Packer } from '../binary/msgpack.ts'
import { readAll } from '../files/whole-file.ts'
import {
  CHUNK_FRAME_BYTES,
  decodeChunkFrame,
  decodeChunkRows,
  decodeFooter,
  decodeHeader,
  FOOTER_BYTES,
  HEADER_FRAME_BYTES,
  headerBodyBytes,
  SnapshotDamage,
  type SnapshotHeader,
  unpacked,
} from './format.ts'
import { MemoryRows } from './memory-rows.ts'

export interface ReadSnapshot {
  readonly actorKey: string
  readonly image: StateImage
  readonly bytes: number
}

const READ_AHEAD_BYTES = 1024 * 1024

/**
 * The whole snapshot, every checksum compared, with a turn of the event loop after every chunk. Rejects with
 * SnapshotDamage when the file is not what was written, with SnapshotVersionError when a newer program wrote it,
 * and with the file system's error when it cannot be read.
 */
export async function readSnapshot(files: Files, path: string): Promise<ReadSnapshot> {
  return withReader(files, path, async (reader) => {
    const packer = createPacker({ isTabular: true })
    const header = await readHeader(reader, packer)
    const sections = await readSections(reader, packer, header)
    const { actorKey, sections: _, ...identity } = header
    return { actorKey, image: { ...identity, sections }, bytes: reader.position }
  })
}

/** Compares every checksum and decodes no row: a small part of the work. Rejects as `readSnapshot` does. */
export async function checkSnapshot(
  files: Files,
  path: string,
): Promise<Pick<SnapshotHeader, 'actorKey' | 'seq'> & { readonly bytes: number }> {
  return withReader(files, path, async (reader) => {
    const { actorKey, seq } = await readHeader(reader, createPacker({ isTabular: true }))
    await readChunks(reader, () => undefined)
    return { actorKey, seq, bytes: reader.position }
  })
}

/** Only the header: whose snapshot it is. Rejects as `readSnapshot` does; says nothing of the rows. */
export async function readSnapshotHeader(files: Files, path: string): Promise<SnapshotHeader> {
  return withReader(files, path, (reader) => readHeader(reader, createPacker({ isTabular: true })))
}

async function withReader<T>(
  files: Files,
  path: string,
  read: (reader: ForwardReader) => Promise<T>,
): Promise<T> {
  const fd = await files.open(path, 'read')
  try {
    const stat = await files.stat(path)
    return await read(new ForwardReader(files, fd, stat?.bytes ?? 0))
  } finally {
    await files.close(fd)
  }
}

async function readHeader(reader: ForwardReader, packer: Packer): Promise<SnapshotHeader> {
  const frame = Buffer.from(await reader.take(HEADER_FRAME_BYTES))
  const body = await reader.take(headerBodyBytes(frame))
  return decodeHeader(frame, body, packer)
}

async function readSections(
  reader: ForwardReader,
  packer: Packer,
  header: SnapshotHeader,
): Promise<readonly ImageSection[]> {
  const sections = header.sections.map(({ name }): { name: string; rows: unknown[] } => ({ name, rows: [] }))
  const memories = new MemoryRows()
  let current = 0
  await readChunks(reader, (frame, place, body) => {
    const section = sections[place]
    if (section === undefined || place < current) throw new SnapshotDamage('chunk: not in order')
    const isMemories = section.name === 'memories'
    const rows = decodeChunkRows(
      frame,
      body,
      (bytes) => (isMemories ? memories.read(bytes) : null) ?? unpacked(packer, bytes),
    )
    current = place
    for (const row of rows) section.rows.push(row)
  })
  if (!sections.every((section, index) => section.rows.length === header.sections[index]?.rows)) {
    throw new SnapshotDamage('not as many rows as the header counts')
  }
  return sections
}

/** Takes every chunk and the footer, which must be the last and close this very file. */
async function readChunks(
  reader: ForwardReader,
  onChunk: (frame: Buffer, section: number, body: Buffer) => void,
): Promise<void> {
  for (;;) {
    const crcBefore = reader.crc
    const frame = Buffer.from(await reader.take(CHUNK_FRAME_BYTES))
    const chunk = decodeChunkFrame(frame)
    if (chunk === null) {
      const rest = await reader.take(FOOTER_BYTES - CHUNK_FRAME_BYTES)
      const footer = decodeFooter(Buffer.concat([frame, rest]))
      if (footer.fileCrc !== crcBefore) throw new SnapshotDamage('footer: the file is not the one it closes')
      break
    }
    onChunk(frame, chunk.section, await reader.take(chunk.bodyBytes))
    await nextTurnOfLoop()
  }
  if (!reader.isAtEnd) throw new SnapshotDamage('bytes after the footer')
}

/** Takes a file front to back with few calls and one buffer. A file that ends too early is damaged. */
class ForwardReader {
  readonly #files: Files
  readonly #fd: number
  readonly #fileBytes: number
  #buffer: Buffer = Buffer.alloc(0)
  /** The part of the buffer that is read. */
  #window: Buffer = Buffer.alloc(0)
  #taken = 0
  #position = 0
  #crc = 0

  constructor(files: Files, fd: number, fileBytes: number) {
    this.#files = files
    this.#fd = fd
    this.#fileBytes = fileBytes
  }

  /** Bytes taken so far. */
  get position(): number {
    return this.#position
  }

  /** CRC-32 of all bytes taken so far. */
  get crc(): number {
    return this.#crc
  }

  get isAtEnd(): boolean {
    return this.#position === this.#fileBytes
  }

  /** What is taken is good until the next call. */
  async take(bytes: number): Promise<Buffer> {
    // Before memory is taken for it: a damaged length may be anything.
    if (bytes > this.#fileBytes - this.#position) throw new SnapshotDamage('the file ends too early')
    if (bytes > this.#window.length - this.#taken) await this.#fill(bytes)
    const piece = this.#window.subarray(this.#taken, this.#taken + bytes)
    this.#taken += bytes
    this.#position += bytes
    this.#crc = crcOf(piece, this.#crc)
    return piece
  }

  async #fill(bytes: number): Promise<void> {
    const kept = this.#window.subarray(this.#taken)
    const wanted = Math.min(Math.max(bytes, READ_AHEAD_BYTES), this.#fileBytes - this.#position)
    // The old one is used again: a buffer for each part of a large file is much for the collector.
    const buffer = wanted > this.#buffer.length ? Buffer.alloc(wanted) : this.#buffer
    buffer.set(kept)
    const start = this.#position + kept.length
    const read = await readAll(this.#files, this.#fd, buffer.subarray(kept.length, wanted), start)
    if (kept.length + read < bytes) throw new SnapshotDamage('the file ends too early')
    this.#buffer = buffer
    this.#window = buffer.subarray(0, kept.length + read)
    this.#taken = 0
  }
}
