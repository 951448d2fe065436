import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { silentTelemetry } from '../../src/adapters/files/null-ports.ts'
import { createKey } from '../../src/adapters/keys/key-folder.ts'
import { type Host, runCommand } from '../../src/app/command.ts'
import { optionRows, serviceKey } from '../../src/app/config/config.ts'
import type { Composition, ServeParts } from '../../src/app/serve.ts'
import { parseArguments } from '../../src/edges/cli/arguments.ts'
import { COMMANDS, flagsOf } from '../../src/edges/cli/command-flags.ts'
import { type OptionRow, usageOf } from '../../src/edges/cli/commands.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { listening } from '../harness/listener.ts'
import { fakeRuntime, TABLE } from '../http/http-fixture.ts'
import { keyGrant } from '../support/keys.ts'

/** A process that remembers what happens to it. */
function fakeHost() {
  const seen = { stdout: '', stderr: '', exits: [] as number[], isKilled: false }
  let stop = () => {}
  let isListening = () => {}
  const listening = new Promise<void>((resolve) => {
    isListening = resolve
  })
  const host: Host = {
    stdout: {
      write: (text) => {
        seen.stdout += text
        isListening()
      },
    },
    stderr: {
      write: (text) => {
        seen.stderr += text
      },
    },
    onStopSignal: (handler) => {
      stop = handler
    },
    exit: (code) => seen.exits.push(code),
    kill: () => {
      seen.isKilled = true
    },
  }
  return { host, seen, listening, signal: () => stop() }
}

function run(argv: readonly string[], host: Host, given: ServeParts): Promise<number> {
  return runCommand(argv, host, async () => given)
}

function parts(changes: Partial<Composition> = {}): ServeParts {
  const composition: Composition = {
    runtime: fakeRuntime().runtime,
    telemetry: silentTelemetry,
    metrics: null,
    cluster: null,
    keys: null,
    close: async () => {},
    ...changes,
  }
  return { compose: async () => composition, operations: TABLE, openapi: () => ({}) }
}

const releases: (() => unknown)[] = []
afterEach(async () => {
  for (const release of releases.splice(0)) await release()
})

async function helpOf(...argv: readonly string[]): Promise<string> {
  const { host, seen } = fakeHost()
  expect(await run(argv, host, parts())).toBe(0)
  expect(seen.stderr).toBe('')
  return seen.stdout
}

test('help names every command in a line of its own, and no flags of theirs', async () => {
  const text = await helpOf('--help')
  expect(await helpOf('-h')).toBe(text)
  expect(await helpOf('help')).toBe(text)
  expect(await helpOf('help', 'keys', 'create')).toBe(await helpOf('keys', '--help'))
  for (const command of COMMANDS) expect(text).toMatch(new RegExp(`^  memgov ${command}\\b.*   `, 'm'))
  expect(text.split('\n').length).toBeLessThan(40)
  expect(text).not.toContain('--port')
})

test('help of serve names every option with its default', async () => {
  const text = await helpOf('serve', '--help')
  for (const { flag, defaultText } of optionRows()) {
    const line = text.split('\n').find((each) => each.startsWith(`  ${flag} `))
    expect(line).toContain(`(${defaultText}`)
  }
})

test.each(COMMANDS)(
  'help of %s has its usage, each of its flags, an example that is understood, and no other command',
  async (command) => {
    const text = await helpOf(command, '--help')
    const names = flagsOf(command).map(({ name }) => name)
    for (const name of names) expect(text).toContain(`  --${name}`)
    for (const { words } of usageOf(command)) expect(text).toContain(`memgov ${words}`)
    const [, examples = ''] = text.split(/^Examples?:\n/m)
    const lines = examples.split('\n').filter((line) => line.startsWith('  memgov '))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      const [typed = ''] = line.trim().split(' > ')
      const invocation = parseArguments(typed.split(' ').slice(1), optionRows())
      expect(invocation.kind).not.toBe('help')
    }
    const [usage = ''] = text.split('\n\n')
    const others = COMMANDS.filter((each) => each !== command && usage.includes(`memgov ${each} `))
    expect(others).toEqual([])
  },
)

test('what is not understood names the help of the command', async () => {
  const { host, seen } = fakeHost()
  expect(await run(['verify', '--deeper'], host, parts())).toBe(2)
  expect(seen.stderr).toMatch(/See memgov verify --help\.\n$/)
})

test('a key that no header carries is refused in one line, and a line end behind one is not taken for part of it', async () => {
  releases.push(() => vi.unstubAllEnvs())
  for (const argv of [['ls'], ['console'], ['demo'], ['tail'], ['doctor'], ['mcp']]) {
    for (const key of ['mg_…', 'mg_a\nb']) {
      vi.stubEnv('MEMGOV_KEY', key)
      const { host, seen } = fakeHost()
      expect(await run([...argv, '--url', 'http://127.0.0.1:1'], host, parts()), argv[0]).toBe(2)
      expect(seen.stderr).toMatch(/^memgov: MEMGOV_KEY is no key: .*\n$/)
    }
  }
  vi.stubEnv('MEMGOV_KEY', 'mg_a\r')
  expect(serviceKey()).toBe('mg_a')
})

test('--data is --data-dir for every command that has it, and only one of them may be given', () => {
  const options = optionRows()
  for (const argv of [['serve'], ['verify'], ['backup', '--to', 't'], ['explain', 'x'], ['scopes', 'list']]) {
    const long = parseArguments([...argv, '--data-dir', 'there'], options)
    expect(JSON.stringify(long)).toContain('there')
    expect(parseArguments([...argv, '--data', 'there'], options)).toEqual(long)
    expect(() => parseArguments([...argv, '--data', 'a', '--data-dir', 'b'], options)).toThrow(
      /: name one\.$/,
    )
  }
  expect(() => parseArguments(['completion', 'bash', '--data', 'a'], options)).toThrow('no flag --data-dir')
})

test('version prints the version of the package and ends with 0', async () => {
  const { host, seen } = fakeHost()
  expect(await run(['--version'], host, parts())).toBe(0)
  expect(seen.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test.each([
  [[], /command is missing/],
  [['server'], /Unknown command "server"/],
  [['serve', 'now'], /no argument "now"/],
  [['help', 'sreve'], /Unknown command "sreve"/],
  [['serve', '--prot', '1'], /'--prot'; did you mean --port\? See memgov serve --help\.$/m],
  [['migrate', '--form', 'x'], /'--form'; did you mean --from\? See/],
  [['--hlep'], /'--hlep'; did you mean --help\? See/],
  [['serve', '--port'], /--port/],
  [['serve', '--print-config=yes'], /--print-config/],
  [['init', 'emacs'], /init takes one of claude-code, codex/],
  [['init', 'codex', 'cursor'], /no argument "cursor"/],
  [['init', '--undo'], /init needs one of .* for --undo/],
  [['init', 'codex', '--scope', 'a;b'], /--scope takes/],
  [['doctor', 'now'], /no argument "now"/],
])('arguments %j are not understood: one line, exit code 2', async (argv, message) => {
  const { host, seen } = fakeHost()
  expect(await run(argv, host, parts())).toBe(2)
  expect(seen.stderr).toMatch(message)
  expect(seen.stderr.trimEnd()).not.toContain('\n')
  expect(seen.stdout).toBe('')
})

test('every option is a flag and its text arrives under its name; a switch has none and means true', () => {
  const rows = optionRows()
  const valueOf = (row: OptionRow) => (row.isSwitch ? 'true' : `value of ${row.name}`)
  const argv = ['serve', ...rows.map((row) => (row.isSwitch ? row.flag : `${row.flag}=${valueOf(row)}`))]
  const expected = Object.fromEntries(rows.map((row) => [row.name, valueOf(row)]))
  expect(rows.filter((row) => row.isSwitch).map(({ name }) => name)).toContain('metrics')
  expect(parseArguments(argv, rows)).toEqual({ kind: 'serve', given: expected, printConfig: false })
})

test('print-config prints and starts nothing', async () => {
  const { host, seen } = fakeHost()
  const wired: ServeParts = { ...parts(), compose: () => Promise.reject(new Error('started')) }
  expect(await run(['serve', '--port', '0', '--print-config'], host, wired)).toBe(0)
  expect(seen.stdout).toContain('{"option":"port","env":"MEMGOV_PORT","value":0,"source":"option"}\n')
})

test('serve refuses a folder by flag beside a database, whose store it would use', async () => {
  vi.stubEnv('MEMGOV_STORE', 'postgres://nobody@127.0.0.1:1/none')
  for (const [flags, code] of [
    [['--data-dir', 'x'], 1],
    [[], 0],
  ] as const) {
    const { host, seen } = fakeHost()
    expect(await run(['serve', ...flags, '--print-config'], host, parts())).toBe(code)
    if (code === 1) expect(seen.stderr).toContain('--data-dir names a folder and MEMGOV_STORE')
  }
})

test('a bad value stops the start with 1 and names the flag', async () => {
  const { host, seen } = fakeHost()
  expect(await run(['serve', '--port', 'x', '--host', 'a b'], host, parts())).toBe(1)
  expect(seen.stderr).toContain('--port')
  expect(seen.stderr).toContain('neither an address')
})

test('serve prints one line with address, data folder, durability and version of Node, serves there, and ends with 0 after a signal', async () => {
  let isClosed = false
  const { host, seen, listening, signal } = fakeHost()
  const close = async () => {
    isClosed = true
  }
  const argv = ['serve', '--port', '0', '--host', 'localhost', '--log-level', 'silent']
  const ended = run(argv, host, parts({ close }))
  await listening
  const [, url = '', about] =
    /^memgov \S+ listens on (http:\/\/127\.0\.0\.1:\d+) \((.+)\)\n$/.exec(seen.stdout) ?? []
  expect(about).toBe(`data ${resolve('snapshots')}, durability sync, Node ${process.versions.node}`)
  expect((await fetch(`${url}/health`)).status).toBe(200)
  expect(isClosed).toBe(false)
  signal()
  expect(await ended).toBe(0)
  expect(isClosed).toBe(true)
  await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed')
})

test('the address line names the Unix socket too', async () => {
  const folder = dataFolder()
  const { host, seen, listening, signal } = fakeHost()
  const argv = ['serve', '--port', '0', '--socket', join(folder, 's'), '--log-level', 'silent']
  const ended = run(argv, host, parts())
  await listening
  expect(seen.stdout).toContain(` and ${join(folder, 's')} (`)
  signal()
  expect(await ended).toBe(0)
})

test('a signal during the start is not lost', async () => {
  const { host, signal } = fakeHost()
  const wired = parts()
  const compose: ServeParts['compose'] = (config, system) => {
    signal()
    return wired.compose(config, system)
  }
  const argv = ['serve', '--port', '0', '--log-level', 'silent']
  expect(await run(argv, host, { ...wired, compose })).toBe(0)
})

test('a second signal ends the process with 130 without waiting', async () => {
  let finish = () => {}
  const close = () =>
    new Promise<void>((resolve) => {
      finish = resolve
    })
  const { host, seen, listening, signal } = fakeHost()
  const ended = run(['serve', '--port', '0', '--log-level', 'silent'], host, parts({ close }))
  await listening
  signal()
  expect(seen.exits).toEqual([])
  signal()
  expect(seen.exits).toEqual([130])
  for (let code: number | null = null; code === null; ) {
    finish()
    code = await Promise.race([ended, new Promise<null>((resolve) => setImmediate(() => resolve(null)))])
  }
})

test.each([
  ['does not end', true, () => new Promise<void>(() => {})],
  ['fails', false, () => Promise.reject(new Error('disk gone'))],
])(
  'a shutdown that %s within its deadline is reported; what still runs then is killed',
  async (_name, isKilled, close) => {
    const { host, seen, listening, signal } = fakeHost()
    const argv = ['serve', '--port', '0', '--shutdown-deadline-ms', '100', '--log-level', 'error']
    const ended = run(argv, host, parts({ close }))
    await listening
    signal()
    expect(await ended).toBe(1)
    expect(seen.isKilled).toBe(isKilled)
    expect(seen.stderr).toContain('the journal holds what was durable')
  },
)

test('a port in use: one line that names it, exit code 1, and the runtime is closed again', async () => {
  const { port } = new URL(await listening(() => {}))
  let isClosed = false
  const close = async () => {
    isClosed = true
  }
  const { host, seen } = fakeHost()
  expect(await run(['serve', '--port', port], host, parts({ close }))).toBe(1)
  expect(seen.stderr).toBe(
    `memgov cannot listen on 127.0.0.1:${port}: it is in use. Stop the other process or choose another with --port.\n`,
  )
  expect(isClosed).toBe(true)
})

test('a socket path that is something else is not said to be in use', async () => {
  const folder = dataFolder()
  const { host, seen } = fakeHost()
  const argv = ['serve', '--port', '0', '--socket', folder, '--log-level', 'silent']
  expect(await run(argv, host, parts())).toBe(1)
  expect(seen.stderr).toBe(
    `memgov cannot start: ${folder} is there and is no socket: choose another with --socket.\n`,
  )
})

test.each([
  [['--host', '0.0.0.0'], /0.0.0.0 is not a loopback address.*memgov keys create/],
  [['--tls-cert', 'cert.pem'], /set both --tls-cert and --tls-key/],
] as const)('serve %j is refused before anything is opened', async (flags, expected) => {
  const { host, seen } = fakeHost()
  const compose = () => Promise.reject(new Error('composed'))
  const argv = ['serve', ...flags, '--data-dir', join(dataFolder(), 'new')]
  expect(await run(argv, host, { ...parts(), compose })).toBe(1)
  expect(seen.stderr).toMatch(expected)
})

test('a socket path in a folder that is not there is told so', async () => {
  const folder = join(dataFolder(), 'none')
  const { host, seen } = fakeHost()
  const argv = ['serve', '--port', '0', '--socket', join(folder, 's'), '--log-level', 'silent']
  expect(await run(argv, host, parts())).toBe(1)
  expect(seen.stderr).toContain(`no such file or directory, stat '${folder}'`)
})

test('print-config tells of a variable that no option reads', async () => {
  vi.stubEnv('MEMGOV_PROT', '5')
  const { host, seen } = fakeHost()
  expect(await run(['serve', '--print-config'], host, parts())).toBe(0)
  expect(seen.stderr).toBe('MEMGOV_PROT is set, but no option reads it.\n')
})

test('a certificate that is not trusted is not said to be nobody', async () => {
  const [cert, key] = ['cert', 'key'].map((name) =>
    readFileSync(join(import.meta.dirname, `../fixtures/tls/one.${name}.pem`)),
  )
  const server = createServer({ cert, key }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { host, seen } = fakeHost()
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await run(['ls', '--url', url], host, parts())).toBe(1)
  server.close()
  expect(seen.stderr).toMatch(/^memgov: The certificate of \S+ is not trusted \(\w+\): .*NODE_EXTRA_CA_CERTS/)
})

test('a service without TLS is not said to be nobody', async () => {
  const server = createHttpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { host, seen } = fakeHost()
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await run(['ls', '--url', `https://${address}`], host, parts())).toBe(1)
  server.close()
  expect(seen.stderr).toBe(`memgov: https://${address} does not speak TLS: ask it by http://.\n`)
})

test('a runtime that cannot be composed: one line with its reason, exit code 1', async () => {
  const { host, seen } = fakeHost()
  const compose = () => Promise.reject(new Error('The data folder /d is locked by process 7.\nmore'))
  expect(await run(['serve'], host, { ...parts(), compose })).toBe(1)
  expect(seen.stderr).toBe('memgov cannot start: The data folder /d is locked by process 7.\n')
})

describe('an address that others reach', () => {
  /** What the start says; null: it listens. */
  async function refusalOf(dataDir: string, ...flags: string[]): Promise<string | null> {
    const { host, seen, listening, signal } = fakeHost()
    const argv = ['serve', '--host', '0.0.0.0', '--port', '0', '--data-dir', dataDir, ...flags]
    const ending = run(argv, host, parts())
    await Promise.race([listening, ending])
    signal()
    return (await ending) === 0 ? null : seen.stderr
  }

  test('is served with keys, and with TLS or the word that none is wanted', async () => {
    const dir = dataFolder()
    expect(await refusalOf(dir)).toMatch(/make a key first with memgov keys create/)
    expect(await refusalOf(dir, '--insecure')).toMatch(/make a key first/)
    expect(await refusalOf(':memory:', '--insecure')).toMatch(/make a key first/)
    await createKey(dir, keyGrant(), 0)
    expect(await refusalOf(dir)).toMatch(/--tls-cert and --tls-key, or --insecure/)
    expect(await refusalOf(dir, '--insecure')).toBeNull()
    expect(await refusalOf(dir, '--tls-cert', 'cert.pem')).toMatch(/set both/)
    const pem = (name: string) => join(import.meta.dirname, `../fixtures/tls/one.${name}.pem`)
    expect(await refusalOf(dir, '--tls-cert', pem('cert'), '--tls-key', pem('key'))).toBeNull()
  })
})
