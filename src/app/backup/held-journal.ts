import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { segmentSeqOf } from '../../adapters/journal/segment.ts'

const PIECE_BYTES = 64 * 1024

interface HeldSegment {
  readonly name: string
  readonly file: FileHandle
}

/**
 * The journal segments of a store in use, held open: one that is unlinked meanwhile can still be read. Call `look` often
 * enough to see each segment before it goes, and `close` at the end.
 */
export class HeldJournal {
  readonly #folder: string
  readonly #held = new Map<number, HeldSegment>()

  /** @param dir the data folder */
  constructor(dir: string) {
    this.#folder = join(dir, 'wal')
  }

  async look(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const seq = segmentSeqOf(name)
      if (seq === null || this.#held.has(seq)) continue
      const file = await open(join(this.#folder, name), 'r').catch(nullWhenMissing)
      if (file !== null) this.#held.set(seq, { name, file })
    }
  }

  /**
   * Copies every segment, the newest first, each from its end to its beginning, durable. What is appended meanwhile lies
   * before what was copied already, so that the copy ends as a torn journal does and has no hole.
   */
  async copyInto(folder: string): Promise<void> {
    await this.look()
    const newestFirst = [...this.#held].sort(([a], [b]) => b - a)
    for (const [, { name, file }] of newestFirst) await copyBackwards(file, join(folder, name))
  }

  async close(): Promise<void> {
    for (const { file } of this.#held.values()) await file.close()
    this.#held.clear()
  }
}

async function copyBackwards(source: FileHandle, path: string): Promise<void> {
  const target = await open(path, 'wx', 0o640)
  try {
    const piece = Buffer.alloc(PIECE_BYTES)
    const { size } = await source.stat()
    await target.truncate(size)
    for (let end = size; end > 0; ) {
      const start = Math.floor((end - 1) / PIECE_BYTES) * PIECE_BYTES
      const { bytesRead } = await source.read(piece, 0, end - start, start)
      const content = piece.subarray(0, bytesRead)
      // The zeros of a prepared segment are there already.
      if (content.some((byte) => byte !== 0)) await target.write(content, 0, bytesRead, start)
      end = start
    }
    await target.sync()
  } finally {
    await target.close()
  }
}

/** For `catch`: what is gone is null. */
export function nullWhenMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
