import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { openPackedFiles } from '../../src/adapters/packs/packed-files.ts'
import { systemClock } from '../../src/adapters/system/clock-and-entropy.ts'
import { planRepair } from '../../src/app/store/plan-repair.ts'
import { removeActors } from '../../src/app/store/remove-actors.ts'
import { runRepair } from '../../src/app/store/run-repair.ts'
import { verifyStore } from '../../src/app/store/verify-store.ts'
import { backedUp } from '../harness/backup.ts'
import { memgov } from '../harness/command.ts'
import { dataFolder, filesBelow } from '../harness/data-folder.ts'
import { startEmbedded } from '../harness/embedded.ts'
import { packFolder } from '../harness/packed-folder.ts'
import { memoryLog } from '../harness/system.ts'
import { GOLDEN, GOLDEN_2, type GoldenStore, unpackGolden } from './golden-files.ts'

const DEEP = { isDeep: true, exposureRetentionMs: Number.MAX_SAFE_INTEGER, nowMs: 0 }
const CHAINED = { journalChain: 'sha256' } as const
const SCOPES = ['one', 'two']
const TEXT = 'Round 7: the valve of one is opened'

const holding = (dir: string, text: string) =>
  filesBelow(dir).filter((path) => readFileSync(path).includes(text))
const loose = (dir: string) => filesBelow(dir).filter((path) => /\.(?:snap|led|idx|vec)$/.test(path))

/** A golden store that this program has taken over, all small files of actors in packs. */
async function packed(store: GoldenStore) {
  const dir = unpackGolden(store, dataFolder())
  const service = await startEmbedded({ dir, config: CHAINED })
  const digests = new Map<string, string>()
  for (const scope of SCOPES) digests.set(scope, await service.digest({ tenant_id: 'golden', scope }))
  expect([...digests].map(([scope, digest]) => [`golden/${scope}`, digest])).toEqual(
    Object.entries(store.digests),
  )
  await service.close()
  const packs = await packFolder(dir)
  expect(loose(dir)).toEqual([])
  return { dir, packs, digests }
}

describe.each([
  ['1', GOLDEN],
  ['2', GOLDEN_2],
])('a store of format %s whose small files were packed', (_, golden) => {
  test('verifies deeply, gives the same states, takes feedback on guides that only a pack knows, and erases', async () => {
    const { dir, digests } = await packed(golden)
    expect((await verifyStore(dir, DEEP)).problems).toEqual([])
    const service = await startEmbedded({ dir, config: CHAINED })
    for (const scope of SCOPES)
      expect(await service.digest({ tenant_id: 'golden', scope })).toBe(digests.get(scope))
    await service.ok('feedback', golden.feedback)
    const erase = { tenant_id: 'golden', scope: 'one', reason: 'asked for', actor: 'operator' }
    await service.ok('erase', { ...erase, client_ids: ['fact-7'] })
    expect(holding(dir, TEXT)).toEqual([])
    await service.close()
    expect((await verifyStore(dir, DEEP)).problems).toEqual([])
    expect(service.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })
})

describe('a store with packs', () => {
  test('of which one is damaged says which, and a repair loses nothing that another copy in it tells', async () => {
    const { dir, packs, digests } = await packed(GOLDEN_2)
    const [path = ''] = packs
    const bytes = readFileSync(path)
    bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40)
    writeFileSync(path, bytes)
    const verification = await verifyStore(dir, DEEP)
    expect(verification.problems.map(({ file, kind }) => ({ file, kind }))).toEqual([
      { file: path.slice(dir.length + 1), kind: 'damaged' },
    ])
    const plan = await planRepair(verification, DEEP)
    expect(plan.losses).toEqual([])
    const dry = await memgov('repair', '--data', dir, '--dry-run')
    expect(dry.stdout).toContain(`would move ${path.slice(dir.length + 1)} to quarantine`)
    await runRepair(verification.store, plan, { clock: systemClock(), onDone: () => undefined })
    expect((await verifyStore(dir, DEEP)).problems).toEqual([])
    const service = await startEmbedded({ dir, config: CHAINED })
    for (const scope of SCOPES)
      expect(await service.digest({ tenant_id: 'golden', scope })).toBe(digests.get(scope))
    await service.close()
  })

  test('of which a snapshot is damaged says whose it is and in which pack, and goes on from the older one', async () => {
    const { dir, packs, digests } = await packed(GOLDEN_2)
    for (const path of packs) {
      const bytes = readFileSync(path)
      const at = bytes.lastIndexOf('the valve of one is opened')
      if (at < 0) continue
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
      writeFileSync(path, bytes)
    }
    const { problems } = await verifyStore(dir, { ...DEEP, isDeep: false })
    const snapshots = problems.filter(({ file }) => file.endsWith('.snap'))
    expect(snapshots.length).toBeGreaterThan(0)
    for (const { what, actors } of snapshots) {
      expect(what).toMatch(/\(in packs\/[0-9a-f]{16}\.pack\)$/)
      expect(actors).toEqual([{ key: 'golden/one', turns: null }])
    }
    expect(problems.filter(({ file }) => file.endsWith('.pack')).length).toBeGreaterThan(0)
    const service = await startEmbedded({ dir, config: CHAINED })
    expect(await service.digest({ tenant_id: 'golden', scope: 'two' })).toBe(digests.get('two'))
    await service.close()
  })

  test('is copied by a backup, which verifies it and gives the same states', async () => {
    const { dir, digests } = await packed(GOLDEN_2)
    const { to, problems } = await backedUp(dir)
    expect(problems).toEqual([])
    const service = await startEmbedded({ dir: to, config: CHAINED })
    for (const scope of SCOPES)
      expect(await service.digest({ tenant_id: 'golden', scope })).toBe(digests.get(scope))
    await service.ok('observe', { tenant_id: 'golden', scope: 'one', input_text: 'The copy goes on.' })
    await service.restart()
    expect(service.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
    await service.close()
  })

  test('forgets a scope that is pruned, in packs too', async () => {
    const { dir, digests } = await packed(GOLDEN_2)
    const { log } = memoryLog()
    await removeActors(await openPackedFiles({ dir, files: nodeFiles, log }), dir, new Set(['golden/one']))
    const inside = (path: string) => path.slice(dir.length + 1)
    const left = holding(dir, 'the valve of one').map(inside)
    // Turns in the journal go before, by a service.
    expect(left.filter((path) => !path.startsWith('wal'))).toEqual([])
    const service = await startEmbedded({ dir, config: CHAINED })
    expect(await service.digest({ tenant_id: 'golden', scope: 'two' })).toBe(digests.get('two'))
    await service.close()
  })
})
