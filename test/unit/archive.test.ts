import { cpSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ArchiveError, fromJson, toJson } from '../../src/app/archive/archive-lines.ts'
import { verifyStore } from '../../src/app/store/verify-store.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { anyHistory } from '../arbitraries.ts'
import { seededRandom } from '../crash/simulated-disk.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { startEmbedded } from '../harness/embedded.ts'
import { scaled } from '../harness/scale.ts'
import { exported, holdingsOf, imported, storeOf } from '../support/archives.ts'
import { eraseOf, memoryOf } from '../support/commands.ts'
import { worldAfter } from '../support/history.ts'
import { prove } from '../support/prove.ts'
import { contentOf, makeStore } from '../support/stored-actors.ts'
import { refusalOf, World } from '../support/world.ts'

/** Stores of random histories that are moved. */
const STORES = scaled(12)
const GOLDEN = new URL('../fixtures/archive-v1.jsonl', import.meta.url).pathname
const made = await makeStore(24)

/** The lines of an archive without what is its own: when it was made, of which store, and so its last seal. */
function contentLines(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\n').slice(1, -2)
}

async function problemsOf(dir: string) {
  const options = { isDeep: true, exposureRetentionMs: Number.MAX_SAFE_INTEGER, nowMs: 0 }
  return (await verifyStore(dir, options)).problems
}

describe('values in an archive', () => {
  const anyBytes = fc.uint8Array({ maxLength: 20 })
  const hazard = fc.constantFrom('$b64', '$$b64', '$$$b64', '__proto__', 'toJSON', 'constructor', '\ud800')
  const anyKey = fc.oneof(hazard, fc.string({ unit: 'binary' }))
  const { value: anyValue } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      anyBytes,
      fc.constantFrom(null, true, false, 0, 1.5, -7, 2 ** 53 - 1),
      fc.string({ unit: 'binary' }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc
        .array(fc.tuple(anyKey, tie('value')), { maxLength: 3 })
        .map((entries) => Object.fromEntries(entries)),
    ),
  }))

  test('come back from JSON as they were, also bytes and keys that look like the mark of bytes', () => {
    prove(anyValue, (value) => {
      const text = JSON.stringify(toJson(value))
      const back = fromJson(JSON.parse(text))
      expect(JSON.stringify(toJson(back))).toBe(text)
      expect(plain(back)).toEqual(plain(value))
    })
  })

  test.each([[undefined], [Number.NaN], [{ a: undefined }], [Symbol('x')]])('%o is refused', (value) => {
    expect(() => toJson(value)).toThrow(/archived/)
  })
})

/** Buffers as plain byte arrays, so that they compare with Uint8Arrays. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return ['bytes', ...value]
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value).map(([key, item]) => [key, plain(item)])
}

describe('an archive', () => {
  test('brings every state and exposure set over, of any history with erasures, and comes out the same again', async () => {
    const anyErasures = fc.array(fc.nat({ max: 63 }), { maxLength: 3 })
    const anyActor = fc.record({ before: anyHistory, erased: anyErasures, after: anyHistory })
    await fc.assert(
      fc.asyncProperty(fc.array(anyActor, { minLength: 1, maxLength: 3 }), async (actors) => {
        const worlds = actors.map(({ before, erased, after }, at) => {
          const world = worldAfter(before, new World('tenant', `scope ${at} \u{1f4a1}/"`))
          for (const pick of erased) {
            const id = world.memoryIds[pick % Math.max(1, world.memoryIds.length)]
            if (id !== undefined) refusalOf(() => world.erase(eraseOf([id])))
          }
          return worldAfter(after, world)
        })
        const source = await storeOf(worlds)
        const before = await holdingsOf(source)
        const first = await exported(source)
        const target = dataFolder()
        const report = await imported(first.out, target)
        const living = worlds.filter(({ turns }) => turns.length > 0)
        expect(report.written).toHaveLength(living.length)
        expect(await holdingsOf(target)).toEqual(before)
        for (const world of living) {
          const held = before[`tenant/${world.state.scope}`]
          expect(held).toEqual({ digest: stateHash(world.state), exposures: setsOf(world), damages: [] })
        }
        expect(await problemsOf(target)).toEqual([])
        const second = await exported(target)
        expect(contentLines(second.out)).toEqual(contentLines(first.out))
      }),
      { numRuns: STORES, endOnFailure: true },
    )
  }, 120_000)

  test('of a service that snapshots and archives gives a store that verifies deeply, with what the ledger keeps', async () => {
    for (const dir of [made.closed, made.crashed]) {
      const { out, report } = await exported(dir)
      expect(report).toMatchObject({ actors: 4, kept: 0, leftOut: [] })
      expect(report.exposures).toBeGreaterThan(0)
      const target = dataFolder()
      await imported(out, target)
      expect(await holdingsOf(target)).toEqual(await holdingsOf(dir))
      expect(await problemsOf(target)).toEqual([])
    }
  })

  test('has no guide that an erasure, cut off before the ledger, has left there', async () => {
    const service = await startEmbedded()
    const place = { tenant_id: 'cut', scope: 'off' }
    await service.ok('observe', { ...place, input_text: 'The pump is in hall 2.' })
    const guide = { ...place, query_text: 'pump' }
    const { guide_trace_id: gone } = await service.ok('guide', { ...guide, run_id: 'gone' })
    const { guide_trace_id: kept } = await service.ok('guide', { ...guide, run_id: 'kept' })
    await service.restart()
    const ledger = join(service.dir, 'ledger')
    const before = dataFolder()
    cpSync(ledger, before, { recursive: true })
    await service.ok('erase', { ...place, reason: 'asked for', run_ids: ['gone'] })
    await service.close()
    cpSync(before, ledger, { recursive: true })
    expect(JSON.stringify(await holdingsOf(service.dir))).toContain(gone)
    const target = dataFolder()
    await imported((await exported(service.dir)).out, target)
    const moved = JSON.stringify(await holdingsOf(target))
    expect(moved).not.toContain(gone)
    expect(moved).toContain(kept)
  })

  test('of a store that has nothing is whole, and its import changes nothing', async () => {
    const { out, report } = await exported(await storeOf([]))
    expect(report).toMatchObject({ actors: 0, rows: 0 })
    const target = dataFolder()
    expect(await imported(out, target)).toMatchObject({ written: [], skipped: [], refused: [] })
    expect(readdirSync(target)).toEqual([])
  })

  test('of version 1 is read by every later version', async () => {
    const target = dataFolder()
    const { written } = await imported(GOLDEN, target)
    expect(written).toEqual(['golden/one', 'golden/two'])
    expect(await problemsOf(target)).toEqual([])
    const again = await exported(target)
    expect(contentLines(again.out)).toEqual(contentLines(GOLDEN))
  })
})

function setsOf(world: World) {
  return world.guides
    .map((guide) => Object.fromEntries(Object.entries(guide).filter(([name]) => name !== 'type')))
    .sort((a, b) => (String(a['guideTraceId']) < String(b['guideTraceId']) ? -1 : 1))
}

describe('a damaged archive is refused with the line, and nothing is written', () => {
  async function refused(path: string, lineMin: number): Promise<void> {
    const target = dataFolder()
    const error = await imported(path, target).then(
      () => null,
      (cause: unknown) => cause,
    )
    expect(error, `line ${lineMin}`).toBeInstanceOf(ArchiveError)
    if (!(error instanceof ArchiveError)) return
    expect(error.line).toBeGreaterThanOrEqual(lineMin)
    expect(error.message).toMatch(new RegExp(`^${path} line ${error.line}: .+; .+`))
    expect(readdirSync(target)).toEqual([])
  }

  test('with a flipped bit in any line', async () => {
    const bytes = readFileSync(GOLDEN)
    const random = seededRandom(5)
    const path = join(dataFolder(), 'archive.jsonl')
    let start = 0
    for (let line = 1; start < bytes.length; line += 1) {
      const end = bytes.indexOf(10, start) + 1
      for (let i = 0; i < 3; i += 1) {
        const at = i === 0 ? end - 1 : start + Math.floor(random() * (end - start))
        const damaged = Buffer.from(bytes)
        damaged[at] = (damaged[at] ?? 0) ^ (1 << Math.floor(random() * 8))
        writeFileSync(path, damaged)
        await refused(path, line)
      }
      start = end
    }
  })

  test('cut off anywhere, without a line, with a line twice, or with more behind it', async () => {
    const text = readFileSync(GOLDEN, 'utf8')
    const lines = text.split('\n').slice(0, -1)
    const path = join(dataFolder(), 'archive.jsonl')
    const random = seededRandom(6)
    for (const [at, line] of lines.entries()) {
      const before = lines.slice(0, at).map((each) => `${each}\n`)
      const after = lines.slice(at + 1).map((each) => `${each}\n`)
      for (const damaged of [
        [...before],
        [...before, line.slice(0, Math.floor(random() * line.length))],
        [...before, line],
        [...before, ...after],
        [...before, `${line}\n`, `${line}\n`, ...after],
      ]) {
        writeFileSync(path, damaged.join(''))
        await refused(path, 1)
      }
    }
    writeFileSync(path, `${text}\n`)
    await refused(path, lines.length + 1)
  })

  test('a line of 65 MiB is read: a memory of many revisions is one', async () => {
    const path = join(dataFolder(), 'archive.jsonl')
    const row = JSON.stringify({ kind: 'row', section: 'none', row: 'x'.repeat(65 * 1024 * 1024) })
    writeFileSync(path, `${readFileSync(GOLDEN, 'utf8').split('\n').slice(0, 2).join('\n')}\n${row}\n`)
    await expect(imported(path)).rejects.toThrow('line 3: a row of "none" is out of its order')
  })

  test('of a newer version: it says so and what to use', async () => {
    const path = join(dataFolder(), 'archive.jsonl')
    writeFileSync(path, readFileSync(GOLDEN, 'utf8').replace('"version":1', '"version":2'))
    await expect(imported(path)).rejects.toThrow(
      /line 1: the archive has version 2.*use the version of memgov/,
    )
    writeFileSync(path, 'hello\n')
    await expect(imported(path)).rejects.toThrow(/line 1: the line is no JSON/)
    writeFileSync(path, '{"kind":"other"}\n')
    await expect(imported(path)).rejects.toThrow(/line 1: the file is no archive of memgov/)
  })
})

describe('an export that was cut off', () => {
  test('at any byte is gone on with, and gives the same archive', async () => {
    const whole = await exported(made.closed)
    const bytes = readFileSync(whole.out)
    const random = seededRandom(7)
    const kept = new Set<number>()
    for (let cut = 0; cut < 12; cut += 1) {
      const out = join(dataFolder(), 'archive.jsonl')
      writeFileSync(`${out}.part`, bytes)
      truncateSync(`${out}.part`, Math.floor((bytes.length * (cut + random())) / 12))
      const { report } = await exported(made.closed, out)
      kept.add(report.kept)
      expect(report.sha256).toBe(whole.report.sha256)
      expect(readFileSync(out).equals(bytes)).toBe(true)
      expect(existsSync(`${out}.part`)).toBe(false)
    }
    expect(Math.max(...kept)).toBeGreaterThan(1)
  })

  test('of another store, or of an earlier state of it, begins anew', async () => {
    const out = join(dataFolder(), 'archive.jsonl')
    const other = await exported(await storeOf([]))
    cpSync(other.out, `${out}.part`)
    expect((await exported(made.closed, out)).report.kept).toBe(0)
    const earlier = join(dataFolder(), 'archive.jsonl')
    cpSync((await exported(made.closed)).out, `${earlier}.part`)
    expect((await exported(made.crashed, earlier)).report.leftOut).toEqual([])
    expect(contentLines(earlier)).toEqual(contentLines((await exported(made.crashed)).out))
  })

  test('never writes over a file that is there', async () => {
    const { out } = await exported(made.closed)
    await expect(exported(made.closed, out)).rejects.toThrow(/is there already/)
  })
})

describe('an import', () => {
  test('repeated skips what is there with the same digest, and changes no byte', async () => {
    const { out } = await exported(made.closed)
    const target = dataFolder()
    await imported(out, target)
    const before = contentOf(target)
    expect(await imported(out, target)).toMatchObject({ written: [], skipped: { length: 4 }, refused: [] })
    expect(contentOf(target)).toEqual(before)
  })

  test('refuses an actor that is there otherwise by its name, changes nothing of it, and writes the others', async () => {
    const world = new World('golden', 'one')
    world.write(memoryOf({ text: 'The pump is on.' }))
    const target = await storeOf([world])
    const before = await holdingsOf(target)
    const report = await imported(GOLDEN, target)
    expect(report.written).toEqual(['golden/two'])
    expect(report.refused).toMatchObject([
      { key: 'golden/one', reason: expect.stringMatching(/at turn 1 with another state/) },
    ])
    expect((await holdingsOf(target))['golden/one']).toEqual(before['golden/one'])
  })
})
