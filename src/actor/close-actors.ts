import type { Residency } from '../ports/residency.ts'
import type { Actor } from './actor.ts'
import type { ActorSnapshots } from './actor-snapshots.ts'
import type { Deadline } from './deadline.ts'

/** Snapshots written at the same time while closing. */
const CLOSING_SNAPSHOTS = 8

/**
 * Snapshots every actor in memory that is not covered, once nobody is inside it.
 * @param unfinished gets the keys of all, and loses each that is done
 */
export async function closeActors(
  residency: Residency<Actor>,
  snapshots: ActorSnapshots,
  unfinished: Set<string>,
  isLate: Deadline,
): Promise<void> {
  // A request that leaves meanwhile changes the order of use: the keys are taken first.
  const waiting = [...residency.keys()]
  for (const key of waiting) unfinished.add(key)
  const closeSome = async (): Promise<void> => {
    for (let key = waiting.pop(); key !== undefined && !isLate.passed; key = waiting.pop()) {
      const actor = residency.peek(key)
      if (actor !== undefined) {
        await actor.emptied()
        await snapshots.makeLast(actor, () => isLate.passed)
      }
      unfinished.delete(key)
    }
  }
  await Promise.all(Array.from({ length: CLOSING_SNAPSHOTS }, closeSome))
}
