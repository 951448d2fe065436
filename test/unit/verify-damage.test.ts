import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { parseSnapshotName } from '../../src/adapters/snapshot/format.ts'
import { rebuildActor } from '../../src/app/store/actor-states.ts'
import { planRepair } from '../../src/app/store/plan-repair.ts'
import { readStore } from '../../src/app/store/read-store.ts'
import { verifyStore } from '../../src/app/store/verify-store.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import type { Files } from '../../src/ports/files.ts'
import { seededRandom } from '../crash/simulated-disk.ts'
import { enough, scaled, someOf } from '../harness/scale.ts'
import { unreadable, withContent } from '../support/damaged-files.ts'
import { refusalOfStart } from '../support/refusal-of-start.ts'
import { makeStore } from '../support/stored-actors.ts'

/** Damaged bytes of each file; more where more is useful. */
const BYTES = scaled(2)
const YEAR_MS = 365 * 24 * 3_600_000

const made = await makeStore(34)

const verified = (dir: string, files: Files = nodeFiles) =>
  verifyStore(dir, { files, isDeep: true, exposureRetentionMs: YEAR_MS, nowMs: 0 })

/** The digest of every actor as a start would load it. */
async function statesOf(dir: string, files: Files = nodeFiles): Promise<Readonly<Record<string, string>>> {
  const store = await readStore(dir, { files })
  const states: Record<string, string> = {}
  for (const actor of store.actors.values()) {
    states[actor.key] = stateHash((await rebuildActor(files, actor)).state)
  }
  return states
}

/** Those that say something of the store. */
function filesOf(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !['LOCK', 'reserve'].includes(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** What a start cannot go without, however much was archived: its name, the last segment, the newest snapshot of each actor. */
function neededIn(dir: string): readonly string[] {
  const { journal } = JSON.parse(readFileSync(join(dir, 'MANIFEST.json'), 'utf8'))
  const last = `${Number(journal.segment).toString(16).padStart(16, '0')}.wal`
  const newest = new Map<string, { readonly path: string; readonly seq: number }>()
  for (const path of filesOf(dir)) {
    const named = parseSnapshotName(basename(path))
    if (named !== null && named.seq > (newest.get(named.actorKeyHash)?.seq ?? -1))
      newest.set(named.actorKeyHash, { path, seq: named.seq })
  }
  return [join(dir, 'FORMAT.json'), join(dir, 'wal', last), ...[...newest.values()].map(({ path }) => path)]
}

type Damage = (content: Uint8Array, at: number) => Uint8Array | null

/** A name, the damage, and a number: in a smaller size each damages other files. */
const DAMAGES: readonly (readonly [string, Damage, number])[] = [
  ['a flipped bit', (content, at) => content.with(at, (content[at] ?? 0) ^ (1 << (at % 8))), 0],
  ['a cut off end', (content, at) => content.slice(0, at), 1],
  ['a sector of zeros', (content, at) => content.map((byte, i) => (i >= at && i < at + 512 ? 0 : byte)), 2],
  [
    'a piece that is there twice',
    (content, at) => Buffer.concat([content.subarray(0, at), content.subarray(at / 2)]),
    3,
  ],
]

/** Where the content is: behind it a segment has zeros that nobody reads. */
function usedBytes(content: Uint8Array): number {
  return Math.max(1, content.findLastIndex((byte) => byte !== 0) + 1)
}

describe('a store is verified deeply', () => {
  test('that is whole: nothing is told', async () => {
    for (const dir of [made.closed, made.crashed]) {
      expect((await verified(dir)).problems, dir).toEqual([])
    }
    for (const folder of ['wal', 'snap', 'ledger', 'hist']) {
      expect(
        filesOf(made.crashed).some((path) => path.includes(`/${folder}/`)),
        folder,
      ).toBe(true)
    }
    for (const ending of ['.hist', '.log']) {
      expect(
        filesOf(made.crashed).some((path) => path.endsWith(ending)),
        ending,
      ).toBe(true)
    }
  })

  test.each(DAMAGES)(
    'with %s anywhere: the file is named, or the state is the same',
    async (_name, damage, order) => {
      const random = seededRandom(11)
      let told = 0
      for (const dir of [made.closed, made.crashed]) {
        const whole = await statesOf(dir)
        for (const path of someOf(filesOf(dir), order)) {
          const content = new Uint8Array(readFileSync(path))
          // One that was begun when the process was killed may hold nothing that could be damaged.
          if (content.length === 0) continue
          for (let i = 0; i < BYTES; i += 1) {
            const at = Math.floor(random() * usedBytes(content))
            const files = withContent(path, damage(content, at))
            const { problems, notes } = await verified(dir, files)
            const isNamed = problems.some(({ file }) => join(dir, file) === path)
            if (isNamed) told += 1
            const what = `${path} at ${at}`
            if (problems.length > 0) {
              expect(
                problems.every(({ action }) => action !== ''),
                what,
              ).toBe(true)
              // What follows from the damage may be told of other files; of the damaged one it must be.
              expect(isNamed || path.includes('/wal/'), `${what}: ${JSON.stringify(problems)}`).toBe(true)
            } else {
              expect(await refusalOfStart(files, dir), what).toBeNull()
              const states = await statesOf(dir, files)
              // Damage to the last batch looks torn as long as no seal vouches for it; and it is said so.
              const isTorn = dir === made.crashed && notes.some((note) => note.includes('cut off'))
              if (!isTorn) expect(states, what).toEqual(whole)
            }
          }
        }
      }
      expect(told).toBeGreaterThanOrEqual(enough(26))
    },
    120_000,
  )

  test('of which a file cannot be read: it is named as unreadable, and no repair touches the store', async () => {
    // Room that is kept for erasures says nothing, and nobody reads it.
    const saysNothing = /\.tmp$|\/erasing\/reserve$/
    for (const path of someOf(filesOf(made.crashed).filter((each) => !saysNothing.test(each)))) {
      const verification = await verified(made.crashed, unreadable(path))
      const named = verification.problems.filter(({ file }) => join(made.crashed, file) === path)
      expect(named[0], path).toMatchObject({ kind: 'unreadable', what: expect.stringContaining('EIO') })
      expect(
        (await planRepair(verification, { exposureRetentionMs: YEAR_MS, nowMs: 0 })).blockers,
      ).not.toEqual([])
    }
  })

  test('without one of its files: what is missing is told, unless no state needs it', async () => {
    const whole = await statesOf(made.closed)
    const needed = neededIn(made.closed)
    expect(needed.length).toBeGreaterThan(3)
    for (const path of new Set([...needed, ...someOf(filesOf(made.closed))])) {
      const files = withContent(path, null)
      const { problems } = await verified(made.closed, files)
      if (needed.includes(path)) expect(problems, path).not.toEqual([])
      if (problems.length === 0) expect(await statesOf(made.closed, files), path).toEqual(whole)
    }
  })
})
