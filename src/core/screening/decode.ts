import { alphabetOf, bytesOfHex, bytesPacked, isRunUnit, readable } from './bytes.ts'
import { addCiphers } from './ciphers.ts'
import type { Decoded } from './decoded.ts'
import { escapesIn } from './escapes.ts'
import { byteAt, ESCAPE, type Survey } from './survey.ts'

const BASE64_MIN = 16
const HEX_MIN = 16
const BYTES_MIN = 8
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DIGITS = '0123456789'
const BASE64 = alphabetOf(`${LETTERS}${LETTERS.toLowerCase()}${DIGITS}+/`, '-_')
const BASE32 = alphabetOf(`${LETTERS}234567`)
/** What may stand between two bytes of a row. */
const BETWEEN_BYTES = ' ,:\n'

/**
 * Everything in the text that decodes to readable text; the text itself was decoded from `outer`. Linear; what is
 * decoded is never longer than its source.
 */
export function decodedIn(text: string, survey: Survey, outer: Decoded['encoding'] | null): Decoded[] {
  const found: Decoded[] = []
  addRuns(found, text, survey)
  addByteRows(found, text, survey)
  const unescaped = (survey.signs & ESCAPE) === 0 ? null : escapesIn(text)
  if (unescaped !== null) found.push(unescaped)
  addCiphers(found, text, survey.markers, outer)
  return found
}

/** Runs of the base64 alphabet, also wrapped at line ends. */
function addRuns(found: Decoded[], text: string, { longRuns }: Survey): void {
  let passed = 0
  for (let at = 0; at < longRuns.length; at += 2) {
    const start = longRuns[at] ?? 0
    if (start < passed) continue
    const end = runEnd(text, start, longRuns[at + 1] ?? 0)
    passed = end
    const payload = end - start < BASE64_MIN ? null : decodeRun(text.slice(start, end))
    if (payload === null) continue
    const span = [start, end] as const
    found.push({ ...payload, spanOf: () => span })
  }
}

/** The end of a run, over line ends between lines of equal alphabet, with its padding. */
function runEnd(text: string, start: number, firstLineEnd: number): number {
  let lineStart = start
  let at = firstLineEnd
  for (;;) {
    const isFull = at - lineStart >= 32 && (at - lineStart) % 4 === 0
    const next = text.startsWith('\r\n', at) ? at + 2 : text.charCodeAt(at) === 0x0a ? at + 1 : at
    if (!isFull || next === at || !isRunUnit(text.charCodeAt(next))) break
    at = next
    lineStart = next
    while (isRunUnit(text.charCodeAt(at))) at += 1
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
  const text = readable(bytesPacked(compact, BASE64, 6))
  return text === null ? null : { text, encoding: 'base64' }
}

/** `69 67 6e`, `0x69 0x67`, `01101001 01100111`: bytes with one mark between them. */
function addByteRows(found: Decoded[], text: string, { byteRuns }: Survey): void {
  for (let at = 0; at < byteRuns.length; ) {
    const start = byteRuns[at] ?? 0
    const isBits = isBitRun(byteRuns, at)
    const row: number[] = []
    let end = start
    do {
      end = byteRuns[at + 1] ?? 0
      row.push(byteAt(text, byteRuns[at] ?? 0, end))
      at += 2
    } while (
      byteRuns[at] === end + 1 &&
      BETWEEN_BYTES.includes(text.charAt(end)) &&
      isBitRun(byteRuns, at) === isBits
    )
    const payload = row.length < BYTES_MIN ? null : readable(row)
    if (payload === null) continue
    const span = [start, end] as const
    found.push({ text: payload, encoding: isBits ? 'binary' : 'hex', spanOf: () => span })
  }
}

function isBitRun(byteRuns: readonly number[], at: number): boolean {
  return (byteRuns[at + 1] ?? 0) - (byteRuns[at] ?? 0) === 8
}
