import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { DomainError } from '../../src/core/base/errors.ts'
import { FiredHooks } from '../../src/edges/hooks/hook-route.ts'
import type { Served } from '../../src/edges/http/server.ts'
import type { Principal } from '../../src/ports/keys.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { httpOptions } from '../harness/edge.ts'
import { fakeRuntime, startHttp, stopAll } from './http-fixture.ts'

afterEach(stopAll)

const PROMPT = {
  session_id: 's',
  cwd: '/nowhere',
  hook_event_name: 'UserPromptSubmit',
  prompt: 'Run the suite',
}

type Execute = Served['execute']

async function started(execute: Execute, deadlineMs = 10_000) {
  const ended: string[] = []
  const { hooks } = httpOptions()
  const onEnded = (host: string, outcome: string) => void ended.push(`${host} ${outcome}`)
  const runtime = { ...fakeRuntime().runtime, execute }
  const { url } = await startHttp(runtime, { hooks: { ...hooks, deadlineMs, onEnded } })
  const send = async (body: string, headers: Readonly<Record<string, string>> = {}, path = 'claude-code') => {
    const sent = { 'content-type': 'application/json', ...headers }
    const response = await fetch(`${url}/hooks/${path}`, { method: 'POST', body, headers: sent })
    return { status: response.status, body: JSON.parse(await response.text()) as unknown }
  }
  const fired = async (): Promise<unknown> => (await fetch(`${url}/hooks`)).json()
  return { send, ended, fired }
}

const refusing =
  (code: ConstructorParameters<typeof DomainError>[0]): Execute =>
  () =>
    Promise.reject(new DomainError(code))

describe('a hook that cannot be answered', () => {
  test('is answered with nothing when it takes too long, and is counted', async () => {
    let release = (): void => {}
    const { send, ended } = await started(
      () =>
        new Promise((resolve) => {
          release = () => resolve({})
        }),
      5,
    )
    expect(await send(JSON.stringify(PROMPT))).toEqual({ status: 200, body: {} })
    expect(ended).toEqual(['claude-code late'])
    release()
  })

  test.each([
    'overloaded',
    'storage_read_only',
    'invalid_request',
    'operation_conflict',
    'internal_error',
  ] as const)('is answered with nothing when the operation says %s', async (code) => {
    const { send, ended } = await started(refusing(code))
    expect(await send(JSON.stringify(PROMPT))).toEqual({ status: 200, body: {} })
    expect(ended).toEqual(['claude-code refused'])
  })

  test('is answered with nothing when the service breaks, and when its own bytes are wrong', async () => {
    const { send, ended } = await started(() => Promise.reject(new TypeError('broken')))
    expect(await send(JSON.stringify(PROMPT))).toEqual({ status: 200, body: {} })
    for (const body of ['', '{', 'null', '[]', '"x"', '\u0000', '{"prompt":1}', '['.repeat(100)])
      expect(await send(body)).toEqual({ status: 200, body: {} })
    expect(await send('x', { 'content-type': 'text/plain' })).toEqual({ status: 200, body: {} })
    expect(await send(`"${'x'.repeat(6 * 1024 * 1024)}"`)).toEqual({ status: 200, body: {} })
    expect(ended[0]).toBe('claude-code failed')
    expect(await send(JSON.stringify(PROMPT), { 'x-memgov-scop': 'web' })).toEqual({ status: 200, body: {} })
  })

  test.each(['scope_forbidden', 'tenant_forbidden', 'read_only_key'] as const)('says %s', async (code) => {
    const { send, ended } = await started(refusing(code))
    const { status, body } = await send(JSON.stringify(PROMPT))
    expect([status, (body as { error: string }).error]).toEqual([403, code])
    expect(ended).toEqual(['claude-code refused'])
  })

  test('half a surrogate pair, sent or cut, is in no name', async () => {
    const asked: { readonly run_id?: string }[] = []
    const { send } = await started((_operation, body) => {
      asked.push(Object(body))
      return Promise.reject(new DomainError('overloaded'))
    })
    for (const session_id of ['a\ud800', `${'x'.repeat(199)}😀`])
      await send(JSON.stringify({ ...PROMPT, session_id }))
    expect(asked.map(({ run_id }) => run_id)).toEqual(['a\ufffd', `${'x'.repeat(199)}\ufffd`])
  })

  test('it is counted for doctor: by host and end, with the time of the last one', async () => {
    const { send, fired } = await started(refusing('overloaded'))
    expect(await fired()).toEqual({ hooks: [] })
    for (const path of ['claude-code', 'claude-code', 'codex']) await send(JSON.stringify(PROMPT), {}, path)
    const ended = { answered: 0, empty: 0, late: 0, failed: 0, last_at: expect.stringMatching(/Z$/u) }
    expect(await fired()).toEqual({
      hooks: [
        { host: 'claude-code', refused: 2, ...ended },
        { host: 'codex', refused: 1, ...ended },
      ],
    })
  })

  test('a key is told of its own hooks only', () => {
    const fired = new FiredHooks()
    const [one, two] = ['one', 'two'].map((keyId) => ({ keyId }) as Principal)
    fired.add(one ?? null, 'codex', 'answered', 1)
    fired.add(null, 'gemini', 'empty', 2)
    expect(fired.of(one ?? null).map(({ host }) => host)).toEqual(['codex'])
    expect(fired.of(null).map(({ host }) => host)).toEqual(['gemini'])
    expect(fired.of(two ?? null)).toEqual([])
  })

  test('an unknown host is an unknown route', async () => {
    const { send } = await started(refusing('overloaded'))
    expect((await send('{}', {}, 'emacs')).status).toBe(404)
  })

  test('the place is that of the headers, else the agent is the host and the scope that of its folder', async () => {
    const asked: unknown[] = []
    const { send } = await started((_operation, body) => {
      asked.push(body)
      return Promise.reject(new DomainError('overloaded'))
    })
    await send(JSON.stringify(PROMPT), {
      'x-memgov-scope': 'web',
      'x-memgov-agent': 'planner',
      'x-memgov-tenant': 'acme',
    })
    await send(JSON.stringify(PROMPT))
    expect(asked).toMatchObject([
      { tenant_id: 'acme', scope: 'web', consumer_agent_id: 'planner' },
      { scope: expect.stringMatching(/^nowhere-[0-9a-f]{8}$/u), consumer_agent_id: 'claude-code' },
    ])
  })

  test('a scope that a first commit or a folder that comes later changes is that of the next prompt', async () => {
    const asked: unknown[] = []
    const { send } = await started((_operation, body) => {
      asked.push(body)
      return Promise.reject(new DomainError('overloaded'))
    })
    const folder = dataFolder()
    const cwd = join(folder, 'link')
    const prompt = JSON.stringify({ ...PROMPT, cwd })
    await send(prompt)
    mkdirSync(join(folder, 'shop'), { recursive: true })
    symlinkSync(join(folder, 'shop'), cwd)
    await send(prompt)
    expect(asked).toMatchObject([
      { scope: expect.stringMatching(/^link-/u) },
      { scope: expect.stringMatching(/^shop-/u) },
    ])
  })
})
