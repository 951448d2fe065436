import { AsyncLocalStorage } from 'node:async_hooks'
import { DomainError, ERRORS, type ErrorCode } from '../../core/base/errors.ts'
import type { ActorEvent } from '../../core/model/events.ts'
import type { ComputeFailureKind } from '../../ports/compute.ts'
import type {
  HookHost,
  HookOutcome,
  OutcomeClass,
  Phase,
  RequestInfo,
  Telemetry,
} from '../../ports/telemetry.ts'
import type { Metrics } from './metrics.ts'
import { type RequestEnd, type RequestLog, RequestRecord } from './request-log.ts'
import type { RequestSpan, Spans } from './spans.ts'

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
  /** Null: no request is followed. What that costs each await of the process is then not paid. */
  readonly #followed: AsyncLocalStorage<Followed> | null

  constructor(listeners: Listeners) {
    this.#listeners = listeners
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
      if (queuedMs > 0) this.#listeners.metrics?.phase('queue', queuedMs)
      return this.#counted(operation, startedMs, run)
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
    this.#listeners.metrics?.phase(phase, endMs - sinceMs)
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
    this.#listeners.metrics?.error(code)
    this.#listeners.requestLog?.refused(requestId, ERRORS[code].status, code)
  }

  journalWrote(records: number, tookMs: number): void {
    this.#listeners.metrics?.journalWrote(records, tookMs)
  }

  workerFailed(kind: ComputeFailureKind): void {
    this.#listeners.metrics?.workerFailed(kind)
  }

  hookEnded(host: HookHost, outcome: HookOutcome): void {
    this.#listeners.metrics?.hookEnded(host, outcome)
  }

  #record(): RequestRecord | null {
    const record = this.#followed?.getStore()?.record
    return record === undefined || record.hasEnded ? null : record
  }

  async #counted<Answer>(operation: string, startedMs: number, run: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await run()
      this.#listeners.metrics?.request(operation, 'ok', performance.now() - startedMs)
      return answer
    } catch (error) {
      const code = codeOf(error)
      this.#listeners.metrics?.request(operation, outcomeOf(code), performance.now() - startedMs)
      this.#listeners.metrics?.error(code)
      throw error
    }
  }

  async #told<Answer>({ record, span }: Followed, run: () => Promise<Answer>): Promise<Answer> {
    const { operation } = record
    let code: ErrorCode | null = null
    try {
      return await this.#counted(operation, record.startedMs, run)
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
