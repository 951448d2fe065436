import type { ProgressTarget } from '../replay/progress.ts'

export interface ProgressLine {
  /** What is being done; the seconds behind it are counted until the next call. */
  say(text: string): void
  clear(): void
}

const CLEAR_LINE = '\r\u001b[2K'

/** One line that counts seconds on a terminal; silent anywhere else. */
export function progressLineOn(target: ProgressTarget): ProgressLine {
  if (target.isTTY !== true) return { say: () => {}, clear: () => {} }
  let timer: NodeJS.Timeout | null = null
  const clear = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
    target.write(CLEAR_LINE)
  }
  return {
    say(text) {
      clear()
      const startedAt = performance.now()
      const draw = () =>
        target.write(`${CLEAR_LINE}${text} ${Math.floor((performance.now() - startedAt) / 1_000)} s`)
      draw()
      timer = setInterval(draw, 1_000)
    },
    clear,
  }
}
