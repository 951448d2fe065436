// For how long does the largest legal request of each operation hold the event loop? Everybody else waits for it. Told is the
// processor time of the serving thread between two turns of its loop: on a busy machine a block by the clock is mostly
// waiting for a processor.
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { VALUES_MAX } from '../src/contract/parse.ts'
import { type JsonClient, jsonClient } from './json-client.ts'
import {
  BODY_CHARS,
  type Body,
  candidatesBody,
  claimsBody,
  handoffBody,
  longTextBody,
  nodesBody,
  payloadBody,
  SCOPE,
  TEXTS,
  WRITTEN_TWICE_CHARS,
} from './largest/bodies.ts'
import { isMain } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { SCOPE as SEEDED, seedScope } from './seeded-scope.ts'
import { type ServiceProcess, startService } from './service-process.ts'
import { withFolder } from './suite/folder.ts'
import type { WatchedLoop } from './suite/loop-watch.ts'
import { printOutcome } from './suite/text.ts'
import { toldBy } from './suite/vitals.ts'

export interface LargestOptions {
  /** Memories of the scope that reports are asked of. */
  readonly memories: number
  /** Each body is sent so often, with other texts. */
  readonly rounds: number
  /** Kinds of texts that are observed. */
  readonly kinds: number
}

const FULL: LargestOptions = { memories: 100_000, rounds: 5, kinds: Object.keys(TEXTS).length }
const QUICK: LargestOptions = { memories: 2_000, rounds: 1, kinds: 1 }
const GOAL = { bound: 'most', value: 50 } as const
/** Ids of one request. */
const IDS = 200
/** What a request leaves to be done behind its answer ends meanwhile. */
const SETTLED_MS = 500
const PLACE = { scope: SCOPE }
const FILTERED = { scope: SEEDED, reason: 'a benchmark', filter: { origin: 'agent' } }
const REASON = { ...PLACE, reason: 'a benchmark' }

/** What is sent under one name; its body is made when its turn comes, of what earlier answers told. */
interface Sent {
  readonly name: string
  readonly path: string
  readonly body: (round: number, known: Known) => Body
}

/** What earlier answers told. */
interface Known {
  memoryIds: readonly string[]
  longIds: readonly string[]
  guide: Body
}

export function run(options: LargestOptions = FULL): Promise<Outcome> {
  return withFolder('largest', async (dataDir) => {
    await (await seedScope(dataDir, options.memories))()
    const figures: Figure[] = []
    const service = await startWatched(dataDir)
    const client = jsonClient(service.url)
    try {
      await seedSmall(client)
      const known: Known = { memoryIds: [], longIds: [], guide: {} }
      for (const each of sent(options.kinds))
        figures.push(await measured(service, client, each, options.rounds, known))
    } finally {
      await client.close()
      await service.stop()
    }
    figures.push(...(await loads(dataDir)))
    return { settings: { ...options }, figures, notes: [] }
  })
}

function startWatched(dataDir: string): Promise<ServiceProcess> {
  return startService({
    dataDir,
    hasChannel: true,
    flags: ['--resident-bytes-max', String(4 * 1024 ** 3)],
    nodeFlags: ['--import', TELL_LOOP],
  })
}

const TELL_LOOP = fileURLToPath(new URL('./suite/tell-loop.js', import.meta.url))

/** Small requests, so that what is measured is the work and not the compiling of what all requests use. */
async function seedSmall(client: JsonClient): Promise<void> {
  const text = TEXTS['words of one vocabulary']?.(1) ?? String
  for (let at = 0; at < 300; at += 1) {
    const body = { ...PLACE, run_id: `run-${at % 20}`, input_text: text(400) }
    await client.answer('/v1/observe', JSON.stringify(body))
    await client.answer('/v1/guide', JSON.stringify({ ...PLACE, query_text: text(200) }))
  }
}

async function measured(
  service: ServiceProcess,
  client: JsonClient,
  { name, path, body }: Sent,
  rounds: number,
  known: Known,
): Promise<Figure> {
  const blocks: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const text = JSON.stringify(body(round, known))
    if (Buffer.byteLength(text) > 5 * 1024 ** 2) throw new Error(`${name}: the body is above the limit`)
    await pause(SETTLED_MS)
    await told(service)
    const { status, text: answer } = await client.post(path, text)
    if (status !== 200) throw new Error(`${name}: ${status} ${answer.slice(0, 300)}`)
    await pause(SETTLED_MS)
    const { busiestMs, maxMs } = await told(service)
    blocks.push(busiestMs ?? maxMs)
    learn(path, JSON.parse(answer), known)
  }
  return figureOf(name, 'ms', blocks, { goal: GOAL })
}

function told(service: ServiceProcess): Promise<WatchedLoop> {
  return toldBy<WatchedLoop>(service.child)
}

function learn(path: string, answer: Body & { readonly memory_ids?: readonly string[] }, known: Known): void {
  const { memory_ids = [] } = answer
  if (path === '/v1/guide') known.guide = answer
  else if (memory_ids.length >= IDS) known.memoryIds = memory_ids.slice(0, IDS)
  else if (memory_ids.length === 1) known.longIds = memory_ids
}

function sent(kinds: number): readonly Sent[] {
  const large = { ...PLACE, limit: 200, context_char_budget: 1_000_000, include_packets: true }
  const trace = ({ guide }: Known): Body => ({ product_trace: { before_guide: guide, after_guide: guide } })
  const observe = Object.entries(TEXTS)
    .slice(0, kinds)
    .flatMap(([kind, text]): Sent[] => [
      {
        name: `observe, 256 texts of 20 000 characters: ${kind}`,
        path: '/v1/observe',
        body: (round) => nodesBody(text(10 + round)),
      },
      {
        name: `observe, one text of 5 MB: ${kind}`,
        path: '/v1/observe',
        body: (round) => longTextBody(text(30 + round)),
      },
    ])
  const [words, told] = [
    TEXTS['words that nobody wrote before'] ?? (() => String),
    TEXTS['statements'] ?? (() => String),
  ]
  const of = (name: string, path: string, body: Sent['body']): Sent => ({ name, path, body })
  return [
    ...observe,
    of('observe, 256 texts that are nearly known', '/v1/observe', (round) =>
      nodesBody((chars) => `${told(10)(chars - 20)} once more ${round}`),
    ),
    of('observe, the same with an operation id', '/v1/observe', (round) =>
      nodesBody(words(70 + round), { operation_id: `largest-${round}` }),
    ),
    of(`observe, a payload of ${VALUES_MAX} values`, '/v1/observe', (round) => payloadBody(round)),
    of('observe, the same with a key that is escaped', '/v1/observe', (round) =>
      payloadBody(round, 'toJSON'),
    ),
    of('observe, a handoff of 4 MB', '/v1/observe', (round) => handoffBody(words(50 + round))),
    of('observe, 32 claims of 4 MB', '/v1/observe', (round) => claimsBody(words(60 + round))),
    of('guide, a question of 5 MB', '/v1/guide', (round) => ({
      ...PLACE,
      query_text: words(80 + round)(BODY_CHARS),
    })),
    of('guide, 200 memories with packets', '/v1/guide', (round) => ({
      ...large,
      query_text: words(10 + round)(4_000),
    })),
    of('govern, 200 candidates of 25 000 characters', '/v1/memory/govern', (round) =>
      candidatesBody(words(90 + round), false),
    ),
    of('govern, 26 candidates of 199 000 characters', '/v1/memory/govern', (round) =>
      candidatesBody(told(90 + round), true),
    ),
    of('feedback on 200 memories', '/v1/feedback', (round, { memoryIds }) => ({
      ...REASON,
      run_id: `used-${round}`,
      outcome: 'positive',
      used_surface: 'explicit_host_assertion',
      used_memory_ids: memoryIds,
    })),
    of('rehydrate 200 memories', '/v1/rehydrate', (_, { memoryIds }) => ({
      ...REASON,
      memory_ids: memoryIds,
      mode: 'full',
    })),
    of(
      'rehydrate 200 memories, secrets masked, with an operation id',
      '/v1/rehydrate',
      (round, { memoryIds }) => ({
        ...REASON,
        memory_ids: memoryIds,
        operation_id: `rehydrated-${round}`,
      }),
    ),
    of('rehydrate a memory of 5 MB', '/v1/rehydrate', (_, { longIds }) => ({
      ...REASON,
      memory_ids: longIds,
      mode: 'partial',
    })),
    of('forget 200 memories', '/v1/forget', (_, { memoryIds }) => ({
      ...REASON,
      operation: 'suppress',
      target: 'memory',
      actor: 'operator',
      memory_ids: memoryIds,
    })),
    of('forget, a memory of 5 MB is rehydrated', '/v1/forget', (_, { longIds }) => ({
      ...REASON,
      operation: 'rehydrate',
      target: 'memory',
      memory_ids: longIds,
    })),
    of('finish, a run of 4 MB', '/v1/finish', (round, { guide }) => ({
      ...PLACE,
      guide_trace_id: guide['guide_trace_id'],
      run_id: `finished-${round}`,
      outcome: 'succeeded',
      summary: words(110 + round)(WRITTEN_TWICE_CHARS),
    })),
    of('resolve a memory of 5 MB', '/v1/memory/resolve', (_, { longIds }) => ({
      uri: `svc://default/${SCOPE}/memory/${longIds[0] ?? ''}`,
      include_slots: true,
    })),
    of('measure two guides of 200 memories', '/v1/measure', (_, known) => ({ ...PLACE, ...trace(known) })),
    of('decision trace', '/v1/debug/memory-decision-trace', (_, known) => ({ ...PLACE, ...trace(known) })),
    of('decision report', '/v1/audit/memory-decision-report', (_, known) => ({ ...PLACE, ...trace(known) })),
    of('flight recorder', '/v1/audit/flight-recorder', (_, { guide }) => ({
      ...PLACE,
      replay_source: 'journal',
      guide_trace_id: guide['guide_trace_id'],
      include_now: true,
    })),
    of('operator snapshot', '/v1/operator/snapshot', () => ({ scope: SEEDED, include_markdown: true })),
    of('blast radius of an origin', '/v1/audit/blast-radius', () => ({ scope: SEEDED, origin: 'agent' })),
    of('skills of the runs of a task', '/v1/skills/candidates', () => ({
      scope: SEEDED,
      task_signature: 'task-0',
      include_markdown: true,
    })),
    of('erase 200 memories', '/v1/memory/erase', (_, { memoryIds }) => ({
      ...REASON,
      memory_ids: memoryIds,
    })),
    of('suppress 10 000 memories that a filter finds', '/v1/forget', () => ({
      ...FILTERED,
      operation: 'suppress',
      target: 'memory',
    })),
    of('erase 10 000 memories that a filter finds', '/v1/memory/erase', () => FILTERED),
  ]
}

/** The first requests after a start: each scope is read from disk. */
async function loads(dataDir: string): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const scope of [SCOPE, SEEDED]) {
    const service = await startWatched(dataDir)
    const client = jsonClient(service.url)
    try {
      for (const [path, body] of [
        ['/v1/guide', { scope, query_text: 'what is known' }],
        ['/v1/observe', { scope, input_text: 'The build is green.' }],
      ] as const) {
        await told(service)
        await client.answer(path, JSON.stringify(body))
        await pause(SETTLED_MS)
        const { busiestMs, maxMs } = await told(service)
        figures.push(figureOf(`first ${path} of ${scope}`, 'ms', [busiestMs ?? maxMs], { goal: GOAL }))
      }
    } finally {
      await client.close()
      await service.stop()
    }
  }
  return figures
}

if (isMain(import.meta.url))
  printOutcome('largest', await run(process.argv.includes('--quick') ? QUICK : FULL))
