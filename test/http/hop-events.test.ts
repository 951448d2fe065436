import { request } from 'undici'
import { afterEach, expect, test } from 'vitest'
import type { OperatorStream, StreamedEvent } from '../../src/runtime/runtime.ts'
import { closeNodes, pair, send } from './hop-fixture.ts'

afterEach(closeNodes)

/** Tells these events, and then nothing more before `end` is called. */
function streamOf(said: readonly StreamedEvent[]) {
  const waiting = [...said]
  const state = { isClosed: false, end: (): void => {} }
  const ended = new Promise<null>((resolve) => {
    state.end = () => resolve(null)
  })
  const stream: OperatorStream = {
    ended: 'not_owner',
    next: async () => {
      const event = waiting.shift()
      return event === undefined ? ended : [event]
    },
    close: () => void (state.isClosed = true),
  }
  return { stream, state }
}

const EVENTS_PATH = '/v1/operator/events?tenant_id=acme&scope=a+b'
const TOLD: readonly StreamedEvent[] = [
  { id: '1.0', name: 'observe', data: { said: 'é\n\nid: 9' } },
  { id: null, name: 'dropped', data: { dropped: 2 } },
]

test('events are told as the owner tells them, and with its end the reader is told to come back', async () => {
  const asked: unknown[] = []
  const { stream, state } = streamOf(TOLD)
  const { asked: node } = await pair({
    follow(body) {
      asked.push(body)
      return stream
    },
  })
  const { body, headers, statusCode } = await request(`${node.url}${EVENTS_PATH}&last_event_id=0.1`, {
    headers: { 'last-event-id': '0.5' },
  })
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
  let text = ''
  for await (const part of body) {
    text += String(part)
    if (text.includes('dropped')) state.end()
  }
  expect(text).toBe(
    'retry: 1000\n\nid: 1.0\nevent: observe\ndata: {"said":"é\\n\\nid: 9"}\n\nevent: dropped\ndata: {"dropped":2}\n\nevent: end\ndata: {"reason":"not_owner"}\n\n',
  )
  expect(asked).toEqual([{ tenant_id: 'acme', scope: 'a b', last_event_id: '0.5' }])
})

test('a reader of events that leaves is left by the owner as well', async () => {
  const { stream, state } = streamOf(TOLD)
  const { asked } = await pair({ follow: () => stream })
  const { body } = await request(`${asked.url}${EVENTS_PATH}`)
  body.on('error', () => {}).destroy()
  await expect.poll(() => state.isClosed).toBe(true)
})

test('a refusal of events and one without a body come as refusals', async () => {
  const { asked, owner } = await pair()
  owner.refuse()
  expect((await send(asked.url, EVENTS_PATH, null)).status).toBe(503)
  const path = '/v1/operator/actors?tenant_id=acme'
  const { statusCode } = await request(`${asked.url}${path}`, { method: 'HEAD' })
  expect(statusCode).toBe(421)
})
