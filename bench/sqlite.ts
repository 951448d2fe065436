// What do observe, guide and feedback cost over SQLite as one would build it, beside the service embedded: both durable
// on the same disk, in batches of the same size? SQLite only stores, searches and counts: no screening, no admission,
// no prompt, no replay.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { systemClock } from '../src/adapters/system/clock.ts'
import { systemEntropy } from '../src/adapters/system/entropy.ts'
import { pinoLog } from '../src/adapters/system/log.ts'
import { compose } from '../src/app/compose.ts'
import { readConfig } from '../src/app/config/config.ts'
import type { Runtime } from '../src/runtime/runtime.ts'
import { Histogram } from './histogram.ts'
import { isMain } from './measure.ts'
import { EngineMissing } from './recall/engines/engine.ts'
import { INSTALL_PEERS } from './recall/engines/peer-packages.ts'
import { figureOf, type Outcome } from './result.ts'
import { requestsOf, SCOPE } from './seeded-scope.ts'
import { openSqliteStore, type SqliteStore } from './sqlite/store.ts'
import { printOutcome } from './suite/print-outcome.ts'

export interface SqliteOptions {
  readonly memories: number
  readonly rounds: number
  readonly opsPerRound: number
  readonly batches: readonly number[]
  readonly warmRounds: number
}

const FULL: SqliteOptions = { memories: 10_000, rounds: 9, opsPerRound: 192, batches: [1, 16], warmRounds: 5 }
const QUICK: SqliteOptions = { memories: 1_000, rounds: 3, opsPerRound: 64, batches: [1, 16], warmRounds: 1 }

const KINDS = ['observe', 'guide', 'feedback'] as const
type Kind = (typeof KINDS)[number]

/** Does so many operations of a kind together and resolves when all are durable. */
type Subject = (kind: Kind, count: number) => Promise<void>

/** Both in turn, round by round. */
export async function run(options: SqliteOptions = FULL): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-sqlite-'))
  const log = pinoLog('error', process.stderr)
  const { config } = readConfig({ dataDir: join(folder, 'own') }, {})
  const composed = await compose(config, { clock: systemClock(), entropy: systemEntropy(), log })
  try {
    const { store, missing } = openedAt(join(folder, 'peer.sqlite'))
    const subjects: (readonly [string, Subject])[] = [['embedded', ownSubject(composed.runtime)]]
    if (store !== null) subjects.push(['SQLite', peerSubject(store)])
    const times = new Map<string, number[]>()
    const each = new Map<string, Histogram>()
    for (const [, subject] of subjects) {
      for (let stored = 0; stored < options.memories; stored += 200) await subject('observe', 200)
    }
    for (let round = -options.warmRounds; round < options.rounds; round += 1) {
      for (const batch of options.batches) {
        for (const kind of KINDS) {
          for (const [name, subject] of subjects) {
            const figure = `${kind}, ${name}, ${batch} together`
            const histogram = each.get(figure) ?? new Histogram()
            if (round >= 0) each.set(figure, histogram)
            const startedAt = performance.now()
            for (let done = 0, at = startedAt; done < options.opsPerRound; done += batch) {
              await subject(kind, batch)
              const now = performance.now()
              histogram.record((now - at) * 1_000)
              at = now
            }
            const us = ((performance.now() - startedAt) * 1_000) / options.opsPerRound
            if (round >= 0) times.set(figure, [...(times.get(figure) ?? []), us])
          }
        }
      }
    }
    return {
      settings: { ...options, batches: options.batches.join(' ') },
      figures: [...times].map(([name, rounds]) => {
        const percentiles = each.get(name)?.percentiles()
        const samples = options.rounds * options.opsPerRound
        return figureOf(
          name,
          'µs an operation',
          rounds,
          percentiles === undefined ? { samples } : { samples, percentiles },
        )
      }),
      series: [...each].map(([name, histogram]) => ({
        name,
        kind: 'cdf',
        xLabel: `µs of a batch of ${/(\d+) together$/.exec(name)?.[1] ?? ''}`,
        yLabel: 'share of batches',
        points: histogram.cdf(),
      })),
      notes: [
        'Percentiles are those of a batch.',
        ...(missing === null
          ? []
          : [`SQLite was not measured: ${missing}. Install it with ${INSTALL_PEERS}.`]),
      ],
    }
  } finally {
    await composed.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function openedAt(path: string): { readonly store: SqliteStore | null; readonly missing: string | null } {
  try {
    return { store: openSqliteStore(path, SCOPE), missing: null }
  } catch (error) {
    if (!(error instanceof EngineMissing)) throw error
    return { store: null, missing: error.message }
  }
}

function ownSubject(runtime: Runtime): Subject {
  const requests = requestsOf(1)
  const context = { requestId: 'bench', operationId: null }
  let made = 0
  let shown: object | null = null
  const one = async (kind: Kind): Promise<void> => {
    made += 1
    if (kind === 'observe') return void (await runtime.execute('observe', requests.observe(), context))
    if (kind === 'guide') {
      const answer = await runtime.execute('guide', { ...requests.guide(), run_id: `run-${made}` }, context)
      const ids: unknown = Reflect.get(Object(Reflect.get(answer, 'agent_context')), 'memory_ids')
      const guide_trace_id = Reflect.get(answer, 'guide_trace_id')
      if (Array.isArray(ids) && ids.length > 0) shown = { guide_trace_id, used_memory_ids: [ids[0]] }
      return
    }
    const words = { reason: 'the run ended', outcome: 'positive', used_surface: 'explicit_host_assertion' }
    await runtime.execute('feedback', { scope: SCOPE, run_id: `run-${made}`, ...words, ...shown }, context)
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
