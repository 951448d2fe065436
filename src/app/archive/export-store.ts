import { dirname, join, relative } from 'node:path'
import { digested } from '../../actor/snapshotting.ts'
import { writeAll } from '../../adapters/files/whole-file.ts'
import { parseTraceId } from '../../adapters/ledger/format.ts'
import { surveyLedger } from '../../adapters/ledger/survey.ts'
import { partsOfActorKey } from '../../core/base/ids.ts'
import { plainRow } from '../../core/model/compact-record.ts'
import type { ExposureRecord } from '../../core/model/exposure.ts'
import type { StateImage } from '../../core/model/image.ts'
import { imageOf } from '../../core/model/state-image.ts'
import type { Files } from '../../ports/files.ts'
import { rebuildActor, type StateDamage } from '../store/actor-states.ts'
import { headSeqOf } from '../store/plan-repair.ts'
import type { Store, StoredActor } from '../store/read-store.ts'
import {
  type ActorLine,
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  ArchiveError,
  type HeadLine,
  type LeftOut,
  LineSum,
  toJson,
} from './archive-lines.ts'
import { type ArchivedActor, archiveParts } from './archive-reader.ts'

export interface ExportOptions {
  /** Where the archive goes; `out`.part grows beside it. */
  readonly out: string
  /** Only these actors; null: all. */
  readonly tenantId: string | null
  readonly scope: string | null
  /** Leaves damaged actors out and names them in the manifest, instead of refusing. */
  readonly isSkippingDamaged: boolean
  readonly nowMs: number
  readonly packageVersion: string
  readonly onActor?: (actorKey: string) => void
}

export interface ExportReport extends Readonly<ArchiveCounts> {
  /** Actors that `out`.part had already. */
  readonly kept: number
  readonly leftOut: readonly LeftOut[]
  readonly sha256: string
}

/** The store cannot be exported as it is. */
export class ExportRefused extends Error {
  override readonly name = 'ExportRefused'
}

/**
 * Writes an archive of a store, durable under its name or not at all. Cut off anywhere, a repeat keeps the whole actors of
 * `out`.part. Hold the lock of the folder. Rejects with ExportRefused when the store is damaged or `out` is there.
 */
export async function exportStore(store: Store, options: ExportOptions): Promise<ExportReport> {
  const { files } = store
  const { out } = options
  if ((await files.stat(out)) !== null) throw new ExportRefused(`${out} is there already: name another file`)
  const storeId = readable(store)
  const actors = chosenActors(store, options)
  const part = `${out}.part`
  const kept = await keptOf(store, part, storeId, options)
  const fd = await files.open(part, kept === null ? 'replace' : 'write')
  try {
    const { writer, done } = await begun(store, fd, kept, storeId, options)
    const leftOut: LeftOut[] = []
    for (const actor of actors) {
      if (done.has(actor.key)) continue
      options.onActor?.(actor.key)
      const content = await contentOf(store, actor)
      if (content.damage === null) {
        await writer.actor(content.image, content.exposures)
        continue
      }
      if (!options.isSkippingDamaged) {
        throw new ExportRefused(
          `${actor.key} is damaged: ${content.damage}; memgov repair mends what can be mended, --skip-damaged leaves it out`,
        )
      }
      const { tenantId, scope } = partsOfActorKey(actor.key)
      leftOut.push({ tenant_id: tenantId, scope, reason: content.damage })
    }
    const sha256 = await writer.manifest(leftOut)
    await files.fsync(fd)
    await files.rename(part, out)
    await files.fsyncDir(dirname(out))
    return { ...writer.counts, kept: done.size, leftOut, sha256 }
  } finally {
    await files.close(fd)
  }
}

/** The id of a store of which every actor is known. Where the journal is damaged nobody knows whose turns are lost. */
function readable({
  dir,
  storeId,
  formatDamage,
  manifestDamage,
  lacks,
  journal,
  snapshots,
  keys,
}: Store): string {
  // A snapshot that does not say whose it is may be all that is left of an actor.
  const nameless = snapshots.snapshots.find(({ actorKeyHash }) => !keys.has(actorKeyHash))
  const lack = lacks.map(({ folder, what }) => ({ path: join(dir, folder), what }))[0]
  const damage = formatDamage ?? manifestDamage ?? journal.damages[0] ?? lack ?? nameless?.damage ?? undefined
  if (damage !== undefined) {
    throw new ExportRefused(
      `${damage.path}: ${damage.what}; memgov verify says what it concerns, memgov repair --dry-run what can be kept`,
    )
  }
  if (storeId === null) throw new ExportRefused('the folder holds no store: name a data folder by --data-dir')
  return storeId
}

function chosenActors(store: Store, { tenantId, scope }: ExportOptions): readonly StoredActor[] {
  const chosen = [...store.actors.values()].filter(({ key }) => {
    const parts = partsOfActorKey(key)
    return (tenantId ?? parts.tenantId) === parts.tenantId && (scope ?? parts.scope) === parts.scope
  })
  if (chosen.length === 0 && (tenantId !== null || scope !== null)) {
    throw new ExportRefused('the store has no actor of this tenant and scope: memgov inspect lists them')
  }
  return chosen
}

type Content =
  | { readonly damage: null; readonly image: StateImage; readonly exposures: readonly ExposureRecord[] }
  | { readonly damage: string }

async function contentOf(store: Store, actor: StoredActor): Promise<Content> {
  const { state, damages } = await rebuildActor(store.files, actor)
  const damage = damages[0]
  if (damage !== undefined) return { damage: placed(store, damage) }
  const headSeq = headSeqOf(actor)
  if (state.seq < headSeq) {
    const [damaged] = actor.snapshots.flatMap(({ damage: wrong }) => wrong ?? [])
    const cause = damaged === undefined ? '' : `, because of ${placed(store, damaged)}`
    return { damage: `it ends at turn ${state.seq}, and another file tells of turn ${headSeq}${cause}` }
  }
  const exposures = new Map<string, ExposureRecord>()
  for (const { path, file } of actor.ledger) {
    const { records, damage: wrong } = await surveyLedger(store.files, path, file)
    if (wrong !== null) return { damage: placed(store, wrong) }
    for (const record of records) exposures.set(record.guideTraceId, record)
  }
  // Those of turns that no snapshot covers are not in the ledger yet.
  for (const [guideTraceId, record] of state.exposures) exposures.set(guideTraceId, record)
  const image = imageOf(state)
  return {
    damage: null,
    image: { ...image, stateHash: await digested(image) },
    exposures: [...exposures.values()]
      .filter(({ guideTraceId }) => parseTraceId(guideTraceId) !== null)
      .sort((a, b) => (a.guideTraceId < b.guideTraceId ? -1 : 1)),
  }
}

/** In words, with the file inside the data folder: an archive may travel. */
function placed(
  { dir }: Store,
  { path, offset, what }: Pick<StateDamage, 'path' | 'offset' | 'what'>,
): string {
  const at = offset === null ? '' : ` at byte ${offset}`
  return path === null ? what : `${relative(dir, path)}${at}: ${what}`
}

/** The beginning of an archive that an earlier process left. */
interface Kept {
  readonly head: string
  readonly actors: readonly Pick<ArchivedActor, 'key' | 'rows' | 'endLine'>[]
  readonly exposures: readonly number[]
  /** The byte behind the last whole actor. */
  readonly end: number
}

/** Null when there is none, or it is of another store, another choice of actors, or an earlier state of one. */
async function keptOf(
  store: Store,
  part: string,
  storeId: string,
  options: ExportOptions,
): Promise<Kept | null> {
  if ((await store.files.stat(part)) === null) return null
  let head: { readonly text: string; readonly end: number } | null = null
  const actors: Kept['actors'][number][] = []
  const exposures: number[] = []
  let end = 0
  try {
    for await (const piece of archiveParts(store.files, part)) {
      if (piece.kind === 'head') {
        if (!isSame(piece.head, headOf(store, storeId, options))) return null
        head = piece
        end = piece.end
      } else if (piece.kind === 'actor') {
        const { key, image, rows, endLine } = piece.actor
        const actor = store.actors.get(key)
        if (actor === undefined || headSeqOf(actor) !== image.seq) return null
        actors.push({ key, rows, endLine })
        exposures.push(piece.actor.exposures.length)
        end = piece.actor.end
      }
    }
  } catch (error) {
    // Where the earlier process was cut off.
    if (!(error instanceof ArchiveError)) throw error
  }
  return head === null ? null : { head: head.text, actors, exposures, end }
}

async function begun(store: Store, fd: number, kept: Kept | null, storeId: string, options: ExportOptions) {
  const { files } = store
  const writer = new ArchiveWriter(files, fd, kept?.end ?? 0)
  if (kept === null) await writer.head(headOf(store, storeId, options))
  else {
    await files.truncate(fd, kept.end)
    writer.keepHead(kept.head)
    for (const [at, { endLine, rows }] of kept.actors.entries()) {
      writer.keepActor(endLine, rows, kept.exposures[at] ?? 0)
    }
  }
  return { writer, done: new Set(kept?.actors.map(({ key }) => key)) }
}

function headOf(store: Store, storeId: string, options: ExportOptions): HeadLine {
  return {
    kind: 'archive',
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    store_id: storeId,
    created_at: new Date(options.nowMs).toISOString(),
    package_version: options.packageVersion,
    tenant_id: options.tenantId,
    scope: options.scope,
    exposures_removed_until_ms: store.ledger.removedUntilMs,
  }
}

/** The same but for the time. */
function isSame(a: HeadLine, b: HeadLine): boolean {
  return JSON.stringify({ ...a, created_at: '' }) === JSON.stringify({ ...b, created_at: '' })
}

const PIECE_CHARS = 256 * 1024

/** What an archive counts, over all of its actors. */
interface ArchiveCounts {
  actors: number
  rows: number
  exposures: number
}

/** Writes the lines of an archive into an open file, from a byte on. One call at a time. */
class ArchiveWriter {
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
