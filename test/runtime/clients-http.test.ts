import { afterEach, describe, expect, test } from 'vitest'
import { edgeOver } from '../harness/edge.ts'
import { closeEmbedded, startEmbedded } from '../harness/embedded.ts'

afterEach(closeEmbedded)

const place = { tenant_id: 'clients', scope: 'http' }

describe('over HTTP', () => {
  test('keys and headers of clients are ignored by an open server, and every error is JSON', async () => {
    const app = edgeOver(await startEmbedded())
    const headers = {
      'content-type': 'application/json',
      authorization: 'Bearer key',
      'x-api-key': 'key',
      'x-own': 'anything',
    }
    const guide = await app.inject({
      method: 'POST',
      url: '/v1/guide',
      headers,
      payload: { query_text: 'x' },
    })
    expect(guide.statusCode).toBe(200)
    expect(guide.headers['x-request-id']).toBeDefined()
    expect((await app.inject({ method: 'GET', url: '/health', headers })).json()).toMatchObject({ ok: true })
    const wrong = [
      { method: 'POST', url: '/v1/none', payload: '{}' },
      { method: 'GET', url: '/v1/guide' },
      { method: 'POST', url: '/v1/guide', payload: '{' },
      { method: 'POST', url: '/v1/guide', payload: '{}' },
      { method: 'POST', url: '/v1/memory/resolve', payload: JSON.stringify({ uri: 'svc://a/b/rule/c' }) },
    ] as const
    for (const request of wrong) {
      const reply = await app.inject({ ...request, headers })
      expect(reply.statusCode).toBeGreaterThanOrEqual(400)
      expect(Object.keys(reply.json())).toEqual(['error', 'message', 'details'])
    }
    await app.close()
  })

  test('the idempotency key of the header is the operation id of the body', async () => {
    const served = edgeOver(await startEmbedded())
    const send = (body: object, headers: object) =>
      served.inject({ method: 'POST', url: '/v1/observe', headers: { ...headers }, payload: body })
    const body = { ...place, input_text: 'One fact.' }
    const first = await send(body, { 'idempotency-key': 'key' })
    expect((await send(body, { 'idempotency-key': 'key' })).body).toBe(first.body)
    expect((await send({ ...body, operation_id: 'key' }, {})).body).toBe(first.body)
    const other = await send({ ...body, input_text: 'Another fact.' }, { 'idempotency-key': 'key' })
    expect(other.statusCode).toBe(409)
    await served.close()
  })
})
