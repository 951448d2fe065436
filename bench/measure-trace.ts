// How long does one measurement keep the serving thread from everybody else? Scoring is done in a worker; what remains
// is validation, gathering the records and the way to the worker and back. Processor time of the serving thread
// where the system tells it, garbage included, and the time its event loop was busy, which other processes lengthen.
import process from 'node:process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isMain, threadCpuMs } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { requestsOf, SCOPE } from './seeded-scope.ts'
import { type Call, withEmbedded } from './suite/embedded.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

export interface TraceOptions {
  readonly memories: number
  readonly guides: number
  readonly rounds: number
}

/** Memories of a guide that is measured. */
const SHOWN = 200
/** Until the engine has compiled all that a measurement uses. */
const WARM_UP = 300
const FULL: TraceOptions = { memories: 10_000, guides: 1_000, rounds: 50 }
const QUICK: TraceOptions = { memories: 1_000, guides: 50, rounds: 10 }
const GOAL = { bound: 'most', value: 5 } as const

/** Measures traces of two guides in a scope of so many memories and guides. */
export function run(options: TraceOptions = FULL): Promise<Outcome> {
  return withFolder('measure', (dataDir) =>
    withEmbedded(dataDir, { durability: 'none' }, async (call) => {
      await seed(call, options)
      const figures = [
        ...(await measured(call, false, options.rounds)),
        ...(await measured(call, true, options.rounds)),
      ]
      return { settings: { ...options }, figures, notes: [] }
    }),
  )
}

async function seed(call: Call, { memories, guides }: TraceOptions): Promise<void> {
  const requests = requestsOf(1)
  for (let made = 0; made < memories; made += 1) await call('observe', requests.observe())
  for (let made = 0; made < guides; made += 1) {
    await call('guide', { ...requests.guide(), run_id: `run-${made}`, context_char_budget: 2000 })
  }
}

async function measured(call: Call, includePackets: boolean, rounds: number): Promise<Figure[]> {
  const asked = {
    ...requestsOf(2).guide(),
    limit: SHOWN,
    context_char_budget: 1_000_000,
    include_packets: includePackets,
    run_id: `measured-${includePackets}`,
  }
  const product_trace = { before_guide: await call('guide', asked), after_guide: await call('guide', asked) }
  const cpu: number[] = []
  const busy: number[] = []
  const answered: number[] = []
  for (let round = -WARM_UP; round < rounds; round += 1) {
    // Let what the last round left behind end first.
    await nextTurn()
    const startCpuMs = threadCpuMs()
    const [loop, startMs] = [performance.eventLoopUtilization(), performance.now()]
    await call('measure', { scope: SCOPE, product_trace })
    const endMs = performance.now()
    if (round < 0) continue
    busy.push(performance.eventLoopUtilization(loop).active)
    cpu.push(threadCpuMs() - startCpuMs)
    answered.push(endMs - startMs)
  }
  const trace = includePackets ? 'with packets' : 'without packets'
  return [
    // A system that does not tell the processor time of a thread has no such figure.
    ...(cpu.some(Number.isNaN) ? [] : [figureOf(`${trace}, processor time`, 'ms', cpu, { goal: GOAL })]),
    figureOf(`${trace}, thread busy`, 'ms', busy),
    figureOf(`${trace}, answer`, 'ms', answered),
  ]
}

if (isMain(import.meta.url)) {
  printOutcome('measure-trace', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
