import { beforeEach, describe, expect, test } from 'vitest'
import { firstChoice, type Neighbours, neighboursOf } from '../../src/adapters/postgres/moves.ts'

const ME = 'me'
const URLS = { me: 'http://me:1', other: 'http://other:2' } as const

let nowMs = 0
let peers = new Map<string, string>()
beforeEach(() => {
  nowMs = 100_000
  peers = new Map(Object.entries(URLS))
})

function seen({ isSharedOut = true } = {}): Neighbours {
  const lease = {
    nodeId: ME,
    get peers() {
      return peers
    },
  }
  return neighboursOf({ lease, monotonicMs: () => nowMs, isSharedOut })
}

/** A shard that belongs to the node. */
function shardOf(id: string): number {
  const shards = Array.from({ length: 100 }, (_, shard) => shard)
  return shards.findIndex((shard) => firstChoice(shard, Object.keys(URLS)) === id)
}

describe('a shard that nobody has', () => {
  test('is left to the node that it belongs to, until that takes no requests', () => {
    const neighbours = seen()
    const theirs = () => neighbours.firstChoiceOf(shardOf('other'))
    expect([theirs(), neighbours.firstChoiceOf(shardOf(ME))]).toEqual([URLS.other, null])
    neighbours.doubt(URLS.other)
    expect(theirs()).toBe(URLS.other)
    nowMs += 200
    expect(theirs()).toBeNull()
    nowMs += 3_000
    expect(theirs()).toBe(URLS.other)
  })

  test('is never left to a node that has no address, nor by one that sends no requests on', () => {
    peers.set('other', '')
    expect(seen().firstChoiceOf(shardOf('other'))).toBeNull()
    peers.set('other', URLS.other)
    expect(seen({ isSharedOut: false }).firstChoiceOf(shardOf('other'))).toBeNull()
  })
})

describe('a node is given shards', () => {
  test('when it has lived for two seconds, and never when it has no address', () => {
    const neighbours = seen()
    expect(neighbours.takers()).toEqual([])
    nowMs += 1_999
    expect(neighbours.takers()).toEqual([])
    nowMs += 1
    expect(neighbours.takers()).toEqual(['other'])
    peers.set('other', '')
    expect(neighbours.takers()).toEqual([])
    expect(seen({ isSharedOut: false }).takers()).toEqual([])
  })

  test('anew after it was away', () => {
    const neighbours = seen()
    neighbours.takers()
    nowMs += 2_000
    peers.delete('other')
    expect(neighbours.takers()).toEqual([])
    peers.set('other', URLS.other)
    expect(neighbours.takers()).toEqual([])
    nowMs += 2_000
    expect(neighbours.takers()).toEqual(['other'])
  })

  test('not for half a minute after it took no request, unless it answers one; but another node at its address is', () => {
    const neighbours = seen()
    neighbours.takers()
    nowMs += 2_000
    neighbours.doubt(URLS.other)
    nowMs += 30_000
    expect(neighbours.takers()).toEqual([])
    nowMs += 1
    expect(neighbours.takers()).toEqual(['other'])
    neighbours.doubt(URLS.other)
    neighbours.trust('other')
    expect(neighbours.takers()).toEqual(['other'])
    neighbours.doubt(URLS.other)
    peers = new Map([
      ['me', URLS.me],
      ['next', URLS.other],
    ])
    neighbours.takers()
    nowMs += 2_000
    expect(neighbours.takers()).toEqual(['next'])
  })
})
