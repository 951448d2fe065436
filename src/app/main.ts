#!/usr/bin/env node
import process from 'node:process'
import { openApiDocument } from '../contract/openapi.ts'
import { OPERATIONS } from '../contract/operations.ts'
import { runCommand } from './command.ts'
import { compose } from './compose.ts'
import { packageVersion } from './version.ts'

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
  { compose, operations: Object.values(OPERATIONS), openapi: () => openApiDocument(packageVersion()) },
)
// Worker threads of a shutdown that was cut off would keep the process alive.
process.exit(code)
