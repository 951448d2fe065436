import { writeAll } from '../../adapters/files/whole-file.ts'
import type { ExposureRecord } from '../../core/model/exposure.ts'
import { plainRow, type StateImage } from '../../core/model/image.ts'
import type { Files } from '../../ports/files.ts'
import { type ActorLine, type HeadLine, type LeftOut, LineSum, toJson } from './archive-lines.ts'

const PIECE_CHARS = 256 * 1024

/** What an archive counts, over all of its actors. */
export interface ArchiveCounts {
  actors: number
  rows: number
  exposures: number
}

/** Writes the lines of an archive into an open file, from a byte on. One call at a time. */
export class ArchiveWriter {
  readonly #files: Files
  readonly #fd: number
  readonly #total = new LineSum()
  readonly counts: ArchiveCounts = { actors: 0, rows: 0, exposures: 0 }
  #position: number
  #piece: string[] = []
  #pieceChars = 0

  constructor(files: Files, fd: number, position: number) {
    this.#files = files
    this.#fd = fd
    this.#position = position
  }

  async head(head: HeadLine): Promise<void> {
    const text = JSON.stringify(head)
    this.#total.add(text)
    await this.#line(text)
  }

  /** Takes the first line of a file that an earlier process left; it is in the file already. */
  keepHead(text: string): void {
    this.#total.add(text)
  }

  /** Takes an actor that an earlier process wrote; it is in the file already. */
  keepActor(endLine: string, rows: number, exposures: number): void {
    this.#count(endLine, rows, exposures)
  }

  /** `exposures` in the order of their guide traces, each once. */
  async actor(image: StateImage, exposures: readonly ExposureRecord[]): Promise<void> {
    const { tenantId, scope, seq, schema, stateHash, sections } = image
    const sum = new LineSum()
    const add = async (fields: object): Promise<void> => {
      const text = JSON.stringify(fields)
      sum.add(text)
      await this.#line(text)
    }
    const begin: ActorLine = {
      kind: 'actor',
      tenant_id: tenantId,
      scope,
      seq,
      schema,
      digest: stateHash,
      sections: sections.map(({ name, rows }) => [name, rows.length]),
    }
    await add(begin)
    let rows = 0
    for (const section of sections) {
      for (const row of section.rows) {
        await add({ kind: 'row', section: section.name, row: toJson(plainRow(row)) })
        rows += 1
      }
    }
    for (const exposure of exposures) await add({ kind: 'exposure', exposure: toJson(sorted(exposure)) })
    const endLine = sum.sealed({ kind: 'actor_end', rows, exposures: exposures.length })
    await this.#line(endLine)
    // So that a process which is cut off leaves whole actors.
    await this.#flush()
    this.#count(endLine, rows, exposures.length)
  }

  /** The last line. Resolves with its seal when everything is written; it is not flushed to the disk yet. */
  async manifest(leftOut: readonly LeftOut[]): Promise<string> {
    const text = this.#total.sealed({ kind: 'manifest', ...this.counts, left_out: leftOut })
    await this.#line(text)
    await this.#flush()
    return text.slice(-66, -2)
  }

  #count(endLine: string, rows: number, exposures: number): void {
    this.#total.add(endLine)
    this.counts.actors += 1
    this.counts.rows += rows
    this.counts.exposures += exposures
  }

  async #line(text: string): Promise<void> {
    this.#piece.push(text, '\n')
    this.#pieceChars += text.length + 1
    if (this.#pieceChars >= PIECE_CHARS) await this.#flush()
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#piece.join(''), 'utf8')
    this.#piece = []
    this.#pieceChars = 0
    if (bytes.length === 0) return
    await writeAll(this.#files, this.#fd, bytes, this.#position)
    this.#position += bytes.length
  }
}

/** A set that was in memory and one that was in the ledger have their keys in another order: an archive has one. */
function sorted(exposure: ExposureRecord): object {
  return Object.fromEntries(Object.entries(exposure).sort(([a], [b]) => (a < b ? -1 : 1)))
}
