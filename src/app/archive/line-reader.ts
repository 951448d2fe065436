import { readAll } from '../../adapters/files/whole-file.ts'
import type { Files } from '../../ports/files.ts'
import { ArchiveError } from './archive-error.ts'

const PIECE_BYTES = 256 * 1024
/** Far above the largest row: a row stands in one journal record. */
const LINE_BYTES_MAX = 64 * 1024 * 1024
const LINE_FEED = 10

/** One line of a text file, without its line feed. */
export interface Line {
  /** 1 for the first. */
  readonly number: number
  readonly text: string
  /** Where the next line begins, in bytes. */
  readonly end: number
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The lines of a file, one after the other, holding one of them. Throws an ArchiveError at a line that is none. */
export async function* readLines(files: Files, path: string): AsyncGenerator<Line, void> {
  const fd = await files.open(path, 'read')
  try {
    const piece = Buffer.alloc(PIECE_BYTES)
    let parts: Buffer[] = []
    let length = 0
    let number = 1
    for (let position = 0; ; ) {
      const read = await readAll(files, fd, piece, position)
      if (read === 0) break
      let from = 0
      for (let at = piece.indexOf(LINE_FEED); at >= 0 && at < read; at = piece.indexOf(LINE_FEED, from)) {
        const text = textOf(Buffer.concat([...parts, piece.subarray(from, at)]), path, number)
        yield { number, text, end: position + at + 1 }
        number += 1
        parts = []
        length = 0
        from = at + 1
      }
      if (from < read) {
        parts.push(Buffer.from(piece.subarray(from, read)))
        length += read - from
      }
      if (length > LINE_BYTES_MAX)
        throw new ArchiveError(path, number, 'the line is longer than any of an archive')
      position += read
    }
    if (length > 0) throw new ArchiveError(path, number, 'the line is cut off')
  } finally {
    await files.close(fd)
  }
}

function textOf(bytes: Buffer, path: string, number: number): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new ArchiveError(path, number, 'the line is not UTF-8')
  }
}
