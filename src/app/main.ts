#!/usr/bin/env node
import process from 'node:process'

// A host runs a hook at every step of an agent: it loads a file of its own, and nothing of the program.
const [command, ...rest] = process.argv.slice(2)
if (command === 'hook' && !rest.includes('--help') && !rest.includes('-h')) {
  const { runHook } = await import('./hook.ts')
  await runHook(rest)
} else await import('./program.ts')
