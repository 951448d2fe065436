import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { backedUp } from '../harness/backup.ts'
import { memgov } from '../harness/command.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { isOnFiles, startEmbedded } from '../harness/embedded.ts'
import { borrowedBase, returnBase } from '../harness/postgres-store.ts'
import { startProvider } from '../harness/provider.ts'

const place = { tenant_id: 'acme-tenant', scope: 'shop-scope' }

/** Copies a folder into another one, and answers which. */
type Copy = (dir: string) => Promise<string>

const backup: Copy = async (dir) => (await backedUp(dir)).to

const archive: Copy = async (dir) => {
  const file = join(dataFolder(), 'archive')
  const to = dataFolder()
  expect(await memgov('export', '--data', dir, '--out', file)).toMatchObject({ code: 0 })
  expect(await memgov('import', '--data', to, '--in', file)).toMatchObject({ code: 0 })
  return to
}

test.skipIf(!isOnFiles)('an import into a database keeps it where no model is set', async () => {
  const provider = await startProvider()
  const service = await startEmbedded({ config: { embeddingsUrl: provider.url } })
  await service.ok('observe', { ...place, input_text: 'Between us only', auto_embed: false })
  await service.close()
  const file = join(dataFolder(), 'archive')
  expect(await memgov('export', '--data', service.dir, '--out', file)).toMatchObject({ code: 0 })
  const base = await borrowedBase()
  expect(await memgov('import', '--store', base.url, '--in', file)).toMatchObject({ code: 0 })
  expect(await base.sql('select vector from memgov.vector')).toEqual([{ vector: null }])
  returnBase(base)
})

test.skipIf(!isOnFiles).each([
  ['backup', backup],
  ['archive', archive],
])('by a %s goes along which memory its writer wants no vector of', async (_name, copied) => {
  const provider = await startProvider()
  const config = { embeddingsUrl: provider.url }
  const service = await startEmbedded({ config })
  const observe = (input_text: string, more: object = {}) =>
    service.ok('observe', { ...place, input_text, ...more })
  await observe('The car is red')
  await observe('Between us only', { auto_embed: false })
  await service.close()
  const copy = await startEmbedded({ dir: await copied(service.dir), config })
  await copy.ok('guide', { ...place, query_text: 'car' })
  await vi.waitFor(() =>
    expect(copy.runtime.health()).toMatchObject({
      providers: { embedding: { memories: { pending: 0, ready: 1, skipped: 1 } } },
    }),
  )
  expect(provider.texts.join()).not.toContain('Between us')
  await copy.close()
})
