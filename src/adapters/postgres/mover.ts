import type { HotShard } from '../../ports/cluster.ts'
import type { Log } from '../../ports/log.ts'
import type { Schedule } from '../files/schedule.ts'
import type { Lease } from './lease.ts'
import { planOf } from './moves.ts'
import type { Neighbours } from './neighbours.ts'
import type { Shards } from './shards.ts'

/** How often a node compares what it owns with its share, and how much of it may be on its way at once: fifty moves a second. */
const LOOK_MS = 200
const MOVES_MAX = 10
/** Looks between two of what was asked for. */
const LOOKS_A_SECOND = 1000 / LOOK_MS
/** A shard that could not move is left alone for so long. */
const STAYS_MS = 20_000
const HOT_MAX = 5

export interface MoverOptions {
  readonly lease: Pick<Lease, 'nodeId' | 'isValid'>
  readonly neighbours: Neighbours
  readonly shards: Shards
  readonly log: Log
  readonly schedule: Schedule
  readonly monotonicMs: () => number
}

/** Gives to other nodes what belongs to them, some shards at a time, for as long as its node lives. */
export class Mover {
  readonly #options: MoverOptions
  readonly #underWay = new Set<number>()
  readonly #stay = new Map<number, number>()
  #cancel: (() => void) | null = null
  #looks = 0
  #leaving = 0
  #isClosed = false

  constructor(options: MoverOptions) {
    this.#options = options
  }

  get leaving(): number {
    return this.#leaving
  }

  hottest(): readonly HotShard[] {
    const asked = [...this.#options.shards.owned()].filter(({ rate }) => rate > 0)
    const hot = asked.toSorted((a, b) => b.rate - a.rate).slice(0, HOT_MAX)
    return hot.map(({ shard, rate }) => ({ shard, perSecond: Math.round(rate * 10) / 10 }))
  }

  keep(): void {
    if (this.#isClosed) return
    this.#cancel = this.#options.schedule(() => {
      this.#look()
      this.keep()
    }, LOOK_MS)
  }

  close(): void {
    this.#isClosed = true
    this.#cancel?.()
  }

  #look(): void {
    const { lease, neighbours, shards, monotonicMs } = this.#options
    this.#looks += 1
    if (this.#looks % LOOKS_A_SECOND === 0) shards.cool()
    if (!lease.isValid) return
    shards.releaseAgain()
    const nowMs = monotonicMs()
    for (const [shard, untilMs] of this.#stay) if (untilMs <= nowMs) this.#stay.delete(shard)
    const { leaving, due } = planOf(shards.owned(), lease.nodeId, neighbours.takers(), {
      movesMax: MOVES_MAX - this.#underWay.size,
      isLeftAlone: (shard) => this.#underWay.has(shard) || this.#stay.has(shard),
    })
    this.#leaving = leaving.length
    for (const shard of due) void this.#move(shard)
  }

  async #move(shard: number): Promise<void> {
    const { shards, log, monotonicMs } = this.#options
    this.#underWay.add(shard)
    try {
      if (!(await shards.move(shard))) this.#stay.set(shard, monotonicMs() + STAYS_MS)
    } catch (error) {
      log.error({ shard, cause: String(error) }, 'a shard could not be moved')
      this.#stay.set(shard, monotonicMs() + STAYS_MS)
    } finally {
      this.#underWay.delete(shard)
    }
  }
}
