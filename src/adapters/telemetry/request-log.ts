import type { Clock } from '../../ports/clock.ts'
import type { LineSink } from '../../ports/line-sink.ts'
import { PHASES } from '../../ports/telemetry.ts'
import type { PlaceNames } from './place-names.ts'
import type { RequestEnd, RequestRecord } from './request-record.ts'

export interface RequestLogParts {
  readonly sink: LineSink
  readonly clock: Clock
  readonly places: PlaceNames
  /** A phase that took so long is named. */
  readonly slowMs: number
}

/** In the place of a phase when a request took long between its phases. */
const BETWEEN = 'between'

/** One JSON line for each request: ids, codes and times. Tenant and scope stand there as keyed hashes. */
export class RequestLog {
  readonly #parts: RequestLogParts

  constructor(parts: RequestLogParts) {
    this.#parts = parts
  }

  get dropped(): number {
    return this.#parts.sink.dropped
  }

  ended(record: RequestRecord, { status, code, totalMs }: RequestEnd): void {
    const { places, slowMs } = this.#parts
    const times = PHASES.map((phase) => [phase, record.tookMs(phase)] as const)
    const slow: string[] = times.flatMap(([phase, tookMs]) => (tookMs >= slowMs ? [phase] : []))
    if (slow.length === 0 && totalMs >= slowMs) slow.push(BETWEEN)
    this.#write({
      request_id: record.requestId,
      operation: record.operation,
      status,
      ...(code === null ? {} : { error: code }),
      ...(record.actorKey === null ? {} : places.of(record.actorKey)),
      total_ms: rounded(totalMs),
      ...Object.fromEntries(times.map(([phase, tookMs]) => [`${phase}_ms`, rounded(tookMs)])),
      ...(slow.length === 0 ? {} : { slow }),
    })
  }

  /** What an edge refused before it was a request of an operation. */
  refused(requestId: string, status: number, code: string): void {
    this.#write({ request_id: requestId, operation: null, status, error: code })
  }

  close(): Promise<void> {
    return this.#parts.sink.close()
  }

  #write(fields: object): void {
    const { sink, clock } = this.#parts
    sink.write(`${JSON.stringify({ time: new Date(clock.nowMs()).toISOString(), ...fields })}\n`)
  }
}

/** To the microsecond. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
