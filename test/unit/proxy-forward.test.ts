import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { askUpstream } from '../../src/edges/proxy/forward.ts'

const closing: (() => void)[] = []

afterEach(() => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) close()
})

async function askingStore(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return async (isRepeatable: boolean, isReadWhole: boolean) => {
    const outgoing = { method: 'GET', target: '/', headers: {}, body: Buffer.alloc(0) }
    return askUpstream(
      { url: new URL(`http://127.0.0.1:${port}`), timeoutMs: 60_000 },
      { ...outgoing, isRepeatable, isReadWhole, signal: new AbortController().signal },
    )
  }
}

const textOf = (response: IncomingMessage) =>
  response.reduce((all: string, part: Buffer) => all + part.toString(), '')

test.each([
  ['passed on as it comes may take longer than the time for an answer', false, 'first, last'],
  ['read whole has to be there in time', true, 'aborted'],
])('an answer that is %s', async (_law, isReadWhole, expected) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let end = () => {}
  const ask = await askingStore((_request, response) => {
    response.write('first, ')
    end = () => void response.end('last')
  })
  const text = textOf(await ask(false, isReadWhole)).catch(String)
  vi.advanceTimersByTime(60_000)
  end()
  expect(await text).toContain(expected)
})

test('a request whose kept connection was closed goes out on one of its own: others may be closed as well', async () => {
  const known = new Set<Socket>()
  const first: (() => void)[] = []
  const ask = await askingStore(({ socket }, response) => {
    if (known.has(socket)) return void socket.destroy()
    known.add(socket)
    if (known.size > 2) return void response.end('said')
    first.push(() => response.end('said'))
    if (first.length === 2) for (const answer of first) answer()
  })
  const said = async () => textOf(await ask(true, true))
  expect(await Promise.all([said(), said()])).toEqual(['said', 'said'])
  expect(await said()).toBe('said')
})
