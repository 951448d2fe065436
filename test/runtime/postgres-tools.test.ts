import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey, keyPlaceOf, withdrawKey } from '../../src/adapters/keys/key-folder.ts'
import { SHARDS } from '../../src/adapters/postgres/migrate.ts'
import { systemClock } from '../../src/adapters/system/clock-and-entropy.ts'
import { readDatabase } from '../../src/app/cli/read-stored.ts'
import { compose } from '../../src/app/compose.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { type MoveOptions, moveStore } from '../../src/app/migrate/move-store.ts'
import { databaseSource, databaseTarget, folderSource, folderTarget } from '../../src/app/migrate/places.ts'
import { differenceOf } from '../../src/app/store/actor-facts.ts'
import { openFolderReader } from '../../src/app/store/folder-reader.ts'
import { memgov } from '../harness/command.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { SERVING_ROLE, sharedCluster } from '../harness/postgres.ts'
import { type Base, borrowedBase, returnBase } from '../harness/postgres-store.ts'
import { answerOf, execute } from '../harness/reply.ts'
import { scaled } from '../harness/scale.ts'
import { countingEntropy, memoryLog, START_MS } from '../harness/system.ts'
import { keyGrant } from '../support/keys.ts'
import { cutAt, moveParts } from '../support/moves.ts'
import { type MadeStore, makeStore } from '../support/stored-actors.ts'

const place = { tenant_id: 'verify', scope: 'a' }
const ASKED = ['--tenant', place.tenant_id, '--scope', place.scope]

let made: MadeStore
/** Holds all of the crashed one. */
let base: Base

beforeAll(async () => {
  made = await makeStore(24)
  const grant = keyGrant({ name: 'moved', tenantId: 'verify', scopes: [], agentId: null, teamId: null })
  await createKey(made.crashed, grant, START_MS)
  const { key } = await createKey(made.crashed, { ...grant, name: 'ended' }, START_MS)
  await withdrawKey(made.crashed, key.keyId)
  base = await borrowedBase()
  expect(await memgov('migrate', '--from', made.crashed, '--to', base.url)).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('4 actors, every state hash the same on both sides'),
  })
}, 60_000)

afterAll(async () => {
  returnBase(base)
})

const newFolder = (): string => join(dataFolder(), 'new')

function nodeOver({ url }: Pick<Base, 'url'>, nodeUrl: string) {
  const { config } = readConfig({ nodeUrl }, { MEMGOV_STORE: url })
  return compose(config, {
    // The commands beside it tell the time by the clock of the machine.
    clock: systemClock(),
    entropy: countingEntropy(),
    log: memoryLog().log,
  })
}

async function moveThere(from: string, to: Base, options: MoveOptions = {}) {
  const parts = moveParts()
  const source = await folderSource(from, parts)
  try {
    const target = await databaseTarget(to.url, parts)
    try {
      return await moveStore(source, target, options)
    } finally {
      await target.release()
    }
  } finally {
    await source.release()
  }
}

async function moveBack(from: Base, to: string, options: MoveOptions = {}) {
  const parts = moveParts()
  const source = await databaseSource(from.url, parts, false)
  try {
    const target = await folderTarget(to, parts, false)
    try {
      return await moveStore(source, target, options)
    } finally {
      await target.release()
    }
  } finally {
    await source.release()
  }
}

const cutOff = (error: unknown) => expect(String(error)).toContain('cut off')

describe('a store that is moved to a database and back', () => {
  test('is the same in everything, wherever it was cut off on the way, and no node serves from a part of it', async () => {
    const cut = fc.integer({ min: 1, max: 60 })
    await fc.assert(
      fc.asyncProperty(cut, cut, async (there, back) => {
        const between = await borrowedBase()
        await moveThere(made.crashed, between, cutAt(there)).catch(async (error: unknown) => {
          cutOff(error)
          await expect(nodeOver(between, 'http://one:1')).rejects.toThrow('Go on with memgov migrate')
          expect(await moveThere(made.crashed, between)).toMatchObject({ actors: 4, isResumed: true })
        })
        const to = newFolder()
        await moveBack(between, to, cutAt(back)).catch(async (error: unknown) => {
          cutOff(error)
          expect(await moveBack(between, to)).toMatchObject({ actors: 4, keys: 2 })
        })
        const [one, other] = [await openFolderReader(made.crashed, null), await openFolderReader(to, null)]
        for await (const key of one.actors()) expect(await differenceOf(one, other, key)).toBeNull()
        expect((await keyPlaceOf(to).read()).keys).toEqual((await keyPlaceOf(made.crashed).read()).keys)
        returnBase(between)
      }),
      { numRuns: scaled(10) },
    )
  })

  test('says in the folder too which memories want no vector', async () => {
    const between = await borrowedBase()
    await moveThere(made.crashed, between)
    const [row] = await between.sql(
      `insert into memgov.vector (shard, actor, memory_id, ordinal, updated_at_ms, model)
        select shard, actor, 'unwanted', 3, 1, '' from memgov.actor limit 1 returning actor`,
    )
    const to = newFolder()
    await moveBack(between, to)
    const moved = await openFolderReader(to, null)
    expect(await moved.vectors(row.actor)).toEqual([
      { memoryId: 'unwanted', ordinal: 3, updatedAtMs: 1, vector: null },
    ])
    returnBase(between)
  })

  test('moves with what was erased: guides and memory of other stores count on, but their turns are gone', async () => {
    const at = { tenant_id: 'verify', scope: 'gone' }
    const external = { external_memory_id: 'doc-4', source_backend: 'theirs' }
    const from = await borrowedBase()
    const node = await nodeOver(from, 'http://one:1')
    answerOf(await execute(node.runtime, 'observe', { ...at, input_text: 'The pump stands in hall 4.' }))
    const guide = answerOf(await execute(node.runtime, 'guide', { ...at, query_text: 'where is the pump' }))
    const candidates = [{ ...external, text: 'The pump is blue.' }]
    const governed = { ...at, query_text: 'which pump', candidates, record: true }
    answerOf(await execute(node.runtime, 'govern', governed))
    const reason = 'Asked for by the customer'
    const guides = { ...at, reason, guide_trace_ids: [guide.guide_trace_id] }
    answerOf(await execute(node.runtime, 'erase', guides))
    answerOf(await execute(node.runtime, 'erase', { ...at, reason, external_ids: [external] }))
    await node.close()
    expect(await memgov('verify', '--store', from.url)).toMatchObject({ code: 0 })
    const [folder, to] = [newFolder(), await borrowedBase()]
    expect(await memgov('migrate', '--from', from.url, '--to', folder)).toMatchObject({ code: 0, stderr: '' })
    expect(await memgov('migrate', '--from', folder, '--to', to.url)).toMatchObject({ code: 0, stderr: '' })
    for (const each of [from, to]) returnBase(each)
  })

  test('is not begun while nodes serve from it, and they are named', async () => {
    const node = await nodeOver(base, 'http://one:1')
    const given = ['--from', base.url, '--to', newFolder()]
    const { code, stderr } = await memgov('migrate', ...given)
    expect([code, stderr]).toEqual([2, expect.stringContaining('nodes serve from it: http://one:1 (')])
    answerOf(await execute(node.runtime, 'guide', { ...place, query_text: 'pump' }))
    await node.close()
  })

  test('has one folder and one database for its ends, and a dry run writes to neither', async () => {
    const two = await memgov('migrate', '--from', made.closed, '--to', newFolder())
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('one end is a data folder')])
    const full = await memgov('migrate', '--from', made.closed, '--to', base.url)
    expect([full.code, full.stderr]).toEqual([2, expect.stringContaining('is not empty')])
    const free = await borrowedBase()
    const dry = await memgov('migrate', '--from', made.crashed, '--to', free.url, '--dry-run')
    expect([dry.code, dry.stderr]).toEqual([0, ''])
    expect(dry.stdout).toMatch(
      /would move .*: 4 actors, \d+ turns, 2 keys\n(.*bytes\n){5}about \d+ s, measured on 4/,
    )
    expect(await free.sql('select count(*)::int as rows from memgov.actor')).toEqual([{ rows: 0 }])
    expect(await free.sql('select count(*)::int as rows from memgov.arrival')).toEqual([{ rows: 0 }])
    returnBase(free)
  })
})

describe('the tools over a database', () => {
  const epochs = () => base.sql('select shard, owner, epoch from memgov.shard order by shard')

  test('show what a node serves while it serves, and take nothing from it', async () => {
    const node = await nodeOver(base, 'http://one:1')
    const guide = answerOf(await execute(node.runtime, 'guide', { ...place, query_text: 'start the pump' }))
    const [id = ''] = guide.agent_context.memory_ids
    const before = await epochs()
    const store = ['--store', base.url]
    expect(await memgov('verify', ...store)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nclean\n$/),
    })
    const inspected = await memgov('inspect', ...store, '--json')
    expect(JSON.parse(inspected.stdout).actors).toHaveLength(4)
    const listed = await memgov('ls', 'memories', ...store, ...ASKED)
    expect([listed.code, listed.stderr, listed.stdout]).toEqual([0, '', expect.stringContaining(id)])
    const shown = await memgov('show', id, ...store, ...ASKED)
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('Fact')])
    const explained = await memgov('explain', guide.guide_trace_id, ...store, '--tenant', place.tenant_id)
    expect([explained.code, explained.stderr]).toEqual([0, ''])
    expect(explained.stdout).toContain(id)
    const touched = await memgov('blast-radius', id, ...store, ...ASKED)
    expect([touched.code, touched.stderr]).toEqual([0, ''])
    expect(await epochs()).toEqual(before)
    const written = { ...place, input_text: 'A fact that came while others looked.' }
    answerOf(await execute(node.runtime, 'observe', written))
    expect((await memgov('ls', 'memories', ...store, ...ASKED)).stdout).toContain('while others looked')
    await node.close()
  })

  test('follow what a node writes', async () => {
    const node = await nodeOver(base, 'http://one:1')
    let [told, looks] = ['', 0]
    const take = (text: string) => {
      told += text
    }
    const next = async () => {
      looks += 1
      if (looks > 1) return false
      answerOf(
        await execute(node.runtime, 'observe', { ...place, input_text: 'A fact that came meanwhile.' }),
      )
      return true
    }
    const command = { reading: { show: 'tail' }, place, isAnywhere: false, isJson: false } as const
    const output = { isColoured: false, out: take, error: take, next }
    expect(await readDatabase({ url: base.url, file: null }, command, output)).toBe(0)
    expect(told).toContain('A fact that came meanwhile.')
    await node.close()
  })

  test('export the archive that the folder gives, and import it into another database as a node among others', async () => {
    const [fromFolder, fromBase] = [join(dataFolder(), 'a.jsonl'), join(dataFolder(), 'b.jsonl')]
    const between = await borrowedBase()
    await moveThere(made.crashed, between)
    await memgov('export', '--data-dir', made.crashed, '--out', fromFolder)
    expect(await memgov('export', '--store', between.url, '--out', fromBase)).toMatchObject({
      code: 0,
      stderr: '',
    })
    const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(1, -2)
    expect(linesOf(fromBase)).toEqual(linesOf(fromFolder))
    const other = await borrowedBase()
    const node = await nodeOver(other, 'http://one:1')
    const shardOf = (scope: string) => hash('sha256', `verify/${scope}`, 'buffer').readUInt32LE(0) % SHARDS
    const beside = Array.from({ length: 20_000 }, (_, at) => `s${at}`).find(
      (scope) => shardOf(scope) === shardOf(place.scope),
    )
    answerOf(await execute(node.runtime, 'observe', { ...place, scope: beside, input_text: 'Another fact.' }))
    const early = await memgov('import', '--store', other.url, '--in', fromBase)
    expect([early.code, early.stdout]).toEqual([
      1,
      expect.stringMatching(/refused: verify\/a: .* stop the nodes that serve from here, then import again/),
    ])
    await other.empty()
    const first = await memgov('import', '--store', other.url, '--in', fromBase)
    expect([first.code, first.stderr, first.stdout]).toEqual([
      0,
      '',
      expect.stringContaining('wrote 4 actors'),
    ])
    const again = await memgov('import', '--store', other.url, '--in', fromBase)
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('4 were there already') })
    expect(await memgov('verify', '--store', other.url)).toMatchObject({ code: 0 })
    await node.close()
    for (const each of [between, other]) returnBase(each)
  })

  test('verify names what is wrong and what mends it', async () => {
    const broken = await borrowedBase()
    await moveThere(made.crashed, broken)
    await broken.sql("delete from memgov.turn where actor = 'verify/b' and seq = 5")
    const { code, stdout } = await memgov('verify', '--store', broken.url)
    expect(code).toBe(1)
    expect(stdout).toContain('problem: verify/b: turn 5 is not there')
    expect(stdout).toContain('pg_amcheck')
    returnBase(broken)
  })

  test('that would change files name the means of PostgreSQL instead', async () => {
    process.env['MEMGOV_STORE'] = base.url
    try {
      const backup = await memgov('backup', '--to', newFolder())
      expect([backup.code, backup.stderr]).toEqual([
        2,
        expect.stringMatching(/pg_dump, pg_basebackup or point-in/),
      ])
      const repair = await memgov('repair')
      expect([repair.code, repair.stderr]).toEqual([2, expect.stringContaining('pg_amcheck')])
    } finally {
      delete process.env['MEMGOV_STORE']
    }
  })

  test('a database without tables, or a role without rights, is told with what to run', async () => {
    const cluster = await sharedCluster()
    const name = await cluster.database()
    const said = async (...argv: readonly string[]) => {
      const { code, stderr } = await memgov(...argv)
      return [code, stderr]
    }
    const setup = (role = '') => new RegExp(`Run memgov store setup ${role}.*role may make tables`)
    process.env['MEMGOV_STORE'] = cluster.url(name, SERVING_ROLE)
    try {
      expect(await said('keys', 'list')).toEqual([2, expect.stringMatching(setup())])
      expect(await said('store', 'setup')).toEqual([2, expect.stringMatching(setup())])
      process.env['MEMGOV_STORE'] = cluster.url(name)
      // PostgreSQL takes it for every role, also between quotes.
      expect(await said('store', 'setup', '--role', 'public')).toEqual([
        2,
        expect.stringContaining('every role'),
      ])
      expect(await said('store', 'setup')).toEqual([0, ''])
      process.env['MEMGOV_STORE'] = cluster.url(name, SERVING_ROLE)
      for (const argv of [['keys', 'list'], ['verify'], ['store', 'fence']])
        expect(await said(...argv)).toEqual([2, expect.stringMatching(setup('--role NAME'))])
      await cluster.sql(`grant usage on schema memgov to ${SERVING_ROLE}`, [], name)
      await cluster.sql(`grant select on all tables in schema memgov to ${SERVING_ROLE}`, [], name)
      for (const argv of [
        ['keys', 'create', '--name', 'x'],
        ['store', 'fence'],
      ])
        expect(await said(...argv)).toEqual([2, expect.stringMatching(setup('--role NAME'))])
      await cluster.sql(`grant insert, update on all tables in schema memgov to ${SERVING_ROLE}`, [], name)
      const serving = () => nodeOver({ url: cluster.url(name, SERVING_ROLE) }, 'http://one:1')
      await cluster.sql(`revoke update on memgov.shard from ${SERVING_ROLE}`, [], name)
      await expect(serving()).rejects.toThrow(/write into memgov.shard.*--role NAME/)
      await cluster.sql(`grant update on memgov.shard to ${SERVING_ROLE}`, [], name)
      await cluster.sql(`revoke update on memgov.store from ${SERVING_ROLE}`, [], name)
      await expect(serving()).rejects.toThrow(setup('--role NAME'))
      process.env['MEMGOV_STORE'] = 'postgres://nobody@127.0.0.1:1/none'
      expect(await said('keys', 'list')).toEqual([2, expect.stringContaining('cannot be reached')])
    } finally {
      delete process.env['MEMGOV_STORE']
    }
  })
})
