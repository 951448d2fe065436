import { jsonPieces } from './json-pieces.ts'

// A 64-bit digest of plain values, for finding differences, not for security. Two multiply-xor lanes of 32 bits
// over UTF-16 code units (the construction is public domain folklore, known as cyrb53, kept at its full 64 bits).

/** Two unsigned halves of 32 bits. */
export interface DigestLanes {
  readonly high: number
  readonly low: number
}

/** 16 hex digits; equal for values that serialise to the same JSON. */
export function digestOf(value: unknown): string {
  const lanes = textLanesOf(JSON.stringify(value))
  return hex(lanes.high) + hex(lanes.low)
}

/** The same of a plain value of megabytes, with a rest after every piece of its JSON. */
export function* digestOfSteps(value: unknown): Generator<void, string> {
  const lanes = { ...FIRST_LANES }
  for (const piece of jsonPieces(value)) {
    addUnits(lanes, piece)
    yield
  }
  const { high, low } = mixedLanes(lanes)
  return hex(high) + hex(low)
}

/** An order-free sum of digests: adding a row and taking it away again leaves it as it was. */
export class DigestSum {
  #high = 0
  #low = 0

  add(digest: string): void {
    this.#high = (this.#high + Number.parseInt(digest.slice(0, 8), 16)) >>> 0
    this.#low = (this.#low + Number.parseInt(digest.slice(8), 16)) >>> 0
  }

  value(): string {
    return hex(this.#high) + hex(this.#low)
  }
}

/** Of the text itself, which is not the digest of the text as a value. */
export function textLanesOf(text: string): DigestLanes {
  const lanes = { ...FIRST_LANES }
  addUnits(lanes, text)
  return mixedLanes(lanes)
}

const FIRST_LANES: DigestLanes = { high: 0xdeadbeef, low: 0x41c6ce57 }

function addUnits(lanes: { high: number; low: number }, text: string): void {
  let { high, low } = lanes
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  lanes.high = high
  lanes.low = low
}

function mixedLanes(lanes: DigestLanes): DigestLanes {
  let { high, low } = lanes
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return { high: high >>> 0, low: low >>> 0 }
}

function hex(lane: number): string {
  return lane.toString(16).padStart(8, '0')
}
