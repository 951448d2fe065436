import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { ClientError } from '../../src/edges/cli/reader.ts'
import { runBridge, throughBreaks } from '../../src/edges/mcp/bridge.ts'
import { bodyOf, listening } from '../harness/listener.ts'
import { mcpMessage, toolAnswer } from '../support/mcp-message.ts'

// `memgov mcp` before a service whose connections break.

const OBSERVED = { memory_ids: ['a'], handoff_id: null, observed: { echo_count: 0 } }
const GUIDED = { guide_trace_id: 'guide_trace:a', agent_context: { prompt_text: 'Nothing.' } }

const NOWHERE = {
  address: { url: new URL('http://127.0.0.1:1'), key: null },
  place: { scope: 'shop' },
  defaultScope: async () => 'default',
  version: '0.0.0',
  stopped: new Promise<void>(() => {}),
}

/** Calls a tool while the service breaks the connection of the first `broken` requests; says what the service was asked. */
async function called(name: string, given: object, broken: number) {
  const asked: Readonly<Record<string, unknown>>[] = []
  const url = await listening(async (request, response) => {
    asked.push(JSON.parse(await bodyOf(request)))
    if (asked.length <= broken) request.socket.destroy()
    else response.end(JSON.stringify(name === 'guide' ? GUIDED : OBSERVED))
  })
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const answered = new Promise<string>((resolve) => stdout.once('data', (bytes) => resolve(String(bytes))))
  const ended = runBridge({
    ...NOWHERE,
    address: { url: new URL(url), key: null },
    stdin,
    stdout,
    warn: () => {},
  })
  stdin.write(`${JSON.stringify(mcpMessage('modern', 'tools/call', { name, arguments: given }).body)}\n`)
  const answer = toolAnswer(await answered)
  stdin.end()
  await ended
  return { asked, answer }
}

test('a write whose connection breaks is sent again under one operation id, which another write does not have', async () => {
  const { asked, answer } = await called('remember', { text: 'Water boils at 100 degrees' }, 1)
  expect(answer).toEqual({ texts: ['Stored: a'], isError: false })
  expect(asked).toHaveLength(2)
  expect(asked[1]).toEqual(asked[0])
  const id = asked[0]?.['operation_id']
  expect(id).toMatch(/^mcp:[-0-9a-f]{36}$/)
  const other = await called('remember', { text: 'Water boils at 100 degrees' }, 0)
  expect(other.asked.map(({ operation_id }) => operation_id)).not.toContain(id)
})

test('a guide is asked for again without one: a stored answer would say what memory no longer says', async () => {
  const { asked, answer } = await called('guide', { task: 'boil water' }, 1)
  expect(answer.isError).toBe(false)
  expect(asked.map(({ operation_id }) => operation_id)).toEqual([undefined, undefined])
})

test.each([
  [
    'nobody reads its answers',
    (_stdin: PassThrough, stdout: PassThrough) => void stdout.destroy(new Error('EPIPE')),
  ],
  ['a message is too large', (stdin: PassThrough) => void stdin.write('x'.repeat(11 * 2 ** 20))],
])('it ends when %s, also while the pipe stays open', async (_why, close) => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const warned: string[] = []
  const ended = runBridge({ ...NOWHERE, stdin, stdout, warn: (sentence) => void warned.push(sentence) })
  stdin.write(`${JSON.stringify(mcpMessage('legacy', 'ping').body)}\n`)
  await once(stdout, 'data')
  close(stdin, stdout)
  await ended
  expect(warned).toHaveLength(1)
})

test('a line that is no JSON in UTF-8 is answered, and is no memory; lines and characters may come in pieces', async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const ended = runBridge({ ...NOWHERE, stdin, stdout, warn: () => {} })
  const ping = (id: number | string) => JSON.stringify({ ...mcpMessage('legacy', 'ping').body, id })
  const wrong = Buffer.from(JSON.stringify({ ...mcpMessage('legacy', 'ping', { text: '#' }).body, id: 7 }))
  wrong[wrong.indexOf('#')] = 0xff
  const sent = Buffer.concat([
    Buffer.from(`no json\n\r\n{"a":\n${ping('é')}\r\n`),
    wrong,
    Buffer.from('\n"'),
    Buffer.from([0xc3]),
    Buffer.from(`"\n${ping(2)}\n`),
  ])
  for (const byte of sent) stdin.write(Buffer.of(byte))
  let text = ''
  stdout.on('data', (bytes) => {
    text += String(bytes)
  })
  await vi.waitFor(() => expect(text.match(/\n/g)).toHaveLength(6))
  stdin.end()
  await ended
  const answers: readonly { readonly id: unknown; readonly error?: unknown; readonly result?: unknown }[] =
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const refused = (what: string) => ({
    code: -32700,
    message: `Parse error: the line is not ${what}. Send each message as one line of JSON in UTF-8.`,
  })
  const errors = answers.filter(({ error }) => error !== undefined).map(({ id, error }) => [id, error])
  expect(errors).toEqual([
    [null, refused('JSON')],
    [null, refused('JSON')],
    [7, refused('UTF-8')],
    [null, refused('UTF-8')],
  ])
  expect(answers.filter(({ result }) => result !== undefined).map(({ id }) => id)).toEqual(['é', 2])
})

test.each([
  ['null', null],
  ['[]', null],
  ['"x"', null],
  ['{"a":1}', null],
  ['[{"jsonrpc":"2.0","id":6,"method":"ping"}]', null],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null],
  ['{"jsonrpc":"1.0","id":4,"method":"ping"}', 4],
  ['{"jsonrpc":"2.0","id":5,"method":"ping","params":3}', 5],
])('a line that is JSON and no message is answered as such: %s', async (line, id) => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const ended = runBridge({ ...NOWHERE, stdin, stdout, warn: () => {} })
  stdin.write(`${line}\n`)
  const [bytes] = await once(stdout, 'data')
  expect(JSON.parse(String(bytes))).toEqual({
    jsonrpc: '2.0',
    id,
    error: { code: -32600, message: expect.stringContaining('Send one object a line with jsonrpc 2.0') },
  })
  stdin.end()
  await ended
})

test('a connection that breaks each time is told of as a service that cannot be reached', async () => {
  const { asked, answer } = await called('remember', { text: 'Water boils at 100 degrees' }, 9)
  expect(answer.texts[0]).toMatch(/^service_unreachable: /)
  expect(asked).toHaveLength(3)
})

test('a service that is started anew is asked until it takes a connection; one that was not there is asked once', async () => {
  const [broken, nobody] = [new ClientError('broken', true), new ClientError('nobody')]
  const reply = { isOk: true, body: {} }
  const send = vi.fn().mockRejectedValueOnce(broken).mockRejectedValueOnce(nobody).mockResolvedValue(reply)
  expect(await throughBreaks(send)).toBe(reply)
  const absent = vi.fn().mockRejectedValue(nobody)
  await expect(throughBreaks(absent)).rejects.toBe(nobody)
  expect(absent).toHaveBeenCalledTimes(1)
})
