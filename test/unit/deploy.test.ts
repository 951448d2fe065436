import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, relative, resolve, sep } from 'node:path'
import process from 'node:process'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { optionRows, secretRows } from '../../src/app/config/config.ts'
import { dataFolder } from '../harness/data-folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const DEPLOY = join(ROOT, 'deploy')
const textOf = (name: string) => readFileSync(join(DEPLOY, name), 'utf8')

/** What the command says of itself; null: it is not on this machine. */
function tried(command: string, args: readonly string[]) {
  const { error, status, stderr, stdout } = spawnSync(command, args, { encoding: 'utf8' })
  return error === undefined ? { status, text: `${stdout}${stderr}` } : null
}

/** The folders of the repository in which a module imports files by a relative path. */
function importedFolders(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)].flatMap(([, path = '']) => {
    const inside = relative(ROOT, resolve(file, '..', path))
    return inside.startsWith('..') ? [] : inside.split(sep).slice(0, 1)
  })
}

describe('what comes for containers and services', () => {
  test('names options of the service only', () => {
    const known = new Set([...optionRows(), ...secretRows()].map(({ env }) => env))
    for (const name of readdirSync(DEPLOY)) {
      for (const [word] of textOf(name).matchAll(/\bMEMGOV_[A-Z_]+\b/g)) expect(known, name).toContain(word)
    }
  })

  test('the Dockerfile passes its linter', () => {
    expect(validate(textOf('Dockerfile'))).toEqual([])
    expect(validate('FROM node\nHEALTHCHEK CMD true')).not.toEqual([])
  })

  test('the image is made of files that are there, and runs as nobody special', () => {
    const file = textOf('Dockerfile')
    const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    for (const [, path = ''] of ignored.matchAll(/^!(.*)$/gm)) {
      if (!path.includes('*')) expect(existsSync(join(ROOT, path)), path).toBe(true)
    }
    expect(file).toMatch(/^USER node$/m)
    expect(file).toMatch(/^HEALTHCHECK /m)
    expect(file).toMatch(/^STOPSIGNAL SIGTERM$/m)
    expect(file).toMatch(/^ENTRYPOINT \[/m)
  })

  test('the build in the image finds each file that it compiles', () => {
    const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    const taken = [...ignored.matchAll(/^!([^*\n]*)/gm)].map(([, path = '']) => path)
    const { include } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
    const folders: readonly string[] = include.map((pattern: string) => pattern.split('/')[0])
    const missing = folders.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .flatMap((path) => importedFolders(join(ROOT, folder, path)))
        .filter((name) => !taken.some((start) => name.startsWith(start))),
    )
    expect([...new Set(missing)]).toEqual([])
  })

  test('the image has the driver of the database and no development dependency', () => {
    const [install = ''] = /npm install .*pg@.*/.exec(textOf('Dockerfile')) ?? []
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(install).toContain(`pg@${devDependencies.pg}`)
    // npm puts what is missing back, and takes a package that is named among the development dependencies for one.
    expect(install.split(' ')).toEqual(expect.arrayContaining(['--omit=dev', '--save-prod']))
  })

  test('a node waits for the database that listens, not for the one that makes its files', () => {
    // That one listens on no address.
    expect(textOf('compose-postgres.yaml')).toMatch(/pg_isready -h 127\.0\.0\.1 /)
  })

  test('compose takes its files', ({ skip }) => {
    const version = tried('docker', ['compose', 'version'])
    if (version?.status !== 0) skip('docker compose is not on this machine')
    for (const file of ['compose.yaml', 'compose-postgres.yaml']) {
      const checked = tried('docker', ['compose', '-f', join(DEPLOY, file), 'config', '--quiet'])
      expect(checked?.text).toBe('')
      expect(checked?.status).toBe(0)
    }
  })

  test('the image is built, starts, becomes healthy and ends at SIGTERM', { timeout: 600_000 }, async ({
    skip,
  }) => {
    if (tried('docker', ['info'])?.status !== 0)
      skip('no Docker engine runs on this machine: only what the files say is checked')
    const built = tried('docker', [
      'build',
      '-q',
      '-f',
      join(DEPLOY, 'Dockerfile'),
      '-t',
      'memgov-test',
      ROOT,
    ])
    expect(built?.status, built?.text).toBe(0)
    const asked = tried('docker', ['run', '--rm', 'memgov-test', '--version'])
    expect(asked?.text).toMatch(/^\d+\.\d+\.\d+/)
    const packages = tried('docker', ['run', '--rm', '--entrypoint', 'ls', 'memgov-test', 'node_modules'])
    expect(packages?.text).toMatch(/^pg$/m)
    expect(packages?.text).not.toMatch(/^vitest$/m)
    // On loopback inside the container, where no key is needed: its own health check asks there.
    const started = tried('docker', ['run', '-d', '-e', 'MEMGOV_HOST=127.0.0.1', 'memgov-test'])
    const id = started?.text.trim() ?? ''
    expect(started?.status, id).toBe(0)
    try {
      const stateOf = () => tried('docker', ['inspect', '-f', '{{.State.Health.Status}}', id])?.text.trim()
      await expect.poll(stateOf, { timeout: 60_000, interval: 1000 }).toBe('healthy')
      expect(tried('docker', ['stop', '-t', '20', id])?.status).toBe(0)
      expect(tried('docker', ['inspect', '-f', '{{.State.ExitCode}}', id])?.text.trim()).toBe('0')
    } finally {
      tried('docker', ['rm', '-f', id])
    }
  })

  test('compose starts its service, which answers', { timeout: 600_000 }, async ({ skip }) => {
    if (tried('docker', ['info'])?.status !== 0)
      skip('no Docker engine runs on this machine: compose checks its file, where it is there')
    const compose = ['compose', '-p', 'memgov-test', '-f', join(DEPLOY, 'compose.yaml')]
    const made = tried('docker', [
      ...compose,
      'run',
      '--rm',
      'memgov',
      'keys',
      'create',
      '--operator',
      '--name',
      'me',
    ])
    expect(made?.text).toMatch(/mg_/)
    try {
      expect(tried('docker', [...compose, 'up', '-d', '--wait'])?.status).toBe(0)
      expect((await fetch('http://127.0.0.1:3001/health')).status).toBe(200)
      expect((await fetch('http://127.0.0.1:3001/openapi.json')).status).toBe(401)
    } finally {
      tried('docker', [...compose, 'down', '-v', '--timeout', '20'])
    }
  })

  test('the unit is tried until its database answers', () => {
    const [unit = ''] = textOf('memgov.service').split('[Service]')
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
  })

  test('systemd takes the unit', ({ skip }) => {
    const checked = tried('systemd-analyze', ['verify', '--man=no', join(DEPLOY, 'memgov.service')])
    if (checked === null) skip('systemd is not on this machine')
    // Whether the command is installed here is not asked.
    const said = checked?.text.split('\n').filter((line) => line.includes('memgov.service'))
    expect(said?.filter((line) => !line.includes('is not executable'))).toEqual([])
  })
})

test('the last line of the checks counts no test of an earlier run', () => {
  const dir = dataFolder()
  mkdirSync(join(dir, 'dist'))
  cpSync(join(ROOT, '.ci'), join(dir, '.ci'), { recursive: true })
  writeFileSync(join(dir, 'dist/test-report.json'), '{ "numPassedTests": 5, "numFailedTests": 0 }')
  writeFileSync(join(dir, 'npm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const env = { ...process.env, PATH: [dir, process.env['PATH']].join(delimiter) }
  const { status, stdout } = spawnSync('bash', ['.ci/run'], { cwd: dir, env, encoding: 'utf8' })
  expect([status, stdout]).toEqual([1, '0 passed, 1 failed\n'])
})
