import { randomBytes } from 'node:crypto'
import { appendFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as elapsed } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { tellCounts } from '../harness/counts.ts'
import { filesBelow } from '../harness/data-folder.ts'
import { HttpClient } from '../harness/http-client.ts'
import { runToEnd, startProcess } from '../harness/process.ts'
import { answerOf, refusalOf } from '../harness/reply.ts'
import { foundIn, Secrets } from '../harness/secrets.ts'
import { mountSmallDisk, type SmallDisk, unmountSmallDisks, whyNoSmallDisk } from '../harness/small-disk.ts'

// A real file system that is really full. The disk is in memory and some megabytes large.

const REFUSED = whyNoSmallDisk('test/crash/full-disk.test.ts')
const MIB = 1024 * 1024
const FLAGS = ['--segment-bytes', String(MIB), '--snapshot-min-bytes', '65536', '--log-level', 'warn']
const WRITERS = 6
const place = { tenant_id: 'full', scope: 'one' }

afterAll(async () => {
  unmountSmallDisks()
})

/** Takes space away from the service, and gives it back. */
function ballast(disk: SmallDisk, bytes: number): () => void {
  const path = join(disk.dir, 'ballast')
  writeFileSync(path, Buffer.alloc(bytes, 1))
  return () => rmSync(path)
}

/** Takes every byte that is left. */
function fillUp(disk: SmallDisk): () => void {
  const path = join(disk.dir, 'rest')
  for (const bytes of [65_536, 4096, 1]) {
    for (let isFull = false; !isFull; ) {
      try {
        appendFileSync(path, Buffer.alloc(bytes, 1))
      } catch {
        isFull = true
      }
    }
  }
  return () => rmSync(path)
}

/** So many times in a row it was still full. */
const FULL_LOOKS = 5

/**
 * The same, until it stays so: a snapshot or a segment that is under way finds no room, and gives back what it took.
 * What begins behind that finds none at all.
 */
async function fillUpForGood(disk: SmallDisk, dir: string): Promise<() => void> {
  for (let looks = 0; ; ) {
    const isQuiet = filesBelow(dir).every((path) => !path.endsWith('.tmp'))
    const isFull = statfsSync(disk.dir).bavail === 0
    const free = fillUp(disk)
    looks = isQuiet && isFull ? looks + 1 : 0
    if (looks === FULL_LOOKS) return free
    await elapsed(20)
  }
}

/** Waits until no file of the folder holds one of the words. */
async function untilGone(dir: string, words: readonly string[]): Promise<void> {
  for (let looks = 0; looks < 300 && foundIn(dir, words).length > 0; looks += 1) await elapsed(50)
  expect(foundIn(dir, words)).toEqual([])
}

interface Written {
  readonly scope: string
  readonly clientId: string
  readonly text: string
  readonly operationId: string
  /** Null: refused, and it may be there. */
  id: string | null
}

const bodyOf = ({ scope, clientId, text, operationId }: Written) => ({
  ...place,
  scope,
  operation_id: operationId,
  memory: { client_id: clientId, text, payload: { filling: clientId.repeat(2000) } },
})

/** Writers that go on until a write is refused. */
async function fill(client: HttpClient): Promise<readonly Written[]> {
  const written: Written[] = []
  let isFull = false
  const writer = async (name: number) => {
    for (let round = 0; !isFull; round += 1) {
      const clientId = `w${name}-${round}`
      const text = `Shelf ${clientId} is full.`
      const each: Written = { scope: `s${name % 3}`, clientId, text, operationId: `op-${clientId}`, id: null }
      const reply = await client.call('observe', bodyOf(each))
      if (reply.refusal === null) each.id = reply.answer.memory_ids[0] ?? null
      else {
        expect(reply.refusal).toMatchObject({ status: 503, error: 'storage_read_only' })
        isFull = true
      }
      written.push(each)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, name) => writer(name)))
  return written
}

async function expectKept(client: HttpClient, written: readonly Written[]): Promise<void> {
  for (const { scope, text, id } of written.filter((each) => each.id !== null)) {
    const { node } = answerOf(await client.call('resolve', { uri: `svc://full/${scope}/memory/${id}` }))
    expect(node.text_summary).toBe(text)
  }
}

async function expectRepeatable(client: HttpClient, written: readonly Written[]): Promise<void> {
  for (const each of written) {
    const { memory_ids: ids } = answerOf(await client.call('observe', bodyOf(each)))
    if (each.id === null) each.id = ids[0] ?? null
    expect(ids).toEqual([each.id])
  }
}

/** Asks for health until it is as expected. */
async function until(client: HttpClient, expected: object): Promise<void> {
  for (let looks = 0; looks < 200; looks += 1) {
    const health = answerOf(await client.call('health', {}))
    const isThere = Object.entries(expected).every(([name, value]) =>
      Object.entries(health.storage).some(([key, found]) => key === name && found === value),
    )
    if (isThere) return
    await elapsed(50)
  }
  expect(answerOf(await client.call('health', {})).storage).toMatchObject(expected)
}

describe.skipIf(REFUSED !== null)('on a disk that is really full', () => {
  test('writes are refused, reads go on, nothing acknowledged is lost, and the service comes back by itself', async () => {
    const disk = mountSmallDisk('size=48m')
    const dir = join(disk.dir, 'data')
    const free = ballast(disk, 36 * MIB)
    const first = await startProcess(dir, [...FLAGS, '--low-space-bytes', '0'])
    const client = new HttpClient(first.url)
    const written = await fill(client)
    const acknowledged = written.filter(({ id }) => id !== null).length
    tellCounts('full disk', { acknowledged })
    expect(acknowledged).toBeGreaterThan(100)
    expect(answerOf(await client.call('health', {}))).toMatchObject({ ok: true, status: 'read_only' })
    await expectKept(client, written)
    const refused = await client.call('guide', { ...place, scope: 's0', query_text: 'shelf' })
    expect(refusalOf(refused)).toMatchObject({ status: 503, error: 'storage_read_only' })

    free()
    await until(client, { read_only: false })
    await expectKept(client, written)
    await expectRepeatable(client, written)
    const { agent_context } = answerOf(
      await client.call('guide', { ...place, scope: 's0', query_text: 'shelf' }),
    )
    expect(agent_context.memory_ids.length).toBeGreaterThan(0)
    await client.close()
    first.signal('SIGKILL')
    await first.exited

    const second = await startProcess(dir, [...FLAGS, '--low-space-bytes', '0'])
    const again = new HttpClient(second.url)
    await expectKept(again, written)
    await expectRepeatable(again, written)
    await again.close()
    second.signal('SIGTERM')
    expect(await second.exited).toEqual({ code: 0, signal: null })
    disk.unmount()
  })

  test('before it is full, growth is refused; forget and erase still work, and room ends it', async () => {
    const disk = mountSmallDisk('size=64m')
    const served = await startProcess(join(disk.dir, 'data'), FLAGS)
    const client = new HttpClient(served.url)
    const ids: string[] = []
    for (const text of ['Pump one is on.', 'Pump two is off.']) {
      ids.push(answerOf(await client.call('observe', { ...place, input_text: text })).memory_ids[0] ?? '')
    }
    const { bavail, bsize } = statfsSync(disk.dir)
    const free = ballast(disk, bavail * bsize - 3 * MIB)
    await until(client, { low_space: true, read_only: false })
    for (const operation of ['observe', 'guide'] as const) {
      const body = { ...place, input_text: 'Pump three is on.', query_text: 'pump' }
      expect(refusalOf(await client.call(operation, body))).toMatchObject({
        status: 503,
        error: 'storage_read_only',
        details: { reason: 'low_space' },
      })
    }
    const [first, second] = ids
    const suppressed = { operation: 'suppress', target: 'memory', reason: 'so', memory_ids: [first] }
    answerOf(await client.call('forget', { ...place, ...suppressed }))
    answerOf(await client.call('erase', { ...place, reason: 'so', memory_ids: [second] }))
    answerOf(await client.call('resolve', { uri: `svc://full/one/memory/${first}` }))
    free()
    await until(client, { low_space: false, read_only: false })
    answerOf(await client.call('observe', { ...place, input_text: 'Pump three is on.' }))
    await client.close()
    served.signal('SIGTERM')
    expect(await served.exited).toEqual({ code: 0, signal: null })
    disk.unmount()
  })

  test('with not one byte free forget works, and so does an erasure that fits into what is kept for it', async () => {
    const disk = mountSmallDisk('size=48m')
    const dir = join(disk.dir, 'data')
    const served = await startProcess(dir, FLAGS)
    const client = new HttpClient(served.url)
    const secrets = new Secrets('full')
    const ids: string[] = []
    for (const text of ['Pump one is on', 'Pump two is off']) {
      const body = { ...place, input_text: `${text}: ${secrets.word()}.` }
      ids.push(answerOf(await client.call('observe', body)).memory_ids[0] ?? '')
    }
    const [first, second] = ids
    await fillUpForGood(disk, dir)
    await until(client, { low_space: true, read_only: false })
    await fillUpForGood(disk, dir)
    const suppressed = { operation: 'suppress', target: 'memory', reason: 'so', memory_ids: [first] }
    answerOf(await client.call('forget', { ...place, ...suppressed }))
    answerOf(await client.call('erase', { ...place, reason: 'so', memory_ids: [second] }))
    expect(foundIn(dir, secrets.words.slice(1))).toEqual([])
    await client.close()
    served.signal('SIGTERM')
    await served.exited
    disk.unmount()
  })

  test.each(['goes on', 'is killed'])(
    'with not one byte free a larger erasure is recorded: when there is room it ends by itself, also when the service %s',
    async (way) => {
      const disk = mountSmallDisk('size=48m')
      const dir = join(disk.dir, 'data')
      let served = await startProcess(dir, FLAGS)
      let client = new HttpClient(served.url)
      const secrets = new Secrets('full')
      const ids: string[] = []
      for (const text of ['Pump one is on', 'Pump two is off', 'Pump three is hot']) {
        const body = { ...place, input_text: `${text}: ${secrets.word()}.` }
        ids.push(answerOf(await client.call('observe', body)).memory_ids[0] ?? '')
      }
      for (let filling = 0; filling < 60; filling += 1) {
        const payload = { filling: randomBytes(3000).toString('hex') }
        answerOf(
          await client.call('observe', { ...place, memory: { text: `Pump hall ${filling}`, payload } }),
        )
      }
      const [first, second, third] = ids
      const free = await fillUpForGood(disk, dir)
      await until(client, { low_space: true, read_only: false })
      await fillUpForGood(disk, dir)
      const suppressed = { operation: 'suppress', target: 'memory', reason: 'so', memory_ids: [first] }
      answerOf(await client.call('forget', { ...place, ...suppressed }))
      for (const id of [second, third]) {
        const erased = await client.call('erase', { ...place, reason: 'so', memory_ids: [id] })
        expect(refusalOf(erased)).toMatchObject({
          status: 503,
          error: 'erase_incomplete',
          details: { reason: 'disk_full' },
          message: expect.stringMatching(/recorded.*goes by itself as soon as there is room/),
        })
        const uri = `svc://full/one/memory/${id}`
        expect(refusalOf(await client.call('resolve', { uri }))).toMatchObject({ details: { erased: true } })
      }
      expect(foundIn(dir, secrets.words.slice(1)).length).toBeGreaterThan(0)
      if (way === 'is killed') {
        await client.close()
        served.signal('SIGKILL')
        await served.exited
        free()
        served = await startProcess(dir, FLAGS)
        client = new HttpClient(served.url)
      } else free()
      await untilGone(dir, secrets.words.slice(1))
      await until(client, { low_space: false, read_only: false })
      answerOf(await client.call('observe', { ...place, input_text: 'Pump four is new.' }))
      const again = await client.call('erase', { ...place, reason: 'so', memory_ids: [second] })
      expect(answerOf(again)).toMatchObject({ already_erased_memory_ids: [second] })
      await client.close()
      served.signal('SIGTERM')
      expect(await served.exited).toEqual({ code: 0, signal: null })
      disk.unmount()
    },
    60_000,
  )

  test('no room for a first segment is said at the start', async () => {
    const disk = mountSmallDisk('size=256k')
    const { code, stderr } = await runToEnd(['serve', '--port', '0', '--data-dir', join(disk.dir, 'data')])
    expect(stderr).toMatch(/^memgov cannot start: the volume of .* is full/m)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(code).toBe(1)
    disk.unmount()
  })
})
