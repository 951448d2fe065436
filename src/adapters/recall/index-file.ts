import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { recallImageFrom, sectionsOf } from '../../core/search/index-image.ts'
import type { Files } from '../../ports/files.ts'
import type { StoredRecallImage } from '../../ports/recall-images.ts'
import { crcOf } from '../binary/crc.ts'
import type { GrowingFile } from '../files/durable-file.ts'
import { readAll } from '../files/whole-file.ts'
import {
  decodeFooter,
  decodeHeader,
  encodeFooter,
  encodeHeader,
  footerBytes,
  IndexDamage,
  type IndexMaker,
  paddingAfter,
} from './format.ts'

/** Bytes copied, checked or written at a time: under half a millisecond. */
const STEP_BYTES = 1 << 20
const ZEROS = new Uint8Array(8)

/** Writes a whole index file, giving the event loop a turn after every piece. */
export async function writeIndexFile(
  file: GrowingFile,
  actorKey: string,
  { seq, stateHash, image }: StoredRecallImage,
  maker: IndexMaker,
): Promise<void> {
  const sections = sectionsOf(image)
  const sizes = sections.map(({ name, pieces }) => ({
    name,
    bytes: pieces.reduce((sum, piece) => sum + piece.length, 0),
  }))
  await file.append(encodeHeader({ actorKey, seq, stateHash, sections: sizes }, maker))
  // One for all pieces: hundreds of buffers would have the collector go through the whole heap for their sake.
  const copy = new Uint8Array(STEP_BYTES)
  const crcs: number[] = []
  for (const { pieces } of sections) {
    let crc = 0
    const append = async (bytes: Uint8Array): Promise<void> => {
      crc = crcOf(bytes, crc)
      await file.append(bytes)
    }
    for (const piece of pieces) {
      for (let from = 0; from < piece.length; from += STEP_BYTES) {
        // A copy: the index goes on in these pages, and what is checked must be what is written.
        const step = piece.subarray(from, from + STEP_BYTES)
        copy.set(step)
        await append(copy.subarray(0, step.length))
      }
    }
    const padding = paddingAfter(file.bytes)
    if (padding > 0) await append(ZEROS.subarray(0, padding))
    crcs.push(crc)
  }
  await file.append(encodeFooter(crcs))
}

/**
 * A whole index file in shared memory of its own, every checksum compared. Rejects with IndexDamage when the file is not
 * what was written, with IndexVersionError when another program wrote it, and with the file system's error.
 */
export async function readIndexFile(
  files: Files,
  path: string,
  maker: IndexMaker,
): Promise<StoredRecallImage & { readonly actorKey: string }> {
  const file = await sharedContent(files, path)
  const { header, bytes: headerEnd } = decodeHeader(file, maker)
  const footerAt = file.length - footerBytes(header.sections.length)
  if (footerAt < headerEnd) throw new IndexDamage('the file ends too early')
  const crcs = decodeFooter(file.subarray(footerAt))
  const sections = new Map<string, Uint8Array>()
  let at = headerEnd
  for (const [place, { name, bytes }] of header.sections.entries()) {
    const end = at + bytes + paddingAfter(at + bytes)
    if (!(bytes >= 0) || end > footerAt) throw new IndexDamage(`section ${name}: outside the file`)
    if ((await crcInSteps(file.subarray(at, end))) !== crcs[place]) {
      throw new IndexDamage(`section ${name}: wrong checksum`)
    }
    sections.set(name, file.subarray(at, at + bytes))
    at = end
  }
  if (at !== footerAt) throw new IndexDamage('bytes between sections and footer')
  const image = recallImageFrom(sections)
  if (image === null) throw new IndexDamage('sections that do not belong together')
  const { actorKey, seq, stateHash } = header
  return { actorKey, seq, stateHash, image }
}

async function sharedContent(files: Files, path: string): Promise<Buffer> {
  const stat = await files.stat(path)
  if (stat === null) throw new IndexDamage('the file is not there')
  const file = Buffer.from(new SharedArrayBuffer(stat.bytes))
  const fd = await files.open(path, 'read')
  try {
    if ((await readAll(files, fd, file, 0)) !== file.length) throw new IndexDamage('the file ends too early')
  } finally {
    await files.close(fd)
  }
  return file
}

async function crcInSteps(bytes: Uint8Array): Promise<number> {
  let crc = 0
  for (let from = 0; from < bytes.length; from += STEP_BYTES) {
    crc = crcOf(bytes.subarray(from, from + STEP_BYTES), crc)
    if (from + STEP_BYTES < bytes.length) await nextTurnOfLoop()
  }
  return crc
}
