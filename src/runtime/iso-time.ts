/** UTC with milliseconds, as every time on the wire; null stays null. */
export function isoOf(atMs: number): string
export function isoOf(atMs: number | null): string | null
export function isoOf(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
