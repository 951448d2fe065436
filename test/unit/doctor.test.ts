import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { packageVersion } from '../../src/adapters/files/package-file.ts'
import { doctorCommand } from '../../src/app/cli/doctor.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { listening } from '../harness/listener.ts'

let cwd = ''

beforeEach(() => {
  cwd = dataFolder()
})

/** Answers by path: a status and a body; what is not named is no route. */
type Answers = Readonly<Record<string, readonly [number, object | string]>>

const HEALTH = [200, { ok: true, version: packageVersion() }] as const
const KNOWN = [404, { error: 'memory_not_found', message: 'no such memory' }] as const
const WELL: Answers = {
  '/health': HEALTH,
  '/v1/memory/resolve': KNOWN,
  '/mcp': [405, { error: 'method_not_allowed' }],
  '/hooks': [200, { hooks: [] }],
}

async function examine(answers: Answers, key: string | null = null) {
  const url = await listening((request, response) => {
    const [status, body] = answers[request.url ?? ''] ?? [404, { error: 'not_found', message: 'no route' }]
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  let out = ''
  const write = (text: string) => ((out += text), true)
  const terminal = { stdout: { write }, stderr: { write } }
  const code = await doctorCommand({ url: new URL(url), key }, terminal, cwd)
  return { code, out }
}

test('where all is well it says so, with the hooks that have fired', async () => {
  const last_at = '2026-01-31T12:00:00.000Z'
  const hooks = [{ host: 'claude-code', answered: 3, empty: 0, late: 1, refused: 0, failed: 0, last_at }]
  const { code, out } = await examine({ ...WELL, '/hooks': [200, { hooks }] })
  expect(code).toBe(0)
  expect(out).toContain(`ok  A service answers: memgov ${packageVersion()}.\n`)
  expect(out).toContain(
    `ok  It takes hooks. Those fired since its start: claude-code answered 3, late 1, last ${last_at}.\n`,
  )
  expect(out).toContain('ok  It serves MCP at /mcp.\n')
  expect(out).not.toContain('!!')
})

test('what the service does not offer or tell is told, and is no fault', async () => {
  const silent = await examine(WELL, 'mg_mine')
  expect([silent.code, silent.out]).toEqual([
    0,
    expect.stringContaining('--  It takes hooks, and none has fired since its start, with this key'),
  ])
  const old = await examine({ '/health': HEALTH, '/v1/memory/resolve': KNOWN })
  expect([old.code, old.out]).toEqual([
    0,
    expect.stringMatching(/It has no \/mcp\.\n--  It does not tell which hooks/),
  ])
})

test('a service that is not there, is something else, or does not take the key is a fault', async () => {
  const page = await examine({ '/health': [200, '<html>'] })
  expect([page.code, page.out]).toEqual([1, expect.stringContaining('!!  What answers at')])
  const refusing = { ...WELL, '/v1/memory/resolve': [401, { error: 'unauthorized' }] } as const
  expect(await examine(refusing)).toMatchObject({
    code: 1,
    out: expect.stringContaining('MEMGOV_KEY is not set'),
  })
  expect(await examine(refusing, 'mg_old')).toMatchObject({
    code: 1,
    out: expect.stringContaining('revoked'),
  })
})

test('a key in a tracked file is a fault that names the file and not the key', async () => {
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', cwd, ...args], { stdio: 'pipe' })
  expect((await examine(WELL)).out).toContain('no repository of git')
  git('init', '-q')
  const key = `mg_${'a'.repeat(12)}_${'B'.repeat(43)}`
  writeFileSync(join(cwd, '.env'), `MEMGOV_KEY=${key}\n`)
  writeFileSync(join(cwd, 'notes.md'), 'A key looks like mg_abc_def.\n')
  git('add', 'notes.md')
  expect(await examine(WELL)).toMatchObject({
    code: 0,
    out: expect.stringContaining('No key lies in a tracked'),
  })
  git('add', '.env')
  const { code, out } = await examine(WELL)
  expect([code, out]).toEqual([1, expect.stringContaining('!!  A key lies in .env, which git tracks')])
  expect(out).not.toContain(key)
})
