import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export interface ServiceOptions {
  /** Null: the store is no folder. */
  readonly dataDir: string | null
  /** Further flags of `memgov serve`. */
  readonly flags?: readonly string[]
  /** Flags of Node itself, `--cpu-prof` for example. */
  readonly nodeFlags?: readonly string[]
  /** Opens a channel for messages to a module that `nodeFlags` loads into it. */
  readonly hasChannel?: boolean
  /** Another program than `npm start` runs: that of another build. */
  readonly main?: string
  /** Ends the start; the process is gone before `startService` rejects. */
  readonly signal?: AbortSignal
}

/** A service that runs beside this process, on a free port. */
export interface ServiceProcess {
  readonly url: string
  /** From the start of the process to its word that it listens. */
  readonly startMs: number
  readonly child: ChildProcess
  /** Shuts down as an operator would; kills after a minute and a half. Resolves when the process is gone. */
  stop(): Promise<void>
  /** `kill -9`. Resolves when the process is gone. */
  kill(): Promise<void>
}

const BUNDLE_MAIN = fileURLToPath(new URL('../service/main.js', import.meta.url))
const STOP_DEADLINE_MS = 90_000
const ERROR_TEXT_CHARS = 4_000

/** Starts the built service. Rejects with what it said when it ends instead of listening. */
export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  options.signal?.throwIfAborted()
  const main = options.main ?? BUNDLE_MAIN
  const folder = options.dataDir === null ? [] : ['--data-dir', options.dataDir]
  const flags = ['--port', '0', ...folder, '--log-level', 'warn', ...(options.flags ?? [])]
  const startedAt = performance.now()
  // A group of its own: a Ctrl-C in the terminal reaches this process, which stops the service in order.
  const nodeFlags = [...startFlags(), ...(options.nodeFlags ?? [])]
  const child = spawn(process.execPath, [...nodeFlags, main, 'serve', ...flags], {
    detached: true,
    env: ownEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe', ...(options.hasChannel === true ? (['ipc'] as const) : [])],
  })
  killAtEnd(child)
  const end = (signal: NodeJS.Signals) => () => endProcess(child, signal)
  const onAbort = () => child.kill('SIGKILL')
  options.signal?.addEventListener('abort', onAbort)
  try {
    const url = await urlFrom(child)
    return { url, startMs: performance.now() - startedAt, child, stop: end('SIGTERM'), kill: end('SIGKILL') }
  } catch (error) {
    await endProcess(child, 'SIGKILL')
    options.signal?.throwIfAborted()
    throw error
  } finally {
    options.signal?.removeEventListener('abort', onAbort)
  }
}

/** Flags of Node that `npm start` sets. */
export function startFlags(): readonly string[] {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const start: unknown = Reflect.get(Object(Reflect.get(Object(JSON.parse(text)), 'scripts')), 'start')
  return String(start)
    .split(' ')
    .filter((word) => word.startsWith('--'))
}

const running = new Set<ChildProcess>()

/** No service outlives this process, unless that is killed with SIGKILL. Who listens to a signal decides what it does. */
function killAtEnd(child: ChildProcess): void {
  running.add(child)
  child.once('exit', () => running.delete(child))
  if (process.listeners('exit').includes(killRunning)) return
  process.on('exit', killRunning)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    if (process.listenerCount(signal) === 0) process.on(signal, () => process.exit(1))
  }
}

function killRunning(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** Without the options that are set around this process: a measurement starts from the defaults. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MEMGOV_')))
}

function urlFrom(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    let complained = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, ERROR_TEXT_CHARS)
      const url = /listens on (http:\/\/\S+).*\n/.exec(said)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complained = (complained + text).slice(-ERROR_TEXT_CHARS)
    })
    child.once('error', reject)
    child.once('close', () =>
      reject(new Error(`the service did not start: ${complained.trim() || 'it said nothing'}`)),
    )
  })
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS)
  await gone
  clearTimeout(deadline)
}
