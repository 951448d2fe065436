// What does an operation cost in processor time and in the journal, and how does that grow with the scope? Embedded,
// answered before the flush, so that what is left is the processor's work; a line is fitted through the sizes.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { openJournal } from '../src/adapters/journal/file-journal.ts'
import { systemClock } from '../src/adapters/system/clock.ts'
import { systemEntropy } from '../src/adapters/system/entropy.ts'
import { pinoLog } from '../src/adapters/system/log.ts'
import { type Composed, compose } from '../src/app/compose.ts'
import { readConfig } from '../src/app/config/config.ts'
import { actorKeyOf } from '../src/core/base/ids.ts'
import { fitModel } from './capacity-model.ts'
import { isMain, quantile } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { type Requests, requestsOf, SCOPE } from './seeded-scope.ts'
import { printOutcome } from './suite/print-outcome.ts'

export interface CapacityOptions {
  readonly sizes: readonly number[]
  readonly rounds: number
  readonly opsPerRound: number
  readonly warmOps: number
}

const FULL: CapacityOptions = {
  sizes: [1_000, 5_000, 20_000, 50_000],
  rounds: 8,
  opsPerRound: 200,
  warmOps: 2_000,
}
const QUICK: CapacityOptions = { sizes: [1_000, 4_000, 8_000], rounds: 3, opsPerRound: 100, warmOps: 300 }

const KINDS = ['observe', 'guide', 'feedback'] as const
type Kind = (typeof KINDS)[number]

const AT_ONCE = 200
const KEY = actorKeyOf('default', SCOPE)
const GRANT = { shard: 0, epoch: 0 }
const CONTEXT = { requestId: 'bench', operationId: null }

interface Sized {
  readonly memories: number
  /** Processor time of an operation, µs, by round. */
  readonly cpuUs: Readonly<Record<Kind, readonly number[]>>
  /** Journal bytes of an operation. */
  readonly journalBytes: Readonly<Record<Kind, number>>
}

export async function run(options: CapacityOptions = FULL): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-capacity-'))
  try {
    const [smallest = 0] = options.sizes
    // Once without counting: the first size would pay for what the engine compiles.
    await sizedAt(join(folder, 'warm'), smallest, options)
    const sized: Sized[] = []
    for (const memories of options.sizes)
      sized.push(await sizedAt(join(folder, String(memories)), memories, options))
    return outcomeOf(options, sized)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function sizedAt(dataDir: string, memories: number, options: CapacityOptions): Promise<Sized> {
  const { config } = readConfig({ dataDir, durability: 'interval', snapshotMinBytes: 1024 ** 3 }, {})
  const log = pinoLog('error', process.stderr)
  const composed = await compose(config, { clock: systemClock(), entropy: systemEntropy(), log })
  try {
    const requests = requestsOf(1)
    const operations = operationsOver(composed, requests)
    for (let stored = 0; stored < memories; stored += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => operations.observe()))
    }
    // The scope grows by what warms up and is measured: little beside its size.
    for (const kind of ['guide', 'feedback'] as const) {
      for (let done = 0; done < options.warmOps; done += 1) await operations[kind]()
    }
    const cpuUs: Record<Kind, number[]> = { observe: [], guide: [], feedback: [] }
    for (let round = 0; round < options.rounds; round += 1) {
      for (const kind of KINDS) {
        const before = process.cpuUsage()
        for (let done = 0; done < options.opsPerRound; done += 1) await operations[kind]()
        const { user, system } = process.cpuUsage(before)
        cpuUs[kind].push((user + system) / options.opsPerRound)
      }
    }
    const journalBytes: Record<Kind, number> = { observe: 0, guide: 0, feedback: 0 }
    let before = await journalled(dataDir)
    for (const kind of KINDS) {
      for (let done = 0; done < options.opsPerRound; done += 1) await operations[kind]()
      const after = await journalled(dataDir)
      journalBytes[kind] = (after - before) / options.opsPerRound
      before = after
    }
    return { memories, cpuUs, journalBytes }
  } finally {
    await composed.close()
  }
}

function operationsOver(composed: Composed, requests: Requests): Readonly<Record<Kind, () => Promise<void>>> {
  const execute = (kind: Kind, body: object) => composed.runtime.execute(kind, body, CONTEXT)
  let asked = 0
  let shown: { readonly guide_trace_id: string; readonly used_memory_ids: readonly string[] } | null = null
  return {
    async observe() {
      await execute('observe', requests.observe())
    },
    async guide() {
      asked += 1
      const answer = await execute('guide', { ...requests.guide(), run_id: `asked-${asked}` })
      const ids: unknown = Reflect.get(Object(Reflect.get(answer, 'agent_context')), 'memory_ids')
      if (!Array.isArray(ids) || ids.length === 0) return
      shown = {
        guide_trace_id: String(Reflect.get(answer, 'guide_trace_id')),
        used_memory_ids: [String(ids[asked % ids.length])],
      }
    },
    async feedback() {
      if (shown === null) throw new Error('no guide has shown anything yet')
      asked += 1
      const words = { reason: 'the run ended', outcome: 'positive', used_surface: 'explicit_host_assertion' }
      await execute('feedback', { scope: SCOPE, run_id: `done-${asked}`, ...words, ...shown })
    },
  }
}

/** Bytes of the actor's records in the journal. A copy is read: the folder itself is in use. */
async function journalled(dataDir: string): Promise<number> {
  // Longer than the interval between two flushes.
  await new Promise((resolve) => setTimeout(resolve, 200))
  const copy = `${dataDir}-copy`
  await cp(dataDir, copy, { recursive: true })
  try {
    const journal = await openJournal({ dir: copy, log: pinoLog('error', process.stderr) })
    let bytes = 0
    for await (const { payload } of journal.read(GRANT, KEY, 1)) bytes += payload.length
    await journal.close()
    return bytes
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

function outcomeOf({ sizes, ...options }: CapacityOptions, sized: readonly Sized[]): Outcome {
  return {
    settings: { ...options, sizes: sizes.join(' ') },
    figures: KINDS.flatMap((kind) => [
      ...sized.map(({ memories, cpuUs }) =>
        figureOf(`${kind}, processor time, ${memories} memories`, 'µs', cpuUs[kind], {
          samples: options.rounds * options.opsPerRound,
        }),
      ),
      ...modelFigures(kind, sized, options.rounds),
      figureOf(
        `${kind}, journal`,
        'bytes',
        sized.map(({ journalBytes }) => journalBytes[kind]),
        { samples: sized.length * options.opsPerRound },
      ),
    ]),
    series: KINDS.map((kind) => ({
      name: kind,
      kind: 'cost over size',
      xLabel: 'memories in the scope',
      yLabel: 'µs of processor time',
      points: sized.map(({ memories, cpuUs }) => [memories, quantile(cpuUs[kind], 0.5)]),
    })),
    notes: [],
  }
}

/** One fit a round, so that the coefficients have a spread. */
function modelFigures(kind: Kind, sized: readonly Sized[], rounds: number): Figure[] {
  const fits = Array.from({ length: rounds }, (_, round) =>
    fitModel(
      ['fixed', 'thousands'],
      sized.map(({ memories, cpuUs }) => ({
        terms: { fixed: 1, thousands: memories / 1_000 },
        cost: cpuUs[kind][round] ?? Number.NaN,
      })),
    ),
  )
  const samples = rounds * sized.length
  const figure = (name: string, unit: string, valueOf: (fit: (typeof fits)[number]) => number) =>
    figureOf(`${kind}, ${name}`, unit, fits.map(valueOf), { samples })
  return [
    figure('fixed, fitted', 'µs', ({ coefficients }) => coefficients.fixed),
    figure('a thousand memories more, fitted', 'µs', ({ coefficients }) => coefficients.thousands),
    figure('mean error of the fit', 'share', ({ error }) => error),
  ]
}

if (isMain(import.meta.url)) {
  printOutcome('capacity', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
