import type { Kind } from '../load/mix.ts'

export const KINDS: readonly Kind[] = ['guide', 'observe', 'feedback']

/** What a simulated fleet is made of, in milliseconds. */
export interface Constants {
  /** Processor time of the serving thread of the owner, without the statement that stores the turn. */
  readonly served: Readonly<Record<Kind, number>>
  /** Processor time of its other threads for a request, beside it. */
  readonly aside: number
  /** The same thread, for a statement that stores turns. */
  readonly sent: number
  /** What the serving thread needs more for work that finds it asleep: at half load most does, at full load none. */
  readonly wake: number
  /** Of the node that passes a request on, and what it costs elsewhere more than a request of a client: told as its owner's. */
  readonly hopOut: number
  readonly hopIn: number
  /** What a hop takes beside that: the threads of two nodes and of the kernel wait for each other. */
  readonly hopWait: number
  /** Processor time of the database for a commit, and for each turn of it. */
  readonly commit: number
  readonly turn: number
  /** A flush of its log: all commits that wait share one. */
  readonly flush: number
  /** To take a shard and to load a scope of it that nobody has in memory: of the serving thread, and of the database. */
  readonly load: number
  readonly loadRead: number
  /** Of whoever asks, for a request: only where it shares the machine. */
  readonly asked: number
  /** Bytes of a turn in the database, with its index. */
  readonly turnBytes: number
}

/**
 * For who has no database to measure by. Assumed, near what `npm run bench -- observe` and `-- postgres` found on two AMD EPYC
 * cores in November 2026: no run of this bench has measured them.
 */
export const STORED: Constants = {
  served: { guide: 0.6, observe: 0.5, feedback: 0.5 },
  aside: 0.05,
  sent: 0.1,
  wake: 0.1,
  hopOut: 0.3,
  hopIn: 0.05,
  hopWait: 0.2,
  commit: 0.2,
  turn: 0.03,
  flush: 0.3,
  load: 2,
  loadRead: 0.5,
  asked: 0.2,
  turnBytes: 2_000,
}

export function meanOf(one: Constants, other: Constants): Constants {
  const mean = <Named extends Readonly<Record<string, number>>>(a: Named, b: Named): Named =>
    Object.assign({}, ...Object.keys(a).map((name) => ({ [name]: ((a[name] ?? 0) + (b[name] ?? 0)) / 2 })))
  const { served, ...rest } = one
  const { served: otherServed, ...otherRest } = other
  return { ...mean(rest, otherRest), served: mean(served, otherServed) }
}
