/** Arrays of so many numbers or more grow by a quarter: twice as many would hold the loop by themselves. */
const LARGE = 256 * 1024

/** For how many numbers a full array has room when it has grown. */
export function grownTo(full: number, least: number): number {
  return Math.max(least, full < LARGE ? full * 2 : full + (full >>> 2))
}
