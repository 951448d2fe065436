import type { ActorEvent } from '../../core/model/events.ts'
import { type OutcomeClass, PHASES, type Phase, type RequestInfo } from '../../ports/telemetry.ts'

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

  constructor({ operation, requestId }: RequestInfo, startedMs: number) {
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

/** How a request ended. */
export interface RequestEnd {
  readonly outcome: OutcomeClass
  /** HTTP status. */
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
