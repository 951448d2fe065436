// What do observe, guide and feedback cost over SQLite as one would build it, beside the service embedded: both durable
// on the same disk, in batches of the same size? SQLite only stores, searches and counts: no screening, no admission,
// no prompt, no replay.
import { join } from 'node:path'
import process from 'node:process'
import { Histogram } from './histogram.ts'
import { isMain } from './measure.ts'
import { EngineMissing } from './recall/engines/engine.ts'
import { INSTALL_PEERS } from './recall/engines/peer-packages.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { requestsOf, SCOPE } from './seeded-scope.ts'
import { openSqliteStore, type SqliteStore } from './sqlite/store.ts'
import { type Call, withEmbedded } from './suite/embedded.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

export interface SqliteOptions {
  readonly memories: number
  readonly rounds: number
  readonly opsPerRound: number
  readonly batches: readonly number[]
  readonly warmRounds: number
}

const FULL: SqliteOptions = { memories: 10_000, rounds: 9, opsPerRound: 192, batches: [1, 16], warmRounds: 5 }
const QUICK: SqliteOptions = { memories: 1_000, rounds: 3, opsPerRound: 64, batches: [1, 16], warmRounds: 1 }
const LOOP_GOAL = { bound: 'least', value: 5 } as const
const TAIL_GOAL = { bound: 'most', value: 0.25 } as const

const KINDS = ['observe', 'guide', 'feedback'] as const
type Kind = (typeof KINDS)[number]

/** Does so many operations of a kind together and resolves when all are durable. */
type Subject = (kind: Kind, count: number) => Promise<void>

/** What one subject took for one kind in batches of one size. */
interface Cell {
  readonly kind: Kind
  readonly batch: number
  /** µs an operation, by round. */
  readonly usOf: { readonly own: number[]; readonly peer: number[] }
  /** µs of a batch. */
  readonly latencyOf: { readonly own: Histogram; readonly peer: Histogram }
}

/** Both in turn, round by round. */
export function run(options: SqliteOptions = FULL): Promise<Outcome> {
  return withFolder('sqlite', (folder) =>
    withEmbedded(join(folder, 'own'), {}, async (call) => {
      const { store, missing } = openedAt(join(folder, 'peer.sqlite'))
      const own = ownSubject(call)
      const peer = store === null ? null : peerSubject(store)
      const cells = options.batches.flatMap((batch) =>
        KINDS.map((kind): Cell => {
          const latencyOf = { own: new Histogram(), peer: new Histogram() }
          return { kind, batch, usOf: { own: [], peer: [] }, latencyOf }
        }),
      )
      for (let stored = 0; stored < options.memories; stored += 200) {
        await own('observe', 200)
        await peer?.('observe', 200)
      }
      for (let round = -options.warmRounds; round < options.rounds; round += 1) {
        for (const cell of cells) {
          const kept = round < 0 ? null : cell
          await slice(own, cell, options.opsPerRound, kept?.usOf.own, kept?.latencyOf.own)
          if (peer !== null)
            await slice(peer, cell, options.opsPerRound, kept?.usOf.peer, kept?.latencyOf.peer)
        }
      }
      return {
        settings: { ...options, batches: options.batches.join(' ') },
        figures: figuresOf(options, cells, peer !== null),
        notes: [
          'Percentiles are those of a batch.',
          ...(missing === null
            ? []
            : [`SQLite was not measured: ${missing}. Install it with ${INSTALL_PEERS}.`]),
        ],
      }
    }),
  )
}

async function slice(
  subject: Subject,
  { kind, batch }: Cell,
  operations: number,
  times: number[] = [],
  latency: Histogram = new Histogram(),
): Promise<void> {
  const startedAt = performance.now()
  for (let done = 0, at = startedAt; done < operations; done += batch) {
    await subject(kind, batch)
    const now = performance.now()
    latency.record((now - at) * 1_000)
    at = now
  }
  times.push(((performance.now() - startedAt) * 1_000) / operations)
}

function figuresOf(options: SqliteOptions, cells: readonly Cell[], hasPeer: boolean): Figure[] {
  const subjects = hasPeer ? (['own', 'peer'] as const) : (['own'] as const)
  const each = cells.flatMap(({ kind, batch, usOf, latencyOf }) =>
    subjects.map((name) =>
      figureOf(
        `${kind}, ${name === 'own' ? 'embedded' : 'SQLite'}, ${batch} together`,
        'µs an operation',
        usOf[name],
        { percentiles: latencyOf[name].percentiles(), isYardstick: name === 'peer' },
      ),
    ),
  )
  if (!hasPeer) return each
  const loops = options.batches.map((batch) => {
    const own = cells.filter((cell) => cell.batch === batch)
    const sumOf = (name: 'own' | 'peer', round: number) =>
      own.reduce((sum, { usOf }) => sum + (usOf[name][round] ?? Number.NaN), 0)
    const ratios = Array.from(
      { length: options.rounds },
      (_, round) => sumOf('peer', round) / sumOf('own', round),
    )
    return figureOf(`core loop, times the rate of SQLite, ${batch} together`, '×', ratios, {
      goal: LOOP_GOAL,
    })
  })
  const tails = cells
    .filter(({ kind }) => kind === 'guide')
    .map(({ batch, latencyOf: { own, peer } }) =>
      figureOf(
        `slowest guides (p99), share of SQLite, ${batch} together`,
        '×',
        [own.quantile(0.99) / peer.quantile(0.99)],
        { goal: TAIL_GOAL },
      ),
    )
  return [...each, ...loops, ...tails]
}

function openedAt(path: string): { readonly store: SqliteStore | null; readonly missing: string | null } {
  try {
    return { store: openSqliteStore(path, SCOPE), missing: null }
  } catch (error) {
    if (!(error instanceof EngineMissing)) throw error
    return { store: null, missing: error.message }
  }
}

function ownSubject(call: Call): Subject {
  const requests = requestsOf(1)
  let made = 0
  let shown: object | null = null
  const one = async (kind: Kind): Promise<void> => {
    made += 1
    if (kind === 'observe') return void (await call('observe', requests.observe()))
    if (kind === 'guide') {
      const answer = await call('guide', { ...requests.guide(), run_id: `run-${made}` })
      const ids: unknown = Reflect.get(Object(Reflect.get(answer, 'agent_context')), 'memory_ids')
      const guide_trace_id = Reflect.get(answer, 'guide_trace_id')
      if (Array.isArray(ids) && ids.length > 0) shown = { guide_trace_id, used_memory_ids: [ids[0]] }
      return
    }
    const words = { reason: 'the run ended', outcome: 'positive', used_surface: 'explicit_host_assertion' }
    await call('feedback', { scope: SCOPE, run_id: `run-${made}`, ...words, ...shown })
  }
  return async (kind, count) => {
    await Promise.all(Array.from({ length: count }, () => one(kind)))
  }
}

function peerSubject(store: SqliteStore): Subject {
  const requests = requestsOf(1)
  let made = 0
  let shown = { guideId: 0, memoryId: 0 }
  const one = (kind: Kind): void => {
    made += 1
    if (kind === 'observe') {
      const body = requests.observe()
      store.observe(String(Reflect.get(body, 'input_text')), `run-${made}`)
    } else if (kind === 'guide') {
      const { guideId, shown: ids } = store.guide(requests.guide().query_text, `run-${made}`)
      const [memoryId] = ids
      if (memoryId !== undefined) shown = { guideId, memoryId }
    } else store.feedback(shown.guideId, shown.memoryId, true)
  }
  return async (kind, count) =>
    store.batch(() => {
      for (let done = 0; done < count; done += 1) one(kind)
    })
}

if (isMain(import.meta.url)) {
  printOutcome('sqlite', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
