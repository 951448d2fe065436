import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quantile, type Spread, spreadOf } from '../measure.ts'
import { type EngineProcess, startEngine } from './engine-client.ts'
import { EngineMissing } from './engines/engine.ts'
import { ENGINE_NAMES, type EngineName } from './engines/kinds.ts'
import type { Measured, Order } from './engines/orders.ts'

export interface PeersOptions {
  readonly sizes: readonly number[]
  readonly rounds: number
  readonly questionsPerRound: number
  readonly reloads: number
}

/** Microseconds. Processor time by round, latencies over all operations of all rounds. */
export interface QueryFigures {
  readonly cpuUs: Spread
  readonly p50Us: number
  readonly p99Us: number
  /** Processor time of memgov in the same round over that of this engine. */
  readonly ratio: Spread
}

export interface Latency {
  readonly p50Us: number
  readonly p99Us: number
  readonly count: number
}

/** What an engine did at the largest size, queries apart. */
export interface UpkeepFigures {
  readonly insert: Latency
  readonly remove: Latency
  readonly bytesPerMemory: number
  /** From a file to the first answer, in a process that did nothing else yet. */
  readonly reloadMs: Spread
  /** From bytes that are read and checked to the first answer, in a process that was warmed. */
  readonly warmFirstAnswerMs: Spread
}

export type ByEngine<Figures> = Readonly<Partial<Record<EngineName, Figures>>>

export interface PeersReport {
  readonly sizes: readonly { readonly memories: number; readonly engines: ByEngine<QueryFigures> }[]
  readonly upkeep: ByEngine<UpkeepFigures>
  /** Why an engine is not in the report. */
  readonly missing: ByEngine<string>
}

export const FULL: PeersOptions = {
  sizes: [1_000, 10_000, 100_000],
  rounds: 5,
  questionsPerRound: 25,
  reloads: 3,
}
export const QUICK: PeersOptions = { ...FULL, sizes: [1_000, 10_000], rounds: 3, reloads: 1 }

const INSERTS_PER_ROUND = 400
/** Of so many the fiftieth is the p99: the batches in which memgov counts removals, one in 256, are twenty. */
const REMOVALS = 5_000
/** Before them, as a round before the questions. */
const WARM_REMOVALS = 1_000
const REMOVALS_MS_MAX = 3_000
/** A fast engine asks its questions again until its round is long enough to be measured. */
const ROUND_MS_MIN = 200
/** A slow one stops here. */
const ROUND_MS_MAX = 6_000
const WARM_MS = 1_000

type Processes = ReadonlyMap<EngineName, EngineProcess>

/** Each engine in a process of its own, all on the same texts and questions, in turn round by round. */
export async function comparePeers(
  names: readonly EngineName[],
  options: PeersOptions,
): Promise<PeersReport> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-peers-'))
  const started = new Map(names.map((name) => [name, startEngine()]))
  try {
    const { running, missing } = await opened(started, options)
    const sizes: PeersReport['sizes'][number][] = []
    for (const memories of options.sizes) {
      for (const engine of running.values()) await engine.order({ do: 'grow', memories })
      sizes.push({ memories, engines: await askedInRounds(running, options) })
    }
    const upkeep = await upkeepOf(running, options, folder)
    return { sizes, upkeep, missing }
  } finally {
    for (const engine of started.values()) await engine.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function opened(started: Processes, options: PeersOptions) {
  const largest = Math.max(...options.sizes)
  const order = {
    do: 'open',
    memories: largest + options.rounds * INSERTS_PER_ROUND,
    questions: (options.rounds + 1) * options.questionsPerRound,
  } as const
  const running = new Map<EngineName, EngineProcess>()
  const missing: Partial<Record<EngineName, string>> = {}
  for (const [name, engine] of started) {
    try {
      await engine.order({ ...order, engine: name })
      running.set(name, engine)
    } catch (error) {
      if (!(error instanceof EngineMissing)) throw error
      missing[name] = error.message
    }
  }
  return { running, missing }
}

async function askedInRounds(running: Processes, options: PeersOptions): Promise<ByEngine<QueryFigures>> {
  const { questionsPerRound: questions } = options
  const order = { do: 'ask', from: 0, questions, atLeastMs: ROUND_MS_MIN, atMostMs: ROUND_MS_MAX } as const
  await inTurn(running, 1, () => ({ ...order, atLeastMs: WARM_MS, atMostMs: WARM_MS }))
  const rounds = await inTurn(running, options.rounds, (round) => ({
    ...order,
    from: (round + 1) * questions,
  }))
  const ours = rounds.get('memgov') ?? []
  return byEngine(rounds, (own) => ({
    cpuUs: spreadOf(own.map(cpuUsOf)),
    ...latencyOf(own),
    ratio: spreadOf(own.map((each, round) => cpuUsOf(ours[round]) / cpuUsOf(each))),
  }))
}

async function upkeepOf(
  running: Processes,
  options: PeersOptions,
  folder: string,
): Promise<ByEngine<UpkeepFigures>> {
  const memories = Math.max(...options.sizes)
  const weighed = await inTurn(running, 1, () => ({ do: 'weigh' }))
  const inserts = await inTurn(running, options.rounds, () => ({ do: 'insert', memories: INSERTS_PER_ROUND }))
  const reloads = new Map<EngineName, readonly Measured[]>()
  const warmReloads = new Map<EngineName, readonly Measured[]>()
  for (const [name, engine] of running) {
    const own = join(folder, name)
    await mkdir(own)
    await engine.order({ do: 'save', folder: own })
    reloads.set(name, await reloaded(name, own, options, false))
    warmReloads.set(name, await reloaded(name, own, options, true))
  }
  const removal = { do: 'remove', atMostMs: REMOVALS_MS_MAX } as const
  await inTurn(running, 1, () => ({ ...removal, from: 0, memories: WARM_REMOVALS }))
  const removals = await inTurn(running, 1, () => ({ ...removal, from: WARM_REMOVALS, memories: REMOVALS }))
  return byEngine(inserts, (own, name) => ({
    insert: latencyOf(own),
    remove: latencyOf(removals.get(name) ?? []),
    bytesPerMemory: (weighed.get(name)?.[0]?.bytes ?? 0) / memories,
    reloadMs: spreadOf(
      (reloads.get(name) ?? []).map(({ timesUs: [read = 0, first = 0] }) => (read + first) / 1_000),
    ),
    warmFirstAnswerMs: spreadOf(
      (warmReloads.get(name) ?? []).map(({ timesUs: [, first = 0] }) => first / 1_000),
    ),
  }))
}

/** Each in a new process. */
async function reloaded(
  name: EngineName,
  folder: string,
  options: PeersOptions,
  isWarm: boolean,
): Promise<Measured[]> {
  const measured: Measured[] = []
  for (let at = 0; at < options.reloads; at += 1) {
    const engine = startEngine()
    try {
      measured.push(await engine.order({ do: 'reload', engine: name, folder, isWarm }))
    } finally {
      await engine.stop()
    }
  }
  return measured
}

/** One engine after the other, round by round, so that a noisy moment hits all. */
async function inTurn(
  running: Processes,
  rounds: number,
  order: (round: number) => Order,
): Promise<ReadonlyMap<EngineName, readonly Measured[]>> {
  const measured = new Map([...running.keys()].map((name) => [name, Array<Measured>()]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, engine] of running) measured.get(name)?.push(await engine.order(order(round)))
  }
  return measured
}

function byEngine<Figures>(
  measured: ReadonlyMap<EngineName, readonly Measured[]>,
  figures: (own: readonly Measured[], name: EngineName) => Figures,
): ByEngine<Figures> {
  const found: Partial<Record<EngineName, Figures>> = {}
  for (const name of ENGINE_NAMES) {
    const own = measured.get(name)
    if (own !== undefined) found[name] = figures(own, name)
  }
  return found
}

function cpuUsOf(measured: Measured | undefined): number {
  return measured === undefined ? Number.NaN : (measured.cpuMs * 1_000) / measured.timesUs.length
}

function latencyOf(rounds: readonly Measured[]): Latency {
  const times = rounds.flatMap(({ timesUs }) => timesUs)
  return { p50Us: quantile(times, 0.5), p99Us: quantile(times, 0.99), count: times.length }
}
