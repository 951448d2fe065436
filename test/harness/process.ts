import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// This file runs from the sources in tests and from the build in benchmarks.
const BUILD = import.meta.url.endsWith('.ts') ? '../../dist/' : '../../'
export const MAIN = fileURLToPath(new URL(`${BUILD}service/main.js`, import.meta.url))
/** The same program as modules, as it is written. */
export const MODULES_MAIN = fileURLToPath(new URL(`${BUILD}src/app/main.js`, import.meta.url))

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** The service as its own process. */
export interface ServedProcess {
  readonly url: string
  readonly pid: number
  /** What it wrote so far. */
  stdout(): string
  stderr(): string
  signal(signal: NodeJS.Signals): void
  /** Asks it to end, or kills it, and waits until it has ended. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<Exit>
  /** Nobody reads its output any more. */
  leaveOutput(): void
  /** Resolves when the process has ended and its output is read. */
  readonly exited: Promise<Exit>
}

const running = new Set<ChildProcess>()

/** How a process is started other than plainly. */
export interface Launch {
  /** A command that runs the one behind it in its own process, with its flags. */
  readonly through?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Where it listens; any free one unless given. */
  readonly port?: number
  /** Another program than users run. */
  readonly main?: string
  /** What it reads; nothing unless given. */
  readonly stdin?: string | Uint8Array
}

/** Starts `memgov serve` on a free port and waits until it listens. Rejects with its error output when it ends first. */
export function startProcess(
  dataDir: string,
  options: readonly string[] = [],
  launch: Launch = {},
): Promise<ServedProcess> {
  return startListening(
    ['serve', '--port', String(launch.port ?? 0), '--data-dir', dataDir, ...options],
    launch,
  )
}

/** The same with every option given. */
export function startServing(options: readonly string[], launch: Launch = {}): Promise<ServedProcess> {
  return startListening(['serve', ...options], launch)
}

/** Starts `memgov proxy` on a free port, as `startProcess` starts a service. */
export function startProxy(args: readonly string[]): Promise<ServedProcess> {
  return startListening(['proxy', '--port', '0', ...args], {})
}

async function startListening(argv: readonly string[], launch: Launch): Promise<ServedProcess> {
  const { child, exited, output } = run(argv, launch)
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const match = /listens on (http:\S+)/.exec(output.stdout)
      if (match !== null) resolve(match[1] ?? '')
    })
    void exited.then(({ code }) => reject(new Error(`memgov ended with ${code}: ${output.stderr}`)))
  })
  return {
    url,
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    signal: (signal) => child.kill(signal),
    end(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
    leaveOutput() {
      child.stdout.destroy()
      child.stderr.destroy()
    },
    exited,
  }
}

/** Runs `memgov` to its end. */
export async function runToEnd(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  launch: Omit<Launch, 'env'> = {},
): Promise<Exit & { readonly stdout: string; readonly stderr: string }> {
  const { exited, output } = run(argv, { ...launch, env })
  return { ...(await exited), ...output }
}

/** Starts `memgov` and lets the caller end it. */
export function startToEnd(
  argv: readonly string[],
  launch: Launch = {},
): Pick<ServedProcess, 'signal' | 'exited'> {
  const { child, exited } = run(argv, launch)
  return { signal: (signal) => child.kill(signal), exited }
}

/** Nothing outlives a test that failed. */
export async function killProcesses(): Promise<void> {
  // One that has ended stays among the running until its output is read, and tells its end no second time.
  const alive = [...running].filter((child) => child.exitCode === null && child.signalCode === null)
  const ended = alive.map((child) => new Promise<void>((resolve) => child.once('exit', () => resolve())))
  for (const child of alive) child.kill('SIGKILL')
  await Promise.all(ended)
}

function run(argv: readonly string[], { env = {}, through = [], main = MAIN, stdin }: Launch = {}) {
  if (!existsSync(main)) throw new Error('build first: npm run build')
  const [command = process.execPath, ...flags] = [...through, process.execPath, main, ...argv]
  const child = spawn(command, flags, {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: 'pipe',
  })
  running.add(child)
  // A program that reads nothing may have ended before all of it is written.
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child)
      resolve({ code, signal })
    })
  })
  return { child, exited, output }
}
