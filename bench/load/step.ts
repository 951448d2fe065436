import process from 'node:process'
import { Pool } from 'undici'
import { Histogram } from '../histogram.ts'
import { machineBusyMs } from '../suite/machine.ts'
import { type Subject, type Vitals, vitalsOf } from '../suite/vitals.ts'
import type { Kind, Mix } from './mix.ts'
import { openLoop } from './open-loop.ts'
import { systemPacer } from './pacer.ts'

/** A service that is asked at one rate. */
export interface Step {
  /** Requests over the time from the start to the last answer. */
  readonly achievedPerS: number
  /** Answered 503. */
  readonly refused: number
  /** Milliseconds from the intended start; refused ones are left out. */
  readonly latency: Histogram
  /** How late the generator itself was: what it adds to every latency. */
  readonly late: Histogram
  readonly vitals: Vitals
  /** Cores that neither the service nor this process had, on average; null where that is not told. */
  readonly coresOfOthers: number | null
}

const CONNECTIONS = 64
const HEADERS = { 'content-type': 'application/json' }

/** Sends a mix at a constant rate. Rejects on any answer other than 200 and 503. */
export async function runStep(
  { url, child }: Subject,
  mix: Mix,
  ratePerS: number,
  durationMs: number,
): Promise<Step> {
  const pool = loadPool(url)
  const [latency, late] = [new Histogram(), new Histogram()]
  let refused = 0
  let failure: unknown = null
  await vitalsOf(child)
  const [startMs, busyMs, own] = [performance.now(), machineBusyMs(), process.cpuUsage()]
  try {
    const takenMs = await openLoop<boolean>({
      ratePerS,
      durationMs,
      pacer: systemPacer,
      onSend: (lateMs) => late.record(lateMs),
      async send() {
        try {
          if ((await sent(pool, mix)) === 200) return true
          refused += 1
        } catch (error) {
          failure ??= error
        }
        return false
      },
      onAnswer(isAnswered, latencyMs) {
        if (isAnswered) latency.record(latencyMs)
      },
    })
    if (failure !== null) throw failure
    const requests = Math.floor((ratePerS * durationMs) / 1_000)
    const vitals = await vitalsOf(child)
    const { user, system } = process.cpuUsage(own)
    const othersMs = machineBusyMs() - busyMs - vitals.cpuMs - (user + system) / 1_000
    const coresOfOthers = othersMs / (performance.now() - startMs)
    return {
      achievedPerS: ((requests - refused) * 1_000) / takenMs,
      refused,
      latency,
      late,
      vitals,
      coresOfOthers: Number.isNaN(coresOfOthers) ? null : Math.max(0, coresOfOthers),
    }
  } finally {
    await pool.close()
  }
}

async function sent(pool: Pool, mix: Mix): Promise<number> {
  const { kind, scope, body } = mix.next()
  const isRead = kind === 'guide' && mix.wantsAnswer()
  const answer = await post(pool, kind, body)
  const { statusCode } = answer
  if (statusCode !== 200 && statusCode !== 503) {
    throw new Error(`${kind} was answered ${statusCode}: ${(await answer.body.text()).slice(0, 300)}`)
  }
  if (isRead && statusCode === 200) mix.learn(scope, Object(await answer.body.json()))
  else await answer.body.dump()
  return statusCode
}

export function loadPool(url: string): Pool {
  return new Pool(url, { connections: CONNECTIONS })
}

export function post(pool: Pool, kind: Kind, body: object) {
  return pool.request({ method: 'POST', path: `/v1/${kind}`, headers: HEADERS, body: JSON.stringify(body) })
}

/** Fills the scopes of a mix. */
export async function seedMix(url: string, mix: Mix, memoriesPerScope: number): Promise<void> {
  const pool = loadPool(url)
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
  const pool = loadPool(url)
  const answers = new Map<Kind, string>()
  const startedAt = performance.now()
  const counted = startedAt + durationMs / 2
  let answered = 0
  const connection = async (): Promise<void> => {
    while (performance.now() - startedAt < durationMs || answers.size < mix.kinds.length) {
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
  const answer = await post(pool, kind, body)
  const text = await answer.body.text()
  if (answer.statusCode !== 200)
    throw new Error(`${kind} was answered ${answer.statusCode}: ${text.slice(0, 300)}`)
  return text
}
