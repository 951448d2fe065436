import { assert } from '../base/assert.ts'
import type { RelationType } from '../base/closed-sets.ts'
import { invalidRequest } from '../base/errors.ts'
import type { MemoryRef, MemoryWrite } from '../model/commands.ts'
import { laterClaims, saysAnew } from '../model/dispute.ts'
import type { ActorEvent, NamedTask, NewMemory } from '../model/events.ts'
import {
  type Cause,
  type Move,
  moveFacet,
  type SuppressionCause,
  suppress,
  unsuppress,
} from '../model/lifecycle.ts'
import { type Authority, authorityOf, isLess, type Principal, voiceOf } from '../model/principal.ts'
import type {
  Audience,
  Consumer,
  Content,
  Dispute,
  DisputeYields,
  Facets,
  HandoffFacts,
  MemoryRecord,
  Suppression,
} from '../model/record.ts'
import { type ActorState, AUDIENCES_MAX, disputeKey, liveRecord } from '../model/state.ts'
import { audienceKey, isVisibleTo } from '../model/visibility.ts'
import type { Finding, FindingKind, ScreeningContext } from '../screening/finding.ts'
import { isInstructing } from '../screening/reading.ts'
import { screen } from '../screening/screen.ts'

/** What a user's own rule, preference, procedure or project context is there to say: how to act and how to answer. */
const SAID_BY_USERS: ReadonlySet<FindingKind> = new Set(['assistant_directive', 'embedded_request'])

/** Screens one text; may answer from what was found before the turn, since screening is pure. */
export type Screener = (text: string, context: ScreeningContext) => readonly Finding[]

/** Everything of a memory that may be printed, and how it is to be read. */
export function screenedTexts(
  input: Pick<MemoryWrite, 'content' | 'domain' | 'memoryType' | 'runId'>,
  handoff: Omit<HandoffFacts, 'handoffId'> | null,
) {
  const { content, runId } = input
  // A stored memory is screened without a query: no address is named by anybody yet.
  const context: ScreeningContext = { domain: input.domain, declaredType: input.memoryType, queryText: null }
  const { workflowSteps, acceptanceChecks, targetFiles, rawRef, evidenceRefs } = content
  const addressee = handoff === null ? [] : [handoff.targetAgentId, handoff.targetTeamId, handoff.targetRole]
  // Of evidence the first reference is printed.
  const named = [
    runId,
    ...workflowSteps,
    ...acceptanceChecks,
    ...targetFiles,
    rawRef,
    evidenceRefs[0],
    ...addressee,
  ]
  const lines = named.filter(Boolean).join('\n')
  const { title, text, summary, nextAction } = content
  const texts = [title, text, summary, nextAction, lines, handoff?.handoffText ?? null]
  return { context, texts: texts.filter((each) => each !== null && each !== '') as readonly string[] }
}

/** Kinds of findings in a memory, each once, in order of first appearance. */
export function findingsIn(
  input: Pick<MemoryWrite, 'content' | 'domain' | 'memoryType' | 'origin' | 'runId'>,
  handoff: HandoffFacts | null,
  screener: Screener,
): readonly string[] {
  const { context, texts } = screenedTexts(input, handoff)
  const isOwnRule = input.origin === 'user' && isInstructing(context)
  const kinds = new Set<string>()
  for (const text of texts) {
    for (const { kind } of screener(text, context))
      if (!(isOwnRule && SAID_BY_USERS.has(kind))) kinds.add(kind)
  }
  return [...kinds]
}

/** What a decision knows of a memory: as it stands in the state, or as this same decision has left it. */
export type Seen = Pick<
  MemoryRecord,
  | 'memoryId'
  | 'clientId'
  | 'audience'
  | 'facets'
  | 'content'
  | 'claim'
  | 'handoff'
  | 'domain'
  | 'derivedFrom'
  | 'origin'
  | 'findings'
  | 'taskSignature'
  | 'workflowSignature'
  | 'taskId'
  | 'taskFamily'
  | 'memoryType'
  | 'observedAtMs'
>

/** What was decided, and what it comes to. */
export interface Decided<Effect> {
  readonly events: readonly ActorEvent[]
  readonly effect: Effect
}

/**
 * The events of one turn while they are being decided. It lives for one decision: the state stays untouched, and a
 * later step sees what an earlier one did.
 */
export class Decision {
  readonly events: ActorEvent[]
  readonly #changed = new Map<string, Seen>()
  readonly #written: string[] = []
  readonly #saidAnew = new Set<string>()
  /** Who yields in the disputes of this decision, by pair. */
  readonly #disputes = new Map<string, string>()

  readonly state: ActorState
  readonly nowMs: number
  readonly newId: () => string
  readonly screener: Screener
  /** Whether what it writes is an operator's word. */
  readonly isOperators: boolean

  constructor(
    state: ActorState,
    nowMs: number,
    newId: () => string,
    screener: Screener = screen,
    principal: Principal | null = null,
    /** What the same request has decided before. */
    before: readonly ActorEvent[] = [],
  ) {
    this.events = [...before]
    this.state = state
    this.nowMs = nowMs
    this.newId = newId
    this.screener = screener
    this.isOperators = principal?.isOperator ?? false
  }

  /** Null for an erased memory, too: nothing is decided about it any more. */
  seen(memoryId: string): Seen | null {
    return this.#changed.get(memoryId) ?? liveRecord(this.state, memoryId) ?? null
  }

  /** @throws invalid_request when there are too many owners to add one */
  write(draft: NewMemory): void {
    const { audiences } = this.state
    const { ownerAgentId, ownerTeamId } = draft.audience
    const isOwned = (ownerAgentId ?? ownerTeamId) !== null
    if (audiences.size >= AUDIENCES_MAX && isOwned && !audiences.has(audienceKey(draft.audience)))
      throw tooManyOwners()
    this.events.push({ type: 'memory_written', draft })
    this.#changed.set(draft.memoryId, draft)
    this.#written.push(draft.memoryId)
    this.#saidAnew.add(draft.memoryId)
    this.#giveWord(draft.memoryId)
  }

  revise(event: ActorEvent & { type: 'memory_revised' }): void {
    const before = this.#known(event.memoryId)
    const { content, claim, handoff, origin, derivedFrom, findings } = event
    const facets: Facets = { ...before.facets, validUntilMs: event.validUntilMs }
    this.events.push(event)
    this.#changed.set(event.memoryId, {
      ...partsOf(before),
      content,
      claim,
      handoff,
      origin,
      derivedFrom,
      findings,
      facets,
      taskSignature: event.taskSignature ?? before.taskSignature,
      workflowSignature: event.workflowSignature ?? before.workflowSignature,
      taskId: event.taskId ?? before.taskId,
      taskFamily: event.taskFamily ?? before.taskFamily,
      observedAtMs: event.observedAtMs,
    })
    if (this.state.memories.get(event.memoryId) !== undefined && !saysAnew(before, event)) return
    this.#saidAnew.add(event.memoryId)
    this.#giveWord(event.memoryId)
    this.endVerdictsOn([event.memoryId], 'what the verdict was about is not said any more')
  }

  /** Memories say something else, or nothing: what lost against them, or by what they said, is not superseded for that. */
  endVerdictsOn(memoryIds: readonly string[], reason: string): void {
    const isOver = ({ earlierId, laterId }: Dispute): boolean =>
      memoryIds.includes(earlierId) || memoryIds.includes(laterId)
    const disputes = memoryIds.flatMap((memoryId) => this.state.disputesByMemory.get(memoryId) ?? [])
    for (const { earlierId, laterId } of disputes)
      for (const memoryId of [earlierId, laterId]) this.reinstate(memoryId, reason, isOver)
  }

  /**
   * Ends that a verdict superseded a memory, where nothing else does.
   * @param isOver tells which verdicts count no longer
   */
  reinstate(memoryId: string, reason: string, isOver: (dispute: Dispute) => boolean): boolean {
    const { relationsByTarget, disputesByMemory } = this.state
    const changes = liveRecord(this.state, memoryId)?.changes ?? []
    if (changes.findLast(({ facet }) => facet === 'validity')?.cause !== 'settled') return false
    const isLost = (disputesByMemory.get(memoryId) ?? []).some(
      (dispute) =>
        !isOver(dispute) && dispute.settled === (dispute.earlierId === memoryId ? 'later' : 'earlier'),
    )
    const replaces = (type: RelationType): boolean => type === 'supersedes' || type === 'invalidates'
    const isReplaced =
      (relationsByTarget.get(memoryId) ?? []).some(({ type, effective }) => effective && replaces(type)) ||
      this.events.some(
        (event) =>
          event.type === 'relation_recorded' &&
          event.dstId === memoryId &&
          event.effective &&
          replaces(event.relationType),
      )
    if (isLost || isReplaced || this.#hasLostSlot(memoryId)) return false
    return this.move(memoryId, { facet: 'validity', to: 'live', cause: 'settled', reason })
  }

  /** Whether a later claim of no less authority holds the slot; one of less yields to this claim from now on. */
  #hasLostSlot(memoryId: string): boolean {
    const { state } = this
    const record = liveRecord(state, memoryId)
    if (record === undefined) return false
    const later = laterClaims(state, record).filter(
      (other) => !state.disputes.has(disputeKey(memoryId, other.memoryId)),
    )
    if (later.some((other) => !isLess(voiceOf(state, other), voiceOf(state, record)))) return true
    for (const other of later) this.dispute(memoryId, other.memoryId, 'supersedes', 'later')
    return false
  }

  #giveWord(memoryId: string): void {
    if (!this.isOperators) return
    this.events.push({ type: 'authority_given', memoryIds: [memoryId], authority: 'operator' })
  }

  /** True when the facet moved; false when no transition leads there from where it stands. */
  move(memoryId: string, move: Move): boolean {
    const event = moveFacet(this.#known(memoryId), move)
    return this.#moved(memoryId, event, { [move.facet]: move.to })
  }

  /** A newer memory takes its place. */
  supersede(memoryId: string, byMemoryId: string, cause: Cause, reason: string): boolean {
    return this.move(memoryId, { facet: 'validity', to: 'superseded', cause, reason, byMemoryId })
  }

  /** @param byMemoryId the memory whose suppression this one goes with, or the other one of a verdict */
  suppress(
    memoryId: string,
    suppression: Suppression,
    cause: SuppressionCause,
    byMemoryId: string | null = null,
  ): boolean {
    const event = suppress(this.#known(memoryId), suppression, cause, byMemoryId)
    return this.#moved(memoryId, event, { suppression: event?.to ?? null })
  }

  /** Whether this decision says it: new, or a revision that says something else. */
  isSaidAnew(memoryId: string): boolean {
    return this.#saidAnew.has(memoryId)
  }

  /** Records that two memories cannot both hold, unless just that is known. */
  dispute(earlierId: string, laterId: string, kind: string, yields: DisputeYields): void {
    const key = disputeKey(earlierId, laterId)
    const yieldsId = yields === 'earlier' ? earlierId : laterId
    if ((this.#disputes.get(key) ?? this.#knownYielding(key)) === yieldsId || this.#isSettled(key)) return
    this.#disputes.set(key, yieldsId)
    this.events.push({ type: 'dispute_found', earlierId, laterId, kind, yields })
  }

  /** Who has given word for a memory: of what this decision says its origin. */
  authorityOf(seen: Pick<Seen, 'memoryId' | 'origin'>): Authority {
    const isSaidAnew = this.#saidAnew.has(seen.memoryId)
    if (isSaidAnew && this.isOperators) return 'operator'
    const record = isSaidAnew ? undefined : liveRecord(this.state, seen.memoryId)
    return record === undefined ? seen.origin : authorityOf(this.state, record)
  }

  /** @param byMemoryId the memory with which this one comes back */
  unsuppress(memoryId: string, reason: string, byMemoryId: string | null = null, cause?: Cause): boolean {
    const event = unsuppress(this.#known(memoryId), reason, byMemoryId, cause)
    return this.#moved(memoryId, event, { suppression: event?.to ?? null })
  }

  #moved(memoryId: string, event: ActorEvent | null, change: Partial<Facets>): boolean {
    if (event === null) return false
    const before = this.#known(memoryId)
    this.events.push(event)
    this.#changed.set(memoryId, { ...partsOf(before), facets: { ...before.facets, ...change } })
    return true
  }

  /** The memory that a reference names for these eyes; own writes of this decision are always seen. */
  resolve(ref: MemoryRef, eyes: readonly Consumer[], preferred: Audience | null): Seen | null {
    const found = 'id' in ref ? this.seen(ref.id) : null
    if (found !== null && this.#isSeenBy(found, eyes)) return found
    // Callers may use UUIDs as client ids of their own.
    const clientId = 'id' in ref ? ref.id : ref.clientId
    const matches = this.withClientId(clientId).filter((match) => this.#isSeenBy(match, eyes))
    const key = preferred === null ? null : audienceKey(preferred)
    return matches.find((match) => audienceKey(match.audience) === key) ?? matches.at(-1) ?? null
  }

  /** Every memory with this client id, in order of writing. */
  withClientId(clientId: string): readonly Seen[] {
    const ids = [...(this.state.byClientId.get(clientId) ?? []), ...this.#written]
    const found: Seen[] = []
    for (const id of new Set(ids)) {
      const seen = this.seen(id)
      if (seen?.clientId === clientId) found.push(seen)
    }
    return found
  }

  /** Memories that this decision wrote or changed and that satisfy a condition, in order of their first change. */
  changedWhere(holds: (seen: Seen) => boolean): readonly Seen[] {
    return [...this.#changed.values()].filter(holds)
  }

  /** Who yields in the dispute that the state has of a pair; null: none, or one of the two says something else now. */
  #knownYielding(key: string): string | null {
    const known = this.#knownDispute(key)
    if (known === null) return null
    return known.yields === 'earlier' ? known.earlierId : known.laterId
  }

  /** An operator has decided it: the same texts are not disputed anew. */
  #isSettled(key: string): boolean {
    return this.#knownDispute(key)?.settled !== undefined
  }

  /** The dispute of a pair, unless this decision lets either say something else. */
  #knownDispute(key: string): Dispute | null {
    const known = this.state.disputes.get(key)
    if (known === undefined) return null
    return this.#saidAnew.has(known.earlierId) || this.#saidAnew.has(known.laterId) ? null : known
  }

  #isSeenBy(seen: Seen, eyes: readonly Consumer[]): boolean {
    return (
      this.#written.includes(seen.memoryId) || eyes.some((consumer) => isVisibleTo(seen.audience, consumer))
    )
  }

  #known(memoryId: string): Seen {
    const seen = this.seen(memoryId)
    assert(seen !== null, `memory ${memoryId} is not known to this decision`)
    return seen
  }
}

/** What is seen of a memory as an object of its own fields; a record has few to copy. */
function partsOf(seen: Seen): Seen {
  return {
    memoryId: seen.memoryId,
    clientId: seen.clientId,
    audience: seen.audience,
    facets: seen.facets,
    content: seen.content,
    claim: seen.claim,
    handoff: seen.handoff,
    domain: seen.domain,
    derivedFrom: seen.derivedFrom,
    origin: seen.origin,
    findings: seen.findings,
    taskSignature: seen.taskSignature,
    workflowSignature: seen.workflowSignature,
    taskId: seen.taskId,
    taskFamily: seen.taskFamily,
    memoryType: seen.memoryType,
    observedAtMs: seen.observedAtMs,
  }
}

const TASK_NAMES = ['taskSignature', 'workflowSignature', 'taskId', 'taskFamily'] as const

/** What a caller names its task by, as far as the memory is not named so. */
export function taskNamedAnew(said: NamedTask, known: NamedTask): Partial<NamedTask> {
  const anew = TASK_NAMES.filter((name) => said[name] !== null && said[name] !== known[name])
  return Object.fromEntries(anew.map((name) => [name, said[name]]))
}

/** Memory content is compared by value: what a caller repeats is a no-op. */
export function isSameContent(a: Content, b: Content): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function tooManyOwners(): Error {
  const message = `The memories of this scope have ${AUDIENCES_MAX} different owners, and may have no more: write for one of them, without an owner, or to another scope.`
  return invalidRequest([{ path: 'scope', message }])
}
