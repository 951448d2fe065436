import { constants } from 'node:buffer'
import type { z } from 'zod'
import { readAll } from '../../adapters/files/whole-file.ts'
import { jsonOf } from '../../core/base/collections.ts'
import { messageOf } from '../../core/base/errors.ts'
import { actorKeyOf, parseTraceId } from '../../core/base/ids.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { StateImage } from '../../core/model/image.ts'
import { IMAGE_SCHEMA, stateFrom, stateHash } from '../../core/model/state-image.ts'
import type { Files } from '../../ports/files.ts'
import type { VectorKey } from '../../ports/store.ts'
import {
  ActorEndLine,
  ActorLine,
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  ArchiveError,
  ExposureLine,
  ExposureShape,
  fromJson,
  HeadLine,
  LineSum,
  ManifestLine,
  RowLine,
} from './archive-lines.ts'

const PIECE_BYTES = 256 * 1024
/** A row holds a memory with all of its revisions, as many as an export can write into one string. */
const LINE_BYTES_MAX = constants.MAX_STRING_LENGTH
const LINE_FEED = 10

/** One line of a text file, without its line feed. */
interface Line {
  /** 1 for the first. */
  readonly number: number
  readonly text: string
  /** Where the next line begins, in bytes. */
  readonly end: number
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The lines of a file, one after the other, holding one of them. Throws an ArchiveError at a line that is none. */
async function* readLines(files: Files, path: string): AsyncGenerator<Line, void> {
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

/** One actor of an archive, whole and checked. */
export interface ArchivedActor {
  readonly key: string
  readonly line: number
  readonly image: StateImage
  /** In the order of guide traces. */
  readonly exposures: readonly ExposureRecord[]
  readonly notEmbedded: readonly VectorKey[]
  readonly rows: number
  readonly endLine: string
  readonly end: number
}

export type ArchivePart =
  | { readonly kind: 'head'; readonly head: HeadLine; readonly text: string; readonly end: number }
  | { readonly kind: 'actor'; readonly actor: ArchivedActor }
  | { readonly kind: 'manifest'; readonly manifest: ManifestLine }

const NEWER = 'use the version of memgov that wrote it, or a later one; the archive is not damaged'

/**
 * The parts of an archive, front to back, each checked before it is handed over: shapes, counts, seals, and that the rows
 * of an actor give a state with its digest. Holds one actor at a time. Throws an ArchiveError at the first line that is
 * wrong, and the file system's error when the file cannot be read.
 */
export async function* archiveParts(files: Files, path: string): AsyncGenerator<ArchivePart, void> {
  const reader = new PartReader(files, path)
  try {
    const total = new LineSum()
    const first = await reader.next()
    const head = reader.head(first)
    total.add(first.text)
    yield { kind: 'head', head, text: first.text, end: first.end }
    const seen = { keys: new Set<string>(), rows: 0, exposures: 0 }
    for (let line = await reader.next(); ; line = await reader.next()) {
      if (kindOf(line) === 'manifest') {
        const manifest = reader.manifest(line, total, seen)
        await reader.expectEnd()
        yield { kind: 'manifest', manifest }
        return
      }
      const actor = await reader.actor(line)
      if (seen.keys.has(actor.key)) throw reader.wrong(line, `the actor ${actor.key} is there twice`)
      seen.keys.add(actor.key)
      seen.rows += actor.rows
      seen.exposures += actor.exposures.length
      total.add(actor.endLine)
      yield { kind: 'actor', actor }
    }
  } finally {
    await reader.close()
  }
}

/** The kind that the line begins with; everything else about it is checked later. */
function kindOf({ text }: Line): string | null {
  return /^\{"kind":"(\w+)"/.exec(text)?.[1] ?? null
}

class PartReader {
  readonly #path: string
  readonly #lines: AsyncGenerator<Line, void>
  #number = 0

  constructor(files: Files, path: string) {
    this.#path = path
    this.#lines = readLines(files, path)
  }

  async close(): Promise<void> {
    await this.#lines.return()
  }

  async next(): Promise<Line> {
    const { value } = await this.#lines.next()
    this.#number += 1
    if (value === undefined)
      throw new ArchiveError(this.#path, this.#number, 'the archive ends before its manifest')
    return value
  }

  async expectEnd(): Promise<void> {
    const { value } = await this.#lines.next()
    if (value !== undefined) throw this.wrong(value, 'a line follows the manifest')
  }

  wrong({ number }: Pick<Line, 'number'>, what: string, action?: string): ArchiveError {
    return new ArchiveError(this.#path, number, what, action)
  }

  head(line: Line): HeadLine {
    const value = this.#json(line)
    const isOurs = typeof value === 'object' && value !== null && 'format' in value && 'version' in value
    if (!isOurs || value.format !== ARCHIVE_FORMAT) {
      throw this.wrong(line, 'the file is no archive of memgov', 'name a file that memgov export wrote')
    }
    if (typeof value.version === 'number' && value.version > ARCHIVE_VERSION) {
      throw this.wrong(
        line,
        `the archive has version ${value.version}, this program reads ${ARCHIVE_VERSION}`,
        NEWER,
      )
    }
    return this.#shaped(line, HeadLine)
  }

  manifest(
    line: Line,
    total: LineSum,
    seen: { readonly keys: ReadonlySet<string>; readonly rows: number; readonly exposures: number },
  ): ManifestLine {
    const manifest = this.#shaped(line, ManifestLine)
    const { actors, rows, exposures } = manifest
    if (actors !== seen.keys.size || rows !== seen.rows || exposures !== seen.exposures) {
      throw this.wrong(line, 'the manifest counts other actors, rows or exposures than there are')
    }
    if (!total.seals(line.text))
      throw this.wrong(line, 'the manifest does not have the SHA-256 of the archive')
    return manifest
  }

  async actor(first: Line): Promise<ArchivedActor> {
    const begin = this.#shaped(first, ActorLine)
    const { tenant_id: tenantId, scope, seq, schema, digest } = begin
    const sum = new LineSum()
    sum.add(first.text)
    const sections = begin.sections.map(([name]): { name: string; rows: unknown[] } => ({ name, rows: [] }))
    const exposures: ExposureRecord[] = []
    let rows = 0
    for (let section = 0; ; ) {
      const line = await this.next()
      const kind = kindOf(line)
      if (kind === 'row') {
        const row = this.#shaped(line, RowLine)
        while (section < sections.length && sections[section]?.name !== row.section) section += 1
        const list = sections[section]
        if (list === undefined || exposures.length > 0) {
          throw this.wrong(line, `a row of ${JSON.stringify(row.section)} is out of its order`)
        }
        list.rows.push(fromJson(row.row))
        rows += 1
      } else if (kind === 'exposure') {
        exposures.push(this.#exposure(line, seq, exposures.at(-1)))
      } else {
        const end = this.#shaped(line, ActorEndLine)
        const isCounted = end.rows === rows && end.exposures === exposures.length
        if (!isCounted)
          throw this.wrong(line, 'the actor has other numbers of rows or exposures than its end counts')
        if (!sum.seals(line.text))
          throw this.wrong(line, 'the lines of the actor do not have the SHA-256 of its end')
        const image = { schema, tenantId, scope, seq, stateHash: digest, sections }
        const key = actorKeyOf(tenantId, scope)
        this.#checkState(first, begin, image, exposures)
        const notEmbedded = (begin.not_embedded ?? []).map(([memoryId, ordinal, updatedAtMs]) => {
          return { memoryId, ordinal, updatedAtMs }
        })
        const { text: endLine, end: endsAt } = line
        return { key, line: first.number, image, exposures, notEmbedded, rows, endLine, end: endsAt }
      }
      sum.add(line.text)
    }
  }

  #exposure(line: Line, seqMax: number, before: ExposureRecord | undefined): ExposureRecord {
    const value = fromJson(this.#shaped(line, ExposureLine).exposure)
    const shape = ExposureShape.safeParse(value)
    if (!shape.success) throw this.wrong(line, 'the exposure lacks what an exposure has')
    const { guideTraceId, seq } = shape.data
    const isInOrder = before === undefined || before.guideTraceId < guideTraceId
    if (parseTraceId(guideTraceId) === null || seq > seqMax || !isInOrder) {
      throw this.wrong(line, 'the exposure is of no guide of the actor, or out of its order')
    }
    return value as ExposureRecord
  }

  /** What an import writes is the state that was exported, or nothing. */
  #checkState(line: Line, begin: ActorLine, image: StateImage, exposures: readonly ExposureRecord[]): void {
    if (image.schema > IMAGE_SCHEMA) throw this.wrong(line, `its rows are of version ${image.schema}`, NEWER)
    const isCounted = begin.sections.every(([, count], at) => image.sections[at]?.rows.length === count)
    if (!isCounted) throw this.wrong(line, 'the actor has other numbers of rows than its beginning counts')
    let known: ReadonlySet<string>
    try {
      const state = stateFrom(image)
      if (stateHash(state) !== image.stateHash) throw new Error('they have another digest')
      known = new Set(state.memories.keys())
    } catch (error) {
      const reason = messageOf(error)
      throw this.wrong(line, `the rows give no state of ${image.tenantId}/${image.scope}: ${reason}`)
    }
    const stray = exposures.find(({ memoryIds }) => memoryIds.some((id) => !known.has(id)))
    if (stray !== undefined)
      throw this.wrong(line, `${stray.guideTraceId} exposed what the actor does not know`)
  }

  #shaped<T>(line: Line, shape: z.ZodType<T>): T {
    const parsed = shape.safeParse(this.#json(line))
    if (parsed.success) return parsed.data
    const issue = parsed.error.issues[0]
    throw this.wrong(
      line,
      `the line is not what stands here: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
    )
  }

  #json(line: Line): unknown {
    const value = jsonOf(line.text)
    if (value === undefined) throw this.wrong(line, 'the line is no JSON')
    return value
  }
}
