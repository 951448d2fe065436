import { dirname } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { filesBelow } from '../harness/data-folder.ts'
import { closeEmbedded, type Embedded, isOnFiles, startEmbedded } from '../harness/embedded.ts'
import { provingAsync } from '../support/prove.ts'

afterEach(closeEmbedded)

const place = (tenant: string, scope: number | string) => ({ tenant_id: tenant, scope: `scope-${scope}` })
const fact = { input_text: 'the build needs node 20' }

/** Every file of the data folder but those of the journal, which are there before any write. */
function filesIn({ dir }: Embedded): readonly string[] {
  if (!isOnFiles) return []
  return filesBelow(dir).filter((path) => !path.includes('MANIFEST') && !dirname(path).endsWith('wal'))
}

test('the first write to a scope beyond the bound of its tenant is refused, says what to do, and leaves nothing', async () => {
  const embedded = await startEmbedded({ config: { scopesPerTenantMax: 2, residentActorsMax: 1 } })
  for (const scope of [1, 2]) await embedded.ok('observe', { ...place('full', scope), ...fact })
  await embedded.ok('observe', { ...place('other', 1), ...fact })
  const before = { files: filesIn(embedded), known: embedded.registry.knownCount() }
  for (const [operation, body] of [
    ['observe', fact],
    ['guide', { query_text: 'build' }],
  ] as const) {
    expect(await embedded.refused(operation, { ...place('full', 3), ...body }, 'one-key')).toMatchObject({
      status: 403,
      error: 'too_many_scopes',
      details: { limit: 2, option: 'scopesPerTenantMax' },
      message: expect.stringMatching(/allows 2.*memgov scopes prune/),
    })
  }
  expect({ files: filesIn(embedded), known: embedded.registry.knownCount() }).toEqual(before)
  expect(embedded.registry.residentCount()).toBeLessThanOrEqual(1)
  // A write that makes no scope is refused for what is wrong with it.
  const forgotten = { operation: 'suppress', target: 'memory', reason: 'so', memory_ids: ['nothing'] }
  expect(await embedded.refused('forget', { ...place('full', 3), ...forgotten })).toMatchObject({
    status: 404,
  })
  // Those that are there work on, and others have room.
  await embedded.ok('observe', { ...place('full', 1), ...fact })
  await embedded.ok('guide', { ...place('full', 2), query_text: 'build' })
  await embedded.ok('observe', { ...place('other', 2), ...fact })
  await embedded.restart()
  expect(await embedded.refused('observe', { ...place('full', 3), ...fact })).toMatchObject({ status: 403 })
  await embedded.ok('observe', { ...place('full', 2), ...fact })
  await embedded.restart({ scopesPerTenantMax: 3 })
  await embedded.ok('observe', { ...place('full', 3), ...fact })
})

test('the bound of all tenants together counts their scopes wherever they are', async () => {
  const embedded = await startEmbedded({ config: { scopesMax: 5, residentActorsMax: 2 } })
  for (const scope of [1, 2, 3, 4, 5]) await embedded.ok('observe', { ...place(`t${scope}`, 1), ...fact })
  expect(await embedded.refused('observe', { ...place('t6', 1), ...fact })).toMatchObject({
    error: 'too_many_scopes',
    details: { limit: 5, option: 'scopesMax' },
  })
  await embedded.ok('observe', { ...place('t1', 1), ...fact })
  await embedded.restart({ scopesMax: 3 })
  expect(embedded.registry.knownCount()).toBe(5)
  expect(await embedded.refused('observe', { ...place('t6', 1), ...fact })).toMatchObject({ status: 403 })
  await embedded.ok('guide', { ...place('t5', 1), query_text: 'build' })
})

test('reads of scopes that nobody has written to make nothing and stay nowhere', async () => {
  const embedded = await startEmbedded({ config: { scopesMax: 1 } })
  await embedded.ok('observe', { ...place('only', 1), ...fact })
  const before = filesIn(embedded)
  for (let scope = 2; scope < 40; scope += 1) {
    await embedded.ok('operatorSnapshot', place('only', scope))
    await embedded.refused('feedback', {
      ...place('only', scope),
      run_id: 'r1',
      outcome: 'neutral',
      used_surface: 'use_now',
      memory_ids: ['nothing'],
    })
    await embedded.refused('resolve', { uri: `svc://only/scope-${scope}/memory/nothing` })
  }
  expect(embedded.registry.knownCount()).toBe(1)
  expect(embedded.registry.residentCount()).toBe(1)
  expect(filesIn(embedded)).toEqual(before)
})

test('however many first writes come at once, no more scopes are made than the bound allows', async () => {
  await provingAsync(20)(
    fc.record({
      bound: fc.integer({ min: 1, max: 24 }),
      tenants: fc.integer({ min: 1, max: 3 }),
      residentActorsMax: fc.constantFrom(1, 4, 64),
      isOfTenant: fc.boolean(),
    }),
    async ({ bound, tenants, residentActorsMax, isOfTenant }) => {
      const bounds = isOfTenant ? { scopesPerTenantMax: bound } : { scopesMax: bound }
      const embedded = await startEmbedded({ config: { ...bounds, residentActorsMax } })
      const places = Array.from({ length: 64 }, (_, at) => place(`t${at % tenants}`, at))
      const replies = await Promise.all(
        places.map((each, at) =>
          at % 2 === 0
            ? embedded.call('observe', { ...each, ...fact })
            : embedded.call('guide', { ...each, query_text: 'build' }),
        ),
      )
      const written = replies.filter(({ refusal }) => refusal === null).length
      for (const { refusal } of replies) {
        if (refusal !== null) expect(refusal.error).toBe('too_many_scopes')
      }
      expect(written).toBe(isOfTenant ? Math.min(64, bound * tenants) : bound)
      expect(embedded.registry.knownCount()).toBe(written)
      await embedded.restart()
      expect(embedded.registry.knownCount()).toBe(written)
      await embedded.close()
    },
  )
})
