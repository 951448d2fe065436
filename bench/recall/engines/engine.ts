/** A full-text index as the benchmark asks it. What answers a promise is awaited. */
export interface Engine {
  /** Numbers are given by the caller: 0, 1, 2 … */
  add(doc: number, read: string): unknown
  remove(doc: number, read: string): unknown
  /** Hits of the first HITS, best first. */
  search(read: string): number | Promise<number>
  /** What this engine wants done once after many additions. */
  settle(): void
  /** Bytes of the index where the engine knows them itself; null: the growth of the heap tells. */
  indexBytes(): number | null
  /** Writes what `load` needs into a folder. */
  save(folder: string): void | Promise<void>
}

export interface EngineKind {
  /** With what it is told to do: a line of the report. */
  readonly setup: string
  /** `text`: it reads texts itself; `terms`: it gets the terms of memgov, separated by blanks, made outside of the clock. */
  readonly reads: 'text' | 'terms'
  open(): Engine
  /** Reads and checks what was stored. */
  load(folder: string): Engine | Promise<Engine>
  /** Loads and asks another index until the code of both is compiled: a service that has answered for a while. */
  warm?(): Promise<void>
}

/** Hits asked of each engine: what a guide ranks. */
export const HITS = 200

/** Thrown where an engine cannot run here; the report says why and goes on with the others. */
export class EngineMissing extends Error {}
