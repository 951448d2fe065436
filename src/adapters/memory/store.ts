import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { assert } from '../../core/base/assert.ts'
import { guideTimeOf } from '../../core/base/ids.ts'
import { noteWithoutErased } from '../../core/external/govern-record.ts'
import { payloadLeft, redactor } from '../../core/model/erasure.ts'
import type { Codec } from '../../ports/codec.ts'
import {
  type ExposureLedger,
  type History,
  type Journal,
  type JournalRecord,
  type Ownership,
  PAYLOAD_BYTES_MAX,
  type Removal,
  type SnapshotStore,
  type Store,
  type VectorStore,
} from '../../ports/store.ts'
import type { Clock } from '../../ports/system.ts'
import { NO_IMAGES } from '../files/null-ports.ts'
import { refuse, StoreFailure, turnsKnown } from '../files/store-parts.ts'
import type { ActorData, MemoryData } from './data.ts'

export interface MemoryStoreOptions {
  readonly data: MemoryData
  /** Name of this node; no two that are open have the same. */
  readonly node: string
  readonly clock: Clock
  readonly codec: Codec
  readonly model: string | null
  readonly exposureRetentionMs: number
  readonly historyRetentionMs: number
  /** Of the turns of all actors: over it those that a snapshot covers go. */
  readonly historyBudgetBytes: number
}

/** Audit notes and exposure sets of an actor; above them the oldest go. */
const NOTES_MAX = 10_000
const EXPOSURES_MAX = 100_000

/**
 * A store that is gone with the process. Journal and history are one list of turns, a snapshot is the image itself (its rows
 * are never changed), and what is derived is built again. The fence goes around it: here grants are given, not looked at.
 */
export function memoryStore(options: MemoryStoreOptions): Store {
  const { data, model } = options
  const isEmbedded = model !== null || [...data.entries()].some(([, { vectors }]) => vectors.size > 0)
  const journal = journalOf(options)
  const snapshots = snapshotsOf(options)
  return {
    backend: 'memory',
    ownership: ownershipOf(options),
    directory: {
      async *actors() {
        for (const [key, { headSeq }] of data.entries()) if (headSeq > 0) yield key
      },
      turnsOf: turnsKnown(journal, snapshots),
    },
    journal,
    snapshots,
    recallImages: NO_IMAGES,
    ledger: ledgerOf(options),
    history: historyOf(options),
    erasureMarks: {
      async *marked() {
        for (const [key, { isErasing }] of data.entries()) if (isErasing) yield key
      },
      has: async (key) => data.find(key)?.isErasing ?? false,
      put: async (_grant, key) => void (data.of(key).isErasing = true),
      remove: async (_grant, key) => void (data.of(key).isErasing = false),
    },
    removal: removalOf(options),
    vectorStore: isEmbedded ? vectorsOf(options, model ?? '') : null,
    compaction: null,
    segments: null,
    cluster: null,
    isDiskFull: () => false,
    async close() {
      await journal.close()
      data.expire(options.node)
    },
  }
}

function ownershipOf({ data, node }: MemoryStoreOptions): Ownership {
  return {
    async acquire(key) {
      const grant = data.acquire(key, node)
      if (grant !== null) return grant
      throw new StoreFailure('fenced', `${key} is held by another node`, { owner: data.of(key).owner })
    },
    held(key) {
      const actor = data.find(key)
      return actor?.owner === node && actor.isHeld ? actor.grant : null
    },
    onLost: (listener) => data.listen(node, listener),
    attach: () => undefined,
    used: () => undefined,
    release: (grant, key) => data.release(key, grant),
  }
}

function journalOf({ data, clock }: MemoryStoreOptions): Journal {
  let isClosed = false
  return {
    isSaturated: () => false,
    append(_grant, { actorKey, actorSeq, payload, atMs }) {
      const actor = data.of(actorKey)
      if (isClosed) return refuse('closed', 'the journal is closed')
      if (payload.length > PAYLOAD_BYTES_MAX)
        return refuse('too_large', `a record of ${payload.length} bytes`)
      const expected = Math.max(actor.headSeq, actor.image?.seq ?? 0) + 1
      if (actorSeq !== expected) {
        return refuse('conflict', `record ${actorSeq} of ${actorKey} where ${expected} belongs`)
      }
      // The bytes may be part of a buffer that is larger.
      actor.turns.push({ seq: actorSeq, atMs: atMs ?? clock.nowMs(), payload: Uint8Array.from(payload) })
      actor.headSeq = actorSeq
      actor.writtenBytes += payload.length
      data.turnBytes += payload.length
      return Promise.resolve()
    },
    async *read(_grant, actorKey, fromSeq) {
      const actor = data.of(actorKey)
      const first = actor.turns[0]?.seq ?? fromSeq
      assert(fromSeq >= first, `turn ${fromSeq} of ${actorKey} is kept no longer`)
      yield* recordsOf(actor, actorKey, fromSeq, actor.headSeq)
    },
    headOf: (key) => data.find(key)?.headSeq ?? 0,
    uncoveredBytesOf(key) {
      const actor = data.find(key)
      return actor === null ? 0 : actor.writtenBytes - actor.coveredBytes
    },
    covered(_grant, actorKey, seq) {
      const actor = data.of(actorKey)
      actor.headSeq = Math.max(actor.headSeq, seq)
    },
    health: () => ({
      state: isClosed ? 'closed' : 'open',
      cause: null,
      isFull: false,
      isRefused: false,
      queuedBytes: 0,
      writingMs: 0,
      chainHead: null,
    }),
    async close() {
      isClosed = true
    },
  }
}

function snapshotsOf(options: MemoryStoreOptions): SnapshotStore {
  const { data, clock } = options
  let lastAtMs: number | null = null
  return {
    async put(_grant, actorKey, image) {
      const actor = data.of(actorKey)
      assert(image.seq >= (actor.image?.seq ?? 0), 'a snapshot is not older than the one before it')
      actor.image = image
      actor.headSeq = Math.max(actor.headSeq, image.seq)
      const above = actor.turns.filter(({ seq }) => seq > image.seq)
      actor.coveredBytes = above.reduce((left, { payload }) => left - payload.length, actor.writtenBytes)
      lastAtMs = clock.nowMs()
      forgetTurns(actor, options)
      return { bytes: actor.coveredBytes }
    },
    async get(actorKey) {
      const image = data.find(actorKey)?.image ?? null
      return image === null ? null : { seq: image.seq, image }
    },
    // What a snapshot would take, told from what was written.
    bytesOf: (key) => data.find(key)?.coveredBytes ?? 0,
    coveredSeqOf: (key) => data.find(key)?.image?.seq ?? 0,
    lastAtMs: () => lastAtMs,
  }
}

/** Of turns that a snapshot covers those go that are too old, or too many. */
function forgetTurns(actor: ActorData, { data, clock, ...limits }: MemoryStoreOptions): void {
  const keptFromMs = clock.nowMs() - limits.historyRetentionMs
  const coveredSeq = actor.image?.seq ?? 0
  let gone = 0
  for (const { seq, atMs, payload } of actor.turns) {
    if (seq > coveredSeq || (atMs >= keptFromMs && data.turnBytes <= limits.historyBudgetBytes)) break
    data.turnBytes -= payload.length
    gone += 1
  }
  if (gone > 0) actor.turns = actor.turns.slice(gone)
}

function ledgerOf({ data, clock, exposureRetentionMs }: MemoryStoreOptions): ExposureLedger {
  const keptFromMs = (): number => clock.nowMs() - exposureRetentionMs
  return {
    keptFromMs,
    async append(_grant, actorKey, _fromSeq, _toSeq, records) {
      const actor = data.of(actorKey)
      const fromMs = keptFromMs()
      for (const record of records) actor.exposures.set(record.guideTraceId, record)
      for (const record of actor.exposures.values()) {
        const atMs = guideTimeOf(record.guideTraceId)
        if (atMs >= fromMs && actor.exposures.size <= EXPOSURES_MAX) break
        actor.exposures.delete(record.guideTraceId)
        actor.exposuresGoneUntilMs = Math.max(actor.exposuresGoneUntilMs, atMs)
      }
    },
    async find(actorKey, guideTraceId) {
      const isKept = guideTimeOf(guideTraceId) >= keptFromMs()
      return isKept ? (data.find(actorKey)?.exposures.get(guideTraceId) ?? null) : null
    },
    async *newestFirst(actorKey, notAfterMs = Number.MAX_SAFE_INTEGER) {
      const fromMs = keptFromMs()
      const records = [...(data.find(actorKey)?.exposures.values() ?? [])].filter(({ guideTraceId }) => {
        const atMs = guideTimeOf(guideTraceId)
        return atMs >= fromMs && atMs <= notAfterMs
      })
      // Ids of version 7 begin with their time, so that their order is that of time.
      yield* records.sort((one, other) => (one.guideTraceId < other.guideTraceId ? 1 : -1))
    },
    isBeyondRetention(actorKey, guideTraceId) {
      const atMs = guideTimeOf(guideTraceId)
      if (Number.isNaN(atMs)) return false
      const goneUntilMs = data.find(actorKey)?.exposuresGoneUntilMs ?? 0
      return atMs < keptFromMs() || atMs <= goneUntilMs
    },
  }
}

function historyOf({ data, clock, historyRetentionMs }: MemoryStoreOptions): History {
  return {
    async recordAt(actorKey, seq) {
      for (const record of recordsOf(data.find(actorKey), actorKey, seq, seq)) return record
      return null
    },
    async *read(actorKey, fromSeq, toSeq) {
      yield* recordsOf(data.find(actorKey), actorKey, fromSeq, toSeq)
    },
    note(_grant, actorKey, note) {
      const { notes } = data.of(actorKey)
      notes.push(structuredClone(note))
      const keptFromMs = clock.nowMs() - historyRetentionMs
      while (notes.length > NOTES_MAX || (notes[0]?.atMs ?? keptFromMs) < keptFromMs) notes.shift()
    },
    notes: async (actorKey, max) => (data.find(actorKey)?.notes ?? []).slice(-max).toReversed(),
    settled: async () => undefined,
  }
}

function* recordsOf(
  actor: ActorData | null,
  actorKey: string,
  fromSeq: number,
  toSeq: number,
): Generator<JournalRecord> {
  const turns = actor?.turns ?? []
  const first = turns[0]?.seq ?? 0
  for (const { seq, payload } of turns.slice(Math.max(0, fromSeq - first), Math.max(0, toSeq - first + 1))) {
    yield { actorKey, actorSeq: seq, payload }
  }
}

function removalOf({ data, codec }: MemoryStoreOptions): Removal {
  return {
    async erase(_grant, actorKey, redaction, help) {
      const actor = data.of(actorKey)
      const left = redactor(redaction)
      help.began('snapshots')
      const before = actor.image
      if ((before?.seq ?? 0) < redaction.untilSeq) await help.snapshot(actorKey)
      for (const [guideTraceId, shown] of actor.exposures) {
        const kept = left.exposure(shown)
        if (kept === null) actor.exposures.delete(guideTraceId)
        else actor.exposures.set(guideTraceId, kept)
      }
      help.began('history')
      const breath = breathing()
      let rewritten = 0
      // One at a time, while others come and the oldest go; so the notes.
      for (const stored of actor.turns.slice()) {
        const payload = payloadLeft(stored.payload, left, codec)
        const at = stored.seq - (actor.turns[0]?.seq ?? 0)
        if (payload !== null && actor.turns[at] === stored) {
          actor.turns[at] = { ...stored, payload: Uint8Array.from(payload) }
          data.turnBytes += payload.length - stored.payload.length
          rewritten += 1
        }
        await breath(TURN_BYTES + stored.payload.length)
      }
      // A hash for each name that a note holds.
      for (const note of actor.notes.slice()) {
        const redacted = noteWithoutErased(note, redaction, codec)
        const at = redacted === note ? -1 : actor.notes.indexOf(note)
        if (at !== -1) actor.notes[at] = redacted
        await breath(NOTE_BYTES)
      }
      const snapshots = before === null || before === actor.image ? 0 : 1
      return { snapshots, journalSegments: 0, historyFiles: rewritten }
    },
  }
}

/** Bytes read before others are served, a millisecond or two: a breath behind each turn takes minutes under load. */
const BREATH_BYTES = 64 * 1024
/** What a turn costs besides what it holds, and a note with its names. */
const TURN_BYTES = 4 * 1024
const NOTE_BYTES = 16 * 1024

function breathing(): (bytes: number) => Promise<void> {
  let work = 0
  return async (bytes) => {
    work += bytes
    if (work < BREATH_BYTES) return
    work = 0
    await nextTurnOfLoop()
  }
}

function vectorsOf({ data }: MemoryStoreOptions, model: string): VectorStore {
  return {
    async load(actorKey, take) {
      for (const { model: of, row } of data.find(actorKey)?.vectors.values() ?? []) {
        if (row.vector === null || of === model) take(row)
      }
    },
    async append(_grant, actorKey, rows) {
      for (const row of rows) data.of(actorKey).vectors.set(row.memoryId, { model, row })
    },
    async keepOnly(_grant, actorKey, keeps) {
      const { vectors } = data.of(actorKey)
      const before = vectors.size
      for (const [memoryId, { row }] of vectors) if (!keeps(row)) vectors.delete(memoryId)
      return vectors.size < before ? 1 : 0
    },
  }
}
