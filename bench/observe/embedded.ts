import process from 'node:process'
import { RecallView } from '../../src/actor/recall-view.ts'
import { SimilarView, similarIn } from '../../src/actor/similar-view.ts'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { languages } from '../../src/adapters/language/languages.ts'
import { systemEntropy } from '../../src/adapters/system/clock-and-entropy.ts'
import { ObserveRequest } from '../../src/contract/observe.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import { emptyState } from '../../src/core/model/state.ts'
import { screen } from '../../src/core/screening/screen.ts'
import { SearchWorkspace } from '../../src/core/search/workspace.ts'
import { decideObserve } from '../../src/core/write/observe.ts'
import { observeCommand } from '../../src/runtime/normalise/observe.ts'
import { type Figure, figureOf } from '../result.ts'
import { requestsOf, SCOPE } from '../seeded-scope.ts'
import { withEmbedded } from '../suite/embedded.ts'

export interface EmbeddedOptions {
  readonly inFlight: number
  readonly rounds: number
  readonly opsPerRound: number
  readonly warmOps: number
}

interface Slice {
  readonly perS: number
  readonly cpuUs: number
}

type Body = Readonly<Record<string, unknown>>

/** Half of a mailbox each. */
const PER_SCOPE = 128

const GOAL = { bound: 'least', value: 0.5 } as const

/** Observes through the service in this process, durable, beside a loop that only decides, encodes and indexes the same. */
export function measureEmbedded(folder: string, options: EmbeddedOptions): Promise<Figure[]> {
  return withEmbedded(folder, {}, async (call) => {
    const scopes = Math.ceil(options.inFlight / PER_SCOPE)
    const bare = bareLoop(scopes)
    const bodies = bodiesOver(scopes)
    const served: Slice[] = []
    const alone: Slice[] = []
    for (let round = -1; round < options.rounds; round += 1) {
      const batch = bodies(round < 0 ? options.warmOps : options.opsPerRound)
      const ours = await sliceOf(batch, (all) =>
        inFlight(all, options.inFlight, (body) => call('observe', body)),
      )
      const theirs = await sliceOf(batch, async (all) => {
        for (const body of all) bare(body)
      })
      if (round < 0) continue
      served.push(ours)
      alone.push(theirs)
    }
    return figuresOf(options, served, alone)
  })
}

function figuresOf(
  { inFlight: count }: EmbeddedOptions,
  served: readonly Slice[],
  alone: readonly Slice[],
): Figure[] {
  const observe = `observe, embedded, ${count} in flight`
  const share = served.map(({ perS }, round) => perS / (alone[round]?.perS ?? Number.NaN))
  const figure = (name: string, unit: string, slices: readonly Slice[], of: (slice: Slice) => number) =>
    figureOf(name, unit, slices.map(of), { isYardstick: slices === alone })
  return [
    figure(observe, 'requests/s', served, ({ perS }) => perS),
    figure('decide, encode and index alone', 'requests/s', alone, ({ perS }) => perS),
    figureOf(`${observe}, share of these alone`, '×', share, { goal: GOAL }),
    figure(`processor time, ${observe}`, 'µs', served, ({ cpuUs }) => cpuUs),
    figure('processor time of these alone', 'µs', alone, ({ cpuUs }) => cpuUs),
  ]
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
