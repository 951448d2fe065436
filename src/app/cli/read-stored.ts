import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isDiskFull } from '../../adapters/files/folder-watch.ts'
import { hasCode } from '../../adapters/files/whole-file.ts'
import { FORMAT_FILE } from '../../adapters/journal/layout.ts'
import { systemClock, systemEntropy } from '../../adapters/system/clock-and-entropy.ts'
import { DomainError, messageOf } from '../../core/base/errors.ts'
import type { StoreChoice } from '../../edges/cli/command-flags.ts'
import { type Ask, asReply, type ReadName } from '../../edges/cli/reader.ts'
import { type ReadCommand, runRead } from '../../edges/cli/reads.ts'
import { visible } from '../../edges/cli/terminal-text.ts'
import { composeView } from '../compose.ts'
import { ConfigError } from '../config/config.ts'
import { type Config, storeUrlOf } from '../config/options.ts'
import { type Compose, configOver, errorsOnly, keptAsItIs, sentenceOf } from './offline-run.ts'

type Output = Parameters<typeof runRead>[2]

/** The service over a store, without an address. */
interface Opened {
  readonly runtime: {
    execute(operation: ReadName, body: object, context: typeof NO_CONTEXT): Promise<object>
  }
  close(): Promise<void>
}

const NO_CONTEXT = { requestId: 'command', operationId: null }

/**
 * Shows what a data folder that no service uses holds: the service is started over it without an address, asked and
 * closed. The exit code: 0 shown, 1 refused, 2 the folder is not there, in use, or cannot be read.
 */
export async function readFolder(
  dataDir: string,
  command: ReadCommand,
  output: Output,
  compose: (config: Config, system: Parameters<Compose>[1]) => Promise<Opened>,
): Promise<number> {
  const dir = resolve(dataDir)
  // A start makes a folder what it has to be; a command that reads makes nothing.
  const why: unknown = await access(join(dir, FORMAT_FILE)).catch((error: unknown) => error)
  if (hasCode(why, 'ENOENT', 'ENOTDIR'))
    return refused(output, `${dir} is no data folder: there is no ${FORMAT_FILE}.`)
  let opened: Opened
  try {
    if (why !== undefined) throw why
    const config = configOver(null, { dataDir: dir })
    const kept = await keptAsItIs(config, dir)
    opened = await compose({ ...kept, embeddingsUrl: null, metrics: false }, systemOf(output))
  } catch (error) {
    const copied =
      hasCode(error, 'EROFS', 'EACCES', 'EPERM') || isDiskFull(error)
        ? ` To look into a folder takes a right and room to write there: memgov backup --data-dir ${dir} --to COPY, and ask the copy.`
        : ''
    return refused(output, error instanceof ConfigError ? error.message : `${sentenceOf(error)}${copied}`)
  }
  return shown(opened, command, output)
}

/**
 * The same of a database, beside the nodes that serve from it. The exit code: 0 shown, 1 refused, 2 the database cannot be
 * read.
 */
export async function readDatabase(
  store: StoreChoice,
  command: ReadCommand,
  output: Output,
): Promise<number> {
  let opened: Awaited<ReturnType<typeof composeView>>
  try {
    const config = configOver(store)
    opened = await composeView(config, systemOf(output), storeUrlOf(config) ?? '')
  } catch (error) {
    return refused(output, messageOf(error))
  }
  // What nodes have written since.
  return shown(opened, command, output, () => opened.view.refresh())
}

async function shown(
  opened: Opened,
  command: ReadCommand,
  output: Output,
  refresh: () => void = () => undefined,
): Promise<number> {
  const ask: Ask = (name, fields) => {
    refresh()
    return replyTo(opened.runtime.execute(name, fields, NO_CONTEXT))
  }
  try {
    return await runRead(command, ask, output)
  } finally {
    await opened.close()
  }
}

function systemOf({ error }: Output): Parameters<Compose>[1] {
  const log = errorsOnly((line) => error(`memgov: ${visible(line)}\n`))
  return { clock: systemClock(), entropy: systemEntropy(), log }
}

function refused({ error }: Output, why: string): number {
  error(`memgov: ${visible(why)}\n`)
  return 2
}

/** What a service would reply. */
async function replyTo(asked: Promise<object>): ReturnType<Ask> {
  try {
    return asReply(true, await asked)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return asReply(false, { error: error.code, message: error.message })
  }
}
