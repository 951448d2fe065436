import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { memgov } from '../harness/command.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { HttpClient } from '../harness/http-client.ts'
import { listening } from '../harness/listener.ts'
import { runToEnd, startProcess } from '../harness/process.ts'
import { answerOf } from '../harness/reply.ts'

const place = { tenant_id: 'lifecycle', scope: 'one' }
const CLEAN = { code: 0, signal: null }

function logLines(stderr: string): readonly Record<string, unknown>[] {
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
}

describe('a data folder', () => {
  test('in use refuses a second process, which names the holder; the first goes on', async () => {
    const dir = dataFolder()
    const first = await startProcess(dir)
    const second = await runToEnd(['serve', '--port', '0', '--data-dir', dir])
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(dir)
    expect(second.stderr).toContain(`process ${first.pid}`)
    expect(second.stderr).not.toMatch(/\n\s+at /)
    const client = new HttpClient(first.url)
    answerOf(await client.call('observe', { ...place, input_text: 'Still here.' }))
    await client.close()
    await first.end('SIGKILL')
    const third = await startProcess(dir)
    expect(await third.end()).toEqual(CLEAN)
  })

  test('of a later format is refused and left as it is', async () => {
    const dir = dataFolder()
    const first = await startProcess(dir)
    await first.end()
    const path = join(dir, 'FORMAT.json')
    const changed = readFileSync(path, 'utf8').replace(/"formatVersion":\s*\d+/, '"formatVersion": 99')
    expect(changed).toContain('99')
    writeFileSync(path, changed)
    const second = await runToEnd(['serve', '--port', '0', '--data-dir', dir])
    expect(second.code).toBe(1)
    expect(second.stderr).toMatch(/^memgov cannot start: .*99/)
    expect(readFileSync(path, 'utf8')).toBe(changed)
  })
})

describe('SIGTERM', () => {
  test('finishes, writes snapshots and exits 0; the next start replays nothing', async () => {
    const dir = dataFolder()
    const first = await startProcess(dir, ['--log-level', 'warn'])
    const client = new HttpClient(first.url)
    const scopes = Array.from({ length: 5 }, (_, index) => ({ ...place, scope: `scope-${index}` }))
    for (const scope of scopes) {
      for (let round = 0; round < 5; round += 1) {
        answerOf(await client.call('observe', { ...scope, input_text: `Fact ${round}.` }))
        answerOf(await client.call('guide', { ...scope, query_text: 'fact' }))
      }
    }
    expect(await first.end()).toEqual(CLEAN)
    expect(first.stderr()).toBe('')
    await client.close()

    const second = await startProcess(dir, ['--log-level', 'debug'])
    const again = new HttpClient(second.url)
    for (const scope of scopes) answerOf(await again.call('guide', { ...scope, query_text: 'fact' }))
    await again.close()
    expect(await second.end()).toEqual(CLEAN)
    const loaded = logLines(second.stderr()).filter((line) => line['msg'] === 'actor is loaded')
    expect(loaded).toHaveLength(5)
    for (const line of loaded) expect(line).toMatchObject({ seq: 10, turns: 0, memories: 5 })
  })

  test('under load answers every request or refuses it, and keeps what it acknowledged', async () => {
    const dir = dataFolder()
    // With so much time to drain, a connection that is left open is a test that does not end.
    const options = ['--log-level', 'warn', '--shutdown-deadline-ms', '600000']
    const first = await startProcess(dir, options)
    const client = new HttpClient(first.url, 8)
    const acknowledged: string[] = []
    let isStopped = false
    const writer = async (name: number) => {
      for (let round = 0; !isStopped; round += 1) {
        const body = { ...place, scope: `load-${name % 3}`, input_text: `Fact ${round} of ${name}.` }
        const reply = await client.call('observe', body).catch(() => null)
        if (reply?.refusal) expect(reply.refusal.error).toBe('shutting_down')
        if (reply?.answer) acknowledged.push(`${body.scope} ${reply.answer.memory_ids[0]}`)
        else isStopped = true
        // Once only: a second signal ends the process without waiting.
        if (reply?.answer && acknowledged.length === 40) first.signal('SIGTERM')
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, name) => writer(name)))
    expect(await first.exited).toEqual(CLEAN)
    await client.close()
    const second = await startProcess(dir)
    const again = new HttpClient(second.url)
    for (const each of acknowledged) {
      const [scope = '', id = ''] = each.split(' ')
      const body = { ...place, scope, reason: 'after', memory_ids: [id], mode: 'summary_only' }
      expect(answerOf(await again.call('rehydrate', body)).result.memories).toHaveLength(1)
    }
    await again.close()
    second.signal('SIGINT')
    expect(await second.exited).toEqual(CLEAN)
  })

  test('ends connections that are kept alive without a request', async () => {
    const served = await startProcess(dataFolder())
    const client = new HttpClient(served.url, 4)
    await Promise.all([1, 2, 3, 4].map(() => client.call('health', {})))
    expect(await served.end()).toEqual(CLEAN)
    await client.close()
  })
})

test('a service whose output nobody reads any more serves on', async () => {
  const served = await startProcess(dataFolder(), ['--log-level', 'debug'])
  const client = new HttpClient(served.url)
  served.leaveOutput()
  for (const fact of ['One.', 'Two.', 'Three.']) {
    // Every scope is loaded, which is logged.
    answerOf(await client.call('observe', { ...place, scope: fact, input_text: fact }))
  }
  await client.close()
  expect(await served.end()).toEqual(CLEAN)
})

describe('a process that cannot start exits with 1 and says why', () => {
  const refused: Readonly<
    Record<string, readonly [readonly string[], Readonly<Record<string, string>>, RegExp]>
  > = {
    'two mistakes at once': [
      ['--workers', '0'],
      { MEMGOV_INTERVAL_MS: '-1' },
      /MEMGOV_INTERVAL_MS[^]*--workers|--workers[^]*MEMGOV_INTERVAL_MS/,
    ],
    'a folder that is a file': [['--data-dir', '/dev/null'], {}, /memgov cannot start/],
  }
  test.each(Object.keys(refused))('%s', async (name) => {
    const [flags, env, expected] = refused[name]!
    const argv = ['serve', ...(flags.includes('--data-dir') ? [] : ['--data-dir', dataFolder()]), ...flags]
    for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value)
    const { code, stderr, stdout } = await memgov(...argv)
    expect(stderr).toMatch(expected)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(stdout).toBe('')
    expect(code).toBe(1)
  })

  test('a port in use; the folder is free again afterwards', async () => {
    const { port } = new URL(await listening(() => {}))
    const dir = dataFolder()
    const { code, stderr } = await runToEnd(['serve', '--port', port, '--data-dir', dir])
    expect(code).toBe(1)
    expect(stderr).toContain(`cannot listen on 127.0.0.1:${port}: it is in use`)
    const served = await startProcess(dir)
    expect(await served.end()).toEqual(CLEAN)
  })
})
