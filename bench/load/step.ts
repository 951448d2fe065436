import type { ChildProcess } from 'node:child_process'
import process from 'node:process'
import { Pool } from 'undici'
import { Histogram } from '../histogram.ts'
import { machineBusyMs } from '../suite/machine-use.ts'
import { vitalsOf } from '../suite/service-vitals.ts'
import { KINDS, type Kind, type Mix, type MixedRequest } from './mix.ts'
import { openLoop } from './open-loop.ts'
import { systemPacer } from './pacer.ts'
import type { Vitals } from './vitals.ts'

/** A service that is asked at one rate. */
export interface Step {
  readonly ratePerS: number
  /** Requests over the time from the start to the last answer. */
  readonly achievedPerS: number
  readonly requests: number
  /** Answered 503. */
  readonly refused: number
  /** Milliseconds from the intended start; refused ones are left out. */
  readonly all: Histogram
  readonly byKind: Readonly<Record<Kind, Histogram>>
  /** Of requests that were due in the same part of the step. */
  readonly slices: readonly Histogram[]
  /** How late the generator itself was: what it adds to every latency. */
  readonly late: Histogram
  readonly vitals: Vitals
  /** Cores that neither the service nor this process had, on average; null where that is not told. */
  readonly coresOfOthers: number | null
}

export interface StepOptions {
  readonly url: string
  readonly child: ChildProcess
  readonly mix: Mix
  readonly ratePerS: number
  readonly durationMs: number
  readonly slices: number
  /** Called for every answer: when the request was due, since 1970, and how long after that it came. */
  readonly onAnswer?: (dueMs: number, latencyMs: number) => void
}

const CONNECTIONS = 64
const HEADERS = { 'content-type': 'application/json' }

/** Rejects on any answer other than 200 and 503. */
export async function runStep(options: StepOptions): Promise<Step> {
  const { url, child, mix, ratePerS, durationMs } = options
  const pool = new Pool(url, { connections: CONNECTIONS })
  const all = new Histogram()
  const late = new Histogram()
  const byKind = Object.fromEntries(KINDS.map((kind) => [kind, new Histogram()])) as Record<Kind, Histogram>
  const slices = Array.from({ length: options.slices }, () => new Histogram())
  let refused = 0
  let failure: unknown = null
  await vitalsOf(child)
  const startMs = performance.timeOrigin + performance.now()
  const busyMs = machineBusyMs()
  const own = process.cpuUsage()
  try {
    const takenMs = await openLoop<Kind | null>({
      ratePerS,
      durationMs,
      pacer: systemPacer,
      onSend: (lateMs) => late.record(lateMs),
      async send() {
        const request = mix.next()
        try {
          if ((await sent(pool, mix, request)) === 200) return request.kind
          refused += 1
        } catch (error) {
          failure ??= error
        }
        return null
      },
      onAnswer(kind, intendedMs, latencyMs) {
        if (kind === null) return
        options.onAnswer?.(startMs + intendedMs, latencyMs)
        all.record(latencyMs)
        byKind[kind].record(latencyMs)
        slices[Math.floor((intendedMs / durationMs) * slices.length)]?.record(latencyMs)
      },
    })
    if (failure !== null) throw failure
    const requests = Math.floor((ratePerS * durationMs) / 1_000)
    const achievedPerS = ((requests - refused) * 1_000) / takenMs
    const vitals = await vitalsOf(child)
    const { user, system } = process.cpuUsage(own)
    const elapsedMs = performance.timeOrigin + performance.now() - startMs
    const othersMs = machineBusyMs() - busyMs - vitals.cpuMs - (user + system) / 1_000
    return {
      ratePerS,
      achievedPerS,
      requests,
      refused,
      all,
      byKind,
      slices,
      late,
      vitals,
      coresOfOthers: Number.isNaN(othersMs) ? null : Math.max(0, othersMs / elapsedMs),
    }
  } finally {
    await pool.close()
  }
}

async function sent(pool: Pool, mix: Mix, { kind, scope, body }: MixedRequest): Promise<number> {
  const isRead = kind === 'guide' && mix.wantsAnswer()
  const answer = await pool.request({
    method: 'POST',
    path: `/v1/${kind}`,
    headers: HEADERS,
    body: JSON.stringify(body),
  })
  const { statusCode } = answer
  if (statusCode !== 200 && statusCode !== 503) {
    throw new Error(`${kind} was answered ${statusCode}: ${(await answer.body.text()).slice(0, 300)}`)
  }
  if (isRead && statusCode === 200) mix.learn(scope, Object(await answer.body.json()))
  else await answer.body.dump()
  return statusCode
}
