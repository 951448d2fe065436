import type { ListeningEnd } from '../actor/live-turns.ts'
import type { AnswerOf, AnyAnswerOf, RequestedName } from '../contract/operations.ts'
import type { Principal } from '../core/model/principal.ts'
import type { RequestInfo } from '../ports/telemetry.ts'

/** What an edge knows of a call besides its body. */
export interface CallContext {
  readonly requestId: string
  /** Makes a repeated write answer what the first one answered; null when the caller named none. */
  readonly operationId: string | null
  /** By whose key it came; absent or null: without keys. */
  readonly principal?: Principal | null
  /** Time that the edge let it wait for others, milliseconds. */
  readonly queuedMs?: number
  /** Is given what will be answered while the journal stores it, if that is known so early. It may not leave before the answer. */
  readonly meanwhile?: (answer: object) => void
  /** Of the HTTP request: a trace may be named there. */
  readonly headers?: NonNullable<RequestInfo['headers']>
}

/** One thing that a stream of operator events says. */
export interface StreamedEvent {
  /** What a reader that comes back sends; null: it is not counted among the events. */
  readonly id: string | null
  readonly name: string
  readonly data: object
}

/** What an operator who follows a scope is told. */
export interface OperatorStream {
  /** Why nothing more will come; null: something may. */
  readonly ended: ListeningEnd | null
  /** Resolves with what has come by then, in its order; null: nothing more will come. To be called again when it has resolved. */
  next(): Promise<readonly StreamedEvent[] | null>
  close(): void
}

/** The service without its transport: HTTP and embedders call the same. */
export interface Runtime {
  /** Takes the raw JSON body and validates it. Resolves with the response body, rejects with DomainError. */
  execute<Name extends RequestedName>(
    operation: Name,
    body: unknown,
    context: CallContext,
  ): Promise<AnyAnswerOf<Name>>
  /** Takes the fields of the operation `followEvents`, and rejects as `execute` does. */
  follow(body: unknown, context: CallContext): Promise<OperatorStream>
  /** Never waits for the disk. */
  health(): AnswerOf<'health'>
  /** Whether a write sent now would be taken, and why not. Never waits for the disk. */
  readiness(): AnswerOf<'ready'>
  /** Finishes turns, seals the journal, writes snapshots, within a deadline. */
  close(): Promise<void>
}
