import { hexValue, isRunUnit } from './bytes.ts'

/** Runs of the units that base64, base32, hexadecimal and keys are written in. */
export interface Runs {
  /** Start and end of every run of eight units or more, one after the other. */
  readonly long: readonly number[]
  /** Start and end of every run that reads as one byte: `69`, `0x69`, `01101001`. */
  readonly bytes: readonly number[]
}

const LONG_MIN = 8
const isRun = new Uint8Array(0x80)
for (let code = 0; code < isRun.length; code++) isRun[code] = isRunUnit(code) ? 1 : 0

/** Linear; most words are too long for a byte and too short for the rest. */
export function runsOf(text: string): Runs {
  const long: number[] = []
  const bytes: number[] = []
  for (let at = 0; at < text.length; ) {
    if (isRun[text.charCodeAt(at)] !== 1) {
      at += 1
      continue
    }
    const start = at
    do at += 1
    while (isRun[text.charCodeAt(at)] === 1)
    const units = at - start
    if (units >= LONG_MIN) long.push(start, at)
    if (byteAt(text, start, at) !== -1) bytes.push(start, at)
  }
  return { long, bytes }
}

/** The value of the byte that a run is, two hexadecimal digits, also after `0x`, or eight bits; -1 for none. */
export function byteAt(text: string, start: number, end: number): number {
  const units = end - start
  if (units === 8) return bitsAt(text, start)
  const isHex = units === 2 || (units === 4 && text.startsWith('0x', start))
  if (!isHex) return -1
  const high = hexValue(text.charCodeAt(end - 2))
  const low = hexValue(text.charCodeAt(end - 1))
  return high === -1 || low === -1 ? -1 : high * 16 + low
}

function bitsAt(text: string, start: number): number {
  let value = 0
  for (let at = start; at < start + 8; at++) {
    const bit = text.charCodeAt(at) - 0x30
    if (bit !== 0 && bit !== 1) return -1
    value = value * 2 + bit
  }
  return value
}
