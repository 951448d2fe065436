import { join } from 'node:path'
import { Histogram } from '../histogram.ts'
import { agentMix } from '../load/mix.ts'
import { runStep, type Step, saturate, seedMix } from '../load/step.ts'
import { openFlushProbe } from '../loop/flush.ts'
import { type Figure, figureOf, type Outcome } from '../result.ts'
import { startService } from '../service-process.ts'
import { type Subject, startEcho, WITH_VITALS } from '../suite/vitals.ts'

export interface MixedOptions {
  readonly scopes: number
  readonly memoriesPerScope: number
  /** Of the closed loop, before the first round and, a quarter of it, before each other one. */
  readonly saturationMs: number
  readonly rounds: number
  readonly sliceMs: number
}

interface Round {
  /** Requests a second in a closed loop just before: scopes grow, and a guide costs more in a larger one. */
  readonly saturationPerS: number
  readonly ratePerS: number
  readonly service: Step
  readonly echo: Step
  /** Milliseconds of 4 KiB written and flushed on the same disk right after: no tail is shorter than its own. */
  readonly flush: Histogram
}

const LOAD_SHARE = 0.7
const SEED = 12
const TAIL = 0.999
const TAIL_GOAL = { bound: 'most', value: 20 } as const
const FLUSHES_PER_ROUND = 200

/** The load of agents' hosts at a share of what the service can do; the echo gets the same rate in turn. */
export async function measureMixed(
  folder: string,
  options: MixedOptions,
): Promise<Pick<Outcome, 'figures' | 'notes'>> {
  const service = await startService({ dataDir: folder, ...WITH_VITALS })
  let echo: Subject | null = null
  try {
    const [mix, echoMix] = [agentMix(SEED, options.scopes), agentMix(SEED, options.scopes)]
    await seedMix(service.url, mix, options.memoriesPerScope)
    const first = await saturate(service.url, mix, options.saturationMs)
    echo = await startEcho(first.answers)
    await runStep(service, mix, rateOf(first.perS), options.sliceMs)
    await runStep(echo, echoMix, rateOf(first.perS), options.sliceMs)
    const rounds: Round[] = []
    for (let round = 0; round < options.rounds; round += 1) {
      const { perS } = await saturate(service.url, mix, options.saturationMs / 4)
      const ratePerS = rateOf(perS)
      rounds.push({
        saturationPerS: perS,
        ratePerS,
        service: await runStep(service, mix, ratePerS, options.sliceMs),
        echo: await runStep(echo, echoMix, ratePerS, options.sliceMs),
        flush: flushes(join(folder, 'flush')),
      })
    }
    return { figures: figuresOf(rounds), notes: notesOf(rounds) }
  } finally {
    await echo?.stop()
    await service.stop()
  }
}

function flushes(path: string): Histogram {
  const probe = openFlushProbe(path)
  const histogram = new Histogram()
  for (let flushed = 0; flushed < FLUSHES_PER_ROUND; flushed += 1) {
    const startedAt = performance.now()
    probe.flush()
    histogram.record(performance.now() - startedAt)
  }
  probe.close()
  return histogram
}

function rateOf(saturationPerS: number): number {
  return Math.max(1, Math.round(saturationPerS * LOAD_SHARE))
}

/** Above this other processes have taken part in the tail. */
const CORES_OF_OTHERS_MAX = 0.1
const KEPT_MIN = 0.95

function crowdedRounds(rounds: readonly Round[]): number {
  return rounds.filter(({ service }) => (service.coresOfOthers ?? 0) > CORES_OF_OTHERS_MAX).length
}

/** Both tails of a crowded machine are made of the same waits, whatever the service does: their ratio says nothing. */
function isTelling(rounds: readonly Round[]): boolean {
  return crowdedRounds(rounds) * 2 <= rounds.length
}

function keptOf({ service, ratePerS }: Round): number {
  return service.achievedPerS / ratePerS
}

function notesOf(rounds: readonly Round[]): string[] {
  const refused = rounds.reduce((sum, { service }) => sum + service.refused, 0)
  const crowded = crowdedRounds(rounds)
  const late = rounds.filter((round) => keptOf(round) < KEPT_MIN).length
  const judged = isTelling(rounds) ? '' : ' The goal is not judged.'
  return [
    ...(refused === 0 ? [] : [`${refused} requests of the mixed load were refused.`]),
    ...(crowded === 0
      ? []
      : [
          `In ${crowded} of ${rounds.length} rounds of the mixed load other processes had more than ${CORES_OF_OTHERS_MAX} cores: what they took is in both tails.${judged}`,
        ]),
    ...(late === 0
      ? []
      : [
          `In ${late} of ${rounds.length} rounds the rate was not kept: ${LOAD_SHARE * 100} % was more than all of it.`,
        ]),
  ]
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const share = `${LOAD_SHARE * 100} % of saturation`
  const latency = (what: string, of: (round: Round) => Histogram, at = `, p99.9 at ${share}`) => {
    const whole = new Histogram()
    for (const round of rounds) whole.add(of(round))
    return figureOf(`${what}${at}`, 'ms', [whole.quantile(TAIL)], { percentiles: whole.percentiles() })
  }
  const tailOf = ({ latency: histogram }: Step) => histogram.quantile(TAIL)
  return [
    figureOf(
      'saturation of the mixed load',
      'requests/s',
      rounds.map(({ saturationPerS }) => saturationPerS),
    ),
    figureOf(
      `mixed load at ${share}`,
      'requests/s',
      rounds.map(({ ratePerS }) => ratePerS),
    ),
    latency('mixed load', ({ service }) => service.latency),
    latency('echo under that load', ({ echo }) => echo.latency),
    latency('generator late', ({ service }) => service.late),
    latency('flush of 4 KiB, p99.9 after the mixed load', ({ flush }) => flush, ''),
    figureOf('answered in time of the mixed load', 'share', rounds.map(keptOf)),
    ...toldOnly('waiting for a processor core, mixed load', 'share', rounds, (step) => {
      return step.vitals.waitedForCore
    }),
    ...toldOnly('cores that other processes had, mixed load', 'cores', rounds, (step) => step.coresOfOthers),
    figureOf(
      'slowest of 1000 requests (p99.9), times the echo',
      '×',
      rounds.map(({ service, echo }) => tailOf(service) / tailOf(echo)),
      { goal: isTelling(rounds) ? TAIL_GOAL : undefined },
    ),
  ]
}

/** What only Linux tells. */
function toldOnly(
  name: string,
  unit: string,
  rounds: readonly Round[],
  of: (step: Step) => number | null,
): Figure[] {
  const told = rounds.map(({ service }) => of(service)).filter((value) => value !== null)
  return told.length === 0 ? [] : [figureOf(name, unit, told)]
}
