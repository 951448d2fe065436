import assert from 'node:assert/strict'
import { setTimeout as elapsed } from 'node:timers/promises'
import type { Place } from '../embedded.ts'
import type { AnyNode } from './any-node.ts'

/** Writes without an operation id, each sent once: whatever the nodes do among themselves, it is there once or not at all. */
export class SingleTries {
  readonly #client: AnyNode
  readonly #places: readonly Place[]
  readonly #texts = new Map<string, boolean>()

  constructor(client: AnyNode, places: readonly Place[]) {
    this.#client = client
    this.#places = places
  }

  /** Until the client is stopped. */
  async run(): Promise<void> {
    const writer = async (name: number): Promise<void> => {
      for (let step = 0; !this.#client.isStopped; step += 1) {
        const place = this.#places[step % this.#places.length]
        const text = `Single try ${name} ${step} in ${place?.scope}.`
        const reply = await this.#client.once('observe', { ...place, input_text: text }).catch(() => null)
        this.#texts.set(text, reply?.answer !== null && reply !== null)
        await elapsed(6)
      }
    }
    await Promise.all([writer(1), writer(2)])
  }

  expectOnce(counts: ReadonlyMap<string, number>): void {
    for (const [text, isAcknowledged] of this.#texts) {
      const count = counts.get(text) ?? 0
      if (isAcknowledged) assert.equal(count, 1, `acknowledged, and there ${count} times: ${text}`)
      else assert.ok(count <= 1, `sent once, and there ${count} times: ${text}`)
    }
  }
}
