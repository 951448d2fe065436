import type { ActorEvent } from '../../core/model/events.ts'
import type { Clock, LineSink } from '../../ports/system.ts'
import { type OutcomeClass, PHASES, type Phase } from '../../ports/telemetry.ts'
import type { PlaceNames } from './place-names.ts'

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
