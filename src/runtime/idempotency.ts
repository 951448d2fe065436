import type { Actor, Decide, Decided, DecideInSteps } from '../actor/actor.ts'
import { yieldToLoop } from '../actor/yield-to-loop.ts'
import { isLongJson, jsonPieces, sortedJson, sortedJsonPieces } from '../contract/json-pieces.ts'
import { DomainError, type ErrorDetails } from '../core/base/errors.ts'
import type { ActorEvent } from '../core/model/events.ts'
import { type ActorState, KEPT_ANSWER_BYTES_MAX, OPERATION_WINDOW_MS } from '../core/model/state.ts'
import type { Codec } from '../ports/codec.ts'

/** Between the id of a key and that of an operation; no id of a caller is taken for both. */
const OF_KEY = '\u0000'

export interface OperationKey {
  /** As the caller named it; with a key, under the name of that key. */
  readonly operationId: string
  readonly requestHash: string
  /** What a refusal says in place of the operation id, where no caller sent one. */
  readonly named?: { readonly details: ErrorDetails; readonly message: string }
}

/** The key of a request that asked to run once; null when it did not. */
export function operationKeyOf(
  codec: Codec,
  operation: string,
  body: unknown,
  operationId: string | null,
  principal: string | null = null,
): OperationKey | null {
  if (operationId === null) return null
  const requestHash = codec.sha256(`${operation}\n${sortedJson(askedIn(body))}`)
  return { operationId: ownId(operationId, principal), requestHash }
}

/** The same key, of a large request made in slices. */
export function operationKeyFor(
  codec: Codec,
  operation: string,
  body: unknown,
  operationId: string | null,
  principal: string | null = null,
): OperationKey | Promise<OperationKey> | null {
  if (operationId === null || !isLongJson(body))
    return operationKeyOf(codec, operation, body, operationId, principal)
  return largeKey(codec, operation, body, ownId(operationId, principal))
}

async function largeKey(
  codec: Codec,
  operation: string,
  body: unknown,
  operationId: string,
): Promise<OperationKey> {
  const digest = codec.digest()
  digest.add(`${operation}\n`)
  for (const piece of sortedJsonPieces(askedIn(body))) {
    digest.add(piece)
    await yieldToLoop()
  }
  return { operationId, requestHash: digest.hex() }
}

function ownId(operationId: string, principal: string | null): string {
  return principal === null ? operationId : `${principal}${OF_KEY}${operationId}`
}

/** What must be equal for a request to be the same: all but its operation id. */
function askedIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? { ...body, operation_id: undefined } : body
}

/**
 * Runs a decision once per operation id: the answer is journaled with what it wrote, so a repeat gets it back, also
 * after a restart.
 * @throws operation_conflict when the id was used with another body, or its answer is not kept any more
 */
export function once<Reply extends object>(
  codec: Codec,
  key: OperationKey | null,
  decide: Decide<Reply>,
  keepOf: (reply: Reply) => object = (reply) => reply,
): Decide<Reply> {
  if (key === null) return decide
  return (state, nowMs) => {
    const stored = storedAnswer(codec, key, state, nowMs)
    // What was stored under this key is an earlier reply of the same operation.
    if (stored !== null) return { events: [], reply: stored as Reply }
    return recorded(codec, key, decide(state, nowMs), keepOf)
  }
}

/** As `once`, for a decision in steps. */
export function onceInSteps<Reply extends object>(
  codec: Codec,
  key: OperationKey | null,
  decide: DecideInSteps<Reply>,
): DecideInSteps<Reply> {
  if (key === null) return decide
  return function* (state, nowMs) {
    const stored = storedAnswer(codec, key, state, nowMs)
    if (stored !== null) return { events: [], reply: stored as Reply }
    const { events, reply } = yield* decide(state, nowMs)
    const answer = yield* codec.compressSteps(jsonPieces(reply), KEPT_ANSWER_BYTES_MAX)
    return { events: [...events, recordedAs(key, answer)], reply }
  }
}

/**
 * For work that is more than one turn, and that a repeat may do again without harm: the stored answer, or what `work`
 * answers, stored behind it.
 */
export async function onceBehind<Reply extends object>(
  codec: Codec,
  key: OperationKey | null,
  actor: Pick<Actor, 'read' | 'turn'>,
  principalId: string | null,
  work: () => Promise<Reply>,
): Promise<Reply> {
  if (key === null) return work()
  const stored = await actor.read((state, nowMs) => storedAnswer(codec, key, state, nowMs))
  if (stored !== null) return stored as Reply
  const reply = await work()
  return actor.turn(
    once(codec, key, () => ({ events: [], reply })),
    principalId,
  )
}

/** What was decided, with the answer beside it. */
function recorded<Reply extends object>(
  codec: Codec,
  key: OperationKey,
  { events, reply }: Decided<Reply>,
  keepOf: (reply: Reply) => object,
): Decided<Reply> {
  const compressed = codec.compress(JSON.stringify(keepOf(reply)))
  const answer = compressed.length > KEPT_ANSWER_BYTES_MAX ? null : compressed
  return { events: [...events, recordedAs(key, answer)], reply }
}

function recordedAs({ operationId, requestHash }: OperationKey, answer: Uint8Array | null): ActorEvent {
  return { type: 'operation_recorded', operationId, requestHash, answer }
}

function storedAnswer(codec: Codec, key: OperationKey, state: ActorState, nowMs: number): object | null {
  const { operationId, requestHash } = key
  if (state.retiredOperations.has(operationId)) throw conflict(key, true)
  const stored = state.operations.get(operationId)
  if (stored === undefined) return null
  if (stored.requestHash !== requestHash) throw conflict(key, false)
  if (stored.answer === null || stored.atMs <= nowMs - OPERATION_WINDOW_MS) throw conflict(key, true)
  const answer: unknown = JSON.parse(codec.decompress(stored.answer))
  return typeof answer === 'object' ? answer : null
}

function conflict({ operationId, named }: OperationKey, isExpired: boolean): DomainError {
  const details = named?.details ?? { operation_id: operationId.slice(operationId.indexOf(OF_KEY) + 1) }
  return new DomainError(
    'operation_conflict',
    isExpired ? { ...details, expired: true } : details,
    named?.message,
  )
}
