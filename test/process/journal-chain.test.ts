import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { openJournal } from '../../src/adapters/journal/file-journal.ts'
import { FIRST_LINK } from '../../src/adapters/journal/format.ts'
import { readSpan, spanOf } from '../../src/adapters/journal/record-index.ts'
import { recordsInOrder } from '../../src/adapters/journal/rewriting.ts'
import { readStore } from '../../src/app/store/read-store.ts'
import { verifyStore } from '../../src/app/store/verify-store.ts'
import { GRANT, silentLog } from '../crash/journal-life.ts'
import { memgov } from '../harness/command.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'

const CONFIG = { segmentBytes: 65_536, journalChain: 'sha256' } as const
const place = { tenant_id: 'chain', scope: 'one' }
const SECRET = 'ownership-is-with-team-a'
const FORGED = 'ownership-is-with-team-b'

let dir: string
/** Heads that health told, after each half of the life. */
let heads: readonly string[]

beforeAll(async () => {
  const service = await startEmbedded({ config: CONFIG })
  dir = service.dir
  const told: string[] = []
  // One snapshot lets no segment go: this actor keeps them all.
  await service.ok('observe', { ...place, scope: 'keeper', input_text: 'Kept.' })
  for (const half of [0, 1]) {
    await write(service, half)
    told.push(headOf(service))
    await service.restart()
  }
  heads = told
  await service.close()
}, 60_000)

async function write(service: Embedded, half: number): Promise<void> {
  for (let i = 0; i < 30; i += 1) {
    const input_text = `Fact ${half}-${i}: ${SECRET}. ${'The pump is off. '.repeat(60)}`
    await service.ok('observe', { ...place, input_text })
  }
}

function headOf(service: Embedded): string {
  const { storage } = service.runtime.health() as { storage: { journal_chain_head: string | null } }
  return storage.journal_chain_head ?? ''
}

const verified = (folder: string, pinnedHead: string | null) =>
  verifyStore(folder, { chain: { pinnedHead }, exposureRetentionMs: 0, nowMs: 0 })

/** The same records in a journal of their own, with one word changed and every checksum and link right. */
async function forgedCopy(): Promise<string> {
  const copy = dataFolder()
  cpSync(join(dir, 'FORMAT.json'), join(copy, 'FORMAT.json'))
  const store = await readStore(dir)
  const options = { dir: copy, log: silentLog, segmentBytes: 65_536, isChained: true, nowMs: () => 0 }
  const journal = await openJournal(options)
  for (const segment of store.journal.segments) {
    const runs = new Map(segment.places.runs.map((run) => [run.actor.key, run]))
    expect(recordsInOrder(segment).length).toBe(segment.records)
    for (const run of runs.values()) {
      for await (const record of readSpan(nodeFiles, spanOf(run, 1, Number.MAX_SAFE_INTEGER))) {
        const payload = Buffer.from(record.payload)
        const at = payload.indexOf(SECRET)
        if (record.actorSeq === 3 && at >= 0) payload.write(FORGED, at)
        await journal.append(GRANT, { ...record, payload })
      }
    }
  }
  await journal.close()
  return copy
}

describe('the hash chain of a journal', () => {
  test('leads from the first batch to the head that health told, over segments and restarts', async () => {
    expect(readdirSync(join(dir, 'wal')).length).toBeGreaterThan(2)
    const whole = await verified(dir, null)
    expect(whole.problems).toEqual([])
    expect(whole.chain?.head).toMatch(/^[0-9a-f]{64}$/)
    expect(whole.chain?.head).not.toBe(FIRST_LINK)
    expect(whole.chain?.fromSegment).toBe(1)
    const head = whole.chain?.head ?? ''
    expect((await verified(dir, head)).chain?.batchesSincePinned).toBe(0)
    // A head that was kept earlier is found further back.
    const since = await Promise.all(
      heads.map(async (each) => (await verified(dir, each)).chain?.batchesSincePinned),
    )
    expect(since[0]).toBeGreaterThan(since[1] ?? 0)
    expect(since[1]).toBeGreaterThanOrEqual(0)
  })

  test('finds a store that was written anew with right checksums, by a head that was kept elsewhere', async () => {
    const forged = await forgedCopy()
    expect((await verified(forged, null)).problems).toEqual([])
    expect((await verified(forged, null)).chain?.head).toMatch(/^[0-9a-f]{64}$/)
    for (const head of [(await verified(dir, null)).chain?.head ?? '', ...heads]) {
      const { problems, chain } = await verified(forged, head)
      expect(problems.map(({ what }) => what)).toEqual([
        expect.stringMatching(/^the pinned head is not in the chain/),
      ])
      expect(chain?.batchesSincePinned).toBeNull()
    }
  })

  test('finds an early segment that was exchanged for one with right checksums', async () => {
    const forged = await forgedCopy()
    const copy = dataFolder()
    cpSync(dir, copy, { recursive: true })
    const name = readdirSync(join(copy, 'wal')).sort()[0] ?? ''
    writeFileSync(join(copy, 'wal', name), readFileSync(join(forged, 'wal', name)))
    const { problems } = await verified(copy, null)
    expect(problems.length).toBeGreaterThan(0)
  })

  test('is begun, ended and begun again by the option, and segments without it stay readable', async () => {
    const service = await startEmbedded({ config: { ...CONFIG, journalChain: 'off' } })
    await service.ok('observe', { ...place, input_text: 'Without a chain.' })
    expect((await verified(service.dir, heads[0] ?? '')).problems).toMatchObject([
      { what: 'the journal keeps no chain, so that the pinned head cannot be found' },
    ])
    await service.restart(CONFIG)
    await service.ok('observe', { ...place, input_text: 'With a chain.' })
    const head = headOf(service)
    const state = await service.digest(place)
    await service.restart({ ...CONFIG, journalChain: 'off' })
    expect(headOf(service)).toBe('')
    expect(await service.digest(place)).toBe(state)
    await service.ok('observe', { ...place, input_text: 'Without it again.' })
    await service.close()
    expect((await verified(service.dir, null)).chain?.head).toBeNull()
    // What is behind the end of a chain is not vouched for by its head.
    expect((await verified(service.dir, head)).problems).toHaveLength(1)
  })

  test('goes on behind a command that looks into the folder, whatever the environment of that says', async () => {
    const copy = dataFolder()
    cpSync(dir, copy, { recursive: true })
    rmSync(join(copy, 'LOCK'))
    const head = (await verified(copy, null)).chain?.head ?? ''
    const list = ['ls', '--tenant', 'chain', '--scope', 'one', '--data-dir', copy] as const
    expect(await memgov(...list)).toMatchObject({ code: 0, stderr: '' })
    const { chain, problems } = await verified(copy, head)
    expect([problems, chain?.batchesSincePinned]).toEqual([[], expect.any(Number)])
    const plain = await startEmbedded()
    await plain.ok('observe', { ...place, input_text: 'Without a chain.' })
    await plain.close()
    vi.stubEnv('MEMGOV_JOURNAL_CHAIN', 'sha256')
    expect(await memgov(...list.slice(0, -1), plain.dir)).toMatchObject({ code: 0 })
    expect((await verified(plain.dir, null)).chain?.head).toBeNull()
    vi.unstubAllEnvs()
  })

  test('a link in a header that is not whole is damage, as any other byte of the header', async () => {
    const copy = dataFolder()
    cpSync(dir, copy, { recursive: true })
    rmSync(join(copy, 'LOCK'))
    const names = readdirSync(join(copy, 'wal')).sort()
    const path = join(copy, 'wal', names[1] ?? '')
    for (const at of [72, 80, 110]) {
      const bytes = readFileSync(path)
      writeFileSync(path, bytes.with(at, (bytes[at] ?? 0) ^ 1))
      const { problems } = await verified(copy, null)
      expect(
        problems.map(({ file }) => file),
        `byte ${at}`,
      ).toContain(`wal/${names[1]}`)
      writeFileSync(path, bytes)
    }
    expect((await verified(copy, null)).problems).toEqual([])
  })
})
