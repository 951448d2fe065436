import { join } from 'node:path'
import { createCodec } from '../../adapters/codec/codec.ts'
import { DamagedFileError } from '../../adapters/files/damage.ts'
import type { LedgerFile } from '../../adapters/ledger/format.ts'
import { messageOf } from '../../core/base/errors.ts'
import type { Turn } from '../../core/model/events.ts'
import type { ExposureRecord } from '../../core/model/exposure.ts'
import type { ActorState } from '../../core/model/state.ts'
import { coveredSeqOf, rebuildActor } from './actor-states.ts'
import { type Problem, problemOf, type Store, type StoredActor } from './read-store.ts'

export interface LedgerEntry {
  readonly record: ExposureRecord
  readonly path: string
  readonly file: LedgerFile
}

/** Exposure sets by the hash of the actor's key and by guide trace. */
export type LedgerFacts = Map<
  string,
  { readonly records: Map<string, LedgerEntry>; readonly isDamaged: boolean }
>

export interface DeepCheckOptions {
  /** Told of each actor that could be rebuilt. */
  readonly onState?: (actorKey: string, state: ActorState) => void
  readonly exposureRetentionMs: number
  readonly nowMs: number
}

const codec = createCodec()

/** Throws DamagedFileError when a record of a history file is no turn. */
export function checkHistoryTurn(actorKey: string, actorSeq: number, payload: Uint8Array): void {
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
export async function checkActor(
  store: Store,
  actor: StoredActor,
  ledger: LedgerFacts,
  options: DeepCheckOptions,
): Promise<readonly Problem[]> {
  const concerned = [{ key: actor.key, turns: null }]
  const journal = join(store.dir, 'wal')
  const exposed: {
    readonly turn: Turn
    readonly guideTraceId: string
    readonly memoryIds: readonly string[]
  }[] = []
  const onTurn = (turn: Turn): void => {
    for (const event of turn.events) if (event.type === 'exposed') exposed.push({ turn, ...event })
  }
  try {
    const { state, damages } = await rebuildActor(store.files, actor, { isChecked: true, onTurn })
    options.onState?.(actor.key, state)
    const problems = damages.map(({ path, offset, what }) => {
      const part = path?.endsWith('.snap') === true ? 'snapshot' : 'journal'
      return problemOf(store, part, { kind: 'damaged', path: path ?? journal, offset, what }, concerned)
    })
    // That its snapshots are damaged is told already.
    const isLost = actor.entry === null && actor.snapshots.length > 0 && coveredSeqOf(actor) === 0
    if (isLost || problems.length > 0) return problems
    const behind = historyBehind(actor, state.seq)
    const facts = ledger.get(actor.keyHash)
    const coveredSeq = coveredSeqOf(actor)
    const missing = exposed.filter(
      ({ turn, guideTraceId }) =>
        turn.seq <= coveredSeq && !isKept(guideTraceId) && !isBeyondRetention(store, turn.atMs, options),
    )
    function isKept(guideTraceId: string): boolean {
      return facts?.isDamaged === true || facts?.records.has(guideTraceId) === true
    }
    const wrong = [...(facts?.records.values() ?? [])].flatMap((entry) => {
      const what = wrongIn(entry, state)
      return what === null ? [] : [{ path: entry.path, what }]
    })
    const lost = missing.map(({ turn }) => ({
      path: join(store.dir, 'ledger'),
      what: `the exposure set of turn ${turn.seq} is not there, and the snapshot does not hold it`,
    }))
    return [
      ...[...wrong, ...lost].map(({ path, what }) =>
        problemOf(store, 'ledger', { kind: 'damaged', path, offset: null, what }, concerned),
      ),
      ...behind.map(({ path, what }) =>
        problemOf(store, 'journal', { kind: 'damaged', path, offset: null, what }, concerned),
      ),
    ]
  } catch (error) {
    const damage = { kind: 'unreadable', path: journal, offset: null, what: messageOf(error) } as const
    return [problemOf(store, 'journal', damage, concerned)]
  }
}

/** History goes no further than the journal did: what it has beyond the state was lost there. */
function historyBehind(
  { key, archived }: StoredActor,
  headSeq: number,
): readonly { readonly path: string; readonly what: string }[] {
  return archived
    .filter(({ lastSeq }) => lastSeq > headSeq)
    .map(({ file, lastSeq }) => ({
      path: file.path,
      what: `it has turn ${lastSeq} of ${key}, and the actor ends at turn ${headSeq}`,
    }))
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
