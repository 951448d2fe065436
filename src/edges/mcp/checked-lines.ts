import { isUtf8 } from 'node:buffer'
import { Transform } from 'node:stream'
import { parseJSONRPCMessage } from '@modelcontextprotocol/server'
import { jsonOf } from '../json/json.ts'

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
