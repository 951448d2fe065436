import type { Surface } from '../base/closed-sets.ts'
import { dropOldest } from '../base/collections.ts'
import type { ExposedSet } from './events.ts'
import { consumerKey } from './visibility.ts'

/** Pairs of run and consumer that are known; the one that was shown nothing for longest goes first. */
export const RUNS_SHOWN_MAX = 1_000
/** Lines that are known of one of them; the oldest go first. */
export const LINES_SHOWN_MAX = 4_096
/** Guides whose handles are known of one of them; the oldest go first. */
export const GUIDES_SHOWN_MAX = 256

/** A guide that named its lines by handles. */
export interface NumberedGuide extends Pick<ExposedSet, 'guideTraceId' | 'memoryIds' | 'surfaces'> {
  readonly firstHandle: number
}

/** What an earlier guide of a run printed, and which guide that was. */
export interface PrintedEarlier {
  readonly surface: Surface
  readonly guideTraceId: string
}

/** What the guides of one run showed one consumer. */
export interface RunShown {
  /** Of each memory the version of the line that was printed last. */
  readonly versions: ReadonlyMap<string, number>
  /** The oldest first. */
  readonly guides: readonly NumberedGuide[]
  /** Number of the first handle that is free. */
  readonly nextHandle: number
}

interface Shown {
  readonly versions: Map<string, number>
  readonly guides: NumberedGuide[]
  nextHandle: number
}

export type RunShownRow = ReturnType<typeof rowOf>

/** Which lines the guides of a run have shown a consumer. Bounded, the oldest go first. */
export class ShownLines {
  readonly #runs = new Map<string, Shown>()

  /** What rows gave; they come in the order in which they are written. */
  read(rows: readonly RunShownRow[]): void {
    for (const [key, nextHandle, ids, versions, guides] of rows) {
      this.#runs.set(key, {
        versions: new Map(ids.map((id, at) => [id, versions[at] ?? 0])),
        guides: guides.map(([guideTraceId, firstHandle, memoryIds, surfaces]) => {
          return { guideTraceId, firstHandle, memoryIds, surfaces }
        }),
        nextHandle,
      })
    }
  }

  /** Null: nothing is known of that run and consumer. */
  of(runId: string, agentId: string, teamId: string | null): RunShown | null {
    return this.#runs.get(keyOf(runId, agentId, teamId)) ?? null
  }

  /** @param versions of the lines, parallel to the memories of the exposure */
  add(exposed: ExposedSet, versions: readonly number[]): void {
    const { runId, consumerAgentId, consumerTeamId, memoryIds } = exposed
    if (runId === null) return
    const key = keyOf(runId, consumerAgentId, consumerTeamId)
    const shown: Shown = this.#runs.get(key) ?? { versions: new Map(), guides: [], nextHandle: 1 }
    this.#runs.delete(key)
    this.#runs.set(key, shown)
    dropOldest(this.#runs, RUNS_SHOWN_MAX)
    for (const [rank, memoryId] of memoryIds.entries()) {
      shown.versions.delete(memoryId)
      shown.versions.set(memoryId, versions[rank] ?? 0)
    }
    dropOldest(shown.versions, LINES_SHOWN_MAX)
    const { guideTraceId, firstHandle, surfaces } = exposed
    if (firstHandle === undefined || memoryIds.length === 0) return
    shown.guides.push({ guideTraceId, firstHandle, memoryIds, surfaces })
    if (shown.guides.length > GUIDES_SHOWN_MAX) shown.guides.shift()
    shown.nextHandle = Math.max(shown.nextHandle, firstHandle + memoryIds.length)
  }

  /** In the order in which the pairs were last shown something. */
  rows(): readonly RunShownRow[] {
    return Array.from(this.#runs, rowOf)
  }
}

/** One pair: its lines by memory ids and versions, and its guides. */
function rowOf([key, { nextHandle, versions, guides }]: readonly [string, Shown]) {
  const numbered = guides.map(({ guideTraceId, firstHandle, memoryIds, surfaces }) => {
    return [guideTraceId, firstHandle, memoryIds, surfaces] as const
  })
  return [key, nextHandle, [...versions.keys()], [...versions.values()], numbered] as const
}

function keyOf(runId: string, agentId: string, teamId: string | null): string {
  return JSON.stringify([runId, consumerKey({ agentId, teamId })])
}
