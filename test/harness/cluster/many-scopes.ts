import { setTimeout as elapsed } from 'node:timers/promises'
import type { Place } from '../embedded.ts'
import type { BalancedClient } from './balanced-client.ts'

const TENANT = 'many'
/** What the first scope gets of all requests: its shard is hot. */
const HOT_SHARE = 0.02

export interface LoadOptions {
  readonly scopes: number
  readonly workers: number
  /** Between two requests of one worker. */
  readonly pauseMs: number
}

/** What came of everything that was sent. All of it has to be 0. */
export interface Faults {
  /** Acknowledged, and not there. */
  readonly lost: number
  /** There more than once. */
  readonly doubled: number
  /** Acknowledged, and a read that came later did not find it. */
  readonly stale: number
}

interface Sent {
  readonly text: string
  isAcknowledged: boolean
}

/** Writers and readers of many scopes, who know what was acknowledged. */
export class ManyScopes {
  readonly #client: BalancedClient
  readonly #options: LoadOptions
  readonly #places: readonly Place[]
  readonly #sent: readonly Sent[][]
  readonly #known: readonly string[][]
  #asked: number[]
  #stale = 0
  #steps = 0

  constructor(client: BalancedClient, options: LoadOptions) {
    this.#client = client
    this.#options = options
    this.#places = Array.from({ length: options.scopes }, (_, at) => ({
      tenant_id: TENANT,
      scope: `scope-${at}`,
    }))
    this.#sent = this.#places.map(() => [])
    this.#known = this.#places.map(() => [])
    this.#asked = this.#places.map(() => 0)
  }

  get acknowledged(): number {
    return this.#sent.flat().filter(({ isAcknowledged }) => isAcknowledged).length
  }

  /** Writes to every scope once. */
  async touch(): Promise<void> {
    const waiting = this.#places.map((_, at) => at)
    const worker = async () => {
      for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) await this.#observe(at)
    }
    await Promise.all(Array.from({ length: this.#options.workers }, worker))
  }

  /** Until the client is stopped. */
  async run(): Promise<void> {
    const worker = async (): Promise<void> => {
      while (!this.#client.isStopped) {
        const isHot = Math.random() < HOT_SHARE
        const at = isHot ? 0 : Math.floor(Math.random() * this.#options.scopes)
        await this.#step(at)
        await elapsed(this.#options.pauseMs)
      }
    }
    await Promise.all(Array.from({ length: this.#options.workers }, worker))
  }

  /** How often each actor was asked for since the last time. */
  takeAsked(): ReadonlyMap<string, number> {
    const asked = new Map(this.#places.map(({ scope }, at) => [`${TENANT}/${scope}`, this.#asked[at] ?? 0]))
    this.#asked = this.#places.map(() => 0)
    return asked
  }

  /** Reads every scope whole, and compares it with what was acknowledged. */
  async faults(): Promise<Faults> {
    let lost = 0
    let doubled = 0
    const waiting = this.#places.map((_, at) => at)
    const worker = async () => {
      for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
        const counts = await this.#countsOf(at)
        for (const { text, isAcknowledged } of this.#sent[at] ?? []) {
          const count = counts.get(text) ?? 0
          if (isAcknowledged && count === 0) lost += 1
          if (count > 1) doubled += 1
        }
      }
    }
    await Promise.all(Array.from({ length: this.#options.workers }, worker))
    return { lost, doubled, stale: this.#stale }
  }

  async #step(at: number): Promise<void> {
    const chance = Math.random()
    this.#asked[at] = (this.#asked[at] ?? 0) + 1
    if (chance < 0.5) await this.#observe(at)
    else if (chance < 0.6) await this.#observeOnce(at)
    else if (chance < 0.7) await this.#guide(at)
    else await this.#read(at)
  }

  async #observe(at: number): Promise<void> {
    const sent = this.#next(at, 'written')
    const body = { ...this.#places[at], input_text: sent.text, operation_id: sent.text }
    const reply = await this.#client.call('observe', body)
    if (reply === null) return
    if (reply.answer === null) throw new Error(reply.text)
    sent.isAcknowledged = true
    this.#known[at]?.push(...reply.answer.memory_ids)
  }

  /** Sent once, without an operation id: whatever the nodes do among themselves, it is there once or not at all. */
  async #observeOnce(at: number): Promise<void> {
    const sent = this.#next(at, 'tried once')
    const body = { ...this.#places[at], input_text: sent.text }
    const reply = await this.#client.once('observe', body).catch(() => null)
    sent.isAcknowledged = reply !== null && reply.answer !== null
  }

  async #guide(at: number): Promise<void> {
    this.#steps += 1
    const body = { ...this.#places[at], query_text: 'what was written', operation_id: `guide ${this.#steps}` }
    const reply = await this.#client.call('guide', body)
    if (reply !== null && reply.answer === null) throw new Error(reply.text)
  }

  async #read(at: number): Promise<void> {
    const place = this.#places[at]
    const id = this.#known[at]?.at(-1)
    if (place === undefined || id === undefined) return
    const uri = `svc://${place.tenant_id}/${place.scope}/memory/${id}`
    const reply = await this.#client.call('resolve', { ...place, uri })
    if (reply !== null && reply.refusal !== null) this.#stale += 1
  }

  #next(at: number, how: string): Sent {
    this.#steps += 1
    const sent = { text: `Fact ${this.#steps} of scope ${at}, ${how}.`, isAcknowledged: false }
    this.#sent[at]?.push(sent)
    return sent
  }

  async #countsOf(at: number): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>()
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = { ...this.#places[at], limit: 200, ...(cursor === undefined ? {} : { cursor }) }
      const reply = await this.#client.call('listMemories', page)
      if (reply?.answer === undefined || reply.answer === null) throw new Error(reply?.text ?? 'stopped')
      for (const { text } of reply.answer.items) counts.set(String(text), (counts.get(String(text)) ?? 0) + 1)
      cursor = reply.answer.next_cursor
    }
    return counts
  }
}
