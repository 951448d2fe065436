import { DomainError } from '../../src/core/base/errors.ts'
import { execute, type Reply } from '../harness/reply.ts'
import { countingEntropy, manualClock } from '../harness/system.ts'
import type { FaultKind } from './disk-faults.ts'
import { turns, unlessDead } from './journal-life.ts'
import {
  APPEND_LIST,
  isLinearizable,
  type ListKind,
  REGISTER,
  type RegisterKind,
  seenAppends,
  seenWrites,
} from './linearizability.ts'
import { type Process, type Random, SimulatedDisk, seededRandom } from './simulated-disk.ts'
import { type Fault, type SimulatedService, startSimulated } from './simulated-service.ts'

// Clients that write and read lists and registers of a service which is killed, loses power and meets failing calls.
// What they saw is checked afterwards: there must be one order of everything that explains every answer.

export interface Verdict {
  /** Each breaks a promise; empty when all is well. */
  readonly violations: readonly string[]
  readonly operations: number
  /** Writes that got no answer the first time. */
  readonly unknown: number
  /** Lives that ended in a kill, with or without a loss of power. */
  readonly crashes: number
}

const TENANT = 'linear'
const SCOPES = ['one', 'two', 'three']
const REGISTERS = ['gauge-a', 'gauge-b']
const CLIENTS = 4
const LIVES = 3
const FAULTS: readonly FaultKind[] = ['EIO', 'ENOSPC', 'short']
const FILLER = 'and so on '.repeat(350)

interface Recorded<Kind> {
  kind: Kind
  readonly invokedAt: number
  answeredAt: number | null
  /** Refused before it changed anything. */
  isRefused: boolean
}

/** A write that may be sent again, with its operation id, after it got no answer. */
interface Sent {
  readonly body: object
  readonly operationId: string
  readonly settle: (reply: Reply<'observe'> | null) => void
}

interface ShownGuide {
  readonly scope: string
  readonly trace: string
  readonly ids: readonly string[]
}

/** One history, the same for the same seed as far as the disk decides it. */
export async function runHistory(seed: number, fault: Fault = {}): Promise<Verdict> {
  const history = new ClientHistory(seed, fault)
  for (let life = 0; life < LIVES && history.violations.length === 0; life += 1) await history.live()
  // What one start told is durable: the next one, after a loss of power, tells the same.
  for (let i = 0; i < 2 && history.violations.length === 0; i += 1) await history.finish()
  return history.verdict()
}

class ClientHistory {
  readonly violations: string[] = []
  readonly #fault: Fault
  readonly #random: Random
  readonly #isPacking: boolean
  readonly #disk = new SimulatedDisk()
  readonly #clock = manualClock()
  readonly #entropy = countingEntropy()
  readonly #lists = new Map<string, Recorded<ListKind>[]>()
  readonly #registers = new Map<string, Recorded<RegisterKind>[]>()
  readonly #guides: ShownGuide[] = []
  readonly #memoryIds = new Map<string, string>()
  #unanswered: Sent[] = []
  #position = 0
  #names = 0
  #crashes = 0
  #doubts = 0

  constructor(seed: number, fault: Fault) {
    this.#random = seededRandom(seed)
    this.#isPacking = seed % 2 === 0
    this.#fault = fault
  }

  /** One life of the process: clients at work until they are done or it dies, then perhaps a loss of power. */
  async live(): Promise<void> {
    const failing = this.#chance(0.2)
    const process = this.#disk.start({
      ...(this.#chance(0.7) ? { dieAt: 40 + this.#below(260) } : {}),
      ...(failing ? { failAt: { call: 40 + this.#below(160), kind: this.#oneOf(FAULTS) } } : {}),
    })
    const service = await this.#start(process, failing)
    if (service !== null) {
      const again = this.#unanswered.splice(0)
      const clients = Array.from({ length: CLIENTS }, (_, client) =>
        this.#client(process, service, client, again),
      )
      await Promise.all(clients)
      if (this.#chance(0.2))
        await unlessDead(
          process,
          service.runtime.close().catch(() => undefined),
        )
    }
    process.kill()
    this.#crashes += 1
    if (this.#chance(0.7)) {
      const keepShare = this.#oneOf([0, 0.5, 0.9])
      this.#disk.losePower(this.#random, keepShare)
    }
    this.#clock.advance(1000)
  }

  /** A last life without faults reads everything, and every guide that was answered takes feedback. */
  async finish(): Promise<void> {
    const process = this.#disk.start()
    const service = await this.#start(process, false)
    if (service === null) return
    for (const scope of SCOPES) {
      await this.#readList(process, service, scope)
      for (const name of REGISTERS) await this.#readRegister(process, service, scope, name)
    }
    for (const { scope, trace, ids } of this.#guides) {
      const reply = await this.#send(process, service, 'feedback', scope, {
        reason: 'it was so',
        run_id: this.#name('run'),
        outcome: 'neutral',
        used_surface: 'use_now',
        guide_trace_id: trace,
        used_memory_ids: ids,
      })
      if (reply?.answer == null) this.violations.push(`guide ${trace} was answered and takes no feedback`)
    }
    process.kill()
    this.#disk.losePower(this.#random, 0)
  }

  verdict(): Verdict {
    for (const [scope, operations] of this.#lists) {
      const seen = seenAppends(operations.filter(({ isRefused }) => !isRefused))
      if (!isLinearizable(APPEND_LIST, seen)) this.violations.push(`list of ${scope} is not linearizable`)
    }
    for (const [name, operations] of this.#registers) {
      const seen = seenWrites(operations.filter(({ isRefused }) => !isRefused))
      if (!isLinearizable(REGISTER, seen)) this.violations.push(`register ${name} is not linearizable`)
    }
    const all = [...this.#lists.values(), ...this.#registers.values()].flat()
    return {
      violations: this.violations,
      operations: all.length,
      unknown: this.#doubts,
      crashes: this.#crashes,
    }
  }

  async #start(process: Process, mayFail: boolean): Promise<SimulatedService | null> {
    const options = {
      clock: this.#clock,
      entropy: this.#entropy,
      fault: this.#fault,
      isPacking: this.#isPacking,
    }
    try {
      return await unlessDead(process, startSimulated(process, options))
    } catch (error) {
      if (!mayFail) this.violations.push(`the start was refused: ${String(error)}`)
      return null
    }
  }

  async #client(process: Process, service: SimulatedService, client: number, again: Sent[]): Promise<void> {
    for (let step = 0; step < 7; step += 1) {
      await turns(this.#below(3))
      if (await isDead(process)) return
      const sent = again.shift()
      if (sent !== undefined) await this.#write(process, service, sent)
      else await this.#step(process, service, client)
      if (this.#chance(0.05)) service.timers.fire()
    }
  }

  async #step(process: Process, service: SimulatedService, client: number): Promise<void> {
    // Clients prefer a scope, so that histories are dense, and change it, so that actors come and go.
    const scope = this.#chance(0.6) ? (SCOPES[client % 2] ?? 'one') : this.#oneOf(SCOPES)
    const name = this.#oneOf(REGISTERS)
    const dice = this.#random()
    if (dice < 0.35) await this.#write(process, service, this.#append(scope))
    else if (dice < 0.5) await this.#readList(process, service, scope)
    else if (dice < 0.7) await this.#write(process, service, this.#set(scope, name))
    else if (dice < 0.85) await this.#readRegister(process, service, scope, name)
    else await this.#guide(process, service, scope)
  }

  #append(scope: string): Sent {
    const item = this.#name('item')
    const recorded = this.#begin<ListKind>(this.#lists, scope, { type: 'append', item })
    const filler = this.#chance(0.5) ? FILLER : ''
    const memory = { client_id: item, text: `The ${item} lies on the shelf. ${filler}` }
    return {
      body: { tenant_id: TENANT, scope, memory },
      operationId: `op-${item}`,
      settle: (reply) => this.#end(recorded, reply),
    }
  }

  #set(scope: string, name: string): Sent {
    const value = this.#name('v')
    const recorded = this.#begin<RegisterKind>(this.#registers, `${scope}/${name}`, { type: 'write', value })
    const memory = { client_id: name, text: `The ${name} shows ${value}.` }
    return {
      body: { tenant_id: TENANT, scope, memory },
      operationId: `op-${value}`,
      settle: (reply) => {
        this.#end(recorded, reply)
        const id = reply?.answer?.memory_ids[0]
        if (id !== undefined) this.#memoryIds.set(`${scope}/${name}`, id)
      },
    }
  }

  async #write(process: Process, service: SimulatedService, sent: Sent): Promise<void> {
    const reply = await this.#called(
      process,
      execute(service.runtime, 'observe', sent.body, sent.operationId),
    )
    sent.settle(reply)
    if (reply !== null && !isInDoubt(reply)) return
    this.#doubts += 1
    this.#unanswered.push(sent)
  }

  async #readList(process: Process, service: SimulatedService, scope: string): Promise<void> {
    const recorded = this.#begin<ListKind>(this.#lists, scope, { type: 'read', items: [] })
    const items = await this.#called(process, service.list(TENANT, scope))
    if (items === null) recorded.isRefused = true
    else {
      recorded.kind = { type: 'read', items: items.filter((item) => item.startsWith('item-')) }
      recorded.answeredAt = this.#tick()
    }
  }

  /** By its URI where the memory is known, which reads only; else by the name that its writer gave it. */
  async #readRegister(
    process: Process,
    service: SimulatedService,
    scope: string,
    name: string,
  ): Promise<void> {
    const key = `${scope}/${name}`
    const recorded = this.#begin<RegisterKind>(this.#registers, key, { type: 'read', value: null })
    const id = this.#memoryIds.get(key)
    const text =
      id === undefined
        ? await this.#rehydratedText(process, service, scope, name)
        : await this.#resolvedText(process, service, scope, id)
    if (text === undefined) recorded.isRefused = true
    else {
      recorded.kind = { type: 'read', value: /shows (v-\d+)\./.exec(text)?.[1] ?? null }
      recorded.answeredAt = this.#tick()
    }
  }

  async #rehydratedText(process: Process, service: SimulatedService, scope: string, name: string) {
    const reply = await this.#send(process, service, 'rehydrate', scope, {
      reason: 'to read it',
      client_ids: [name],
    })
    if (reply?.refusal?.error === 'memory_not_found') return ''
    return reply?.answer?.result.memories[0]?.text ?? undefined
  }

  async #resolvedText(process: Process, service: SimulatedService, scope: string, id: string) {
    const uri = `svc://${TENANT}/${scope}/memory/${id}`
    const reply = await this.#send(process, service, 'resolve', scope, { uri })
    if (reply?.refusal?.error === 'memory_not_found') return ''
    return reply?.answer?.node.text_summary ?? undefined
  }

  async #guide(process: Process, service: SimulatedService, scope: string): Promise<void> {
    const query = { query_text: 'what lies on the shelf', run_id: this.#name('run'), limit: 5 }
    const reply = await this.#send(process, service, 'guide', scope, query)
    if (reply?.answer == null) return
    const { guide_trace_id: trace, agent_context: context } = reply.answer
    if (context.memory_ids.length > 0) this.#guides.push({ scope, trace, ids: context.memory_ids })
  }

  #send<Name extends 'guide' | 'feedback' | 'rehydrate' | 'resolve'>(
    process: Process,
    service: SimulatedService,
    operation: Name,
    scope: string,
    body: object,
  ): Promise<Reply<Name> | null> {
    return this.#called(process, execute(service.runtime, operation, { tenant_id: TENANT, scope, ...body }))
  }

  /** Null when no answer came, or only a failure that says nothing about what was done. */
  async #called<T>(process: Process, call: Promise<T>): Promise<T | null> {
    return unlessDead(
      process,
      call.catch((error: unknown) => {
        if (!(error instanceof DomainError) && !isDiskError(error)) {
          this.violations.push(`a request met a fault: ${String(error)}`)
        }
        return null
      }),
    )
  }

  #begin<Kind>(all: Map<string, Recorded<Kind>[]>, key: string, kind: Kind): Recorded<Kind> {
    const recorded: Recorded<Kind> = { kind, invokedAt: this.#tick(), answeredAt: null, isRefused: false }
    all.set(key, [...(all.get(key) ?? []), recorded])
    return recorded
  }

  #end<Kind>(recorded: Recorded<Kind>, reply: Reply<'observe'> | null): void {
    if (reply === null || isInDoubt(reply)) return
    if (reply.refusal === null) recorded.answeredAt = this.#tick()
    else recorded.isRefused = true
  }

  #tick(): number {
    this.#position += 1
    return this.#position
  }

  #name(kind: string): string {
    this.#names += 1
    return `${kind}-${this.#names}`
  }

  #chance(share: number): boolean {
    return this.#random() < share
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound)
  }

  #oneOf<T>(items: readonly T[]): T {
    const item = items[this.#below(items.length)]
    if (item === undefined) throw new Error('nothing to choose from')
    return item
  }
}

/** A refusal after which the write may have happened. */
function isInDoubt(reply: Reply<'observe'>): boolean {
  return reply.refusal?.error === 'storage_read_only' || reply.refusal?.error === 'shutting_down'
}

function isDiskError(error: unknown): boolean {
  return error instanceof Error && 'code' in error
}

function isDead(process: Process): Promise<boolean> {
  return Promise.race([process.died.then(() => true), Promise.resolve().then(() => false)])
}
