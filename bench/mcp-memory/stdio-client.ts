import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { JsonLines } from './json-lines.ts'

/** A tool server that is spoken to over its standard input and output (Model Context Protocol, JSON-RPC 2.0). */
export interface StdioClient {
  readonly child: ChildProcess
  /** The text of the tool's answer. Rejects with the error that the server names. */
  call(tool: string, args: object): Promise<string>
  stop(): Promise<void>
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

const PROTOCOL = '2025-06-18'

/** Starts a server in Node and introduces itself. */
export async function startStdioServer(
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<StdioClient> {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const gone = once(child, 'exit')
  const waiting = new Map<number, Waiting>()
  const lines = new JsonLines()
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    for (const message of lines.take(part)) settle(waiting, Object(message))
  })
  gone.then(
    () => rejectAll(waiting, new Error('the server ended')),
    (error: unknown) => rejectAll(waiting, new Error('the server did not start', { cause: error })),
  )
  let last = 0
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = (method: string, params: object): Promise<unknown> => {
    last += 1
    const id = last
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
    send({ id, method, params })
    return answer
  }
  const clientInfo = { name: 'memgov-bench', version: '0' }
  await ask('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  return {
    child,
    async call(tool, args) {
      const result = Object(await ask('tools/call', { name: tool, arguments: args }))
      const text = textOf(result)
      if (Reflect.get(result, 'isError') === true) throw new Error(`${tool}: ${text.slice(0, 300)}`)
      return text
    },
    async stop() {
      child.kill()
      await gone
    },
  }
}

function settle(waiting: Map<number, Waiting>, message: object): void {
  const id: unknown = Reflect.get(message, 'id')
  const own = typeof id === 'number' ? waiting.get(id) : undefined
  // A notification answers nobody.
  if (typeof id !== 'number' || own === undefined) return
  waiting.delete(id)
  const error: unknown = Reflect.get(message, 'error')
  if (error === undefined) own.resolve(Reflect.get(message, 'result'))
  else own.reject(new Error(String(Reflect.get(Object(error), 'message'))))
}

function rejectAll(waiting: Map<number, Waiting>, error: Error): void {
  for (const { reject } of waiting.values()) reject(error)
  waiting.clear()
}

function textOf(result: object): string {
  const content: unknown = Reflect.get(result, 'content')
  if (!Array.isArray(content)) return ''
  return content.map((part: unknown) => String(Reflect.get(Object(part), 'text'))).join('')
}
