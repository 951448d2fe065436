import { DEFAULT_SCOPE, DEFAULT_TENANT, type SharedRequest } from '../../contract/fields.ts'
import type { WireLanes, WireMemory } from '../../contract/memory-input.ts'
import type { WireExecution } from '../../contract/observe.ts'
import type { RequestOf } from '../../contract/operations.ts'
import { meaning } from '../../contract/parse.ts'
import { echoOf, nearName } from '../../contract/unknown-fields.ts'
import {
  type Lane,
  MEMORY_TYPES,
  type MemoryType,
  OUTCOMES,
  type Outcome,
  VERIFIER_STATUSES,
} from '../../core/base/closed-sets.ts'
import type { DeclaredLifecycle } from '../../core/model/commands.ts'
import type { Principal } from '../../core/model/principal.ts'
import type { Audience, Consumer, TaskRef, VerifierEvidence } from '../../core/model/record.ts'
import { LOCAL_AGENT, type Viewer } from '../../core/model/visibility.ts'

/** The first text that says something: null, undefined and empty text all mean that a caller said nothing. */
export function firstOf(...texts: readonly (string | null | undefined)[]): string | null {
  for (const text of texts) {
    if (text !== undefined && text !== null && text !== '') return text
  }
  return null
}

/** Every list in order, without empty items and repetitions. */
export function distinct(
  ...lists: readonly (readonly (string | null | undefined)[] | null | undefined)[]
): readonly string[] {
  const found = new Set<string>()
  for (const list of lists) {
    for (const item of list ?? []) if (item !== undefined && item !== null && item !== '') found.add(item)
  }
  return [...found]
}

/** A list without its empty items, repetitions kept: steps may repeat. */
export function filledItems(...lists: readonly (readonly string[] | null | undefined)[]): readonly string[] {
  return (lists.find((list) => (list ?? []).length > 0) ?? []).filter((item) => item !== '')
}

/** What a request means, and sentences about what of it was ignored or read differently. */
export interface Reading<Command> {
  readonly command: Command
  readonly warnings: readonly string[]
}

type Identified = Pick<SharedRequest, 'tenant_id' | 'scope' | 'operation_id'>
type Consuming = Pick<SharedRequest, 'consumer_agent_id' | 'agent_id' | 'consumer_team_id' | 'team_id'>

/** Which actor a request belongs to, and its operation id; null: it is not idempotent. */
export function identityOf(request: Identified) {
  return {
    tenantId: request.tenant_id ?? DEFAULT_TENANT,
    scope: request.scope ?? DEFAULT_SCOPE,
    operationId: request.operation_id ?? null,
  }
}

export function agentIdOf(request: Consuming): string | null {
  return request.consumer_agent_id ?? request.agent_id ?? null
}

export function teamIdOf(request: Consuming): string | null {
  return request.consumer_team_id ?? request.team_id ?? null
}

/** The consumer fields that a request really sent; null: left out. */
export interface SentConsumer {
  readonly agentId: string | null
  readonly teamId: string | null
  /** True: the key is that of an agent of no team, for whom no guide of a team was made. */
  readonly isTeamless: boolean
}

/** A request that sends none. */
export const NOBODY_SENT: SentConsumer = { agentId: null, teamId: null, isTeamless: false }

export function sentConsumerOf(request: Consuming, principal: Principal | null = null): SentConsumer {
  const isTeamless = principal !== null && principal.agentId !== null && principal.teamId === null
  return { agentId: agentIdOf(request), teamId: teamIdOf(request), isTeamless }
}

/** Who reads for a request. Null: it names nobody, and is an operator's, who sees everything. */
export function viewerIn(request: Consuming): Viewer {
  return agentIdOf(request) === null && teamIdOf(request) === null ? null : consumerOf(request)
}

export function consumerOf(request: Consuming): Consumer {
  return { agentId: agentIdOf(request) ?? LOCAL_AGENT, teamId: teamIdOf(request) }
}

type WireTask = Pick<
  SharedRequest,
  'run_id' | 'task_id' | 'task_family' | 'task_signature' | 'workflow_signature'
>

/** The work that the request itself names, none of it derived; `context` stands in for what is missing at the top level. */
export function taskOf(request: SharedRequest): TaskRef {
  const context = request.context ?? {}
  return {
    runId: firstOf(request.run_id),
    taskId: firstOf(request.task_id, context.task_id),
    taskFamily: firstOf(request.task_family, context.task_family),
    taskSignature: firstOf(request.task_signature, context.task_signature),
    workflowSignature: firstOf(request.workflow_signature, context.workflow_signature),
  }
}

/** What one part of a request says of itself, completed by what the request says. */
export function ownTask(own: WireTask, request: TaskRef): TaskRef {
  return {
    runId: firstOf(own.run_id, request.runId),
    taskId: firstOf(own.task_id, request.taskId),
    taskFamily: firstOf(own.task_family, request.taskFamily),
    taskSignature: firstOf(own.task_signature, request.taskSignature),
    workflowSignature: firstOf(own.workflow_signature, request.workflowSignature),
  }
}

/** Confidence of whatever does not state its own. */
export const CONFIDENCE_DEFAULT = 0.75

export type WriteContext = ReturnType<typeof writeContextOf>

/** What an observe request says about everything in it. */
export function writeContextOf(request: RequestOf<'observe'>, principal: Principal | null = null) {
  /** Sentences about what was ignored or read differently. */
  const warnings: string[] = []
  return {
    request,
    task: taskOf(request),
    origin: request.origin ?? ('agent' as const),
    /** Who wrote it when its part of the request does not say; never its owner. */
    producerAgentId: agentIdOf(request),
    producerTeamId: teamIdOf(request),
    actorName: firstOf(request.actor),
    ownAgentId: principal?.agentId ?? null,
    warnings,
  }
}

/** Where sentences go, and whose a private lane is that names no owner: that of the key's agent, null where no key says one. */
type OwnerContext = Pick<WriteContext, 'warnings' | 'ownAgentId'>

export type Lanes = Readonly<ReturnType<typeof lanesOf>>

/** Lane, owners and producer as said, before any default: each from the first part of the request that names it. */
export function lanesOf(...parts: readonly (WireLanes | null | undefined)[]) {
  const first = <Key extends keyof WireLanes>(key: Key): WireLanes[Key] | null => {
    for (const part of parts) {
      const value = part?.[key] ?? null
      if (value !== null) return value
    }
    return null
  }
  return {
    lane: first('memory_lane') ?? null,
    ownerAgentId: first('owner_agent_id') ?? null,
    ownerTeamId: first('owner_team_id') ?? null,
    producerAgentId: first('producer_agent_id') ?? null,
  }
}

/**
 * Who may see it. Default lane: private when an owner agent is named and no team, else shared. A private lane
 * without owner belongs to the agent of the key, which may set no other owner; else to `local-agent`, which is who asks
 * when a request names nobody: nobody else ever sees it.
 */
export function audienceOf(lanes: Lanes, place: string, { warnings, ownAgentId }: OwnerContext): Audience {
  const { lane, ownerAgentId, ownerTeamId } = lanes
  if (lane === 'private' && ownerAgentId === null && ownerTeamId === null) {
    if (ownAgentId !== null) return { lane, ownerAgentId: ownAgentId, ownerTeamId }
    warnings.push(
      `${place} is private without owner_agent_id or owner_team_id: it belongs to ${LOCAL_AGENT}, who asks when no consumer is named`,
    )
    return { lane, ownerAgentId: LOCAL_AGENT, ownerTeamId }
  }
  const byDefault: Lane = ownerAgentId !== null && ownerTeamId === null ? 'private' : 'shared'
  return { lane: lane ?? byDefault, ownerAgentId, ownerTeamId }
}

/** Whose later govern requests the outcomes count for. What is private without an owner is the consumer's. */
export function outcomeAudience(said: WireLanes, consumer: Consumer): Audience {
  return audienceOf(lanesOf(said), 'record', { warnings: [], ownAgentId: consumer.agentId })
}

/** True when a request says anything of lanes or owners. */
export function namesLane({ memory_lane, owner_agent_id, owner_team_id }: WireLanes): boolean {
  return [memory_lane, owner_agent_id, owner_team_id].some((said) => (said ?? null) !== null)
}

const COMPARED = ['memory_lane', 'owner_agent_id', 'owner_team_id', 'producer_agent_id'] as const

/** Names the fields of `memory` that the top level overrules. */
export function warnOfOverruled(top: WireLanes, memory: WireLanes, warnings: string[]): void {
  for (const key of COMPARED) {
    const [said, inside] = [top[key] ?? null, memory[key] ?? null]
    if (said !== null && inside !== null && said !== inside) {
      warnings.push(`memory.${key} differs from ${key}: the one at the top level counts`)
    }
  }
}

// Words of callers, read as words of the domain. A word that is not known never raises anything.

const LIFECYCLE_WORDS: ReadonlyMap<string, DeclaredLifecycle | null> = new Map([
  ['active', null],
  ['current', null],
  ['procedure', null],
  ['unknown', null],
  ['stale', 'demoted'],
  ['demoted', 'demoted'],
  ['candidate', 'candidate'],
  ['contested', 'contested'],
  ['failed', 'failed'],
  ['suppressed', 'suppressed'],
  ['superseded', 'superseded'],
  ['expired', 'expired'],
  ['archived', 'archived'],
  ['rehydration_candidate', 'archived'],
])

type Declaring = Pick<WireMemory, 'lifecycle' | 'lifecycle_hint' | 'lifecycle_state' | 'tier' | 'slots'>

/** Every facet that a caller declares, wherever it says so. */
export function declaredLifecycles(
  declaring: Declaring,
  place: string,
  warnings: string[],
): readonly DeclaredLifecycle[] {
  const inSlots = declaring.slots?.['lifecycle_state']
  const said = [
    ['lifecycle', declaring.lifecycle],
    ['lifecycle_hint', declaring.lifecycle_hint],
    ['lifecycle_state', declaring.lifecycle_state],
    ['slots.lifecycle_state', typeof inSlots === 'string' ? inSlots : null],
  ] as const
  const declared = new Set<DeclaredLifecycle>()
  for (const [field, value] of said) {
    const word = normalWord(value)
    if (word === null) continue
    const meaning = LIFECYCLE_WORDS.get(word)
    if (meaning === undefined) {
      warnings.push(`${place}.${field} is not a known lifecycle word and was ignored: send one of ${KNOWN}`)
    } else if (meaning !== null) declared.add(meaning)
  }
  const tier = normalWord(declaring.tier)
  if (tier === 'archive' || tier === 'archived') declared.add('archived')
  return [...declared]
}

const KNOWN = [...LIFECYCLE_WORDS.keys()].join(', ')

const KIND_WORDS: ReadonlyMap<string, MemoryType> = new Map([
  ['fact', 'fact'],
  ['concept', 'fact'],
  ['entity', 'fact'],
  ['preference', 'preference'],
  ['self_model', 'preference'],
  ['project_context', 'project_context'],
  ['topic', 'project_context'],
  ['procedure', 'procedure'],
  ['event', 'event'],
  ['evidence', 'evidence'],
  ['rule', 'rule'],
  ['execution_memory', 'execution_memory'],
  ['execution_workflow', 'execution_memory'],
  ['workflow', 'execution_memory'],
])
/** Words that only say that a memory is ordinary: the next field may say more. */
const GENERAL_WORDS: ReadonlySet<string> = new Set(['general_memory', 'general', 'knowledge', 'note'])

/** The type behind the kinds of a memory, the most telling field first; an unknown word is a fact. */
export function memoryTypeOf(
  kinds: readonly (string | null | undefined)[],
  place: string,
  warnings: string[],
): MemoryType {
  for (const kind of kinds) {
    const word = normalWord(kind)
    if (word === null || GENERAL_WORDS.has(word)) continue
    const type = KIND_WORDS.get(word)
    if (type === undefined) warnings.push(unknownKind(place, word))
    return type ?? 'fact'
  }
  return 'fact'
}

function unknownKind(place: string, word: string): string {
  const hint = meaning(nearName(word, KIND_WORDS.keys())) || `: send one of ${MEMORY_TYPES.join(', ')}`
  return `${place}.kind ${echoOf(word)} is not known and is typed fact${hint}`
}

/** The type that one kind declares, read as for observe; null when it says nothing of a type. */
export function declaredTypeOf(kind: string | null): MemoryType | null {
  const word = normalWord(kind)
  return word === null || GENERAL_WORDS.has(word) ? null : (KIND_WORDS.get(word) ?? 'fact')
}

/** Words for how a run ended that leave no doubt. */
const OUTCOME_WORDS: ReadonlyMap<string, Outcome> = new Map([
  ['success', 'succeeded'],
  ['ok', 'succeeded'],
  ['passed', 'succeeded'],
  ['done', 'succeeded'],
  ['completed', 'succeeded'],
  ['failure', 'failed'],
  ['error', 'failed'],
])

export interface OutcomeWord {
  readonly outcome: Outcome
  /** The caller's word when it is not one of ours. */
  readonly outcomeRaw: string | null
}

/** How a run ended, in any case of our words and of those that mean one of them; any other word is unknown and warned of. */
export function outcomeOf(said: string | null | undefined, place: string, warnings: string[]): OutcomeWord {
  const word = normalWord(said)
  if (word === null) return { outcome: 'unknown', outcomeRaw: null }
  const known = OUTCOMES.find((outcome) => outcome === word)
  if (known !== undefined) return { outcome: known, outcomeRaw: null }
  const meant = OUTCOME_WORDS.get(word)
  if (meant !== undefined) return { outcome: meant, outcomeRaw: firstOf(said) }
  const hint = `send one of ${OUTCOMES.join(', ')}, not ${echoOf(word)}`
  warnings.push(`${place}.outcome is treated as unknown: ${hint}`)
  return { outcome: 'unknown', outcomeRaw: firstOf(said) }
}

/** Text names a verifier whose status is not known; a status that is no word of ours is unknown. */
export function verifiersOf(
  said: WireExecution['verifier'],
  place: string,
  warnings: string[],
): readonly VerifierEvidence[] {
  if (said === undefined || said === null) return []
  return (Array.isArray(said) ? said : [said]).flatMap((one) => {
    if (typeof one === 'string') return one === '' ? [] : [{ name: one, status: 'unknown', summary: null }]
    const word = normalWord(one.status)
    const status = VERIFIER_STATUSES.find((each) => each === word)
    if (word !== null && status === undefined) {
      warnings.push(
        `${place}.verifier.status is treated as unknown: send one of ${VERIFIER_STATUSES.join(', ')}`,
      )
    }
    return [
      { name: firstOf(one.name) ?? 'verifier', status: status ?? 'unknown', summary: firstOf(one.summary) },
    ]
  })
}

function normalWord(value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null
  const word = value
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  return word === '' ? null : word
}
