import { RecallView } from '../../src/actor/recall-view.ts'
import { SimilarView, similarIn } from '../../src/actor/similar-view.ts'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import type { Surface } from '../../src/core/base/closed-sets.ts'
import { DomainError } from '../../src/core/base/errors.ts'
import type { agentContext } from '../../src/core/guide/agent-context.ts'
import { compileGuide } from '../../src/core/guide/compile.ts'
import type { memoryUseReceipt } from '../../src/core/guide/decision.ts'
import type { GuideCommand } from '../../src/core/guide/entry.ts'
import type {
  FeedbackCommand,
  LifecycleCommand,
  MemoryWrite,
  ObserveCommand,
} from '../../src/core/model/commands.ts'
import type { ActorEvent, ExposureRecord, Turn } from '../../src/core/model/events.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import type { Consumer, MemoryRecord } from '../../src/core/model/record.ts'
import { type ActorState, emptyState } from '../../src/core/model/state.ts'
import { type Admission, admissionIn } from '../../src/core/policy/admission.ts'
import { decideFeedback, type FeedbackEffect } from '../../src/core/write/attribution.ts'
import { decideErase, type EraseCommand, type EraseEffect } from '../../src/core/write/erase.ts'
import { decideLifecycle, type LifecycleEffect } from '../../src/core/write/forget.ts'
import { decideObserve, type ObserveEffect } from '../../src/core/write/observe.ts'
import { decideSettle, type SettleEffect, type Verdict } from '../../src/core/write/settle.ts'
import type { Similar } from '../../src/core/write/similar.ts'
import { feedbackOf, guideOf, LOCAL, lifecycleOf, observeOf } from './commands.ts'
import { idOf } from './guide-samples.ts'
import { hitsIn, type NamedHit } from './named-hit.ts'
import { search } from './search.ts'

const codec = createCodec()
export const START_MS = Date.UTC(2026, 0, 1)
/** What every turn takes, so that no two have the same time. */
const TURN_MS = 1000

/** What a surface lets an agent do: act, look, nothing. Inspecting and fetching are advice alike. */
export const AUTHORITY = {
  use_now: 2,
  inspect_before_use: 1,
  rehydrate: 1,
  do_not_use: 0,
} as const satisfies Record<Surface, number>

/** The parts of a guide's answer that laws are about. */
export interface GuideAnswer {
  readonly guide_trace_id: string
  readonly agent_context: ReturnType<typeof agentContext>
  readonly memory_use_receipt: ReturnType<typeof memoryUseReceipt>
}

/**
 * An actor without a journal: every command is decided and applied as in the real one, and its turns are kept. What a
 * test leaves out of a command is as `support/commands.ts` says.
 */
export class World {
  readonly state: ActorState
  readonly turns: Turn[] = []
  /** The ledger: every exposure, oldest first. */
  readonly guides: ExposureRecord[] = []
  readonly similar: Similar
  readonly #recall: RecallView
  readonly #texts: SimilarView
  nowMs = START_MS
  #made = 0

  constructor(tenantId = 'default', scope = 'default', state = emptyState(tenantId, scope)) {
    this.state = state
    this.#recall = RecallView.empty(search)
    this.#texts = new SimilarView(this.state)
    this.similar = similarIn(this.state, this.#texts, this.#recall)
    const known = this.records().toSorted((a, b) => a.ordinal - b.ordinal)
    this.#index(known.map((draft) => ({ type: 'memory_written', draft })))
  }

  get memoryIds(): readonly string[] {
    return this.state.records.map(({ memoryId }) => memoryId)
  }

  record(memoryId: string): MemoryRecord {
    const record = this.state.memories.get(memoryId)
    if (record === undefined) throw new Error(`no memory ${memoryId}`)
    return record
  }

  records(): readonly MemoryRecord[] {
    return [...this.state.memories.values()]
  }

  newId(): string {
    this.#made += 1
    return idOf(this.#made)
  }

  observe(command: Partial<ObserveCommand>): ObserveEffect {
    const { events, effect } = decideObserve(
      this.state,
      observeOf(command),
      this.nowMs,
      () => this.newId(),
      undefined,
      this.similar,
    )
    this.commit(events)
    return effect
  }

  /** Writes one memory and returns its id. */
  write(input: MemoryWrite, viewpoint: Consumer = LOCAL): string {
    return this.observe({ memories: [input], viewpoint }).memoryIds[0] ?? ''
  }

  feedback(parts: Partial<FeedbackCommand>): FeedbackEffect {
    const command = feedbackOf(parts)
    const { events, effect } = decideFeedback(this.state, command, this.exposure(command.guideTraceId))
    this.commit(events)
    return effect
  }

  lifecycle(parts: Partial<LifecycleCommand>): LifecycleEffect {
    const command = lifecycleOf(parts)
    const { events, effect } = decideLifecycle(this.state, command, command.viewpoint, this.nowMs)
    this.commit(events)
    return effect
  }

  settle(memoryIds: readonly [string, string], verdict: Verdict): SettleEffect {
    const command = { memoryIds, verdict, reason: 'looked at', actorName: 'operator' }
    const { events, effect } = decideSettle(this.state, command, null, this.nowMs)
    this.commit(events)
    return effect
  }

  erase(command: EraseCommand): EraseEffect {
    const { events, effect } = decideErase(this.state, command, this.nowMs)
    this.commit(events)
    return effect
  }

  guide(command: Partial<GuideCommand> = {}, hits: readonly NamedHit[] = []): GuideAnswer {
    const { events, answer } = this.compiled(command, hits)
    this.commit(events)
    return answer
  }

  /** What a guide would answer now, without having been asked. */
  compiled(
    parts: Partial<GuideCommand>,
    hits: readonly NamedHit[] = [],
    state: ActorState = this.state,
    heldOut = false,
  ) {
    const command = guideOf(parts)
    const guideTraceId = `guide_trace:${idOf(0xa000 + this.turns.length)}`
    const isoTime = (atMs: number): string => new Date(atMs).toISOString()
    const { events, body } = compileGuide(
      state,
      command,
      { hits: hitsIn(state, hits), identifiers: command.identifiers },
      { nowMs: this.nowMs, guideTraceId, heldOut, queryHash: codec.sha256(command.queryText) },
      { isoTime, sha256: (text) => codec.sha256(text) },
    )
    return { events, answer: body as GuideAnswer }
  }

  exposure(guideTraceId: string | null): ExposureRecord | null {
    return this.guides.find((guide) => guide.guideTraceId === guideTraceId) ?? null
  }

  admission(memoryId: string, asked: string | null = null, eyes: Consumer | null = null): Admission {
    const record = this.record(memoryId)
    return admissionIn(this.state, record, { nowMs: this.nowMs, askedSignature: asked, consumer: eyes })
  }

  surface(memoryId: string): Surface {
    return this.admission(memoryId).surface
  }

  commit(events: readonly ActorEvent[]): void {
    if (events.length === 0) return
    const turn: Turn = { seq: this.state.seq + 1, atMs: this.nowMs, events }
    evolve(this.state, turn)
    this.turns.push(turn)
    this.#index(events)
    for (const event of events) {
      if (event.type !== 'exposed') continue
      const { lineVersions: _versions, ...exposed } = event
      this.guides.push({ ...exposed, atMs: turn.atMs, seq: turn.seq })
    }
    this.nowMs += TURN_MS
  }

  #index(events: readonly ActorEvent[]): void {
    this.#recall.apply(this.state, events)
    this.#texts.apply(events)
  }

  /** The events of the last turn. */
  lastEvents(): readonly ActorEvent[] {
    return this.turns.at(-1)?.events ?? []
  }
}

/** Facets in one line: trust, standing, validity, availability, and whether it is suppressed. */
export function facetsOf(world: World, id: string): string {
  const { trust, standing, validity, availability, suppression } = world.record(id).facets
  return [trust, standing, validity, availability, suppression === null ? 'free' : 'suppressed'].join(' ')
}

/** A state that takes one turn for each call, a second later each time. */
export function runningState(): {
  readonly state: ActorState
  readonly turn: (events: readonly ActorEvent[], atMs?: number) => void
} {
  const state = emptyState('t', 's')
  return {
    state,
    turn: (events, atMs = state.seq * TURN_MS) => evolve(state, { seq: state.seq + 1, atMs, events }),
  }
}

/** The same state, read from its turns again. */
export function replayed(turns: readonly Turn[], tenantId = 'default', scope = 'default'): ActorState {
  const state = emptyState(tenantId, scope)
  for (const turn of turns) evolve(state, turn)
  return state
}

/** Runs a command; a refusal that callers are meant to see gives its error, anything else is thrown. */
export function refusalOf(act: () => unknown): DomainError | null {
  try {
    act()
    return null
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}
