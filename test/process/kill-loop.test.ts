import { randomInt } from 'node:crypto'
import { setTimeout as elapsed } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { OperationName } from '../../src/contract/operations.ts'
import {
  Acknowledgements,
  expectEffects,
  expectGuides,
  expectPairs,
  expectRepeats,
} from '../harness/acknowledgements.ts'
import { dataFolder, removeDataFolders } from '../harness/data-folder.ts'
import type { Place } from '../harness/embedded.ts'
import { HttpClient } from '../harness/http-client.ts'
import { killProcesses, type ServedProcess, startProcess } from '../harness/process.ts'
import type { Answer } from '../harness/reply.ts'

const ROUNDS = Number(process.env['MEMGOV_KILL_ROUNDS'] ?? 20)
const WRITERS = 16
const SCOPES = 4
/** Small bounds, so that every round meets eviction, snapshots, compaction and new segments. */
const BOUNDS = [
  '--resident-actors-max',
  '2',
  '--snapshot-min-bytes',
  '4096',
  '--segment-bytes',
  '65536',
  '--worker-memories-min',
  '100',
  '--log-level',
  'warn',
]

afterAll(async () => {
  await killProcesses()
  removeDataFolders()
})

const PLACES: readonly Place[] = Array.from({ length: SCOPES }, (_, scope) => ({
  tenant_id: 'kill',
  scope: `scope-${scope}`,
}))

/** Writes, asks, gives feedback and suppresses until the connection breaks; notes every acknowledgement. */
class Writer {
  readonly known: Acknowledgements
  readonly #client: HttpClient
  readonly #place: Place
  readonly #name: string
  #steps = 0

  constructor(client: HttpClient, known: Acknowledgements, place: Place, name: string) {
    this.#client = client
    this.known = known
    this.#place = place
    this.#name = name
  }

  async run(): Promise<void> {
    for (let isUp = true; isUp; ) {
      this.#steps += 1
      isUp = (await this.#observe()) && (await this.#guide())
    }
  }

  async #observe(): Promise<boolean> {
    const name = `${this.#name}-${this.#steps}`
    const texts = [`Login test ${name}, first half.`, `Login test ${name}, second half.`] as const
    const clientIds = [`${name}-a`, `${name}-b`] as const
    const nodes = texts.map((text, index) => ({ text, client_id: clientIds[index] }))
    const answer = await this.#send('observe', `observe-${name}`, { nodes })
    this.known.pairs.push({ place: this.#place, clientIds, texts, ids: answer?.memory_ids ?? null })
    return answer !== null
  }

  async #guide(): Promise<boolean> {
    const name = `${this.#name}-${this.#steps}`
    const query = { query_text: `login test ${name}`, run_id: `run-${name}`, limit: 20 }
    const answer = await this.#send('guide', `guide-${name}`, query)
    if (answer === null) return false
    const { guide_trace_id: trace, agent_context: context } = answer
    this.known.guides.push({ place: this.#place, trace, ids: context.memory_ids })
    const id = context.memory_ids[this.#steps % Math.max(1, context.memory_ids.length)]
    if (id === undefined) return true
    return this.#steps % 3 === 0 ? this.#suppress(name, id) : this.#feedback(name, trace, id)
  }

  async #feedback(name: string, trace: string, id: string): Promise<boolean> {
    const run = `feedback-${name}`
    const answer = await this.#send('feedback', run, {
      reason: 'it was so',
      run_id: run,
      outcome: 'neutral',
      used_surface: 'use_now',
      guide_trace_id: trace,
      used_memory_ids: [id],
    })
    if (answer !== null) this.known.feedbacks.push({ place: this.#place, id })
    return answer !== null
  }

  async #suppress(name: string, id: string): Promise<boolean> {
    const body = { operation: 'suppress', target: 'memory', reason: 'for good', memory_ids: [id] }
    const answer = await this.#send('forget', `suppress-${name}`, body)
    if (answer !== null) this.known.suppressed.push({ place: this.#place, id })
    return answer !== null
  }

  /** Null when no acknowledgement came: the process is gone, or says that it is going. */
  async #send<Name extends OperationName>(
    operation: Name,
    operation_id: string,
    fields: object,
  ): Promise<Answer<Name> | null> {
    const body = { ...this.#place, operation_id, ...fields }
    try {
      const reply = await this.#client.call(operation, body)
      if (reply.refusal !== null) {
        expect(reply.refusal.error).toBe('shutting_down')
        this.known.sent.push({ operation, body, reply: null })
        return null
      }
      this.known.sent.push({ operation, body, reply })
      return reply.answer
    } catch (error) {
      if (!isBrokenConnection(error)) throw error
      this.known.sent.push({ operation, body, reply: null })
      return null
    }
  }
}

function isBrokenConnection(error: unknown): boolean {
  const codes = [
    'UND_ERR_SOCKET',
    'ECONNRESET',
    'ECONNREFUSED',
    'EPIPE',
    'UND_ERR_DESTROYED',
    'UND_ERR_CLOSED',
  ]
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Writers at work until the process is killed, at some moment, or in the middle of its shutdown. */
async function work(served: ServedProcess, round: number): Promise<Acknowledgements> {
  const client = new HttpClient(served.url, WRITERS)
  const known = new Acknowledgements()
  const writers = Array.from({ length: WRITERS }, (_, index) => {
    const place = PLACES[index % PLACES.length] ?? { tenant_id: 'kill', scope: 'none' }
    return new Writer(client, known, place, `r${round}w${index}`).run()
  })
  await elapsed(randomInt(20, 300))
  if (round % 4 === 3) {
    served.signal('SIGTERM')
    await elapsed(randomInt(0, 40))
  }
  served.signal('SIGKILL')
  await served.exited
  await Promise.all(writers)
  await client.close()
  return known
}

async function verify(served: ServedProcess, known: Acknowledgements): Promise<void> {
  const client = new HttpClient(served.url, WRITERS)
  await expectPairs(client, known.pairs)
  await expectEffects(client, known)
  await expectGuides(client, known)
  await expectRepeats(client, known.sent)
  await client.close()
}

test('what was acknowledged survives kill -9 at any moment, and nothing is there by half', {
  timeout: 600_000,
}, async () => {
  const dir = dataFolder()
  const all: Acknowledgements[] = []
  let acknowledged = 0
  let served = await startProcess(dir, BOUNDS)
  for (let round = 0; round < ROUNDS; round += 1) {
    const known = await work(served, round)
    acknowledged += known.sent.filter((each) => each.reply !== null).length
    served = await startProcess(dir, BOUNDS)
    await verify(served, known)
    all.push(known)
  }
  // What the first rounds wrote has lived through all the others.
  for (const known of all.slice(0, 3)) await verify(served, known)
  served.signal('SIGTERM')
  expect(await served.exited).toEqual({ code: 0, signal: null })
  expect(served.stderr()).toBe('')
  expect(acknowledged).toBeGreaterThan(ROUNDS * 5)
})
