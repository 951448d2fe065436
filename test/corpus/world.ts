// Every answer is recorded as a hash, byte for byte as a caller reads it, and with it the state digest of each actor, the
// turns that the journal got (their payloads: segment headers hold a random salt), and the files of snapshots, ledger and
// recall indexes. Requests are drawn from a seed and from earlier answers alone, and sent one after the other.

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { FORMAT_FILE, formatText } from '../../src/adapters/journal/layout.ts'
import { dataFolder, filesBelow } from '../harness/data-folder.ts'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'
import { ASKS } from './asks.ts'
import { isJson, Known, type Request } from './known.ts'
import { loopOf } from './loops.ts'
import type { Ask } from './naming.ts'
import { Random } from './random.ts'
import { refusable } from './spoilt.ts'

type Config = NonNullable<NonNullable<Parameters<typeof startEmbedded>[0]>['config']>
type Operation = Parameters<Embedded['call']>[0]

/** One service with a data folder of its own, and how it differs from the others. */
export interface World {
  readonly name: string
  readonly config: Config
  /** How far the clock goes on between two requests, at most. */
  readonly stepMsMax: number
  /** The disk is flushed by a timer, so that what an erasure finds there is not the same twice: none is asked. */
  readonly isTimed?: true
  /** Whether requests come several at once, more than one mailbox takes. */
  readonly isCrowded?: true
}

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

export const WORLDS: readonly World[] = [
  { name: 'plain', config: {}, stepMsMax: 60 * SECOND_MS },
  {
    name: 'evicting',
    config: { residentActorsMax: 1, snapshotMinBytes: 4096 },
    stepMsMax: 60 * SECOND_MS,
  },
  {
    name: 'interval',
    config: { durability: 'interval', intervalMs: 1 },
    stepMsMax: 60 * SECOND_MS,
    isTimed: true,
  },
  {
    name: 'in workers',
    config: { workerMemoriesMin: 20, inlineRankMaxNs: 0, snapshotMinBytes: 16_384 },
    stepMsMax: 5 * SECOND_MS,
  },
  { name: 'held out', config: { holdoutPercent: 50 }, stepMsMax: 60 * SECOND_MS },
  {
    name: 'small segments',
    config: { segmentBytes: 65_536, padTo: 512, journalChain: 'sha256', snapshotMinBytes: 16_384 },
    stepMsMax: 60 * SECOND_MS,
  },
  { name: 'long', config: { exposureRetentionDays: 1 }, stepMsMax: 2 * HOUR_MS },
  { name: 'crowded', config: { mailboxDepthMax: 1 }, stepMsMax: SECOND_MS, isCrowded: true },
]

/** Requests of one world. */
export const REQUESTS = 400
const BLOCK = 50
/** Blocks between two restarts. */
const RESTART_BLOCKS = 2
const REFUSABLE_SHARE = 0.1
/** How often a loop of a run begins. */
const LOOP_SHARE = 0.02
/** Rules of refusals that a world gets to, about. */
const TURNS = 20
const KEYED_SHARE = 0.12
const BURST = 4

const PLACES = [
  ['shop', 'web'],
  ['shop', 'project/ä b'],
  ['other', 'web'],
] as const

export interface Entry {
  readonly request: Request
  /** `ok`, or the code of the refusal. */
  readonly outcome: string
  /** The JSON text that a caller would read, but for what the machine decides: see `recorded`. */
  readonly text: string
}

export interface Recording {
  /** Called for each request, with its number in the world. */
  readonly seen: (entry: Entry, number: number) => void
  /** Called for each line of the recording, requests and digests alike. */
  readonly line: (line: string) => void
}

/** The first 16 hex digits of SHA-256. */
function short(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

/** Sends all requests of a world, one after the other, and records what comes back. */
export async function record(world: World, seed: number, recording: Recording): Promise<void> {
  const dir = dataFolder()
  // Snapshots say which store they are of, by a name that a new store draws.
  writeFileSync(join(dir, FORMAT_FILE), formatText('c'.repeat(32)))
  await new Recorder(world, seed, recording, await startEmbedded({ dir, config: world.config })).run()
}

class Recorder {
  readonly #world: World
  readonly #random: Random
  readonly #recording: Recording
  readonly #embedded: Embedded
  readonly #places = PLACES.map(([tenantId, scope]) => new Known(tenantId, scope))
  /** Turns of each actor that are in the hash already. */
  readonly #hashedSeqs = new Map<string, number>()
  /** Requests of a loop that has begun, in the scope of the latest one. */
  readonly #planned: Ask[] = []
  #latest = this.#places[0] ?? new Known('shop', 'web')
  /** The rule that comes next among the refusals; each world begins with others. */
  #turn: number
  #number = 0

  constructor(world: World, seed: number, recording: Recording, embedded: Embedded) {
    this.#world = world
    this.#random = new Random(seed)
    this.#turn = seed * TURNS
    this.#recording = recording
    this.#embedded = embedded
  }

  async run(): Promise<void> {
    for (let block = 1; this.#number < REQUESTS; block += 1) {
      while (this.#number < Math.min(REQUESTS, block * BLOCK)) await this.#step()
      await this.#digests()
      if (block % RESTART_BLOCKS === 0) await this.#restart()
    }
    await this.#kept()
    await this.#embedded.close()
    for (const known of this.#places)
      await this.#send(known, { operation: 'guide', body: { query_text: 'x' } })
    this.#files()
  }

  async #step(): Promise<void> {
    const random = this.#random
    const known =
      this.#planned.length > 0
        ? this.#latest
        : random.weighed(this.#places.map((place, at) => [3 - at, place] as const))
    this.#latest = known
    this.#embedded.clock.advance(random.below(this.#world.stepMsMax))
    const isBurst = this.#world.isCrowded === true && random.isIn(0.05)
    const requests = isBurst
      ? Array.from({ length: BURST }, (_, at) => burst(at, known))
      : [this.#request(random, known)]
    // Only an actor in memory refuses at once, and the same ones each time.
    if (isBurst) await this.#embedded.digest(known.place)
    if (requests.some(({ operation }) => operation === 'erase')) {
      // What an erasure removes from the disk depends on what lies there: nothing may be under way.
      await this.#turns()
      await this.#restart()
    }
    const entries = await Promise.all(requests.map((request) => this.#answered(request)))
    for (const entry of entries) this.#record(known, entry)
  }

  #ask(random: Random): Ask {
    const planned = this.#planned.shift()
    if (planned !== undefined) return planned
    if (random.isIn(LOOP_SHARE)) this.#planned.push(...loopOf(random, this.#number))
    return random.isIn(REFUSABLE_SHARE) ? refusable(random, this.#turn++) : random.weighed(ASKS)
  }

  #request(random: Random, known: Known): Request {
    const asked = this.#ask(random)(random, known)
    const isLeftOut = asked.operation === 'erase' && this.#world.isTimed === true
    const { operation, body, key } = isLeftOut ? { operation: 'health', body: {} } : asked
    const isWhole = isJson(body)
    const placed = isWhole ? { ...known.place, ...body } : body
    const isKeyed = key === undefined && isWhole && random.isIn(KEYED_SHARE)
    if (!isKeyed) return { operation, body: placed, ...(key === undefined ? {} : { key }) }
    const own = `op-${this.#number}-${random.below(1000)}`
    return random.isIn(0.5) && isJson(placed)
      ? { operation, body: { ...placed, operation_id: own } }
      : { operation, body: placed, key: own }
  }

  async #send(known: Known, request: Request): Promise<void> {
    this.#record(known, await this.#answered(request))
  }

  async #answered(request: Request): Promise<Entry> {
    const { operation, body, key } = request
    try {
      const reply = await this.#embedded.call(operation as Operation, body, key)
      const outcome = reply.refusal === null ? 'ok' : reply.refusal.error
      return { request, outcome, text: outcome === 'ok' ? recorded(operation, reply.text) : reply.text }
    } catch (error) {
      // A fault, or an answer that its schema does not take.
      return { request, outcome: 'internal_error', text: String(error) }
    }
  }

  #record(known: Known, entry: Entry): void {
    const { request, outcome, text } = entry
    this.#number += 1
    this.#recording.seen(entry, this.#number)
    this.#recording.line(`${this.#number} ${request.operation} ${outcome} ${short(text)}`)
    const answer: unknown = outcome === 'ok' ? JSON.parse(text) : null
    known.learn(request, isJson(answer) ? answer : null)
  }

  /** Resolves when nothing is under way. */
  async #restart(): Promise<void> {
    await this.#embedded.restart()
    await this.#embedded.erasuresResumed
  }

  /** State of every actor, and the turns that the journal has got since. */
  async #digests(): Promise<void> {
    for (const { place } of this.#places) {
      const digest = await this.#embedded.digest(place)
      this.#recording.line(`state ${keyOf(place)} ${digest}`)
    }
    await this.#turns()
  }

  /** What the journal has got since the last time, before it may go. */
  async #turns(): Promise<void> {
    for (const { place } of this.#places) {
      const key = keyOf(place)
      const last = await this.#turnsFrom('turns', key, (this.#hashedSeqs.get(key) ?? 0) + 1)
      if (last !== null) this.#hashedSeqs.set(key, last)
    }
  }

  /** What journal and history hold at the end, without what was erased. */
  async #kept(): Promise<void> {
    for (const { place } of this.#places) await this.#turnsFrom('kept', keyOf(place), 1)
  }

  /** The last turn of the actor; null when there was none from there on. */
  async #turnsFrom(word: string, key: string, from: number): Promise<number | null> {
    const hash = createHash('sha256')
    let last: number | null = null
    for await (const { actorSeq, payload } of this.#embedded.history.read(key, from, Infinity)) {
      hash.update(`${actorSeq} ${payload.length}\n`).update(payload)
      last = actorSeq
    }
    if (last !== null)
      this.#recording.line(`${word} ${key} ${from}-${last} ${hash.digest('hex').slice(0, 16)}`)
    return last
  }

  /** What lies on the disk at the end, but for journal and history: a salt in their headers is random. */
  #files(): void {
    const { dir } = this.#embedded
    for (const part of ['snap', 'ledger', 'idx']) {
      for (const path of filesBelow(join(dir, part))) {
        this.#recording.line(`file ${relative(dir, path)} ${short(readFileSync(path))}`)
      }
    }
  }
}

/**
 * The answer as it is recorded. How many files an erasure removes depends on how far snapshots and segments have got, and
 * so on the load of the machine: its counts are masked, their names and all else stay byte for byte.
 */
function recorded(operation: string, text: string): string {
  if (operation !== 'erase') return text
  return text.replace(/"purged":\{[^}]*\}/, (purged) => purged.replace(/\d+/g, '0'))
}

const burst = (at: number, { place }: Known): Request => ({
  operation: 'observe',
  body: { ...place, input_text: `Four agents write at once; this is number ${at}.` },
})

const keyOf = ({ tenant_id, scope }: Known['place']): string => `${tenant_id}/${scope}`
