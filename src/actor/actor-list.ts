import { actorKeyOf, partsOfActorKey } from '../core/base/ids.ts'
import type { Residency } from '../ports/residency.ts'
import type { Store } from '../ports/store.ts'
import type { Actor } from './actor.ts'
import { yieldToLoop } from './yield-to-loop.ts'

/** What can be told of an actor without loading it. */
export interface ActorSketch {
  readonly key: string
  readonly scope: string
  /** The last turn that is on disk. */
  readonly turns: number
  /** The turn up to which the newest snapshot goes, and its size; 0: there is none. */
  readonly snapshotTurns: number
  readonly snapshotBytes: number
  /** Null: it is not in memory. */
  readonly resident: Actor | null
}

interface ListParts extends Pick<Store, 'directory' | 'journal' | 'snapshots'> {
  readonly residency: Residency<Actor>
}

/**
 * The actors of a tenant in the order of their keys, by code unit, behind one of them. Any actor that is there throughout
 * is on exactly one page, whatever is written meanwhile.
 */
export async function actorsOf(
  parts: ListParts,
  tenantId: string,
  afterKey: string | null,
  limit: number,
): Promise<readonly ActorSketch[]> {
  const keys = keysOf(parts, actorKeyOf(tenantId, ''))
  return (await firstKeys(keys, afterKey, limit)).map((key) => sketchOf(parts, key))
}

async function* keysOf({ directory }: ListParts, prefix: string): AsyncGenerator<string> {
  for await (const key of directory.actors()) if (key.startsWith(prefix)) yield key
}

function sketchOf({ journal, snapshots, residency }: ListParts, key: string): ActorSketch {
  const snapshotTurns = snapshots.coveredSeqOf(key)
  return {
    key,
    scope: partsOfActorKey(key).scope,
    turns: Math.max(journal.headOf(key), snapshotTurns),
    snapshotTurns,
    snapshotBytes: snapshots.bytesOf(key),
    resident: residency.peek(key) ?? null,
  }
}

/** Keys looked at between two yields. */
const BREATH_KEYS = 2000

/** The first of the keys behind one of them, in the order of code units. As few of them are held as a page needs. */
export async function firstKeys(
  keys: AsyncIterable<string> | Iterable<string>,
  afterKey: string | null,
  limit: number,
): Promise<readonly string[]> {
  let first: string[] = []
  let seen = 0
  for await (const key of keys) {
    if (++seen % BREATH_KEYS === 0) await yieldToLoop()
    if (afterKey !== null && key <= afterKey) continue
    first.push(key)
    if (first.length >= 4 * limit) first = sorted(first).slice(0, limit)
  }
  return sorted(first).slice(0, limit)
}

function sorted(keys: readonly string[]): string[] {
  return keys.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
}
