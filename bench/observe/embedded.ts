import process from 'node:process'
import { RecallView } from '../../src/actor/recall-view.ts'
import { SimilarView, similarIn } from '../../src/actor/similar-view.ts'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { languages } from '../../src/adapters/language/languages.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { systemEntropy } from '../../src/adapters/system/entropy.ts'
import { pinoLog } from '../../src/adapters/system/log.ts'
import { compose } from '../../src/app/compose.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { ObserveRequest } from '../../src/contract/observe.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import { emptyState } from '../../src/core/model/state.ts'
import { screen } from '../../src/core/screening/screen.ts'
import { SearchWorkspace } from '../../src/core/search/workspace.ts'
import { decideObserve } from '../../src/core/write/observe.ts'
import { observeCommand } from '../../src/runtime/normalise/observe.ts'
import { requestsOf, SCOPE } from '../seeded-scope.ts'

export interface EmbeddedOptions {
  readonly inFlight: number
  readonly rounds: number
  readonly opsPerRound: number
  readonly warmOps: number
}

/** One value a round. */
export interface EmbeddedReport {
  readonly servicePerS: readonly number[]
  readonly barePerS: readonly number[]
  /** Of the service and of the bare loop. */
  readonly share: readonly number[]
  /** Processor time of all threads, µs. */
  readonly serviceCpuUs: readonly number[]
  readonly bareCpuUs: readonly number[]
}

interface Slice {
  readonly perS: number
  readonly cpuUs: number
}

type Body = Readonly<Record<string, unknown>>

/** Half of a mailbox each. */
const PER_SCOPE = 128

/** Observes through the service in this process, durable, beside a loop that only decides, encodes and indexes the same. */
export async function measureEmbedded(folder: string, options: EmbeddedOptions): Promise<EmbeddedReport> {
  const { config } = readConfig({ dataDir: folder }, {})
  const log = pinoLog('warn', process.stderr)
  const composed = await compose(config, { clock: systemClock(), entropy: systemEntropy(), log })
  try {
    const scopes = Math.ceil(options.inFlight / PER_SCOPE)
    const context = { requestId: 'bench', operationId: null }
    const observe = (body: Body) => composed.runtime.execute('observe', body, context)
    const bare = bareLoop(scopes)
    const bodies = bodiesOver(scopes)
    const service: Slice[] = []
    const loop: Slice[] = []
    for (let round = -1; round < options.rounds; round += 1) {
      const batch = bodies(round < 0 ? options.warmOps : options.opsPerRound)
      const slices = [
        await sliceOf(batch, (all) => inFlight(all, options.inFlight, observe)),
        await sliceOf(batch, async (all) => {
          for (const body of all) bare(body)
        }),
      ] as const
      if (round < 0) continue
      service.push(slices[0])
      loop.push(slices[1])
    }
    const perS = (slices: readonly Slice[]) => slices.map((slice) => slice.perS)
    return {
      servicePerS: perS(service),
      barePerS: perS(loop),
      share: service.map((slice, round) => slice.perS / (loop[round]?.perS ?? Number.NaN)),
      serviceCpuUs: service.map(({ cpuUs }) => cpuUs),
      bareCpuUs: loop.map(({ cpuUs }) => cpuUs),
    }
  } finally {
    await composed.close()
  }
}

async function sliceOf(
  batch: readonly Body[],
  work: (batch: readonly Body[]) => Promise<void>,
): Promise<Slice> {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  await work(batch)
  const tookMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpu)
  return { perS: (batch.length * 1_000) / tookMs, cpuUs: (user + system) / batch.length }
}

async function inFlight(
  batch: readonly Body[],
  count: number,
  send: (body: Body) => Promise<unknown>,
): Promise<void> {
  const waiting = batch.values()
  const client = async (): Promise<void> => {
    for (const body of waiting) await send(body)
  }
  await Promise.all(Array.from({ length: count }, client))
}

/** No validation, no registry, no journal: state, both indexes and the bytes of the turn. */
function bareLoop(scopes: number): (body: Body) => void {
  const codec = createCodec()
  const entropy = systemEntropy()
  const actors = new Map(
    Array.from({ length: scopes }, (_, at) => {
      const state = emptyState('default', scopeOf(at))
      const recall = RecallView.empty(new SearchWorkspace(languages))
      const texts = new SimilarView(state)
      return [state.scope, { state, recall, texts, similar: similarIn(state, texts, recall) }]
    }),
  )
  return (body) => {
    const actor = actors.get(String(body['scope']))
    if (actor === undefined) throw new RangeError('there is no such scope')
    const { state, recall, texts, similar } = actor
    const nowMs = Date.now()
    const { command } = observeCommand(ObserveRequest.parse(body))
    const newId = () => entropy.uuid(nowMs)
    const { events } = decideObserve(state, command, nowMs, newId, screen, similar)
    const turn = { seq: state.seq + 1, atMs: nowMs, events }
    codec.encodeTurn(turn)
    evolve(state, turn)
    recall.apply(state, events)
    texts.apply(events)
  }
}

function bodiesOver(scopes: number): (count: number) => readonly Body[] {
  const { observe } = requestsOf(4)
  let made = 0
  return (count) =>
    Array.from({ length: count }, () => {
      made += 1
      return { ...observe(), scope: scopeOf(made % scopes) }
    })
}

function scopeOf(at: number): string {
  return `${SCOPE}-${at}`
}
