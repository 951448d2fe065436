import { join } from 'node:path'
import { Pool } from 'undici'
import { Histogram } from '../histogram.ts'
import { agentMix, KINDS, type Kind, type Mix } from '../load/mix.ts'
import { runStep, type Step } from '../load/step.ts'
import { openFlushProbe } from '../loop/flush.ts'
import { type Subject, startMeasured, startMeasuredEcho } from './subjects.ts'

export interface MixedOptions {
  readonly scopes: number
  readonly memoriesPerScope: number
  /** Of the closed loop, before the first round and, a quarter of it, before each other one. */
  readonly saturationMs: number
  readonly rounds: number
  readonly sliceMs: number
}

export interface MixedReport {
  /** Requests a second in a closed loop, just before each round: scopes grow, and a guide costs more in a larger one. */
  readonly saturationPerS: readonly number[]
  readonly ratePerS: readonly number[]
  /** Milliseconds from the intended start. */
  readonly service: Histogram
  readonly echo: Histogram
  /** How late the generator itself was. */
  readonly late: Histogram
  /** 99.9th percentile of the service over that of the echo, by round. */
  readonly ratios: readonly number[]
  /** Milliseconds of 4 KiB written and flushed on the same disk right after each round: no tail is shorter than its own. */
  readonly flush: Histogram
  /** Share of the offered rate that was answered in time, by round. */
  readonly kept: readonly number[]
  /** Share of the time in which the serving thread had work and no core, by round; empty where that is not told. */
  readonly withoutCore: readonly number[]
  /** Cores that neither the service nor the generator had, by round; empty where that is not told. */
  readonly coresOfOthers: readonly number[]
  readonly refused: number
}

export const LOAD_SHARE = 0.7
const SEED = 12
const CONNECTIONS = 64
const HEADERS = { 'content-type': 'application/json' }
const TAIL = 0.999
const FLUSHES_PER_ROUND = 200

/** The mix of the `load` question at a share of what the service can do; the echo gets the same rate in turn. */
export async function measureMixed(folder: string, options: MixedOptions): Promise<MixedReport> {
  const service = await startMeasured(folder)
  let echo: Subject | null = null
  try {
    const mix = agentMix(SEED, options.scopes)
    await seed(service.url, mix, options.memoriesPerScope)
    const first = await saturate(service.url, mix, options.saturationMs)
    echo = await startMeasuredEcho(first.answers)
    const parts = [
      { ...service, mix },
      { ...echo, mix: agentMix(SEED, options.scopes) },
    ]
    const step = async (durationMs: number, ratePerS: number): Promise<Step[]> => {
      const steps: Step[] = []
      for (const { url, child, mix: own } of parts)
        steps.push(await runStep({ url, child, mix: own, ratePerS, durationMs, slices: 1 }))
      return steps
    }
    await step(options.sliceMs, rateOf(first.perS))
    const [saturationPerS, rates]: [number[], number[]] = [[], []]
    const [served, echoed, late] = [new Histogram(), new Histogram(), new Histogram()]
    const [ratios, kept]: [number[], number[]] = [[], []]
    const [withoutCore, coresOfOthers]: [number[], number[]] = [[], []]
    const flush = new Histogram()
    let refused = 0
    for (let round = 0; round < options.rounds; round += 1) {
      const { perS } = await saturate(service.url, mix, options.saturationMs / 4)
      const ratePerS = rateOf(perS)
      const [ours, theirs] = await step(options.sliceMs, ratePerS)
      if (ours === undefined || theirs === undefined) continue
      saturationPerS.push(perS)
      rates.push(ratePerS)
      served.add(ours.all)
      echoed.add(theirs.all)
      late.add(ours.late)
      refused += ours.refused
      kept.push(ours.achievedPerS / ratePerS)
      if (ours.vitals.waitedForCore !== null) withoutCore.push(ours.vitals.waitedForCore)
      if (ours.coresOfOthers !== null) coresOfOthers.push(ours.coresOfOthers)
      ratios.push(ours.all.quantile(TAIL) / theirs.all.quantile(TAIL))
      flush.add(flushes(join(folder, 'flush')))
    }
    const latency = { service: served, echo: echoed, late, flush }
    return { saturationPerS, ratePerS: rates, ...latency, ratios, kept, withoutCore, coresOfOthers, refused }
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

export async function seed(url: string, mix: Mix, memoriesPerScope: number): Promise<void> {
  const pool = new Pool(url, { connections: CONNECTIONS })
  for (let written = 0; written < memoriesPerScope; written += 1) {
    await Promise.all(mix.scopes.map((scope) => textOf(pool, 'observe', mix.observe(scope))))
  }
  await pool.close()
}

/** A closed loop: what comes back a second, the second half of the time counted, and the last answer of each kind. */
export async function saturate(
  url: string,
  mix: Mix,
  durationMs: number,
): Promise<{ readonly perS: number; readonly answers: Readonly<Record<string, string>> }> {
  const pool = new Pool(url, { connections: CONNECTIONS })
  const answers = new Map<Kind, string>()
  const startedAt = performance.now()
  const counted = startedAt + durationMs / 2
  let answered = 0
  const connection = async (): Promise<void> => {
    while (performance.now() - startedAt < durationMs || answers.size < KINDS.length) {
      const { kind, scope, body } = mix.next()
      const text = await textOf(pool, kind, body)
      if (kind === 'guide') mix.learn(scope, Object(JSON.parse(text)))
      answers.set(kind, text)
      if (performance.now() > counted) answered += 1
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  const perS = (answered * 1_000) / (performance.now() - counted)
  await pool.close()
  return { perS, answers: Object.fromEntries([...answers].map(([kind, text]) => [`/v1/${kind}`, text])) }
}

async function textOf(pool: Pool, kind: Kind, body: object): Promise<string> {
  const answer = await pool.request({
    method: 'POST',
    path: `/v1/${kind}`,
    headers: HEADERS,
    body: JSON.stringify(body),
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 200)
    throw new Error(`${kind} was answered ${answer.statusCode}: ${text.slice(0, 300)}`)
  return text
}
