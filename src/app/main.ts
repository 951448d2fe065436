#!/usr/bin/env node
import process from 'node:process'
import { OPERATIONS } from '../contract/operations.ts'
import { setCollector } from './collector.ts'
import { runCommand } from './command.ts'
import { compose } from './compose.ts'
import { packageVersion } from './config/version.ts'

// Who read the output may leave. A service serves on, and a command comes to its own end with its own exit code.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const code = await runCommand(
  process.argv.slice(2),
  {
    stdout: process.stdout,
    stderr: process.stderr,
    onStopSignal(stop) {
      process.on('SIGTERM', stop)
      process.on('SIGINT', stop)
    },
    exit: (status) => process.exit(status),
  },
  { compose: composeService, operations: Object.values(OPERATIONS), openapi },
)
// A command that is no service leaves the collector as it is.
function composeService(...parts: Parameters<typeof compose>): ReturnType<typeof compose> {
  setCollector()
  return compose(...parts)
}

// Loaded when it is first asked for: with its examples it is a part of the contract that nothing else needs.
async function openapi(): Promise<object> {
  const { openApiDocument } = await import('../contract/openapi.ts')
  return openApiDocument(packageVersion())
}

// Worker threads of a shutdown that was cut off would keep the process alive.
process.exit(code)
