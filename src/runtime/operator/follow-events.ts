import type { Actor } from '../../actor/actor.ts'
import type { ListeningEnd } from '../../actor/live-turns.ts'
import { authorised } from '../../contract/access.ts'
import { OPERATIONS, type RequestOf } from '../../contract/operations.ts'
import {
  LISTENERS_MAX,
  type OperatorEvent,
  QUEUED_MAX,
  REPLAYED_MAX,
} from '../../contract/operator-events.ts'
import { parseRequest } from '../../contract/parse.ts'
import type { Surface } from '../../core/base/closed-sets.ts'
import { DomainError } from '../../core/base/errors.ts'
import { actorKeyOf } from '../../core/base/ids.ts'
import type { Turn } from '../../core/model/events.ts'
import type { ActorState } from '../../core/model/state.ts'
import { LOCAL_AGENT, type Viewer } from '../../core/model/visibility.ts'
import { type TurnEvent, turnEvents } from '../../core/report/turn-events.ts'
import { seenRecord } from '../../core/report/viewer.ts'
import type { Grant } from '../../ports/store.ts'
import { viewerIn } from '../normalise/identity.ts'
import { isoOf, type RuntimeParts } from '../parts.ts'
import type { CallContext, OperatorStream, StreamedEvent } from '../runtime.ts'
import { listedText } from './list-memories.ts'

/** Memories of an event whose texts are told: an event stays a line that can be read. */
const TEXTS_MAX = 50

/** An event with its place in its turn, and what is told of the turn beside it. */
export interface PlacedEvent {
  readonly seq: number
  readonly index: number
  readonly atMs: number
  readonly keyId: string | null
  readonly event: TurnEvent
}

// All readers of a scope are told of the same turns: what they are told as is made once.
const EVENTS_OF = new WeakMap<Turn, readonly PlacedEvent[]>()
const OBJECT_OF = new WeakMap<PlacedEvent, OperatorEvent>()

export function placedEvents(turn: Turn): readonly PlacedEvent[] {
  const known = EVENTS_OF.get(turn)
  if (known !== undefined) return known
  const { seq, atMs, principal: keyId = null } = turn
  const told = turnEvents(turn)
  // An erasure takes the findings away: what was told behind them keeps its place.
  const unscreened = told[0]?.name === 'observe' && told[1]?.name !== 'screening' ? 1 : 0
  const events = told.map((event, at) => ({ seq, index: at && at + unscreened, atMs, keyId, event }))
  EVENTS_OF.set(turn, events)
  return events
}

/**
 * The event as far as a viewer may know of it: memories that it sees, guides that were made for it, keys and skills not at
 * all. Null: nothing of it is left.
 */
export function eventAsSeen(state: ActorState, viewer: Viewer, placed: PlacedEvent): PlacedEvent | null {
  if (viewer === null) return placed
  const { event } = placed
  if (event.name === 'guide' && !isMadeForViewer(event, viewer)) return null
  const isSeen = (memoryId: string) => seenRecord({ state, viewer }, memoryId) !== null
  const memoryIds = event.memoryIds.filter(isSeen)
  const isOwnGuide = event.name === 'guide'
  if (memoryIds.length === 0 && !isOwnGuide) return null
  // Whoever sees one side of a dispute only, or some sources of a skill, is not told that there are others.
  const isWhole = event.name === 'dispute' || event.name === 'settle'
  if (isWhole && memoryIds.length < event.memoryIds.length) return null
  const ofSeen = <Of extends { readonly memoryId: string }>(list: readonly Of[]) =>
    list.filter(({ memoryId }) => isSeen(memoryId))
  return {
    ...placed,
    keyId: null,
    event: {
      ...event,
      memoryIds,
      guideTraceIds: isOwnGuide ? event.guideTraceIds : [],
      skillId: null,
      shown: ofSeen(event.shown),
      screened: ofSeen(event.screened),
      moves: ofSeen(event.moves),
    },
  }
}

function isMadeForViewer(event: TurnEvent, viewer: NonNullable<Viewer>): boolean {
  return (event.consumerAgentId ?? LOCAL_AGENT) === viewer.agentId && event.consumerTeamId === viewer.teamId
}

interface Placing {
  readonly tenantId: string
  readonly scope: string
}

/** The same object for every reader who is told the same. A turn is of one actor, so that its place is always this one. */
export function eventObject(place: Placing, placed: PlacedEvent): OperatorEvent {
  const known = OBJECT_OF.get(placed)
  if (known !== undefined) return known
  const object = objectOf(place, placed)
  OBJECT_OF.set(placed, object)
  return object
}

function objectOf({ tenantId, scope }: Placing, { atMs, keyId, event }: PlacedEvent): OperatorEvent {
  return {
    contract_version: 'svc_operator_events_v1',
    tenant_id: tenantId,
    scope,
    event: event.name,
    at: isoOf(atMs),
    key_id: keyId,
    memory_ids: event.memoryIds,
    guide_trace_ids: event.guideTraceIds,
    run_id: event.runId,
    consumer_agent_id: event.consumerAgentId,
    consumer_team_id: event.consumerTeamId,
    what: event.what,
    skill_id: event.skillId,
    shown: runsOf(event.shown),
    screened: event.screened.map(({ memoryId, findings }) => ({ memory_id: memoryId, findings })),
    changes: event.moves.map(({ memoryId, facet, to, cause }) => ({ memory_id: memoryId, facet, to, cause })),
  }
}

/** Every reader is sent every guide, and many lines of one have surface and rule in common. */
function runsOf(lines: TurnEvent['shown']): OperatorEvent['shown'] {
  const runs: { surface: Surface; rule_id: string; count: number }[] = []
  for (const { surface, ruleId } of lines) {
    const last = runs.at(-1)
    if (last?.surface === surface && last.rule_id === ruleId) last.count += 1
    else runs.push({ surface, rule_id: ruleId, count: 1 })
  }
  return runs
}

/** As they are now: an erased one is gone from here too. */
export function textsOf(
  state: ActorState,
  memoryIds: readonly string[],
): NonNullable<OperatorEvent['texts']> {
  return memoryIds.slice(0, TEXTS_MAX).map((memoryId) => {
    const record = state.memories.get(memoryId)
    const isGone = record === undefined || state.erasures.has(memoryId)
    return { memory_id: memoryId, text: isGone ? null : listedText(record.content) }
  })
}

interface Parts extends Pick<RuntimeParts, 'registry' | 'liveTurns' | 'history' | 'codec'> {
  /** Null: no other node has actors. */
  readonly cluster: object | null
}

const TOO_MANY = `${LISTENERS_MAX} streams of events are open, and there may be no more: close one, or repeat the request later.`
/** Turns that are looked through for what a reader missed: nearly every one holds an event. */
const REPLAYED_TURNS_MAX = 4 * REPLAYED_MAX

/** From when one reader is told to when the next one is. */
const GAP_MS = 5
/** A reader for whom so many events wait is told them out of its turn, so that none is dropped for the sake of turns. */
const HURRIED_EVENTS = QUEUED_MAX / 2

/**
 * Readers are told in turns, each all that waits for it: however many there are, whoever asks for anything else meets the
 * cost of one of them. A reader that is alone waits for nobody.
 */
class TellingTurns {
  #freeAtMs = 0

  /** How long the reader waits for the turn that it is given. */
  take(nowMs: number): number {
    const atMs = Math.max(nowMs, this.#freeAtMs)
    this.#freeAtMs = atMs + GAP_MS
    return atMs - nowMs
  }
}

/** Everybody who follows a scope. */
export class Followers {
  readonly #parts: Parts
  readonly #turns = new TellingTurns()
  #count = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** @throws what any operation does of its key and fields, overloaded */
  async follow(body: unknown, { principal = null }: CallContext): Promise<OperatorStream> {
    const row = OPERATIONS.followEvents
    const meant = principal === null ? body : authorised(principal, row, body)
    const { request } = parseRequest(row, meant)
    if (this.#count >= LISTENERS_MAX) throw new DomainError('overloaded', { where: 'listeners' }, TOO_MANY)
    this.#count += 1
    const stream = new Following(this.#parts, this.#turns, request, () => {
      this.#count -= 1
    })
    try {
      await stream.open()
      return stream
    } catch (error) {
      stream.close()
      throw error
    }
  }
}

/** One reader. Turns wait for it as the events that they are told as, which hold ids and no text. */
class Following implements OperatorStream {
  readonly #parts: Parts
  readonly #turns: TellingTurns
  readonly #request: RequestOf<'followEvents'>
  readonly #onClosed: () => void
  /** What was missed before it came. */
  #missed: PlacedEvent[] = []
  #gap: object | null = null
  /** Turns up to this one are told by the replay. */
  #replayedSeq = 0
  #queue: PlacedEvent[] = []
  #dropped = 0
  #ended: ListeningEnd | null = null
  /** By which the actor was held when it was asked for; null: it was not, as no other node could have it. */
  #grant: Grant | null = null
  #stop: (() => void) | null = null
  #wake: (() => void) | null = null
  #hurry: (() => void) | null = null

  constructor(parts: Parts, turns: TellingTurns, request: RequestOf<'followEvents'>, onClosed: () => void) {
    this.#parts = parts
    this.#turns = turns
    this.#request = request
    this.#onClosed = onClosed
  }

  /** From its beginning on every turn is told; from its end on also what was missed before. */
  async open(): Promise<void> {
    const { tenant_id: tenantId, scope, last_event_id: last } = this.#request
    let isReplaying = last != null
    const meanwhile: PlacedEvent[] = []
    const grantNow = () => this.#grant
    this.#stop = this.#parts.liveTurns.listen(actorKeyOf(tenantId, scope), {
      get grant() {
        return grantNow()
      },
      told: (turn) => {
        if (isReplaying) meanwhile.push(...placedEvents(turn))
        else if (turn.seq > this.#replayedSeq) this.#add(placedEvents(turn))
      },
      ended: (why) => this.#end(why),
    })
    const { registry, cluster } = this.#parts
    if (last == null) {
      // Another node tells the turns of what it owns: whoever asks here hears which.
      if (cluster !== null)
        await registry.look(tenantId, scope, async ({ grant }) => void (this.#grant = grant))
      return
    }
    await registry.look(tenantId, scope, (actor) => this.#replay(actor, last))
    isReplaying = false
    this.#add(meanwhile.filter(({ seq }) => seq > this.#replayedSeq))
  }

  async next(): Promise<readonly StreamedEvent[] | null> {
    for (;;) {
      while (!this.#hasSome()) {
        if (this.#ended !== null) return null
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
      await this.#turn()
      const told = await this.#taken().catch((error: unknown) => this.#unreadable(error))
      if (told === null || told.length > 0) return told
    }
  }

  close(): void {
    if (this.#stop === null) return
    this.#stop()
    this.#stop = null
    this.#missed = []
    this.#queue = []
    this.#end('shutting_down')
    this.#onClosed()
  }

  get ended(): ListeningEnd | null {
    return this.#ended
  }

  #end(why: ListeningEnd): void {
    this.#ended ??= why
    this.#wake?.()
    this.#hurry?.()
  }

  #hasSome(): boolean {
    return this.#gap !== null || this.#dropped > 0 || this.#missed.length > 0 || this.#queue.length > 0
  }

  async #turn(): Promise<void> {
    const waitMs = this.#turns.take(performance.now())
    if (waitMs === 0 || this.#ended !== null || this.#queue.length >= HURRIED_EVENTS) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs)
      this.#hurry = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#hurry = null
  }

  /** What was dropped was before all that waits, and came after all that was missed. */
  async #taken(): Promise<readonly StreamedEvent[]> {
    const told: StreamedEvent[] = []
    if (this.#gap !== null) told.push({ id: null, name: 'gap', data: this.#gap })
    this.#gap = null
    const missed = this.#missed.splice(0, QUEUED_MAX)
    if (missed.length > 0) return [...told, ...(await this.#objectsOf(missed))]
    if (this.#dropped > 0) told.push({ id: null, name: 'dropped', data: { dropped: this.#dropped } })
    this.#dropped = 0
    return [...told, ...(await this.#objectsOf(this.#queue.splice(0)))]
  }

  #add(events: readonly PlacedEvent[]): void {
    this.#queue.push(...events)
    const surplus = this.#queue.length - QUEUED_MAX
    if (surplus > 0) {
      this.#queue.splice(0, surplus)
      this.#dropped += surplus
    }
    this.#wake?.()
    if (this.#queue.length >= HURRIED_EVENTS) this.#hurry?.()
  }

  /** Without what is not for this reader. */
  async #objectsOf(all: readonly PlacedEvent[]): Promise<readonly StreamedEvent[]> {
    const { tenant_id: tenantId, scope, include_text: withTexts = false } = this.#request
    const viewer = viewerIn(this.#request)
    const place = { tenantId, scope }
    if (viewer === null && withTexts !== true)
      return all.map((placed) => streamed(placed, eventObject(place, placed)))
    if (all.length === 0) return []
    return this.#parts.registry.look(tenantId, scope, async ({ state }) =>
      all.flatMap((placed) => {
        const seen = eventAsSeen(state, viewer, placed)
        if (seen === null) return []
        const object = eventObject(place, seen)
        const texts = withTexts === true ? { texts: textsOf(state, seen.event.memoryIds) } : null
        return streamed(placed, texts === null ? object : { ...object, ...texts })
      }),
    )
  }

  /** Nothing here is read any more of what another node owns: a reader that comes back there is told it. @throws any other error */
  #unreadable(error: unknown): null {
    if (this.#ended !== 'not_owner') throw error
    return null
  }

  /** What came after the last event that the reader has, as far as history holds it. */
  async #replay(actor: Actor, last: string): Promise<void> {
    const [lastSeq = 0, lastIndex = 0] = last.split('.').map(Number)
    const toSeq = actor.state.seq
    this.#grant = actor.grant
    await actor.settled()
    this.#replayedSeq = toSeq
    if (lastSeq > toSeq) return this.#miss('unknown_event')
    if (toSeq - lastSeq > REPLAYED_TURNS_MAX) return this.#miss('too_many')
    const found: PlacedEvent[] = []
    let expected = Math.max(1, lastSeq)
    for await (const record of this.#parts.history.read(actor.key, expected, toSeq)) {
      if (record.actorSeq !== expected) break
      expected += 1
      const events = placedEvents(this.#parts.codec.decodeTurn(record.payload))
      found.push(...events.filter(({ seq, index }) => seq > lastSeq || index > lastIndex))
      if (found.length > REPLAYED_MAX) return this.#miss('too_many')
    }
    if (expected <= toSeq) return this.#miss('kept_no_longer')
    this.#missed = found
  }

  #miss(reason: 'unknown_event' | 'too_many' | 'kept_no_longer'): void {
    this.#gap = { reason, last_event_id: this.#request.last_event_id }
  }
}

function streamed({ seq, index, event }: PlacedEvent, data: OperatorEvent): StreamedEvent {
  return { id: `${seq}.${index}`, name: event.name, data }
}
