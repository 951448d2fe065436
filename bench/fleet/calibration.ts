import pg from 'pg'
import type { PostgresCluster } from '../../test/harness/postgres.ts'
import { agentMix, type Kind, type Mix, type MixedRequest } from '../load/mix.ts'
import { spreadOf, timesUs } from '../measure.ts'
import { type Constants, KINDS } from './constants.ts'
import { RealFleet, type Spent } from './real.ts'

/** How long and how large the measured parts are. */
export interface CalibrationSize {
  readonly scopes: number
  readonly memories: number
  readonly phaseMs: number
}

const SEED = 3
/** For so long, times its nodes, a fleet answers more and more: its code is compiled, and the threads that compile take cores. */
export const WARM_MS = 8_000
const CLIENTS = 32
const INSERTS = 200
/** What a turn of an observe takes. */
const TURN_BYTES = 1_152

/** What a request has cost in a phase, on average. */
interface Cost {
  readonly requests: number
  readonly serving: readonly number[]
  readonly aside: number
  readonly database: number
  readonly asking: number
  readonly commits: number
  readonly turns: number
}

/** Measures the constants on this machine, over a database server that runs. */
export async function calibrated(database: PostgresCluster, size: CalibrationSize): Promise<Constants> {
  const flush = await flushMs(database)
  const one = await RealFleet.start(database, 1)
  const mix = agentMix(SEED, size.scopes)
  let costs: Readonly<Record<Kind | 'crowded' | 'mixed' | 'half', Cost>>
  const asked: Record<Kind, number> = { guide: 0, observe: 0, feedback: 0 }
  let turnBytes: number
  try {
    await one.fill(mix, size.memories)
    // First: what comes below fills some scopes far more than the mix does.
    const next = () => {
      const request = mix.next()
      asked[request.kind] += 1
      return request
    }
    await one.saturate(() => mix.next(), CLIENTS, WARM_MS, mix)
    const mixed = await costOf(one, next, { ...size, phaseMs: size.phaseMs * 2 }, mix)
    const half = await costAtHalf(one, () => mix.next(), mixed, size)
    const guide = await costOf(one, () => ofKind(mix, 'guide'), size, mix)
    const observe = await costOf(one, () => ofKind(mix, 'observe'), size)
    const feedback = await costOf(one, () => ofKind(mix, 'feedback'), size)
    const scope = mix.scopes[0] ?? ''
    const crowded = await costOf(one, () => ({ kind: 'observe', scope, body: mix.observe(scope) }), size)
    costs = { guide, observe, feedback, crowded, mixed, half }
    turnBytes = await one.bytesOfTurn()
  } finally {
    await one.stop()
  }
  const statements = statementCosts(costs.observe, costs.crowded)
  const served = (kind: Kind) => {
    const { serving, commits, requests } = costs[kind]
    return Math.max(0, (serving[0] ?? 0) - (statements.sent * commits) / requests)
  }
  const two = await hopAndLoad(database, size, costs)
  const parts = underMix(
    {
      served: { guide: served('guide'), observe: served('observe'), feedback: served('feedback') },
      ...statements,
    },
    costs.mixed,
    asked,
  )
  const wake = wakeMs(costs.mixed, costs.half, parts.sent)
  return {
    ...parts,
    wake,
    aside: costs.mixed.aside,
    asked: costs.mixed.asking,
    flush,
    turnBytes,
    ...two,
    // One request after the other finds every thread asleep.
    hopWait: Math.max(0, two.hopWait - WAKES_OF_HOP * wake),
  }
}

type Parts = Pick<Constants, 'served' | 'commit' | 'turn' | 'sent'>

/**
 * The same parts as they are when all kinds come at once: loads of one kind tell how they stand to each other, and that of all
 * what they cost together, with what the collector, snapshots and growing scopes add.
 */
function underMix(parts: Parts, mixed: Cost, asked: Readonly<Record<Kind, number>>): Parts {
  const all = KINDS.reduce((sum, kind) => sum + asked[kind], 0)
  const [commits, turns] = [mixed.commits / mixed.requests, mixed.turns / mixed.requests]
  const serving = KINDS.reduce((sum, kind) => sum + (parts.served[kind] * asked[kind]) / all, 0)
  const threadShare = (mixed.serving[0] ?? 0) / (serving + parts.sent * commits)
  const databaseShare = mixed.database / (parts.commit * commits + parts.turn * turns)
  const { guide, observe, feedback } = parts.served
  return {
    served: {
      guide: guide * threadShare,
      observe: observe * threadShare,
      feedback: feedback * threadShare,
    },
    sent: parts.sent * threadShare,
    commit: parts.commit * databaseShare,
    turn: parts.turn * databaseShare,
  }
}

/**
 * What a commit costs and what a turn in it, from a load in which nearly each turn has its own and one in which many share one:
 * two equations for each, of which a negative part counts as nothing.
 */
function statementCosts(apart: Cost, together: Cost): Omit<Parts, 'served'> {
  const [few, many] = [apart.commits / apart.requests, together.commits / together.requests]
  const commit = Math.max(0, (apart.database - together.database) / (few - many))
  const whole = Math.min(commit, apart.database / few)
  const sent = Math.max(0, ((apart.serving[0] ?? 0) - (together.serving[0] ?? 0)) / (few - many))
  return {
    commit: whole,
    turn: Math.max(0, apart.database - whole * few),
    sent: Math.min(sent, apart.serving[0] ?? 0),
  }
}

/** For a request of a client and for the answer of the database. */
const WAKES_OF_REQUEST = 2
/** Of the owner for the request, and of the node that passes on for its answer. */
const WAKES_OF_HOP = 2

/** What a request costs the serving thread more when it comes alone, beside the statement that it then has for itself. */
function wakeMs(full: Cost, half: Cost, sent: number): number {
  const alone = ({ serving, commits, requests }: Cost) => (serving[0] ?? 0) - (sent * commits) / requests
  return Math.max(0, (alone(half) - alone(full)) / WAKES_OF_REQUEST)
}

/** A request of the mix of one kind; while no guide has shown anything there is no feedback. */
function ofKind(mix: Mix, kind: Kind): MixedRequest {
  for (;;) {
    const request = mix.next()
    if (request.kind === kind) return request
  }
}

async function costOf(
  fleet: RealFleet,
  next: () => MixedRequest,
  { phaseMs }: CalibrationSize,
  mix?: Mix,
): Promise<Cost> {
  // Compiled and warm first.
  await fleet.saturate(next, CLIENTS, phaseMs / 2, mix)
  let requests = 0
  const before = await fleet.spent()
  const counted = () => {
    requests += 1
    return next()
  }
  await fleet.saturate(counted, CLIENTS, phaseMs, mix)
  return costBetween(before, await fleet.spent(), requests)
}

/** Requests at half of the rate at which others were answered. */
async function costAtHalf(
  fleet: RealFleet,
  next: () => MixedRequest,
  { requests }: Cost,
  { phaseMs }: CalibrationSize,
): Promise<Cost> {
  await fleet.calm()
  const perS = requests / (phaseMs * 2) / 2
  let sent = 0
  const before = await fleet.spent()
  const counted = () => {
    sent += 1
    return next()
  }
  await fleet.pace(counted, perS * 1_000, phaseMs)
  return costBetween(before, await fleet.spent(), sent)
}

function costBetween(before: Spent, after: Spent, requests: number): Cost {
  const each = (of: (spent: Spent) => number) => (of(after) - of(before)) / requests
  return {
    requests,
    serving: after.serving.map((ms, node) => (ms - (before.serving[node] ?? 0)) / requests),
    aside: each(({ aside }) => aside.reduce((sum, ms) => sum + ms, 0)),
    database: each(({ database }) => database),
    asking: each(({ asking }) => asking),
    commits: after.commits - before.commits,
    turns: after.turns - before.turns,
  }
}

/** Of requests that any of two nodes is asked, those that another one answers. */
const HOPS_OF_TWO = 0.5

function allOf({ serving, aside, database, asking }: Cost): number {
  return serving.reduce((sum, ms) => sum + ms, aside + database + asking)
}

/** The mix at two nodes; guides that go from one to the scopes of the other; the loads of these when that one has left. */
async function hopAndLoad(
  database: PostgresCluster,
  size: CalibrationSize,
  { guide: guides, mixed }: Readonly<Record<'guide' | 'mixed', Cost>>,
): Promise<Pick<Constants, 'hopOut' | 'hopIn' | 'hopWait' | 'load' | 'loadRead'>> {
  const fleet = await RealFleet.start(database, 2)
  try {
    const mix = agentMix(SEED, size.scopes)
    await fleet.fill(mix, size.memories)
    await fleet.saturate(() => mix.next(), CLIENTS, 2 * WARM_MS, mix)
    const both = await costOf(fleet, () => mix.next(), { ...size, phaseMs: size.phaseMs * 2 }, mix)
    const owners = await fleet.owners()
    const away = mix.scopes.filter((scope) => owners.get(scope) === 1)
    const next = () => {
      for (;;) {
        const request = ofKind(mix, 'guide')
        if (owners.get(request.scope) === 1) return request
      }
    }
    await hops(fleet, next, size.phaseMs / 2)
    const before = await fleet.spent()
    const requests = await hops(fleet, next, size.phaseMs)
    const { serving } = costBetween(before, await fleet.spent(), requests)
    await fleet.calm()
    const hopMs = await oneHopMs(fleet, next)
    await fleet.lose(1)
    const [atRest, started] = [await fleet.spent(), performance.now()]
    for (const scope of away)
      await fleet.ask({ kind: 'guide', body: { scope, query_text: 'what came before' } }, 0)
    const tookMs = performance.now() - started
    const after = costBetween(atRest, await fleet.spent(), away.length)
    const load = Math.max(0, (after.serving[0] ?? 0) - (guides.serving[0] ?? 0))
    const [hopOut = 0] = serving
    const hopIn = Math.max(0, (allOf(both) - allOf(mixed)) / HOPS_OF_TWO - hopOut)
    return {
      hopOut,
      hopIn,
      hopWait: Math.max(0, hopMs - hopOut - hopIn),
      load,
      loadRead: Math.max(0, Math.min(after.database - guides.database, tookMs / away.length - load)),
    }
  } finally {
    await fleet.stop()
  }
}

const SINGLE_ASKS = 400

/** How much later a guide is answered that comes over the first node, one request after the other. */
async function oneHopMs(fleet: RealFleet, next: () => MixedRequest): Promise<number> {
  const medianOf = async (node: number): Promise<number> => {
    const all = Array.from({ length: SINGLE_ASKS }, next)
    return spreadOf(await timesUs(all, (request) => fleet.ask(request, node))).median / 1_000
  }
  const [over, direct, overAgain, directAgain] = [
    await medianOf(0),
    await medianOf(1),
    await medianOf(0),
    await medianOf(1),
  ]
  return (over + overAgain - direct - directAgain) / 2
}

/** Clients who ask the first node only. Resolves with the number of requests. */
async function hops(fleet: RealFleet, next: () => MixedRequest, forMs: number): Promise<number> {
  const sinceMs = performance.now()
  let requests = 0
  const client = async (): Promise<void> => {
    while (performance.now() - sinceMs < forMs) {
      requests += 1
      await fleet.ask(next(), 0)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return requests
}

/** An insert that waits for the disk over one that does not, one after the other. */
async function flushMs(database: PostgresCluster): Promise<number> {
  const name = await database.database()
  const client = new pg.Client({ connectionString: database.url(name) })
  await client.connect()
  try {
    await client.query('create table bare (id bigint generated always as identity primary key, body bytea)')
    const insert = () =>
      client.query({
        name: 'bare',
        text: 'insert into bare (body) values ($1)',
        values: [Buffer.alloc(TURN_BYTES, 7)],
      })
    const medians: number[] = []
    for (const how of ['on', 'off', 'on', 'off']) {
      await client.query(`set synchronous_commit = ${how}`)
      medians.push(spreadOf(await timesUs(Array.from({ length: INSERTS }), insert)).median)
    }
    const [on = 0, off = 0, onAgain = 0, offAgain = 0] = medians
    return Math.max(0, (on + onAgain - off - offAgain) / 2) / 1_000
  } finally {
    await client.end()
  }
}
