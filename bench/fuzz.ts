import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { systemClock } from '../src/adapters/system/clock.ts'
import { systemEntropy } from '../src/adapters/system/entropy.ts'
import { compose } from '../src/app/compose.ts'
import { readConfig } from '../src/app/config.ts'
import { startService } from '../src/app/serve.ts'
import { OPERATIONS } from '../src/contract/operations.ts'
import type { Log } from '../src/ports/log.ts'
import { damaged, mutated } from './fuzz/mutations.ts'
import { Random } from './fuzz/random.ts'
import { type Known, PATHS, validBody } from './fuzz/requests.ts'

// Random and mutated requests over every endpoint of a real server: nothing may be answered with 500, hang, or break
// what comes after. `node dist/bench/fuzz.js --requests 100000 --seed 1`

export interface FuzzReport {
  readonly requests: number
  readonly byStatus: Readonly<Record<string, number>>
  /** Each breaks a promise; empty when all is well. */
  readonly offences: readonly string[]
  readonly heapGrowthBytes: number
}

const IN_FLIGHT = 16
const OFFENCES_MAX = 20

/** Runs `requests` requests of one seed against a service of its own. */
export async function runFuzz(
  requests: number,
  seed: number,
  onProgress?: (done: number) => void,
): Promise<FuzzReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'memgov-fuzz-'))
  const errors: string[] = []
  const note = (fields: object, message: string) => void errors.push(`${message} ${JSON.stringify(fields)}`)
  const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: note }
  const { config } = readConfig({ dataDir, port: 0, durability: 'none', residentActorsMax: 2 }, {})
  const system = { clock: systemClock(), entropy: systemEntropy(), log }
  const parts = { compose, operations: Object.values(OPERATIONS), openapi: () => ({}) }
  const service = await startService(config, parts, system)
  const pool = new Pool(String(service.addresses[0]), { connections: IN_FLIGHT })
  const heapBytes = process.memoryUsage().heapUsed
  try {
    const report = await bombard(pool, requests, seed, onProgress)
    const heapGrowthBytes = process.memoryUsage().heapUsed - heapBytes
    const health = await pool.request({ method: 'GET', path: '/health' })
    const after = health.statusCode === 200 ? [] : [`health answers ${health.statusCode} afterwards`]
    await health.body.dump()
    return { requests, ...report, offences: [...report.offences, ...errors, ...after], heapGrowthBytes }
  } finally {
    await pool.close()
    await service.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function bombard(pool: Pool, requests: number, seed: number, onProgress?: (done: number) => void) {
  const known: Known = { memoryIds: [], guideTraceIds: [] }
  const byStatus: Record<string, number> = {}
  const offences: string[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let place = next++; place < requests && offences.length < OFFENCES_MAX; place = next++) {
      // Each request has a seed of its own, so that one offence can be repeated alone.
      const offence = await one(pool, new Random(seed * 1_000_003 + place), known, byStatus)
      if (offence !== null) offences.push(`seed ${seed} request ${place}: ${offence}`)
      if (place % 1000 === 0) onProgress?.(place)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
  return { byStatus, offences }
}

async function one(
  pool: Pool,
  random: Random,
  known: Known,
  byStatus: Record<string, number>,
): Promise<string | null> {
  const path = random.of(PATHS)
  let body: unknown = validBody(path, random, known)
  for (let times = random.below(4); times > 0; times--) body = mutated(body, random)
  const text = JSON.stringify(body)
  const sent = random.chance(0.05) ? damaged(text, random) : text
  const headers = { 'content-type': random.chance(0.02) ? 'text/plain' : 'application/json' }
  const answer = await pool.request({ method: 'POST', path, headers, body: sent, headersTimeout: 10_000 })
  const raw = await answer.body.text()
  byStatus[answer.statusCode] = (byStatus[answer.statusCode] ?? 0) + 1
  const reply = jsonOf(raw)
  if (reply === null) return `${path} answered ${answer.statusCode} with something that is not JSON`
  if (answer.statusCode === 200) return remember(reply, known)
  if (answer.statusCode >= 500 && answer.statusCode !== 503)
    return `${path} answered ${answer.statusCode}: ${sent.slice(0, 500)}`
  if (answer.statusCode === 503 && answer.headers['retry-after'] === undefined)
    return `${path} answered 503 without retry-after`
  const isBounded = typeof reply['error'] === 'string' && typeof reply['message'] === 'string'
  return isBounded ? null : `${path} answered ${answer.statusCode} without error and message`
}

function remember(reply: Record<string, unknown>, known: Known): string | null {
  const { memory_ids: memoryIds, guide_trace_id: guideTraceId } = reply
  if (Array.isArray(memoryIds)) keep(known.memoryIds, memoryIds.map(String))
  if (typeof guideTraceId === 'string') keep(known.guideTraceIds, [guideTraceId])
  return typeof reply['contract_version'] === 'string' ? null : 'an answer has no contract_version'
}

function keep(list: string[], ids: readonly string[]): void {
  list.push(...ids)
  if (list.length > 500) list.splice(0, list.length - 500)
}

function jsonOf(raw: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } })
  const requests = Number(values.requests ?? 100_000)
  const show = process.stderr.isTTY
  const report = await runFuzz(requests, Number(values.seed ?? 1), (done) => {
    if (show) process.stderr.write(`\r${done} of ${requests}`)
  })
  if (show) process.stderr.write('\r')
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  process.exitCode = report.offences.length === 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
