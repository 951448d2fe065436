import type { Surface } from '../base/closed-sets.ts'
import { dropOldest } from '../base/collections.ts'

/** Runs of which is known what they were shown; the oldest go first. */
const RUNS_MAX = 10_000
/** Candidates that are known of one of them; the first go first. */
const SHOWN_TO_RUN_MAX = 4096
/** Candidates of all of them together; the oldest runs go first. */
const SHOWN_MAX = 200_000

export interface ShownBounds {
  readonly runs: number
  readonly ofRun: number
  readonly inAll: number
}

export const SHOWN_BOUNDS: ShownBounds = { runs: RUNS_MAX, ofRun: SHOWN_TO_RUN_MAX, inAll: SHOWN_MAX }

export type ExternalRunRow = readonly [runId: string, keys: readonly string[], surfaces: readonly Surface[]]

/** Which memories of other stores the govern requests of each run showed it. Changed by `evolve` only. */
export class RunsShown {
  /** The run that asked longest ago first. */
  readonly #byRun = new Map<string, Map<string, Surface>>()
  readonly #bounds: ShownBounds
  #size = 0

  constructor(bounds: ShownBounds = SHOWN_BOUNDS) {
    this.#bounds = bounds
  }

  /** Candidates of all runs. */
  get size(): number {
    return this.#size
  }

  /** By their keys, on the surface where each stood last. */
  of(runId: string): Iterable<readonly [key: string, surface: Surface]> {
    return this.#byRun.get(runId) ?? []
  }

  show(runId: string, shown: Iterable<readonly [key: string, surface: Surface]>): void {
    const ofRun = this.#byRun.get(runId) ?? new Map<string, Surface>()
    this.forget(runId)
    for (const [key, surface] of shown) ofRun.set(key, surface)
    dropOldest(ofRun, this.#bounds.ofRun)
    this.#byRun.set(runId, ofRun)
    this.#size += ofRun.size
    for (const oldest of this.#byRun.keys()) {
      if (this.#byRun.size <= this.#bounds.runs && this.#size <= this.#bounds.inAll) break
      this.forget(oldest)
    }
  }

  forget(runId: string): void {
    this.#size -= this.#byRun.get(runId)?.size ?? 0
    this.#byRun.delete(runId)
  }

  /** Leaves out all others, one step per `stepKeys` candidates. Nothing else may be asked or changed before the last one. */
  *keepOnlySteps(isKept: (key: string) => boolean, stepKeys: number): Generator<void, void> {
    let work = 0
    for (const ofRun of this.#byRun.values()) {
      for (const key of ofRun.keys()) if (!isKept(key) && ofRun.delete(key)) this.#size -= 1
      work += ofRun.size
      if (work < stepKeys) continue
      work = 0
      yield
    }
  }

  rows(): readonly ExternalRunRow[] {
    return [...this.#byRun].map(([runId, shown]) => [runId, [...shown.keys()], [...shown.values()]] as const)
  }

  /** What rows gave. */
  readRows(rows: readonly ExternalRunRow[]): void {
    for (const [runId, keys, surfaces] of rows)
      this.show(
        runId,
        keys.map((key, at) => [key, surfaces[at] ?? 'do_not_use'] as const),
      )
  }
}
