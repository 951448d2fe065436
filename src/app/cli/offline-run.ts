import { systemClock } from '../../adapters/system/clock.ts'
import type { OfflineInvocation } from '../../edges/cli/offline-arguments.ts'
import type { Log } from '../../ports/log.ts'
import type { Config } from '../config/options.ts'
import type { VerifyOptions } from '../store/verify-store.ts'
import type { Progress } from './progress.ts'

const DAY_MS = 24 * 3_600_000

/** What every command over a data folder works with. */
export interface OfflineRun {
  readonly dir: string
  readonly config: Config
  readonly invocation: OfflineInvocation
  readonly out: (text: string) => void
  readonly progress: Progress
}

/** Which exposure sets may be gone by now. */
export function limitsOf({ config }: OfflineRun): Pick<VerifyOptions, 'exposureRetentionMs' | 'nowMs'> {
  return { exposureRetentionMs: config.exposureRetentionDays * DAY_MS, nowMs: systemClock().nowMs() }
}

/** What a store tells while a command works on it, as far as an operator must know. */
export function errorsOnly(say: (line: string) => void): Log {
  const ignore = (): void => undefined
  return { debug: ignore, info: ignore, warn: ignore, error: (_fields, message) => say(message) }
}
