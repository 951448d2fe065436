import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as elapsed } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { dataFolder } from '../harness/data-folder.ts'
import { HttpClient } from '../harness/http-client.ts'
import { runToEnd, startProcess } from '../harness/process.ts'
import { answerOf } from '../harness/reply.ts'
import { mountSmallDisk, unmountSmallDisks, whyNoSmallDisk } from '../harness/small-disk.ts'

// Folders that cannot be used, or no longer: the operator is told, nothing acknowledged is lost, nothing hangs.

const NO_DISK = whyNoSmallDisk('a part of test/crash/odd-folders.test.ts')
const NO_OTHER_USER = whyNoOtherUser()
const AS_NOBODY = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups']
const place = { tenant_id: 'odd', scope: 'one' }

function whyNoOtherUser(): string | null {
  const tried = spawnSync('setpriv', ['--reuid', '65534', '--regid', '65534', '--clear-groups', 'true'])
  if (tried.status === 0) return null
  const why = 'a part of test/crash/odd-folders.test.ts is skipped: no process of another user can be started'
  process.stderr.write(`${why}\n`)
  return why
}

afterAll(async () => {
  unmountSmallDisks()
})

/** A folder with some memory in it, closed in order. */
async function filled(dir: string): Promise<readonly string[]> {
  const served = await startProcess(dir)
  const client = new HttpClient(served.url)
  const ids: string[] = []
  for (let round = 0; round < 5; round += 1) {
    ids.push(...answerOf(await client.call('observe', { ...place, input_text: `Fact ${round}.` })).memory_ids)
  }
  await client.close()
  served.signal('SIGTERM')
  expect(await served.exited).toEqual({ code: 0, signal: null })
  return ids
}

async function expectFound(dir: string, ids: readonly string[]): Promise<void> {
  const served = await startProcess(dir)
  const client = new HttpClient(served.url)
  for (const id of ids) answerOf(await client.call('resolve', { uri: `svc://odd/one/memory/${id}` }))
  await client.close()
  served.signal('SIGTERM')
  await served.exited
}

describe.skipIf(NO_DISK !== null)('on a disk of its own', () => {
  test('a folder that is read-only is refused at the start, and is as it was', async () => {
    const disk = mountSmallDisk('size=64m')
    const dir = join(disk.dir, 'data')
    const ids = await filled(dir)
    disk.remount('ro')
    const { code, stderr } = await runToEnd(['serve', '--port', '0', '--data-dir', dir])
    expect(stderr).toMatch(/^memgov cannot start: EROFS: read-only file system/m)
    expect(code).toBe(1)
    disk.remount('rw')
    await expectFound(dir, ids)
    disk.unmount()
  })

  test('no more files can be made: read-only, and by itself back when they can', async () => {
    const disk = mountSmallDisk('size=64m,nr_inodes=120')
    const flags = ['--segment-bytes', '65536', '--log-level', 'warn']
    const served = await startProcess(join(disk.dir, 'data'), flags)
    const client = new HttpClient(served.url)
    const taken = join(disk.dir, 'taken')
    mkdirSync(taken)
    expect(() => {
      for (let file = 0; ; file += 1) writeFileSync(join(taken, String(file)), '')
    }).toThrow(/ENOSPC/)
    const ids: string[] = []
    for (let isFull = false; !isFull; ) {
      const body = { ...place, input_text: `Fact ${ids.length}. ${'and so on '.repeat(300)}` }
      const reply = await client.call('observe', body)
      if (reply.answer !== null) ids.push(...reply.answer.memory_ids)
      else {
        expect(reply.refusal.error).toBe('storage_read_only')
        isFull = true
      }
    }
    for (const id of ids) answerOf(await client.call('resolve', { uri: `svc://odd/one/memory/${id}` }))
    rmSync(taken, { recursive: true })
    for (let looks = 0; looks < 200; looks += 1) {
      if (answerOf(await client.call('health', {})).status === 'ready') break
      await elapsed(50)
    }
    for (const id of ids) answerOf(await client.call('resolve', { uri: `svc://odd/one/memory/${id}` }))
    answerOf(await client.call('observe', { ...place, input_text: 'A fact afterwards.' }))
    await client.close()
    served.signal('SIGTERM')
    expect(await served.exited).toEqual({ code: 0, signal: null })
    disk.unmount()
  })
})

describe.skipIf(NO_OTHER_USER !== null)('as a user who may not', () => {
  test.each([
    ['write', 0o755],
    ['enter', 0o700],
  ])('%s the folder, the start is refused and says so', async (_what, mode) => {
    const dir = dataFolder()
    const ids = await filled(dir)
    chmodSync(dir, mode)
    const argv = ['serve', '--port', '0', '--data-dir', dir]
    const { code, stderr } = await runToEnd(argv, {}, { through: AS_NOBODY })
    expect(stderr).toMatch(/^memgov cannot start: EACCES: permission denied/m)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(code).toBe(1)
    await expectFound(dir, ids)
  })
})

test('a folder that vanishes under the service: writes end with a refusal, the process lives and can be ended', async () => {
  const dir = dataFolder()
  const flags = ['--segment-bytes', '65536', '--log-level', 'warn']
  const served = await startProcess(dir, flags)
  const client = new HttpClient(served.url)
  answerOf(await client.call('observe', { ...place, input_text: 'A fact.' }))
  rmSync(dir, { recursive: true })
  let refusal: string | null = null
  for (let round = 0; round < 400 && refusal === null; round += 1) {
    const body = { ...place, input_text: `Fact ${round}. ${'and so on '.repeat(300)}` }
    refusal = (await client.call('observe', body)).refusal?.error ?? null
  }
  expect(refusal).toBe('storage_read_only')
  expect(answerOf(await client.call('health', {}))).toMatchObject({ ok: true, status: 'read_only' })
  expect(served.stderr()).toMatch(/journal poisoned/)
  await client.close()
  served.signal('SIGTERM')
  const { code, signal } = await served.exited
  expect({ signal, code: code === 0 || code === 1 }).toEqual({ signal: null, code: true })
})
