import { dirname, relative } from 'node:path'
import { redactionOf } from '../../actor/erasures.ts'
import { digested } from '../../actor/snapshotting.ts'
import { nodeFiles } from '../../adapters/files/node-files.ts'
import { GrowingFile, readAll, withFile } from '../../adapters/files/whole-file.ts'
import { surveyLedger } from '../../adapters/ledger/format.ts'
import { storedRows } from '../../adapters/vectors/store.ts'
import { partsOfActorKey } from '../../core/base/ids.ts'
import { redactor } from '../../core/model/erasure.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import { plainRow } from '../../core/model/image.ts'
import { type ActorState, liveRecord } from '../../core/model/state.ts'
import { imageOf } from '../../core/model/state-image.ts'
import type { Files } from '../../ports/files.ts'
import type { VectorRow } from '../../ports/store.ts'
import type { StoreReader } from '../../ports/store-reader.ts'
import { actorKeysOf, exposureSets, factsOf } from '../store/actor-facts.ts'
import { rebuildActor, type StateDamage } from '../store/actor-states.ts'
import { headSeqOf } from '../store/plan-repair.ts'
import { faultOf, type Store, type StoredActor, storeDamages } from '../store/read-store.ts'
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
import { placeOfActorKey } from './place-of.ts'

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

interface ExportSource {
  readonly storeId: string
  readonly files: Files
  /** Exposure sets of this moment and before may be gone; 0: none is. */
  readonly removedUntilMs: number
  /** In the order of the archive. */
  readonly actors: ReadonlyMap<string, SourceActor>
}

interface SourceActor {
  headSeq(): Promise<number>
  content(): Promise<Content>
}

/** Of a data folder. Hold its lock. As `exported`. */
export async function exportStore(store: Store, options: ExportOptions): Promise<ExportReport> {
  const { files, ledger } = store
  await requireNew(files, options.out)
  const storeId = readable(store)
  const actors = new Map<string, SourceActor>()
  for (const [key, actor] of store.actors)
    actors.set(key, { headSeq: async () => headSeqOf(actor), content: () => contentOf(store, actor) })
  return exported({ storeId, files, removedUntilMs: ledger.removedUntilMs, actors }, options)
}

/** Of a store that nodes may serve from meanwhile: each actor is as it is when its turn comes. As `exported`. */
export async function exportReader(reader: StoreReader, options: ExportOptions): Promise<ExportReport> {
  await requireNew(nodeFiles, options.out)
  const actors = new Map<string, SourceActor>()
  for (const key of (await actorKeysOf(reader)).toSorted()) {
    const content = async (): Promise<Content> => {
      const { state, problems } = await factsOf(reader, key)
      const [damage] = problems
      if (damage !== undefined) return { damage }
      return wholeContent(state, reader.exposures(key), await reader.vectors(key))
    }
    actors.set(key, { headSeq: () => reader.headOf(key), content })
  }
  return exported({ storeId: reader.storeId, files: nodeFiles, removedUntilMs: 0, actors }, options)
}

async function requireNew(files: Files, out: string): Promise<void> {
  if ((await files.stat(out)) !== null) throw new ExportRefused(`${out} is there already: name another file`)
}

/** An archive begins so, and so does one that was cut off in its first line. */
const BEGIN = Buffer.from('{"kind":"archive"')

async function requireOurs(files: Files, part: string): Promise<void> {
  if ((await files.stat(part)) === null) return
  const found = Buffer.alloc(BEGIN.length)
  const bytes = await withFile(files, part, 'read', (fd) => readAll(files, fd, found, 0))
  if (found.subarray(0, bytes).equals(BEGIN.subarray(0, bytes))) return
  throw new ExportRefused(`${part} is there and is no archive that was cut off: move it away`)
}

/**
 * Writes an archive, durable under its name or not at all. Cut off anywhere, a repeat keeps the whole actors of
 * `out`.part. Rejects with ExportRefused when the store is damaged or `out` is there.
 */
async function exported(store: ExportSource, options: ExportOptions): Promise<ExportReport> {
  const { files } = store
  const { out } = options
  const actors = chosenActors(store, options)
  const part = `${out}.part`
  await requireOurs(files, part)
  const kept = await keptOf(store, part, options)
  const fd = await files.open(part, kept === null ? 'replace' : 'write')
  try {
    const writer = new ArchiveWriter(files, fd, kept)
    if (kept === null) await writer.head(headOf(store, options))
    else await files.truncate(fd, kept.end)
    const done = new Set(kept?.actors.map(({ key }) => key))
    const leftOut: LeftOut[] = []
    for (const [actorKey, actor] of actors) {
      if (done.has(actorKey)) continue
      options.onActor?.(actorKey)
      const content = await actor.content()
      if (content.damage === null) {
        await writer.actor(content)
        continue
      }
      if (!options.isSkippingDamaged) {
        throw new ExportRefused(
          `${actorKey} is damaged: ${content.damage}; memgov repair mends what can be mended, --skip-damaged leaves it out`,
        )
      }
      leftOut.push({ ...placeOfActorKey(actorKey), reason: content.damage })
    }
    const sha256 = await writer.manifest(leftOut)
    await files.fsync(fd).catch(async (error: unknown) => {
      // What a repeat keeps of it would pass for durable.
      await files.unlink(part).catch(() => undefined)
      throw error
    })
    await files.rename(part, out)
    await files.fsyncDir(dirname(out))
    return { ...writer.counts, kept: done.size, leftOut, sha256 }
  } finally {
    await files.close(fd)
  }
}

/** The id of a store of which every actor is known. Where the journal is damaged nobody knows whose turns are lost. */
function readable(store: Store): string {
  const { storeId, snapshots, keys } = store
  // A snapshot that does not say whose it is may be all that is left of an actor.
  const nameless = snapshots.snapshots.find(({ actorKeyHash }) => !keys.has(actorKeyHash))
  const damage = storeDamages(store)[0] ?? nameless?.damage ?? undefined
  if (damage !== undefined) throw new ExportRefused(faultOf(damage))
  if (storeId === null) throw new ExportRefused('the folder holds no store: name a data folder by --data-dir')
  return storeId
}

function chosenActors(
  { actors }: ExportSource,
  { tenantId, scope }: ExportOptions,
): readonly (readonly [string, SourceActor])[] {
  const chosen = [...actors].filter(([key]) => {
    const parts = partsOfActorKey(key)
    return (tenantId ?? parts.tenantId) === parts.tenantId && (scope ?? parts.scope) === parts.scope
  })
  if (chosen.length === 0 && (tenantId !== null || scope !== null)) {
    throw new ExportRefused('the store has no actor of this tenant and scope: memgov inspect lists them')
  }
  return chosen
}

interface WholeContent extends Pick<ArchivedActor, 'image' | 'exposures' | 'notEmbedded'> {
  readonly damage: null
}

type Content = WholeContent | { readonly damage: string }

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
  const kept: ExposureRecord[] = []
  for (const { path, named: file } of actor.ledger) {
    const { records, damage: wrong } = await surveyLedger(store.files, path, file)
    if (wrong !== null) return { damage: placed(store, wrong) }
    kept.push(...records)
  }
  return wholeContent(state, kept, await storedRows(store.files, store.dir, actor.key, null))
}

/** @param kept exposure sets that are in the ledger */
async function wholeContent(
  state: ActorState,
  kept: Parameters<typeof exposureSets>[0],
  rows: readonly VectorRow[],
): Promise<Content> {
  const image = imageOf(state)
  const left = redactor(redactionOf(state))
  return {
    damage: null,
    image: { ...image, stateHash: await digested(image) },
    // An erasure that was cut off has left them in the ledger, and where the archive goes no start finishes it.
    exposures: (await exposureSets(kept, state.exposures)).flatMap((shown) => left.exposure(shown) ?? []),
    // The mark of an earlier text says nothing of what stands there now.
    notEmbedded: rows.filter(
      ({ memoryId, ordinal, vector }) => vector === null && liveRecord(state, memoryId)?.ordinal === ordinal,
    ),
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

/** Null when there is none, or it is of another store, another choice of actors, or an earlier state of one. */
async function keptOf(
  store: ExportSource,
  part: string,
  options: ExportOptions,
): Promise<KeptBeginning | null> {
  if ((await store.files.stat(part)) === null) return null
  let head: string | null = null
  const actors: KeptBeginning['actors'][number][] = []
  let end = 0
  try {
    for await (const piece of archiveParts(store.files, part)) {
      if (piece.kind === 'head') {
        if (!isSame(piece.head, headOf(store, options))) return null
        head = piece.text
        end = piece.end
      } else if (piece.kind === 'actor') {
        const { key, image, rows, endLine, exposures } = piece.actor
        if ((await store.actors.get(key)?.headSeq()) !== image.seq) return null
        actors.push({ key, rows, endLine, exposures: exposures.length })
        end = piece.actor.end
      }
    }
  } catch (error) {
    // Where the earlier process was cut off.
    if (!(error instanceof ArchiveError)) throw error
  }
  return head === null ? null : { head, actors, end }
}

function headOf({ storeId, removedUntilMs }: ExportSource, options: ExportOptions): HeadLine {
  return {
    kind: 'archive',
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    store_id: storeId,
    created_at: new Date(options.nowMs).toISOString(),
    package_version: options.packageVersion,
    tenant_id: options.tenantId,
    scope: options.scope,
    exposures_removed_until_ms: removedUntilMs,
  }
}

/** The same but for the time. */
function isSame(a: HeadLine, b: HeadLine): boolean {
  return JSON.stringify({ ...a, created_at: '' }) === JSON.stringify({ ...b, created_at: '' })
}

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
class ArchiveWriter {
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
  async actor({ image, exposures, notEmbedded }: WholeContent): Promise<void> {
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
      ...(notEmbedded.length === 0
        ? {}
        : { not_embedded: notEmbedded.map((of) => [of.memoryId, of.ordinal, of.updatedAtMs]) }),
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
