import { basename, join } from 'node:path'
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { assert } from '../../core/base/assert.ts'
import { atMsOf, GUIDE_TRACE_PREFIX, parseTraceId } from '../../core/base/ids.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { Files } from '../../ports/files.ts'
import { createPacker, isDictionary, type Packer } from '../binary/msgpack.ts'
import { actorKeyHashOf, listActorFolders } from '../files/actor-folders.ts'
import { createDurably, DamagedFileError, damageOf, type FileDamage } from '../files/whole-file.ts'
import { encodeRecord, RecordWriter, unpackedPart } from '../record-file/format.ts'
import { type RecordFile, withRecordFile } from '../record-file/reader.ts'

// A ledger file is a record file of exposure sets: the body of a record is one set as a msgpack map, its key in the
// directory the UUID of its guide trace, its number 0. The header has the actor, as seq the toSeq of the name, and as a fact
// fromSeq. A file is never changed after it was written.
//
// <actorKeyHash>.<fromSeq>-<toSeq>.<oldestMs>-<newestMs>.<bytes>.led
//
// The name carries what find, merge and retention ask of every file, so that a start lists folders and opens none.
const NAME = /^([0-9a-f]{32})\.(\d{1,16})-(\d{1,16})\.(\d{1,16})-(\d{1,16})\.(\d{1,16})\.led$/

/** One file of one actor: exposures of actor sequences in (fromSeq, toSeq]. */
export interface LedgerFile {
  readonly name: string
  readonly actorKeyHash: string
  readonly fromSeq: number
  readonly toSeq: number
  readonly oldestMs: number
  readonly newestMs: number
  readonly bytes: number
}

function nameOf(file: Omit<LedgerFile, 'name'>): string {
  const { actorKeyHash, fromSeq, toSeq, oldestMs, newestMs, bytes } = file
  return `${actorKeyHash}.${fromSeq}-${toSeq}.${oldestMs}-${newestMs}.${bytes}.led`
}

export function parseLedgerName(name: string): LedgerFile | null {
  const [, actorKeyHash, ...numbers] = NAME.exec(name) ?? []
  if (actorKeyHash === undefined) return null
  const [fromSeq = 0, toSeq = 0, oldestMs = 0, newestMs = 0, bytes = 0] = numbers.map(Number)
  return { name, actorKeyHash, fromSeq, toSeq, oldestMs, newestMs, bytes }
}

/** A guide trace as the ledger sorts it: the 32 hex digits of its UUID. */
export type TraceUuid = string

function traceIdOf(uuid: TraceUuid): string {
  const parts = [uuid.slice(0, 8), uuid.slice(8, 12), uuid.slice(12, 16), uuid.slice(16, 20), uuid.slice(20)]
  return `${GUIDE_TRACE_PREFIX}${parts.join('-')}`
}

/** The set in a body that was found under its guide trace. Throws DamagedFileError when it is of another one. */
export function decodeExposure(packer: Packer, { uuid, body }: StoredExposure): ExposureRecord {
  const record = unpackedPart(packer, 'record', body)
  if (!isDictionary(record) || record['guideTraceId'] !== traceIdOf(uuid)) {
    throw new DamagedFileError('record: not the one its directory names')
  }
  // The checksum vouches for the writer, which takes exposure records only; the oldest know nothing of hold-outs.
  return { heldOut: false, ...record } as unknown as ExposureRecord
}

export interface StoredExposure {
  readonly uuid: TraceUuid
  readonly body: Uint8Array
}

interface LedgerContent {
  readonly records: readonly StoredExposure[]
  /** What is wrong with the records that are missing; null when all are there. */
  readonly damage: string | null
}

/**
 * The exposure set of one guide trace, null when the file has none. Reads header and footer, about one entry for each
 * halving of the directory and the record, all checked. Rejects as `RecordFile`.
 */
export function findInLedger(
  files: Files,
  path: string,
  named: LedgerFile,
  uuid: TraceUuid,
): Promise<StoredExposure | null> {
  return withRecordFile(files, path, 'exposures', async (file) => {
    checkName(file, named)
    const place = await file.placeOf(uuid, 0)
    if (place === file.entries || (await file.entryAt(place)).key !== uuid) return null
    for await (const { record } of file.stored(place, place + 1)) return { uuid, body: file.bodyOf(record) }
    return null
  })
}

/** The records that are whole; none where nothing of the file can be trusted. Rejects with NewerFileError and errors of the file system. */
export async function readLedger(files: Files, path: string, named: LedgerFile): Promise<LedgerContent> {
  try {
    return await withRecordFile(files, path, 'exposures', async (file) => {
      checkName(file, named)
      const records: StoredExposure[] = []
      let damage: string | null = null
      for await (const { entry, record } of file.stored()) {
        try {
          records.push({ uuid: entry.key, body: file.bodyOf(record) })
        } catch (error) {
          damage = damageIn(error)
        }
      }
      return { records, damage }
    })
  } catch (error) {
    return { records: [], damage: damageIn(error) }
  }
}

function damageIn(error: unknown): string {
  if (error instanceof DamagedFileError) return error.message
  throw error
}

function checkName({ layout }: RecordFile, named: LedgerFile): void {
  const { head, fileBytes } = layout
  const hash = head.actorKey === null ? head.facts['actorKeyHash'] : actorKeyHashOf(head.actorKey)
  const isTheNamed =
    hash === named.actorKeyHash &&
    head.facts['fromSeq'] === named.fromSeq &&
    head.seq === named.toSeq &&
    fileBytes === named.bytes
  if (!isTheNamed) throw new DamagedFileError('the content belongs to another name')
}

/** Of guides with many memories: about two milliseconds. */
const RECORDS_PER_TURN = 20

/**
 * Records in the order of a file, each guide trace once (the last wins). Throws an InvariantError on an id that is
 * not `guide_trace:` and a UUID of version 7.
 */
export async function packExposures(
  packer: Packer,
  records: readonly ExposureRecord[],
): Promise<readonly StoredExposure[]> {
  const packed = new Map<TraceUuid, StoredExposure>()
  for (const [place, record] of records.entries()) {
    if (place % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) await nextTurnOfLoop()
    const uuid = parseTraceId(record.guideTraceId)
    assert(uuid !== null, 'an exposure belongs to a guide trace')
    packed.set(uuid, { uuid, body: packer.pack(record) })
  }
  return inFileOrder(packed.values())
}

export function inFileOrder(records: Iterable<StoredExposure>): readonly StoredExposure[] {
  return [...records].sort((a, b) => (a.uuid < b.uuid ? -1 : 1))
}

const PIECE_BYTES = 256 * 1024

/** Makes a ledger file in the folder of its actor. `records` are in file order, each UUID once. Resolves when it is durable. */
export async function createLedgerFile(
  files: Files,
  folder: string,
  actorKey: string,
  { fromSeq, toSeq }: Pick<LedgerFile, 'fromSeq' | 'toSeq'>,
  records: readonly StoredExposure[],
): Promise<LedgerFile> {
  const times = records.map(({ uuid }) => atMsOf(uuid))
  const actorKeyHash = actorKeyHashOf(actorKey)
  const facts = { actorKeyHash, fromSeq, toSeq, oldestMs: times.at(0) ?? 0, newestMs: times.at(-1) ?? 0 }
  const target = {
    folder,
    draftName: `${actorKeyHash}.${fromSeq}-${toSeq}.led`,
    nameOf: (bytes: number) => nameOf({ ...facts, bytes }),
  }
  const written = await createDurably(files, target, async (file) => {
    const head = { kind: 'exposures', actorKey, seq: toSeq, facts: { fromSeq } } as const
    const writer = await RecordWriter.begin(file, head)
    let before = ''
    let pieceEnd = PIECE_BYTES
    for (const { uuid, body } of records) {
      assert(before < uuid, 'records are in file order')
      before = uuid
      await writer.append(encodeRecord(body), { key: uuid, number: 0 })
      if (file.bytes < pieceEnd) continue
      pieceEnd = file.bytes + PIECE_BYTES
      await nextTurnOfLoop()
    }
    await writer.end()
  })
  return { ...facts, ...written }
}

const MARK = /^removed-until\.(\d{1,16})$/
const MARK_DRAFT = 'removed-until'

/** The time in the name of a removal mark; null for any other path. */
function removedUntilMsOf(path: string): number | null {
  const [, untilMs] = MARK.exec(basename(path)) ?? []
  return untilMs === undefined ? null : Number(untilMs)
}

export type RemovalMark = Awaited<ReturnType<typeof openRemovalMark>>

/**
 * Remembers, over restarts, the newest guide that retention removed: an empty file `removed-until.<ms>`. `names`: what lies in
 * `folder`. Of several marks, which a crash may leave, the highest counts.
 */
export async function openRemovalMark(files: Files, folder: string, names: readonly string[]) {
  const marks = names.flatMap((name) => removedUntilMsOf(name) ?? [])
  let removedUntilMs = Math.max(0, ...marks)
  const unlinkMark = (untilMs: number): Promise<void> =>
    files.unlink(join(folder, `${MARK_DRAFT}.${untilMs}`))
  for (const untilMs of marks) if (untilMs < removedUntilMs) await unlinkMark(untilMs)
  return {
    /** Time of that guide, 0 before the first removal. */
    get removedUntilMs() {
      return removedUntilMs
    },
    /** Resolves when durable; never goes back. */
    async raise(untilMs: number): Promise<void> {
      if (untilMs <= removedUntilMs) return
      const before = removedUntilMs
      const target = { folder, draftName: MARK_DRAFT, nameOf: () => `${MARK_DRAFT}.${untilMs}` }
      await createDurably(files, target, async () => undefined)
      removedUntilMs = untilMs
      if (before > 0) await unlinkMark(before)
    },
  }
}

export type SurveyedLedger = Awaited<ReturnType<typeof surveyLedger>>

export type LedgerListing = Awaited<ReturnType<typeof listLedger>>

/** The files of the ledger by their names. Opens none, changes nothing. */
export async function listLedger(files: Files, dir: string) {
  const listed = await listActorFolders(files, join(dir, 'ledger'), parseLedgerName)
  const others = listed.others.filter((path) => removedUntilMsOf(path) === null)
  const removedUntilMs = Math.max(0, ...listed.others.map((path) => removedUntilMsOf(path) ?? 0))
  /** `removedUntilMs`: time of the newest guide that retention removed, 0 before the first removal. */
  return { ...listed, others, removedUntilMs }
}

/** Reads every record of a file. Changes nothing; damage is told, never thrown. */
export async function surveyLedger(files: Files, path: string, file: LedgerFile) {
  const records: ExposureRecord[] = []
  const packer = createPacker({ isTabular: false })
  let damage: FileDamage | null = null
  try {
    const content = await readLedger(files, path, file)
    if (content.damage !== null) damage = { kind: 'damaged', path, offset: null, what: content.damage }
    for (const stored of content.records) {
      try {
        records.push(decodeExposure(packer, stored))
      } catch (error) {
        damage ??= damageOf(error, path)
      }
    }
  } catch (error) {
    damage = damageOf(error, path)
  }
  return { path, file, records, damage }
}
