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

/** Keys looked at between two yields. */
const BREATH_KEYS = 2000

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
  const prefix = actorKeyOf(tenantId, '')
  let first: string[] = []
  let seen = 0
  for await (const key of parts.directory.actors()) {
    if (++seen % BREATH_KEYS === 0) await yieldToLoop()
    if (!key.startsWith(prefix) || (afterKey !== null && key <= afterKey)) continue
    first.push(key)
    // Sorted now and then, so that a page holds no list of all.
    if (first.length >= 4 * limit) first = first.sort(byCodeUnit).slice(0, limit)
  }
  return first
    .sort(byCodeUnit)
    .slice(0, limit)
    .map((key) => sketchOf(parts, key))
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
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
