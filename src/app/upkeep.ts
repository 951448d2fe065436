import type { Registry } from '../actor/registry.ts'
import type { Schedule } from '../adapters/files/schedule.ts'
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

const LOOK_EVERY_MS = 500
/** At every so manieth look they are tried again, and after that at the first at which they may be. */
const RETRY_EVERY_LOOKS = 20

interface RetryParts {
  /** False while they would only fail again. */
  readonly mayTry: () => boolean
  readonly schedule: Schedule
}

/** Has erasures that could not be finished tried again for as long as the store is open. Stopped by what it returns. */
export function retryErasures(
  registry: Pick<Registry, 'retryErasures'>,
  { mayTry, schedule }: RetryParts,
): () => void {
  let looksUntilRetry = RETRY_EVERY_LOOKS
  let cancel = (): void => undefined
  const look = (): void => {
    looksUntilRetry -= 1
    if (looksUntilRetry <= 0 && mayTry()) {
      looksUntilRetry = RETRY_EVERY_LOOKS
      void registry.retryErasures()
    }
    cancel = schedule(look, LOOK_EVERY_MS)
  }
  cancel = schedule(look, LOOK_EVERY_MS)
  return () => cancel()
}
