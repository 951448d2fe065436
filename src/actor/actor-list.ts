import { actorKeyOf, partsOfActorKey } from '../core/base/ids.ts'
import type { Residency } from '../ports/residency.ts'
import type { Store, StoredTurns } from '../ports/store.ts'
import type { Actor } from './actor.ts'
import { yieldToLoop } from './yield-to-loop.ts'

/** What can be told of an actor without loading it. */
export interface ActorSketch extends StoredTurns {
  readonly key: string
  readonly scope: string
  /** Null: it is not in memory. */
  readonly resident: Actor | null
}

interface ListParts extends Pick<Store, 'directory'> {
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
  const { directory, residency } = parts
  const keys = await firstKeys(keysOf(parts, actorKeyOf(tenantId, '')), afterKey, limit)
  const stored = await directory.turnsOf(keys)
  return stored.map((turns, at) => {
    const key = keys[at] ?? ''
    return { key, scope: partsOfActorKey(key).scope, ...turns, resident: residency.peek(key) ?? null }
  })
}

async function* keysOf({ directory }: ListParts, prefix: string): AsyncGenerator<string> {
  for await (const key of directory.actors()) if (key.startsWith(prefix)) yield key
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
