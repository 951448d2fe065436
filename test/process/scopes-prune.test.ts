import { cpSync, readdirSync } from 'node:fs'
import { setTimeout as elapsed } from 'node:timers/promises'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { putPruned } from '../../src/adapters/erasure/marks.ts'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { removeActors } from '../../src/app/store/remove-actors.ts'
import { verifyStore } from '../../src/app/store/verify-store.ts'
import type { Files } from '../../src/ports/files.ts'
import { memgov } from '../harness/command.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { type Embedded, type Place, startEmbedded } from '../harness/embedded.ts'
import { startToEnd } from '../harness/process.ts'
import { scaled, stride } from '../harness/scale.ts'
import { foundIn, Secrets } from '../harness/secrets.ts'
import { manualClock } from '../harness/system.ts'

const DAY_MS = 24 * 3_600_000
/** Small bounds, so that turns are in old segments, history, the ledger, snapshots of both makers and stored indexes. */
const SMALL = {
  segmentBytes: 65_536,
  snapshotMinBytes: 4096,
  residentActorsMax: 2,
  workerMemoriesMin: 30,
} as const
const place = (tenant: string, scope: string): Place => ({ tenant_id: tenant, scope })
const OLD = [place('a', 'old one'), place('a', 'old two'), place('b', 'old/three'), place('b', 'ünused')]
const NEW = [place('a', 'new one'), place('b', 'new two')]
/** Written to long ago, and asked for a guide lately. */
const GUIDED = place('a', 'guided')

interface Seeded {
  readonly dir: string
  readonly old: Secrets
  readonly kept: Secrets
  readonly digests: readonly string[]
  readonly oldDigests: readonly string[]
}

let seeded: Seeded

async function write(service: Embedded, where: Place, secrets: Secrets, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const text = `Report ${round}: ${'all is written down as it was. '.repeat(12)}${secrets.word()}`
    await service.ok('observe', { ...where, memory: { text, payload: { note: secrets.word() } } })
    if (round % 4 !== 0) continue
    await service.ok('guide', { ...where, query_text: `report ${secrets.word()}`, run_id: `run-${round}` })
    await service.ok('govern', {
      ...where,
      query_text: 'report',
      candidates: [{ external_memory_id: secrets.word(), source_backend: 'vector', text: 'a report' }],
    })
  }
}

/** A closed store with scopes of a hundred days ago and of now, whose turns share segments and history files. */
async function seed(): Promise<Seeded> {
  const clock = manualClock(Date.now() - 100 * DAY_MS)
  const service = await startEmbedded({
    clock,
    config: { ...SMALL, historyRetentionDays: 3650, exposureRetentionDays: 3650 },
  })
  const old = new Secrets('old')
  const kept = new Secrets('kept')
  await write(service, GUIDED, kept, 10)
  for (let round = 0; round < 3; round += 1) {
    for (const where of OLD) await write(service, where, old, 14)
    for (const where of NEW) await write(service, where, kept, 14)
  }
  // The last one is in no snapshot.
  await service.ok('observe', { ...place('b', 'ünused'), input_text: `The end is ${old.word()}.` })
  const oldDigests = await Promise.all(OLD.map((where) => service.digest(where)))
  clock.advance(95 * DAY_MS)
  for (const where of NEW) await write(service, where, kept, 4)
  await service.ok('guide', { ...GUIDED, query_text: 'report' })
  const digests = await Promise.all([...NEW, GUIDED].map((where) => service.digest(where)))
  await service.close()
  return { dir: service.dir, old, kept, digests, oldDigests }
}

function copyOf({ dir }: Seeded): string {
  const copy = dataFolder()
  cpSync(dir, copy, { recursive: true })
  return copy
}

/** None of the old scopes is left in any answer or file, and the others are as they were. */
async function expectPruned(dir: string, isScanned = true): Promise<void> {
  const service = await startEmbedded({ dir, clock: manualClock(Date.now()), config: SMALL })
  expect(service.registry.knownCount()).toBe(NEW.length + 1)
  expect(await Promise.all([...NEW, GUIDED].map((where) => service.digest(where)))).toEqual(seeded.digests)
  for (const where of OLD) {
    const known = service.registry.use(where.tenant_id, where.scope, async (actor) => actor.state.seq)
    expect(await known).toBe(0)
  }
  await service.close()
  expect(service.lines.filter(({ level }) => level === 'error')).toEqual([])
  if (isScanned) expect(foundIn(dir, [...seeded.old.words, 'old one', 'old%20one', 'unused'])).toEqual([])
}

describe('memgov scopes', () => {
  beforeAll(async () => {
    seeded = await seed()
  }, 120_000)

  test('list names every scope with its size and last use, the longest unused first', async () => {
    const { code, stdout } = await memgov('scopes', 'list', '--data', seeded.dir, '--json')
    expect(code).toBe(0)
    const { scopes } = JSON.parse(stdout)
    expect(
      scopes
        .map(({ scope }: { scope: string }) => scope)
        .slice(0, 4)
        .sort(),
    ).toEqual(OLD.map(({ scope }) => scope).sort())
    expect(scopes).toHaveLength(OLD.length + NEW.length + 1)
    for (const { bytes, last_used_at } of scopes) {
      expect(bytes).toBeGreaterThan(4000)
      expect(Date.parse(last_used_at)).toBeGreaterThan(Date.now() - 101 * DAY_MS)
    }
    const one = await memgov('scopes', 'list', '--data', seeded.dir, '--tenant', 'b')
    expect(one.stdout).toMatch(/^ {2}tenant +scope +memories +bytes +last use$/m)
    expect(one.stdout).toMatch(/\n3 scopes, \d+ bytes\n$/)
    expect(one.stderr).toBe('')
  })

  test('prune says what would go and changes nothing, unless told --yes', async () => {
    const dir = copyOf(seeded)
    const before = namesIn(dir)
    for (const flags of [[], ['--dry-run']]) {
      const { code, stdout } = await memgov('scopes', 'prune', '--unused-for', '90d', '--data', dir, ...flags)
      expect(code).toBe(0)
      expect(stdout).toMatch(/^ {2}b +ünused /m)
      expect(stdout).toMatch(/would prune 4 of 7 scopes, \d+ bytes; nothing was changed/)
    }
    const none = await memgov('scopes', 'prune', '--unused-for', '300d', '--data', dir, '--yes')
    expect(none.stdout).toBe('nothing to prune: all 7 scopes were used since\n')
    expect(namesIn(dir)).toEqual(before)
  })

  test.each([
    [['scopes'], /scopes needs one of list, prune/],
    [['scopes', 'prune'], /needs --unused-for with days or hours/],
    [['scopes', 'prune', '--unused-for', '0d'], /needs --unused-for/],
    [['scopes', 'prune', '--unused-for', '90d', '--yes', '--dry-run'], /one of --dry-run and --yes/],
    [['scopes', 'list', '--unused-for', '90d'], /scopes list has no flag --unused-for/],
    [['verify', '--unused-for', '90d'], /verify has no flag --unused-for/],
  ])('%j is refused with what to say instead', async (argv, sentence) => {
    const { code, stderr } = await memgov(...argv)
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)])
  })

  test('what is pruned is in no file any more; the rest verifies deeply, and the scope can be begun anew', async () => {
    const dir = copyOf(seeded)
    expect(foundIn(dir, seeded.old.words.slice(0, 3)).length).toBeGreaterThan(0)
    const prune = ['scopes', 'prune', '--unused-for', '90d', '--data', dir, '--yes'] as const
    // The folder that is named is meant, also where the environment has a database.
    vi.stubEnv('MEMGOV_STORE', 'postgres://nobody@127.0.0.1:1/none')
    const { code, stdout, stderr } = await memgov(...prune)
    vi.unstubAllEnvs()
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/\npruned 4 of 7 scopes, \d+ bytes\n$/)
    expect(foundIn(dir, [...seeded.old.words, 'old one', 'old%20one'])).toEqual([])
    expect(await memgov('verify', '--deep', '--data', dir)).toMatchObject({ code: 0 })
    await expectPruned(dir)
    const service = await startEmbedded({ dir, clock: manualClock(Date.now()), config: SMALL })
    await service.ok('observe', { ...place('a', 'old one'), input_text: 'A new beginning.' })
    await service.restart()
    expect(service.registry.knownCount()).toBe(NEW.length + 2)
    await service.close()
    expect((await memgov(...prune)).stdout).toBe('nothing to prune: all 4 scopes were used since\n')
    expect(await memgov('verify', '--deep', '--data', dir)).toMatchObject({ code: 0 })
  })

  test('neither prune nor ls removes old guides of other scopes: the retention of the service may be longer', async () => {
    const dir = copyOf(seeded)
    const guides = ['ls', 'guides', '--tenant', 'a', '--scope', 'guided', '--data', dir] as const
    const before = await memgov(...guides)
    expect(before.stdout).toMatch(/\n4 in all\.\n$/)
    await memgov('scopes', 'prune', '--unused-for', '90d', '--data', dir, '--yes')
    expect(await memgov(...guides)).toEqual(before)
  })

  test('only scopes of the tenant go that is named', async () => {
    const dir = copyOf(seeded)
    const { stdout } = await memgov(
      'scopes',
      'prune',
      '--unused-for',
      '90d',
      '--tenant',
      'b',
      '--data',
      dir,
      '--yes',
    )
    expect(stdout).toMatch(/\npruned 2 of 7 scopes/)
    const { scopes } = JSON.parse((await memgov('scopes', 'list', '--data', dir, '--json')).stdout)
    expect(scopes.map(({ scope }: { scope: string }) => scope).sort()).toEqual([
      'guided',
      'new one',
      'new two',
      'old one',
      'old two',
    ])
  })

  test('cut off at any change to the folder, the next start leaves none of it, and commands know none of it before', async () => {
    const { calls } = await removeUntil(copyOf(seeded), Number.POSITIVE_INFINITY)
    expect(calls).toBeGreaterThan(20)
    for (let at = 0; at < calls; at += stride(9)) {
      const dir = copyOf(seeded)
      expect((await removeUntil(dir, at)).isCut).toBe(true)
      const { problems, store, notes } = await verifyStore(dir, {
        isDeep: true,
        exposureRetentionMs: 3650 * DAY_MS,
        nowMs: Date.now(),
      })
      expect([at, problems]).toEqual([at, []])
      expect(store.actors.size).toBe(NEW.length + 1)
      expect(notes.join()).toContain('a prune of 4 scopes was cut off')
      await expectPruned(dir)
    }
  }, 300_000)

  test('killed at any moment, the whole scopes are there at the next start, or nothing of them', async () => {
    const seen = { whole: 0, none: 0 }
    for (let kill = 0; kill < scaled(6); kill += 1) {
      const dir = copyOf(seeded)
      const argv = ['scopes', 'prune', '--unused-for', '90d', '--data', dir, '--yes']
      const { exited, signal } = startToEnd(argv, { env: { MEMGOV_SEGMENT_BYTES: '65536' } })
      await Promise.race([exited, elapsed(150 + kill * 130)])
      signal('SIGKILL')
      await exited
      const service = await startEmbedded({ dir, clock: manualClock(Date.now()), config: SMALL })
      const isWhole = service.registry.knownCount() === OLD.length + NEW.length + 1
      if (isWhole) {
        expect(await Promise.all(OLD.map((where) => service.digest(where)))).toEqual(seeded.oldDigests)
      }
      await service.close()
      if (!isWhole) await expectPruned(dir)
      seen[isWhole ? 'whole' : 'none'] += 1
    }
    expect(seen.whole + seen.none).toBe(scaled(6))
  }, 300_000)
})

/** Every file and folder below, in order. */
function namesIn(dir: string): readonly string[] {
  const names = readdirSync(dir, { recursive: true }).map(String)
  return names.toSorted((a, b) => (a < b ? -1 : 1))
}

/** Decides a prune and takes files away until the call of that number, which fails. */
async function removeUntil(
  dir: string,
  failsAt: number,
): Promise<{ readonly calls: number; readonly isCut: boolean }> {
  let calls = 0
  const counted =
    <Given extends readonly unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      calls += 1
      if (calls > failsAt) throw new Error('cut off')
      return call(...given)
    }
  const files: Files = {
    ...nodeFiles,
    unlink: counted((...given) => nodeFiles.unlink(...given)),
    rename: counted((...given) => nodeFiles.rename(...given)),
    pwrite: counted((...given) => nodeFiles.pwrite(...given)),
    fsyncDir: counted((...given) => nodeFiles.fsyncDir(...given)),
  }
  const keys = OLD.map(({ tenant_id, scope }) => `${tenant_id}/${scope}`)
  await putPruned(nodeFiles, dir, keys)
  try {
    await removeActors(files, dir, new Set(keys))
    return { calls, isCut: false }
  } catch {
    return { calls, isCut: true }
  }
}
