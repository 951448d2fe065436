import assert from 'node:assert/strict'
import { setTimeout as elapsed } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  Acknowledgements,
  expectEffects,
  expectGuides,
  expectPairs,
  expectRepeats,
} from '../acknowledgements.ts'
import type { Place } from '../embedded.ts'
import { Writer } from '../writer.ts'
import { AnyNode } from './any-node.ts'
import { FAULTS, type Fault, type FaultName } from './faults.ts'
import { type NodeLaunch, Nodes } from './nodes.ts'
import { QuietScopes } from './quiet-scopes.ts'
import { SingleTries } from './single-tries.ts'

const TENANT = 'pair'
const READERS = 6
const PACE = { pauseMs: 4, eraseEvery: 0, stepsMax: null }
/** How often it is looked whether what a round has written is settled. */
const LOOKS_MAX = 20

export interface RoundOptions {
  readonly writers: number
  readonly scopes: number
  /** Time of work before and after the fault. */
  readonly workMs: number
}

/** What one round has seen. */
export interface RoundResult {
  readonly fault: string
  readonly requests: number
  readonly writes: number
  readonly guides: number
  readonly reads: number
  readonly tries: number
  readonly refusedTries: number
  readonly cuts: number
  /** The longest time that one request took with all its tries. */
  readonly gapMs: number
}

/** Nodes on one database to which things happen, with writers and readers outside who know what was acknowledged. */
export class ClusterRounds {
  readonly nodes: Nodes
  readonly #options: RoundOptions
  readonly #kept: Acknowledgements[] = []
  #rounds = 0

  private constructor(nodes: Nodes, options: RoundOptions) {
    this.nodes = nodes
    this.#options = options
  }

  static async start(
    options: RoundOptions,
    launches: readonly NodeLaunch[],
    settings: readonly string[] = [],
  ): Promise<ClusterRounds> {
    return new ClusterRounds(await Nodes.start(launches, settings), options)
  }

  /** Writers and readers at work while something happens; then a look whether all that was acknowledged is there once. */
  round(fault: FaultName): Promise<RoundResult> {
    return this.during(fault, FAULTS[fault])
  }

  /** The same for anything else that may happen. */
  async during(fault: string, happens: Fault): Promise<RoundResult> {
    this.#rounds += 1
    const { writers, scopes, workMs } = this.#options
    const known = new Acknowledgements()
    const client = new AnyNode(this.#urls)
    const places = Array.from({ length: scopes }, (_, index) => placeOf(`r${this.#rounds}-${index}`))
    const single = new SingleTries(client, places)
    const work = Array.from({ length: writers }, (_, index) => {
      const place = places[index % scopes] ?? placeOf('none')
      return new Writer(client, known, place, `r${this.#rounds}w${index}`, PACE).run()
    })
    const working = Promise.all([readersOf(client, known), single.run(), ...work])
    const cutsBefore = this.#cuts
    const quiet = new QuietScopes(client, (name) => placeOf(`r${this.#rounds}-${name}`))
    try {
      await endedBy(working, elapsed(workMs))
      await endedBy(working, this.#befall(happens, places[0], quiet))
      await endedBy(working, elapsed(workMs))
    } finally {
      client.stop()
    }
    const [readCount] = await working
    await this.#expectWhole(known, single)
    const { tries, refusedTries, longestMs: gapMs } = client
    await client.close()
    if (this.#kept.length < 3) this.#kept.push(known)
    return {
      fault,
      requests: known.sent.length,
      writes: known.pairs.filter(({ ids }) => ids !== null).length,
      guides: known.guides.length,
      reads: readCount,
      tries,
      refusedTries,
      cuts: this.#cuts - cutsBefore,
      gapMs,
    }
  }

  async #befall(happens: Fault, place: Place | undefined, quiet: QuietScopes): Promise<void> {
    await quiet.write()
    const owner = await this.#ownerOf(place)
    await happens(this.nodes, owner, quiet)
    await quiet.expectFresh()
    await this.#expectStored(quiet)
  }

  /**
   * What the nodes know of the scopes is what the database holds: each turn wrote one memory, no two the same. A write whose client has given up
   * may still be under way; then it is looked at again.
   */
  async #expectStored(quiet: QuietScopes): Promise<void> {
    const client = new AnyNode(this.#urls)
    let before = await this.#storedTurns(quiet)
    for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
      const known = await listed(client, quiet.places)
      const turns = await this.#storedTurns(quiet)
      if (isDeepStrictEqual(turns, before)) {
        for (const [scope, items] of known) {
          assert.equal(
            turns.get(scope),
            items.length,
            `${scope}: stored turns, and memories that its node knows`,
          )
          const texts = items.map(({ text }) => text)
          assert.equal(new Set(texts).size, texts.length, `sent once, and there twice: ${texts.join(' ')}`)
        }
        return await client.close()
      }
      before = turns
    }
    assert.fail('turns are still being stored')
  }

  async #storedTurns({ name }: QuietScopes): Promise<ReadonlyMap<string | undefined, unknown>> {
    const stored = await this.nodes.database.sql(
      'select actor, count(*)::int as turns from memgov.turn where actor like $1 group by actor',
      [`%/r${this.#rounds}-${name}%`],
    )
    return new Map(stored.map((row) => [String(row['actor']).split('/').at(-1), row['turns']]))
  }

  /** What nodes that know nothing read from the database is what the living ones answered. Then a look at the first rounds. */
  async finish(): Promise<void> {
    const client = new AnyNode(this.#urls)
    const places = [...new Set(this.#kept.flatMap(({ pairs }) => pairs.map(({ place }) => place)))]
    const live = await listed(client, places)
    await Promise.all(this.nodes.all.map((node) => node.end('SIGKILL')))
    await Promise.all(this.nodes.all.map((node) => node.start()))
    assert.deepEqual(await listed(client, places), live, 'replay gives what the live nodes answered')
    for (const known of this.#kept) await expectAcknowledged(client, known)
    await client.close()
  }

  get #urls(): readonly string[] {
    return this.nodes.all.map(({ url }) => url)
  }

  get #cuts(): number {
    return this.nodes.all.reduce((sum, { link }) => sum + link.cuts, 0)
  }

  async #ownerOf(place: Place | undefined) {
    const owner = place === undefined ? null : await this.nodes.ownerOf(place.tenant_id, place.scope)
    const [first] = this.nodes.all
    assert.ok(first !== undefined)
    return owner ?? first
  }

  async #expectWhole(known: Acknowledgements, single: SingleTries): Promise<void> {
    const client = new AnyNode(this.#urls)
    await expectAcknowledged(client, known)
    const texts = await textsOf(client, [...new Set(known.pairs.map(({ place }) => place))])
    for (const [text, count] of texts) assert.equal(count, 1, `${text} is there ${count} times`)
    single.expectOnce(texts)
    const gaps = await this.nodes.database.sql(
      `select actor from memgov.turn group by actor having count(*) <> max(seq) - min(seq) + 1`,
    )
    assert.deepEqual(gaps, [], 'turns are dense')
    await client.close()
  }
}

/** Waits for a step of a round. What a writer or reader finds wrong meanwhile ends the round, once the step has ended too. */
async function endedBy(working: Promise<unknown>, step: Promise<unknown>): Promise<void> {
  try {
    await Promise.race([step, working])
  } finally {
    await step
  }
}

function placeOf(scope: string): Place {
  return { tenant_id: TENANT, scope }
}

async function expectAcknowledged(client: AnyNode, known: Acknowledgements): Promise<void> {
  await expectPairs(client, known.pairs)
  await expectEffects(client, known)
  await expectGuides(client, known)
  await expectRepeats(client, known.sent)
}

/** Readers of what was acknowledged before they ask, by any node. Resolves with how often one was answered. */
async function readersOf(client: AnyNode, known: Acknowledgements): Promise<number> {
  let reads = 0
  const reader = async (): Promise<void> => {
    for (;;) {
      const pair = known.pairs.findLast(({ ids }) => ids !== null)
      if (pair === undefined) {
        await elapsed(5)
        continue
      }
      const id = pair.ids?.[1] ?? ''
      const uri = `svc://${pair.place.tenant_id}/${pair.place.scope}/memory/${id}`
      try {
        const { refusal, text } = await client.call('resolve', { ...pair.place, uri })
        assert.equal(refusal, null, `what was acknowledged is not there: ${text}`)
        reads += 1
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') return
        throw error
      }
      await elapsed(1)
    }
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  return reads
}

/** How often each text is there. */
async function textsOf(client: AnyNode, places: readonly Place[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const items of (await listed(client, places)).values()) {
    for (const { text } of items) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

async function listed(client: AnyNode, places: readonly Place[]) {
  const pages = new Map<string, { readonly text: string }[]>()
  for (const place of places) {
    const items: { readonly text: string }[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const sent = { ...place, limit: 200, ...(cursor === undefined ? {} : { cursor }) }
      const { answer, text } = await client.call('listMemories', sent)
      assert.ok(answer !== null, text)
      items.push(...answer.items.map((item) => ({ ...item, text: String(item.text) })))
      cursor = answer.next_cursor
    }
    pages.set(place.scope, items)
  }
  return pages
}
