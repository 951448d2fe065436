import { refusalOf } from '../actor/journal-refusal.ts'
import { yieldToLoop } from '../actor/waiting.ts'
import { authorised } from '../contract/access.ts'
import { NOT_READY_REASONS, type NotReadyReason } from '../contract/health.ts'
import {
  type AnswerOf,
  type AnyAnswerOf,
  isWriting,
  OPERATIONS,
  type OperationName,
  type RequestedName,
  requestRow,
} from '../contract/operations.ts'
import { namingUnknown, parseRequest, type UnknownField } from '../contract/parse.ts'
import { normalised } from '../contract/unknown-fields.ts'
import { DomainError, invalidRequest } from '../core/base/errors.ts'
import { isLongJson } from '../core/base/json-pieces.ts'
import type { Cluster } from '../ports/cluster.ts'
import type { Durability, Journal, SnapshotStore } from '../ports/store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { erase } from './erase.ts'
import { feedback } from './feedback.ts'
import { finish } from './finish.ts'
import { forget } from './forget.ts'
import { govern } from './govern.ts'
import { guide } from './guide.ts'
import { identityOf } from './normalise/identity.ts'
import { observe } from './observe.ts'
import type { Followers } from './operator/follow-events.ts'
import { type Handler, isoOf, operationKeyFor, type RuntimeParts } from './parts.ts'
import { rehydrate } from './rehydrate.ts'
import { resolve } from './resolve.ts'
import type { CallContext, OperatorStream, Runtime } from './runtime.ts'

/** What operators ask is a third of the program: it is loaded when it is first asked for. */
function later<Name extends RequestedName>(load: () => Promise<Handler<Name>>): Handler<Name> {
  return async (parts, call) => (await load())(parts, call)
}

/** What carries each operation out. tsc holds every answer against the response schema of its row. */
const HANDLERS: { readonly [Name in RequestedName]: Handler<Name> } = {
  observe,
  guide,
  feedback,
  finish,
  forget,
  erase,
  rehydrate,
  govern,
  resolve,
  measure: later(async () => (await import('./measure.ts')).measure),
  proposeSkills: later(async () => (await import('./skills.ts')).proposeSkills),
  listSkills: later(async () => (await import('./skills.ts')).listSkills),
  promoteSkill: later(async () => (await import('./skills.ts')).promoteSkill),
  rejectSkill: later(async () => (await import('./skills.ts')).rejectSkill),
  settle: later(async () => (await import('./settle.ts')).settle),
  operatorSnapshot: later(async () => (await import('./reports/operator-snapshot.ts')).operatorSnapshot),
  listActors: later(async () => (await import('./operator/count-rules.ts')).listActors),
  listMemories: later(async () => (await import('./operator/list-memories.ts')).listMemories),
  searchMemories: later(async () => (await import('./operator/list-memories.ts')).listMemories),
  listGuides: later(async () => (await import('./operator/list-guides.ts')).listGuides),
  listExternal: later(async () => (await import('./operator/list-memories.ts')).listExternal),
  listReview: later(async () => (await import('./operator/list-review.ts')).listReview),
  countRules: later(async () => (await import('./operator/count-rules.ts')).countRules),
  compareEffect: later(async () => (await import('./operator/count-rules.ts')).compareEffect),
  blastRadius: later(async () => (await import('./reports/blast-radius.ts')).blastRadius),
  decisionTrace: later(async () => (await import('./reports/decision-trace.ts')).decisionTrace),
  decisionReport: later(async () => (await import('./reports/decision-trace.ts')).decisionReport),
  flightRecorder: later(async () => (await import('./reports/flight-recorder.ts')).flightRecorder),
}

/** Parses a request, runs its operation, and says on the answer what was ignored or is not yet durable. */
async function dispatch<Name extends RequestedName>(
  parts: RuntimeParts,
  durability: Durability,
  operation: Name,
  body: unknown,
  context: CallContext,
): Promise<AnyAnswerOf<Name>> {
  if (!Object.hasOwn(HANDLERS, operation)) throw new DomainError('not_found', { operation })
  const { principal = null } = context
  // Whoever may not ask learns nothing of how to ask.
  const meant = principal === null ? body : authorised(principal, OPERATIONS[operation], body)
  const { request, warnings, unknown } = parseRequest(requestRow(operation), meant)
  // To read what it means takes as long again.
  if (isLongJson(body)) await yieldToLoop()
  // An erasure is durable whatever the durability of other writes.
  const isLoose = durability !== 'sync' && isWriting(operation, body) && operation !== 'erase'
  const isAsDecided = warnings.length === 0 && !isLoose
  const meanwhile = isAsDecided ? (context.meanwhile ?? null) : null
  let reply: AnyAnswerOf<Name>
  try {
    refuseTrial(operation, body, unknown)
    const { tenantId, scope, operationId } = identityOf(request)
    const named = operationId ?? context.operationId
    const key = operationKeyFor(parts.codec, operation, body, named, principal?.keyId ?? null)
    const operationKey = key instanceof Promise ? await key : key
    reply = await HANDLERS[operation](parts, {
      request,
      tenantId,
      scope,
      operationKey,
      principal,
      meanwhile,
    })
  } catch (error) {
    throw error instanceof DomainError ? namingUnknown(error, unknown, body) : error
  }
  if (isAsDecided) return reply
  const all = [...warnings, ...(reply.warnings ?? [])]
  // Not as a literal that begins with a spread: the engine takes a microsecond for each field behind it.
  const said = all.length === 0 ? {} : { warnings: all }
  return Object.assign({}, reply, said, isLoose ? { durable: false } : {})
}

/**
 * Whoever asks for a trial gets no write, where the operation has none to give. What a guide writes changes no memory.
 * @throws invalid_request
 */
function refuseTrial(operation: RequestedName, body: unknown, unknown: readonly UnknownField[]): void {
  const sent = unknown.find(({ name }) => normalised(name) === 'dryrun')
  if (sent === undefined || operation === 'guide' || !isWriting(operation, body)) return
  const asked: unknown = Reflect.get(Object(body), sent.name)
  if (asked === null || asked === false) return
  const message = `${sent.name}: ${operation} has no dry run, and nothing was written: leave it out; forget, erase and settle have one.`
  throw invalidRequest([{ path: sent.name, message }])
}

export interface ServiceParts extends RuntimeParts {
  readonly journal: Journal
  readonly snapshots: SnapshotStore
  readonly durability: Durability
  /** Null: this node is the only one. */
  readonly cluster: Cluster | null
  /** Name of the store. */
  readonly backend: string
  /** Tells whether so little disk space is left that nothing may grow. */
  readonly space: { isShort(): boolean }
  /** Tells whether the data folder is still where it was opened, as of the last look. */
  readonly folder: { readonly lost: Error | null; look(): Promise<void> }
  readonly startedAtMs: number
  readonly version: string
  readonly workerThreads: number
  /** Bounds in force, unit last in the name, for /health. */
  readonly limits: Readonly<Record<string, number>>
  /** How long closing waits for requests and snapshots. */
  readonly closeDeadlineMs: number
  /** Releases what lies below the actors, once they are closed. */
  readonly release: () => Promise<void>
}

/** Writes that an operator needs to get room again, or to take something out of use. */
const SHRINKING: readonly OperationName[] = ['forget', 'erase']
const LOW_SPACE =
  'Too little disk space is free to write more: repeat later with the same operation_id. Forget and erase still work.'

const FOLDER_LOST =
  'The data folder is not where the service opened it. Nothing is written until it is put back and the service is restarted: repeat then with the same operation_id.'

const NOT_READ =
  'The system refused a file of the store: nothing more is known of the request. Repeat it with the same operation_id after the time in the retry-after header.'

/** What the system says no to, it may do later; a file that is gone stays so. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'code' in error && error.code !== 'ENOENT'
}

/** A disk that takes longer for one write keeps its callers waiting. */
const WRITING_MS_MAX = 3000
/** One failure may have a cause that has passed. */
const SNAPSHOT_FAILURES_MAX = 3

function folderLost(): DomainError {
  return new DomainError('storage_read_only', { reason: 'folder_lost' }, FOLDER_LOST)
}

/** The service without its transport. */
export class Service implements Runtime {
  readonly #parts: ServiceParts
  /** Null: nobody has followed events yet. */
  #follower: Promise<Followers> | null = null
  #closing: Promise<void> | null = null

  constructor(parts: ServiceParts) {
    this.#parts = parts
  }

  execute<Name extends RequestedName>(
    operation: Name,
    body: unknown,
    context: CallContext,
  ): Promise<AnyAnswerOf<Name>> {
    const refusal = this.#refusalOf(operation, body)
    if (refusal !== null) return Promise.reject(refusal)
    return dispatch(this.#parts, this.#parts.durability, operation, body, context).catch((error: unknown) =>
      this.#refuse(error),
    )
  }

  /** What failed for the loss of the folder says so; the loss may be younger than the last look. */
  async #refuse(error: unknown): Promise<never> {
    const { folder, log } = this.#parts
    const refusal = refusalOf(error)
    const isRefused = refusal instanceof DomainError
    if (isRefused && refusal.code !== 'scope_damaged') throw refusal
    await folder.look()
    if (folder.lost !== null) throw folderLost()
    if (isRefused) throw refusal
    if (!isOfSystem(error)) throw error
    log.error({ error }, 'a file of the store could not be used')
    throw new DomainError('storage_unavailable', { outcome: 'unknown' }, NOT_READ, error)
  }

  #refusalOf(operation: OperationName, body: unknown): DomainError | null {
    if (this.#closing !== null) return new DomainError('shutting_down')
    // Also a repeat, which would be told of what is nowhere any more.
    if (this.#parts.folder.lost !== null && isWriting(operation, body)) return folderLost()
    const grows = isWriting(operation, body) && !SHRINKING.includes(operation)
    if (!this.#parts.space.isShort() || !grows) return null
    return new DomainError('storage_read_only', { reason: 'low_space' }, LOW_SPACE)
  }

  async follow(body: unknown, context: CallContext): Promise<OperatorStream> {
    if (this.#closing !== null) throw new DomainError('shutting_down')
    this.#follower ??= import('./operator/follow-events.ts').then(
      ({ Followers }) => new Followers(this.#parts),
    )
    return (await this.#follower).follow(body, context).catch((error: unknown) => this.#refuse(error))
  }

  health(): AnswerOf<'health'> {
    const { clock, journal, snapshots, registry, version, durability, limits, compute, space, startedAtMs } =
      this.#parts
    const { state, chainHead } = journal.health()
    const isPoisoned = state === 'poisoned' || this.#parts.folder.lost !== null
    const isClosing = this.#closing !== null
    return {
      ok: !isClosing,
      status: isClosing ? 'shutting_down' : isPoisoned ? 'read_only' : 'ready',
      version,
      uptime_s: Math.max(0, Math.round((clock.nowMs() - startedAtMs) / 1000)),
      runtime: {
        edition: 'node',
        mode: this.#parts.cluster === null ? 'local' : 'cluster',
        package_name: 'memgov',
        package_version: version,
        started_at: isoOf(startedAtMs),
      },
      storage: {
        backend: this.#parts.backend,
        durability,
        read_only: isPoisoned,
        low_space: space.isShort(),
        last_snapshot_at: isoOf(snapshots.lastAtMs()),
        journal_chain_head: chainHead,
      },
      ...clusterHealth(this.#parts.cluster),
      actors: { resident: registry.residentCount(), known: registry.knownCount() },
      workers: {
        threads: this.#parts.workerThreads,
        waiting: compute.waiting(),
        upkeep_waiting: compute.waitingUpkeep(),
      },
      providers: { embedding: this.#embeddingHealth() },
      limits,
    }
  }

  #embeddingHealth(): AnswerOf<'health'>['providers']['embedding'] {
    const { embedder, registry } = this.#parts
    if (embedder === null) return { configured: false, provider: null, model: null }
    const { provider, model, dimensions } = embedder
    const { memories, lastFailure } = registry.embeddingHealth()
    return { configured: true, provider, model, dimensions, last_failure: lastFailure, memories }
  }

  readiness(): AnswerOf<'ready'> {
    const { journal, registry, folder, space, cluster } = this.#parts
    const { state, isFull, isRefused, writingMs } = journal.health()
    const holds: Readonly<Record<NotReadyReason, boolean>> = {
      shutting_down: this.#closing !== null,
      folder_lost: folder.lost !== null,
      journal_failed: state === 'poisoned' && !isFull && folder.lost === null,
      disk_full: isFull,
      low_space: space.isShort(),
      flush_stalled: state === 'open' && writingMs > WRITING_MS_MAX,
      store_refuses: isRefused && !isFull,
      lease_lost: cluster?.isLeaseValid() === false,
      snapshots_failing: registry.snapshotFailures() >= SNAPSHOT_FAILURES_MAX,
    }
    const reasons = NOT_READY_REASONS.filter((reason) => holds[reason])
    return { ready: reasons.length === 0, reasons }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#parts.semantic?.close()
    this.#parts.liveTurns.close()
    try {
      await this.#parts.registry.close(this.#parts.closeDeadlineMs)
    } finally {
      await this.#parts.release()
    }
  }
}

function clusterHealth(cluster: Cluster | null): Pick<AnswerOf<'health'>, 'cluster'> {
  if (cluster === null) return {}
  return {
    cluster: {
      node_id: cluster.nodeId,
      url: cluster.url,
      lease_valid: cluster.isLeaseValid(),
      nodes_alive: cluster.nodesAlive(),
      shards_held: cluster.shardsHeld(),
      shards_leaving: cluster.shardsLeaving(),
      hot_shards: cluster
        .hotShards()
        .map(({ shard, perSecond }) => ({ shard, requests_per_second: perSecond })),
      store_reachable: cluster.isStoreReachable(),
    },
  }
}

/** The same runtime, each request of which is told to whoever listens. */
export function observed(runtime: Runtime, telemetry: Telemetry): Runtime {
  return {
    execute: (operation, body, context) =>
      telemetry.request(operation, context, () => runtime.execute(operation, body, context)),
    follow: (body, context) =>
      telemetry.request('followEvents', context, () => runtime.follow(body, context)),
    health: () => runtime.health(),
    readiness: () => runtime.readiness(),
    close: () => runtime.close(),
  }
}
