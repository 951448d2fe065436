// How far does a fleet carry? Nodes, their machines and one database are simulated with constants that are measured here first, or
// stored ones where no database can be started. The same simulation of nodes on this one machine is held against real ones.
// BENCH_LOAD names a request log of a service, whose requests are replayed instead of drawn ones.
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { PostgresCluster } from '../test/harness/postgres.ts'
import { killProcesses } from '../test/harness/process.ts'
import { type CalibrationSize, calibrated, WARM_MS } from './fleet/calibration.ts'
import { type Constants, KINDS, meanOf, STORED } from './fleet/constants.ts'
import { drawnLoad, type Load, recordedLoad } from './fleet/load.ts'
import { RealFleet } from './fleet/real.ts'
import { paced, type Saturated, type Seen, type Storm, saturated, stormed } from './fleet/runs.ts'
import type { Fleet } from './fleet/simulation.ts'
import { agentMix } from './load/mix.ts'
import { isMain, spreadOf } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { printOutcome } from './suite/text.ts'

export interface FleetOptions extends CalibrationSize {
  readonly sizes: readonly number[]
  /** Sizes of fleets that are real too; none: nothing is measured. */
  readonly realSizes: readonly number[]
  readonly seeds: number
  readonly requestsPerNode: number
  readonly simulatedScopes: number
  readonly realMs: number
}

const FULL: FleetOptions = {
  sizes: [1, 2, 4, 8, 16, 32],
  realSizes: [1, 2, 4],
  seeds: 3,
  requestsPerNode: 4_000,
  simulatedScopes: 10_000,
  realMs: 10_000,
  scopes: 200,
  memories: 10,
  phaseMs: 3_000,
}
const QUICK: FleetOptions = {
  ...FULL,
  sizes: [1, 2, 4],
  realSizes: [],
  seeds: 1,
  requestsPerNode: 1_500,
  simulatedScopes: 1_000,
}
const PARTS = ['simulated', 'measured'] as const

/** What a fleet on paper has, beside what is measured. */
const NODE_CORES = 2
const DATABASE_CORES = 8
const WIRE_MS = 0.1
const LEASE_MS = 5_000
const CLIENTS_PER_NODE = 64
/** Shares of the most that a fleet answers, at which requests come in the search of its knee. */
const RATES = [0.5, 0.6, 0.7, 0.8, 0.9]
/** From here on waiting is most of an answer. */
const KNEE_P99 = 5
const DATABASE_FULL = 0.9
const REAL_CORES = availableParallelism()
const CORES_MIN = 0.2
const REAL_CLIENTS = 64
/** Of what was reached: where latencies are looked at. */
const REAL_RATE = 0.5
const DRAWS = 5
const WITHIN = { bound: 'most', value: 25 } as const

export async function run(options: FleetOptions, only: string | null): Promise<Outcome> {
  const notes: string[] = []
  const database = options.realSizes.length === 0 ? null : await started(notes)
  try {
    if (database === null) notes.push('Constants are assumed, not measured.')
    const before = database === null ? STORED : await calibrated(database, options)
    const isReal = only !== 'simulated' && database !== null
    const real = isReal ? await measuredAll(database, options, notes) : []
    // A machine that others share is not as fast later as it was before.
    const constants = isReal ? meanOf(before, await calibrated(database, options)) : before
    const figures = [...constantFigures(constants)]
    if (only !== 'measured') figures.push(...simulatedFigures(constants, options, notes))
    figures.push(...real.flatMap((each) => measuredFigures(each, constants, options)))
    return { settings: settingsOf(options), figures, notes }
  } finally {
    await killProcesses()
    await database?.remove()
  }
}

/** A database of this run; null: none can be started here. */
async function started(notes: string[]): Promise<PostgresCluster | null> {
  if (!existsSync('/proc/self/schedstat')) {
    notes.push('Nothing is measured: processor time of threads is told by Linux only.')
    return null
  }
  try {
    return await PostgresCluster.start()
  } catch (error) {
    notes.push(`Nothing is measured: no database could be started (${String(error)}).`)
    return null
  }
}

function settingsOf({ sizes, realSizes, ...numbers }: FleetOptions): Outcome['settings'] {
  return {
    ...numbers,
    sizes: sizes.join(' '),
    realSizes: realSizes.join(' '),
    nodeCores: NODE_CORES,
    databaseCores: DATABASE_CORES,
    wireMs: WIRE_MS,
    leaseMs: LEASE_MS,
  }
}

function constantFigures({ served, ...others }: Constants): readonly Figure[] {
  const one = (what: string, ms: number) => figureOf(`constant: ${what}`, 'ms', [ms], { isYardstick: true })
  return [
    ...KINDS.map((kind) => one(`${kind}, serving thread`, served[kind])),
    one('a request, other threads of its node', others.aside),
    one('a statement, serving thread', others.sent),
    one('waking the serving thread', others.wake),
    one('a hop, node that passes on', others.hopOut),
    one('a hop, owner', others.hopIn),
    one('a hop, waiting', others.hopWait),
    one('a commit, database', others.commit),
    one('a turn of it', others.turn),
    one('a flush', others.flush),
    one('a load of a scope, serving thread', others.load),
    one('a load of a scope, database', others.loadRead),
    one('a request, whoever asks', others.asked),
    figureOf('constant: a turn in the database, with its index', 'bytes', [others.turnBytes]),
  ]
}

interface Sized {
  readonly most: Saturated
  readonly knee: Seen
  readonly storm: Storm | null
}

function simulatedFigures(constants: Constants, options: FleetOptions, notes: string[]): readonly Figure[] {
  const file = process.env['BENCH_LOAD'] ?? ''
  const loads: readonly ((seed: number) => Load)[] =
    file === ''
      ? [
          (seed) => drawnLoad(seed, options.simulatedScopes, false),
          (seed) => drawnLoad(seed, options.simulatedScopes, true),
        ]
      : [() => recordedLoad(file)]
  const figures: Figure[] = []
  for (const loadOf of loads) {
    const name = loadOf(1).name
    const limits: string[] = []
    for (const nodes of options.sizes) {
      const rounds = Array.from({ length: options.seeds }, (_, seed) =>
        sizedOf({ ...onPaper(constants, nodes), seed: seed + 1 }, () => loadOf(seed + 1), options),
      )
      figures.push(...figuresOf(`${name}, ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`, rounds))
      limits.push(`${nodes}: ${limitOf(rounds[0]?.most)}`)
    }
    notes.push(
      `${name}: what is full at the most that is answered, by number of nodes: ${limits.join(', ')}.`,
    )
  }
  return figures
}

function onPaper(constants: Constants, nodes: number): Omit<Fleet, 'seed'> {
  const cores = { node: NODE_CORES, database: DATABASE_CORES }
  return { nodes, constants, cores, wireMs: WIRE_MS, leaseMs: LEASE_MS }
}

/** The most that the fleet answers, what it answers before queues grow, and what the death of a node does at half of that. */
function sizedOf(fleet: Fleet, loadOf: () => Load, { requestsPerNode }: FleetOptions): Sized {
  const requests = requestsPerNode * fleet.nodes
  const most = saturated(fleet, loadOf(), CLIENTS_PER_NODE * fleet.nodes, requests)
  const steps = RATES.map((share) => paced(fleet, loadOf(), most.perS * share, requests))
  const [calm] = steps
  if (calm === undefined) throw new Error('there is no rate')
  const knee = steps.findLast(({ p99Ms }) => p99Ms <= KNEE_P99 * calm.p50Ms) ?? calm
  return { most, knee, storm: fleet.nodes === 1 ? null : stormed(fleet, loadOf(), knee.perS / 2) }
}

function limitOf(most: Saturated | undefined): string {
  if (most === undefined) return 'nothing'
  if (most.databaseBusy >= DATABASE_FULL) return 'the database'
  return most.threadBusy >= DATABASE_FULL ? 'the busiest serving thread' : 'waiting'
}

function figuresOf(where: string, rounds: readonly Sized[]): readonly Figure[] {
  const of = (what: string, unit: string, value: (round: Sized) => number) =>
    figureOf(`${where}: ${what}`, unit, rounds.map(value))
  const storms = rounds.flatMap(({ storm }) => (storm === null ? [] : [storm]))
  const ofStorm = (what: string, unit: string, value: (storm: Storm) => number) =>
    storms.length === 0 ? [] : [figureOf(`${where}: ${what}`, unit, storms.map(value))]
  return [
    of('requests at the most', '1/s', ({ most }) => most.perS),
    of('requests at the knee', '1/s', ({ knee }) => knee.perS),
    of('p50 at the knee', 'ms', ({ knee }) => knee.p50Ms),
    of('p99 at the knee', 'ms', ({ knee }) => knee.p99Ms),
    of('busiest node over a fair part', '×', ({ most }) => most.imbalance),
    of('commits at the most', '1/s', ({ most }) => most.commitsPerS),
    of('cores of the database in use', 'share', ({ most }) => most.databaseBusy),
    ...ofStorm('a node dies: gap, p50', 'ms', ({ gapP50Ms }) => gapP50Ms),
    ...ofStorm('a node dies: gap, p99', 'ms', ({ gapP99Ms }) => gapP99Ms),
    ...ofStorm('a node dies: longest gap', 'ms', ({ gapMaxMs }) => gapMaxMs),
    ...ofStorm('a node dies: backlog behind its lease', 'ms', ({ backlogMs }) => backlogMs),
    ...ofStorm('a node dies: scopes loaded in a second', 'scopes', ({ loads }) => loads),
  ]
}

interface Measured {
  readonly nodes: number
  readonly most: Beside
  readonly half: Beside
}

async function measuredAll(
  database: PostgresCluster,
  options: FleetOptions,
  notes: string[],
): Promise<readonly Measured[]> {
  notes.push(
    'Nodes are compiled and warm before they are counted. Half load begins when a fleet has rested from full load; of both, real and simulated, the first fifth is not counted.',
  )
  const all: Measured[] = []
  for (const nodes of options.realSizes) all.push(await measured(database, nodes, options, notes))
  return all
}

/** Real nodes on this machine and simulated ones on two cores that everything shares, under the same load. */
function measuredFigures(
  { nodes, most, half }: Measured,
  constants: Constants,
  options: FleetOptions,
): readonly Figure[] {
  // What other programs of the machine had of its cores this fleet has not.
  const fleetBeside = (coresOfOthers: number, seed: number): Fleet => ({
    ...onPaper(constants, nodes),
    cores: { shared: Math.max(CORES_MIN, REAL_CORES - coresOfOthers) },
    wireMs: 0,
    seed,
  })
  const requests = options.requestsPerNode * 4
  // Which shards fall to a node is a draw, of real nodes too.
  const ofDraws = (draw: (seed: number) => Seen): Seen => {
    const seen = Array.from({ length: DRAWS }, (_, at) => draw(at + 1))
    const medianOf = (name: keyof Seen) => spreadOf(seen.map((each) => each[name])).median
    return { perS: medianOf('perS'), p50Ms: medianOf('p50Ms'), p99Ms: medianOf('p99Ms') }
  }
  const load = (seed: number) => drawnLoad(seed, options.scopes, false)
  const mostSimulated = ofDraws((seed) =>
    saturated(fleetBeside(most.coresOfOthers, seed), load(seed), REAL_CLIENTS, requests),
  )
  const halfSimulated = ofDraws((seed) =>
    paced(fleetBeside(half.coresOfOthers, seed), load(seed), half.perS, requests),
  )
  const where = `real, ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`
  const pair = (what: string, unit: string, real: number, simulated: number, isGoal: boolean) => [
    figureOf(`${where}: ${what}, measured`, unit, [real]),
    figureOf(`${where}: ${what}, simulated`, unit, [simulated]),
    figureOf(
      `${where}: ${what}, off by`,
      '%',
      [Math.abs(simulated / real - 1) * 100],
      isGoal ? { goal: WITHIN } : {},
    ),
  ]
  return [
    ...pair('requests at the most', '1/s', most.perS, mostSimulated.perS, true),
    ...pair('p50 at the most', 'ms', most.p50Ms, mostSimulated.p50Ms, true),
    ...pair('p50 at half of it', 'ms', half.p50Ms, halfSimulated.p50Ms, true),
    ...pair('p99 at half of it', 'ms', half.p99Ms, halfSimulated.p99Ms, false),
    figureOf(`${where}: cores that other programs had at the most`, 'cores', [most.coresOfOthers]),
  ]
}

type Beside = Seen & { readonly coresOfOthers: number }

async function measured(
  database: PostgresCluster,
  nodes: number,
  { scopes, memories, realMs }: FleetOptions,
  notes: string[],
): Promise<Measured> {
  const fleet = await RealFleet.start(database, nodes)
  try {
    const mix = agentMix(1, scopes)
    await fleet.fill(mix, memories)
    await fleet.saturate(() => mix.next(), REAL_CLIENTS, nodes * WARM_MS, mix)
    const most = await fleet.beside(() => fleet.saturate(() => mix.next(), REAL_CLIENTS, realMs, mix))
    if (!(await fleet.calm()))
      notes.push(`${nodes} real: it had not rested from full load when half of it began.`)
    const half = await fleet.beside(() => fleet.pace(() => mix.next(), most.perS * REAL_RATE, realMs))
    return { nodes, most, half }
  } finally {
    await fleet.stop()
  }
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({
    options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, only: { type: 'string' } },
  })
  const only = PARTS.find((part) => part === values.only) ?? null
  if (values.only !== undefined && only === null) throw new Error(`Parts are ${PARTS.join(', ')}.`)
  printOutcome('fleet', await run(values.quick === true ? QUICK : FULL, only))
}
