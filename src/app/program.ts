import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { packageFile } from '../adapters/files/package-file.ts'
import { runCommand } from './command.ts'
import { Hold, setCollector, standardOutput } from './host-process.ts'
import type { ServeParts } from './serve.ts'

// Who read the output may leave. A service serves on, and a command comes to its own end with its own exit code.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

// A command lives until it has come to its end, whatever its threads do.
const hold = new Hold()
const stdout = standardOutput()
const code = await hold.during(() =>
  runCommand(
    process.argv.slice(2),
    {
      stdout,
      outputArrived: () => stdout.arrived(),
      stderr: process.stderr,
      onStopSignal(stop) {
        process.on('SIGTERM', stop)
        process.on('SIGINT', stop)
      },
      onReaderLeft: (stop) => stdout.onEnd(stop),
      exit: (status) => process.exit(status),
      kill: () => process.kill(process.pid, 'SIGKILL'),
    },
    serveParts,
  ),
)

/** Most of the program: loaded for a service and what reads a folder as one does, not for a command beside it. */
async function serveParts(): Promise<ServeParts> {
  const [{ compose }, { OPERATIONS }] = await Promise.all([
    import('./compose.ts'),
    import('../contract/operations.ts'),
  ])
  // A command that is no service leaves the collector as it is.
  const composeService: typeof compose = (...parts) => {
    setCollector()
    return compose(...parts)
  }
  return { compose: composeService, operations: Object.values(OPERATIONS), openapi }
}

/** The document that the build brings along; the check of the project compares its source with the contract. */
async function openapi(): Promise<object> {
  return JSON.parse(await readFile(packageFile('dist/service/openapi.json'), 'utf8'))
}

// A connection that is still open, or a thread that idles, would keep the process alive.
process.exit(code)
