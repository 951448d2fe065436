import { AsyncLocalStorage } from 'node:async_hooks'
import { createHmac, randomBytes } from 'node:crypto'
import type { Tracer } from '@opentelemetry/api'
import { DomainError, ERRORS, type ErrorCode } from '../../core/base/errors.ts'
import { partsOfActorKey } from '../../core/base/ids.ts'
import type { ActorEvent } from '../../core/model/events.ts'
import type { ComputeFailureKind } from '../../ports/compute.ts'
import type { Clock, LineSink } from '../../ports/system.ts'
import {
  type HookHost,
  type HookOutcome,
  type OutcomeClass,
  PHASES,
  type Phase,
  type RequestInfo,
  type Telemetry,
} from '../../ports/telemetry.ts'
import { hasCode } from '../files/whole-file.ts'
import type { Metrics } from './metrics.ts'

/** Hex digits of a name: ten thousand places hardly ever share one. */
const DIGITS = 12
/** Places whose names are kept: the same ones are asked for again and again. */
const KEPT_MAX = 4096

/**
 * Names for tenants and scopes that say nothing of them to whoever has not the key: keyed hashes, cut short. With a key of
 * the operator a place has the same name after a restart and on other nodes; without one each start has its own key.
 */
export class PlaceNames {
  readonly #key: string | Uint8Array
  readonly #known = new Map<string, { readonly tenant: string; readonly scope: string }>()

  constructor(key: string | null) {
    this.#key = key ?? randomBytes(32)
  }

  of(actorKey: string) {
    const known = this.#known.get(actorKey)
    if (known !== undefined) return known
    if (this.#known.size >= KEPT_MAX) this.#known.clear()
    const { tenantId } = partsOfActorKey(actorKey)
    const name = { tenant: this.#hash(`tenant ${tenantId}`), scope: this.#hash(`scope ${actorKey}`) }
    this.#known.set(actorKey, name)
    return name
  }

  #hash(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('hex').slice(0, DIGITS)
  }
}

/**
 * What is known of a request while it is carried out, for the request log and for spans. Work that a request starts and that
 * lives on, such as a timer, holds it for as long: so it holds nothing that a caller sent but its id.
 */
export class RequestRecord {
  readonly operation: string
  readonly requestId: string
  /** By the clock that is never set. */
  readonly startedMs: number
  readonly #phasesMs = new Float64Array(PHASES.length)
  /** The first actor that it asked for; null: none yet. */
  actorKey: string | null = null
  /** Memories that it wrote, showed, judged or erased. */
  memories = 0
  /** What comes later is work that it started, not the request. */
  hasEnded = false

  constructor(operation: string, requestId: string, startedMs: number) {
    this.operation = operation
    this.requestId = requestId
    this.startedMs = startedMs
  }

  add(phase: Phase, tookMs: number): void {
    const at = PHASES.indexOf(phase)
    this.#phasesMs[at] = (this.#phasesMs[at] ?? 0) + tookMs
  }

  tookMs(phase: Phase): number {
    return this.#phasesMs[PHASES.indexOf(phase)] ?? 0
  }

  committed(events: readonly ActorEvent[]): void {
    for (const event of events) this.memories += memoriesOf(event)
  }
}

export interface RequestEnd {
  readonly outcome: OutcomeClass
  readonly status: number
  /** Null: it was answered. */
  readonly code: string | null
  readonly totalMs: number
}

function memoriesOf(event: ActorEvent): number {
  switch (event.type) {
    case 'memory_written':
    case 'memory_revised':
      return 1
    case 'exposed':
    case 'memory_erased':
    case 'run_feedback_recorded':
    case 'lifecycle_requested':
      return event.memoryIds.length
    default:
      return 0
  }
}

export interface RequestLogParts {
  readonly sink: LineSink
  readonly clock: Clock
  readonly places: PlaceNames
  /** A phase that took so long is named. */
  readonly slowMs: number
}

/** In the place of a phase when a request took long between its phases. */
const BETWEEN = 'between'

export type RequestLog = ReturnType<typeof createRequestLog>

/** One JSON line for each request: ids, codes and times. Tenant and scope stand there as keyed hashes. */
export function createRequestLog({ sink, clock, places, slowMs }: RequestLogParts) {
  const write = (fields: object): void =>
    sink.write(`${JSON.stringify({ time: new Date(clock.nowMs()).toISOString(), ...fields })}\n`)

  return {
    get dropped(): number {
      return sink.dropped
    },
    ended(record: RequestRecord, { status, code, totalMs }: RequestEnd): void {
      const times = PHASES.map((phase) => [phase, record.tookMs(phase)] as const)
      const slow: string[] = times.flatMap(([phase, tookMs]) => (tookMs >= slowMs ? [phase] : []))
      if (slow.length === 0 && totalMs >= slowMs) slow.push(BETWEEN)
      write({
        request_id: record.requestId,
        operation: record.operation,
        status,
        ...(code === null ? {} : { error: code }),
        ...(record.actorKey === null ? {} : places.of(record.actorKey)),
        total_ms: rounded(totalMs),
        ...Object.fromEntries(times.map(([phase, tookMs]) => [`${phase}_ms`, rounded(tookMs)])),
        ...(slow.length === 0 ? {} : { slow }),
      })
    },
    /** What an edge refused before it was a request of an operation. */
    refused(requestId: string, status: number, code: string): void {
      write({ request_id: requestId, operation: null, status, error: code })
    },
    close: () => sink.close(),
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

interface Tracing {
  readonly api: typeof import('@opentelemetry/api')
  readonly tracer: Tracer
  readonly places: PlaceNames
}

/**
 * Operations that the semantic conventions of OpenTelemetry for memory have a name for (`gen_ai.operation.name`, GenAI
 * conventions 0.1, section Memory). An observe may write anew, revise or confirm; a guide searches; feedback and forget
 * change known memory and delete nothing. The others have no counterpart there.
 */
export const GEN_AI_NAMES: Readonly<Record<string, string>> = {
  observe: 'upsert_memory',
  guide: 'search_memory',
  feedback: 'update_memory',
  forget: 'update_memory',
  erase: 'delete_memory',
}

/**
 * Null: no SDK of OpenTelemetry has been registered in this process, or its API is not installed beside us. The SDK has to
 * be there first, as `node --import` and an embedding host can see to.
 */
export async function openSpans(version: string, places: PlaceNames): Promise<Spans | null> {
  if (!hasTracerProvider()) return null
  try {
    const api = await import('@opentelemetry/api')
    return createSpans({ api, tracer: api.trace.getTracer('memgov', version), places })
  } catch (error) {
    if (hasCode(error, 'ERR_MODULE_NOT_FOUND')) return null
    throw error
  }
}

/** Every copy of the API, of whatever version, keeps what was registered in one place: loading ours is not needed to look. */
function hasTracerProvider(): boolean {
  const registered: unknown = Reflect.get(globalThis, Symbol.for('opentelemetry.js.api.1'))
  return typeof registered === 'object' && registered !== null && 'trace' in registered
}

export type Spans = ReturnType<typeof createSpans>
export type RequestSpan = ReturnType<Spans['start']>

/** Makes one span for each request, and one below it for each of its phases. Never a text, tenant or scope. */
function createSpans({ api, tracer, places }: Tracing) {
  const { context, propagation, trace, SpanKind, SpanStatusCode } = api
  return {
    start(operation: string, info: RequestInfo, startedMs: number) {
      const active = context.active()
      // A host that traces its HTTP server, or one that embeds us, has a span that is nearer than the caller's.
      const isRemote = info.headers !== undefined && trace.getSpan(active) === undefined
      const parent = isRemote ? propagation.extract(active, info.headers) : active
      const name = GEN_AI_NAMES[operation]
      const isMemoryOperation = name !== undefined
      // Spans have times of the wall clock; the difference is taken once, so that those of a request fit together.
      const offsetMs = Date.now() - performance.now()
      const named = isMemoryOperation
        ? { 'gen_ai.operation.name': name, 'gen_ai.provider.name': 'memgov' }
        : {}
      const options = {
        kind: isRemote ? SpanKind.SERVER : SpanKind.INTERNAL,
        startTime: offsetMs + startedMs,
        attributes: { 'memgov.operation': operation, ...named },
      }
      const span = tracer.startSpan(name ?? `memgov.${operation}`, options, parent)
      const around = trace.setSpan(parent, span)
      return {
        /** Runs it so that spans of others, such as those of a provider's HTTP client, are below this one. */
        within: <T>(run: () => T): T => context.with(around, run),
        phase(phase: Phase, sinceMs: number, endMs: number): void {
          const child = tracer.startSpan(`memgov.${phase}`, { startTime: offsetMs + sinceMs }, around)
          child.end(offsetMs + endMs)
        },
        ended({ actorKey, memories }: RequestRecord, { outcome, code, totalMs }: RequestEnd): void {
          span.setAttribute('memgov.outcome', outcome)
          if (actorKey !== null && isMemoryOperation) {
            span.setAttribute('gen_ai.memory.store.id', places.of(actorKey).scope)
          }
          if (isMemoryOperation && code === null) span.setAttribute('gen_ai.memory.record.count', memories)
          if (code !== null) span.setAttribute('error.type', code)
          // What the caller did wrong is no error of this side.
          if (outcome === 'busy' || outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR })
          span.end(offsetMs + startedMs + totalMs)
        },
      }
    },
  }
}

const MS_PER_S = 1000

export interface Listeners {
  readonly metrics: Metrics | null
  readonly requestLog: RequestLog | null
  readonly spans: Spans | null
}

interface Followed {
  readonly record: RequestRecord
  readonly span: RequestSpan | null
}

/**
 * Tells the listeners. Numbers alone need not know which request a phase belongs to; the request log and spans do, so that
 * with one of them each request is followed through everything that it waits for.
 */
export class LiveTelemetry implements Telemetry {
  readonly #listeners: Listeners
  readonly #counted: Metrics['counted'] | undefined
  /** Null: no request is followed. What that costs each await of the process is then not paid. */
  readonly #followed: AsyncLocalStorage<Followed> | null

  constructor(listeners: Listeners) {
    this.#listeners = listeners
    this.#counted = listeners.metrics?.counted
    const isFollowing = listeners.requestLog !== null || listeners.spans !== null
    this.#followed = isFollowing ? new AsyncLocalStorage() : null
  }

  now(): number {
    return performance.now()
  }

  request<Answer>(operation: string, info: RequestInfo, run: () => Promise<Answer>): Promise<Answer> {
    const { requestId, queuedMs = 0 } = info
    const nowMs = performance.now()
    const startedMs = nowMs - queuedMs
    if (this.#followed === null) {
      if (queuedMs > 0) this.#counted?.phases(queuedMs / MS_PER_S, 'queue')
      return this.#answered(operation, startedMs, run)
    }
    const span = this.#listeners.spans?.start(operation, info, startedMs) ?? null
    const followed = { record: new RequestRecord(operation, requestId, startedMs), span }
    return this.#followed.run(followed, () => {
      if (queuedMs > 0) this.phase('queue', startedMs)
      return span === null ? this.#told(followed, run) : span.within(() => this.#told(followed, run))
    })
  }

  actor(actorKey: string): void {
    const record = this.#record()
    if (record !== null) record.actorKey ??= actorKey
  }

  phase(phase: Phase, sinceMs: number): void {
    const endMs = performance.now()
    this.#counted?.phases((endMs - sinceMs) / MS_PER_S, phase)
    const followed = this.#followed?.getStore()
    if (followed !== undefined && !followed.record.hasEnded) {
      followed.record.add(phase, endMs - sinceMs)
      followed.span?.phase(phase, sinceMs, endMs)
    }
  }

  committed(events: readonly ActorEvent[]): void {
    this.#listeners.metrics?.committed(events)
    this.#record()?.committed(events)
  }

  refused(requestId: string, code: ErrorCode): void {
    this.#counted?.errors.add(code)
    this.#listeners.requestLog?.refused(requestId, ERRORS[code].status, code)
  }

  journalWrote(records: number, tookMs: number): void {
    this.#counted?.journalWrites(tookMs / MS_PER_S)
    this.#counted?.journalGroups(records)
  }

  workerFailed(kind: ComputeFailureKind): void {
    this.#counted?.workerFailures.add(kind)
  }

  hookEnded(host: HookHost, outcome: HookOutcome): void {
    this.#counted?.hooks.add(host, outcome)
  }

  #record(): RequestRecord | null {
    const record = this.#followed?.getStore()?.record
    return record === undefined || record.hasEnded ? null : record
  }

  async #answered<Answer>(operation: string, startedMs: number, run: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await run()
      this.#counted?.requests((performance.now() - startedMs) / MS_PER_S, operation, 'ok')
      return answer
    } catch (error) {
      const code = codeOf(error)
      const tookMs = performance.now() - startedMs
      this.#counted?.requests(tookMs / MS_PER_S, operation, outcomeOf(code))
      this.#counted?.errors.add(code)
      throw error
    }
  }

  async #told<Answer>({ record, span }: Followed, run: () => Promise<Answer>): Promise<Answer> {
    const { operation } = record
    let code: ErrorCode | null = null
    try {
      return await this.#answered(operation, record.startedMs, run)
    } catch (error) {
      code = codeOf(error)
      throw error
    } finally {
      record.hasEnded = true
      const end: RequestEnd = {
        outcome: code === null ? 'ok' : outcomeOf(code),
        status: code === null ? 200 : ERRORS[code].status,
        code,
        totalMs: performance.now() - record.startedMs,
      }
      this.#listeners.requestLog?.ended(record, end)
      span?.ended(record, end)
    }
  }
}

/** What the caller is told; whatever else was thrown is a fault of ours. */
function codeOf(error: unknown): ErrorCode {
  return error instanceof DomainError ? error.code : 'internal_error'
}

function outcomeOf(code: ErrorCode): OutcomeClass {
  const { status, retryable } = ERRORS[code]
  if (status < 500) return 'refused'
  return retryable ? 'busy' : 'failed'
}
