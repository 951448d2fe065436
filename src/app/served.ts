import { resolve } from 'node:path'
import process from 'node:process'
import { packageVersion } from '../adapters/files/package-file.ts'
import { systemClock } from '../adapters/system/clock.ts'
import { systemEntropy } from '../adapters/system/entropy.ts'
import { type LogTarget, pinoLog } from '../adapters/system/log.ts'
import type { Log } from '../ports/log.ts'
import type { readConfig } from './config/config.ts'
import { type Config, IN_MEMORY, storeUrlOf } from './config/options.ts'
import { type ServeParts, type Service, startFailure, startService } from './serve.ts'

/** What a service needs of its process. */
interface ServingHost {
  readonly stdout: LogTarget
  readonly stderr: LogTarget
  kill(): void
}

/** Starts the service, and ends it when it is told to. Resolves with the exit code. */
export async function serveUntilStopped(
  { config, warnings }: ReturnType<typeof readConfig>,
  host: ServingHost,
  parts: ServeParts,
  stopped: Promise<void>,
): Promise<number> {
  const log = pinoLog(config.logLevel, host.stderr)
  for (const warning of warnings) log.warn({}, warning)
  let service: Service
  try {
    service = await startService(config, parts, { clock: systemClock(), entropy: systemEntropy(), log })
  } catch (error) {
    log.debug({ err: error }, 'start failed')
    host.stderr.write(`${startFailure(error, config)}\n`)
    return 1
  }
  host.stdout.write(`${startupLine(service, config)}\n`)
  if (service.metricsUrl !== null) host.stdout.write(`metrics at ${service.metricsUrl}\n`)
  await stopped
  log.info({ deadline_ms: config.shutdownDeadlineMs }, 'shutting down')
  return closeWithin(config.shutdownDeadlineMs, service, host, log)
}

/** All that whoever reads a log of many services has to know of this one. */
function startupLine({ addresses }: Service, config: Config): string {
  const { dataDir, durability } = config
  const isShared = storeUrlOf(config) !== null
  const isFolder = isShared || dataDir !== IN_MEMORY
  const data = isShared ? 'in PostgreSQL' : isFolder ? resolve(dataDir) : 'in memory'
  // What is in memory is never durable.
  const about = [
    `data ${data}`,
    `durability ${isFolder ? durability : 'none'}`,
    `Node ${process.versions.node}`,
  ]
  return `memgov ${packageVersion()} listens on ${addresses.join(' and ')} (${about.join(', ')})`
}

/** The exit code: 0 when everything closed in time. */
async function closeWithin(
  deadlineMs: number,
  service: Service,
  host: ServingHost,
  log: Log,
): Promise<number> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<number>((resolve) => {
    timer = setTimeout(() => {
      log.error(
        { deadline_ms: deadlineMs },
        'shutdown was cut off at its deadline; the journal holds what was durable',
      )
      host.kill()
      resolve(1)
    }, deadlineMs)
  })
  const closed = service.close().then(
    () => 0,
    (error: unknown) => {
      log.error({ err: error }, 'shutdown failed; the journal holds what was durable')
      return 1
    },
  )
  const code = await Promise.race([closed, deadline])
  clearTimeout(timer)
  return code
}
