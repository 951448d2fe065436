import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import {
  createServer,
  type HttpOperation,
  type HttpOptions,
  type Served,
} from '../../src/edges/http/server.ts'
import type { CallContext } from '../../src/runtime/runtime.ts'
import { httpOptions } from '../harness/edge.ts'

/** A table with one writing and one reading operation, the latter by two methods, and one with a field in its path. */
export const TABLE: readonly HttpOperation[] = [
  { name: 'observe', method: 'POST', writes: true, access: 'agent', path: '/v1/observe' },
  { name: 'guide', method: 'POST', writes: true, access: 'agent', path: '/v1/guide' },
  { name: 'guide', method: 'GET', writes: true, access: 'agent', path: '/v1/guide' },
  { name: 'rehydrate', method: 'POST', writes: true, access: 'agent', path: '/v1/items/:item_id/close' },
  { name: 'health', method: 'GET', writes: false, access: 'everyone', path: '/health' },
  { name: 'ready', method: 'GET', writes: false, access: 'everyone', path: '/ready' },
  { name: 'openapi', method: 'GET', writes: false, access: 'agent', path: '/openapi.json' },
]

export interface Call {
  readonly operation: string
  readonly body: unknown
  readonly context: CallContext
}

/** Remembers calls and echoes the body, unless a test gives it something better to do. */
export function fakeRuntime(answer?: (call: Call) => Promise<object> | object) {
  const calls: Call[] = []
  const runtime: Served & { close(): Promise<void> } = {
    async execute(operation, body, context) {
      const call = { operation, body, context }
      calls.push(call)
      return answer === undefined ? { operation, body } : answer(call)
    },
    follow: async () => ({ ended: null, next: async () => null, close() {} }),
    health: () => ({ ok: true }),
    readiness: () => ({ ready: true }),
    close: async () => {},
  }
  return { runtime, calls }
}

export interface Running {
  readonly app: FastifyInstance
  readonly url: string
  readonly port: number
}

const running: FastifyInstance[] = []

export async function startHttp(
  runtime: Served,
  changes: Partial<HttpOptions> = {},
  table: readonly HttpOperation[] = TABLE,
): Promise<Running> {
  const app = createServer(runtime, table, httpOptions(changes))
  running.push(app)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, url, port: Number(new URL(url).port) }
}

const connections: RawConnection[] = []

/** For `afterEach`. */
export async function stopAll(): Promise<void> {
  for (const { socket } of connections.splice(0)) socket.destroy()
  await Promise.all(running.splice(0).map((app) => app.close()))
}

export interface RawReply {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** A bare connection: what is written goes out as it is, and replies are cut by content-length. */
export class RawConnection {
  readonly socket: Socket
  private received = Buffer.alloc(0)
  private wake: () => void = () => {}
  isClosed = false

  constructor(target: number | string) {
    this.socket = typeof target === 'number' ? connect(target, '127.0.0.1') : connect(target)
    this.socket.on('data', (bytes) => {
      this.received = Buffer.concat([this.received, bytes])
      this.wake()
    })
    this.socket.on('close', () => {
      this.isClosed = true
      this.wake()
    })
    this.socket.on('error', () => {})
    connections.push(this)
  }

  write(text: string | Uint8Array): void {
    this.socket.write(text)
  }

  /** The next whole reply; null when the connection closed before one came. */
  async reply(): Promise<RawReply | null> {
    for (;;) {
      const reply = this.take()
      if (reply !== null) return reply
      if (this.isClosed) return null
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }

  async closed(): Promise<void> {
    while (!this.isClosed) {
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }

  /** Bytes that came after the last whole reply. */
  rest(): string {
    return this.received.toString('latin1')
  }

  private take(): RawReply | null {
    const headEnd = this.received.indexOf('\r\n\r\n')
    if (headEnd < 0) return null
    const [statusLine = '', ...lines] = this.received.subarray(0, headEnd).toString('latin1').split('\r\n')
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
      }),
    )
    const end = headEnd + 4 + Number(headers.get('content-length') ?? 0)
    const status = Number(statusLine.split(' ')[1])
    const interim = status === 100
    if (this.received.length < end) return null
    const body = this.received.subarray(headEnd + 4, end).toString('utf8')
    this.received = this.received.subarray(end)
    return interim ? this.take() : { status, headers, body }
  }
}

/** A POST as bytes, with the headers of an ordinary client. */
export function post(path: string, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = {
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
