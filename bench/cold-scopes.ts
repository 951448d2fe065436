// How long does a guide take on a scope that is not in memory, on a node of many scopes of which a tenth is? Each guide
// is durable, and each load has another scope leave memory.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Asked, ScopesTask } from './cold-scopes/scopes.ts'
import { isMain, tableText } from './measure.ts'

export interface ColdOptions {
  readonly scopes: number
  readonly memories: number
  readonly resident: number
  /** Cold scopes that are asked. */
  readonly guides: number
}

export interface ColdReport extends ColdOptions {
  readonly bench: 'cold-scopes'
  readonly node: string
  /** Milliseconds. */
  readonly cold: Latency
  /** Processor time of the same guides, all threads. */
  readonly coldCpu: Latency
  /** The same scope asked again. */
  readonly warm: Latency
  readonly residentBytes: number
}

interface Latency {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export const FULL: ColdOptions = { scopes: 100_000, memories: 10, resident: 10_000, guides: 5_000 }
const QUICK: ColdOptions = { scopes: 4_000, memories: 10, resident: 400, guides: 1_000 }
export const COLD_P99_GOAL_MS = 25
/** Scopes that one process fills: it keeps all of them in memory. */
const FILLED_AT_ONCE = 10_000
const SCOPES = fileURLToPath(new URL('./cold-scopes/scopes.js', import.meta.url))

export async function run(options: ColdOptions = FULL): Promise<ColdReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'memgov-cold-'))
  const { scopes } = options
  try {
    for (let from = 0; from < scopes; from += FILLED_AT_ONCE) {
      const to = Math.min(scopes, from + FILLED_AT_ONCE)
      await apart({ task: 'fill', dataDir, from, to, ...options, resident: FILLED_AT_ONCE })
    }
    const { cold, coldCpu, warm, residentBytes } = await apart<Asked>({
      task: 'ask',
      dataDir,
      from: 0,
      to: scopes,
      ...options,
    })
    return {
      bench: 'cold-scopes',
      node: process.version,
      ...options,
      cold: latencyOf(cold),
      coldCpu: latencyOf(coldCpu),
      warm: latencyOf(warm),
      residentBytes,
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function apart<Answer>(task: ScopesTask): Promise<Answer> {
  const child = fork(SCOPES)
  const gone = once(child, 'exit')
  child.send(task)
  const failed = gone.then(([code]) => Promise.reject(new Error(`${task.task} ended with ${code}`)))
  const [answer] = await Promise.race([once(child, 'message'), failed])
  await gone
  return answer
}

function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

function textOf(report: ColdReport): string {
  const { scopes, memories, resident, cold, warm, residentBytes } = report
  const row = (name: string, { p50, p99, max }: Latency, verdict: string) => [
    name,
    ...[p50, p99, max].map((ms) => ms.toFixed(1)),
    verdict,
  ]
  const verdict = cold.p99 <= COLD_P99_GOAL_MS ? 'met' : 'missed'
  return [
    `cold-scopes: ${scopes} scopes of ${memories} memories, ${resident} in memory, ${report.guides} asked, Node ${report.node}`,
    tableText([
      ['guide, durable, ms', 'p50', 'p99', 'most', `p99 within ${COLD_P99_GOAL_MS}`],
      row('scope on disk', cold, verdict),
      row('  processor time of it', report.coldCpu, ''),
      row('the same again', warm, ''),
    ]),
    `resident set: ${Math.round(residentBytes / 1024 ** 2)} MiB`,
  ].join('\n')
}

if (isMain(import.meta.url)) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, scopes: text, resident: text },
  })
  const base = values.quick === true ? QUICK : FULL
  const scopes = Number(values.scopes ?? base.scopes)
  const report = await run({ ...base, scopes, resident: Number(values.resident ?? Math.ceil(scopes / 10)) })
  console.log(values.json === true ? JSON.stringify(report) : textOf(report))
}
