import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { openJournal } from '../../src/adapters/journal/file-journal.ts'
import { SEGMENT_HEADER_BYTES } from '../../src/adapters/journal/format.ts'
import { readSpan, spanOf } from '../../src/adapters/journal/record-index.ts'
import { runCommand } from '../../src/app/command.ts'
import { readStore } from '../../src/app/store/read-store.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { GRANT, silentLog } from '../crash/journal-life.ts'
import { memgov } from '../harness/command.ts'
import { crashImageOf, dataFolder } from '../harness/data-folder.ts'
import { startEmbedded } from '../harness/embedded.ts'
import { runToEnd, startProcess } from '../harness/process.ts'
import { contentOf, FIRST_TURN_AT, makeStore } from '../support/stored-actors.ts'

const made = await makeStore()

/** A copy to damage. */
function copyOf(dir: string): string {
  const copy = dataFolder()
  cpSync(dir, copy, { recursive: true })
  return copy
}

function listed(dir: string, folder: string, ending: string): readonly string[] {
  return readdirSync(join(dir, folder), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(dir, folder, name))
}

function flip(path: string | undefined, at: number): string {
  const file = path ?? ''
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] ?? 0) ^ 16
  writeFileSync(file, bytes)
  return file
}

/** Starts the service over a folder; the digest of every actor that it serves. */
async function served(dir: string): Promise<Readonly<Record<string, string>>> {
  const service = await startEmbedded({ dir })
  const states: Record<string, string> = {}
  for (const scope of ['a', 'b', 'c', 'sleeper']) {
    states[scope] = await service.registry.use('verify', scope, async ({ state }) => stateHash(state))
  }
  expect(service.lines.filter(({ level }) => level === 'error')).toEqual([])
  await service.close()
  return states
}

/** A store of which only the journal holds anything, as a crash leaves it. */
async function journalOnly(): Promise<string> {
  const service = await startEmbedded({ config: { segmentBytes: 65_536 } })
  for (let round = 0; round < 20; round += 1) {
    for (const scope of ['a', 'b', 'c']) {
      const input_text = `Fact ${round} of ${scope}. ${'The pump is off. '.repeat(40)}`
      await service.ok('observe', { tenant_id: 'verify', scope, input_text })
    }
  }
  const crashed = crashImageOf(service.dir)
  await service.close()
  return crashed
}

describe('memgov verify', () => {
  test('says clean with 0, in words and as JSON, writes nothing to stderr in a pipe, and changes no byte', async () => {
    for (const dir of [made.closed, made.crashed]) {
      const before = contentOf(dir)
      const { code, stdout, stderr } = await runToEnd(['verify', '--data', dir, '--deep'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/every actor rebuilt\n(note: .*\n)*clean\n$/)
      const json = await memgov('verify', '--data', dir, '--json')
      expect(JSON.parse(json.stdout)).toMatchObject({ clean: true, problems: [], checked: { actors: 4 } })
      expect(contentOf(dir)).toEqual(before)
    }
  })

  test('names file, byte, actor and what to do with 1, and changes no byte', async () => {
    const dir = copyOf(made.crashed)
    const segment = flip(listed(dir, 'wal', '.wal')[0], FIRST_TURN_AT)
    const snapshot = flip(listed(dir, 'snap', '.snap')[0], 700)
    const before = contentOf(dir)
    const { code, stdout } = await memgov('verify', '--data', dir, '--deep')
    expect(code).toBe(1)
    expect(contentOf(dir)).toEqual(before)
    expect(stdout).toContain(
      `problem 1: ${segment.slice(dir.length + 1)} at byte ${SEGMENT_HEADER_BYTES}: the body of batch`,
    )
    expect(stdout).toMatch(/concerns: verify\/\w+( \(turn \d+\))?\n {2}to do: memgov repair --dry-run/)
    const told = stdout.slice(stdout.indexOf(`: ${snapshot.slice(dir.length + 1)}: `))
    expect(told).toMatch(/^: \S+: record \d+: wrong checksum\n {2}concerns: verify\//)
    const { problems } = JSON.parse((await memgov('verify', '--data', dir, '--json')).stdout)
    expect(problems[0]).toMatchObject({
      offset: SEGMENT_HEADER_BYTES,
      kind: 'damaged',
      actors: [{ tenant_id: 'verify' }],
    })
  })

  test('refuses with 2 while a service uses the folder and says who, and what is no folder or flag', async () => {
    const dir = copyOf(made.closed)
    const running = await startProcess(dir)
    for (const command of ['verify', 'inspect', 'repair']) {
      const { code, stderr } = await memgov(command, '--data', dir)
      expect({ command, code }).toEqual({ command, code: 2 })
      expect(stderr).toContain(`in use by process ${running.pid} on `)
    }
    await running.end('SIGKILL')
    expect((await memgov('verify', '--data', dir)).code).toBe(0)
    expect(await memgov('verify', '--data', join(dir, 'none'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/there is no folder .*none; name the data folder by --data-dir DIR/),
    })
    const file = join(dir, 'FORMAT.json')
    for (const [argv, what] of [
      [['verify', '--data', file], /there is no folder .*; name the data folder by --data-dir DIR/],
      [['import', '--data', dir, '--in', dir], /there is no file .*; name the archive by --in FILE/],
      [
        ['export', '--data', dir, '--out', `${dir}/no/x`],
        /there is no folder .*; make it, or .* by --out FILE/,
      ],
    ] as const) {
      expect(await memgov(...argv)).toMatchObject({ code: 2, stderr: expect.stringMatching(what) })
    }
    for (const argv of [['--dry-run'], ['now'], ['--head', 'abc'], ['--data', '']]) {
      expect((await memgov('verify', ...argv)).code, argv.join(' ')).toBe(2)
    }
  })

  test('refuses with 2, in one line, a file of the address of a database that cannot be read', async () => {
    const file = join(dataFolder(), 'none')
    for (const [command = '', ...flags] of [['verify'], ['inspect'], ['export', '--out', `${file}.jsonl`]]) {
      expect(await memgov(command, ...flags, '--store-file', file)).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^memgov ${command}: .*${file}.*\\n$`)),
      })
    }
  })

  test('shows its progress on a terminal and takes it away', async () => {
    let shown = ''
    const out = { write: () => undefined }
    const host = {
      stdout: out,
      stderr: { isTTY: true, write: (text: string) => (shown += text) },
      onStopSignal: () => undefined,
      exit: () => undefined,
      kill: () => undefined,
    }
    const parts = { compose: () => Promise.reject(new Error('none')), operations: [], openapi: () => ({}) }
    expect(await runCommand(['verify', '--data', made.closed], host, async () => parts)).toBe(0)
    expect(shown).toMatch(/^\rverify: 1 read, now /)
    expect(shown).toMatch(/\r {72}\r$/)
  })
})

/** Puts another journal in the place of that of a folder, in which one turn is something else, with every checksum right. */
async function withTurn(dir: string, actorKey: string, seq: number, payload: Uint8Array): Promise<void> {
  const { journal } = await readStore(dir)
  const copy = dataFolder()
  cpSync(join(dir, 'FORMAT.json'), join(copy, 'FORMAT.json'))
  const other = await openJournal({ dir: copy, log: silentLog, segmentBytes: 65_536 })
  for (const key of journal.index.keys()) {
    for (const run of journal.index.get(key)?.runs ?? []) {
      if (run.firstSeq > 1) other.covered(GRANT, key, run.firstSeq - 1)
      for await (const record of readSpan(nodeFiles, spanOf(run, run.firstSeq, Number.MAX_SAFE_INTEGER))) {
        const isIt = record.actorKey === actorKey && record.actorSeq === seq
        await other.append(GRANT, isIt ? { ...record, payload } : record)
      }
    }
  }
  await other.close()
  rmSync(join(dir, 'wal'), { recursive: true })
  cpSync(join(copy, 'wal'), join(dir, 'wal'), { recursive: true })
}

describe('memgov verify --deep', () => {
  const codec = createCodec()
  test.each([
    ['is no turn', Buffer.of(0xc1, 0xc1), /turn 7 of verify\/b cannot be applied: a turn is a list of 3/],
    ['is another turn', codec.encodeTurn({ seq: 8, atMs: 1, events: [] }), /it says that it is turn 8/],
    [
      'does what cannot be',
      codec.encodeTurn({
        seq: 7,
        atMs: 1,
        events: [{ type: 'memory_erased', memoryIds: ['nobody'], reason: '', actorName: null }],
      }),
      /turn 7 of verify\/b cannot be applied/,
    ],
  ])(
    'finds a record with right checksums that %s; a repair cuts the actor off before it',
    async (_name, payload, what) => {
      const dir = await journalOnly()
      await withTurn(dir, 'verify/b', 7, payload)
      expect((await memgov('verify', '--data', dir)).code).toBe(0)
      const { code, stdout } = await memgov('verify', '--data', dir, '--deep')
      expect(code).toBe(1)
      expect(stdout).toMatch(what)
      expect((await memgov('repair', '--data', dir, '--yes')).code).toBe(0)
      const service = await startEmbedded({ dir })
      expect(await service.registry.use('verify', 'b', async ({ state }) => state.seq)).toBe(6)
      expect(await service.registry.use('verify', 'a', async ({ state }) => state.seq)).toBe(20)
      await service.close()
    },
  )

  test('finds turns that give another state than the snapshot of later has', async () => {
    const dir = await journalOnly()
    const service = await startEmbedded({ dir: copyOf(dir) })
    await service.digest({ tenant_id: 'verify', scope: 'c' })
    await service.close()
    // The snapshots of one life beside the journal of another, in which a turn did nothing.
    cpSync(join(service.dir, 'snap'), join(dir, 'snap'), { recursive: true })
    await withTurn(dir, 'verify/c', 19, codec.encodeTurn({ seq: 19, atMs: 1, events: [] }))
    const { code, stdout } = await memgov('verify', '--data', dir, '--deep')
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /verify%2Fc\.snap: the turns of the journal give another digest than the snapshot has/,
    )
  })
})

describe('memgov inspect', () => {
  test('shows segments, actors and files, also of a damaged store, and changes no byte', async () => {
    const dir = copyOf(made.crashed)
    const whole = JSON.parse((await memgov('inspect', '--data', dir, '--json')).stdout)
    expect(whole.actors.map(({ scope }: { scope: string }) => scope)).toEqual(['a', 'b', 'c', 'sleeper'])
    expect(whole.format_version).toBe(
      JSON.parse(readFileSync(join(dir, 'FORMAT.json'), 'utf8')).formatVersion,
    )
    expect(whole.segments.length).toBeGreaterThan(0)
    for (const list of ['snapshots', 'ledger', 'history', 'notes']) expect(whole[list], list).not.toEqual([])
    const service = await startEmbedded({ dir: copyOf(dir) })
    for (const { tenant_id, scope, memories, last_seq, snapshot_seq, lag_turns } of whole.actors) {
      const state = await service.registry.use(tenant_id, scope, async (actor) => actor.state)
      expect({ memories, last_seq }).toEqual({ memories: state.memories.size, last_seq: state.seq })
      expect(lag_turns).toBe(state.seq - (snapshot_seq ?? 0))
    }
    await service.close()
    flip(listed(dir, 'wal', '.wal')[0], FIRST_TURN_AT)
    flip(listed(dir, 'snap', '.snap')[0], 700)
    rmSync(join(dir, 'FORMAT.json'))
    const before = contentOf(dir)
    const { code, stdout } = await memgov('inspect', '--data', dir)
    expect(code).toBe(0)
    expect(stdout).toContain('damaged (memgov verify says more):')
    expect(stdout).toMatch(/verify {2}sleeper/)
    expect(contentOf(dir)).toEqual(before)
  })
})

describe('memgov repair', () => {
  test('finds nothing to do in a whole store and changes no byte', async () => {
    const dir = copyOf(made.closed)
    const before = contentOf(dir)
    expect(await memgov('repair', '--data', dir, '--dry-run')).toMatchObject({
      code: 0,
      stdout: 'clean: nothing to repair\n',
    })
    expect(contentOf(dir)).toEqual(before)
  })

  const harmless: readonly (readonly [string, (dir: string) => void])[] = [
    ['a snapshot', (dir) => flip(listed(dir, 'snap', '.snap').at(-1), 900)],
    ['a ledger file', (dir) => flip(listed(dir, 'ledger', '.led')[0], 40)],
    ['a history file', (dir) => flip(listed(dir, 'hist', '.hist')[0], 500)],
    ['a file of notes', (dir) => flip(listed(dir, 'hist', '.log')[0], 60)],
    ['the format description', (dir) => flip(join(dir, 'FORMAT.json'), 60)],
    ['no format description', (dir) => rmSync(join(dir, 'FORMAT.json'))],
    ['the header of the first segment', (dir) => flip(listed(dir, 'wal', '.wal')[0], 30)],
  ]
  test.each(harmless)(
    'damage to %s: it is set aside, no turn is lost, every actor is as before',
    async (_name, damage) => {
      const dir = copyOf(made.closed)
      const states = await served(copyOf(dir))
      damage(dir)
      const damaged = contentOf(dir)
      const dry = await memgov('repair', '--data', dir, '--dry-run')
      expect(dry.stdout).toMatch(/^would /m)
      expect(contentOf(dir)).toEqual(damaged)
      const { code, stdout } = await memgov('repair', '--data', dir)
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/clean: the service can start\n$/),
      })
      // Nothing is deleted: every old file is where it was or in quarantine.
      const kept = new Set(contentOf(dir).values())
      for (const [path, content] of damaged) expect(kept.has(content), path).toBe(true)
      expect((await memgov('verify', '--data', dir, '--deep')).code).toBe(0)
      expect(await served(dir)).toEqual(states)
    },
  )

  test('damage in the middle of the journal: asks first, cuts off the actors that lost a turn, leaves the others', async () => {
    const dir = await journalOnly()
    const states = await served(copyOf(dir))
    const second = listed(dir, 'wal', '.wal')[1] ?? ''
    const damaged = flip(second, readFileSync(second).indexOf('verify/b') + 60)
    const before = contentOf(dir)
    const asked = await memgov('repair', '--data', dir)
    expect(asked.code).toBe(1)
    expect(asked.stdout).toMatch(/^lost: turns \d+ to 20 of verify\/b: it goes on from turn \d+$/m)
    expect(asked.stdout).toMatch(/Turns that were answered are lost\. Nothing was changed/)
    const { problems } = JSON.parse((await memgov('verify', '--data', dir, '--json')).stdout)
    expect(problems).toMatchObject([{ kind: 'damaged', actors: [{ tenant_id: 'verify', scope: 'b' }] }])
    expect(problems[0].actors[0].from_turn).toBe(problems[0].actors[0].to_turn)
    expect(contentOf(dir)).toEqual(before)
    const { code, stdout } = await memgov('repair', '--data', dir, '--yes')
    expect({ code, stdout }).toMatchObject({ code: 0 })
    expect(listed(dir, 'quarantine', '.torn').some((path) => path.includes(damaged.slice(-20)))).toBe(true)
    expect((await memgov('verify', '--data', dir, '--deep')).code).toBe(0)
    const after = await served(dir)
    expect({ ...after, b: '' }).toEqual({ ...states, b: '' })
    expect(after['b']).not.toBe(states['b'])
    // It goes on from the turn before, and what it writes now is kept.
    const service = await startEmbedded({ dir })
    await service.ok('observe', { tenant_id: 'verify', scope: 'b', input_text: 'After the repair.' })
    const digest = await service.digest({ tenant_id: 'verify', scope: 'b' })
    await service.restart()
    expect(await service.digest({ tenant_id: 'verify', scope: 'b' })).toBe(digest)
    await service.close()
    expect((await memgov('verify', '--data', dir, '--deep')).code).toBe(0)
  })

  test('no snapshot of an actor is whole and its first turns are gone: it is set aside whole, and begins anew', async () => {
    const dir = copyOf(made.closed)
    const states = await served(copyOf(dir))
    for (const path of listed(dir, 'snap', '.snap')) if (path.includes('verify%2Fb')) flip(path, 900)
    for (const path of listed(dir, 'hist', '.hist').slice(0, 1)) flip(path, 900)
    expect((await memgov('verify', '--data', dir, '--deep')).code).toBe(1)
    const asked = await memgov('repair', '--data', dir)
    expect(asked.code).toBe(1)
    expect(asked.stdout).toMatch(/lost: all of verify\/b, turns 1 to \d+/)
    expect((await memgov('repair', '--data', dir, '--yes')).code).toBe(0)
    expect((await memgov('verify', '--data', dir, '--deep')).code).toBe(0)
    const service = await startEmbedded({ dir })
    expect(await service.registry.use('verify', 'b', async ({ state }) => state.seq)).toBe(0)
    await service.ok('observe', { tenant_id: 'verify', scope: 'b', input_text: 'A new beginning.' })
    expect(await service.digest({ tenant_id: 'verify', scope: 'a' })).toBe(states['a'])
    await service.close()
    expect((await memgov('verify', '--data', dir, '--deep')).code).toBe(0)
  })

  test('a scope whose turns are lost is refused by name, others are served, and verify tells of it without --deep', async () => {
    const dir = copyOf(made.closed)
    for (const path of listed(dir, 'snap', '.snap')) if (path.includes('verify%2Fb')) flip(path, 900)
    const service = await startEmbedded({ dir })
    const asked = { tenant_id: 'verify', query_text: 'what is known' }
    const refusal = await service.refused('guide', { ...asked, scope: 'b' })
    expect(refusal).toMatchObject({
      status: 500,
      error: 'scope_damaged',
      message: expect.stringContaining('repair --dry-run'),
    })
    expect(service.lines.some(({ message }) => message === 'a scope cannot be read')).toBe(true)
    await service.ok('guide', { ...asked, scope: 'a' })
    await service.close()
    // By now the snapshot is set aside, and every file that is left is whole.
    const { code, stdout } = await memgov('verify', '--data', dir)
    expect(code).toBe(1)
    expect(stdout).toMatch(/turns? 1 .*of verify\/b (is|are) in no snapshot and not in the journal/)
    const deep = await memgov('verify', '--data', dir, '--deep')
    expect(deep.stdout.match(/in no snapshot/g)).toHaveLength(1)
  })

  test('no snapshot of an actor is whole and history has its first turns: nothing is lost', async () => {
    const dir = copyOf(made.closed)
    const states = await served(copyOf(dir))
    for (const path of listed(dir, 'snap', '.snap')) if (path.includes('verify%2Fb')) flip(path, 900)
    const { code, stdout } = await memgov('repair', '--data', dir)
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('lost: nothing\n') })
    expect(stdout).toMatch(/wrote a snapshot of verify\/b at turn \d+ from history/)
    expect((await memgov('verify', '--data', dir, '--deep')).code).toBe(0)
    expect(await served(dir)).toEqual(states)
  })

  test('a file of a newer program stands in the way and is not touched', async () => {
    const dir = copyOf(made.closed)
    const format = join(dir, 'FORMAT.json')
    writeFileSync(format, readFileSync(format, 'utf8').replace('"formatVersion": 3', '"formatVersion": 4'))
    const before = contentOf(dir)
    const { code, stdout } = await memgov('repair', '--data', dir, '--yes')
    expect(code).toBe(1)
    expect(stdout).toMatch(/stands in the way: FORMAT.json: .*use the version of memgov that wrote it/)
    expect(contentOf(dir)).toEqual(before)
    expect(existsSync(join(dir, 'quarantine', 'FORMAT.json'))).toBe(false)
    for (const args of [['export', '--out', 'a.jsonl'], 'scopes prune --unused-for 1h'.split(' ')]) {
      const { stdout: said } = await memgov(...args, '--data', dir)
      expect(said.split(format).slice(1)).toEqual([expect.stringContaining('use the version of memgov')])
    }
  })
})
