/** Arrays of so many numbers or more grow by a quarter: twice as many would hold the loop by themselves. */
const LARGE = 256 * 1024
/** Arrays of so many numbers or more are copied in steps. */
const STEPPED_FROM = 1024 * 1024
/** Numbers for which they have room before a document is added: it has hardly ever more terms. */
const ROOM = 256 * 1024
/** Numbers that are copied in one step, and those that take as long as to read a character. */
const STEP_NUMBERS = 256 * 1024
const NUMBERS_PER_CHAR = 32

/** For how many numbers a full array has room when it has grown. */
export function grownTo(full: number, least: number): number {
  return Math.max(least, full < LARGE ? full * 2 : full + (full >>> 2))
}

/** Whether an array has to grow before the next document is added, in steps. */
export function isTight(length: number, used: number): boolean {
  return length >= STEPPED_FROM && length - used < ROOM
}

/** How long it has to be then. */
export function roomyLength(length: number, used: number): number {
  return grownTo(length, used + ROOM)
}

/** Copies all numbers to the front of another array, in steps that say how many characters of text they are worth. */
export function* copySteps<T extends Int32Array | Uint16Array>(from: T, to: T): Generator<number, T> {
  for (let at = 0; at < from.length; at += STEP_NUMBERS) {
    const piece = from.subarray(at, at + STEP_NUMBERS)
    to.set(piece, at)
    yield piece.length / NUMBERS_PER_CHAR
  }
  return to
}
