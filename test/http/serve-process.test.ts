import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'

// A real process around the built command, with a runtime that only echoes.
const PROGRAM = `
  import { runCommand } from '${new URL('../../dist/src/app/command.js', import.meta.url).href}'
  const runtime = {
    execute: async (_name, body) => body, health: () => ({ ok: true }), readiness: () => ({ ready: true }), close: async () => {},
  }
  const close = process.env.HANG === 'yes' ? () => new Promise(() => {}) : async () => {}
  const code = await runCommand(['serve', '--port', '0', '--shutdown-deadline-ms', '60000'], {
    stdout: process.stdout, stderr: process.stderr,
    onStopSignal: (stop) => { process.on('SIGTERM', stop); process.on('SIGINT', stop) },
    exit: (status) => process.exit(status),
  }, async () => ({
    compose: async () => ({ runtime, cluster: null, close }),
    operations: [{ name: 'observe', method: 'POST', path: '/v1/observe' }],
    openapi: () => ({}),
  }))
  process.exit(code)
`

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

// Options of the developer's own shell are not part of the test.
const CLEAN_ENV = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('MEMGOV_')),
)

async function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...CLEAN_ENV, ...env },
  })
  children.push(child)
  const output = { stdout: '', stderr: '' }
  child.stderr.on('data', (bytes) => {
    output.stderr += String(bytes)
  })
  const exited = once(child, 'exit')
  for await (const bytes of child.stdout) {
    output.stdout += String(bytes)
    if (output.stdout.includes('\n')) break
  }
  const url = /http:\S+/.exec(output.stdout)?.[0] ?? ''
  return { child, url, output, exited }
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends a serving process with 0', async (signal) => {
  const { child, url, exited, output } = await start()
  const reply = await fetch(`${url}/v1/observe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  })
  expect(await reply.json()).toEqual({ a: 1 })
  child.kill(signal)
  expect(await exited).toEqual([0, null])
  for (const line of output.stderr.trim().split('\n')) {
    expect(JSON.parse(line)).toMatchObject({ level: 'info', msg: 'shutting down' })
  }
})

test('a second signal ends a process that hangs in its shutdown with 130', async () => {
  const { child, exited, output } = await start({ HANG: 'yes' })
  child.kill('SIGTERM')
  while (!output.stderr.includes('shutting down')) await once(child.stderr ?? child, 'data')
  child.kill('SIGINT')
  expect(await exited).toEqual([130, null])
})

test.each([
  [['--version'], 0],
  [['--help'], 0],
  [['serve', '--print-config'], 0],
  [['serve', '--host', '0.0.0.0'], 1],
  [['serve', '--nonsense'], 2],
  [['fly'], 2],
])('memgov %j ends with %d', async (argv, code) => {
  const main = new URL('../../dist/service/main.js', import.meta.url).pathname
  const child = spawn(process.execPath, [main, ...argv], { stdio: 'ignore', env: CLEAN_ENV })
  children.push(child)
  expect(await once(child, 'exit')).toEqual([code, null])
})
