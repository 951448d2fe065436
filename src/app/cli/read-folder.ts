import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { FORMAT_FILE } from '../../adapters/journal/layout.ts'
import { systemClock } from '../../adapters/system/clock.ts'
import { systemEntropy } from '../../adapters/system/entropy.ts'
import { DomainError, messageOf } from '../../core/base/errors.ts'
import type { Reply } from '../../edges/cli/query.ts'
import { type Ask, asReply, type ReadName } from '../../edges/cli/reader.ts'
import { type ReadCommand, runRead } from '../../edges/cli/reads.ts'
import { visible } from '../../edges/cli/terminal-text.ts'
import { ConfigError, readConfig } from '../config/config.ts'
import type { Config } from '../config/options.ts'
import { type Compose, errorsOnly } from './offline-run.ts'

interface Opened {
  readonly runtime: {
    execute(operation: ReadName, body: object, context: typeof NO_CONTEXT): Promise<object>
  }
  close(): Promise<void>
}

/** Opens the folder as a service does. */
type Open = (config: Config, system: Parameters<Compose>[1]) => Promise<Opened>

export const NO_CONTEXT = { requestId: 'command', operationId: null }

/**
 * Shows what a data folder that no service uses holds: the service is started over it without an address, asked and
 * closed. The exit code: 0 shown, 1 refused, 2 the folder is not there, in use, or cannot be read.
 */
export async function readFolder(
  dataDir: string,
  command: ReadCommand,
  output: Parameters<typeof runRead>[2],
  compose: Open,
): Promise<number> {
  const refuse = (why: string): number => {
    output.error(`memgov: ${visible(why)}\n`)
    return 2
  }
  const dir = resolve(dataDir)
  // A start makes a folder what it has to be; a command that reads makes nothing.
  if (!existsSync(join(dir, FORMAT_FILE)))
    return refuse(`${dir} is no data folder: there is no ${FORMAT_FILE}.`)
  let composed: Opened
  try {
    const { config } = readConfig({ dataDir: dir })
    const log = errorsOnly((line) => output.error(`memgov: ${visible(line)}\n`))
    const system = { clock: systemClock(), entropy: systemEntropy(), log }
    composed = await compose({ ...config, embeddingsUrl: null, metrics: false }, system)
  } catch (error) {
    return refuse(error instanceof ConfigError ? error.message : `${messageOf(error)}.`)
  }
  const { runtime } = composed
  const ask: Ask = (name, fields) => replyTo(runtime.execute(name, fields, NO_CONTEXT))
  try {
    return await runRead(command, ask, output)
  } finally {
    await composed.close()
  }
}

/** What a service would reply. */
export async function replyTo(asked: Promise<object>): Promise<Reply> {
  try {
    return asReply(true, await asked)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return asReply(false, { error: error.code, message: error.message })
  }
}
