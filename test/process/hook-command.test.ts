import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HOOK_HOSTS } from '../../src/ports/telemetry.ts'
import { dataFolder, textBelow } from '../harness/data-folder.ts'
import { freePort, listening } from '../harness/listener.ts'
import { runToEnd, startProcess } from '../harness/process.ts'

/** `memgov hook`, as a host runs it. */
const hook = (args: readonly string[], stdin: string | Buffer, url: string) =>
  runToEnd(['hook', ...args], { MEMGOV_URL: url }, { stdin })

const PAYLOAD = {
  session_id: 's',
  turn_id: 't1',
  cwd: '/nowhere/shop',
  hook_event_name: 'UserPromptSubmit',
  prompt: 'Run the suite',
}

describe('memgov hook', () => {
  test('prints nothing to say and exits with 0 when the service is dead, slow, broken or refuses', async () => {
    const dead = `http://127.0.0.1:${await freePort()}`
    const cases: readonly (readonly [string, string, RequestListener | null])[] = [
      ['dead', 'no service answers', null],
      ['slow', '', () => {}],
      ['half an answer', '', (_request, response) => void response.writeHead(200).write('{')],
      ['gone', 'no service answers', (request) => request.socket.destroy()],
      ['broken', '500', (_request, response) => response.writeHead(500).end('oops')],
      ['another program', 'JSON', (_request, response) => response.writeHead(200).end('<html>')],
      [
        'another host',
        `the service knows no host codex: it knows ${HOOK_HOSTS.join(', ')}`,
        (_request, response) =>
          response.writeHead(404).end('{"error":"not_found","message":"No such route."}'),
      ],
      [
        'refused',
        'no key',
        (_request, response) => response.writeHead(401).end('{"error":"unauthorized","message":"no key"}'),
      ],
    ]
    const ran = await Promise.all(
      cases.map(async ([name, told, listener]) => {
        const url = listener === null ? dead : await listening(listener)
        const { code, stdout, stderr } = await hook(['codex'], JSON.stringify(PAYLOAD), url)
        return { name, code, stdout, isTold: stderr.includes(told) }
      }),
    )
    expect(ran).toEqual(cases.map(([name]) => ({ name, code: 0, stdout: '{}\n', isTold: true })))
  })

  test('what it cannot understand is nothing, too', async () => {
    for (const args of [[], ['Codex!'], ['codex', '--no-such', 'x']]) {
      const { code, stdout, stderr } = await hook(args, '{}', 'http://127.0.0.1:9')
      expect([code, stdout]).toEqual([0, '{}\n'])
      expect(stderr).toMatch(/^memgov hook: /u)
    }
    for (const bytes of ['', 'no json', Buffer.from('{"prompt":"\xff"}', 'latin1')]) {
      const { code, stdout, stderr } = await hook(['codex'], bytes, 'http://127.0.0.1:9')
      expect([code, stdout]).toEqual([0, '{}\n'])
      expect(stderr).toBe(
        'memgov hook: what came in is not JSON in UTF-8: send the payload of the host as it is\n',
      )
    }
    for (const scope of ['größe', '日本', '']) {
      const { code, stdout, stderr } = await hook(['codex', '--scope', scope], '{}', 'http://127.0.0.1:9')
      expect([code, stdout]).toEqual([0, '{}\n'])
      expect(stderr).toContain('--scope takes printable ASCII')
    }
    for (const url of ['localhost:3001', 'ftp://a', 'http://a:b', ' '])
      expect((await hook(['codex'], '{}', url)).stderr).toContain(
        'that is not the URL of a service: send one',
      )
    const folder = dataFolder()
    const file = join(folder, 'key')
    writeFileSync(file, 'one\ntwo\n')
    const twice = await hook(['codex', '--key-file', file], '{}', 'http://127.0.0.1:9')
    expect(twice.stderr).toContain('the key is not one line of printable ASCII')
    const keyless = await hook(['codex', '--key-file', folder], '{}', 'http://127.0.0.1:9')
    expect(keyless.stderr).toContain(`memgov hook: the key cannot be read from ${folder}: EISDIR`)
    const { code, stdout } = await runToEnd(['hook', '--help'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('memgov hook HOST [EVENT]')])
  })

  test('it hands a host what the service answers, and no secret of a prompt, command, path or output is stored', async () => {
    const dir = dataFolder()
    const root = join(dataFolder(), 'shop')
    mkdirSync(join(root, '.git'), { recursive: true })
    const service = await startProcess(dir, ['--hook-verify', 'npm test'])
    const flags = ['--scope', 'web', '--agent', 'planner']
    const send = async (payload: object) => {
      const { code, stdout } = await hook(
        ['codex', ...flags],
        JSON.stringify({ ...PAYLOAD, cwd: root, ...payload }),
        service.url,
      )
      expect(code).toBe(0)
      return JSON.parse(stdout) as object
    }
    const written = { scope: 'web', input_text: 'Run the suite with pnpm test.', origin: 'user' }
    const headers = { 'content-type': 'application/json' }
    await fetch(`${service.url}/v1/observe`, { method: 'POST', headers, body: JSON.stringify(written) })
    const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
    const answer = await send({ prompt: `Run the suite, the token is ${token}.` })
    expect(answer).toEqual({
      hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit',
        additionalContext: expect.stringContaining('[m1] fact'),
      },
    })
    const secrets = [token, 'hunter2-x', 'out-secret', 'env-secret']
    const tool = { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_response: 'out-secret' }
    await send({
      ...tool,
      tool_input: {
        command: `API=env-secret curl -u me:hunter2-x https://me:hunter2-x@example.org && npm test ${token}`,
      },
    })
    const patch = `*** Begin Patch\n*** Update File: src/a.ts\n+hunter2-x\n*** Add File: keys/${token}.pem\n*** End Patch`
    await send({ ...tool, tool_name: 'apply_patch', tool_input: { input: patch } })
    await send({ hook_event_name: 'Stop', last_assistant_message: `Used [m1], ${token}, out-secret.` })
    expect((await service.end()).code).toBe(0)
    const exported = join(dataFolder(), 'all.jsonl')
    await runToEnd(['export', '--data-dir', dir, '--out', exported])
    for (const text of [textBelow(dir), readFileSync(exported, 'utf8')]) {
      expect(text).toContain('src/a.ts')
      expect(text).toContain('curl')
      for (const secret of secrets) expect(text.includes(secret), secret).toBe(false)
    }
    expect(service.stdout() + service.stderr()).not.toContain('hunter2')
  })
})
