import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test, vi } from 'vitest'
import { memgov } from '../harness/command.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { HttpClient } from '../harness/http-client.ts'
import { whyNoNetworkNamespace } from '../harness/namespaces.ts'
import { runToEnd, type ServedProcess, startProcess } from '../harness/process.ts'
import { answerOf } from '../harness/reply.ts'

// One process owns a data folder, whatever is done to the folder and to the environment of a second one.

const IS_LINUX = process.platform === 'linux'
const WITHOUT_FLOCK = { PATH: '/nonexistent' }
const NO_NAMESPACE = whyNoNetworkNamespace('a part of test/process/one-owner.test.ts')
const IN_NAMESPACE = ['unshare', '--net', '--']
const place = { tenant_id: 'owner', scope: 'one' }
let written = 0

async function write(served: ServedProcess): Promise<void> {
  const client = new HttpClient(served.url)
  written += 1
  answerOf(await client.call('observe', { ...place, input_text: `Fact ${written} is written.` }))
  await client.close()
}

async function expectRefused(
  dir: string,
  why: RegExp,
  env: Readonly<Record<string, string>> = {},
  through: readonly string[] = [],
): Promise<void> {
  const { code, stderr } = await runToEnd(['serve', '--port', '0', '--data-dir', dir], env, { through })
  expect(stderr).toMatch(why)
  expect(stderr).toMatch(/^memgov cannot start: /m)
  expect(code).toBe(1)
}

async function stop(served: ServedProcess): Promise<void> {
  expect(await served.end()).toEqual({ code: 0, signal: null })
}

describe.skipIf(!IS_LINUX)('one owner', () => {
  test('without the command flock no process starts, before another one or beside it', async () => {
    const dir = dataFolder()
    await expectRefused(dir, /the command flock is not in PATH/, WITHOUT_FLOCK)
    const first = await startProcess(dir)
    await expectRefused(dir, /the command flock is not in PATH/, WITHOUT_FLOCK)
    await write(first)
    await stop(first)
    await expectRefused(dir, /the command flock is not in PATH/, WITHOUT_FLOCK)
  })

  test('no command works on the folder of a live service, nor without flock', async () => {
    const dir = dataFolder()
    const served = await startProcess(dir)
    await write(served)
    const archive = join(dataFolder(), 'archive')
    writeFileSync(archive, 'none that could be imported')
    const commands = [
      ['repair', '--dry-run'],
      ['repair', '--yes'],
      ['verify'],
      ['inspect'],
      ['export', '--out', join(dataFolder(), 'new')],
      ['import', '--in', archive],
    ]
    for (const hasLockFile of [true, false]) {
      if (!hasLockFile) rmSync(join(dir, 'LOCK'))
      for (const [command = '', ...flags] of commands) {
        const argv = [command, ...flags, '--data', dir]
        const refused = await memgov(...argv)
        expect(refused.stderr, argv.join(' ')).toMatch(/is in use by/)
        expect(refused.code).toBe(2)
        vi.stubEnv('PATH', WITHOUT_FLOCK.PATH)
        const bare = await memgov(...argv)
        vi.unstubAllEnvs()
        expect(bare.stderr, argv.join(' ')).toMatch(/the command flock is not in PATH/)
        expect(bare.code).toBe(2)
      }
    }
    await served.end('SIGKILL')
  })

  test('LOCK removed by an operator: no second process starts, and the first notices and acknowledges nothing more', async () => {
    const dir = dataFolder()
    const first = await startProcess(dir)
    await write(first)
    rmSync(join(dir, 'LOCK'))
    await expectRefused(dir, /is in use by/)
    writeFileSync(join(dir, 'LOCK'), '')
    await expectRefused(dir, /is in use by/)
    const client = new HttpClient(first.url)
    await expect
      .poll(async () => answerOf(await client.call('health', {})).status, { timeout: 20_000 })
      .toBe('read_only')
    const { refusal } = await client.call('observe', { ...place, input_text: 'Too late.' })
    expect(refusal).toMatchObject({ status: 503, error: 'storage_read_only' })
    await client.close()
    await first.end('SIGKILL')
    const next = await startProcess(dir)
    await write(next)
    await stop(next)
  })

  test('another path to the folder leads to the same owner', async () => {
    const dir = dataFolder()
    const first = await startProcess(dir)
    const link = join(dataFolder(), 'link')
    symlinkSync(dir, link)
    await expectRefused(link, /is in use by/)
    rmSync(join(dir, 'LOCK'))
    await expectRefused(link, /is in use by/)
    await first.end('SIGKILL')
  })

  test.skipIf(NO_NAMESPACE !== null)(
    'a process in another network namespace is refused, also when LOCK is gone',
    async () => {
      const dir = dataFolder()
      const first = await startProcess(dir)
      await expectRefused(dir, /is in use by/, {}, IN_NAMESPACE)
      rmSync(join(dir, 'LOCK'))
      await expectRefused(dir, /is in use by/, {}, IN_NAMESPACE)
      await first.end('SIGKILL')
    },
  )

  test('the owner is named while it lives, and a folder is free after kill -9', async () => {
    const dir = join(dataFolder(), 'a', 'b')
    mkdirSync(dir, { recursive: true })
    const first = await startProcess(dir)
    await expectRefused(dir, new RegExp(`in use by process ${first.pid} on `))
    expect(JSON.parse(readFileSync(join(dir, 'LOCK'), 'utf8'))).toMatchObject({ pid: first.pid })
    await first.end('SIGKILL')
    const second = await startProcess(dir)
    await stop(second)
  })
})
