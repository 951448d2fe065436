import { join } from 'node:path'
import { NewerFileError } from '../../adapters/files/damage.ts'
import { FIRST_LINK, linkOver } from '../../adapters/journal/format.ts'
import { dryRunRecovery } from '../../adapters/journal/recovery.ts'
import type { OnSegmentBatch, SurveyedSegment } from '../../adapters/journal/scan-past-corruption.ts'
import { surveyLedger } from '../../adapters/ledger/survey.ts'
import { messageOf } from '../../core/base/errors.ts'
import { concernedBy, gapsOf } from './actor-states.ts'
import { checkActor, checkHistoryTurn, type DeepCheckOptions, type LedgerFacts } from './deep-check.ts'
import {
  type ConcernedActor,
  type Problem,
  problemOf,
  type ReadStoreOptions,
  readStore,
  type Store,
} from './read-store.ts'

export interface VerifyOptions
  extends Omit<ReadStoreOptions, 'onHistoryRecord' | 'onBatch'>,
    Pick<DeepCheckOptions, 'onState'> {
  /** Recomputes the hash chain, and looks for a head that was kept elsewhere. */
  readonly chain?: { readonly pinnedHead: string | null }
  /** Also decodes every turn, rebuilds every actor and compares digests and exposure sets. */
  readonly isDeep?: boolean
  /** How long exposure sets are kept: an older one may be missing. */
  readonly exposureRetentionMs: number
  readonly nowMs: number
}

export interface Verification {
  readonly store: Store
  readonly problems: readonly Problem[]
  /** What is as a crash may leave it, and what the next start does about it. */
  readonly notes: readonly string[]
  /** Null unless it was asked for. */
  readonly chain: ChainReport | null
}

/** Reads a whole store and tells everything that is wrong with it. Changes nothing. */
export async function verifyStore(dir: string, options: VerifyOptions): Promise<Verification> {
  const reader = options.chain === undefined ? null : new ChainReader(options.chain.pinnedHead)
  const store = await readStore(dir, {
    ...options,
    onBatch: reader?.onBatch,
    onHistoryRecord: options.isDeep === true ? checkHistoryTurn : undefined,
  })
  const chain = reader?.report(store) ?? null
  const problems = [
    ...formatProblems(store),
    ...journalProblems(store),
    ...store.packs.damages.map((damage) => problemOf(store, 'pack', damage)),
    ...snapshotProblems(store),
    ...historyProblems(store),
    ...(chain?.problems ?? []),
  ]
  problems.push(...(await dryRunProblems(store, problems)), ...manifestProblems(store))
  const ledger = await ledgerProblems(store, options)
  problems.push(...ledger.problems)
  if (options.isDeep === true) {
    for (const actor of store.actors.values()) {
      options.onFile?.(actor.key)
      problems.push(...(await checkActor(store, actor, ledger.facts, options)))
    }
  }
  return { store, problems, notes: notesOf(store), chain }
}

function formatProblems(store: Store): readonly Problem[] {
  return store.formatDamage === null ? [] : [problemOf(store, 'format', store.formatDamage)]
}

function manifestProblems(store: Store): readonly Problem[] {
  const { dir, manifestDamage, lacks } = store
  return [
    ...(manifestDamage === null ? [] : [problemOf(store, 'manifest', manifestDamage)]),
    ...lacks.map(({ folder, what }) =>
      problemOf(store, 'lack', { kind: 'missing', path: join(dir, folder), offset: null, what }),
    ),
  ]
}

function journalProblems(store: Store): readonly Problem[] {
  const gaps = gapsOf(store)
  return store.journal.damages.map((damage) => {
    const lost = damage.lostRecords ?? 0
    const what = lost === 0 ? damage.what : `${damage.what}; ${lost} turns are gone here`
    return problemOf(store, 'journal', { ...damage, what }, concernedBy(store, damage, gaps))
  })
}

/** A start says no to what the survey did not see: never told of a store that is well. */
async function dryRunProblems(store: Store, known: readonly Problem[]): Promise<readonly Problem[]> {
  if (known.some(({ file }) => file === 'FORMAT.json' || file.startsWith('wal'))) return []
  try {
    const refusal = await dryRunRecovery(store.files, store.dir)
    if (refusal === null) return []
    const { file, offset, reason } = refusal
    return [problemOf(store, 'journal', { kind: 'damaged', path: file, offset, what: reason })]
  } catch (error) {
    const kind = error instanceof NewerFileError ? 'newer' : 'unreadable'
    const what = messageOf(error)
    return [problemOf(store, 'journal', { kind, path: join(store.dir, 'wal'), offset: null, what })]
  }
}

function snapshotProblems(store: Store): readonly Problem[] {
  return store.snapshots.snapshots.flatMap(({ damage, actorKeyHash }) =>
    damage === null ? [] : [problemOf(store, 'snapshot', damage, ownerOf(store, actorKeyHash))],
  )
}

function historyProblems(store: Store): readonly Problem[] {
  const { files, notes } = store.history
  return [
    ...files.flatMap(({ damage }) => (damage === null ? [] : [problemOf(store, 'history', damage)])),
    ...notes.flatMap(({ damage }) => (damage === null ? [] : [problemOf(store, 'notes', damage)])),
  ]
}

async function ledgerProblems(
  store: Store,
  { onFile }: VerifyOptions,
): Promise<{ readonly problems: readonly Problem[]; readonly facts: LedgerFacts }> {
  const problems: Problem[] = []
  const facts: LedgerFacts = new Map()
  for (const { path, file } of store.ledger.files) {
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
  const drafts = [
    ...journal.drafts,
    ...packs.drafts,
    ...snapshots.drafts,
    ...ledger.drafts,
    ...history.drafts,
    ...erasures.drafts,
  ]
  const others = [
    ...packs.others,
    ...snapshots.others,
    ...ledger.others,
    ...history.others,
    ...erasures.others,
  ]
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

/** What the hash chain of a journal says, recomputed from its batches. */
export interface ChainReport {
  /** The link behind the last batch; null when the journal keeps no chain. */
  readonly head: string | null
  /** Sequence of the segment in which it begins; what is before was removed, or had no chain. */
  readonly fromSegment: number | null
  /** Batches that it covers. */
  readonly batches: number
  /** Batches that were written after the pinned head; null when none was given or it was not met. */
  readonly batchesSincePinned: number | null
  readonly problems: readonly Problem[]
}

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

  readonly onBatch: OnSegmentBatch = (segment, _batch, bytes) => {
    if (segment !== null && segment.segmentSeq !== this.#segment)
      this.#enter(segment.segmentSeq, segment.link)
    if (this.#link === null) return
    this.#link = linkOver(this.#link, bytes)
    this.#batches += 1
    this.#compare()
  }

  report(store: Store): ChainReport {
    const last = store.journal.segments.findLast(({ header }) => header !== null)
    // A segment without a batch was entered by nobody yet.
    if (last?.header && last.seq !== this.#segment) this.#enter(last.seq, last.header.link)
    const problems = this.#breaks.map(({ segment, what }) =>
      this.#problem(store, pathOf(store, segment), what),
    )
    if (this.#pinned !== null && this.#pinnedAt === null) {
      const what =
        this.#fromSegment === null
          ? 'the journal keeps no chain, so that the pinned head cannot be found'
          : 'the pinned head is not in the chain: the journal was rewritten, or every batch up to that head is gone'
      problems.push(this.#problem(store, `${store.dir}/wal`, what))
    }
    return {
      head: this.#link,
      fromSegment: this.#fromSegment,
      batches: this.#batches,
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

  #problem(store: Store, path: string, what: string): Problem {
    return problemOf(store, 'chain', { kind: 'damaged', path, offset: null, what })
  }
}

function pathOf({ dir, journal }: Store, seq: number): string {
  return journal.segments.find((segment: SurveyedSegment) => segment.seq === seq)?.path ?? `${dir}/wal`
}
