import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as elapsed } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/adapters/postgres/migrate.ts'
import { compose } from '../../src/app/compose.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { memgov } from '../harness/command.ts'
import { PostgresCluster, SERVING_ROLE } from '../harness/postgres.ts'
import { execute } from '../harness/reply.ts'
import { countingEntropy, manualClock, memoryLog } from '../harness/system.ts'

/** Longer than the database is away: nodes believe in what they hold until somebody tells them. */
const LEASE_MS = 60_000
const place = { tenant_id: 'restored', scope: 'desk' }
const KEPT = 'The spare key lies in the drawer.'
const LOST = 'The spare key lies under the mat.'

let cluster: PostgresCluster
let url = ''

beforeAll(async () => {
  cluster = await PostgresCluster.start()
  const name = await cluster.database()
  const client = new pg.Client({ connectionString: cluster.url(name) })
  await client.connect()
  await migrate(client, SERVING_ROLE)
  await client.end()
  url = cluster.url(name, SERVING_ROLE)
}, 60_000)

afterAll(() => cluster.remove())

async function startNode() {
  const { config } = readConfig({ leaseMs: LEASE_MS }, { MEMGOV_STORE: url })
  const node = await compose(config, {
    clock: manualClock(),
    entropy: countingEntropy(),
    log: memoryLog().log,
  })
  return {
    observe: (input_text: string) => execute(node.runtime, 'observe', { ...place, input_text }),
    /** All that a guide says; empty when it is refused. */
    async said(): Promise<string> {
      const { answer } = await execute(node.runtime, 'guide', { ...place, query_text: 'spare key' })
      return JSON.stringify(answer ?? {})
    },
    close: () => node.close(),
  }
}

test('a node that went on behind the copy has no write taken by the restored database, and another one serves what is in it', async () => {
  const node = await startNode()
  expect((await node.observe(KEPT)).refusal).toBeNull()
  const [data, copy] = [join(cluster.dir, 'data'), join(cluster.dir, 'copy')]
  await cluster.stop('order')
  cpSync(data, copy, { recursive: true, preserveTimestamps: true })
  await cluster.run()
  await untilTaken(() => node.observe(LOST))
  expect(await node.said()).toContain(LOST)
  await cluster.stop('order')
  cluster.adopt(copy)
  await cluster.run()
  process.env['MEMGOV_STORE'] = url
  const fenced = await memgov('store', 'fence')
  expect(fenced).toMatchObject({ code: 0, stdout: expect.stringContaining('nodes may start') })
  // What it has in mind ends at a turn that is not there.
  expect((await node.observe('A turn on top of what is lost.')).refusal).not.toBeNull()
  expect(await node.said()).not.toContain(LOST)
  const other = await startNode()
  await node.close()
  expect(await untilSaid(() => other.said())).toContain(KEPT)
  expect((await other.observe('The drawer is locked.')).refusal).toBeNull()
  await other.close()
  const verified = await memgov('verify')
  delete process.env['MEMGOV_STORE']
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nclean\n$/) })
})

/** Repeats a write while the database comes back. */
async function untilTaken(write: () => Promise<{ readonly refusal: object | null }>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await write()).refusal === null) return
    await elapsed(100)
  }
  throw new Error('the write was never taken')
}

/** Repeats a question while it is refused. */
async function untilSaid(ask: () => Promise<string>): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const said = await ask()
    if (said.includes('spare key')) return said
    await elapsed(100)
  }
  throw new Error('the question was never answered')
}
