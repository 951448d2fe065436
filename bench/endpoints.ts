// What does each endpoint take in a closed loop at several numbers of connections, over TCP, over a Unix socket and
// embedded? Round by round over all of them, so that a noisy moment hits all.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Endpoint } from './endpoints/bodies.ts'
import { LEFT_OUT } from './endpoints/bodies.ts'
import { openWays, type Target } from './endpoints/targets.ts'
import { Histogram } from './histogram.ts'
import { isMain } from './measure.ts'
import { figureOf, type Outcome } from './result.ts'
import { seedScope } from './seeded-scope.ts'
import { printOutcome } from './suite/print-outcome.ts'
import { type Vitals, vitalsFigures } from './suite/vitals.ts'

export interface EndpointsOptions {
  readonly memories: number
  readonly connections: readonly number[]
  readonly rounds: number
  /** How long new requests are begun for one endpoint at one number of connections. */
  readonly sliceMs: number
}

const FULL: EndpointsOptions = { memories: 2_000, connections: [1, 16, 128], rounds: 4, sliceMs: 250 }
const QUICK: EndpointsOptions = { memories: 1_000, connections: [1, 16], rounds: 1, sliceMs: 20 }

interface Cell {
  readonly target: Target
  readonly endpoint: Endpoint
  readonly connections: number
  readonly rounds: Histogram[]
}

/** Seeds a scope, measures and removes everything. */
export async function run(options: EndpointsOptions = FULL): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-endpoints-'))
  try {
    const seeded = join(folder, 'seeded')
    await (await seedScope(seeded, options.memories))()
    const ways = await openWays(folder, seeded, Math.max(...options.connections))
    try {
      const cells = cellsOf(ways.targets, options.connections)
      for (const cell of cells.filter(({ connections }) => connections === 1))
        await slice(cell, options.sliceMs)
      const vitals = new Map<string, Vitals>()
      for (let round = 0; round < options.rounds; round += 1) {
        for (const cell of cells) {
          await cell.target.vitals()
          cell.rounds.push(await slice(cell, options.sliceMs))
          vitals.set(nameOf(cell), await cell.target.vitals())
        }
      }
      return outcomeOf(options, cells, vitals)
    } finally {
      await ways.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function cellsOf(targets: readonly Target[], connections: readonly number[]): readonly Cell[] {
  const [first] = targets
  return (first?.endpoints ?? []).flatMap(({ operation }) =>
    connections.flatMap((count) =>
      targets.flatMap((target) =>
        target.endpoints
          .filter((endpoint) => endpoint.operation === operation)
          .map((endpoint) => ({ target, endpoint, connections: count, rounds: [] })),
      ),
    ),
  )
}

/** Every connection asks one request after the other, at least one, until the time is over; µs. */
async function slice({ target, endpoint, connections }: Cell, sliceMs: number): Promise<Histogram> {
  const histogram = new Histogram()
  const endMs = performance.now() + sliceMs
  const { operation, body } = endpoint
  const connection = async (number: number): Promise<void> => {
    do {
      const request = body()
      const startedAt = performance.now()
      await target.ask(number, operation, request)
      histogram.record((performance.now() - startedAt) * 1_000)
    } while (performance.now() < endMs)
  }
  await Promise.all(Array.from({ length: connections }, (_, number) => connection(number)))
  return histogram
}

function nameOf({ target, endpoint, connections }: Cell): string {
  return `${endpoint.operation}, ${target.transport}, ${connections} connection${connections === 1 ? '' : 's'}`
}

/** Vitals are those of the last round. */
function outcomeOf(
  { connections, ...options }: EndpointsOptions,
  cells: readonly Cell[],
  vitals: ReadonlyMap<string, Vitals>,
): Outcome {
  const together = cells.map((cell) => {
    const all = new Histogram()
    for (const round of cell.rounds) all.add(round)
    return { cell, all }
  })
  return {
    settings: { ...options, connections: connections.join(' ') },
    figures: [
      ...together.map(({ cell, all }) =>
        figureOf(
          nameOf(cell),
          'µs',
          cell.rounds.map((round) => round.quantile(0.5)),
          { percentiles: all.percentiles(), samples: all.count },
        ),
      ),
      ...together
        .filter(({ cell }) => PLOTTED.has(cell.endpoint.operation))
        .flatMap(({ cell }) => {
          const told = vitals.get(nameOf(cell))
          const asked = cell.rounds.at(-1)?.count ?? 0
          return told === undefined ? [] : vitalsFigures(`in ${nameOf(cell)}`, told, asked)
        }),
    ],
    series: together
      .filter(({ cell }) => cell.connections === 1 && PLOTTED.has(cell.endpoint.operation))
      .map(({ cell, all }) => ({
        name: nameOf(cell),
        kind: 'cdf' as const,
        xLabel: 'µs',
        yLabel: 'share of requests',
        points: all.cdf(),
      })),
    notes: [LEFT_OUT, 'Embedded, the process that asks is the one that answers: its figures hold both.'],
  }
}

const PLOTTED: ReadonlySet<string> = new Set(['guide', 'observe'])

if (isMain(import.meta.url)) {
  printOutcome('endpoints', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
