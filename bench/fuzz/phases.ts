import { damaged, mutated } from './mutations.ts'
import type { Random } from './random.ts'
import { type Known, PATHS, READING_PATHS, validBody, WRITING_PATHS } from './requests.ts'

/** One request, as it is sent. */
export interface FuzzRequest {
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
  request(random: Random, known: Known): FuzzRequest
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

function anyRequest(random: Random, known: Known): FuzzRequest {
  const path = random.of(PATHS)
  let body: unknown = validBody(path, random, known)
  for (let times = random.below(4); times > 0; times--) body = mutated(body, random)
  const text = JSON.stringify(body)
  const contentType = random.chance(0.02) ? 'text/plain' : 'application/json'
  return { ...post(path, random.chance(0.05) ? damaged(text, random) : text), contentType }
}

function refused(random: Random, known: Known): FuzzRequest {
  const path = random.of(PATHS)
  const body = here(validBody(path, random, known))
  switch (random.below(7)) {
    case 0:
      return post(path, JSON.stringify({ ...body, tenant_id: `../${random.below(1e9)}` }))
    case 1:
      return post(path, `${JSON.stringify(body)}}`)
    case 2:
      return { ...post(path, JSON.stringify(body)), contentType: 'text/plain' }
    case 3:
      return post(`/v1/nothing-${random.below(1e9)}`, JSON.stringify(body))
    case 4:
      return post(
        path,
        JSON.stringify({ ...body, deep: '['.repeat(40), scope: 'x'.repeat(300 + random.below(1000)) }),
      )
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

function reading(random: Random, known: Known): FuzzRequest {
  if (random.chance(0.1)) {
    return { method: 'GET', path: random.of(['/health', '/openapi.json']), contentType: '', body: null }
  }
  const path = random.of(READING_PATHS)
  return post(path, JSON.stringify(here(validBody(path, random, known))))
}

function repeated(random: Random): FuzzRequest {
  return repeatable(random.below(REPEATED))
}

function repeatable(at: number): FuzzRequest {
  const path = WRITING_PATHS[at % WRITING_PATHS.length] ?? '/v1/observe'
  const bodies: Readonly<Record<string, object>> = {
    '/v1/observe': { input_text: `Repeated memory ${at}.` },
    '/v1/guide': { query_text: 'Repeated memory', limit: 5 },
  }
  return post(path, JSON.stringify({ ...bodies[path], operation_id: operationId(at) }))
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

/** In the first place, which stays in memory, and without an operation of its own. */
function here(body: Readonly<Record<string, unknown>>): object {
  const { tenant_id: _tenant, scope: _scope, operation_id: _operation, ...rest } = body
  return rest
}

function post(path: string, body: string): FuzzRequest {
  return { method: 'POST', path, contentType: 'application/json', body }
}
