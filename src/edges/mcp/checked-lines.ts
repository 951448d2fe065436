import { isUtf8 } from 'node:buffer'
import { Transform } from 'node:stream'

// What stands before the reader of messages, which drops a line that is not JSON and decodes bytes that are not UTF-8 as
// replacement characters: who waits for an answer would wait for ever, and memory would not say what its caller said.

/** Code of JSON-RPC 2.0. */
const PARSE_ERROR = -32700
const NEXT = 'Send each message as one line of JSON in UTF-8.'
const LINE_END = 0x0a

/**
 * Hands lines on that are JSON in UTF-8, and answers every other one that is not empty.
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

/** The answer to a line that is no JSON in UTF-8; null: it is, or it is empty. */
function refusalOf(line: Buffer): string | null {
  const text = line.toString('utf8').trim()
  if (text === '') return null
  const message = messageIn(text)
  if (message === undefined) return answerOf(null, `Parse error: the line is not JSON. ${NEXT}`)
  if (isUtf8(line)) return null
  return answerOf(requestIdIn(message), `Parse error: the line is not UTF-8. ${NEXT}`)
}

/** Undefined: it is no JSON. */
function messageIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Of a request, so that its sender waits no longer. */
function requestIdIn(message: unknown): string | number | null {
  if (typeof message !== 'object' || message === null || !('id' in message && 'method' in message))
    return null
  const { id } = message
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

function answerOf(id: string | number | null, message: string): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: PARSE_ERROR, message } })}\n`
}
