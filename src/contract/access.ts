import { isObject } from '../core/base/collections.ts'
import { DomainError, type ErrorCode } from '../core/base/errors.ts'
import { mayEnter, onlyScopeOf, type Principal } from '../core/model/principal.ts'
import { DEFAULT_SCOPE, tidy } from './fields.ts'
import { parseMemoryUri } from './resolve.ts'

/**
 * Who may call an operation where keys exist.
 * - everyone: also without a key.
 * - agent: any key that may enter the tenant and scope.
 * - consumer: an agent's key as its own consumer, an operator's key also for the whole actor.
 * - operator: an operator's key.
 */
export const ACCESS = ['everyone', 'agent', 'consumer', 'operator'] as const
export type Access = (typeof ACCESS)[number]

/** The columns of the operations table by which a request is judged. */
export interface AccessRow {
  readonly name: string
  /** Who may call it where keys exist. */
  readonly access: Access
  /** True when a 200 has changed the state, so that it may be repeated safely with an operation id only. */
  readonly writes: boolean
  /** The field that has an operation write that otherwise only reads, when it is true. */
  readonly writesWith?: 'record'
}

/** The one writing operation of a key that may only read: what it writes is that something was shown. */
const READERS_WRITE = 'guide'
/** The one operation that is about a tenant and not about one of its scopes. */
const OF_TENANT = 'listActors'

/** Whether a key that may only read is refused. */
export function isForWriters({ name, writes }: Pick<AccessRow, 'name' | 'writes'>): boolean {
  return writes && name !== READERS_WRITE
}

type Fields = Readonly<Record<string, unknown>>

/**
 * The body as it counts for this principal, with what the key says filled in where the body says nothing. It looks only at
 * fields that place a request or say who speaks, before any schema does; what is no text there is left for the schema.
 * @throws tenant_forbidden, scope_forbidden, agent_forbidden, operator_key_required, read_only_key
 */
export function authorised(principal: Principal, row: AccessRow, body: unknown): unknown {
  refuseOperation(principal, row, body)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const spoken = entered(principal, row, { ...body })
  refuseStrangers(principal, row, spoken)
  return spoken
}

/**
 * Refuses who may not call the operation, or not there or as that agent, before anything else of a request is read.
 * @throws as `authorised`
 */
export function refuseEntry(principal: Principal, row: AccessRow, place: object): void {
  refuseOperation(principal, row, place)
  entered(principal, row, { ...place })
}

function entered(principal: Principal, row: AccessRow, sent: Fields): Fields {
  return withConsumer(principal, withPlace(principal, row, sent))
}

function refuseOperation({ isOperator, isReadOnly }: Principal, row: AccessRow, body: unknown): void {
  const { name, access, writes, writesWith } = row
  if (access === 'operator' && !isOperator)
    throw new DomainError('operator_key_required', { operation: name })
  const isAskedToWrite = writesWith !== undefined && isObject(body) && body[writesWith] === true
  if (isReadOnly && (writes || isAskedToWrite) && name !== READERS_WRITE)
    throw new DomainError('read_only_key', { operation: name })
}

/** Tenant and scope. */
function withPlace(principal: Principal, { name }: AccessRow, sent: Fields): Fields {
  const uris = ['uri', 'anchor_uri'].flatMap((field) => {
    const uri = parseMemoryUri(textIn(sent, field) ?? '')
    return uri === null ? [] : [{ field, uri }]
  })
  const tenant = textIn(sent, 'tenant_id')
  refuseUnless(tenant === null || tenant === principal.tenantId, 'tenant_forbidden', 'tenant_id')
  if (name === OF_TENANT) refuseUnless(principal.scopes.length === 0, 'scope_forbidden', 'scope')
  const scope = textIn(sent, 'scope')
  refuseUnless(scope === null || mayEnter(principal, scope), 'scope_forbidden', 'scope')
  for (const { field, uri } of uris) {
    refuseUnless(uri.tenantId === principal.tenantId, 'tenant_forbidden', field)
    refuseUnless(mayEnter(principal, uri.scope), 'scope_forbidden', field)
  }
  // Where a memory is resolved, its URI says the scope when the body does not.
  const isPlacedByUri = name === 'resolve' && uris.some(({ field }) => field === 'uri')
  const isPlaced = hasValue(sent, 'scope') || isPlacedByUri
  const onlyScope = onlyScopeOf(principal)
  if (!isPlaced && onlyScope === null)
    refuseUnless(mayEnter(principal, DEFAULT_SCOPE), 'scope_forbidden', 'scope')
  return {
    ...sent,
    ...(hasValue(sent, 'tenant_id') ? {} : { tenant_id: principal.tenantId }),
    ...(isPlaced || onlyScope === null ? {} : { scope: onlyScope }),
  }
}

const AGENT_FIELDS = ['consumer_agent_id', 'agent_id']
const TEAM_FIELDS = ['consumer_team_id', 'team_id']

function withConsumer(principal: Principal, sent: Fields): Fields {
  const { agentId, teamId } = principal
  refuseOtherAgent(principal, sent, '', AGENT_FIELDS)
  refuseOtherTeam(principal, sent, '', TEAM_FIELDS)
  const isSilent = (fields: readonly string[]) => !fields.some((field) => hasValue(sent, field))
  return {
    ...sent,
    ...(agentId !== null && isSilent(AGENT_FIELDS) ? { consumer_agent_id: agentId } : {}),
    ...(teamId !== null && isSilent(TEAM_FIELDS) ? { consumer_team_id: teamId } : {}),
  }
}

/** What the body says of whole actors, other owners and whose words it brings. */
function refuseStrangers(principal: Principal, { name, access }: AccessRow, sent: Fields): void {
  if (principal.isOperator) return refuseOrigins(principal, name, sent)
  const isConsumerGiven = [...AGENT_FIELDS, ...TEAM_FIELDS].some((field) => textIn(sent, field) !== null)
  if (access === 'consumer' && !isConsumerGiven)
    throw new DomainError('operator_key_required', { operation: name, missing: 'consumer_agent_id' })
  if (name === 'forget' && sent['operation'] === 'activate')
    throw new DomainError('operator_key_required', { operation: 'forget activate' })
  if (name === 'forget' && hasValue(sent, 'filter'))
    throw new DomainError('operator_key_required', { operation: 'forget', field: 'filter' })
  for (const [at, sentPart] of partsOf(sent, ['memory', 'handoff'])) {
    const part = at === 'handoff.' ? withoutAddressee(sentPart) : sentPart
    refuseOtherAgent(principal, part, at, ['owner_agent_id', 'producer_agent_id'])
    refuseOtherTeam(principal, part, at, ['owner_team_id'])
  }
  const execution = fieldsIn(sent, 'execution')
  if (execution !== null) {
    refuseOtherAgent(principal, execution, 'execution.', ['agent_id'])
    refuseOtherTeam(principal, execution, 'execution.', ['team_id'])
  }
  refuseOrigins(principal, name, sent)
}

/** Whom a handoff is for may own it. With a client id it could be a revision of what the key does not see. */
function withoutAddressee(handoff: Fields): Fields {
  if (hasValue(handoff, 'client_id')) return handoff
  const isOwned = (who: string): boolean =>
    textIn(handoff, `owner_${who}_id`) ===
    (textIn(handoff, `target_${who}_id`) ?? textIn(handoff, `target_${who}`))
  return {
    ...handoff,
    ...(isOwned('agent') ? { owner_agent_id: null } : {}),
    ...(isOwned('team') ? { owner_team_id: null } : {}),
  }
}

/** Operations whose memory is the word of an origin, of an agent unless it says so. */
const SPEAKING = ['observe', 'finish']

function refuseOrigins({ origins }: Principal, operation: string, sent: Fields): void {
  if (!SPEAKING.includes(operation)) return
  const said = [...partsOf(sent, ['memory'])].flatMap(([at, part]) => {
    const origin = textIn(part, 'origin')
    return origin === null ? [] : [{ field: `${at}origin`, origin }]
  })
  // Whatever in it does not say its origin has that of the request.
  if (!said.some(({ field }) => field === 'origin')) said.push({ field: 'origin', origin: 'agent' })
  for (const { field, origin } of said) {
    if (origins.some((each) => each === origin)) continue
    throw new DomainError(
      'agent_forbidden',
      { field, allowed: origins },
      operation === 'finish'
        ? 'The key may not speak for the origin agent, whose word the run of a finish is: observe the run with an origin that it may claim.'
        : `The key may not speak for the origin ${origin}: send ${field} as ${origins.join(' or ')}.`,
    )
  }
}

/** The body itself and the objects in it that are written as memory, each with how its fields are named. */
function* partsOf(sent: Fields, names: readonly string[]): Generator<readonly [string, Fields]> {
  yield ['', sent]
  for (const name of names) {
    const part = fieldsIn(sent, name)
    if (part === null) continue
    yield [`${name}.`, part]
    yield* nodesOf(part, `${name}.`)
  }
  yield* nodesOf(sent, '')
}

function* nodesOf(part: Fields, at: string): Generator<readonly [string, Fields]> {
  const nodes = part['nodes']
  if (!Array.isArray(nodes)) return
  for (const [index, node] of nodes.entries()) {
    if (isObject(node)) yield [`${at}nodes.${index}.`, node]
  }
}

function refuseOtherAgent({ agentId }: Principal, part: Fields, at: string, names: readonly string[]): void {
  if (agentId === null) return
  for (const name of names) refuseOther(agentId, part, name, at)
}

/** An agent of no team names none. */
function refuseOtherTeam(
  { agentId, teamId }: Principal,
  part: Fields,
  at: string,
  names: readonly string[],
): void {
  if (agentId === null && teamId === null) return
  for (const name of names) refuseOther(teamId, part, name, at)
}

function refuseOther(own: string | null, part: Fields, name: string, at: string): void {
  const sent = textIn(part, name)
  refuseUnless(sent === null || sent === own, 'agent_forbidden', `${at}${name}`)
}

/** What the key itself says is not told: whoever asks may have found it. */
function refuseUnless(isAllowed: boolean, code: ErrorCode, field: string): void {
  if (!isAllowed) throw new DomainError(code, { field })
}

/** As the schemas read it; null for what is no text. */
function textIn(part: Fields, name: string): string | null {
  const value = part[name]
  return typeof value === 'string' ? tidy(value) : null
}

function hasValue(part: Fields, name: string): boolean {
  return part[name] !== undefined && part[name] !== null
}

function fieldsIn(part: Fields, name: string): Fields | null {
  const value = part[name]
  return isObject(value) ? value : null
}
