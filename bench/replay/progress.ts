/** Where a bar is drawn. */
export interface ProgressTarget {
  readonly isTTY?: boolean
  write(text: string): unknown
}

export interface Progress {
  step(): void
  /** Takes the bar away. */
  clear(): void
}

const WIDTH = 30
const CLEAR_LINE = '\r\u001b[2K'

/** A bar on a terminal, with what is counted; silent anywhere else, so that a pipe gets the report alone. */
export function progressOn(target: ProgressTarget, total: number, counted = 'requests'): Progress {
  if (target.isTTY !== true) return { step: () => {}, clear: () => {} }
  let done = 0
  return {
    step() {
      done += 1
      const filled = Math.round((done / total) * WIDTH)
      target.write(`${CLEAR_LINE}[${'#'.repeat(filled).padEnd(WIDTH, '-')}] ${done}/${total} ${counted}`)
    },
    clear: () => void target.write(CLEAR_LINE),
  }
}
