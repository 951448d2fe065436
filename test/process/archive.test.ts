import { chmodSync, chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { setTimeout as elapsed } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { openJournal } from '../../src/adapters/journal/file-journal.ts'
import { readSpan, spanOf } from '../../src/adapters/journal/record-index.ts'
import { readStore } from '../../src/app/store/read-store.ts'
import { silentLog } from '../crash/journal-life.ts'
import { memgov } from '../harness/command.ts'
import { dataFolder, filesBelow } from '../harness/data-folder.ts'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'
import { runToEnd, startProcess, startToEnd } from '../harness/process.ts'
import { scaled } from '../harness/scale.ts'
import { foundIn, Secrets } from '../harness/secrets.ts'
import { holdingsOf } from '../support/archives.ts'
import { contentOf, makeStore } from '../support/stored-actors.ts'

/** Exports and imports that are killed. */
const KILLS = scaled(3)
const GRANT = { shard: 0, epoch: 1 }
const place = { tenant_id: 'move', scope: 'hall' }
const made = await makeStore(30)
const newFile = (): string => join(dataFolder(), 'archive.jsonl')

/** Exports a folder and imports the archive into a new one, by the commands; the new folder. */
async function moved(dir: string): Promise<string> {
  const archive = newFile()
  const target = join(dataFolder(), 'new')
  expect(await runToEnd(['export', '--data', dir, '--out', archive])).toMatchObject({ code: 0, stderr: '' })
  expect(await runToEnd(['import', '--data', target, '--in', archive])).toMatchObject({ code: 0, stderr: '' })
  expect(await memgov('verify', '--data', target, '--deep')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\nclean\n$/),
  })
  return target
}

/** What the old service is asked, and then the new one. */
async function answersOf(service: Embedded, ids: readonly string[]) {
  const guide = { ...place, query_text: 'pump valve hall', run_id: 'same', limit: 100 }
  const { agent_context } = await service.ok('guide', guide)
  const resolved: object[] = []
  for (const id of ids) {
    const uri = `svc://${place.tenant_id}/${place.scope}/memory/${id}`
    resolved.push(await service.ok('resolve', { ...place, uri }))
  }
  return { prompt: agent_context.prompt_text, memoryIds: agent_context.memory_ids, resolved }
}

describe('memgov export and memgov import', () => {
  test('what the superuser imports into the folder of another user belongs to that user', async ({
    skip,
  }) => {
    if (process.getuid?.() !== 0) skip('only the superuser may give files away')
    const [archive, dir] = [newFile(), dataFolder()]
    expect(await memgov('export', '--data', made.crashed, '--out', archive)).toMatchObject({ code: 0 })
    chownSync(dir, 65_534, 65_534)
    chmodSync(dirname(archive), 0o755)
    const refused = await memgov('import', '--data', dir, '--in', archive)
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('user 65534') })
    expect(filesBelow(dir)).toEqual([])
    chmodSync(archive, 0o644)
    expect(await memgov('import', '--data', dir, '--in', archive)).toMatchObject({ code: 0, stderr: '' })
    expect(new Set(filesBelow(dir).map((path) => statSync(path).uid))).toEqual(new Set([65_534]))
  })

  test('move a store: the same prompts, resolve answers and stored answers, feedback on old guides, nothing erased comes back', async () => {
    const service = await startEmbedded()
    const secrets = new Secrets('gone')
    const ids: string[] = []
    for (let round = 0; round < 12; round += 1) {
      const text = `Fact ${round}: the pump of hall ${round % 3} feeds the valve.`
      const { memory_ids } = await service.ok('observe', { ...place, memory: { kind: 'fact', text } })
      ids.push(...memory_ids)
    }
    await service.ok('observe', {
      ...place,
      handoff: { title: 'Pump', handoff_text: 'Open the valve.', summary: 'The pump waits.', anchor: 'line' },
      claims: [{ subject_key: 'pump', predicate: 'is', value: { on: true }, slot_key: 'pump.state' }],
    })
    const secret = await service.ok('observe', {
      ...place,
      input_text: `The pump code is ${secrets.word()}.`,
    })
    const late = await service.ok('guide', {
      ...place,
      query_text: 'pump',
      operation_id: 'op-guide',
      limit: 5,
    })
    await service.ok('erase', { ...place, reason: 'asked for', memory_ids: secret.memory_ids })
    await service.restart()
    const observe = { ...place, input_text: 'The valve is open.', operation_id: 'op-late' }
    const first = await service.call('observe', observe)
    const shown = await service.ok('guide', {
      ...place,
      query_text: 'valve',
      operation_id: 'op-shown',
      limit: 5,
    })
    await service.close()

    const target = await moved(service.dir)
    const old = await startEmbedded({ dir: service.dir, clock: service.clock })
    const before = await answersOf(old, ids)
    await old.close()
    const next = await startEmbedded({ dir: target, clock: service.clock })
    expect(await answersOf(next, ids)).toEqual(before)
    expect(before.prompt).toContain('the pump of hall 2')
    expect((await next.call('observe', observe)).text).toBe(first.text)
    const outcome = { outcome: 'positive', used_surface: 'explicit_host_assertion', reason: 'it held' }
    for (const { guide_trace_id, agent_context } of [late, shown]) {
      const used_memory_ids = agent_context.memory_ids.filter((id) => ids.includes(id)).slice(0, 1)
      const body = { ...place, ...outcome, run_id: 'after', guide_trace_id, used_memory_ids }
      expect((await next.ok('feedback', body)).used_memory_ids).toEqual(used_memory_ids)
    }
    expect(
      (await next.refused('guide', { ...place, query_text: 'pump', operation_id: 'op-guide', limit: 5 }))
        .details,
    ).toMatchObject({ expired: true })
    await next.refused('rehydrate', { ...place, reason: 'read', memory_ids: secret.memory_ids })
    await next.restart()
    await next.close()
    expect(next.lines.filter(({ level }) => level === 'error')).toEqual([])
    expect(foundIn(target, secrets.words)).toEqual([])
    expect((await memgov('verify', '--data', target, '--deep')).code).toBe(0)
  }, 60_000)

  test('are killed at any moment: repeated, they end with the same archive and the same store', async () => {
    const archive = newFile()
    const startedMs = performance.now()
    const whole = await runToEnd(['export', '--data', made.crashed, '--out', archive, '--json'])
    const wholeMs = performance.now() - startedMs
    const { sha256, actors } = JSON.parse(whole.stdout)
    expect(actors).toBe(4)
    const out = newFile()
    const target = join(dataFolder(), 'new')
    for (let kill = 0; kill < KILLS; kill += 1) {
      for (const argv of [
        ['export', '--data', made.crashed, '--out', out],
        ['import', '--data', target, '--in', archive],
      ]) {
        const running = startToEnd(argv)
        await elapsed(wholeMs * (0.4 + (0.6 * kill) / KILLS))
        running.signal(kill % 2 === 0 ? 'SIGKILL' : 'SIGINT')
        await running.exited
      }
    }
    const last = await runToEnd(['export', '--data', made.crashed, '--out', out, '--json'])
    // One of those before may have come to its end.
    if (last.code === 0) expect(JSON.parse(last.stdout)).toMatchObject({ actors: 4, left_out: [] })
    expect(readFileSync(out, 'utf8').split('\n').slice(1, -2)).toEqual(
      readFileSync(archive, 'utf8').split('\n').slice(1, -2),
    )
    expect(existsSync(`${out}.part`)).toBe(false)
    expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    expect((await runToEnd(['import', '--data', target, '--in', archive])).code).toBe(0)
    expect(await holdingsOf(target)).toEqual(await holdingsOf(made.crashed))
    expect((await memgov('verify', '--data', target, '--deep')).code).toBe(0)
  }, 120_000)

  test('take one tenant and scope, say as JSON what they did, and change no byte of the store that is read', async () => {
    const before = contentOf(made.closed)
    const archive = newFile()
    const argv = [
      'export',
      '--data',
      made.closed,
      '--out',
      archive,
      '--tenant',
      'verify',
      '--scope',
      'b',
      '--json',
    ]
    const { code, stdout, stderr } = await memgov(...argv)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ file: archive, actors: 1, kept_actors: 0, left_out: [] })
    expect(contentOf(made.closed)).toEqual(before)
    const target = dataFolder()
    const done = JSON.parse((await memgov('import', '--data', target, '--in', archive, '--json')).stdout)
    expect(done).toMatchObject({ written: [{ tenant_id: 'verify', scope: 'b' }], skipped: [], refused: [] })
    const again = JSON.parse((await memgov('import', '--data', target, '--in', archive, '--json')).stdout)
    expect(again).toMatchObject({ written: [], skipped: [{ tenant_id: 'verify', scope: 'b' }] })
    for (const [wrong, status, what] of [
      [['export', '--data', made.closed, '--out', archive], 1, /is there already: name another file/],
      [
        ['export', '--data', made.closed, '--out', newFile(), '--scope', 'none'],
        1,
        /no actor of this tenant/,
      ],
      [['export', '--data', dataFolder(), '--out', newFile()], 1, /holds no store/],
      [['export', '--data', made.closed], 2, /export needs --out/],
      [['import', '--data', target], 2, /import needs --in/],
      [['import', '--data', target, '--in', newFile()], 2, /there is no file/],
      [['backup', '--data', made.closed, '--deep', '--to', target], 2, /backup has no flag --deep/],
    ] as const) {
      const run = await memgov(...wrong)
      expect({ wrong, code: run.code }).toEqual({ wrong, code: status })
      expect(run.stdout + run.stderr).toMatch(what)
    }
  }, 60_000)

  test('refuse while a service uses the folder', async () => {
    const target = dataFolder()
    const running = await startProcess(target)
    const archive = newFile()
    writeFileSync(archive, '')
    for (const argv of [
      ['export', '--out', newFile()],
      ['import', '--in', archive],
    ]) {
      const { code, stderr } = await memgov(...argv, '--data', target)
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`process ${running.pid}`),
      })
    }
    await running.end()
  })

  test('refuse a damaged actor by its name; --skip-damaged leaves it out and the manifest says so', async () => {
    const dir = await withoutTurn('verify/b')
    const archive = newFile()
    const refused = await memgov('export', '--data', dir, '--out', archive)
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^refused: verify\/b is damaged: wal\/0000000000000001\.wal at byte \d+: turn 3 of verify\/b cannot be applied/,
      ),
    })
    expect(existsSync(archive)).toBe(false)
    const { code, stdout } = await memgov('export', '--data', dir, '--out', archive, '--skip-damaged')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^left out: verify\/b: wal\/0000000000000001\.wal at byte \d+: turn 3/)
    expect(JSON.parse(readFileSync(archive, 'utf8').split('\n').at(-2) ?? '')).toMatchObject({
      actors: 1,
      left_out: [{ tenant_id: 'verify', scope: 'b' }],
    })
    const target = dataFolder()
    expect((await memgov('import', '--data', target, '--in', archive)).stdout).toMatch(
      /^not in the archive: verify\/b: /,
    )
    expect(Object.keys(await holdingsOf(target))).toEqual(['verify/a'])
  }, 60_000)

  test('a damaged archive is refused with its line, and no folder is made for it', async () => {
    const archive = newFile()
    await memgov('export', '--data', made.closed, '--out', archive)
    const text = readFileSync(archive, 'utf8')
    writeFileSync(archive, text.replace('valve', 'value'))
    const target = join(dataFolder(), 'new')
    const { code, stdout } = await memgov('import', '--data', target, '--in', archive)
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^refused, nothing was changed: \S+ line \d+: the lines of the actor do not have the SHA-256/,
    )
    expect(existsSync(target)).toBe(false)
  })
})

/** A store of two actors of which one has a record with right checksums that is no turn. */
async function withoutTurn(actorKey: string): Promise<string> {
  const service = await startEmbedded()
  for (let round = 0; round < 4; round += 1) {
    for (const scope of ['a', 'b']) {
      await service.ok('observe', { tenant_id: 'verify', scope, input_text: `Fact ${round}.` })
    }
  }
  const { journal } = await readStore(service.dir)
  const dir = dataFolder()
  const other = await openJournal({ dir, log: silentLog })
  for (const key of journal.index.keys()) {
    for (const run of journal.index.get(key)?.runs ?? []) {
      for await (const record of readSpan(nodeFiles, spanOf(run, run.firstSeq, Number.MAX_SAFE_INTEGER))) {
        const isIt = record.actorKey === actorKey && record.actorSeq === 3
        await other.append(GRANT, isIt ? { ...record, payload: Buffer.of(0xc1, 0xc1) } : record)
      }
    }
  }
  await other.close()
  await service.close()
  return dir
}
