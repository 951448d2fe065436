import { readFileSync, statSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { packageVersion } from '../adapters/files/package-file.ts'
import { systemClock } from '../adapters/system/clock-and-entropy.ts'
import type { LogTarget } from '../adapters/system/log.ts'
import { messageOf } from '../core/base/errors.ts'
import { type Invocation, parseArguments, type ReadInvocation } from '../edges/cli/arguments.ts'
import { COMMANDS, isOneOf, UsageError } from '../edges/cli/command-flags.ts'
import { commandHelp, helpText } from '../edges/cli/commands.ts'
import type { Address } from '../edges/cli/reader.ts'
import type {
  AdoptInvocation,
  KeysInvocation,
  McpInvocation,
  ProxyInvocation,
} from '../edges/cli/service-arguments.ts'
import { visible } from '../edges/cli/terminal-text.ts'
import {
  ConfigError,
  configLines,
  envName,
  isColourRefused,
  optionFlags,
  optionRows,
  readConfig,
  requireOnePlace,
  serviceKey,
  serviceUrl,
  userFolders,
} from './config/config.ts'
import type { ServeParts } from './serve.ts'

/** The process around a command. */
export interface Host {
  readonly stdout: LogTarget
  readonly stderr: LogTarget
  /** Resolves when what was written to `stdout` has arrived, with why not all of it did. */
  outputArrived?(): Promise<Error | null>
  /** Calls `stop` at every SIGTERM and SIGINT. */
  onStopSignal(stop: () => void): void
  /** Calls `stop` when what is written to `stdout` is read no longer. */
  onReaderLeft?(stop: () => void): void
  /** Ends the process at once. */
  exit(code: number): void
  /** The same whatever its threads wait for: a disk that hangs holds up every other end. */
  kill(): void
}

/** Loads what `serve` puts together. */
export type LoadParts = () => Promise<ServeParts>

/**
 * Runs `memgov <argv>` and resolves with the exit code: 0 done, 1 could not start, not stop cleanly, was refused or found
 * something wrong, 2 arguments not understood. A second stop signal ends the process with 130 without waiting.
 */
export async function runCommand(argv: readonly string[], host: Host, parts: LoadParts): Promise<number> {
  try {
    const invocation = parseArguments(argv, optionFlags())
    const code = await runInvocation(invocation, host, parts)
    const lost = isServing(invocation) ? null : await host.outputArrived?.()
    if (lost === null || lost === undefined) return code
    host.stderr.write(`memgov: the output is lost or cut off (${messageOf(lost)}): make room and repeat.\n`)
    return Math.max(code, 1)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const command = argv.find((word) => isOneOf(COMMANDS, word))
    host.stderr.write(
      `memgov: ${error.message} See memgov ${command === undefined ? '' : `${command} `}--help.\n`,
    )
    return 2
  }
}

/** What prints where it listens and goes on without a reader. */
function isServing(invocation: Invocation): boolean {
  return invocation.kind === 'proxy' || (invocation.kind === 'serve' && !invocation.printConfig)
}

// Each command loads what it runs: a service starts without the commands over its folder, and they without the service.
async function runInvocation(invocation: Invocation, host: Host, parts: LoadParts): Promise<number> {
  switch (invocation.kind) {
    case 'help':
      host.stdout.write(
        invocation.command === null ? helpText() : commandHelp(invocation.command, optionRows()),
      )
      return 0
    case 'completion': {
      const { completionScript } = await import('../edges/cli/completion.ts')
      host.stdout.write(completionScript(invocation.shell, optionRows()))
      return 0
    }
    case 'version':
      host.stdout.write(`${packageVersion()}\n`)
      return 0
    case 'serve':
      return serveCommand(invocation.given, invocation.printConfig, host, parts)
    case 'read':
      return readCommand(invocation, host, parts)
    case 'init': {
      const { initCommand, terminalConfirm } = await import('./cli/init/init.ts')
      const surroundings = { cwd: process.cwd(), folders: userFolders() }
      return initCommand(invocation, host, terminalConfirm(), surroundings)
    }
    case 'doctor': {
      const { doctorCommand } = await import('./cli/doctor.ts')
      return doctorCommand(addressOf(invocation.url, invocation.socketPath), host)
    }
    case 'console':
    case 'demo': {
      const { consoleCommand, demoCommand } = await import('./cli/console.ts')
      const address = addressOf(invocation.url, invocation.socketPath)
      if (invocation.kind === 'console') return consoleCommand(address, host)
      return demoCommand(invocation, address, host, outputOf(host).isColoured)
    }
    case 'mcp':
      return mcpCommand(invocation, host)
    case 'adopt':
      return adoptFile(invocation, host)
    case 'hook': {
      const { runHook } = await import('./hook.ts')
      await runHook(process.argv.slice(3))
      return 0
    }
    case 'proxy':
      return proxyCommand(invocation, host)
    case 'keys':
      return changeKeys(invocation, host)
    case 'store': {
      const { storeCommand } = await import('./cli/store.ts')
      return storeCommand(invocation, host)
    }
    case 'migrate': {
      const { migrateCommand } = await import('./cli/migrate.ts')
      return migrateCommand(invocation, host, stopSignal(host))
    }
    case 'offline': {
      const { offlineCommand } = await import('./cli/offline.ts')
      return offlineCommand(invocation, host, (await parts()).compose)
    }
  }
}

async function changeKeys(invocation: KeysInvocation, host: Host): Promise<number> {
  const { keysCommand } = await import('./cli/keys.ts')
  let isRead = true
  host.onReaderLeft?.(() => (isRead = false))
  const inStore: Parameters<typeof keysCommand>[2] = async (config, work) => {
    const { withStoreKeys } = await import('./stores/postgres-store.ts')
    return withStoreKeys(config, work)
  }
  return keysCommand(invocation, host, inStore, async () => !(await host.outputArrived?.()) && isRead)
}

/** Where a command over a service writes; with colours on a terminal that wants them. */
function outputOf(host: Host) {
  return {
    isColoured: host.stdout.isTTY === true && !isColourRefused(),
    out: (text: string) => host.stdout.write(text),
    error: (text: string) => host.stderr.write(text),
  }
}

/** How often `tail` looks. */
const TAIL_EVERY_MS = 1000

/** @throws UsageError when the address is none */
async function readCommand(invocation: ReadInvocation, host: Host, parts: LoadParts): Promise<number> {
  const { command, url, socketPath, dataDir, store } = invocation
  const waits = `memgov tail: waiting for memory and guides of the scope ${visible(command.place.scope ?? '')}; Ctrl-C ends it.\n`
  const onWait = () => host.stderr.isTTY === true && host.stderr.write(waits)
  const output = { ...outputOf(host), next: repeatedUntilStopped(host, TAIL_EVERY_MS, onWait) }
  if (dataDir !== null) {
    const { readFolder } = await import('./cli/read-stored.ts')
    // Nobody else writes into the folder meanwhile: nothing comes to wait for.
    return readFolder(dataDir, command, { ...output, next: async () => false }, (await parts()).compose)
  }
  if (store !== null) {
    const { readDatabase } = await import('./cli/read-stored.ts')
    return readDatabase(store, command, output)
  }
  const address = addressOf(url, socketPath)
  const [{ askService }, { runRead }] = await Promise.all([
    import('../edges/cli/reader.ts'),
    import('../edges/cli/reads.ts'),
  ])
  return runRead(command, askService(address), output)
}

/** Says true after a while, and false once a stop signal has come or the reader of the output has left. `onWait`: the first time. */
function repeatedUntilStopped(host: Host, delayMs: number, onWait: () => unknown): () => Promise<boolean> {
  let stopped: Promise<boolean> | null = null
  return async () => {
    if (stopped === null) onWait()
    stopped ??= new Promise((resolve) => {
      const stop = () => resolve(false)
      void stopSignal(host).then(stop)
      host.onReaderLeft?.(stop)
    })
    const waiting = new AbortController()
    const goesOn = await Promise.race([wait(delayMs, true, waiting), stopped])
    waiting.abort()
    return goesOn
  }
}

/** @throws UsageError when the address is none, or the file of the key cannot be read */
async function mcpCommand(invocation: McpInvocation, host: Host): Promise<number> {
  const { tenantId, scope, agentId } = invocation
  const warn = (sentence: string) => void host.stderr.write(`memgov mcp: ${sentence}\n`)
  const address = keyedAddressOf(invocation, warn)
  const [{ runBridge }, { workspaceScope }] = await Promise.all([
    import('../edges/mcp/bridge.ts'),
    import('../edges/workspace/workspace-scope.ts'),
  ])
  await runBridge({
    address,
    place: {
      ...(tenantId === null ? {} : { tenant_id: tenantId }),
      ...(scope === null ? {} : { scope }),
      ...(agentId === null ? {} : { consumer_agent_id: agentId }),
    },
    defaultScope: () => workspaceScope(process.cwd()),
    version: packageVersion(),
    stdin: process.stdin,
    stdout: process.stdout,
    warn,
    stopped: stopSignal(host),
  })
  return 0
}

/** @throws UsageError as `mcpCommand` */
async function proxyCommand(invocation: ProxyInvocation, host: Host): Promise<number> {
  const warn = (sentence: string) => void host.stderr.write(`memgov proxy: ${sentence}\n`)
  const address = keyedAddressOf(invocation, warn)
  const { runProxy } = await import('./proxy.ts')
  return runProxy(invocation, address, host, warn, stopSignal(host))
}

type Warn = (sentence: string) => void

function keyedAddressOf(
  { url, socketPath, keyFile }: Pick<McpInvocation, 'url' | 'socketPath' | 'keyFile'>,
  warn: Warn,
): Address {
  return addressOf(url, socketPath, keyFile === null ? serviceKey() : readKeyFile(keyFile, warn))
}

/** @throws UsageError as `mcpCommand` */
async function adoptFile(invocation: AdoptInvocation, host: Host): Promise<number> {
  const warn = (sentence: string) => void host.stderr.write(`memgov adopt: ${sentence}\n`)
  const address = keyedAddressOf(invocation, warn)
  const { readerKeyFile } = invocation
  const reader = readerKeyFile === null ? address : { ...address, key: readKeyFile(readerKeyFile, warn) }
  const { adoptCommand } = await import('./cli/adopt/adopt.ts')
  return adoptCommand(invocation, { address, reader }, host, {
    cwd: process.cwd(),
    now: new Date(systemClock().nowMs()),
  })
}

/** What fits into a header: as a key is printed. */
const SENDABLE = /^[!-~]+$/
const UNSENDABLE = 'it holds signs that no key has'

/** Everybody who may read the file may use the key. */
const OF_OTHERS = 0o077

function readKeyFile(path: string, warn: Warn): string {
  try {
    const key = readFileSync(path, 'utf8').trim()
    if (key === '') throw new Error('it is empty')
    if (!SENDABLE.test(key)) throw new Error(UNSENDABLE)
    if ((statSync(path).mode & OF_OTHERS) !== 0) warn(`others may read ${path}: chmod 600 it.`)
    return key
  } catch (error) {
    throw new UsageError(`The key cannot be read from ${path}: ${messageOf(error)}.`)
  }
}

function addressOf(url: string | null, socketPath: string | null, key = serviceKey()): Address {
  if (key !== null && !SENDABLE.test(key)) throw new UsageError(`MEMGOV_KEY is no key: ${UNSENDABLE}.`)
  if (socketPath !== null) return { socketPath, key }
  const text = url ?? serviceUrl()
  const parsed = URL.canParse(text) ? new URL(text) : null
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new UsageError(`${JSON.stringify(text)} is not the URL of a service.`)
  }
  return { url: parsed, key }
}

async function serveCommand(
  given: Readonly<Record<string, string>>,
  printConfig: boolean,
  host: Host,
  parts: LoadParts,
): Promise<number> {
  let effective: ReturnType<typeof readConfig>
  try {
    effective = readConfig(given)
    // An image names a folder by its variable, where a database may be meant; who says it by the flag means it.
    if (effective.sources['dataDir'] === 'option')
      requireOnePlace(effective.config, '--data-dir', (name) => `${envName(name)} (or its flag)`)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    host.stderr.write(`memgov cannot start:\n${error.message}\n`)
    return 1
  }
  if (printConfig) {
    for (const warning of effective.warnings) host.stderr.write(`${warning}\n`)
    host.stdout.write(`${configLines(effective).join('\n')}\n`)
    return 0
  }
  // A signal during the start counts: the service then stops as soon as it has started.
  const stopped = stopSignal(host)
  const [{ serveUntilStopped }, loaded] = await Promise.all([import('./serve.ts'), parts()])
  return serveUntilStopped(effective, host, loaded, stopped)
}

/** Resolves at the first signal; the second one is an impatient operator and ends the process. */
function stopSignal(host: Host): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0
    host.onStopSignal(() => {
      signals += 1
      if (signals > 1) host.exit(130)
      resolve()
    })
  })
}
