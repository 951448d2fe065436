import { connect, type Socket } from 'node:net'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { type ProcessSize, sizeOf } from '../../bench/soak/process-size.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { HttpClient } from '../harness/http-client.ts'
import { type ServedProcess, startProcess } from '../harness/process.ts'
import { answerOf, type Reply } from '../harness/reply.ts'
import { scaled } from '../harness/scale.ts'

// More than the service can take, over real sockets: it says 503 and when to come back, stays within its bounds, and
// is as before afterwards. Single bounds: test/runtime/overload.test.ts, test/http, test/unit/journal.test.ts.

/** Scopes that are touched once. */
const SCOPES = scaled(5000)
const MIB = 1024 * 1024
const place = { tenant_id: 'overload', scope: 'one' }

/** Of a process that serves; the test is for systems that tell. */
function sized(served: ServedProcess): ProcessSize {
  const size = sizeOf(served.pid)
  if (size === null) throw new Error('this system does not tell how large a process is')
  return size
}

/** Every task once, `width` at a time. */
async function each<T>(items: readonly T[], width: number, task: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const work = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await task(item)
  }
  await Promise.all(Array.from({ length: width }, work))
}

function countOf(replies: readonly Reply<'observe'>[]): { readonly kept: number; readonly refused: number } {
  const refusals = replies.flatMap(({ refusal }) => refusal ?? [])
  for (const { status, error } of refusals)
    expect({ status, error }).toEqual({ status: 503, error: 'overloaded' })
  return { kept: replies.length - refusals.length, refused: refusals.length }
}

/** One request after the other is answered as if nothing had been. */
async function expectCalm(client: HttpClient): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    answerOf(await client.call('observe', { ...place, scope: 'calm', input_text: `Calm fact ${round}.` }))
    answerOf(await client.call('guide', { ...place, scope: 'calm', query_text: 'calm fact' }))
  }
}

const NO_PROC =
  process.platform === 'linux' ? null : 'test/process/overload.test.ts is skipped: it reads /proc'
if (NO_PROC !== null) process.stderr.write(`${NO_PROC}\n`)

describe.skipIf(NO_PROC !== null)('a service under more than it can take', () => {
  test('holds no more actors than its bound, however many scopes are touched', {
    timeout: 900_000,
  }, async () => {
    // Versions of Node differ in the size of the young generation, which counts here.
    const env = { NODE_OPTIONS: '--max-semi-space-size=16' }
    const bounds = ['--resident-actors-max', '200', '--log-level', 'warn']
    const served = await startProcess(dataFolder(), bounds, { env })
    const client = new HttpClient(served.url, 16)
    const scopes = Array.from({ length: SCOPES }, (_, index) => `scope-${index}`)
    const touch = async (scope: string) => {
      answerOf(await client.call('observe', { ...place, scope, input_text: `A fact of ${scope}.` }))
    }
    await each(scopes.slice(0, 500), 16, touch)
    const early = sized(served)
    await each(scopes.slice(500), 16, touch)
    const late = sized(served)
    const { actors } = answerOf(await client.call('health', {}))
    expect(actors.known).toBe(SCOPES)
    expect(actors.resident).toBeLessThanOrEqual(200 + 48)
    expect(late.openFiles).toBeLessThan(early.openFiles + 32)
    expect(late.rssBytes).toBeLessThan(early.rssBytes + 150 * MIB + SCOPES * 4096)
    const first = { ...place, scope: 'scope-0', query_text: 'fact' }
    expect(answerOf(await client.call('guide', first)).agent_context.memory_ids).toHaveLength(1)
    await client.close()
    await served.end('SIGKILL')
  })

  test('refuses what its queues cannot hold, one hot scope and large bodies alike, and recovers', async () => {
    const served = await startProcess(dataFolder(), ['--mailbox-depth-max', '32', '--log-level', 'warn'])
    const client = new HttpClient(served.url, 200)
    await expectCalm(client)
    const hot = await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        client.call('observe', { ...place, input_text: `Hot fact ${index}.` }),
      ),
    )
    const { kept, refused } = countOf(hot)
    expect(kept).toBeGreaterThanOrEqual(32)
    expect(refused).toBeGreaterThan(0)
    await expectCalm(client)

    const before = sized(served)
    const filling = 'x'.repeat(4.5 * MIB)
    const large = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const memory = { text: `Large ${index}.`, payload: { filling } }
        return client.call('observe', { ...place, scope: `large-${index % 10}`, memory })
      }),
    )
    expect(countOf(large).kept).toBeGreaterThan(0)
    await expectCalm(client)
    // 30 bodies as bytes, text and values, and what is kept of them.
    expect(sized(served).rssBytes).toBeLessThan(before.rssBytes + 1200 * MIB)
    const hotNow = answerOf(await client.call('operatorSnapshot', place))
    expect(hotNow.operator_snapshot).toBeDefined()
    await client.close()
    expect(await served.end()).toEqual({ code: 0, signal: null })
    expect(served.stderr()).toBe('')
  })

  test('serves others while sockets stay half open or do not read, and ends those in time', async () => {
    const bounds = ['--connections-max', '150', '--request-timeout-ms', '1500', '--log-level', 'warn']
    const served = await startProcess(dataFolder(), bounds)
    const client = new HttpClient(served.url, 4)
    await expectCalm(client)
    const before = sized(served)
    const { port, hostname } = new URL(served.url)
    const body = JSON.stringify({ ...place, scope: 'flood', query_text: 'calm fact', limit: 50 })
    const whole = `POST /v1/guide HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const sockets: Socket[] = []
    const ends: Promise<unknown>[] = []
    const open = (text: string, reads: boolean) => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      socket.write(text)
      if (reads) {
        socket.resume()
        ends.push(new Promise((resolve) => socket.once('close', resolve)))
      }
      sockets.push(socket)
    }
    for (let count = 0; count < 60; count += 1) open(whole.slice(0, 40 + count), true)
    for (let count = 0; count < 40; count += 1) open(whole.repeat(20), false)
    await expectCalm(client)
    // Those that never finish their request are ended by the service.
    await Promise.all(ends)
    for (const socket of sockets) socket.destroy()
    await expectCalm(client)
    expect(sized(served).openFiles).toBeLessThan(before.openFiles + 60)
    await client.close()
    expect(await served.end()).toEqual({ code: 0, signal: null })
  })
})
