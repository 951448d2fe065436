import type { Registry } from '../actor/registry.ts'
import { repeatedly } from '../adapters/files/concurrency.ts'
import type { Schedule } from '../ports/system.ts'

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
  return repeatedly(schedule, LOOK_EVERY_MS, async () => {
    looksUntilRetry -= 1
    if (looksUntilRetry <= 0 && mayTry()) {
      looksUntilRetry = RETRY_EVERY_LOOKS
      void registry.retryErasures()
    }
  })
}
