import process from 'node:process'
import { parseArgs } from 'node:util'
import { isJson, type Json } from '../test/corpus/known.ts'
import { Random } from '../test/corpus/random.ts'
import { reachableBytes } from './fuzz/heap.ts'
import { type FuzzRequest, firstTimes, PHASES, type Phase } from './fuzz/phases.ts'
import { type FuzzTarget, IN_FLIGHT, startTarget } from './fuzz/target.ts'
import { isMain, tableText } from './measure.ts'

// Random and mutated requests over every endpoint of a real server: nothing may be answered with 500, hang, or break
// what comes after. Then requests that store nothing, in which the heap must not grow.
// `node dist/bench/fuzz.js --requests 100000 --seed 1`

export interface PhaseReport {
  readonly phase: string
  readonly requests: number
  readonly byStatus: Readonly<Record<string, number>>
  /** Reachable bytes after full collections; growth is the difference to the phase before. */
  readonly heapBytes: number
  readonly growthBytes: number
  /** Null: the phase stores. */
  readonly growthBytesMax: number | null
}

export interface FuzzReport {
  readonly requests: number
  readonly byStatus: Readonly<Record<string, number>>
  readonly phases: readonly PhaseReport[]
  /** Each breaks a promise; empty when all is well. */
  readonly offences: readonly string[]
}

/**
 * What a phase that stores nothing may add to the heap, however many requests it has. Compiled code, pooled buffers and
 * the last few answers are in it; a leak of 100 bytes a request is not, from 30 000 requests on.
 */
export const FLAT_GROWTH_BYTES_MAX = 3 * 1024 * 1024
/** Share of the requests that store; the others are parted among the phases that do not. */
const STORING_SHARE = 0.4
/** Share of a phase that warms caches and compiled code before its heap is measured. */
const WARMING_SHARE = 0.3
const OFFENCES_MAX = 20
/** A request without an answer after this time counts as hanging. */
const ANSWER_MS = 20_000

/** Runs `requests` requests of one seed against a service of its own. */
export async function runFuzz(
  requests: number,
  seed: number,
  onProgress?: (done: number) => void,
): Promise<FuzzReport> {
  const target = await startTarget()
  const run = new Run(target, seed, onProgress)
  try {
    const phases: PhaseReport[] = []
    const flat = Math.floor((requests * (1 - STORING_SHARE)) / PHASES.filter(({ stores }) => !stores).length)
    const storing = requests - flat * PHASES.filter(({ stores }) => !stores).length
    for (const phase of PHASES) phases.push(await run.phase(phase, phase.stores ? storing : flat))
    const health = await target.pool.request({ method: 'GET', path: '/health' })
    if (health.statusCode !== 200) run.offences.push(`health answers ${health.statusCode} afterwards`)
    await health.body.dump()
    const byStatus: Record<string, number> = {}
    for (const phase of phases)
      for (const [status, count] of Object.entries(phase.byStatus))
        byStatus[status] = (byStatus[status] ?? 0) + count
    return { requests, byStatus, phases, offences: [...run.offences, ...target.errors] }
  } finally {
    await target.close()
  }
}

class Run {
  readonly offences: string[] = []
  readonly #target: FuzzTarget
  readonly #seed: number
  readonly #onProgress: ((done: number) => void) | undefined
  #next = 0

  constructor(target: FuzzTarget, seed: number, onProgress: ((done: number) => void) | undefined) {
    this.#target = target
    this.#seed = seed
    this.#onProgress = onProgress
  }

  async phase(phase: Phase, requests: number): Promise<PhaseReport> {
    const byStatus: Record<string, number> = {}
    if (!phase.stores) {
      // What follows repeats these; carried out here, they are no growth of it.
      for (const request of firstTimes()) await this.#send(request)
    }
    const warming = phase.stores ? 0 : Math.floor(requests * WARMING_SHARE)
    await this.#many(phase, warming, byStatus)
    const [before, turnsBefore] = [await this.#heap(), await this.#target.turns()]
    await this.#many(phase, requests - warming, byStatus)
    const [heapBytes, turns] = [await this.#heap(), await this.#target.turns()]
    const growthBytes = heapBytes - before
    if (!phase.stores && turns !== turnsBefore)
      this.offences.push(`${phase.name}: ${turns - turnsBefore} turns were stored`)
    if (!phase.stores && growthBytes > FLAT_GROWTH_BYTES_MAX)
      this.offences.push(`${phase.name}: the heap grew by ${growthBytes} bytes`)
    return {
      phase: phase.name,
      requests,
      byStatus,
      heapBytes,
      growthBytes,
      growthBytesMax: phase.stores ? null : FLAT_GROWTH_BYTES_MAX,
    }
  }

  async #heap(): Promise<number> {
    await this.#target.settled()
    return reachableBytes()
  }

  async #many(phase: Phase, requests: number, byStatus: Record<string, number>): Promise<void> {
    const end = this.#next + requests
    const worker = async (): Promise<void> => {
      for (; this.#next < end && this.offences.length < OFFENCES_MAX; ) {
        const place = this.#next++
        // Each request has a seed of its own, so that one offence can be repeated alone.
        const request = phase.request(new Random(this.#seed * 1_000_003 + place))
        const { status, offence } = await this.#send(request)
        byStatus[status] = (byStatus[status] ?? 0) + 1
        const isExpected = phase.expected === null || phase.expected(status)
        const wrong = offence ?? (isExpected ? null : `${request.path} answered ${status}`)
        if (wrong !== null)
          this.offences.push(
            `${phase.name}, seed ${this.#seed} request ${place}: ${wrong}: ${request.body?.slice(0, 500)}`,
          )
        if (place % 1000 === 0) this.#onProgress?.(place)
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
    this.#next = end
  }

  async #send({ method, path, contentType, body, asked }: FuzzRequest): Promise<Answered> {
    const headers = contentType === '' ? {} : { 'content-type': contentType }
    try {
      const options = { method, path, headers, body, headersTimeout: ANSWER_MS }
      const answer = await this.#target.pool.request(options)
      const reply = jsonOf(await answer.body.text())
      const status = answer.statusCode
      if (status === 200 && reply !== null) asked?.known.learn(asked.request, reply)
      const hasRetryAfter = answer.headers['retry-after'] !== undefined
      return { status, offence: offenceOf(path, status, hasRetryAfter, reply) }
    } catch (error) {
      return { status: 0, offence: `${path} was not answered: ${String(error)}` }
    }
  }
}

interface Answered {
  /** 0: none came. */
  readonly status: number
  readonly offence: string | null
}

function offenceOf(path: string, status: number, hasRetryAfter: boolean, reply: Json | null): string | null {
  if (reply === null) return `${path} answered ${status} with something that is not JSON`
  if (status === 200) {
    const isNamed = !path.startsWith('/v1') || typeof reply['contract_version'] === 'string'
    return isNamed ? null : 'an answer has no contract_version'
  }
  if (status >= 500 && status !== 503) return `${path} answered ${status}`
  if (status === 503 && !hasRetryAfter) return `${path} answered 503 without retry-after`
  const isBounded = typeof reply['error'] === 'string' && typeof reply['message'] === 'string'
  return isBounded ? null : `${path} answered ${status} without error and message`
}

function jsonOf(raw: string): Json | null {
  try {
    const value: unknown = JSON.parse(raw)
    return isJson(value) ? value : null
  } catch {
    return null
  }
}

/** A line a phase: what it sent, what came back, and what stayed in memory. */
export function tableOf({ phases }: Pick<FuzzReport, 'phases'>): string {
  const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(2)
  const rows = phases.map((report) => [
    report.phase,
    String(report.requests),
    Object.entries(report.byStatus)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', '),
    mib(report.heapBytes),
    mib(report.growthBytes),
    report.growthBytesMax === null ? 'stores' : mib(report.growthBytesMax),
  ])
  return tableText([['phase', 'requests', 'answers', 'heap MiB', 'growth MiB', 'bound MiB'], ...rows])
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } })
  const requests = Number(values.requests ?? 100_000)
  const show = process.stderr.isTTY
  const report = await runFuzz(requests, Number(values.seed ?? 1), (done) => {
    if (show) process.stderr.write(`\r${done} of ${requests}`)
  })
  if (show) process.stderr.write('\r')
  process.stdout.write(`${tableOf(report)}\n`)
  for (const offence of report.offences) process.stdout.write(`offence: ${offence}\n`)
  process.exitCode = report.offences.length === 0 ? 0 : 1
}

if (isMain(import.meta.url)) await main()
