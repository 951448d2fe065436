import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/adapters/system/clock.ts'
import { systemEntropy } from '../src/adapters/system/entropy.ts'
import { compose } from '../src/app/compose.ts'
import { readConfig } from '../src/app/config/config.ts'
import type { RequestedName } from '../src/contract/operations.ts'
import type { Log } from '../src/ports/log.ts'
import type { Runtime } from '../src/runtime/runtime.ts'
import { isMain, type Spread, spreadOf, spreadText, tableText, threadCpuMs } from './measure.ts'
import { requestsOf, SCOPE } from './seeded-scope.ts'

// How long does one measurement keep the serving thread from everybody else? Scoring is done in a worker; what remains
// is validation, gathering the records and the way to the worker and back. Processor time of the serving thread
// where the system tells it, garbage included, and the time its event loop was busy, which other processes lengthen.

/** Memories of a guide that is measured. */
const SHOWN = 200
/** Until the engine has compiled all that a measurement uses. */
const WARM_UP = 300
const FULL = { memories: '10000', guides: '1000', rounds: '50' }
const QUICK = { memories: '1000', guides: '50', rounds: '10' }

export interface TraceRow {
  readonly trace: string
  /** Size of the request as JSON. */
  readonly bodyBytes: number
  readonly shownMemories: number
  /** Processor time of the serving thread for one measurement; null where the system does not tell. */
  readonly cpuMs: Spread | null
  /** Time that its event loop was busy with one measurement. */
  readonly busyMs: Spread
  /** From call to answer. */
  readonly answerMs: Spread
}

export interface TraceReport {
  readonly memories: number
  readonly guides: number
  readonly rows: readonly TraceRow[]
}

/** Measures traces of two guides in a scope of `memories` memories and `guides` guides. */
export async function run(memories: number, guides: number, rounds: number): Promise<TraceReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'memgov-measure-'))
  const quiet = (): void => undefined
  const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
  const { config } = readConfig({ dataDir, durability: 'none' }, {})
  const composed = await compose(config, { clock: systemClock(), entropy: systemEntropy(), log })
  try {
    await seed(composed.runtime, memories, guides)
    const rows: TraceRow[] = []
    for (const includePackets of [false, true]) {
      rows.push(await measured(composed.runtime, includePackets, rounds))
    }
    return { memories, guides, rows }
  } finally {
    await composed.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function seed(runtime: Runtime, memories: number, guides: number): Promise<void> {
  const requests = requestsOf(1)
  for (let made = 0; made < memories; made += 1) await call(runtime, 'observe', requests.observe())
  for (let made = 0; made < guides; made += 1) {
    await call(runtime, 'guide', { ...requests.guide(), run_id: `run-${made}`, context_char_budget: 2000 })
  }
}

async function measured(runtime: Runtime, includePackets: boolean, rounds: number): Promise<TraceRow> {
  const asked = {
    ...requestsOf(2).guide(),
    limit: SHOWN,
    context_char_budget: 1_000_000,
    include_packets: includePackets,
    run_id: `measured-${includePackets}`,
  }
  const before_guide = await call(runtime, 'guide', asked)
  const after_guide = await call(runtime, 'guide', asked)
  const shown = Reflect.get(Object(Reflect.get(after_guide, 'agent_context')), 'memory_ids')
  const body = { scope: SCOPE, product_trace: { before_guide, after_guide } }
  const cpu: number[] = []
  const busy: number[] = []
  const answered: number[] = []
  for (let round = -WARM_UP; round < rounds; round += 1) {
    // Let what the last round left behind end first.
    await new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
    const startCpuMs = threadCpuMs()
    const [loop, startMs] = [performance.eventLoopUtilization(), performance.now()]
    await call(runtime, 'measure', body)
    const endMs = performance.now()
    if (round < 0) continue
    busy.push(performance.eventLoopUtilization(loop).active)
    cpu.push(threadCpuMs() - startCpuMs)
    answered.push(endMs - startMs)
  }
  return {
    trace: includePackets ? 'with packets' : 'without packets',
    bodyBytes: Buffer.byteLength(JSON.stringify(body)),
    shownMemories: Array.isArray(shown) ? shown.length : 0,
    cpuMs: cpu.every(Number.isNaN) ? null : spreadOf(cpu),
    busyMs: spreadOf(busy),
    answerMs: spreadOf(answered),
  }
}

async function call(runtime: Runtime, operation: RequestedName, body: object): Promise<object> {
  return runtime.execute(operation, body, { requestId: 'bench', operationId: null })
}

function reportText({ memories, guides, rows }: TraceReport): string {
  const table = tableText([
    ['trace', 'body kB', 'shown', 'cpu ms', 'busy ms', 'answer ms'],
    ...rows.map((row) => [
      row.trace,
      (row.bodyBytes / 1000).toFixed(0),
      String(row.shownMemories),
      row.cpuMs === null ? 'unknown' : spreadText(row.cpuMs, 2),
      spreadText(row.busyMs, 2),
      spreadText(row.answerMs, 2),
    ]),
  ])
  return `${memories} memories, ${guides} guides: median [least..greatest] of one measurement\n\n${table}\n`
}

if (isMain(import.meta.url)) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = { memories: text, guides: text, rounds: text, quick: flag, json: flag }
  const { values } = parseArgs({ options })
  const { memories, guides, rounds } = { ...(values.quick === true ? QUICK : FULL), ...values }
  const report = await run(Number(memories), Number(guides), Number(rounds))
  process.stdout.write(values.json === true ? `${JSON.stringify(report)}\n` : reportText(report))
}
