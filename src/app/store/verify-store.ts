import { join } from 'node:path'
import { createCodec } from '../../adapters/codec/codec.ts'
import { DamagedFileError, type FileDamage } from '../../adapters/files/whole-file.ts'
import { FIRST_LINK, linkOver } from '../../adapters/journal/format.ts'
import type { OnSegmentBatch } from '../../adapters/journal/scan-past-corruption.ts'
import { type LedgerFile, surveyLedger } from '../../adapters/ledger/format.ts'
import { messageOf } from '../../core/base/errors.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { ActorState } from '../../core/model/state.ts'
import { concernedBy, coveredSeqOf, gapsOf, missingTurns, rebuildActor } from './actor-states.ts'
import {
  type ConcernedActor,
  type Problem,
  problemOf,
  type ReadStoreOptions,
  readStore,
  type Store,
  type StoredActor,
} from './read-store.ts'

export interface DeepCheckOptions {
  /** Told of each actor that could be rebuilt. */
  readonly onState?: (actorKey: string, state: ActorState) => void
  /** How long exposure sets are kept: an older one may be missing. */
  readonly exposureRetentionMs: number
  readonly nowMs: number
}

const codec = createCodec()

export interface VerifyOptions extends Pick<ReadStoreOptions, 'files' | 'onFile'>, DeepCheckOptions {
  /** Recomputes the hash chain, and looks for a head that was kept elsewhere. */
  readonly chain?: { readonly pinnedHead: string | null }
  /** Also decodes every turn, rebuilds every actor and compares digests and exposure sets. */
  readonly isDeep?: boolean
}

export type Verification = Awaited<ReturnType<typeof verifyStore>>

/** Reads a whole store and tells everything that is wrong with it. Changes nothing. */
export async function verifyStore(dir: string, options: VerifyOptions) {
  const reader = options.chain === undefined ? null : new ChainReader(options.chain.pinnedHead)
  const store = await readStore(dir, {
    ...options,
    onBatch: reader?.onBatch,
    onHistoryRecord: options.isDeep === true ? checkHistoryTurn : undefined,
  })
  const chain = reader?.report(store) ?? null
  const problems: Problem[] = [
    ...problemsOf(store, 'format', [store.formatDamage]),
    ...journalProblems(store, options.isDeep !== true),
    ...problemsOf(store, 'pack', store.packs.damages),
    ...snapshotProblems(store),
    ...problemsOf(store, 'history', damagesIn(store.history.files)),
    ...problemsOf(store, 'notes', damagesIn(store.history.notes)),
    ...(chain?.problems ?? []),
    ...problemsOf(store, 'manifest', [store.manifestDamage]),
    ...store.lacks.map(({ folder, what }) =>
      problemOf(store, 'lack', { kind: 'missing', path: join(dir, folder), offset: null, what }),
    ),
  ]
  const ledger = await ledgerProblems(store, options)
  problems.push(...ledger.problems)
  if (options.isDeep === true) {
    for (const actor of store.actors.values()) {
      options.onFile?.(actor.key)
      problems.push(...(await checkActor(store, actor, ledger.facts, options)))
    }
  }
  return {
    store,
    problems,
    /** What is as a crash may leave it, and what the next start does about it. */
    notes: notesOf(store),
    chain,
  }
}

function problemsOf(
  store: Store,
  part: Parameters<typeof problemOf>[1],
  damages: readonly (FileDamage | null)[],
): readonly Problem[] {
  return damages.flatMap((damage) => (damage === null ? [] : [problemOf(store, part, damage)]))
}

function damagesIn(files: readonly { readonly damage: FileDamage | null }[]): readonly (FileDamage | null)[] {
  return files.map(({ damage }) => damage)
}

/** @param isAlone what is missing is told here; else by the check of each actor */
function journalProblems(store: Store, isAlone: boolean): readonly Problem[] {
  const gaps = gapsOf(store)
  const missing = gaps.filter(({ isCovered }) => isAlone && !isCovered && store.journal.damages.length === 0)
  const lost = missing.map(({ key, fromSeq, toSeq }) => {
    const damage = { kind: 'missing', path: join(store.dir, 'wal'), offset: null } as const
    return problemOf(store, 'journal', { ...damage, what: missingTurns(key, fromSeq, toSeq) }, [
      { key, turns: { fromSeq, toSeq } },
    ])
  })
  const damaged = store.journal.damages.map((damage) => {
    const lost = damage.lostRecords ?? 0
    const what = lost === 0 ? damage.what : `${damage.what}; ${lost} turns are gone here`
    return problemOf(store, 'journal', { ...damage, what }, concernedBy(store, damage, gaps))
  })
  return [...damaged, ...lost]
}

function snapshotProblems(store: Store): readonly Problem[] {
  return store.snapshots.snapshots.flatMap(({ damage, actorKeyHash }) =>
    damage === null ? [] : [problemOf(store, 'snapshot', damage, ownerOf(store, actorKeyHash))],
  )
}

async function ledgerProblems(
  store: Store,
  { onFile }: VerifyOptions,
): Promise<{ readonly problems: readonly Problem[]; readonly facts: LedgerFacts }> {
  const problems: Problem[] = []
  const facts: LedgerFacts = new Map()
  for (const { path, named: file } of store.ledger.found) {
    onFile?.(path)
    const { records, damage } = await surveyLedger(store.files, path, file)
    if (damage !== null) problems.push(problemOf(store, 'ledger', damage, ownerOf(store, file.actorKeyHash)))
    const known = facts.get(file.actorKeyHash) ?? { records: new Map(), isDamaged: false }
    for (const record of records) known.records.set(record.guideTraceId, { record, path, file })
    facts.set(file.actorKeyHash, { ...known, isDamaged: known.isDamaged || damage !== null })
  }
  return { problems, facts }
}

function ownerOf(store: Store, keyHash: string): readonly ConcernedActor[] {
  const key = store.keys.get(keyHash)
  return key === undefined ? [] : [{ key, turns: null }]
}

function notesOf(store: Store): readonly string[] {
  const { journal, snapshots, ledger, history, erasures, packs, pruned } = store
  const torn = journal.segments.filter(({ tornBytes }) => tornBytes > 0)
  const tornNotes = history.notes.filter(({ tornBytes }) => tornBytes > 0)
  const parts = [packs, snapshots, ledger, history, erasures]
  const drafts = [journal, ...parts].flatMap((part) => part.drafts)
  const others = parts.flatMap((part) => part.others)
  const inside = (path: string): string => path.slice(store.dir.length + 1)
  return [
    ...torn.map(
      ({ path, tornBytes }) =>
        `${inside(path)} ends in a write that was cut off, ${tornBytes} bytes; the next start keeps a copy and cuts it off`,
    ),
    ...tornNotes.map(
      ({ path, tornBytes }) =>
        `${inside(path)} ends in an audit note that was cut off, ${tornBytes} bytes; it is not read`,
    ),
    ...erasures.keys.map((key) => `an erasure of ${key} was cut off; the next start finishes it`),
    ...(pruned.size === 0
      ? []
      : [`a prune of ${pruned.size} scopes was cut off; the next start takes the rest of them off the disk`]),
    ...drafts.map((path) => `${inside(path)} is a draft that a crash left; the next start removes it`),
    ...others.map((path) => `${inside(path)} is no file of a store and is left alone`),
  ]
}

interface LedgerEntry {
  readonly record: ExposureRecord
  readonly path: string
  readonly file: LedgerFile
}

/** Exposure sets by the hash of the actor's key and by guide trace. */
type LedgerFacts = Map<string, { readonly records: Map<string, LedgerEntry>; readonly isDamaged: boolean }>

/** Throws DamagedFileError when a record of a history file is no turn. */
function checkHistoryTurn(actorKey: string, actorSeq: number, payload: Uint8Array): void {
  let seq: number
  try {
    seq = codec.decodeTurn(payload).seq
  } catch (error) {
    throw new DamagedFileError(`turn ${actorSeq} of ${actorKey}: ${messageOf(error)}`)
  }
  if (seq !== actorSeq)
    throw new DamagedFileError(`turn ${actorSeq} of ${actorKey} says that it is turn ${seq}`)
}

/** Rebuilds one actor as early as the store allows, and compares what other files say of it. */
async function checkActor(
  store: Store,
  actor: StoredActor,
  ledger: LedgerFacts,
  options: DeepCheckOptions,
): Promise<readonly Problem[]> {
  const { key, keyHash, entry, snapshots, archived } = actor
  const journal = join(store.dir, 'wal')
  const told = (part: 'snapshot' | 'journal' | 'ledger', damage: Omit<FileDamage, 'kind'>): Problem =>
    problemOf(store, part, { kind: 'damaged', ...damage }, [{ key, turns: null }])
  try {
    const { state, damages, exposures } = await rebuildActor(store.files, actor, { isChecked: true })
    options.onState?.(key, state)
    const problems = damages.map(({ path, offset, what }) =>
      told(path?.endsWith('.snap') === true ? 'snapshot' : 'journal', {
        path: path ?? journal,
        offset,
        what,
      }),
    )
    const coveredSeq = coveredSeqOf(actor)
    // That its snapshots are damaged is told already.
    const isLost = entry === null && snapshots.length > 0 && coveredSeq === 0
    if (isLost || problems.length > 0) return problems
    const facts = ledger.get(keyHash)
    const isKept = (guideTraceId: string): boolean =>
      facts?.isDamaged === true || facts?.records.has(guideTraceId) === true
    const missing = exposures.filter(
      ({ seq, atMs, guideTraceId }) =>
        seq <= coveredSeq && !isKept(guideTraceId) && !isBeyondRetention(store, atMs, options),
    )
    // History and ledger go no further than the journal did: what they have beyond the state was lost there.
    const ends = [
      ...archived.map(({ file, lastSeq }) => ({ path: file.path, lastSeq })),
      ...actor.ledger.map(({ path, named }) => ({ path, lastSeq: named.toSeq })),
    ]
    const beyond = ends.filter(({ lastSeq }) => lastSeq > state.seq)
    return [
      ...[...(facts?.records.values() ?? [])].flatMap((each) => {
        const what = wrongIn(each, state)
        return what === null ? [] : [told('ledger', { path: each.path, offset: null, what })]
      }),
      ...missing.map(({ seq }) => {
        const what = `the exposure set of turn ${seq} is not there, and the snapshot does not hold it`
        return told('ledger', { path: join(store.dir, 'ledger'), offset: null, what })
      }),
      ...beyond.map(({ path, lastSeq }) => {
        const what = `it tells of turn ${lastSeq} of ${key}, and the actor ends at turn ${state.seq}`
        return told('journal', { path, offset: null, what })
      }),
    ]
  } catch (error) {
    const damage = { kind: 'unreadable', path: journal, offset: null, what: messageOf(error) } as const
    return [problemOf(store, 'journal', damage, [{ key, turns: null }])]
  }
}

/** True when an exposure set of that time may have been removed. */
export function isBeyondRetention(store: Store, atMs: number, options: DeepCheckOptions): boolean {
  return atMs <= store.ledger.removedUntilMs || atMs < options.nowMs - options.exposureRetentionMs
}

/** What an exposure set says that its actor does not know; null when they agree. */
function wrongIn({ record, file }: LedgerEntry, state: ActorState): string | null {
  const { guideTraceId, seq, memoryIds } = record
  if (seq <= file.fromSeq || seq > file.toSeq)
    return `${guideTraceId} is of turn ${seq}, which is not in this file`
  if (seq > state.seq) return `${guideTraceId} is of turn ${seq}, and the actor ends at turn ${state.seq}`
  const unknown = memoryIds.find((id) => !state.memories.has(id))
  return unknown === undefined ? null : `${guideTraceId} exposed ${unknown}, which the actor does not know`
}

/** What the hash chain of a journal says, recomputed from its batches. */
export type ChainReport = ReturnType<ChainReader['report']>

/** Recomputes the chain while the store is read. Make one for each reading. */
class ChainReader {
  readonly #pinned: string | null
  #segment = 0
  #link: string | null = null
  #fromSegment: number | null = null
  #batches = 0
  #pinnedAt: number | null = null
  readonly #breaks: { readonly segment: number; readonly what: string }[] = []

  /** @param pinned a head that was kept elsewhere, 64 hex digits in lower case */
  constructor(pinned: string | null) {
    this.#pinned = pinned
  }

  readonly onBatch: OnSegmentBatch = (segment, bytes) => {
    if (segment !== null && segment.segmentSeq !== this.#segment)
      this.#enter(segment.segmentSeq, segment.link)
    if (this.#link === null) return
    this.#link = linkOver(this.#link, bytes)
    this.#batches += 1
    this.#compare()
  }

  report(store: Store) {
    const last = store.journal.segments.findLast(({ header }) => header !== null)
    // A segment without a batch was entered by nobody yet.
    if (last?.header && last.seq !== this.#segment) this.#enter(last.seq, last.header.link)
    const problems = this.#breaks.map(({ segment, what }) => chainProblem(store, segment, what))
    if (this.#pinned !== null && this.#pinnedAt === null) {
      const what =
        this.#fromSegment === null
          ? 'the journal keeps no chain, so that the pinned head cannot be found'
          : 'the pinned head is not in the chain: the journal was rewritten, or every batch up to that head is gone'
      problems.push(chainProblem(store, null, what))
    }
    return {
      /** The link behind the last batch; null when the journal keeps no chain. */
      head: this.#link,
      /** Sequence of the segment in which it begins; what is before was removed, or had no chain. */
      fromSegment: this.#fromSegment,
      batches: this.#batches,
      /** Batches that were written after the pinned head; null when none was given or it was not met. */
      batchesSincePinned: this.#pinnedAt === null ? null : this.#batches - this.#pinnedAt,
      problems,
    }
  }

  /** The link in its header must be the one that the batches before give. */
  #enter(segment: number, link: string | null): void {
    this.#segment = segment
    if (link === null || link !== this.#link) {
      if (link !== null && link !== FIRST_LINK && this.#link !== null) {
        this.#breaks.push({ segment, what: 'the link in the header is not the one of the batches before' })
      }
      // A chain that was switched off, or begins here: what was before vouches for nothing behind it.
      this.#fromSegment = link === null ? null : segment
      this.#batches = 0
      this.#pinnedAt = null
    }
    this.#link = link
    this.#compare()
  }

  #compare(): void {
    if (this.#link !== null && this.#link === this.#pinned) this.#pinnedAt = this.#batches
  }
}

/** @param seq of the segment; null: of the journal as a whole */
function chainProblem(store: Store, seq: number | null, what: string): Problem {
  const segment = store.journal.segments.find((each) => each.seq === seq)
  const path = segment?.path ?? `${store.dir}/wal`
  return problemOf(store, 'chain', { kind: 'damaged', path, offset: null, what })
}
