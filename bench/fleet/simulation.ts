import { SHARDS } from '../../src/adapters/postgres/migrate.ts'
import { firstChoice } from '../../src/adapters/postgres/moves.ts'
import type { Kind } from '../load/mix.ts'
import { mulberry32 } from '../synthetic-text.ts'
import type { Constants } from './constants.ts'
import type { Load } from './load.ts'
import { Machine, Thread, Timeline } from './timeline.ts'

/** What is simulated. */
export interface Fleet {
  readonly nodes: number
  readonly constants: Constants
  /** Cores of the machine of each node, and of that of the database; null: all of them and whoever asks share these. */
  readonly cores: { readonly node: number; readonly database: number } | { readonly shared: number }
  /** One way between two machines. */
  readonly wireMs: number
  readonly leaseMs: number
  readonly seed: number
}

/** One request from when it was sent first to its answer. */
export interface Answered {
  readonly node: number
  readonly askedMs: number
  readonly answeredMs: number
  /** Its scope was on a node that died. */
  readonly wasOrphaned: boolean
}

// Numbers of the product: `src/adapters/postgres/database.ts`, `src/edges/http/hop/routing.ts`, `src/core/base/errors.ts`.
const APPENDS = 12
const TRIES_MAX = 6
const TRY_PAUSE_MS = 100
const REFUSED_PAUSE_MS = 1_000
/** A client that met a closed connection asks another node. */
const RECONNECT_MS = 40
/**
 * Of the work of a request what follows while the database stores its turn, the state and the indexes, by a profile of each kind; and
 * what follows when that is done, the answer.
 */
export const BESIDE_SHARE: Readonly<Record<Kind, number>> = { guide: 0.06, observe: 0.23, feedback: 0.1 }
const AFTER_SHARE = 0.3
/** A try that meets nobody takes so much of a hop. */
const TRY_SHARE = 0.3

interface Request {
  readonly kind: Kind
  readonly scope: number
  readonly askedMs: number
  readonly done: (answered: Answered) => void
  wasOrphaned: boolean
}

interface ShardState {
  owner: number
  isWriting: boolean
  waiting: (() => void)[]
  /** Who waits until somebody has it; null: nobody takes it now. */
  taking: (() => void)[] | null
  /** Whoever has it now has loaded only some of its scopes. */
  hasMoved: boolean
}

/** Nodes, their database and clients, over simulated time. */
export class Simulation {
  readonly timeline = new Timeline()
  readonly database: Machine
  readonly threads: readonly Thread[]
  commits = 0
  loads = 0
  readonly #fleet: Fleet
  readonly #machines: readonly Machine[]
  readonly #client: Thread | null
  readonly #random: () => number
  readonly #shards: readonly ShardState[]
  readonly #connections: { free: number; readonly waiting: (() => void)[] }[]
  /** The node that has a scope in memory, and who waits for its load. */
  readonly #resident = new Map<number, number>()
  readonly #loading = new Map<number, (() => void)[]>()
  #flushed: (() => void)[] | null = null
  #toFlush: (() => void)[] = []
  #dead = -1
  #freeFromMs = Number.POSITIVE_INFINITY

  constructor(fleet: Fleet) {
    this.#fleet = fleet
    const { cores, nodes, seed } = fleet
    const each = Array.from({ length: nodes })
    const shared = 'shared' in cores ? new Machine(this.timeline, cores.shared) : null
    this.#machines = each.map(() => shared ?? new Machine(this.timeline, 'node' in cores ? cores.node : 1))
    this.database = shared ?? new Machine(this.timeline, 'database' in cores ? cores.database : 1)
    this.#client = shared === null ? null : new Thread(shared)
    this.threads = this.#machines.map((machine) => new Thread(machine, fleet.constants.wake))
    this.#random = mulberry32(seed)
    const names = each.map(() => this.#random().toString(36))
    this.#shards = Array.from({ length: SHARDS }, (_, shard) => ({
      owner: names.indexOf(firstChoice(shard, names) ?? ''),
      isWriting: false,
      waiting: [],
      taking: null,
      hasMoved: false,
    }))
    this.#connections = each.map(() => ({ free: APPENDS, waiting: [] }))
  }

  /** The node that has the scope now. */
  ownerOf(scope: number): number {
    return this.#shardOf(scope).owner
  }

  /** Sends a request of a load to any node. */
  ask({ kind, scope }: ReturnType<Load['next']>, done: (answered: Answered) => void): void {
    this.#sent({ kind, scope, askedMs: this.timeline.nowMs, done, wasOrphaned: false })
  }

  /** A node dies; its shards are free when its lease has ended, which was renewed within the last third of it. */
  kill(node: number): void {
    const { leaseMs } = this.#fleet
    this.#dead = node
    this.#freeFromMs = this.timeline.nowMs + leaseMs * (2 / 3 + this.#random() / 3)
    for (const shard of this.#shards) {
      if (shard.owner !== node) continue
      for (const each of shard.waiting.splice(0)) each()
    }
  }

  get freeFromMs(): number {
    return this.#freeFromMs
  }

  #shardOf(scope: number): ShardState {
    const hash = Math.imul(scope + 1, 0x9e3779b1) >>> 0
    const shard = this.#shards[((hash ^ (hash >>> 15)) >>> 0) % SHARDS]
    if (shard === undefined) throw new Error('there are no shards')
    return shard
  }

  #over(wireMs: number, action: () => void): void {
    if (wireMs > 0) this.timeline.after(wireMs, action)
    else action()
  }

  #sent(request: Request): void {
    const arrive = () => this.#arrived(request, Math.floor(this.#random() * this.#fleet.nodes))
    if (this.#client === null) this.#over(this.#fleet.wireMs, arrive)
    else this.#client.run(this.#fleet.constants.asked / 2, arrive)
  }

  #arrived(request: Request, node: number): void {
    if (node === this.#dead) return this.#again(request, RECONNECT_MS)
    this.#tried(request, node, 1)
  }

  #again(request: Request, pauseMs: number): void {
    this.timeline.after(pauseMs, () => this.#sent(request))
  }

  /** Carries it out here, sends it on, or waits for an owner that lives. */
  #tried(request: Request, node: number, tries: number): void {
    const { constants, wireMs } = this.#fleet
    const shard = this.#shardOf(request.scope)
    const thread = this.#thread(node)
    if (shard.owner === node) return this.#served(request, node, 0, () => this.#answered(request, node))
    if (shard.owner !== this.#dead) {
      const { owner } = shard
      const back = () => thread.run(constants.hopOut / 2, () => this.#answered(request, node))
      const wayMs = wireMs + constants.hopWait / 2
      const there = () => this.#served(request, owner, constants.hopIn, () => this.#over(wayMs, back))
      return thread.run(constants.hopOut / 2, () => this.#over(wayMs, there))
    }
    request.wasOrphaned = true
    if (this.timeline.nowMs >= this.#freeFromMs) {
      return this.#taken(shard, node, () => this.#tried(request, node, tries))
    }
    thread.run(constants.hopOut * TRY_SHARE, () => {
      if (tries === TRIES_MAX) this.#again(request, REFUSED_PAUSE_MS)
      else this.timeline.after(TRY_PAUSE_MS, () => this.#tried(request, node, tries + 1))
    })
  }

  #answered(request: Request, node: number): void {
    const end = () => {
      const { askedMs, wasOrphaned } = request
      request.done({ node, askedMs, answeredMs: this.timeline.nowMs, wasOrphaned })
    }
    if (this.#client === null) this.#over(this.#fleet.wireMs, end)
    else this.#client.run(this.#fleet.constants.asked / 2, end)
  }

  /** On the node that owns the scope: loads it where nobody has it, decides, stores the turn, answers. */
  #served(request: Request, node: number, moreMs: number, done: () => void): void {
    const { constants } = this.#fleet
    if (node === this.#dead) return this.#again(request, RECONNECT_MS)
    const shard = this.#shardOf(request.scope)
    if (shard.hasMoved && this.#resident.get(request.scope) !== node) {
      return this.#loaded(request.scope, node, () => this.#served(request, node, moreMs, done))
    }
    const thread = this.#thread(node)
    const servedMs = constants.served[request.kind]
    const besideMs = servedMs * BESIDE_SHARE[request.kind]
    // What waited for a node that died is asked anew.
    const alive = (action: () => void) => () => {
      if (node === this.#dead) this.#again(request, RECONNECT_MS)
      else action()
    }
    const store = alive(() => {
      this.#machines[node]?.run(constants.aside, () => undefined)
      this.#stored(
        shard,
        node,
        alive(() => thread.run(servedMs * AFTER_SHARE, alive(done))),
      )
      thread.run(besideMs, () => undefined)
    })
    thread.run(servedMs * (1 - AFTER_SHARE) - besideMs + moreMs, store)
  }

  #loaded(scope: number, node: number, then: () => void): void {
    const waiting = this.#loading.get(scope)
    if (waiting !== undefined) {
      waiting.push(then)
      return
    }
    const all = [then]
    this.#loading.set(scope, all)
    const { load, loadRead } = this.#fleet.constants
    this.database.run(loadRead, () => {
      this.#thread(node).run(load, () => {
        this.loads += 1
        this.#resident.set(scope, node)
        this.#loading.delete(scope)
        for (const each of all) each()
      })
    })
  }

  /** The shard goes to the node; whoever else wants it waits until it has. */
  #taken(shard: ShardState, node: number, then: () => void): void {
    if (shard.taking !== null) {
      shard.taking.push(then)
      return
    }
    shard.taking = [then]
    this.#committed(0, () => {
      const waiting = shard.taking ?? []
      shard.owner = node
      shard.taking = null
      shard.hasMoved = true
      for (const each of waiting) each()
    })
  }

  /** With what else waits for its shard: one statement at a time. */
  #stored(shard: ShardState, node: number, done: () => void): void {
    shard.waiting.push(done)
    if (!shard.isWriting) this.#write(shard, node)
  }

  #write(shard: ShardState, node: number): void {
    const batch = shard.waiting
    shard.waiting = []
    shard.isWriting = true
    const connections = this.#connections[node]
    if (connections === undefined) return
    const send = () => {
      this.#committed(batch.length, () => {
        const next = connections.waiting.shift()
        if (next === undefined) connections.free += 1
        else next()
        shard.isWriting = false
        for (const each of batch) each()
        if (shard.waiting.length > 0 && shard.owner === node && node !== this.#dead) this.#write(shard, node)
      })
    }
    this.#thread(node).run(this.#fleet.constants.sent, () => {
      if (connections.free === 0) connections.waiting.push(send)
      else {
        connections.free -= 1
        send()
      }
    })
  }

  #committed(turns: number, done: () => void): void {
    const { constants, wireMs } = this.#fleet
    this.commits += 1
    this.#over(wireMs, () => {
      this.database.run(constants.commit + constants.turn * turns, () => {
        this.#flush(() => this.#over(wireMs, done))
      })
    })
  }

  #flush(done: () => void): void {
    this.#toFlush.push(done)
    if (this.#flushed === null) this.#flushNext()
  }

  #flushNext(): void {
    const all = this.#toFlush
    this.#toFlush = []
    this.#flushed = all
    this.timeline.after(this.#fleet.constants.flush, () => {
      this.#flushed = null
      for (const each of all) each()
      if (this.#toFlush.length > 0 && this.#flushed === null) this.#flushNext()
    })
  }

  #thread(node: number): Thread {
    const thread = this.threads[node]
    if (thread === undefined) throw new Error(`there is no node ${node}`)
    return thread
  }
}
