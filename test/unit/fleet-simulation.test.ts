import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { STORED } from '../../bench/fleet/constants.ts'
import { drawnLoad, recordedLoad } from '../../bench/fleet/load.ts'
import { paced, saturated, stormed } from '../../bench/fleet/runs.ts'
import { BESIDE_SHARE, type Fleet } from '../../bench/fleet/simulation.ts'
import { Machine, Thread, Timeline } from '../../bench/fleet/timeline.ts'
import { dataFolder } from '../harness/data-folder.ts'

const FLEET: Fleet = {
  nodes: 1,
  constants: STORED,
  cores: { node: 2, database: 8 },
  wireMs: 0.1,
  leaseMs: 2_000,
  seed: 1,
}

/** When each of so many pieces of work ends. */
function endsOf(cores: number, works: readonly number[]): readonly number[] {
  const timeline = new Timeline()
  const machine = new Machine(timeline, cores)
  const ends: number[] = works.map(() => Number.NaN)
  for (const [at, ms] of works.entries()) machine.run(ms, () => (ends[at] = timeline.nowMs))
  timeline.runUntil(Number.POSITIVE_INFINITY)
  return ends.map((ms) => Math.round(ms * 1e6) / 1e6)
}

describe('simulated machines', () => {
  test('share their cores evenly, and give nobody more than one', () => {
    expect(endsOf(2, [10])).toEqual([10])
    expect(endsOf(2, [10, 10, 10, 10])).toEqual([20, 20, 20, 20])
    expect(endsOf(1, [1, 2, 3])).toEqual([3, 5, 6])
  })

  test('a thread does one thing after the other', () => {
    const timeline = new Timeline()
    const thread = new Thread(new Machine(timeline, 4))
    const ends: number[] = []
    for (const ms of [3, 1, 2]) thread.run(ms, () => ends.push(timeline.nowMs))
    timeline.runUntil(Number.POSITIVE_INFINITY)
    expect([ends, thread.usedMs]).toEqual([[3, 4, 6], 6])
  })
})

describe('a simulated fleet', () => {
  test('whose requests never meet takes for each what its parts add up to', () => {
    const { served, sent, wake, commit, turn, flush } = STORED
    const { p50Ms } = paced(FLEET, drawnLoad(1, 100, true), 1, 400)
    // What follows while the database works takes no longer than that. The thread sleeps before the request and before the turn is stored.
    expect(p50Ms).toBeCloseTo(
      served.guide * (1 - BESIDE_SHARE.guide) + sent + 2 * wake + commit + turn + flush + 4 * FLEET.wireMs,
      6,
    )
  })

  test('of one node answers at most what its serving thread can, of two less than twice that, as most requests take a hop', () => {
    const load = () => drawnLoad(1, 1_000, true)
    const one = saturated(FLEET, load(), 64, 3_000)
    const thread =
      1_000 / (0.7 * STORED.served.guide + 0.2 * STORED.served.observe + 0.1 * STORED.served.feedback)
    expect(one.perS).toBeLessThan(thread)
    expect(one.perS).toBeGreaterThan(thread * 0.7)
    const two = saturated({ ...FLEET, nodes: 2 }, load(), 128, 6_000)
    expect(two.perS / one.perS).toBeGreaterThan(1.2)
    expect(two.perS / one.perS).toBeLessThan(2)
  })

  test('is bound by its database where that has fewer cores than commits need', () => {
    const cores = { node: 2, database: 0.05 }
    const { databaseBusy, perS } = saturated(
      { ...FLEET, nodes: 2, cores },
      drawnLoad(1, 1_000, true),
      128,
      4_000,
    )
    expect(databaseBusy).toBeGreaterThan(0.95)
    expect(perS).toBeLessThan(0.05 * (1_000 / STORED.commit) * 2)
  })

  test('in which a node dies answers every request for its scopes, none before the lease has ended, and is soon calm', () => {
    const { gapP99Ms, gapMaxMs, backlogMs, loads } = stormed(
      { ...FLEET, nodes: 4 },
      drawnLoad(1, 1_000, false),
      400,
    )
    expect(gapMaxMs).toBeGreaterThan(FLEET.leaseMs * 0.6)
    expect(gapP99Ms).toBeLessThan(FLEET.leaseMs + 2_000)
    expect(backlogMs).toBeLessThan(3_000)
    expect(loads).toBeGreaterThan(10)
  })
})

describe('a recorded load', () => {
  test('is what a request log holds, again and again, without what is no request of memory', () => {
    const file = join(dataFolder(), 'requests.log')
    const lines = [
      { operation: 'guide', tenant: 'a', scope: 'x' },
      { operation: null, status: 404 },
      { operation: 'health', status: 200 },
      { operation: 'finish', tenant: 'a', scope: 'y' },
      { operation: 'feedback', tenant: 'a', scope: 'x' },
    ]
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const load = recordedLoad(file)
    expect(load.scopes).toBe(2)
    expect(Array.from({ length: 4 }, () => load.next())).toEqual([
      { kind: 'guide', scope: 0 },
      { kind: 'observe', scope: 1 },
      { kind: 'feedback', scope: 0 },
      { kind: 'guide', scope: 0 },
    ])
    writeFileSync(file, '')
    expect(() => recordedLoad(file)).toThrow(/no line of a request log/)
  })
})
