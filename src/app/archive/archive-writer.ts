import { GrowingFile } from '../../adapters/files/durable-file.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import { plainRow, type StateImage } from '../../core/model/image.ts'
import type { Files } from '../../ports/files.ts'
import { type ActorLine, type HeadLine, type LeftOut, LineSum, toJson } from './archive-lines.ts'
import type { ArchivedActor } from './archive-reader.ts'

export interface ArchiveCounts {
  actors: number
  rows: number
  exposures: number
}

/** The beginning of an archive that an earlier process left. */
export interface KeptBeginning {
  readonly head: string
  readonly actors: readonly (Pick<ArchivedActor, 'key' | 'rows' | 'endLine'> & {
    readonly exposures: number
  })[]
  /** The byte behind the last whole actor. */
  readonly end: number
}

/** Writes the lines of an archive into an open file, behind what is kept of it. One call at a time. */
export class ArchiveWriter {
  readonly #out: GrowingFile
  readonly #total = new LineSum()
  readonly counts: ArchiveCounts = { actors: 0, rows: 0, exposures: 0 }

  constructor(files: Files, fd: number, kept: KeptBeginning | null) {
    this.#out = new GrowingFile(files, fd, kept?.end)
    if (kept === null) return
    this.#total.add(kept.head)
    for (const { endLine, rows, exposures } of kept.actors) this.#count(endLine, rows, exposures)
  }

  async head(head: HeadLine): Promise<void> {
    const text = JSON.stringify(head)
    this.#total.add(text)
    await this.#line(text)
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
    await this.#out.flush()
    this.#count(endLine, rows, exposures.length)
  }

  /** The last line. Resolves with its seal when everything is written; it is not flushed to the disk yet. */
  async manifest(leftOut: readonly LeftOut[]): Promise<string> {
    const text = this.#total.sealed({ kind: 'manifest', ...this.counts, left_out: leftOut })
    await this.#line(text)
    await this.#out.flush()
    return text.slice(-66, -2)
  }

  #count(endLine: string, rows: number, exposures: number): void {
    this.#total.add(endLine)
    this.counts.actors += 1
    this.counts.rows += rows
    this.counts.exposures += exposures
  }

  #line(text: string): Promise<void> {
    return this.#out.append(Buffer.from(`${text}\n`, 'utf8'))
  }
}

/** A set that was in memory and one that was in the ledger have their keys in another order: an archive has one. */
function sorted(exposure: ExposureRecord): object {
  return Object.fromEntries(Object.entries(exposure).sort(([a], [b]) => (a < b ? -1 : 1)))
}
