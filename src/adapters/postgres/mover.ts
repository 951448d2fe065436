import type { HotShard } from '../../ports/cluster.ts'
import { repeatedly } from '../files/concurrency.ts'
import type { Lease } from './lease.ts'
import { type Neighbours, planOf } from './moves.ts'
import type { Shards } from './shards.ts'
import type { PostgresStoreOptions } from './tables.ts'

/** How often a node compares what it owns with its share, and how much of it may be on its way at once: fifty moves a second. */
const LOOK_MS = 200
const MOVES_MAX = 10
/** Looks between two of what was asked for. */
const LOOKS_A_SECOND = 1000 / LOOK_MS
/** A shard that could not move is left alone for so long. */
const STAYS_MS = 20_000
const HOT_MAX = 5

export interface MoverOptions extends Pick<PostgresStoreOptions, 'log' | 'schedule' | 'monotonicMs'> {
  readonly lease: Pick<Lease, 'nodeId' | 'isValid'>
  readonly neighbours: Neighbours
  readonly shards: Shards
}

/** Gives to other nodes what belongs to them, some shards at a time, for as long as its node lives. */
export function moverOf({ lease, neighbours, shards, log, schedule, monotonicMs }: MoverOptions) {
  const underWay = new Set<number>()
  const stay = new Map<number, number>()
  let stopLooks: (() => void) | null = null
  let looks = 0
  let leavingNow = 0

  async function look(): Promise<void> {
    looks += 1
    if (looks % LOOKS_A_SECOND === 0) shards.cool()
    if (!lease.isValid) return
    shards.releaseAgain()
    const nowMs = monotonicMs()
    for (const [shard, untilMs] of stay) if (untilMs <= nowMs) stay.delete(shard)
    const { leaving, due } = planOf(shards.owned(), lease.nodeId, neighbours.takers(), {
      movesMax: MOVES_MAX - underWay.size,
      isLeftAlone: (shard) => underWay.has(shard) || stay.has(shard),
    })
    leavingNow = leaving.length
    for (const shard of due) void move(shard)
  }

  async function move(shard: number): Promise<void> {
    underWay.add(shard)
    try {
      if (!(await shards.move(shard))) stay.set(shard, monotonicMs() + STAYS_MS)
    } catch (error) {
      log.error({ shard, cause: String(error) }, 'a shard could not be moved')
      stay.set(shard, monotonicMs() + STAYS_MS)
    } finally {
      underWay.delete(shard)
    }
  }

  return {
    get leaving() {
      return leavingNow
    },
    hottest(): readonly HotShard[] {
      const asked = [...shards.owned()].filter(({ rate }) => rate > 0)
      const hot = asked.toSorted((a, b) => b.rate - a.rate).slice(0, HOT_MAX)
      return hot.map(({ shard, rate }) => ({ shard, perSecond: Math.round(rate * 10) / 10 }))
    },
    keep(): void {
      stopLooks = repeatedly(schedule, LOOK_MS, look)
    },
    close: () => stopLooks?.(),
  }
}
