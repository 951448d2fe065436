import { join } from 'node:path'
import { createCodec } from '../../adapters/codec/codec.ts'
import { listActorFolders } from '../../adapters/files/actor-folders.ts'
import { lastSeqOf, readSpan, spanOf } from '../../adapters/journal/record-index.ts'
import { readSnapshot } from '../../adapters/snapshot/format.ts'
import { partsOfActorKey } from '../../core/base/ids.ts'
import { stateFrom } from '../../core/model/state-image.ts'
import type { Files } from '../../ports/files.ts'
import { coveredSeqOf } from './actor-states.ts'
import { type ReadStoreOptions, readStore, type Store, type StoredActor } from './read-store.ts'

/** What a scope takes, and when it was last written to or asked for a guide. */
export interface ScopeUsage {
  readonly key: string
  readonly tenantId: string
  readonly scope: string
  /** Null: turns that no snapshot has would have to be replayed to know. */
  readonly memories: number | null
  /** Of its own files, and of its records in files that it shares. */
  readonly bytes: number
  /** Null: what is left of it does not tell. */
  readonly lastUsedMs: number | null
}

type LastTurns = Map<string, { readonly seq: number; readonly payload: Uint8Array }>

const codec = createCodec()

/** Every scope of a store that nobody uses, the one that was not used for longest first. */
export async function usageOf(
  dir: string,
  options: Pick<ReadStoreOptions, 'onFile'> = {},
): Promise<{ readonly store: Store; readonly scopes: readonly ScopeUsage[] }> {
  const turns: LastTurns = new Map()
  const store = await readStore(dir, {
    ...options,
    onHistoryRecord: (key, seq, payload) => {
      // The bytes are a part of many others.
      if ((turns.get(key)?.seq ?? 0) < seq) turns.set(key, { seq, payload: Uint8Array.from(payload) })
    },
  })
  const derived = await derivedBytes(store.files, dir)
  const scopes: ScopeUsage[] = []
  for (const actor of store.actors.values()) {
    const { key, keyHash, entry, snapshots, held } = actor
    const newest = snapshots.findLast(({ damage }) => damage === null)
    const lastSeq = held.at(-1)?.toSeq ?? 0
    const journalBytes = sum((entry?.runs ?? []).map(({ sizes }) => sum(sizes)))
    const archivedBytes = actor.archived.flatMap(({ file }) =>
      file.runs.filter((run) => run.keyHash === keyHash).map(({ bytes }) => bytes),
    )
    scopes.push({
      key,
      ...partsOfActorKey(key),
      memories: newest !== undefined && newest.seq >= lastSeq ? newest.memories : null,
      bytes:
        journalBytes +
        sum(archivedBytes) +
        sum(snapshots.map(({ bytes }) => bytes)) +
        sum(actor.ledger.map(({ named }) => named.bytes)) +
        (derived.get(keyHash) ?? 0),
      lastUsedMs: (await lastUseOf(store, actor, turns)) || null,
    })
  }
  return {
    store,
    scopes: scopes.sort((a, b) => (a.lastUsedMs ?? 0) - (b.lastUsedMs ?? 0) || (a.key < b.key ? -1 : 1)),
  }
}

/** The newest moment that the journal, history, the ledger or, without any of them, the snapshot tells; 0: none does. */
async function lastUseOf({ files }: Store, actor: StoredActor, archived: LastTurns): Promise<number> {
  const guided = Math.max(0, ...actor.ledger.map(({ named }) => named.newestMs))
  const run = actor.entry?.runs.at(-1)
  const last = archived.get(actor.key)
  const turn = last === undefined ? undefined : codec.decodeTurn(last.payload)
  if (run !== undefined) {
    const lastSeq = lastSeqOf(run)
    for await (const { payload } of readSpan(files, spanOf(run, lastSeq, lastSeq))) {
      return Math.max(guided, codec.decodeTurn(payload).atMs)
    }
  }
  if (turn !== undefined && turn.seq >= coveredSeqOf(actor)) return Math.max(guided, turn.atMs)
  const newest = actor.snapshots.findLast(({ damage }) => damage === null)
  if (newest === undefined) return Math.max(guided, turn?.atMs ?? 0)
  const { memories, operations } = stateFrom((await readSnapshot(files, newest.path)).image)
  let written = 0
  for (const { updatedAtMs } of memories.values()) written = Math.max(written, updatedAtMs)
  for (const { atMs } of operations.values()) written = Math.max(written, atMs)
  return Math.max(guided, written, turn?.atMs ?? 0)
}

async function derivedBytes(files: Files, dir: string): Promise<ReadonlyMap<string, number>> {
  const bytes = new Map<string, number>()
  for (const part of ['idx', 'vec']) {
    for (const { path, name } of (await listActorFolders(files, join(dir, part), (each) => each)).found) {
      const hash = name.split('.', 1)[0] ?? ''
      bytes.set(hash, (bytes.get(hash) ?? 0) + ((await files.stat(path))?.bytes ?? 0))
    }
  }
  return bytes
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}
