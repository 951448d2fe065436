import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { type Readable, Transform, type Writable } from 'node:stream'
import { setTimeout as sleep, setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { parseJSONRPCMessage } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { ROUTES } from '../../client/routes.ts'
import type { RequestedName } from '../../contract/operations.ts'
import { jsonOf } from '../../core/base/collections.ts'
import { type Address, ClientError, postJson, type Reply, textOf } from '../cli/reader.ts'
import { type Place, placed } from '../place/place.ts'
import { type Ask, createMcpServer } from './mcp-server.ts'
import { Refusal } from './tool.ts'

// What stands before the reader of messages, which drops a line that is no message and decodes bytes that are not UTF-8 as
// replacement characters: who waits for an answer would wait for ever, and memory would not say what its caller said.

/** Codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const NEXT = 'Send each message as one line of JSON in UTF-8.'
const NO_MESSAGE =
  'Invalid Request: the line is no message. Send one object a line with jsonrpc 2.0, a method and, unless it is a notification, an id that is text or a whole number.'
const LINE_END = 0x0a

/**
 * Hands lines on that are messages of JSON-RPC in UTF-8, and answers every other one that is not empty.
 * @param lineBytesMax a longer line is handed on as it comes: the reader of messages ends there
 */
export function checkedLines(answer: (line: string) => void, lineBytesMax: number): Transform {
  let parts: Buffer[] = []
  let bytes = 0
  const taken = (): Buffer => {
    const [only] = parts
    const whole = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts, bytes)
    parts = []
    bytes = 0
    return whole
  }
  const hold = (part: Buffer): void => {
    parts.push(part)
    bytes += part.length
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0
      for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
        hold(chunk.subarray(from, end + 1))
        from = end + 1
        const line = taken()
        const refusal = refusalOf(line)
        if (refusal === null) this.push(line)
        else answer(refusal)
      }
      hold(chunk.subarray(from))
      if (bytes > lineBytesMax) this.push(taken())
      done()
    },
  })
}

/** The answer to a line that is no message in UTF-8; null: it is one, or it is empty. */
function refusalOf(line: Buffer): string | null {
  const text = line.toString('utf8').trim()
  if (text === '') return null
  const message = jsonOf(text)
  if (message === undefined) return answerOf(null, PARSE_ERROR, `Parse error: the line is not JSON. ${NEXT}`)
  const id = requestIdIn(message)
  if (!isUtf8(line)) return answerOf(id, PARSE_ERROR, `Parse error: the line is not UTF-8. ${NEXT}`)
  return isMessage(message) ? null : answerOf(id, INVALID_REQUEST, NO_MESSAGE)
}

function isMessage(message: unknown): boolean {
  try {
    parseJSONRPCMessage(message)
    return true
  } catch {
    return false
  }
}

/** Of a request, so that its sender waits no longer. */
function requestIdIn(message: unknown): string | number | null {
  if (typeof message !== 'object' || message === null || !('id' in message && 'method' in message))
    return null
  const { id } = message
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

function answerOf(id: string | number | null, code: number, message: string): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`
}

export interface BridgeOptions {
  /** The running service. */
  readonly address: Address
  /** As it was named; a scope that is not named is `defaultScope`, unless the key has another one. */
  readonly place: Place
  readonly defaultScope: () => Promise<string>
  readonly version: string
  readonly stdin: Readable
  /** Carries nothing but the protocol. */
  readonly stdout: Writable
  readonly warn: (sentence: string) => void
  /** Resolves when the process is told to stop. */
  readonly stopped: Promise<void>
}

/** Serves the protocol over a pipe by asking a running service, until the pipe ends. */
export async function runBridge(options: BridgeOptions): Promise<void> {
  const { stdin, stdout, version, warn, stopped } = options
  const underWay = new Set<Promise<unknown>>()
  const asking = askOver(options)
  const ask: Ask = async (operation, bodyOf, call) => {
    const asked = asking(operation, bodyOf, call)
    underWay.add(asked)
    return asked.finally(() => underWay.delete(asked))
  }
  const answer = (line: string): void => {
    if (stdout.writable) stdout.write(line)
  }
  const lines = checkedLines(answer, MESSAGE_BYTES_MAX)
  stdin.pipe(lines, { end: false })
  const transport = new StdioServerTransport(lines, stdout, { maxBufferSize: MESSAGE_BYTES_MAX })
  const handle = serveStdio(() => createMcpServer(version, ask), {
    transport,
    onerror: ({ message }) => warn(message),
  })
  // The reader closes with its input: the input ends when what was asked before is answered.
  let isEnding = false
  const endLines = async (): Promise<void> => {
    if (isEnding) return
    isEnding = true
    do {
      await turnOfTheLoop()
      await Promise.allSettled(underWay)
    } while (underWay.size > 0)
    await turnOfTheLoop()
    lines.end()
  }
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close']) stdin.once(event, () => void endLines())
    lines.once('end', resolve)
    // It reads no more once nobody reads its answers, or a message is too large: the end of the pipe is not seen then.
    const { onclose } = transport
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
  })
  // What was asked before the reader ended is carried out, though nobody reads the answer.
  await Promise.race([stopped, ended.then(() => Promise.allSettled(underWay))])
  stdin.unpipe(lines)
  stdin.pause()
  await handle.close()
}

const MESSAGE_BYTES_MAX = 10 * 2 ** 20
const UNREACHABLE_NEXT = 'Next: Go on without memory, and tell the user.'
/** Times after which a request is sent again whose connection broke. */
const AGAIN_MS = [100, 1000] as const

function askOver({ address, place, defaultScope, warn }: BridgeOptions): Ask {
  /** Null: the key has a scope of its own, and the service knows it. */
  let assumed: string | null | undefined
  const post = async (operation: RequestedName, body: object, scope: string | null): Promise<Reply> => {
    const here = scope === null ? place : { ...place, scope }
    const sent = placed(operation, here, address.key !== null, body)
    const [, path] = ROUTES[operation]
    return throughBreaks(() => postJson(address, path, sent))
  }
  const reply = async (operation: RequestedName, body: object): Promise<Reply> => {
    if (place.scope !== undefined) return post(operation, body, place.scope)
    assumed = assumed === undefined ? await defaultScope() : assumed
    const first = await post(operation, body, assumed)
    if (assumed === null || first.isOk || textOf(first.body, 'error') !== 'scope_forbidden') return first
    const second = await post(operation, body, null)
    if (second.isOk) assumed = null
    return second
  }
  return async (operation, bodyOf, { changes }) => {
    const body = bodyOf()
    const sent = changes ? { ...body, operation_id: `mcp:${randomUUID()}` } : body
    try {
      const { isOk, body: answer } = await reply(operation, sent)
      if (isOk) return answer
      throw refusalIn(answer)
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      warn(error.message)
      throw new Refusal('service_unreachable', `${error.message}\n${UNREACHABLE_NEXT}`)
    }
  }
}

/** Sends again what a break of the connection cut off. What nobody took from the start is not sent again. */
export async function throughBreaks(send: () => Promise<Reply>): Promise<Reply> {
  let wasThere = false
  for (const waitMs of AGAIN_MS) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      // A service that is started anew takes no connection at first.
      wasThere ||= error.isBreak
      if (!wasThere) throw error
    }
    await sleep(waitMs)
  }
  return send()
}

function refusalIn(body: Reply['body']): Refusal {
  return new Refusal(
    textOf(body, 'error') ?? 'internal_error',
    textOf(body, 'message') ?? 'The service refused the call.',
    body['details'],
  )
}
