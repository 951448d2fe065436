import type { Actor, Decide, Decided, DecideInSteps } from '../actor/actor.ts'
import type { LiveTurns } from '../actor/live-turns.ts'
import type { PastStates } from '../actor/recovery.ts'
import type { Registry } from '../actor/registry.ts'
import { yieldToLoop } from '../actor/waiting.ts'
import type { AnyAnswerOf, RequestedName, RequestOf } from '../contract/operations.ts'
import { digestOf } from '../core/base/digest.ts'
import { DomainError, type ErrorDetails } from '../core/base/errors.ts'
import { actorKeyOf, GUIDE_TRACE_PREFIX, guideTimeOf } from '../core/base/ids.ts'
import { isLongJson, jsonPieces, sortedJson, sortedJsonPieces } from '../core/base/json-pieces.ts'
import { type GuideErasure, guideErasureKey } from '../core/model/erasure.ts'
import type { ActorEvent, ExposureRecord } from '../core/model/events.ts'
import type { Principal } from '../core/model/principal.ts'
import { type ActorState, KEPT_ANSWER_BYTES_MAX, OPERATION_WINDOW_MS } from '../core/model/state.ts'
import type { Codec } from '../ports/codec.ts'
import type { Compute } from '../ports/compute.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { ExposureLedger, History } from '../ports/store.ts'
import type { Clock, Entropy, Log } from '../ports/system.ts'
import type { SentConsumer } from './normalise/identity.ts'
import type { Semantic } from './semantic.ts'

/** Which guides withhold memory, so that there are runs without it to compare with. */
export interface HoldOut {
  /** Share of runs, 0 to 100; 0: none. */
  readonly percent: number
  /** `tenant/scope` of the actors that it applies to; empty: every one. */
  readonly actorKeys: readonly string[]
}

const LANE = 0x1_0000_0000

/**
 * Draws by the run, so that all guides of one run are alike: one that had memory at times shows nothing. A guide
 * without a run is drawn by its own id, whose bits are random.
 */
export function isHeldOut(
  { percent, actorKeys }: HoldOut,
  place: { readonly tenantId: string; readonly scope: string },
  runId: string | null,
  guideTraceId: string,
): boolean {
  if (percent === 0) return false
  const key = actorKeyOf(place.tenantId, place.scope)
  if (actorKeys.length > 0 && !actorKeys.includes(key)) return false
  const draw = Number.parseInt(digestOf([key, runId ?? guideTraceId]).slice(0, 8), 16) / LANE
  return draw * 100 < percent
}

/** UTC with milliseconds, as every time on the wire; null stays null. */
export function isoOf(atMs: number): string
export function isoOf(atMs: number | null): string | null
export function isoOf(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}

/** What every operation works with. */
export interface RuntimeParts {
  readonly registry: Registry
  readonly clock: Clock
  readonly entropy: Entropy
  readonly codec: Codec
  readonly compute: Compute
  readonly ledger: ExposureLedger
  readonly history: History
  readonly log: Log
  readonly past: PastStates
  readonly liveTurns: LiveTurns
  /** Rankings estimated above this go to the worker pool, in nanoseconds. */
  readonly inlineRankNs: number
  readonly holdOut: HoldOut
  /** Null, as what follows: no provider of embeddings is configured. */
  readonly embedder: Embedder | null
  readonly semantic: Semantic | null
}

/** One request on its way: parsed, with its place and its key. */
export interface Call<Request> {
  readonly request: Request
  readonly tenantId: string
  readonly scope: string
  readonly operationKey: OperationKey | null
  /** Null: there are no keys, or the service is embedded. */
  readonly principal: Principal | null
  /** Is given the answer while the journal stores what it depends on. Null: nobody wants it so early. */
  readonly meanwhile: ((answer: object) => void) | null
}

/** What carries an operation out. */
export type Handler<Name extends RequestedName> = (
  parts: RuntimeParts,
  call: Call<RequestOf<Name>>,
) => Promise<AnyAnswerOf<Name>>

/** What the journal keeps of who asked. */
export function principalIdOf({ principal }: Pick<Call<unknown>, 'principal'>): string | null {
  return principal?.keyId ?? null
}

/** The turn of a request, once for its operation id. */
export function turnOnce<Reply extends object>(
  { codec }: Pick<RuntimeParts, 'codec'>,
  actor: Actor,
  call: Pick<Call<unknown>, 'operationKey' | 'principal' | 'meanwhile'>,
  decide: Decide<Reply>,
  keepOf?: (reply: Reply) => object,
): Promise<Reply> {
  const decideOnce = once(codec, freeKey(actor, call), decide, keepOf)
  return actor.turn(decideOnce, principalIdOf(call), call.meanwhile)
}

/** The same of a large request. */
export function turnInSlicesOnce<Reply extends object>(
  { codec }: Pick<RuntimeParts, 'codec'>,
  actor: Actor,
  call: Pick<Call<unknown>, 'operationKey' | 'principal'>,
  decide: DecideInSteps<Reply>,
  keepOf?: (reply: Reply) => object,
): Promise<Reply> {
  return actor.turnInSlices(onceInSteps(codec, freeKey(actor, call), decide, keepOf), principalIdOf(call))
}

/** The key of a request of one turn. @throws operation_conflict while its id stands for one of several turns */
export function freeKey(actor: Actor, { operationKey: key }: Pick<Call<unknown>, 'operationKey'>) {
  if (key !== null && actor.underWay.has(key.operationId)) throw conflict(key, false)
  return key
}

/** The fields that every answer under /v1 begins with. */
export function envelopeOf<Version extends string>(
  contractVersion: Version,
  place: { readonly tenantId: string; readonly scope: string },
): { readonly contract_version: Version; readonly tenant_id: string; readonly scope: string } {
  return { contract_version: contractVersion, tenant_id: place.tenantId, scope: place.scope }
}

/** Which parts of the runtime made an answer, and what was left out of it. */
export function sourceMap(route: string, used: readonly string[], omitted: readonly string[] = []) {
  return { routes_used: [route], internal_surfaces_used: used, omitted_internal_surfaces: omitted }
}

/** The member that says what was ignored or read differently; left out when there is nothing to say. */
export function warningsOf(warnings: readonly string[]): { readonly warnings?: readonly string[] } {
  return warnings.length === 0 ? {} : { warnings }
}

/**
 * The exposure set of the guide that a request names, null when it names none. The request then acts with the consumer
 * of that guide, so consumer fields that it sends must be the recorded ones. A refusal is handed on.
 */
export async function namedExposure(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  guideTraceId: string | null,
  sent: SentConsumer,
): Promise<() => ExposureRecord | null> {
  return guideTraceId === null ? () => null : handedOn(exposureFor(parts, actor, guideTraceId, sent))
}

/** What was found, or a refusal, for the turn: there a repeat gets its stored answer before it would be refused. */
export async function handedOn<Found>(finding: Promise<Found>): Promise<() => Found> {
  try {
    const found = await finding
    return () => found
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return () => {
      throw error
    }
  }
}

/** The same for a request that names the guide: made for another consumer than it says, it is unknown. @throws guide_trace_not_found */
export async function exposureFor(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  guideTraceId: string,
  sent: SentConsumer,
): Promise<ExposureRecord> {
  const exposure = await exposureOf(parts, actor, guideTraceId)
  if (isSentFor(exposure, sent)) return exposure
  throw new DomainError('guide_trace_not_found', { guide_trace_id: guideTraceId })
}

/** True when no consumer field that was sent, or that the key says, differs from the recorded one. */
function isSentFor(exposure: ExposureRecord, { agentId, teamId, isTeamless }: SentConsumer): boolean {
  if (agentId !== null && agentId !== exposure.consumerAgentId) return false
  return (teamId === null && !isTeamless) || teamId === exposure.consumerTeamId
}

/** The exposure set of a guide. @throws guide_trace_not_found when it is nowhere, or beyond its retention */
export async function exposureOf(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  guideTraceId: string,
): Promise<ExposureRecord> {
  const held = await heldExposure(parts, actor, guideTraceId)
  const isKept = guideTimeOf(guideTraceId) >= parts.ledger.keptFromMs()
  // The ledger holds an erased one until the purge has reached it.
  if (held !== null && isKept && erasureOf(actor.state, guideTraceId) === undefined) return held
  throw unknownGuide(parts, actor, guideTraceId)
}

function erasureOf({ erasedGuides }: ActorState, id: string): GuideErasure | undefined {
  return erasedGuides.get(guideErasureKey({ kind: 'guide', id, madeFor: null }))
}

/** The same, however old: still in memory, or in the ledger. */
export async function heldExposure(
  { ledger }: Pick<RuntimeParts, 'ledger'>,
  { key, state }: Actor,
  guideTraceId: string,
): Promise<ExposureRecord | null> {
  return state.exposures.get(guideTraceId) ?? (isOurs(guideTraceId) ? ledger.find(key, guideTraceId) : null)
}

/** What is said of a guide that is not found. */
export function unknownGuide(
  { ledger }: Pick<RuntimeParts, 'ledger'>,
  { key, state }: Actor,
  guideTraceId: string,
): DomainError {
  const erased = erasureOf(state, guideTraceId)
  const isExpired = isOurs(guideTraceId) && ledger.isBeyondRetention(key, guideTraceId)
  return new DomainError('guide_trace_not_found', {
    guide_trace_id: guideTraceId,
    ...(erased !== undefined
      ? { erased: true, erased_at: isoOf(erased.atMs) }
      : isExpired
        ? { expired: true }
        : {}),
  })
}

function isOurs(guideTraceId: string): boolean {
  return guideTraceId.startsWith(GUIDE_TRACE_PREFIX)
}

/** Between the id of a key and that of an operation, which is carried out once: no id of a caller is taken for both. */
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
  keepOf: (reply: Reply) => object = (reply) => reply,
): DecideInSteps<Reply> {
  if (key === null) return decide
  return function* (state, nowMs) {
    const stored = storedAnswer(codec, key, state, nowMs)
    if (stored !== null) return { events: [], reply: stored as Reply }
    const { events, reply } = yield* decide(state, nowMs)
    const answer = yield* codec.compressSteps(jsonPieces(keepOf(reply)), KEPT_ANSWER_BYTES_MAX)
    return { events: [...events, recordedAs(key, answer)], reply }
  }
}

/**
 * For work that is more than one turn, and that a repeat may do again without harm: the stored answer, or what `work`
 * answers, stored behind it. Of two at once the second waits: nothing of another body is carried out.
 */
export async function onceBehind<Reply extends object>(
  codec: Codec,
  key: OperationKey | null,
  actor: Pick<Actor, 'read' | 'turn' | 'underWay'>,
  principalId: string | null,
  work: () => Promise<Reply>,
): Promise<Reply> {
  if (key === null) return work()
  const { operationId: id } = key
  while (actor.underWay.has(id)) await actor.underWay.get(id)?.catch(() => null)
  const carriedOut = async (): Promise<Reply> => {
    const stored = await actor.read((state, nowMs) => storedAnswer(codec, key, state, nowMs))
    if (stored !== null) return stored as Reply
    const reply = await work()
    const decide = once(codec, key, () => ({ events: [], reply }))
    return actor.turn(decide, principalId)
  }
  const answered = carriedOut().finally(() => actor.underWay.delete(id))
  actor.underWay.set(id, answered)
  return answered
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
  // The age first: when an old one is let go depends on what others write.
  if (stored.atMs <= nowMs - OPERATION_WINDOW_MS) throw conflict(key, true)
  if (stored.requestHash !== requestHash) throw conflict(key, false)
  if (stored.answer === null) throw conflict(key, true)
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
