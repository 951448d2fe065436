import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as elapsed } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { memgov } from '../harness/command.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { HttpClient } from '../harness/http-client.ts'
import { runToEnd, startProcess } from '../harness/process.ts'
import { answerOf } from '../harness/reply.ts'

// A data folder that was put together from parts of other moments is refused, with what it lacks; the whole one starts.

const FLAGS = ['--segment-bytes', '65536', '--snapshot-min-bytes', '16384', '--resident-actors-max', '2']
const SCOPES = 6

/** The store as it was early, and as kill -9 left it later. */
let early = ''
let late = ''

const placeOf = (scope: number) => ({ tenant_id: 'parts', scope: `s${scope}` })

async function fill(client: HttpClient, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (let scope = 0; scope < SCOPES; scope += 1) {
      const input_text = `Fact ${round} of scope ${scope}. ${'and so on '.repeat(60)}`
      answerOf(await client.call('observe', { ...placeOf(scope), input_text }))
      answerOf(await client.call('guide', { ...placeOf(scope), query_text: 'fact' }))
    }
  }
}

beforeAll(async () => {
  const dir = dataFolder()
  const first = await startProcess(dir, FLAGS)
  const client = new HttpClient(first.url)
  await fill(client, 4)
  await client.close()
  await first.end()
  early = dataFolder()
  cpSync(dir, early, { recursive: true })
  const second = await startProcess(dir, FLAGS)
  const again = new HttpClient(second.url)
  await fill(again, 30)
  // Quiet for as long as it takes to note where the store is.
  const before = turnsIn(early)
  for (let looks = 0; looks < 100 && !(turnsIn(dir) > before && snapshotsOf(dir) > SCOPES); looks += 1)
    await elapsed(100)
  await elapsed(1200)
  await again.close()
  await second.end('SIGKILL')
  late = dir
}, 120_000)

function turnsIn(dir: string): number {
  const { journal } = JSON.parse(readFileSync(join(dir, 'MANIFEST.json'), 'utf8'))
  return Number(journal.turns)
}

function snapshotsOf(dir: string): number {
  return readdirSync(join(dir, 'snap'), { recursive: true }).filter((name) => String(name).endsWith('.snap'))
    .length
}

function copyOf(dir: string): string {
  const copy = dataFolder()
  cpSync(dir, copy, { recursive: true })
  return copy
}

function withPart(part: string, from: string): string {
  const copy = copyOf(late)
  rmSync(join(copy, part), { recursive: true })
  if (existsSync(join(from, part))) cpSync(join(from, part), join(copy, part), { recursive: true })
  return copy
}

/** A store with one actor, of whose turns a snapshot was made. */
async function storeOf(fruit: string): Promise<string> {
  const dir = dataFolder()
  const served = await startProcess(dir, ['--snapshot-min-bytes', '4096'])
  const client = new HttpClient(served.url)
  for (let round = 0; round < 20; round += 1) {
    const input_text = `Fruit ${round} of the basket is ${fruit}. ${'and so on '.repeat(60)}`
    answerOf(await client.call('observe', { ...placeOf(0), input_text }))
  }
  for (let looks = 0; looks < 100 && snapshotsOf(dir) === 0; looks += 1) await elapsed(100)
  await client.close()
  await served.end()
  expect(snapshotsOf(dir)).toBeGreaterThan(0)
  return dir
}

async function expectStarts(dir: string): Promise<void> {
  const served = await startProcess(dir, FLAGS)
  expect(await served.end()).toEqual({ code: 0, signal: null })
}

const serveOver = (dir: string) => ['serve', '--port', '0', '--data-dir', dir, ...FLAGS]

/** Refused by a start, told by verify, not exported; repaired with --yes only, and then it starts. */
async function expectRefused(dir: string, what: RegExp): Promise<void> {
  // As its own process, and again in this one: the first start has mended nothing.
  for (const { code, stderr } of [await runToEnd(serveOver(dir)), await memgov(...serveOver(dir))]) {
    expect(stderr).toMatch(what)
    expect(stderr).toMatch(/Put back the newest .*; or memgov repair/)
    expect(code).toBe(1)
  }
  const verified = await memgov('verify', '--data', dir)
  expect(verified.stdout).toMatch(what)
  expect(verified.code).toBe(1)
  const archive = join(dataFolder(), 'archive')
  expect((await memgov('export', '--out', archive, '--data', dir)).code).toBe(1)
  const unagreed = await memgov('repair', '--data', dir)
  expect(unagreed.stdout).toMatch(/Nothing was changed/)
  expect(unagreed.code).toBe(1)
  const repaired = await memgov('repair', '--yes', '--data', dir)
  expect(repaired.stdout).toMatch(/clean: the service can start/)
  expect(repaired.code).toBe(0)
  await expectStarts(dir)
}

describe('a restored folder', () => {
  test('as a whole it starts, as it was early and as a kill left it, and verifies', async () => {
    for (const dir of [early, late]) {
      const copy = copyOf(dir)
      expect((await memgov('verify', '--deep', '--data', copy)).code).toBe(0)
      await expectStarts(copy)
    }
  })

  test('without wal/ it is refused', async () => {
    await expectRefused(
      withPart('wal', ''),
      /wal\/ holds no journal, the store had come to turn \d+ in segment \d+/,
    )
  })

  test('with an empty wal/ it is refused', async () => {
    const dir = withPart('wal', '')
    mkdirSync(join(dir, 'wal'))
    await expectRefused(dir, /wal\/ holds no journal/)
  })

  test('with an older wal/ it is refused', async () => {
    await expectRefused(
      withPart('wal', early),
      /wal\/ ends at turn \d+ in segment \d+, the store had come to turn \d+ in segment \d+/,
    )
  })

  test('without snap/ it is refused', async () => {
    await expectRefused(
      withPart('snap', ''),
      /snap\/ holds 0 turns of 0 actors, the store had snapshots of \d+ turns/,
    )
  })

  test('with an older snap/ it is refused', async () => {
    await expectRefused(
      withPart('snap', early),
      /snap\/ holds \d+ turns of \d actors, the store had snapshots/,
    )
  })

  test('without ledger/ it is refused, and repaired without a question: no turn is lost', async () => {
    const dir = withPart('ledger', '')
    const { code, stderr } = await memgov(...serveOver(dir))
    expect(stderr).toMatch(
      /ledger\/ holds no exposure set, the store had some\. Put back the newest ledger\//,
    )
    expect(code).toBe(1)
    expect((await memgov('repair', '--data', dir)).code).toBe(0)
    await expectStarts(dir)
  })

  test('with parts of another moment, also without manifest: no wal/ beside snapshots is refused', async () => {
    const dir = withPart('wal', '')
    rmSync(join(dir, 'MANIFEST.json'))
    await expectRefused(dir, /wal\/ is missing beside snapshots/)
  })

  test('with a flipped bit in the journal it is refused by file and byte, with the commands that look and mend', async () => {
    const dir = copyOf(late)
    const segment = join(dir, 'wal', readdirSync(join(dir, 'wal')).sort()[0] ?? '')
    const bytes = readFileSync(segment)
    bytes[20] = (bytes[20] ?? 0) ^ 1
    writeFileSync(segment, bytes)
    const { code, stderr } = await memgov(...serveOver(dir))
    expect(stderr).toMatch(/\.wal at byte 0: .*; memgov verify tells .* memgov repair --dry-run/)
    expect(code).toBe(1)
  })

  test('without FORMAT.json it is refused, with or without the journal and the manifest', async () => {
    for (const gone of [['FORMAT.json'], ['FORMAT.json', 'wal'], ['FORMAT.json', 'wal', 'MANIFEST.json']]) {
      const dir = copyOf(late)
      for (const part of gone) rmSync(join(dir, part), { recursive: true })
      const { code, stderr } = await memgov(...serveOver(dir))
      expect(stderr, gone.join(' ')).toMatch(/memgov cannot start: .*memgov repair/)
      expect(code).toBe(1)
      expect((await memgov('verify', '--data', dir)).code).toBe(1)
    }
  })

  test('a store from before there were manifests starts and gets one', async () => {
    const dir = copyOf(late)
    rmSync(join(dir, 'MANIFEST.json'))
    expect((await memgov('verify', '--deep', '--data', dir)).code).toBe(0)
    await expectStarts(dir)
    expect(existsSync(join(dir, 'MANIFEST.json'))).toBe(true)
    expect((await memgov('verify', '--deep', '--data', dir)).code).toBe(0)
  })

  test('a damaged or foreign manifest is refused, and repair writes it again', async () => {
    const text = readFileSync(join(late, 'MANIFEST.json'), 'utf8')
    const foreign = dataFolder()
    const other = await startProcess(foreign)
    await other.end()
    const versions: readonly (readonly [string, RegExp])[] = [
      [text.replace(/"turns": \d/, '"turns": 9'), /checksum/],
      ['', /checksum/],
      [readFileSync(join(foreign, 'MANIFEST.json'), 'utf8'), /belongs to another store/],
    ]
    for (const [content, what] of versions) {
      const dir = copyOf(late)
      writeFileSync(join(dir, 'MANIFEST.json'), content)
      const { code, stderr } = await memgov(...serveOver(dir))
      expect(stderr).toMatch(what)
      expect(code).toBe(1)
      expect((await memgov('repair', '--yes', '--data', dir)).code).toBe(0)
      await expectStarts(dir)
    }
  })

  test('with a folder in the place of a file it is refused by its path, with what to do', async () => {
    for (const name of ['MANIFEST.json', 'FORMAT.json']) {
      const dir = copyOf(late)
      rmSync(join(dir, name))
      mkdirSync(join(dir, name))
      const { code, stderr } = await memgov(...serveOver(dir))
      expect(stderr).toContain(`${join(dir, name)} is a folder, and has to be a file: move the folder away`)
      expect(code).toBe(1)
      expect((await memgov('verify', '--data', dir)).stdout).toContain(name)
    }
  })

  test('with a file in the place of a folder it is refused by its path, with what to do', async () => {
    for (const name of ['wal', 'snap', 'ledger', 'hist', 'packs', 'quarantine']) {
      const dir = copyOf(late)
      rmSync(join(dir, name), { recursive: true, force: true })
      writeFileSync(join(dir, name), '')
      const { code, stderr } = await memgov(...serveOver(dir))
      expect(stderr).toContain(`${join(dir, name)} is no folder, and has to be one: move it away`)
      expect(code).toBe(1)
    }
  })

  test('with snap/ of another store, of the same actor and as many turns, it answers from its own turns', async () => {
    const [own, other] = [await storeOf('pears'), await storeOf('plums')]
    rmSync(join(own, 'snap'), { recursive: true })
    cpSync(join(other, 'snap'), join(own, 'snap'), { recursive: true })
    const verified = await memgov('verify', '--data', own)
    expect(verified.stdout).toMatch(/snap\/.* the snapshot is of another store, [0-9a-f]{32}/)
    expect(verified.code).toBe(1)
    const served = await startProcess(own)
    const client = new HttpClient(served.url)
    const { agent_context } = answerOf(await client.call('guide', { ...placeOf(0), query_text: 'fruit' }))
    await client.close()
    await served.end()
    expect(agent_context.prompt_text).toContain('pears')
    expect(agent_context.prompt_text).not.toContain('plums')
    expect((await memgov('verify', '--deep', '--data', own)).code).toBe(0)
  })

  test('what backup and import make has a manifest that is right', async () => {
    const copy = join(dataFolder(), 'copy')
    expect((await memgov('backup', '--to', copy, '--data', copyOf(late))).code).toBe(0)
    const archive = join(dataFolder(), 'archive')
    expect((await memgov('export', '--out', archive, '--data', copy)).code).toBe(0)
    const imported = dataFolder()
    expect((await memgov('import', '--in', archive, '--data', imported)).code).toBe(0)
    for (const dir of [copy, imported]) {
      expect(existsSync(join(dir, 'MANIFEST.json'))).toBe(true)
      const without = copyOf(dir)
      rmSync(join(without, 'snap'), { recursive: true })
      expect((await memgov(...serveOver(without))).code).toBe(1)
      await expectStarts(dir)
    }
  })
})
