import { OPERATIONS } from '../contract/operations.ts'
import { compileRequest } from '../contract/parse.ts'

/** The first requests of a process, which may come at once, are answered before anything is made ready for later ones. */
const FIRST_AFTER_MS = 1000
/** Between two steps, of some milliseconds each, requests are served. */
const PAUSE_MS = 20

/** Makes parsers of requests fast, one after the other, behind the first answers. Answers how to stop. */
export function warmUp(): () => void {
  const parsers = Object.values(OPERATIONS).flatMap(({ request }) => request ?? [])
  const waiting = parsers.map((request) => () => compileRequest(request))
  let timer: NodeJS.Timeout | null = null
  const later = (delayMs: number): void => {
    timer = setTimeout(step, delayMs).unref()
  }
  const step = (): void => {
    const next = waiting.shift()
    if (next === undefined) return
    next()
    later(PAUSE_MS)
  }
  later(FIRST_AFTER_MS)
  return () => {
    if (timer !== null) clearTimeout(timer)
  }
}
