import { hash } from 'node:crypto'
import { type AnyObject, isObject } from '../../core/base/collections.ts'
import { DomainError, isErrorCode } from '../../core/base/errors.ts'
import { type Candidate, candidateOf } from '../../mappers/mappers.ts'
import {
  type Address,
  type Answer,
  ClientError,
  partOf,
  postJson,
  type Reply,
  rowsOf,
  textOf,
  wordsOf,
} from '../cli/reader.ts'
import type { Upstream } from './upstreams.ts'

// Whose memory a request reads, and the scope of memgov that stands for it. The upstream decides who may read it; here it
// decides where evidence is kept, so that what one user says of a memory counts for no other.

/** Whose memory is read, as far as a request says it. */
export interface Owners {
  /** By field: the ids that the request names. */
  readonly named: ReadonlyMap<string, ReadonlySet<string>>
  /** True: the request joins or excludes owners, so a row of another one may be meant. */
  readonly isOpen: boolean
}

/** Operators that name exactly the ids behind them. */
const EXACT = ['in', 'eq']
/** Operators of filters that may let in rows of others. */
const JOINS = ['or', 'not']

/** @param said path parts, query and body, each by its names */
export function ownersIn(upstream: Upstream, said: readonly AnyObject[]): Owners {
  const named = new Map<string, Set<string>>()
  let isOpen = false
  const add = (field: string, value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) add(field, each)
    else if (isObject(value)) {
      for (const [operator, inner] of Object.entries(value)) {
        if (EXACT.includes(operator)) add(field, inner)
        else isOpen = true
      }
    } else if (value === '*') isOpen = true
    else if (isId(value)) {
      const ids = named.get(field) ?? new Set()
      named.set(field, ids.add(String(value)))
    }
  }
  const read = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) read(each)
    if (!isObject(value)) return
    for (const [name, inner] of Object.entries(value)) {
      const field = upstream.owners.includes(name) ? name : upstream.ownerLists[name]
      if (field !== undefined) add(field, inner)
      else if (JOINS.includes(name.toLowerCase())) {
        isOpen = true
        read(inner)
      } else if (name === 'filters' || name.toLowerCase() === 'and') read(inner)
    }
  }
  for (const each of said) read(each)
  return { named, isOpen }
}

/**
 * The scope in which a row is judged: that of its one owner, as the request names it, else of the owner that the row names,
 * else of all owners of the request together. Null: nobody says whose it is.
 */
export function scopeOf(upstream: Upstream, owners: Owners, row: AnyObject): string | null {
  const field = upstream.owners.find((each) => owners.named.has(each))
  const ids = field === undefined ? [] : [...(owners.named.get(field) ?? [])]
  const [only] = ids
  if (!owners.isOpen && field !== undefined && ids.length === 1 && only !== undefined) {
    return scopeName(upstream, field, only)
  }
  const own = upstream.owners.find((each) => idAt(row, each) !== null)
  if (own !== undefined) return scopeName(upstream, own, idAt(row, own) ?? '')
  if (owners.isOpen || field === undefined) return null
  return scopeName(upstream, `${field}s`, JSON.stringify(ids.toSorted()))
}

/** True: the row says that it is of somebody else than the request asks for. */
export function isForeign({ named, isOpen }: Owners, row: AnyObject): boolean {
  if (isOpen) return false
  return [...named].some(([field, ids]) => {
    const said = row[field]
    if (said === undefined || said === null || said === '') return false
    // Of several owners one is enough; what cannot be read as an owner is nobody's.
    const owners = Array.isArray(said) ? said : [said]
    return !owners.some((owner) => isId(owner) && ids.has(String(owner)))
  })
}

/** An empty text names nobody. */
function isId(value: unknown): value is string | number | bigint {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'bigint'
}

function idAt(row: AnyObject, field: string): string | null {
  const id = row[field]
  return isId(id) ? String(id) : null
}

const SCOPE_CHARS_MAX = 256
/** What a scope may hold as it is: it is trimmed, and has no control character. */
const AS_IT_IS = /^(?!sha256:)[^\s\p{C}]+$/u

/** `mem0:user_id:alice`; an id that no scope can hold is written as its digest. */
export function scopeName({ backend }: Upstream, field: string, id: string): string {
  const name = `${backend}:${field}:${id}`
  if (AS_IT_IS.test(id) && name.length <= SCOPE_CHARS_MAX) return name
  return `${backend}:${field}:sha256:${hash('sha256', id)}`
}

/** One text to be judged, in the scope where its evidence is. */
export interface Asked {
  readonly candidate: Candidate & { readonly metadata?: object }
  /** Null: nobody says whose it is. It is judged apart, and nothing is kept. */
  readonly scope: string | null
}

export interface Verdict {
  readonly surface: string
  readonly reason_codes: readonly string[]
  /** What feedback and finish name; null: nothing is kept about it. */
  readonly guide_trace_id: string | null
  /** Where feedback and finish name it. */
  readonly scope: string
}

export interface Judged {
  /** In the order of what was asked. */
  readonly verdicts: readonly Verdict[]
  /** What memgov would print about all of them. */
  readonly promptText: string
}

export interface JudgeOptions {
  readonly address: Address
  /** Left out: the tenant of the key, else the default. */
  readonly tenantId: string | null
  readonly agentId: string | null
}

/** How many candidates govern takes at once, and how many characters go into one body. */
const CANDIDATES_MAX = 200
const BODY_CHARS_MAX = 1_000_000
/** More calls than these one answer does not cost. */
const CALLS_MAX = 64
const CANDIDATE_CHARS_MAX = 200_000
const QUERY_CHARS_MAX = 8_000

/** Of these refusals the caller's key is the reason, and the caller can do something. */
const OF_THE_KEY: readonly string[] = [
  'unauthorized',
  'tenant_forbidden',
  'scope_forbidden',
  'agent_forbidden',
  'operator_key_required',
  'read_only_key',
]

/** Of these the answer of the store is the reason: memgov can be asked, and refuses the same again. */
const OF_THE_CONTENT: readonly string[] = ['invalid_request', 'body_too_large']

/** @param key of the caller; null: that of the proxy, if it has one */
export type Judge = (
  asked: readonly Asked[],
  about: {
    readonly backend: string
    readonly queryText: string
    readonly key: string | null
    readonly isRecorded: boolean
  },
) => Promise<Judged>

/**
 * Asks a running service to judge texts in firewall mode. It rejects with `not_governed` when that cannot be asked, with the
 * refusal of the service when the key is the reason, and with `upstream_answer_refused` for texts that govern does not take.
 */
export function judgeOver({ address, tenantId, agentId }: JudgeOptions): Judge {
  const place = {
    ...(tenantId === null ? {} : { tenant_id: tenantId }),
    ...(agentId === null ? {} : { consumer_agent_id: agentId }),
  }
  return async (asked, { backend, queryText, key, isRecorded }) => {
    const verdicts: Verdict[] = new Array(asked.length)
    const prompts: string[] = []
    for (const { scope, places } of callsFor(asked)) {
      const inScope = scope ?? `${backend}:unnamed`
      const body = {
        ...place,
        scope: inScope,
        query_text: shownIn(queryText.trim().slice(0, QUERY_CHARS_MAX)) ?? 'Read the memory of the store.',
        mode: 'firewall',
        include_records: true,
        ...(isRecorded && scope !== null ? { record: true } : {}),
        candidates: places.map((at) => asked[at]?.candidate),
      }
      const answer = await governed(key === null ? address : { ...address, key }, body)
      const told = verdictsIn(answer, inScope)
      if (told.length !== places.length)
        throw notGoverned('What answers is not memgov, or another version of it.')
      for (const [nth, at] of places.entries()) {
        const verdict = told[nth]
        if (verdict !== undefined) verdicts[at] = verdict
      }
      prompts.push(textOf(partOf(answer, 'agent_context'), 'prompt_text') ?? '')
    }
    return { verdicts, promptText: prompts.join('\n\n') }
  }
}

/** Null: a text that shows nothing, which govern does not take. */
function shownIn(text: string): string | null {
  return candidateOf('mem0', { memory: text }, { now: 0 })?.text ?? null
}

interface Call {
  readonly scope: string | null
  readonly places: number[]
  chars: number
}

/** One call for each scope, and for what a body can hold. */
function callsFor(asked: readonly Asked[]): readonly Call[] {
  const open = new Map<string | null, Call>()
  const calls: Call[] = []
  for (const [at, { candidate, scope }] of asked.entries()) {
    const chars = JSON.stringify(candidate).length
    if (candidate.text.length > CANDIDATE_CHARS_MAX) throw tooLarge('A text of the answer')
    let call = open.get(scope)
    if (call === undefined || call.places.length === CANDIDATES_MAX || call.chars + chars > BODY_CHARS_MAX) {
      call = { scope, places: [], chars: 0 }
      open.set(scope, call)
      calls.push(call)
    }
    call.places.push(at)
    call.chars += chars
  }
  if (calls.length > CALLS_MAX) throw tooLarge('The answer')
  return calls
}

function tooLarge(what: string): DomainError {
  return new DomainError(
    'upstream_answer_refused',
    { reason: 'size' },
    `${what} of the upstream is too large to be judged: ask for less at once.`,
  )
}

async function governed(address: Address, body: object): Promise<Answer> {
  let reply: Reply
  try {
    reply = await postJson(address, '/v1/memory/govern', body)
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    throw notGoverned(error.message)
  }
  if (reply.isOk) return reply.body
  const code = textOf(reply.body, 'error') ?? ''
  const sentence = textOf(reply.body, 'message') ?? 'The service refused to judge it.'
  if (isErrorCode(code) && OF_THE_KEY.includes(code)) {
    throw new DomainError(code, partOf(reply.body, 'details'), code === 'unauthorized' ? KEY_HINT : sentence)
  }
  if (!OF_THE_CONTENT.includes(code)) throw notGoverned(sentence)
  throw new DomainError(
    'upstream_answer_refused',
    { reason: 'content' },
    `memgov does not take what the upstream answered: ${sentence}`,
  )
}

const KEY_HINT =
  'memgov asks for a key: send it as x-memgov-key, or start the proxy with --key-file or MEMGOV_KEY.'

function notGoverned(why: string): DomainError {
  return new DomainError('not_governed', {}, `${why} Nothing was passed on: repeat when memgov answers.`)
}

function verdictsIn(answer: Answer, scope: string): readonly Verdict[] {
  const trace = textOf(answer, 'guide_trace_id')
  return rowsOf(answer, 'memory_admission_records').map((record) => ({
    surface: textOf(record, 'admission_action') ?? 'do_not_use',
    reason_codes: wordsOf(record, 'reason_codes'),
    guide_trace_id: trace,
    scope,
  }))
}
