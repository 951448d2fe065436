import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bytesOver } from '../../src/adapters/binary/bytes.ts'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import {
  BATCH_HEADER_BYTES,
  decodeBatchHeader,
  SEGMENT_HEADER_BYTES,
} from '../../src/adapters/journal/format.ts'
import { openSnapshotStore } from '../../src/adapters/snapshot/store.ts'
import { ExportRefused } from '../../src/app/archive/export-store.ts'
import { readStore } from '../../src/app/store/read-store.ts'
import { imageOf, stateHash } from '../../src/core/model/state-image.ts'
import { silentLog } from '../crash/journal-life.ts'
import { seededRandom } from '../crash/simulated-disk.ts'
import { tellCounts } from '../harness/counts.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { enough, scaled, someOf } from '../harness/scale.ts'
import { manualClock } from '../harness/system.ts'
import { exported, storeOf } from '../support/archives.ts'
import { memoryOf } from '../support/commands.ts'
import { makeStore } from '../support/stored-actors.ts'
import { World } from '../support/world.ts'

/** Damaged places of each file for each kind of damage; more where more is useful. */
const PLACES = scaled(2)
/** A key so long that no file name holds it. */
const LONG_SCOPE = 'a scope with a very long name '.repeat(8).trim()

const made = await makeStore(14)

function filesOf(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'LOCK')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

test('a file of somebody else is not written over', async () => {
  const dir = await storeOf([new World()])
  const out = join(dataFolder(), 'archive.jsonl')
  writeFileSync(`${out}.part`, 'a letter')
  await expect(exported(dir, out)).rejects.toThrow('is no archive that was cut off')
  expect(readFileSync(`${out}.part`, 'utf8')).toBe('a letter')
  for (const begun of ['', '{"kind":"arch']) {
    writeFileSync(`${out}.part`, begun)
    await exported(dir, out)
    rmSync(out)
  }
})

type Damage = (content: Buffer, at: number, other: Buffer) => Buffer

const TAIL = 'the end of another file of its kind'
const DAMAGES: Readonly<Record<string, Damage>> = {
  'a flipped bit': (content, at) => {
    const flipped = Buffer.from(content)
    flipped[at] = (content[at] ?? 0) ^ (1 << (at % 8))
    return flipped
  },
  'a cut off end': (content, at) => content.subarray(0, at),
  'a sector of zeros': (content, at) => Buffer.from(content).fill(0, at, Math.min(at + 512, content.length)),
  'a piece of another file of its kind': (content, at, other) => {
    const spliced = Buffer.from(content)
    spliced.set(other.subarray(at, Math.min(at + 512, content.length)), at)
    return spliced
  },
  [TAIL]: (content, at, other) => Buffer.concat([content.subarray(0, at), other.subarray(at)]),
}

/** Behind it a segment has zeros that nobody reads. */
const usedBytes = (content: Buffer): number => Math.max(1, content.findLastIndex((byte) => byte !== 0) + 1)

/**
 * Whether a segment that is replaced from a place on by the end of another one shows it: a batch of the other is where
 * the next own batch would begin. Inside the header of a batch that place is not known any more.
 */
function showsOther(content: Buffer, at: number, other: Buffer): boolean {
  let next = SEGMENT_HEADER_BYTES
  while (next < at) {
    const batch = decodeBatchHeader(bytesOver(content), next)
    if (batch === null || at < next + BATCH_HEADER_BYTES) return false
    next += batch.totalLen
  }
  return decodeBatchHeader(bytesOver(other), next) !== null
}

/** By actor, the lines of an archive that are its own. */
function actorLines(archive: string): ReadonlyMap<string, readonly string[]> {
  const actors = new Map<string, string[]>()
  let lines: string[] = []
  for (const line of readFileSync(archive, 'utf8').trimEnd().split('\n').slice(1, -1)) {
    const { kind, tenant_id: tenantId, scope } = JSON.parse(line)
    if (kind === 'actor') {
      lines = []
      actors.set(`${tenantId}/${scope}`, lines)
    }
    lines.push(line)
  }
  return actors
}

async function seqsOf(dir: string): Promise<ReadonlyMap<string, number>> {
  const { actors } = await readStore(dir)
  return new Map([...actors.values()].map(({ key, held }) => [key, held.at(-1)?.toSeq ?? 0]))
}

/** What an export of a damaged folder gives: its actors, or the reason why not. */
async function outcome(dir: string): Promise<ReadonlyMap<string, readonly string[]> | string> {
  const out = join(dir, '..', `${Math.random()}.jsonl`)
  try {
    await exported(dir, out)
    return actorLines(out)
  } catch (error) {
    if (!(error instanceof ExportRefused)) throw error
    return error.message
  } finally {
    rmSync(out, { force: true })
    rmSync(`${out}.part`, { force: true })
  }
}

describe('an export of a store', () => {
  test.each(Object.entries(DAMAGES))(
    'with %s in any file names the file, or says what the whole store says',
    async (name, damage) => {
      const random = seededRandom(23)
      const counts = { same: 0, refused: 0, 'last batch missing': 0 }
      for (const whole of [made.closed, made.crashed]) {
        const dir = join(dataFolder(), 'store')
        cpSync(whole, dir, { recursive: true })
        const expected = await outcome(dir)
        if (typeof expected === 'string') throw new Error(expected)
        const heads = await seqsOf(dir)
        const paths = filesOf(dir)
        // The one behind it is made ready and holds nothing but its header, if that.
        const active = paths.findLast((path) => path.endsWith('.wal') && usedBytes(readFileSync(path)) > 4096)
        for (const path of someOf(paths, Object.keys(DAMAGES).indexOf(name))) {
          const content = readFileSync(path)
          const kin = paths.filter((each) => each !== path && extname(each) === extname(path))
          for (let place = 0; place < PLACES; place += 1) {
            const at = Math.floor(random() * usedBytes(content))
            const other = kin[Math.floor(random() * kin.length)]
            const otherContent = other === undefined ? content : readFileSync(other)
            writeFileSync(path, damage(content, at, otherContent))
            const found = await outcome(dir)
            const what = `${path} at ${at}: ${typeof found === 'string' ? found : 'exported'}`
            if (typeof found === 'string') {
              // What is wrong with the journal may show at its next segment.
              const named = path.includes('/wal/') ? join(dir, 'wal') : path
              expect(found.includes(relative(dir, named)), what).toBe(true)
              counts.refused += 1
            } else if (JSON.stringify([...found]) === JSON.stringify([...expected])) {
              counts.same += 1
            } else {
              // What nothing vouches for looks as if it had never been flushed: the last batch as long as there is no seal,
              // or all of a tail that is replaced as a whole, its seal with it.
              expect(path, what).toBe(active)
              const left = await seqsOf(dir)
              const lost = [...heads].reduce((sum, [key, seq]) => sum + seq - (left.get(key) ?? 0), 0)
              if (name === TAIL) expect(showsOther(content, at, otherContent), what).toBe(false)
              else expect([whole, lost], what).toEqual([made.crashed, 1])
              writeFileSync(path, Buffer.from(content).fill(0, at))
              expect(await outcome(dir), what).toEqual(found)
              counts['last batch missing'] += 1
            }
          }
          writeFileSync(path, content)
        }
      }
      tellCounts(`export with ${name}`, counts)
      expect(counts.refused).toBeGreaterThanOrEqual(enough(6))
    },
    120_000,
  )

  test('in which a snapshot does not tell any more whose it is names it, and leaves nobody out in silence', async () => {
    // As retention leaves it: what the snapshot covers is in no segment any more.
    const dir = await storeOf([])
    const world = new World('long', LONG_SCOPE)
    world.write(memoryOf({ text: 'the valve is open' }))
    const snapshots = await openSnapshotStore({
      dir,
      files: nodeFiles,
      log: silentLog,
      clock: manualClock(0),
    })
    const image = imageOf(world.state)
    await snapshots.put({ shard: 0, epoch: 1 }, `long/${LONG_SCOPE}`, {
      ...image,
      stateHash: stateHash(world.state),
    })
    expect(await outcome(dir)).toHaveProperty('size', 1)
    const snapshot = filesOf(dir).find((path) => path.endsWith('.snap')) ?? ''
    const bytes = readFileSync(snapshot)
    bytes[12] = (bytes[12] ?? 0) ^ 1
    writeFileSync(snapshot, bytes)
    expect(await outcome(dir)).toContain(relative(dir, snapshot))
  })
})
