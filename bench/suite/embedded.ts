import process from 'node:process'
import { systemClock, systemEntropy } from '../../src/adapters/system/clock-and-entropy.ts'
import { pinoLog } from '../../src/adapters/system/log.ts'
import { compose } from '../../src/app/compose.ts'
import { readConfig } from '../../src/app/config/config.ts'
import type { RequestedName } from '../../src/contract/operations.ts'

/** The service inside this process. */
export interface Embedded {
  /** Rejects when the operation is refused. */
  readonly call: Call
  /** Shuts down in order, with snapshots. */
  readonly close: () => Promise<void>
}

export type Call = (operation: RequestedName, body: object) => Promise<object>

/** Opens it over a data folder; `options` are those of the configuration. */
export async function openEmbedded(
  dataDir: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Embedded> {
  const { config } = readConfig({ dataDir, ...options }, {})
  const log = pinoLog('error', process.stderr)
  const composed = await compose(config, { clock: systemClock(), entropy: systemEntropy(), log })
  const context = { requestId: 'bench', operationId: null }
  return {
    call: (operation, body) => composed.runtime.execute(operation, body, context),
    close: () => composed.close(),
  }
}

/** Works on what is opened over a data folder, and shuts that down afterwards. */
export async function withEmbedded<Result>(
  dataDir: string,
  options: Readonly<Record<string, unknown>>,
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  const { call, close } = await openEmbedded(dataDir, options)
  try {
    return await work(call)
  } finally {
    await close()
  }
}

/** Does `work` for 0 … count-1, so many at a time. */
export async function inGroups(
  count: number,
  atOnce: number,
  work: (place: number) => Promise<unknown>,
): Promise<void> {
  for (let done = 0; done < count; done += atOnce) {
    const group = Math.min(atOnce, count - done)
    await Promise.all(Array.from({ length: group }, (_, at) => work(done + at)))
  }
}
