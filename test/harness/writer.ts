import assert from 'node:assert/strict'
import { setTimeout as elapsed } from 'node:timers/promises'
import type { OperationName } from '../../src/contract/operations.ts'
import type { Acknowledgements } from './acknowledgements.ts'
import type { Place } from './embedded.ts'
import type { Client } from './http-client.ts'
import type { Answer, Reply } from './reply.ts'

/** How hard a writer works. */
export interface Pace {
  /** Between two steps; 0: none. */
  readonly pauseMs: number
  /** A memory is written and erased in every so manieth step; 0: never. */
  readonly eraseEvery: number
  /** The writer ends after so many steps; null: when the service does. */
  readonly stepsMax: number | null
}

/** After these refusals a writer ends; whether the write happened is open. */
const ENDINGS = ['shutting_down', 'storage_read_only']

/** Writes, asks, gives feedback and suppresses until the connection breaks; notes every acknowledgement. */
export class Writer {
  readonly known: Acknowledgements
  readonly #client: Client
  readonly #place: Place
  readonly #name: string
  readonly #pace: Pace
  #steps = 0

  constructor(client: Client, known: Acknowledgements, place: Place, name: string, pace: Pace) {
    this.#client = client
    this.known = known
    this.#place = place
    this.#name = name
    this.#pace = pace
  }

  async run(): Promise<void> {
    const { stepsMax } = this.#pace
    for (let isUp = true; isUp && (stepsMax === null || this.#steps < stepsMax); ) {
      this.#steps += 1
      isUp = (await this.#observe()) && (await this.#guide())
      const { pauseMs, eraseEvery } = this.#pace
      if (isUp && eraseEvery > 0 && this.#steps % eraseEvery === 0) isUp = await this.#erase()
      if (pauseMs > 0) await elapsed(pauseMs)
    }
  }

  /** The victim has a scope of its own: no guide shows it and no repeat asks for it. */
  async #erase(): Promise<boolean> {
    const place = { ...this.#place, scope: `${this.#place.scope}-erased` }
    const name = `${this.#name}-${this.#steps}`
    const text = `Victim ${name}.`
    const written = await this.#send('observe', `victim-${name}`, { input_text: text }, place)
    const id = written?.memory_ids[0]
    if (id === undefined) return written !== null
    const answer = await this.#send(
      'erase',
      `erase-${name}`,
      { reason: 'asked for', memory_ids: [id] },
      place,
    )
    if (answer !== null) this.known.erased.push({ place, id, text })
    return answer !== null
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
    victims: Place | null = null,
  ): Promise<Answer<Name> | null> {
    const body = { ...(victims ?? this.#place), operation_id, ...fields }
    const note = (reply: Reply<Name> | null) => {
      if (victims === null) this.known.sent.push({ operation, body, reply })
    }
    try {
      const reply = await this.#client.call(operation, body)
      if (reply.refusal !== null) {
        assert.ok(ENDINGS.includes(reply.refusal.error), reply.text)
        note(null)
        return null
      }
      note(reply)
      return reply.answer
    } catch (error) {
      if (!isBrokenConnection(error)) throw error
      note(null)
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
