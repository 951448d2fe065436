import assert from 'node:assert/strict'
import type { Place } from '../embedded.ts'
import type { AnyNode } from './any-node.ts'

/** So many, so that a node which is away had some of them. */
const SCOPES = 8

/**
 * Scopes that nobody asks for but this. While a node is away they are written to at the others, and it is asked for them
 * before it wakes: whoever has lost a scope without knowing learns so from its next write, and here a read comes first.
 */
export class QuietScopes {
  /** Part of the names of these scopes, and of no other. */
  readonly name = 'quiet-'
  readonly places: readonly Place[]
  readonly #client: AnyNode
  readonly #written = new Map<Place, string>()
  #reads: Promise<unknown>[] = []
  #tries = 0

  /** `placeOf`: the place of a scope of this name. */
  constructor(client: AnyNode, placeOf: (scope: string) => Place) {
    this.#client = client
    this.places = Array.from({ length: SCOPES }, (_, index) => placeOf(`${this.name}${index}`))
  }

  async write(): Promise<void> {
    const written = this.places.map(async (place) => {
      const name = `${place.scope}, ${this.#written.has(place) ? 'once more' : 'first'}`
      const { answer, text } = await this.#client.call('observe', {
        ...place,
        input_text: `Written to ${name}.`,
        operation_id: name,
      })
      assert.ok(answer !== null, text)
      this.#written.set(place, answer.memory_ids[0] ?? '')
    })
    await Promise.all(written)
  }

  /** One write to each, which nobody repeats. @param node who is asked; any, unless it is named */
  async tryOnce(node?: number): Promise<void> {
    const name = `Try ${(this.#tries += 1)}`
    const tried = this.places.map((place) =>
      this.#client
        .once('observe', { ...place, input_text: `${name} in ${place.scope}.` }, node)
        .catch(() => null),
    )
    await Promise.all(tried)
  }

  /** Whoever has each by now answers what was written to it. */
  async read(): Promise<void> {
    const read = this.places.map(async (place) => {
      const { refusal, text } = await this.#client.call('resolve', this.#lastOf(place))
      assert.equal(refusal, null, `what was written is not there: ${text}`)
    })
    await Promise.all(read)
  }

  /** The answers may come much later. */
  ask(node: number): void {
    const asked = this.places.map(async (place) => {
      const reply = await this.#client.once('resolve', this.#lastOf(place), node).catch(() => null)
      if (reply === null || [421, 503].includes(reply.refusal?.status ?? 0)) return
      assert.equal(reply.refusal, null, `what was written while a node was away is not there: ${reply.text}`)
    })
    this.#reads.push(...asked)
    // Until somebody waits for them.
    for (const each of asked) each.catch(() => undefined)
  }

  async expectFresh(): Promise<void> {
    await Promise.all(this.#reads)
    this.#reads = []
  }

  #lastOf(place: Place) {
    return { ...place, uri: `svc://${place.tenant_id}/${place.scope}/memory/${this.#written.get(place)}` }
  }
}
