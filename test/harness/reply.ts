import type { z } from 'zod'
import { OPERATIONS, type OperationName, type RequestedName } from '../../src/contract/operations.ts'
import { ErrorResponse } from '../../src/contract/vocabulary.ts'
import { DomainError, ERRORS } from '../../src/core/base/errors.ts'
import type { Runtime } from '../../src/runtime/runtime.ts'

/** The answer of an operation, as its response schema has checked it. */
export type Answer<Name extends OperationName> = z.output<(typeof OPERATIONS)[Name]['response']>

export interface Refusal {
  readonly status: number
  readonly error: ErrorResponse['error']
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** What came back from a call, with the JSON text that a caller would read. */
export type Reply<Name extends OperationName> =
  | { readonly answer: Answer<Name>; readonly refusal: null; readonly text: string }
  | { readonly answer: null; readonly refusal: Refusal; readonly text: string }

/** Sends a body through JSON and runs it. Faults of our own are thrown, refusals are replies. */
export async function execute<Name extends RequestedName>(
  runtime: Runtime,
  operation: Name,
  body: object,
  operationId: string | null = null,
): Promise<Reply<Name>> {
  const sent: unknown = JSON.parse(JSON.stringify(body))
  try {
    const text = JSON.stringify(await runtime.execute(operation, sent, { requestId: 'test', operationId }))
    return { answer: parsedAnswer(operation, text), refusal: null, text }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const { code, message, details } = error
    const text = JSON.stringify({ error: code, message, details })
    return { answer: null, refusal: parsedRefusal(ERRORS[code].status, text), text }
  }
}

/** @throws when the answer is not what the operation promises */
export function parsedAnswer<Name extends OperationName>(operation: Name, text: string): Answer<Name> {
  return OPERATIONS[operation].response.parse(JSON.parse(text)) as Answer<Name>
}

export function parsedRefusal(status: number, text: string): Refusal {
  return { status, ...ErrorResponse.parse(JSON.parse(text)) }
}

/** The answer of a call that had to succeed. */
export function answerOf<Name extends OperationName>(reply: Reply<Name>): Answer<Name> {
  if (reply.answer === null) throw new Error(`the request was refused: ${reply.text}`)
  return reply.answer
}

/** The refusal of a call that had to be refused. */
export function refusalOf<Name extends OperationName>(reply: Reply<Name>): Refusal {
  if (reply.refusal === null) throw new Error(`the request was not refused: ${reply.text}`)
  return reply.refusal
}
