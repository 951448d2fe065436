import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { crashImageOf, dataFolder, filesBelow } from '../harness/data-folder.ts'
import { type Embedded, isOnFiles, startEmbedded } from '../harness/embedded.ts'
import { foundIn } from '../harness/secrets.ts'
import { manualClock, START_MS } from '../harness/system.ts'

const place = { tenant_id: 'indexed', scope: 'one' }
/** More than five memories are many here. */
const config = { workerMemoriesMin: 5, snapshotMinBytes: 4096 } as const
/** Ids count up from the time of the clock: another life makes other ones. */
const later = () => manualClock(START_MS + 60_000)
const WORDS = ['gateway', 'harbour', 'deploying', 'deployed', 'src/auth/session.ts', 'TS2345']

async function observe(service: Embedded, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += 1) {
    const text = `Report ${at}: ${WORDS[at % WORDS.length]} and ${WORDS[(at * 5 + 1) % WORDS.length]} of hall ${at % 4}.`
    // Every fourth one takes the place of an earlier one.
    const client_id = at % 4 === 0 ? `report-${at % 16}` : null
    await service.ok('observe', { ...place, memory: { text, ...(client_id === null ? {} : { client_id }) } })
  }
}

async function answers(service: Embedded): Promise<readonly object[]> {
  const told: object[] = []
  for (const query_text of [...WORDS, 'deploying the gateway of hall 3', 'nothing of this']) {
    const { agent_context } = await service.ok('guide', { ...place, query_text, limit: 50 })
    told.push(agent_context)
  }
  return told
}

/** How the actor was loaded so far, one entry for each load. */
const loads = ({ lines }: Embedded) =>
  lines.flatMap(({ message, fields }) =>
    message === 'actor is loaded' && 'turns' in fields && 'isIndexStored' in fields
      ? [{ turns: fields.turns, isIndexStored: fields.isIndexStored }]
      : [],
  )

const indexFiles = (dir: string) => filesBelow(join(dir, 'idx'))

describe.skipIf(!isOnFiles)('a large actor', () => {
  test('is loaded with its stored index and answers as with one that is built', async () => {
    const service = await startEmbedded({ config })
    await observe(service, 0, 60)
    const before = await answers(service)
    await service.restart()
    expect(await answers(service)).toEqual(before)
    expect(loads(service).at(-1)).toEqual({ turns: 0, isIndexStored: true })
    await service.close()
    const bare = dataFolder()
    cpSync(service.dir, bare, { recursive: true })
    for (const path of indexFiles(bare)) rmSync(path)
    const again = await startEmbedded({ dir: bare, config })
    expect(await answers(again)).toEqual(before)
    expect(loads(again)).toEqual([{ turns: 0, isIndexStored: false }])
    await again.close()
    expect(indexFiles(bare)).toHaveLength(1)
  })

  test('after a crash takes its stored index on through every later turn', async () => {
    const service = await startEmbedded({ config })
    await observe(service, 0, 60)
    await service.restart()
    await observe(service, 60, 90)
    await service.ok('erase', { ...place, reason: 'asked for', client_ids: ['report-4'] })
    await observe(service, 90, 93)
    const before = await answers(service)
    // The index of the snapshot that the erasure made is written behind it.
    await vi.waitFor(() => expect(indexFiles(service.dir)).toHaveLength(1), 10_000)
    const image = crashImageOf(service.dir)
    const crashed = await startEmbedded({ dir: image, config })
    expect(await answers(crashed)).toEqual(before)
    const [load] = loads(crashed)
    expect(load?.isIndexStored).toBe(true)
    expect(load?.turns).not.toBe(0)
  })

  test('is loaded without it when it is damaged, and it is stored again', async () => {
    const service = await startEmbedded({ config })
    await observe(service, 0, 40)
    const before = await answers(service)
    await service.close()
    const [path = ''] = indexFiles(service.dir)
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const again = await startEmbedded({ dir: service.dir, config })
    expect(await answers(again)).toEqual(before)
    expect(loads(again)).toEqual([{ turns: 0, isIndexStored: false }])
    expect(again.lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
    await again.restart()
    expect(await answers(again)).toEqual(before)
    expect(loads(again).at(-1)).toEqual({ turns: 0, isIndexStored: true })
  })

  test('does not take an index of an earlier snapshot', async () => {
    const service = await startEmbedded({ config })
    await observe(service, 0, 40)
    await service.restart()
    const [early = ''] = indexFiles(service.dir)
    const bytes = readFileSync(early)
    await observe(service, 40, 60)
    const before = await answers(service)
    await service.close()
    const [late = ''] = indexFiles(service.dir)
    expect(late).not.toBe(early)
    rmSync(late)
    writeFileSync(early, bytes)
    const stale = await startEmbedded({ dir: service.dir, config })
    expect(await answers(stale)).toEqual(before)
    expect(loads(stale)).toEqual([{ turns: 0, isIndexStored: false }])
    await stale.close()
    expect(indexFiles(service.dir)).toHaveLength(1)
  })

  test('that has lost its last turns takes no index of them, and an erasure leaves no word in one', async () => {
    const service = await startEmbedded({ config })
    await observe(service, 0, 40)
    await service.restart()
    const cut = dataFolder()
    await answers(service)
    await service.close()
    cpSync(service.dir, cut, { recursive: true })
    const again = await startEmbedded({ dir: service.dir, config, clock: later() })
    const text = 'The quondamsecret of hall 3.'
    await again.ok('observe', { ...place, memory: { text, client_id: 'secret' } })
    await again.close()
    rmSync(join(cut, 'idx'), { recursive: true })
    cpSync(join(service.dir, 'idx'), join(cut, 'idx'), { recursive: true })
    expect(foundIn(cut, ['quondamsecret'])).toHaveLength(1)
    const behind = await startEmbedded({ dir: cut, config, clock: later() })
    await behind.ok('erase', { ...place, reason: 'asked for', client_ids: ['report-4'] })
    expect(loads(behind)[0]?.isIndexStored).toBe(false)
    expect(foundIn(cut, ['quondamsecret'])).toEqual([])
  })

  test('that broke is read again without what was derived from it', async () => {
    const service = await startEmbedded({ config })
    await observe(service, 0, 40)
    await service.restart()
    await answers(service)
    await service.registry.use(place.tenant_id, place.scope, async (actor) => {
      actor.condemn(new Error('broken by a test'))
    })
    await answers(service)
    expect(
      loads(service)
        .slice(-2)
        .map(({ isIndexStored }) => isIndexStored),
    ).toEqual([true, false])
  })
})

test.skipIf(!isOnFiles)('of a small actor no index is stored', async () => {
  const service = await startEmbedded({ config: { ...config, workerMemoriesMin: 2_000 } })
  await observe(service, 0, 40)
  await service.restart()
  await answers(service)
  expect(loads(service).at(-1)).toEqual({ turns: 0, isIndexStored: false })
  await service.close()
  expect(readdirSync(join(service.dir, 'idx'))).toEqual([])
})
