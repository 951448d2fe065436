import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, truncateSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as elapsed } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { dataFolder } from '../harness/data-folder.ts'
import { HttpClient } from '../harness/http-client.ts'
import { startProcess } from '../harness/process.ts'
import { answerOf } from '../harness/reply.ts'
import { mountSmallDisk, unmountSmallDisks, whyNoSmallDisk } from '../harness/small-disk.ts'

// What a service acknowledges lies where the next start looks for it: a folder that is lost ends acknowledgements.

const NO_DISK = whyNoSmallDisk('a part of test/process/lost-folder.test.ts')
const FLAGS = ['--resident-actors-max', '2', '--log-level', 'warn']
/** Scopes that were written and of which most have left memory. */
const SCOPES = 8
/** A process that stood still for so long looks at its folder before it acknowledges anything. */
const STOPPED_MS = 1200

afterAll(async () => {
  unmountSmallDisks()
})

const placeOf = (scope: number) => ({ tenant_id: 'lost', scope: `s${scope}` })
const segmentIn = (dir: string): string => {
  const wal = join(dir, 'wal')
  return join(wal, readdirSync(wal).toSorted()[0] ?? '')
}

const LOSSES: readonly (readonly [string, (dir: string) => void])[] = [
  // The service may write a file meanwhile, and then the folder is not empty.
  ['deleted', (dir) => rmSync(dir, { recursive: true, maxRetries: 5 })],
  ['renamed', (dir) => renameSync(dir, `${dir}.elsewhere`)],
  [
    'replaced by an empty folder',
    (dir) => {
      renameSync(dir, `${dir}.elsewhere`)
      mkdirSync(dir)
    },
  ],
  [
    'replaced by a copy of itself',
    (dir) => {
      renameSync(dir, `${dir}.elsewhere`)
      cpSync(`${dir}.elsewhere`, dir, { recursive: true })
    },
  ],
  ['without its journal', (dir) => rmSync(join(dir, 'wal'), { recursive: true })],
  ['without the segment being written', (dir) => unlinkSync(segmentIn(dir))],
  ['with the segment being written cut off', (dir) => truncateSync(segmentIn(dir), 4096)],
]

/** Waits until a service knows that it may write no more. How soon that is, the test of the watch says. */
async function noticed(client: HttpClient): Promise<void> {
  await expect
    .poll(async () => answerOf(await client.call('health', {})).status, { timeout: 20_000 })
    .toBe('read_only')
}

/** Loses the folder of a live service, and sees what it answers from the moment when it has noticed. */
async function expectNothingAcknowledged(dir: string, lose: (dir: string) => void): Promise<void> {
  const served = await startProcess(dir, FLAGS)
  const client = new HttpClient(served.url)
  const uris: string[] = []
  for (let scope = 0; scope < SCOPES; scope += 1) {
    const body = { ...placeOf(scope), input_text: `The fact of scope ${scope}.`, operation_id: `op-${scope}` }
    const [id] = answerOf(await client.call('observe', body)).memory_ids
    uris.push(`svc://lost/s${scope}/memory/${id}`)
  }
  lose(dir)
  await noticed(client)
  for (let scope = 0; scope < SCOPES; scope += 1) {
    const again = {
      ...placeOf(scope),
      input_text: `The fact of scope ${scope}.`,
      operation_id: `op-${scope}`,
    }
    const other = { ...placeOf(scope), input_text: `Another fact of scope ${scope}.` }
    const guide = { ...placeOf(scope), query_text: 'fact' }
    for (const reply of [
      await client.call('observe', other),
      await client.call('observe', again),
      await client.call('guide', guide),
    ]) {
      expect(reply.refusal).toMatchObject({ status: 503, error: 'storage_read_only' })
    }
    // What is in memory may be read; what is not is refused for what it is.
    const read = await client.call('resolve', { uri: uris[scope] ?? '' })
    if (read.refusal !== null) expect(read.refusal).toMatchObject({ status: 503, error: 'storage_read_only' })
  }
  const health = answerOf(await client.call('health', {}))
  expect(health).toMatchObject({ ok: true, status: 'read_only', storage: { read_only: true } })
  expect(served.stderr()).toMatch(/the data folder is lost/)
  await client.close()
  expect((await served.end()).signal).toBeNull()
}

describe('a folder that a live service loses', () => {
  test.each(LOSSES)(
    '%s: once that is noticed nothing is acknowledged, and no answer is a 500',
    async (_how, lose) => {
      await expectNothingAcknowledged(join(dataFolder(), 'data'), lose)
    },
  )

  test('nothing is written into the folder that took the place of a lost one', async () => {
    const dir = join(dataFolder(), 'data')
    await expectNothingAcknowledged(dir, (lost) => {
      renameSync(lost, `${lost}.elsewhere`)
      mkdirSync(lost)
    })
    expect(readdirSync(dir, { recursive: true })).toEqual([])
  })

  test('put back, it has everything that was acknowledged', async () => {
    const dir = join(dataFolder(), 'data')
    await expectNothingAcknowledged(dir, (lost) => renameSync(lost, `${lost}.elsewhere`))
    renameSync(`${dir}.elsewhere`, dir)
    const served = await startProcess(dir, FLAGS)
    const client = new HttpClient(served.url)
    for (let scope = 0; scope < SCOPES; scope += 1) {
      const { agent_context } = answerOf(
        await client.call('guide', { ...placeOf(scope), query_text: 'fact' }),
      )
      expect(agent_context.prompt_text).toContain(`The fact of scope ${scope}.`)
    }
    await client.close()
    await served.end()
  })

  test.skipIf(NO_DISK !== null)('unmounted under the service, lazily: the same', async () => {
    const disk = mountSmallDisk('size=64m')
    const dir = join(disk.dir, 'data')
    await expectNothingAcknowledged(dir, () => {
      expect(spawnSync('umount', ['-l', disk.dir]).status).toBe(0)
      // What a mount point had below it.
      mkdirSync(dir)
    })
    expect(readdirSync(dir)).toEqual([])
    disk.unmount()
  })

  test('stopped over the loss: what waits then is not acknowledged either', async () => {
    const dir = join(dataFolder(), 'data')
    const served = await startProcess(dir, FLAGS)
    const client = new HttpClient(served.url)
    answerOf(await client.call('observe', { ...placeOf(0), input_text: 'The first fact.' }))
    served.signal('SIGSTOP')
    const waiting = client.call('observe', { ...placeOf(0), input_text: 'The second fact.' })
    await elapsed(STOPPED_MS)
    rmSync(dir, { recursive: true })
    served.signal('SIGCONT')
    expect((await waiting).refusal).toMatchObject({ status: 503, error: 'storage_read_only' })
    await client.close()
    await served.end('SIGKILL')
  })
})
