import { OPERATIONS, type OperationSpec } from '../../src/contract/operations.ts'
import { ASKS } from '../../test/corpus/asks.ts'
import { isJson, Known, type Request } from '../../test/corpus/known.ts'
import { resolve } from '../../test/corpus/lifecycles.ts'
import type { Ask } from '../../test/corpus/naming.ts'
import type { Random } from '../../test/corpus/random.ts'
import { govern } from '../../test/corpus/work.ts'
import { damaged, mutated } from './mutations.ts'

/** Where requests go; those that store nothing to the first, which stays in memory. */
export const PLACES = ['default', 'acme'].flatMap((tenant) =>
  ['default', 'web shop/ä'].map((scope) => new Known(tenant, scope)),
)
const [HERE = new Known('default', 'default')] = PLACES

/** One request, as it is sent. */
export interface FuzzRequest {
  /** Whose answer tells what later requests may name; null where nothing is to be learnt. */
  readonly asked: { readonly known: Known; readonly request: Request } | null
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly contentType: string
  readonly body: string | null
}

/** Requests of one kind. A phase that stores nothing must leave the heap as it was. */
export interface Phase {
  readonly name: string
  readonly stores: boolean
  /** Null: any answer that keeps the promises of every request. */
  readonly expected: ((status: number) => boolean) | null
  request(random: Random): FuzzRequest
}

const isRefusal = (status: number): boolean => status >= 400 && status < 500

/** Different operations that are repeated; each was carried out once before. */
const REPEATED = 40

/** In the order in which they run. */
export const PHASES: readonly Phase[] = [
  { name: 'all sorts, stored', stores: true, expected: null, request: anyRequest },
  { name: 'refused', stores: false, expected: isRefusal, request: refused },
  {
    name: 'read only',
    stores: false,
    // What is resolved may not be there.
    expected: (status) => status === 200 || status === 404,
    request: reading,
  },
  { name: 'repeated', stores: false, expected: (status) => status === 200, request: repeated },
]

/** The operations that the last phase repeats. */
export function firstTimes(): readonly FuzzRequest[] {
  return Array.from({ length: REPEATED }, (_, at) => repeatable(at))
}

/** A request that is valid in itself, before anything is done to it. */
function valid(random: Random, known: Known): Request {
  for (;;) {
    const request = random.weighed(ASKS)(random, known)
    if (specOf(request).method === 'POST') return request
  }
}

function anyRequest(random: Random): FuzzRequest {
  const known = random.pick(PLACES)
  const request = valid(random, known)
  const fields = isJson(request.body) ? request.body : {}
  const own = random.isIn(0.2) ? { operation_id: `op-${random.below(500)}` } : {}
  let body: unknown = { ...known.place, ...fields, ...own }
  for (let times = random.below(4); times > 0; times--) body = mutated(body, random)
  const text = JSON.stringify(body)
  return {
    ...post(pathOf(request), random.isIn(0.05) ? damaged(text, random) : text),
    contentType: random.isIn(0.02) ? 'text/plain' : 'application/json',
    asked: { known, request },
  }
}

function refused(random: Random): FuzzRequest {
  const { path, body: text } = as(valid, random)
  switch (random.below(7)) {
    case 0:
      return post(path, changed(text, { tenant_id: `../${random.below(1e9)}` }))
    case 1:
      return post(path, `${text}}`)
    case 2:
      return { ...post(path, text), contentType: 'text/plain' }
    case 3:
      return post(`/v1/nothing-${random.below(1e9)}`, text)
    case 4:
      return post(path, changed(text, { deep: '['.repeat(40), scope: 'x'.repeat(300 + random.below(1000)) }))
    case 5:
      return post('/v1/feedback', JSON.stringify(feedbackOn(`guide_trace:${random.below(1e9)}`)))
    default:
      // An operation that is known, with another body.
      return post(
        '/v1/observe',
        JSON.stringify({ input_text: `no. ${random.below(1e9)}`, operation_id: operationId(0) }),
      )
  }
}

function reading(random: Random): FuzzRequest {
  if (random.isIn(0.1)) {
    return {
      ...post(random.pick(['/health', '/openapi.json']), ''),
      method: 'GET',
      contentType: '',
      body: null,
    }
  }
  return as(random.pick([govern, resolve]), random)
}

function repeated(random: Random): FuzzRequest {
  return repeatable(random.below(REPEATED))
}

function repeatable(at: number): FuzzRequest {
  const [path, body] =
    at % 2 === 0
      ? ['/v1/observe', { input_text: `Repeated memory ${at}.` }]
      : ['/v1/guide', { query_text: 'Repeated memory', limit: 5 }]
  return post(path, JSON.stringify({ ...body, operation_id: operationId(at) }))
}

function operationId(at: number): string {
  return `repeated-${at}`
}

function feedbackOn(guideTraceId: string): object {
  return {
    guide_trace_id: guideTraceId,
    reason: 'the run ended',
    run_id: 'run-1',
    outcome: 'positive',
    used_surface: 'use_now',
    used_memory_ids: ['none'],
  }
}

/** In the first place, without an operation of its own. */
function as(ask: Ask, random: Random): FuzzRequest & { readonly body: string } {
  const request = ask(random, HERE)
  return post(pathOf(request), JSON.stringify(request.body))
}

const changed = (text: string, fields: object): string => JSON.stringify({ ...JSON.parse(text), ...fields })

function specOf({ operation }: Request): OperationSpec {
  const specs: Readonly<Record<string, OperationSpec>> = OPERATIONS
  const spec = specs[operation]
  if (spec === undefined) throw new RangeError(`there is no operation ${operation}`)
  return spec
}

function pathOf(request: Request): string {
  const { body } = request
  const id = isJson(body) ? String(body['candidate_id']) : ''
  return specOf(request).path.replace(':candidate_id', encodeURIComponent(id))
}

function post(path: string, body: string): FuzzRequest & { readonly body: string } {
  return { method: 'POST', path, contentType: 'application/json', body, asked: null }
}
