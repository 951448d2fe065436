import type { Actor, Decide, Decided, DecideInSteps } from '../actor/actor.ts'
import { DomainError, type ErrorDetails } from '../core/base/errors.ts'
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
  const own = principal === null ? operationId : `${principal}${OF_KEY}${operationId}`
  return { operationId: own, requestHash: codec.sha256(`${operation}\n${canonicalJson(body)}`) }
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
    return recorded(codec, key, yield* decide(state, nowMs), (reply) => reply)
  }
}

/**
 * For work that is more than one turn, and that a repeat may do again without harm: the stored answer, or what `work`
 * answers, stored behind it.
 */
export async function onceBehind<Reply extends object>(
  codec: Codec,
  key: OperationKey | null,
  actor: Pick<Actor, 'turn'>,
  principalId: string | null,
  work: () => Promise<Reply>,
): Promise<Reply> {
  if (key === null) return work()
  const stored = await actor.turn((state, nowMs) => ({
    events: [],
    reply: storedAnswer(codec, key, state, nowMs),
  }))
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
  { operationId, requestHash }: OperationKey,
  { events, reply }: Decided<Reply>,
  keepOf: (reply: Reply) => object,
): Decided<Reply> {
  const compressed = codec.compress(JSON.stringify(keepOf(reply)))
  const answer = compressed.length > KEPT_ANSWER_BYTES_MAX ? null : compressed
  return { events: [...events, { type: 'operation_recorded', operationId, requestHash, answer }], reply }
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

/** JSON with sorted keys and without the operation id: what must be equal for a request to be the same. */
function canonicalJson(body: unknown): string {
  const isRecord = typeof body === 'object' && body !== null
  return JSON.stringify(sorted(isRecord ? { ...body, operation_id: undefined } : body))
}

/** A copy first: of a large body a replacer takes three times as long. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]))
}
