import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { OPERATIONS, type OperationSpec } from '../../src/contract/operations.ts'
import { limitsOf, type RequestLimits } from '../../src/edges/http/guard.ts'
import { createServer } from '../../src/edges/http/server.ts'
import type { Principal } from '../../src/ports/keys.ts'
import { httpOptions } from '../harness/edge.ts'
import { keyGrant } from '../support/keys.ts'
import { mcpMessage } from '../support/mcp-message.ts'
import { prove } from '../support/prove.ts'
import { fakeRuntime, post, RawConnection, startHttp, stopAll } from './http-fixture.ts'

afterEach(stopAll)

const NONE = { keyRatePerMinute: null, tenantRatePerMinute: null, keyConcurrencyMax: null }

function principal(keyId: string, tenantId = 'acme'): Principal {
  return { ...keyGrant({ tenantId }), keyId }
}

function limits(options: Partial<typeof NONE> | Readonly<Record<string, number>>): RequestLimits {
  const made = limitsOf({ ...NONE, ...options })
  if (made === null) throw new Error('nothing is limited')
  return made
}

/** How many of so many requests at one moment are let in. */
function letIn(of: RequestLimits, who: Principal, requests: number, nowMs: number, cost = 1): number {
  let count = 0
  for (let sent = 0; sent < requests; sent += 1) {
    if (of.enter(who, cost, nowMs).refusal === null) count += 1
  }
  return count
}

describe('rates', () => {
  test('in any minute no key is let in more than twice its rate, and never more than its rate at once', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 60 })
    prove(fc.integer({ min: 1, max: 20 }), gaps, (keyRatePerMinute, between) => {
      const of = limits({ keyRatePerMinute })
      let nowMs = 0
      const entered: number[] = []
      for (const gap of between) {
        nowMs += gap
        for (let at = 0; at < 3; at += 1)
          if (of.enter(principal('a'), 1, nowMs).refusal === null) entered.push(nowMs)
      }
      for (const [first, since] of entered.entries()) {
        const within = (ms: number) =>
          entered.filter((at, index) => index >= first && at <= since + ms).length
        expect(within(0)).toBeLessThanOrEqual(keyRatePerMinute)
        expect(within(60_000)).toBeLessThanOrEqual(2 * keyRatePerMinute)
      }
    })
  })

  test('what was asked drains evenly, and a refused request counts nothing', () => {
    const of = limits({ keyRatePerMinute: 6 })
    expect(letIn(of, principal('a'), 20, 0)).toBe(6)
    expect(letIn(of, principal('a'), 20, 9_999)).toBe(0)
    expect(letIn(of, principal('a'), 20, 10_000)).toBe(1)
    expect(letIn(of, principal('a'), 20, 70_000)).toBe(6)
  })

  test('a repeat after the time that the refusal tells is let in', () => {
    prove(fc.integer({ min: 1, max: 5000 }), (keyRatePerMinute) => {
      const of = limits({ keyRatePerMinute })
      letIn(of, principal('a'), keyRatePerMinute, 0)
      const { refusal } = of.enter(principal('a'), 1, 0)
      const seconds = refusal?.details['retry_after_s']
      if (typeof seconds !== 'number') throw new Error('it was let in')
      expect(of.enter(principal('a'), 1, seconds * 1000).refusal).toBeNull()
    })
  })

  test('a resolve counts a tenth', () => {
    const of = limits({ keyRatePerMinute: 5 })
    expect(letIn(of, principal('a'), 100, 0, 0.1)).toBe(50)
    expect(of.enter(principal('a'), 1, 0).refusal?.code).toBe('rate_limited')
  })

  test('one key does not count for another one, but keys of a tenant count for it together', () => {
    const of = limits({ keyRatePerMinute: 4, tenantRatePerMinute: 6 })
    expect(letIn(of, principal('a'), 10, 0)).toBe(4)
    expect(letIn(of, principal('b'), 10, 0)).toBe(2)
    expect(of.enter(principal('b'), 1, 0).refusal?.details).toMatchObject({ limit: 'tenantRatePerMinute' })
    expect(letIn(of, principal('c', 'other'), 10, 0)).toBe(4)
  })

  test('the headers tell the limit that is nearer', () => {
    const of = limits({ keyRatePerMinute: 4, tenantRatePerMinute: 5 })
    letIn(of, principal('a'), 3, 0)
    expect(of.enter(principal('b'), 1, 0).headers).toEqual({
      'ratelimit-limit': '5',
      'ratelimit-remaining': '1',
      'ratelimit-reset': '48',
    })
  })
})

test('requests of a key at the same time are bounded, and a place is given back once', () => {
  const of = limits({ keyConcurrencyMax: 2 })
  const first = of.enter(principal('a'), 1, 0)
  of.enter(principal('a'), 1, 0)
  expect(of.enter(principal('a'), 1, 0).refusal?.details).toMatchObject({ limit: 'keyConcurrencyMax' })
  expect(of.enter(principal('b'), 1, 0).refusal).toBeNull()
  first.leave()
  first.leave()
  expect(of.enter(principal('a'), 1, 0).refusal).toBeNull()
  expect(of.enter(principal('a'), 1, 0).refusal?.code).toBe('rate_limited')
})

describe('over HTTP', () => {
  const ASK = post('/v1/observe', '{}')

  test('a request too many is answered 429 with the time to wait, before its body counts for anything', async () => {
    const { runtime, calls } = fakeRuntime()
    const { port } = await startHttp(runtime, { keyRatePerMinute: 2 })
    const connection = new RawConnection(port)
    connection.write(`${ASK}${ASK}${ASK}`)
    expect((await connection.reply())?.headers.get('ratelimit-remaining')).toBe('1')
    expect((await connection.reply())?.status).toBe(200)
    const refused = await connection.reply()
    expect(refused?.status).toBe(429)
    expect(JSON.parse(refused?.body ?? '')).toMatchObject({
      error: 'rate_limited',
      details: { limit: 'keyRatePerMinute', per_minute: 2, retry_after_s: 30 },
    })
    expect(refused?.headers.get('retry-after')).toBe('30')
    expect(refused?.headers.get('ratelimit-remaining')).toBe('0')
    expect(calls).toHaveLength(2)
    connection.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
    const health = await connection.reply()
    expect([health?.status, health?.headers.has('ratelimit-limit')]).toEqual([200, false])
  })

  test('a place is free again when a request is answered, refused, or cut off in its body', async () => {
    let release = () => {}
    let isHeld = true
    const { runtime, calls } = fakeRuntime(async () => {
      if (isHeld) {
        await new Promise<void>((resolve) => {
          release = resolve
        })
      }
      return {}
    })
    const { port } = await startHttp(runtime, { keyConcurrencyMax: 1 })
    const ask = async (text: string): Promise<number | undefined> => {
      const connection = new RawConnection(port)
      connection.write(text)
      const reply = await connection.reply()
      connection.socket.destroy()
      return reply?.status
    }
    const busy = new RawConnection(port)
    busy.write(ASK)
    await expect.poll(() => calls.length).toBe(1)
    expect(await ask(ASK)).toBe(429)
    isHeld = false
    release()
    expect((await busy.reply())?.status).toBe(200)
    busy.socket.destroy()
    expect(await ask(post('/v1/observe', 'no json'))).toBe(400)
    const cut = new RawConnection(port)
    cut.write(post('/v1/observe', '{', { 'content-length': '9' }))
    await expect.poll(() => ask(ASK)).toBe(429)
    cut.socket.destroy()
    await expect.poll(() => ask(ASK)).toBe(200)
  })

  test('every route counts but those that are open to everyone', async () => {
    for (const { access, name, method, path } of Object.values<OperationSpec>(OPERATIONS)) {
      const options = httpOptions({ keyRatePerMinute: 1 })
      const served = createServer(fakeRuntime().runtime, Object.values(OPERATIONS), options)
      const asked = { method, url: path.replace(/:\w+/g, 'x'), ...(method === 'POST' ? { payload: {} } : {}) }
      const statuses: number[] = []
      for (let sent = 0; sent < (name === 'resolve' ? 11 : 2); sent += 1)
        statuses.push((await served.inject(asked)).statusCode)
      const isLimited = access !== 'everyone'
      expect([name, statuses.slice(0, -1).includes(429), statuses.at(-1) === 429]).toEqual([
        name,
        false,
        isLimited,
      ])
      await served.close()
    }
  })

  test('where nothing is limited no header tells of limits', async () => {
    const { port } = await startHttp(fakeRuntime().runtime)
    const connection = new RawConnection(port)
    connection.write(ASK)
    const names = [...((await connection.reply())?.headers.keys() ?? [])]
    expect(names.filter((name) => name.startsWith('ratelimit') || name === 'vary')).toEqual([])
  })
})

test('calls of tools that come in one request count each', async () => {
  for (const changes of [{ keyRatePerMinute: 3 }, { keyConcurrencyMax: 3 }]) {
    const { runtime, calls } = fakeRuntime(async () => ({ memory_ids: [] }))
    const { url } = await startHttp(runtime, changes)
    const batch = Array.from({ length: 5 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'remember', arguments: { text: `fact ${id}` } },
    }))
    const { headers } = mcpMessage('legacy', 'tools/call')
    const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(batch) })
    expect((await response.text()).split('rate_limited: ')).toHaveLength(3)
    expect(calls).toHaveLength(3)
  }
})
