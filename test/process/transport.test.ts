import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { dataFolder } from '../harness/data-folder.ts'
import { HttpClient } from '../harness/http-client.ts'
import { type ServedProcess, startProcess } from '../harness/process.ts'
import { answerOf } from '../harness/reply.ts'
import { scaled } from '../harness/scale.ts'

// Nobody may end the process from outside: what clients send, hold open or leave unread makes it slower at most.

const place = { tenant_id: 'transport', scope: 'one' }
const LIMITED = (files: number) => ({ through: ['sh', '-c', `ulimit -n ${files}; exec "$@"`, '--'] })
/** Guides that each connection sends at once; of 60 connections their answers are far more than the heap. */
const GUIDES = Math.max(80, scaled(200))
const isLinux = process.platform === 'linux'

async function connected(served: ServedProcess, count: number): Promise<Socket[]> {
  const port = Number(new URL(served.url).port)
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}))
  const isOpen = (socket: Socket) => new Promise((resolve) => socket.once('connect', resolve))
  await Promise.all(sockets.map(isOpen))
  return sockets
}

function requestOf(path: string, body: object): string {
  const text = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

/** As many candidates as take a worker. */
const candidates = Array.from({ length: 200 }, (_, at) => ({
  external_memory_id: `m${at}`,
  source_backend: 'notes',
  text: `Fact ${at}: the build of part ${at} runs at night. `.repeat(40),
}))

describe('a service whose clients do what they like', () => {
  test('lives on a heap of 512 MB when 60 of them send guides without end and read no answer', async () => {
    const served = await startProcess(dataFolder(), ['--log-level', 'warn'], {
      through: ['env', 'NODE_OPTIONS=--max-old-space-size=512'],
    })
    const client = new HttpClient(served.url, 4)
    for (let at = 0; at < 200; at += 1) {
      const input_text = `Fact ${at} of the build. ${'It has a long story of its own. '.repeat(100)}`
      answerOf(await client.call('observe', { ...place, input_text }))
    }
    const guide = {
      ...place,
      query_text: 'build',
      limit: 200,
      include_packets: true,
      context_char_budget: 60_000,
    }
    const answer = answerOf(await client.call('guide', guide))
    expect(JSON.stringify(answer).length).toBeGreaterThan(150 * 1024)
    const sockets = await connected(served, 60)
    const pipelined = requestOf('/v1/guide', guide).repeat(GUIDES)
    for (const socket of sockets) socket.pause().write(pipelined)
    for (let round = 0; round < 30; round += 1) {
      answerOf(await client.call('health', {}))
      const scope = { ...place, scope: `other-${round}` }
      answerOf(await client.call('observe', { ...scope, input_text: 'The build is red.' }))
      answerOf(await client.call('guide', { ...scope, query_text: 'build' }))
    }
    for (const socket of sockets) socket.destroy()
    answerOf(await client.call('guide', guide))
    await client.close()
    expect(await served.end()).toEqual({ code: 0, signal: null })
  })

  test.skipIf(!isLinux).each([256, 1024])(
    'serves beside more idle connections than its %i open files, threads included',
    async (files) => {
      const served = await startProcess(dataFolder(), ['--log-level', 'warn'], LIMITED(files))
      expect(served.stderr()).toContain('fewer connections than wanted')
      const client = new HttpClient(served.url, 1)
      const { limits } = answerOf(await client.call('health', {}))
      expect(limits['connections']).toBeLessThan(files - 100)
      const sockets = await connected(served, files + 50)
      for (let round = 0; round < 3; round += 1) {
        answerOf(await client.call('govern', { ...place, query_text: 'build', candidates }))
      }
      for (const socket of sockets) socket.destroy()
      await client.close()
      expect(await served.end()).toEqual({ code: 0, signal: null })
    },
  )

  test.skipIf(!isLinux)(
    'is not started with too few open files, and the message says how many it needs',
    async () => {
      await expect(startProcess(dataFolder(), [], LIMITED(128))).rejects.toThrow(
        'memgov cannot start: this process may open 128 files (ulimit -n), and needs',
      )
    },
  )
})
