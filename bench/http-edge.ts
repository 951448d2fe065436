// What does the HTTP edge cost per request, over a bare node:http server that parses and echoes?
// Both run in this process with the client, one request at a time, in turns, so that a noisy moment hits both.
import { createServer as createBareServer } from 'node:http'
import process from 'node:process'
import { Client } from 'undici'
import { systemClock } from '../src/adapters/system/clock.ts'
import { systemEntropy } from '../src/adapters/system/entropy.ts'
import { pinoLog } from '../src/adapters/system/log.ts'
import { createServer } from '../src/edges/http/server.ts'
import type { Runtime } from '../src/runtime/runtime.ts'
import { isMain, quantile, type Spread, spreadOf, spreadText, tableText } from './measure.ts'

export interface HttpEdgeResult {
  readonly unit: 'microseconds per round trip, median of a round'
  readonly requestsPerRound: number
  readonly rounds: number
  readonly bodyBytes: number
  readonly bare: Spread
  readonly edge: Spread
  /** Edge minus bare of the same round. */
  readonly overhead: Spread
}

const BODY = JSON.stringify({
  tenant_id: 'acme',
  scope: 'repo/service',
  input_text: 'The release needs a green run of the integration tests. '.repeat(12),
  memory: { kind: 'fact', memory_lane: 'shared', target_files: ['src/a.ts', 'src/b.ts'], confidence: 0.8 },
  operation_id: 'op-1',
})

const ECHO: Runtime = {
  execute: async (_operation, body) => (typeof body === 'object' && body !== null ? body : {}),
  health: () => ({ ok: true }),
  isReady: () => true,
  close: async () => {},
}

/** Measures; `rounds` of `requestsPerRound` for each server after one round of warming up. */
export async function run(rounds = 15, requestsPerRound = 1000): Promise<HttpEdgeResult> {
  const bare = await startBare()
  const edge = await startEdge()
  const samples = { bare: Array<number>(), edge: Array<number>(), overhead: Array<number>() }
  for (let round = -1; round < rounds; round += 1) {
    const bareUs = await roundTripUs(bare.client, requestsPerRound)
    const edgeUs = await roundTripUs(edge.client, requestsPerRound)
    if (round < 0) continue
    samples.bare.push(bareUs)
    samples.edge.push(edgeUs)
    samples.overhead.push(edgeUs - bareUs)
  }
  await Promise.all([bare.close(), edge.close()])
  return {
    unit: 'microseconds per round trip, median of a round',
    requestsPerRound,
    rounds,
    bodyBytes: Buffer.byteLength(BODY),
    bare: spreadOf(samples.bare),
    edge: spreadOf(samples.edge),
    overhead: spreadOf(samples.overhead),
  }
}

async function startBare() {
  const server = createBareServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString('utf8')))
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      })
      response.end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const client = new Client(`http://127.0.0.1:${port}`)
  const close = async () => {
    await client.close()
    await new Promise((resolve) => server.close(resolve))
  }
  return { client, close }
}

async function startEdge() {
  const app = createServer(ECHO, [{ name: 'observe', method: 'POST', path: '/v1/observe' }], {
    bodyLimitBytes: 5 * 1024 * 1024,
    allowedHosts: [],
    connectionsMax: 100,
    requestTimeoutMs: 30_000,
    transitBytesMax: 64 * 1024 * 1024,
    drainDeadlineMs: 1000,
    socketPath: null,
    openapi: () => ({}),
    clock: systemClock(),
    entropy: systemEntropy(),
    log: pinoLog('error', process.stderr),
  })
  const client = new Client(await app.listen({ host: '127.0.0.1', port: 0 }))
  const close = async () => {
    await client.close()
    await app.close()
  }
  return { client, close }
}

async function roundTripUs(client: Client, requests: number): Promise<number> {
  const elapsedUs: number[] = []
  for (let sent = 0; sent < requests; sent += 1) {
    const startedNs = process.hrtime.bigint()
    const { statusCode, body } = await client.request({
      method: 'POST',
      path: '/v1/observe',
      headers: { 'content-type': 'application/json' },
      body: BODY,
    })
    const text = await body.text()
    elapsedUs.push(Number(process.hrtime.bigint() - startedNs) / 1000)
    if (statusCode !== 200 || text.length !== BODY.length)
      throw new Error(`not an echo: ${statusCode} ${text}`)
  }
  return quantile(elapsedUs, 0.5)
}

if (isMain(import.meta.url)) {
  const result = await (process.argv.includes('--quick') ? run(4, 300) : run())
  console.log(process.argv.includes('--json') ? JSON.stringify(result) : textOf(result))
}

function textOf({ rounds, requestsPerRound, bodyBytes, bare, edge, overhead }: HttpEdgeResult): string {
  const us = (spread: Spread) => spreadText(spread, 1)
  return [
    `http-edge: µs of a round trip of ${bodyBytes} bytes, medians of ${rounds} rounds of ${requestsPerRound} [spread]`,
    tableText([
      ['bare node:http', us(bare)],
      ['the edge', us(edge)],
      ['edge minus bare, by round', us(overhead)],
    ]),
  ].join('\n')
}
