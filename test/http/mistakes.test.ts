import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { edgeOver } from '../harness/edge.ts'
import { startEmbedded } from '../harness/embedded.ts'

// What a caller gets wrong who has not read the documents, and what the answer has to tell, so that the next request is right.

/** What earlier requests gave. */
interface Known {
  readonly memoryId: string
  readonly guideTraceId: string
}

interface Mistake {
  readonly what: string
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly body?: (known: Known) => unknown
  readonly headers?: Readonly<Record<string, string>>
  /** 400 unless given, and 200 where it is carried out. */
  readonly status?: number
  /** `invalid_request` unless given. Null: the request is carried out, and its warnings tell. */
  readonly error?: string | null
  readonly words: readonly string[]
}

const PLACE = { scope: 'shop' }
const feedback = (known: Known) => ({
  ...PLACE,
  reason: 'it worked',
  run_id: 'run-1',
  outcome: 'positive',
  used_surface: 'use_now',
  guide_trace_id: known.guideTraceId,
  used_memory_ids: [known.memoryId],
})
const forget = { ...PLACE, operation: 'suppress', target: 'memory', reason: 'wrong' }

const MISTAKES: readonly Mistake[] = [
  {
    what: 'no content type',
    path: '/v1/observe',
    headers: {},
    body: () => '{"input_text":"x"}',
    status: 415,
    error: 'unsupported_media_type',
    words: ['content-type: application/json'],
  },
  {
    what: 'a number as text',
    path: '/v1/guide',
    body: () => ({ query_text: 'deploy', limit: '5' }),
    words: ['limit: Send a number'],
  },
  {
    what: 'feedback in another scope than the guide',
    path: '/v1/feedback',
    body: (known) => ({ ...feedback(known), scope: 'web' }),
    error: 'guide_trace_not_found',
    words: ['same tenant_id, scope and consumer'],
  },
  {
    what: 'a malformed memory id',
    path: '/v1/feedback',
    body: (known) => ({ ...feedback(known), used_memory_ids: ['mem-1'] }),
    error: 'guide_trace_used_memory_not_exposed',
    words: ['send ids of its agent_context'],
  },
  {
    what: 'two required fields missing at once',
    path: '/v1/feedback',
    body: (known) => ({ ...feedback(known), reason: undefined, run_id: undefined }),
    words: ['run_id: This is required', 'reason: This is required'],
  },
  {
    what: 'a trace id that nobody gave',
    path: '/v1/feedback',
    body: (known) => ({ ...feedback(known), guide_trace_id: 'guide_trace:1' }),
    error: 'guide_trace_not_found',
    words: ['No such guide: send the guide_trace_id'],
  },
  {
    what: 'forget with an operation that there is not',
    path: '/v1/forget',
    body: (known) => ({ ...forget, operation: 'delete', memory_ids: [known.memoryId] }),
    words: ['operation: Send one of ', 'suppress', 'not "delete"'],
  },
  {
    what: 'forget of an unknown id',
    path: '/v1/forget',
    body: () => ({ ...forget, memory_ids: ['mem-1'] }),
    status: 404,
    error: 'memory_not_found',
    words: ['send ids which this consumer can see in the same tenant_id and scope'],
  },
  {
    what: 'GET where only POST is served',
    path: '/v1/guide?query_text=deploy',
    method: 'GET',
    status: 405,
    error: 'method_not_allowed',
    words: ['by POST.'],
  },
  {
    what: 'a bare id for resolve',
    path: '/v1/memory/resolve',
    body: (known) => ({ uri: known.memoryId }),
    words: ['svc://tenant/scope/memory/id', 'handoff'],
  },
  {
    what: 'erase without reason',
    path: '/v1/memory/erase',
    body: (known) => ({ ...PLACE, memory_ids: [known.memoryId] }),
    words: ['reason: This is required: send text.'],
  },
  {
    what: 'a scope that is a number',
    path: '/v1/guide',
    body: () => ({ query_text: 'deploy', scope: 7 }),
    words: ['scope: Send text.'],
  },
  {
    what: 'an operation id for another body',
    path: '/v1/observe',
    body: () => ({ ...PLACE, input_text: 'another text', operation_id: 'op-1' }),
    status: 409,
    error: 'operation_conflict',
    words: ['send a new operation_id'],
  },
  {
    what: 'five errors at once',
    path: '/v1/feedback',
    body: () => ({ outcome: 'good', used_surface: 'prompt', guide_trace_id: 7 }),
    words: ['run_id: ', 'reason: ', 'outcome: ', 'used_surface: ', 'guide_trace_id: '],
  },
  {
    what: 'text instead of input_text',
    path: '/v1/observe',
    body: () => ({ ...PLACE, text: 'Use pnpm' }),
    error: 'observe_requires_memory_or_handoff',
    words: ['Field text is not known; did you mean input_text?'],
  },
  {
    what: 'inputText instead of input_text',
    path: '/v1/observe',
    body: () => ({ ...PLACE, inputText: 'Use pnpm' }),
    error: 'observe_requires_memory_or_handoff',
    words: ['Field inputText is not known; did you mean input_text?'],
  },
  {
    what: 'query instead of query_text',
    path: '/v1/guide',
    body: () => ({ ...PLACE, query: 'deploy' }),
    words: ['query_text: This is required', 'Field query is not known; did you mean query_text?'],
  },
  {
    what: 'origin with a slip',
    path: '/v1/observe',
    body: () => ({ ...PLACE, input_text: 'Grapes are blue', memory: { origen: 'document' } }),
    error: null,
    words: ['field memory.origen is not known and was kept as payload; did you mean origin?'],
  },
  {
    what: 'valid_until with a slip',
    path: '/v1/observe',
    body: () => ({ ...PLACE, input_text: 'Plums are sweet', memory: { valid_til: '2030-01-01' } }),
    error: null,
    words: ['field memory.valid_til is not known and was kept as payload; did you mean valid_until?'],
  },
  {
    what: 'a dry run where there is none',
    path: '/v1/observe',
    body: () => ({ ...PLACE, input_text: 'Cherries are red', dry_run: true }),
    words: ['dry_run: observe has no dry run, and nothing was written: leave it out'],
  },
  {
    what: 'a dry run of feedback',
    path: '/v1/feedback',
    body: (known) => ({ ...feedback(known), dryRun: true }),
    words: ['dryRun: feedback has no dry run, and nothing was written'],
  },
  {
    what: 'tenant instead of tenant_id',
    path: '/v1/observe',
    body: () => ({ tenant: 'acme', input_text: 'private' }),
    words: ['tenant is not known: send tenant_id'],
  },
  {
    what: 'a slash at the end of the path',
    path: '/v1/guide/',
    body: () => ({ query_text: 'deploy' }),
    status: 404,
    error: 'not_found',
    words: ['ask for /v1/guide.'],
  },
  {
    what: 'a path without its version',
    path: '/skills/candidates/c/promote',
    body: () => ({ query_text: 'deploy' }),
    status: 404,
    error: 'not_found',
    words: ['ask for /v1/skills/candidates/c/promote.'],
  },
  {
    what: 'the version twice, as an address that ends in it makes it',
    path: '/v1/v1/guide',
    body: () => ({ query_text: 'deploy' }),
    status: 404,
    error: 'not_found',
    words: ['ask for /v1/guide.'],
  },
  {
    what: 'numbers that nobody has turned on',
    path: '/metrics',
    method: 'GET',
    status: 404,
    error: 'not_found',
    words: ['memgov serve --metrics', 'MEMGOV_METRICS'],
  },
  {
    what: 'no body',
    path: '/v1/observe',
    error: 'observe_requires_memory_or_handoff',
    words: ['send input_text', 'Nothing was sent'],
  },
  {
    what: 'a parameter given twice',
    path: '/v1/operator/snapshot?scope=shop&scope=web',
    method: 'GET',
    words: ['scope: Send this parameter once'],
  },
  {
    what: 'a boundary in the query of a POST',
    path: '/v1/guide?tenant_id=acme',
    body: () => ({ query_text: 'deploy' }),
    words: ['tenant_id: Send tenant_id in the body'],
  },
  {
    what: 'a near miss of a boundary in the query of a GET',
    path: '/v1/skills/candidates?tenantId=acme',
    method: 'GET',
    words: ['tenantId is not known: send tenant_id'],
  },
  {
    what: 'erase that names nothing',
    path: '/v1/memory/erase',
    body: () => ({ ...PLACE, reason: 'left' }),
    error: 'reference_required',
    words: ['guide_trace_ids, run_ids or external_ids, or a filter'],
  },
  {
    what: 'forget that names nothing',
    path: '/v1/forget',
    body: () => ({ ...forget }),
    error: 'reference_required',
    words: ['with suppress or unsuppress a filter'],
  },
  {
    what: 'no candidate',
    path: '/v1/memory/govern',
    body: () => ({ ...PLACE, query_text: 'deploy', candidates: [] }),
    words: ['candidates: Send at least 1 item.'],
  },
  {
    what: 'memory_ids of feedback in finish',
    path: '/v1/finish',
    body: (known) => ({
      ...PLACE,
      guide_trace_id: known.guideTraceId,
      run_id: 'named',
      outcome: 'succeeded',
      memory_ids: [known.memoryId],
    }),
    error: null,
    words: ['did you mean used_memory_ids?'],
  },
  {
    what: 'the user by which another store keeps its memory apart',
    path: '/v1/observe',
    body: () => ({ user_id: 'ann', input_text: 'Ann likes tea' }),
    error: null,
    words: ['field user_id is not known and was ignored; did you mean scope?'],
  },
  {
    what: 'a search in other words',
    path: '/v1/operator/memories',
    body: () => ({ ...PLACE, query: 'tea' }),
    error: null,
    words: ['did you mean text?'],
  },
  {
    what: 'an unknown parameter beside a refused one',
    path: '/v1/operator/snapshot?scope=%07&guide=x',
    method: 'GET',
    words: ['scope: ', 'Field guide is not known; did you mean guide_trace_id?'],
  },
]

let edge: FastifyInstance
let known: Known

const JSON_TYPE = { 'content-type': 'application/json' }

async function post(url: string, payload: object) {
  const reply = await edge.inject({ method: 'POST', url, payload, headers: JSON_TYPE })
  expect([url, reply.statusCode, reply.body]).toEqual([url, 200, expect.any(String)])
  return reply.json()
}

beforeAll(async () => {
  edge = edgeOver(await startEmbedded())
  const first = { input_text: 'Deploys go through staging', operation_id: 'op-1' }
  const { memory_ids } = await post('/v1/observe', { ...PLACE, ...first })
  const { guide_trace_id } = await post('/v1/guide', { ...PLACE, query_text: 'deploy', run_id: 'run-1' })
  known = { memoryId: memory_ids[0], guideTraceId: guide_trace_id }
})

afterAll(() => edge.close())

test.each(MISTAKES)('$what: the answer says what to send instead', async (mistake) => {
  const { path: url, method = 'POST', body, headers = JSON_TYPE, error = 'invalid_request', words } = mistake
  const { status = error === null ? 200 : 400 } = mistake
  const sent = body?.(known)
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent)
  const payload = sent === undefined ? {} : { payload: text }
  const reply = await edge.inject({ method, url, headers: { ...headers }, ...payload })
  expect([reply.statusCode, reply.body]).toEqual([status, expect.any(String)])
  const answer = reply.json()
  expect(answer.error ?? null).toBe(error)
  // A client that shows the message only must be helped by it, where one thing is wrong.
  const told =
    error === null ? JSON.stringify(answer.warnings) : `${answer.message} ${JSON.stringify(answer.details)}`
  for (const word of words) expect(told).toContain(word)
  if (error !== null) expect(answer.message).toContain(words[0] ?? '')
})
