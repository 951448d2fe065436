import type { Standing } from '../base/closed-sets.ts'
import { type ExternalMemory, opinionsFor, standingFor } from '../model/external-memory.ts'
import type { ActorState } from '../model/state.ts'
import type { Viewer } from '../model/visibility.ts'

/** By which a list of external memory goes on: its backend, then its id. */
export type ExternalPlace = readonly [sourceBackend: string, externalId: string]

export interface ExternalFilter {
  readonly sourceBackend: string | null
  readonly externalId: string | null
  readonly standing: Standing | null
}

/**
 * The next ones in the order of their names, and whether there are more. What is governed meanwhile changes no place.
 * One pass over all of them: of a hundred thousand it takes some milliseconds.
 */
export function externalPage(
  { external }: Pick<ActorState, 'external'>,
  filter: ExternalFilter,
  viewer: Viewer,
  after: ExternalPlace | null,
  limit: number,
): { readonly items: readonly ExternalMemory[]; readonly hasMore: boolean } {
  const first: ExternalMemory[] = []
  for (const memory of external.all()) {
    if (after !== null && compare(placeOf(memory), after) <= 0) continue
    if (!isAskedFor(memory, filter, viewer) || !isKnownTo(memory, viewer)) continue
    const last = first.at(-1)
    if (first.length > limit && last !== undefined && compare(placeOf(memory), placeOf(last)) > 0) continue
    first.splice(positionIn(first, memory), 0, memory)
    if (first.length > limit + 1) first.pop()
  }
  return { items: first.slice(0, limit), hasMore: first.length > limit }
}

export function placeOf({ sourceBackend, externalId }: ExternalMemory): ExternalPlace {
  return [sourceBackend, externalId]
}

/** A consumer is told of those that a lane of its own speaks of: the others are what somebody asked. */
function isKnownTo(memory: ExternalMemory, viewer: Viewer): boolean {
  return viewer === null || opinionsFor(memory, viewer).length > 0
}

function isAskedFor(memory: ExternalMemory, filter: ExternalFilter, viewer: Viewer): boolean {
  const { sourceBackend, externalId, standing } = filter
  if (sourceBackend !== null && memory.sourceBackend !== sourceBackend) return false
  if (externalId !== null && memory.externalId !== externalId) return false
  return standing === null || standingFor(memory, viewer) === standing
}

function positionIn(sorted: readonly ExternalMemory[], memory: ExternalMemory): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const other = sorted[middle]
    if (other !== undefined && compare(placeOf(other), placeOf(memory)) < 0) from = middle + 1
    else to = middle
  }
  return from
}

function compare([backend, id]: ExternalPlace, [otherBackend, otherId]: ExternalPlace): number {
  if (backend !== otherBackend) return backend < otherBackend ? -1 : 1
  return id === otherId ? 0 : id < otherId ? -1 : 1
}
