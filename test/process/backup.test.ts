import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as elapsed } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { Acknowledgements } from '../harness/acknowledgements.ts'
import { backedUp } from '../harness/backup.ts'
import { memgov } from '../harness/command.ts'
import { BOUNDS, expectKept, writersOn } from '../harness/crash-rounds.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { type Place, startEmbedded } from '../harness/embedded.ts'
import { HttpClient } from '../harness/http-client.ts'
import { runToEnd, startProcess, startToEnd } from '../harness/process.ts'
import { scaled } from '../harness/scale.ts'
import { foundIn, Secrets } from '../harness/secrets.ts'
import { FIRST_TURN_AT } from '../support/stored-actors.ts'

/** Backups of a service under load; of each the first try is killed. */
const BACKUPS = scaled(1)
const place: Place = { tenant_id: 'backup', scope: 'secret' }

/** What is acknowledged now; the writers go on. */
function nowKnown(known: Acknowledgements): Acknowledgements {
  const copy = new Acknowledgements()
  copy.pairs.push(...known.pairs.filter(({ ids }) => ids !== null))
  copy.guides.push(...known.guides)
  copy.feedbacks.push(...known.feedbacks)
  copy.suppressed.push(...known.suppressed)
  copy.erased.push(...known.erased)
  copy.sent.push(...known.sent.filter(({ reply }) => reply !== null))
  return copy
}

/** The flags with another value of one of them. */
function withBound(flags: readonly string[], flag: string, value: string): readonly string[] {
  const at = flags.indexOf(flag)
  return at < 0 ? [...flags, flag, value] : flags.with(at + 1, value)
}

describe('memgov backup', () => {
  test.each([
    ['that go while it is copied', '65536'],
    ['that are written to while they are copied', '16777216'],
  ])(
    'of a service under load, with segments %s: a start on the copy has every write acknowledged before the backup began',
    async (_name, segmentBytes) => {
      const bounds = withBound(BOUNDS, '--segment-bytes', segmentBytes)
      const dir = dataFolder()
      const served = await startProcess(dir, bounds)
      const pace = { pauseMs: 0, eraseEvery: 7, stepsMax: null }
      const { known, ended } = writersOn(served, { writers: 4, scopes: 4, pace }, 'backup', 1)
      const copies: { readonly to: string; readonly before: Acknowledgements }[] = []
      for (let round = 0; round < BACKUPS; round += 1) {
        const erasedMin = known.erased.length + 8
        await vi.waitUntil(() => known.erased.length >= erasedMin, { timeout: 60_000 })
        const to = join(dataFolder(), 'copy')
        const cutOff = startToEnd(['backup', '--data', dir, '--to', to])
        await elapsed(300 + (600 * round) / BACKUPS)
        cutOff.signal(round % 2 === 0 ? 'SIGKILL' : 'SIGINT')
        await cutOff.exited
        // It came to its end before the signal.
        if (existsSync(to)) await rename(to, `${to}-first`)
        const before = nowKnown(known)
        const { code, stdout, stderr } = await runToEnd(['backup', '--data', dir, '--to', to, '--json'])
        expect({ code, stdout, stderr }).toMatchObject({ code: 0, stderr: '' })
        expect(JSON.parse(stdout)).toMatchObject({ backup_dir: to })
        expect(existsSync(`${to}.part`)).toBe(false)
        copies.push({ to, before })
      }
      expect(served.stderr()).not.toMatch(/"level":50/)
      await served.end('SIGKILL')
      await ended
      expect(copies.length).toBeGreaterThan(0)
      for (const { to, before } of copies) {
        expect(before.pairs.length).toBeGreaterThan(5)
        expect(before.erased.length).toBeGreaterThan(0)
        // No start has tidied up yet.
        expect(
          foundIn(
            to,
            before.erased.map(({ text }) => text),
          ),
        ).toEqual([])
        expect((await memgov('verify', '--data', to, '--deep')).stdout).toMatch(/\nclean\n$/)
        const again = await startProcess(to, bounds)
        await expectKept(again, before)
        expect(await again.end()).toEqual({ code: 0, signal: null })
        expect((await memgov('verify', '--data', to, '--deep')).code).toBe(0)
      }
    },
    180_000,
  )

  test('after an erasure was answered has no byte of it; one beside an erasure loses it with the next start', async () => {
    const dir = dataFolder()
    const served = await startProcess(dir, BOUNDS)
    const client = new HttpClient(served.url)
    const secrets = new Secrets('erased')
    const ids: string[] = []
    for (let round = 0; round < 60; round += 1) {
      const text = `Note ${round}: ${round % 3 === 0 ? secrets.word() : 'nothing of note'}. ${'It stays. '.repeat(40)}`
      const { answer } = await client.call('observe', { ...place, input_text: text })
      if (round % 3 === 0) ids.push(...(answer?.memory_ids ?? []))
    }
    expect(foundIn(dir, secrets.words).length).toBeGreaterThan(10)
    const beside = join(dataFolder(), 'beside')
    const under = runToEnd(['backup', '--data', dir, '--to', beside, '--json'])
    // The copy begins somewhere in here: before, beside or after the erasure.
    await elapsed(250)
    const { answer } = await client.call('erase', { ...place, reason: 'asked for', memory_ids: ids })
    expect(answer?.erased_memory_ids).toHaveLength(ids.length)
    const after = join(dataFolder(), 'after')
    expect((await runToEnd(['backup', '--data', dir, '--to', after])).code).toBe(0)
    expect(foundIn(after, secrets.words)).toEqual([])
    expect((await under).code).toBe(0)
    await client.close()
    await served.end('SIGKILL')
    for (const copy of [after, beside]) {
      const again = await startEmbedded({ dir: copy })
      await again.erasuresResumed
      const erased = await again.registry.use(
        place.tenant_id,
        place.scope,
        async ({ state }) => state.erasures.size,
      )
      // From before the erasure: like every older copy it holds what was not erased then.
      if (copy === after || erased > 0) {
        expect(erased).toBe(ids.length)
        expect(foundIn(copy, secrets.words)).toEqual([])
      }
      await again.close()
    }
  }, 120_000)

  test('beside an erasure of a guide: what was copied before it goes with the next start', async () => {
    const dir = dataFolder()
    const served = await startProcess(dir, BOUNDS)
    const client = new HttpClient(served.url)
    const word = new Secrets('erased').word()
    const { answer } = await client.call('guide', { ...place, query_text: `Deploy ${word}` })
    const guide_trace_ids = [answer?.guide_trace_id]
    // The audit note lies in a file that is copied behind the ledger.
    const candidates = [{ external_memory_id: 'other', source_backend: 'vectors', text: 'It stays too.' }]
    await client.call('govern', { ...place, query_text: 'Deploy', candidates })
    await client.call('observe', { ...place, input_text: 'It stays. '.repeat(800) })
    await vi.waitUntil(() => readdirSync(join(dir, 'ledger')).length > 0)
    const erase = { ...place, reason: 'asked for', guide_trace_ids }
    let erased = ''
    const { to } = await backedUp(dir, (path) => {
      if (path.includes('notes-')) erased ||= postedMeanwhile(`${served.url}/v1/memory/erase`, erase)
    })
    expect(JSON.parse(erased)).toHaveProperty('purged.journal_segments', 1)
    await client.close()
    await served.end('SIGKILL')
    const again = await startEmbedded({ dir: to })
    await again.erasuresResumed
    expect(foundIn(to, [word])).toEqual([])
    await again.close()
  })

  test('refuses a folder that is not empty, one inside the data folder, and one that holds no store, and leaves them alone', async () => {
    const dir = (await stopped()).dir
    const full = dataFolder()
    writeFileSync(join(full, 'mine'), 'mine')
    const link = join(dataFolder(), 'link')
    symlinkSync(dataFolder(), link)
    const volume = existsSync('/dev/shm') ? '/dev/shm' : link
    const taken = join(dataFolder(), 'copy')
    mkdirSync(`${taken}.part`)
    writeFileSync(join(`${taken}.part`, 'mine'), 'mine')
    for (const [argv, what] of [
      [['--data', dir, '--to', full], /is not empty: name another folder/],
      [['--data', dir, '--to', join(full, 'mine')], /mine is a file or a link: name another folder/],
      [['--data', dir, '--to', link], /link is a file or a link/],
      [['--data', dir, '--to', volume], /is a volume of its own|link is a file/],
      [['--data', dir, '--to', join(dir, 'copy')], /is inside the data folder/],
      [['--data', dir, '--to', taken], /copy\.part is there and is no backup that was cut off/],
      [['--data', dir, '--to', join(dir, 'no', 'copy')], /there is no folder/],
      [['--data', full, '--to', join(dataFolder(), 'copy')], /holds no store/],
    ] as const) {
      const { code, stdout } = await memgov('backup', ...argv)
      expect({ argv, code }).toEqual({ argv, code: 1 })
      expect(stdout).toMatch(what)
    }
    expect(readdirSync(full)).toEqual(['mine'])
    expect(readdirSync(`${taken}.part`)).toEqual(['mine'])
  }, 60_000)

  test('of a store that is damaged says what is wrong, and leaves nothing', async () => {
    const { dir } = await stopped()
    const [name] = readdirSync(join(dir, 'wal'))
    const path = join(dir, 'wal', name ?? '')
    const bytes = readFileSync(path)
    bytes[FIRST_TURN_AT] = (bytes[FIRST_TURN_AT] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const to = join(dataFolder(), 'copy')
    const { code, stdout } = await memgov('backup', '--data', dir, '--to', to)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^refused: 5 copies were not whole, the last one because of wal\/\w+\.wal: /)
    expect([existsSync(to), existsSync(`${to}.part`)]).toEqual([false, false])
  }, 60_000)
})

/** The answer to a request, while nothing else of this process goes on. */
function postedMeanwhile(url: string, body: object): string {
  const options = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const script = `fetch(${JSON.stringify(url)}, ${JSON.stringify(options)}).then(async (got) => console.log(await got.text()))`
  return execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })
}

/** A store that no service uses. */
async function stopped(): Promise<{ readonly dir: string }> {
  const service = await startEmbedded()
  for (let round = 0; round < 6; round += 1) {
    await service.ok('observe', { ...place, input_text: `Fact ${round}. ${'It stays. '.repeat(200)}` })
  }
  await service.close()
  return service
}
