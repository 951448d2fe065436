import { bytesOfHex, bytesPacked, hexValue, isRunUnit, readable } from './bytes.ts'
import { ciphersIn } from './ciphers.ts'
import type { Decoded } from './decoded.ts'
import { escapesIn } from './escapes.ts'

const BASE64_MIN = 16
const HEX_MIN = 16
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Everything in the text that decodes to readable text. Linear; what is decoded is never longer than its source. */
export function decodedIn(text: string): Decoded[] {
  return [...runsIn(text), ...escapesIn(text), ...ciphersIn(text)]
}

/** Runs of the base64 alphabet, also wrapped at line ends. */
function runsIn(text: string): Decoded[] {
  const found: Decoded[] = []
  for (let at = 0; at < text.length; ) {
    if (!isRunUnit(text.charCodeAt(at))) {
      at += 1
      continue
    }
    const end = runEnd(text, at)
    const payload = end - at < BASE64_MIN ? null : decodeRun(text.slice(at, end))
    if (payload !== null) {
      const span = [at, end] as const
      found.push({ ...payload, spanOf: () => span })
    }
    at = end
  }
  return [...found, ...spacedBytes(text)]
}

/** The end of a run, over line ends between lines of equal alphabet, with its padding. */
function runEnd(text: string, from: number): number {
  let at = from
  let lineStart = from
  for (;;) {
    while (isRunUnit(text.charCodeAt(at))) at += 1
    const isFull = at - lineStart >= 32 && (at - lineStart) % 4 === 0
    const next = text.startsWith('\r\n', at) ? at + 2 : text.charCodeAt(at) === 0x0a ? at + 1 : at
    if (!isFull || next === at || !isRunUnit(text.charCodeAt(next))) break
    at = next
    lineStart = next
  }
  while (text.charCodeAt(at) === 0x3d) at += 1
  return at
}

function decodeRun(run: string): Pick<Decoded, 'text' | 'encoding'> | null {
  const compact = run.replace(/[\r\n=]+/g, '')
  if (compact.length >= HEX_MIN && compact.length % 2 === 0 && /^[0-9a-fA-F]+$/.test(compact)) {
    const text = readable(bytesOfHex(compact))
    if (text !== null) return { text, encoding: 'hex' }
  }
  if (/^[A-Z2-7]+$/.test(compact)) {
    const text = readable(bytesPacked(compact, BASE32, 5))
    if (text !== null) return { text, encoding: 'base32' }
  }
  const text = readable(bytesPacked(compact.replaceAll('-', '+').replaceAll('_', '/'), BASE64, 6))
  return text === null ? null : { text, encoding: 'base64' }
}

/** `69 67 6e`, `0x69 0x67`, `01101001 01100111`: bytes with one mark between them. */
function spacedBytes(text: string): Decoded[] {
  const found: Decoded[] = []
  for (let at = 0; at < text.length; ) {
    const isStart = hexValue(text.charCodeAt(at)) !== -1 && !isRunUnit(text.charCodeAt(at - 1))
    const first = isStart ? byteAt(text, at) : null
    if (first === null) {
      at += 1
      continue
    }
    const bytes: number[] = []
    let end = at
    for (
      let next = byteAt(text, at);
      next !== null && next.digits === first.digits;
      next = byteAt(text, end + 1)
    ) {
      bytes.push(next.value)
      end = next.end
      if (!' ,:-\n'.includes(text.charAt(end))) break
    }
    const payload = bytes.length < 8 ? null : readable(bytes)
    if (payload !== null) {
      const span = [at, end] as const
      found.push({ text: payload, encoding: first.digits === 8 ? 'binary' : 'hex', spanOf: () => span })
    }
    at = Math.max(end, at + 1)
  }
  return found
}

function byteAt(text: string, at: number): { value: number; digits: number; end: number } | null {
  const from = text.startsWith('0x', at) ? at + 2 : at
  const bits = /^[01]{8}(?![\w+/-])/.exec(text.slice(at, at + 9))?.[0]
  if (bits !== undefined) return { value: Number.parseInt(bits, 2), digits: 8, end: at + 8 }
  const high = hexValue(text.charCodeAt(from))
  const low = hexValue(text.charCodeAt(from + 1))
  if (high === -1 || low === -1 || isRunUnit(text.charCodeAt(from + 2))) return null
  return { value: high * 16 + low, digits: 2, end: from + 2 }
}
