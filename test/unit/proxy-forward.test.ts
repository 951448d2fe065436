import { createServer } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { askUpstream } from '../../src/edges/proxy/forward.ts'

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  ['passed on as it comes may take longer than the time for an answer', false, 'first, last'],
  ['read whole has to be there in time', true, 'aborted'],
])('an answer that is %s', async (_law, isReadWhole, expected) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let end = () => {}
  const server = createServer((_request, response) => {
    response.write('first, ')
    end = () => void response.end('last')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const response = await askUpstream(
    { url: new URL(`http://127.0.0.1:${port}`), timeoutMs: 60_000 },
    {
      method: 'GET',
      target: '/',
      headers: {},
      body: Buffer.alloc(0),
      isRepeatable: false,
      isReadWhole,
      signal: new AbortController().signal,
    },
  )
  const text = response.reduce((all: string, part: Buffer) => all + part.toString(), '')
  vi.advanceTimersByTime(60_000)
  end()
  const said = await text.catch((error: unknown) => String(error))
  expect(said).toContain(expected)
  server.closeAllConnections()
  server.close()
})
