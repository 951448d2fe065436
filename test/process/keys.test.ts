import { chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test, vi } from 'vitest'
import { memgov } from '../harness/command.ts'
import { dataFolder, filesBelow, textBelow } from '../harness/data-folder.ts'
import { runToEnd, startProcess } from '../harness/process.ts'

const SECRET_TEXT = 'the vault door opens at half past nine'

/** A running service. */
async function serve(dir: string, nodeOptions = '') {
  const flags = ['--request-log', 'stderr', '--metrics']
  const served = await startProcess(dir, flags, { env: { NODE_OPTIONS: nodeOptions } })
  const ask = async (path: string, body: object, token: string | null) => {
    const answer = await fetch(`${served.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: await answer.text() }
  }
  const outputNow = () => served.stdout() + served.stderr()
  return { ...served, ask, outputNow }
}

describe('memgov keys', () => {
  test('made by the superuser in the folder of another user belong to that user', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip('only the superuser may give files away')
    const dir = dataFolder()
    chownSync(dir, 65_534, 65_534)
    await memgov('keys', 'create', '--data-dir', dir)
    const keys = join(dir, 'keys')
    const owners = [keys, ...filesBelow(keys)].map((path) => statSync(path).uid)
    expect(owners).toEqual([65_534, 65_534])
    chownSync(keys, 0, 0)
    const { code, stderr } = await memgov('keys', 'list', '--data-dir', dir)
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/EACCES.*\. Give the data folder and all in it to/),
    ])
  })

  test('makes, lists, changes and ends keys, and says what it cannot', async () => {
    const dir = join(dataFolder(), 'new')
    const flags = ['--name', 'ci', '--scope', 'a', '--scope', 'b', '--scope', 'a']
    const created = await memgov('keys', 'create', '--data-dir', dir, ...flags)
    expect(created.code).toBe(0)
    const token = created.stdout.trim()
    const id = token.slice(3, 15)
    const listed = await memgov('keys', 'list', '--data-dir', dir)
    expect(listed.stdout).toContain(id)
    expect(listed.stdout).toMatch(/ a b( |$)/m)
    expect(listed.stdout).not.toContain(token.slice(16))
    const rotated = await memgov('keys', 'rotate', id, '--data-dir', dir, '--json')
    expect(JSON.parse(rotated.stdout)).toMatchObject({ id, token: expect.stringContaining(`mg_${id}_`) })
    expect((await memgov('keys', 'revoke', id, '--data-dir', dir)).code).toBe(0)
    expect((await memgov('keys', 'list', '--data-dir', dir)).stdout).toMatch(/revoked/)
    expect((await memgov('keys', 'rotate', id, '--data-dir', dir)).stderr).toMatch(
      /is revoked: memgov keys list/,
    )
    for (const wrong of [
      ['keys'],
      ['keys', 'make'],
      ['keys', 'revoke'],
      ['keys', 'list', '--agent', 'x'],
      ['keys', 'create', '--expires-in', 'soon'],
      ['keys', 'create', '--tenant', 'a b'],
      ['keys', 'create', '--origin', 'god'],
      ['keys', 'create', '--agent', ' '],
      ['keys', 'create', '--name', 'one', '--name', 'two'],
    ]) {
      const { code, stderr } = await memgov(...wrong, '--data-dir', dir)
      expect([code, stderr.trimEnd().split('\n').length], wrong.join(' ')).toEqual([2, 1])
    }
  })

  test('a key whose secret nobody saw is worth nothing', async () => {
    const dir = dataFolder()
    const id = (await memgov('keys', 'create', '--data-dir', dir)).stdout.slice(3, 15)
    const through = ['sh', '-c', 'exec "$@" > /dev/full', 'sh']
    const unseen = async (...argv: readonly string[]) => {
      const { code, stderr } = await runToEnd(['keys', ...argv, '--data-dir', dir], {}, { through })
      expect([code, stderr]).toEqual([2, expect.stringMatching(/nobody saw the secret of \w+: /)])
    }
    await unseen('create')
    await unseen('rotate', id)
    const listed = await memgov('keys', 'list', '--data-dir', dir, '--json')
    const { keys } = JSON.parse(listed.stdout)
    expect(keys).toMatchObject([
      { id, revoked: false },
      { id: expect.anything(), revoked: true },
    ])
  })

  test('names a scope, an agent and a team as requests are read', async () => {
    const dir = dataFolder()
    const flags = ['--scope', ' shop', '--scope-prefix', ' of ', '--agent', 'ann ', '--team', ' red ']
    const created = await memgov('keys', 'create', '--data-dir', dir, ...flags)
    const file = readFileSync(join(dir, 'keys', `${created.stdout.slice(3, 15)}.json`), 'utf8')
    const scopes = [
      { name: 'shop', is_prefix: false },
      { name: 'of ', is_prefix: true },
    ]
    expect(JSON.parse(file)).toMatchObject({ scopes, agent_id: 'ann', team_id: 'red' })
  })

  test('says that whoever reaches the service may do everything only where there is no key', async () => {
    const dir = dataFolder()
    const list = async (...flags: readonly string[]) =>
      (await memgov('keys', 'list', '--data-dir', dir, ...flags)).stdout
    expect(await list()).toMatch(/may do everything/)
    const id = (await memgov('keys', 'create', '--data-dir', dir)).stdout.slice(3, 15)
    expect(await list('--tenant', 'other')).toMatch(/^no such key; .* every request needs one\n$/)
    writeFileSync(join(dir, 'keys', `${id}.json`), 'damaged')
    expect(await list()).toMatch(/every request needs one\n.* cannot be read/)
  })

  test('a whole key stands for its id, and what ends it repeats no secret', async () => {
    const dir = dataFolder()
    const token = (await memgov('keys', 'create', '--data-dir', dir)).stdout.trim()
    expect(await memgov('keys', 'revoke', token, '--data-dir', dir)).toEqual({
      code: 0,
      stdout: `revoked ${token.slice(3, 15)}\n`,
      stderr: '',
    })
    for (const wrong of [token, `${token}x`, 'mg_nobodysKey01_secret']) {
      const { code, stdout, stderr } = await memgov('keys', 'rotate', wrong, '--data-dir', dir)
      expect([code, `${stdout}${stderr}`]).toEqual([1, expect.not.stringContaining(wrong)])
    }
  })

  test('a running service takes every change, and one that was killed has kept it', async () => {
    const dir = dataFolder()
    const first = await serve(dir)
    const guide = { query_text: 'when does the vault open' }
    expect((await first.ask('/v1/guide', guide, null)).status).toBe(200)
    const create = await memgov('keys', 'create', '--data-dir', dir, '--agent', 'planner')
    const token = create.stdout.trim()
    const statusOf = async (service: typeof first, key: string | null) =>
      (await service.ask('/v1/guide', guide, key)).status
    await vi.waitFor(async () => expect(await statusOf(first, null)).toBe(401), { timeout: 10_000 })
    expect((await first.ask('/v1/observe', { input_text: SECRET_TEXT }, token)).status).toBe(200)
    await first.end('SIGKILL')
    const second = await serve(dir)
    expect(await statusOf(second, null)).toBe(401)
    const answer = await second.ask('/v1/guide', guide, token)
    expect(answer.body).toContain('half past nine')
    expect((await memgov('keys', 'revoke', token.slice(3, 15), '--data-dir', dir)).code).toBe(0)
    await vi.waitFor(async () => expect(await statusOf(second, token)).toBe(401), { timeout: 10_000 })
    const metrics = await fetch(`${second.url}/metrics`)
    expect(metrics.status).toBe(401)
    // Neither the secret nor memory stands where nobody looks for it.
    const told = [first.outputNow(), second.outputNow(), textBelow(join(dir, 'keys'))].join('\n')
    expect(told).not.toContain(token.slice(16))
    expect(told).not.toContain('vault')
  })

  test('after a run no secret of a key is in logs, metrics, refusals, heap or data folder, and no memory in the first three', async () => {
    const dir = dataFolder()
    const heaps = dataFolder()
    const service = await serve(dir, `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${heaps}`)
    const create = async (...flags: string[]) =>
      (await memgov('keys', 'create', '--data-dir', dir, ...flags)).stdout.trim()
    const tokens = [
      await create('--agent', 'planner'),
      await create('--metrics'),
      await create('--read-only'),
    ]
    const [planner = '', reader = '', eyes = ''] = tokens
    await vi.waitFor(async () => expect((await service.ask('/v1/guide', {}, null)).status).toBe(401), {
      timeout: 10_000,
    })
    const refusals: string[] = []
    const asked = async (status: number, path: string, body: object, token: string | null = planner) => {
      const answer = await service.ask(path, body, token)
      expect([path, answer.status, answer.body], answer.body).toEqual([path, status, expect.any(String)])
      if (status !== 200) refusals.push(answer.body)
      return JSON.parse(answer.body)
    }
    const written = await asked(200, '/v1/observe', { input_text: SECRET_TEXT })
    const query = 'when does the vault open'
    const { guide_trace_id } = await asked(200, '/v1/guide', { query_text: query, run_id: 'run-1' })
    await asked(200, '/v1/finish', { guide_trace_id, outcome: 'failed', summary: 'The vault was shut' })
    await asked(400, '/v1/observe', { input_text: SECRET_TEXT, memory: { valid_until: 'late' } })
    await asked(403, '/v1/observe', { input_text: SECRET_TEXT, memory: { origin: 'user' } })
    await asked(403, '/v1/observe', { input_text: SECRET_TEXT }, eyes)
    await asked(401, '/v1/observe', { input_text: SECRET_TEXT }, `${planner.slice(0, -1)}_`)
    await asked(404, '/v1/rehydrate', { memory_ids: ['nothing'], reason: query })
    await asked(403, '/v1/forget', {
      operation: 'activate',
      target: 'memory',
      reason: query,
      memory_ids: written.memory_ids,
    })
    const metrics = await (
      await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${reader}` } })
    ).text()
    expect(metrics).toContain('memgov_')
    service.signal('SIGUSR2')
    const heap = await vi.waitFor(
      () => {
        const [name = 'none yet'] = readdirSync(heaps)
        const text = readFileSync(join(heaps, name), 'latin1')
        expect(text.endsWith(']}')).toBe(true)
        return text
      },
      { timeout: 60_000, interval: 500 },
    )
    // What is known to live is found, so that what is not found does not.
    expect(heap).toContain(SECRET_TEXT)
    const files = textBelow(dir)
    const told = [service.outputNow(), metrics, ...refusals].join('\n')
    expect(told).toMatch(/"operation":"observe"/)
    for (const [at, token] of tokens.entries()) {
      const secret = token.slice(16)
      const where = { told, files, heap }
      expect([
        at,
        Object.entries(where)
          .filter(([, text]) => text.includes(secret))
          .map(([name]) => name),
      ]).toEqual([at, []])
    }
    expect(told).not.toContain('vault')
  })

  test('a backup takes the keys along, unless told not to', async () => {
    const dir = dataFolder()
    const to = dataFolder()
    const service = await serve(dir)
    await memgov('keys', 'create', '--data-dir', dir)
    await memgov('backup', '--data-dir', dir, '--to', join(to, 'with'))
    await memgov('backup', '--data-dir', dir, '--to', join(to, 'without'), '--without-keys')
    expect(readdirSync(join(to, 'without'))).not.toContain('keys')
    const folder = join(to, 'with', 'keys')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(textBelow(folder)).toBe(textBelow(join(dir, 'keys')))
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(service.outputNow()).not.toContain('error')
  })
})
