import pg from 'pg'
import { expect, test } from 'vitest'
import { migrate } from '../../src/adapters/postgres/migrate.ts'
import { compose } from '../../src/app/compose.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { contentsBelow } from '../harness/data-folder.ts'
import { PostgresCluster, SERVING_ROLE } from '../harness/postgres.ts'
import { borrowedBase, returnBase } from '../harness/postgres-store.ts'
import { answerOf, execute } from '../harness/reply.ts'
import { countingEntropy, manualClock, memoryLog } from '../harness/system.ts'

const WORD = 'heliotropism'
const PLACE = { tenant_id: 'erase', scope: 'files' }
/** Each ends a piece of the log and lets go of those before the last checkpoint. */
const RECYCLINGS = 2

/** Files of the server that hold the word: in its log of changes, and elsewhere. */
function filesWithWord({ dir }: PostgresCluster) {
  const names = [...contentsBelow(dir)].flatMap(([path, bytes]) => (bytes.includes(WORD) ? [path] : []))
  const isOfLog = (path: string) => path.includes('/pg_wal/')
  return { log: names.filter(isOfLog), others: names.filter((path) => !isOfLog(path)) }
}

test('what is erased is in no file of the database but its log of changes, and nowhere once that is recycled', async () => {
  // A piece that is used again would hold old bytes until it is full.
  const cluster = await PostgresCluster.start(['wal_recycle = off', 'min_wal_size = 32MB'])
  try {
    const client = new pg.Client({ connectionString: cluster.url() })
    await client.connect()
    await migrate(client, SERVING_ROLE)
    await client.end()
    const { config } = readConfig({}, { MEMGOV_STORE: cluster.url('postgres', SERVING_ROLE) })
    const system = { clock: manualClock(), entropy: countingEntropy(), log: memoryLog().log }
    const node = await compose(config, system)
    const { runtime, registry } = node
    const observe = { ...PLACE, input_text: `Plants turn by ${WORD}.` }
    const { memory_ids } = answerOf(await execute(runtime, 'observe', observe))
    answerOf(await execute(runtime, 'guide', { ...PLACE, query_text: WORD }))
    await registry.snapshot(`${PLACE.tenant_id}/${PLACE.scope}`)
    await cluster.sql('checkpoint')
    expect(filesWithWord(cluster).others).not.toEqual([])

    answerOf(await execute(runtime, 'erase', { ...PLACE, memory_ids, reason: 'asked for' }))
    await cluster.sql('checkpoint')
    const left = filesWithWord(cluster)
    expect(left.others).toEqual([])
    expect(left.log).not.toEqual([])

    for (let recycled = 0; recycled < RECYCLINGS; recycled += 1) {
      await cluster.sql('select pg_switch_wal()')
      await cluster.sql('checkpoint')
    }
    expect(filesWithWord(cluster)).toEqual({ log: [], others: [] })
    await node.close()
  } finally {
    await cluster.remove()
  }
})

test('an erasure of a node that is gone is finished by one that lives, also when nobody asks for its scope', async () => {
  const base = await borrowedBase()
  const { config } = readConfig({}, { MEMGOV_STORE: base.url })
  const system = () => ({ clock: manualClock(), entropy: countingEntropy(), log: memoryLog().log })
  const lived = await compose(config, system())
  answerOf(await execute(lived.runtime, 'observe', { ...PLACE, input_text: 'Plants turn.' }))
  const living = await compose(config, system())
  await lived.close()
  await base.sql('update memgov.actor set erasing_since = now()')
  await living.registry.retryErasures()
  expect(await base.sql('select from memgov.actor where erasing_since is not null')).toEqual([])
  await living.close()
  returnBase(base)
})

test('an erasure reaches guides that a clock ahead takes for too old', async () => {
  const base = await borrowedBase()
  const clock = manualClock()
  const { config } = readConfig({}, { MEMGOV_STORE: base.url })
  const node = await compose(config, { clock, entropy: countingEntropy(), log: memoryLog().log })
  const { runtime, registry } = node
  const named = { source_backend: 'shelf', external_memory_id: WORD }
  const candidates = [{ ...named, text: 'Plants turn.' }]
  answerOf(await execute(runtime, 'govern', { ...PLACE, query_text: 'plants', record: true, candidates }))
  await registry.snapshot(`${PLACE.tenant_id}/${PLACE.scope}`)
  const guides = async () => JSON.stringify(answerOf(await execute(runtime, 'listGuides', PLACE)).items)
  expect(await guides()).toContain(WORD)
  const aheadMs = 31 * 24 * 3_600_000
  clock.advance(aheadMs)
  answerOf(await execute(runtime, 'erase', { ...PLACE, external_ids: [named], reason: 'asked for' }))
  clock.advance(-aheadMs)
  expect(await guides()).not.toContain(WORD)
  await node.close()
  returnBase(base)
})
